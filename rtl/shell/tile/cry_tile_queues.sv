// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The control side of the tile: registers, queues, key slots, dispatch of jobs to lanes, and
// completion. After an uncorrectable upset (broken_i, or one in here) the tile is locked.
module cry_tile_queues
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned NumQueues  = 4,         // 1 to 8
  parameter int unsigned NumSlots   = 8,         // key slots, 1 to 16
  parameter int unsigned NumWindows = 4,         // of each queue, 1 to 4
  parameter int unsigned PageStride = 4096,      // bytes between user pages: 4096 or 65536
  // Lane n runs opcode n + 1; the last AesLanes - 1 run AES too (cry_tile_aes_lanes)
  parameter int unsigned NumLanes   = 5,
  parameter int unsigned AesLanes   = 1,
  parameter logic [15:0] Opcodes    = 16'h0003,  // by opcode: is built in
  parameter int unsigned Prefetch   = 4,         // descriptors that a queue reads ahead: 2, 4, 8...
  // By opcode: value of its register ENGINE
  parameter logic [15:0][31:0] EngineFeatures = '0,
  parameter protect_e    Protect    = ProtectNone  // level of protection of all that is stored
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        tamper_i,      // keys are wiped, queues stop until reset
  input  logic                        rnd_alarm_i,   // level: the random bit generator is in alarm
  input  logic                        corrected_i,   // pulses of guard, lanes and engines
  input  logic                        detected_i,    // of guard and engines: goes on
  input  logic                        broken_i,      // uncorrectable upset of lanes or bus: locks
  input  logic                        dead_i,        // level: the memory does not answer
  output logic [31:0]                 watchdog_o,    // cycles after which it is said not to
  output logic                        locked_o,      // level until reset: windows deny everything
  input  logic                        bus_quiet_i,   // level: no burst is under way
  output logic                        soft_rst_no,   // for the rest of the tile: reset, soft too
  output logic [NumQueues-1:0]        irq_o,         // level, by queue: an enabled event is set
  output logic                        error_irq_o,   // level: an enabled error is set

  // AXI4-Lite: see cry_axi_lite_slave
  input  logic                        s_axil_awvalid_i,
  output logic                        s_axil_awready_o,
  input  logic [19:0]                 s_axil_awaddr_i,
  input  logic                        s_axil_wvalid_i,
  output logic                        s_axil_wready_o,
  input  logic [31:0]                 s_axil_wdata_i,
  input  logic [3:0]                  s_axil_wstrb_i,
  output logic                        s_axil_bvalid_o,
  input  logic                        s_axil_bready_i,
  output logic [1:0]                  s_axil_bresp_o,
  input  logic                        s_axil_arvalid_i,
  output logic                        s_axil_arready_o,
  input  logic [19:0]                 s_axil_araddr_i,
  output logic                        s_axil_rvalid_o,
  input  logic                        s_axil_rready_i,
  output logic [31:0]                 s_axil_rdata_o,
  output logic [1:0]                  s_axil_rresp_o,

  // by queue: whose its bursts are, and whether their addresses are of windows
  output process_t [NumQueues-1:0]    process_o,
  output logic [NumQueues-1:0]        relative_o,

  // bursts that were refused
  input  violation_t                  read_violation_i,
  input  violation_t                  write_violation_i,

  // windows, in cry_tile_guard
  output logic                        window_we_o,
  output queue_t                      window_queue_o,
  output logic [4:0]                  window_word_o,
  output logic [31:0]                 window_wdata_o,
  input  logic [31:0]                 window_rdata_i,

  // lanes
  output logic [31:0]                 now_o,          // cycles since reset
  output logic [NumQueues-1:0]        abort_o,        // level, by queue: lanes end its jobs soon
  output logic [NumLanes-1:0]         lane_wake_o,    // may be given a job in this cycle
  output logic [NumLanes-1:0]         lane_valid_o,   // by lane: a job
  input  logic [NumLanes-1:0]         lane_ready_i,   // by lane: does not depend on lane_valid_o
  // by lane and queue: takes no long job of it now
  input  logic [NumLanes-1:0][NumQueues-1:0] lane_full_i,
  output lane_job_t                   lane_job_o,     // for all lanes, with lane_valid_o
  output slot_key_t                   lane_key_o,     // its key, if lane_job_o.key_slot
  input  logic [NumLanes-1:0]         done_valid_i,   // by lane: a job ended, its bursts answered
  output logic [NumLanes-1:0]         done_ready_o,   // it is taken
  input  lane_done_t [NumLanes-1:0]   done_i,         // how
  input  logic                        unwrap_valid_i, // beat of an unwrapped key: never stalled
  input  unwrap_t                     unwrap_i,       // the beat
  input  logic                        made_valid_i,   // likewise, of a key that is made
  input  unwrap_t                     made_i,         // the beat

  // bus: descriptors in, records out; as in cry_tile_pkg
  output logic                        ar_valid_o,
  input  logic                        ar_ready_i,
  output bus_req_t                    ar_o,
  input  logic                        r_valid_i,
  input  bus_r_t                      r_i,
  output logic                        aw_valid_o,
  input  logic                        aw_ready_i,
  output bus_req_t                    aw_o,
  output logic                        w_valid_o,
  input  logic                        w_ready_i,
  output bus_w_t                      w_o,
  input  logic                        b_valid_i,
  input  bus_error_e                  b_error_i
);

  // --- Registers ---------------------------------------------------------------------------------

  logic [10:2]                addr;
  logic [31:0]                wdata, slot_rdata;
  logic [NumQueues-1:0]       queue_we, page_we;
  logic [NumQueues-1:0][31:0] queue_rdata, page_rdata;
  logic                       slot_we, seal, slot_corrected, slot_detected;
  logic [NumQueues+5:0]       corrected, detected;
  logic                       stop, reset, reset_done, reset_hold, wipe;

  cry_tile_control #(
    .NumQueues(NumQueues), .NumSlots(NumSlots), .NumWindows(NumWindows), .Protect(Protect),
    .Opcodes(Opcodes), .AesLanes(AesLanes), .EngineFeatures(EngineFeatures),
    .PageStride(PageStride)
  ) u_control (
    .clk_i,
    .rst_ni,
    .s_axil_awvalid_i,
    .s_axil_awready_o,
    .s_axil_awaddr_i,
    .s_axil_wvalid_i,
    .s_axil_wready_o,
    .s_axil_wdata_i,
    .s_axil_wstrb_i,
    .s_axil_bvalid_o,
    .s_axil_bready_i,
    .s_axil_bresp_o,
    .s_axil_arvalid_i,
    .s_axil_arready_o,
    .s_axil_araddr_i,
    .s_axil_rvalid_o,
    .s_axil_rready_i,
    .s_axil_rdata_o,
    .s_axil_rresp_o,
    .addr_o       (addr),
    .queue_o      (window_queue_o),
    .wdata_o      (wdata),
    .queue_we_o   (queue_we),
    .queue_rdata_i(queue_rdata),
    .page_we_o    (page_we),
    .page_rdata_i (page_rdata),
    .slot_we_o    (slot_we),
    .slot_rdata_i (slot_rdata),
    .seal_o       (seal),
    .watchdog_o   (watchdog_o),
    .dead_i       (dead_i),
    .stop_o       (stop),
    .reset_o      (reset),
    .reset_done_i (reset_done),
    .corrected_i  (corrected_i || slot_corrected || (|corrected)),
    .detected_i   (detected_i || slot_detected || broken_i || (|detected)),
    .tamper_i     (tamper_i),
    .random_i     (rnd_alarm_i),
    .error_irq_o  (error_irq_o),
    .corrected_o  (corrected[4+NumQueues]),
    .detected_o   (detected[4+NumQueues])
  );

  logic                 tampered, hold;
  logic [NumQueues-1:0] quiet;

  cry_tile_lock #(
    .Protect(Protect)
  ) u_lock (
    .clk_i,
    .rst_ni,
    .tamper_i,
    .broken_i   (broken_i || (|detected[NumQueues+5:1])),
    .tampered_o (tampered),
    .locked_o,
    .hold_o     (hold),
    .now_o,
    .corrected_o(corrected[0]),
    .detected_o (detected[0])
  );

  cry_tile_reset #(
    .Protect(Protect)
  ) u_reset (
    .clk_i,
    .rst_ni,
    .request_i  (reset),
    .quiet_i    ((&quiet) && bus_quiet_i && !dead_i),
    .hold_o     (reset_hold),
    .wipe_o     (wipe),
    .done_o     (reset_done),
    .soft_rst_no,
    .corrected_o(corrected[5+NumQueues]),
    .detected_o (detected[5+NumQueues])
  );

  // In the control page of a queue: windows from 0x80 on, below them its other registers.
  logic [NumQueues-1:0] plain_we, mask_we;
  logic                 to_window;
  assign to_window      = addr[7];
  assign window_we_o    = (|queue_we) && to_window;
  assign window_word_o  = addr[6:2];
  assign window_wdata_o = wdata;
  for (genvar q = 0; q < NumQueues; q++) begin : gen_we
    assign plain_we[q] = queue_we[q] && !to_window;
    assign mask_we[q]  = wipe || (plain_we[q] &&
                                  (addr[6:2] == cry_tile_layout_pkg::QueueKeyMaskWord));
  end

  // --- Queues ------------------------------------------------------------------------------------

  logic  [NumQueues-1:0]               fetch_valid, fetch_ready, beat_valid, running;
  logic  [NumQueues-1:0]               head_valid, pop, begun, made, written;
  addr_t [NumQueues-1:0]               fetch_addr, record_addr;
  cry_tile_layout_pkg::descriptor_t [NumQueues-1:0] main;
  logic  [NumQueues-1:0][31:0]         start, max_bytes, record_number;
  logic  [NumQueues-1:0][15:0]         index;
  policy_t [NumQueues-1:0]             policy;
  logic  [NumQueues-1:0][MaxSlots-1:0] mask;
  bus_r_t                              beat;
  logic                                written_irq;
  bus_error_e                          written_error;

  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic [31:0] plain_rdata;
    cry_tile_queue #(
      .Prefetch(Prefetch), .Protect(Protect)
    ) u_queue (
      .clk_i,
      .rst_ni(soft_rst_no),
      .hold_i         (hold || stop || reset_hold),
      .dead_i         (dead_i),
      .now_i          (now_o),
      .cfg_we_i       (plain_we[q]),
      .cfg_word_i     (cry_tile_layout_pkg::queue_word_e'(addr[6:2])),
      .cfg_wdata_i    (wdata),
      .cfg_rdata_o    (plain_rdata),
      .page_we_i      (page_we[q]),
      .page_word_i    (cry_tile_layout_pkg::page_word_e'(addr[4:2])),
      .page_rdata_o   (page_rdata[q]),
      .fetch_valid_o  (fetch_valid[q]),
      .fetch_ready_i  (fetch_ready[q]),
      .fetch_addr_o   (fetch_addr[q]),
      .beat_valid_i   (beat_valid[q]),
      .beat_i         (beat),
      .running_o      (running[q]),
      .abort_o        (abort_o[q]),
      .quiet_o        (quiet[q]),
      .head_valid_o   (head_valid[q]),
      .main_o         (main[q]),
      .start_o        (start[q]),
      .index_o        (index[q]),
      .max_bytes_o    (max_bytes[q]),
      .policy_o       (policy[q]),
      .pop_i          (pop[q]),
      .begin_i        (begun[q]),
      .made_i         (made[q]),
      .record_addr_o  (record_addr[q]),
      .record_number_o(record_number[q]),
      .written_i      (written[q]),
      .written_irq_i  (written_irq),
      .written_error_i(written_error),
      .read_refused_i (read_violation_i.valid && (read_violation_i.owner == queue_t'(q))),
      .read_violation_i,
      .write_refused_i(write_violation_i.valid && (write_violation_i.owner == queue_t'(q))),
      .write_violation_i,
      .irq_o          (irq_o[q]),
      .corrected_o    (corrected[4+q]),
      .detected_o     (detected[4+q])
    );
    assign process_o[q]  = policy[q].pasid;
    assign relative_o[q] = policy[q].relative;
    always_comb begin
      if (to_window)                     queue_rdata[q] = window_rdata_i;
      else if (addr[6:2] == cry_tile_layout_pkg::QueueKeyMaskWord) queue_rdata[q] = 32'(mask[q]);
      else                               queue_rdata[q] = plain_rdata;
    end
  end

  cry_tile_fetch #(
    .NumQueues(NumQueues), .Outstanding(MaxQueues * Prefetch), .Protect(Protect)
  ) u_fetch (
    .clk_i,
    .rst_ni(soft_rst_no),
    .fetch_valid_i(fetch_valid),
    .fetch_ready_o(fetch_ready),
    .fetch_addr_i (fetch_addr),
    .beat_valid_o (beat_valid),
    .beat_o       (beat),
    .req_valid_o  (ar_valid_o),
    .req_ready_i  (ar_ready_i),
    .req_o        (ar_o),
    .r_valid_i,
    .r_i,
    .corrected_o  (corrected[1]),
    .detected_o   (detected[1])
  );

  // --- Jobs --------------------------------------------------------------------------------------

  permit_req_t permit;
  logic        token_allowed, token_kept, token_drop, unwrap_drop;
  slot_key_t   token_key;
  permit_req_t token_permit;
  logic         target_takes, make_begin, make, make_drop;
  logic [127:0] make_use;
  logic        allowed, used, nonce_valid, commit, drop, commit_ok, local_valid, local_ready;
  logic [95:0] nonce;
  logic [63:0] number;
  slot_t       target;
  slot_key_t   key;
  lane_done_t  local_done;

  cry_tile_key_slots #(
    .NumQueues(NumQueues), .NumSlots(NumSlots), .SlotBeats(slot_beats(Opcodes)),
    .MadeBeats(longest_made(Opcodes)), .Protect(Protect)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .tamper_i      (tampered || wipe),
    .seal_i        (seal),
    .cfg_we_i      (slot_we),
    .cfg_slot_i    (addr[7+:SlotWidth]),
    .cfg_word_i    (addr[6:2]),
    .cfg_wdata_i   (wdata),
    .cfg_rdata_o   (slot_rdata),
    .mask_we_i     (mask_we),
    .mask_i        (wipe ? '0 : wdata[MaxSlots-1:0]),
    .mask_o        (mask),
    .req_i         (permit),
    .allowed_o     (allowed),
    .target_ok_o   (target_takes),
    .key_o         (key),
    .nonce_valid_o (nonce_valid),
    .nonce_o       (nonce),
    .use_i         (used),
    .unwrap_valid_i,
    .unwrap_i,
    .commit_i      (commit),
    .drop_i        (drop),
    .token_req_i    (token_permit),
    .token_allowed_o(token_allowed),
    .token_key_o    (token_key),
    .make_begin_i   (make_begin),
    .made_valid_i   (make_begin || made_valid_i),
    .made_i         (make_begin ? '{aad: 1'b1, beat: '0, data: make_use} : made_i),
    .make_i         (make),
    .make_drop_i    (make_drop),
    .target_i      (target),
    .commit_ok_o   (commit_ok),
    .number_o      (number),
    .corrected_o   (slot_corrected),
    .detected_o    (slot_detected)
  );

  assign drop = unwrap_drop || token_drop;

  // At most one job is ended in a cycle.
  logic   aes_end;
  queue_t aes_end_owner;

  always_comb begin
    aes_end       = 1'b0;
    aes_end_owner = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if ((l + 1 == int'(OpAes)) || (l >= NumLanes - (AesLanes - 1))) begin
        aes_end       |= done_valid_i[l] && done_ready_o[l];
        aes_end_owner |= (done_valid_i[l] && done_ready_o[l]) ? done_i[l].tag.owner : '0;
      end
    end
  end

  cry_tile_dispatch #(
    .NumQueues(NumQueues), .NumLanes(NumLanes), .AesLanes(AesLanes), .Opcodes(Opcodes),
    .Protect(Protect)
  ) u_dispatch (
    .clk_i,
    .rst_ni(soft_rst_no),
    .running_i   (running),
    .head_valid_i(head_valid),
    .main_i      (main),
    .start_i     (start),
    .index_i     (index),
    .max_bytes_i (max_bytes),
    .policy_i    (policy),
    .pop_o       (pop),
    .begin_o     (begun),
    .permit_o    (permit),
    .allowed_i   (allowed),
    .key_i       (key),
    .nonce_valid_i(nonce_valid),
    .nonce_i     (nonce),
    .target_i    (target_takes),
    .use_o       (used),
    .make_o      (make_begin),
    .make_use_o  (make_use),
    .made_i      (make || make_drop),
    .unwrapped_i (commit || drop),
    .token_kept_i   (token_kept),
    .token_failed_i (unwrap_drop),
    .token_permit_o (token_permit),
    .token_allowed_i(token_allowed),
    .token_key_i    (token_key),
    .token_drop_o   (token_drop),
    .lane_wake_o,
    .lane_valid_o,
    .lane_ready_i,
    .lane_full_i,
    .lane_job_o,
    .lane_key_o,
    .aes_end_i      (aes_end),
    .aes_end_owner_i(aes_end_owner),
    .done_valid_o(local_valid),
    .done_ready_i(local_ready),
    .done_o      (local_done),
    .corrected_o (corrected[2]),
    .detected_o  (detected[2])
  );

  cry_tile_complete #(
    .NumQueues(NumQueues), .NumSources(NumLanes + 1), .Protect(Protect)
  ) u_complete (
    .clk_i,
    .rst_ni(soft_rst_no),
    .now_i          (now_o),
    .done_valid_i   ({local_valid, done_valid_i}),
    .done_ready_o   ({local_ready, done_ready_o}),
    .done_i         ({local_done, done_i}),
    .record_addr_i  (record_addr),
    .record_number_i(record_number),
    .made_o         (made),
    .written_o      (written),
    .written_irq_o  (written_irq),
    .written_error_o(written_error),
    .hold_unwrap_i  (slot_we),
    .commit_o       (commit),
    .keep_o         (token_kept),
    .drop_o         (unwrap_drop),
    .make_o         (make),
    .make_drop_o    (make_drop),
    .target_o       (target),
    .commit_ok_i    (commit_ok),
    .number_i       (number),
    .req_valid_o    (aw_valid_o),
    .req_ready_i    (aw_ready_i),
    .req_o          (aw_o),
    .w_valid_o,
    .w_ready_i,
    .w_o,
    .b_valid_i,
    .b_error_i,
    .corrected_o    (corrected[3]),
    .detected_o     (detected[3])
  );

endmodule
