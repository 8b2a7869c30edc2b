// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Issues jobs: picks, in weighted turns, a queue whose next descriptor has a free lane, and gives
// the job to that lane or retires it at once (NOP, bad descriptor, key denied, queue stopped).
//
// A job takes two cycles, three with an extension. A queue whose lane is busy, or has as many long
// jobs of it as may be while other queues run, does not block other queues. At most one job that
// unwraps a key is in flight, and one that makes a key.
//
// A job whose key is wrapped takes two turns: in the first one the tile has the AES lane unwrap the
// key, and the queue waits; when the key is there the job goes on as others do, and the key is
// dropped as the job begins. It ends with the status of the unwrapping if that failed.
module cry_tile_dispatch
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_tile_layout_pkg::*;
#(
  parameter int unsigned NumQueues = 4,         // queues
  parameter int unsigned NumLanes  = 5,         // lanes: see cry_tile_queues
  parameter int unsigned AesLanes  = 1,         // those of AES among them
  parameter logic [15:0] Opcodes   = 16'h0003,  // by opcode: is built in
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic [NumQueues-1:0]         running_i,     // by queue: its jobs may be issued
  input  logic [NumQueues-1:0]         head_valid_i,  // by queue: a whole descriptor is there
  // by queue: it, or the extension behind one that was popped
  input  descriptor_t [NumQueues-1:0]  main_i,
  input  logic [NumQueues-1:0][31:0]   start_i,      // by queue: cycle in which it was fetched
  input  logic [NumQueues-1:0][15:0]   index_i,      // by queue: its number
  input  logic [NumQueues-1:0][31:0]   max_bytes_i,  // by queue: longest section; 0: any
  input  policy_t [NumQueues-1:0]      policy_i,     // by queue: what its jobs may be
  output logic [NumQueues-1:0]         pop_o,        // by queue, one cycle: takes a descriptor
  output logic [NumQueues-1:0]         begin_o,      // by queue, one cycle: a job is issued

  output permit_req_t                  permit_o,         // question to the key access check
  input  logic                         allowed_i,        // its answer, combinational
  input  slot_key_t                    key_i,            // the key, if allowed_i
  input  logic                         nonce_valid_i,    // the tile makes the job's nonce
  input  logic [95:0]                  nonce_i,          // which this is
  input  logic                         target_i,         // the slot to which a key goes takes it
  output logic                         use_o,            // one cycle: the job begins
  output logic                         make_o,           // likewise, and it makes a key
  output logic [127:0]                 make_use_o,       // with make_o: what that is for
  input  logic                         made_i,           // the job that made a key was ended
  input  logic                         unwrapped_i,      // the job that unwrapped a key was ended
  input  logic                         token_kept_i,     // the key of the waiting job is there
  input  logic                         token_failed_i,   // or will not come
  output permit_req_t                  token_permit_o,   // question for that key
  input  logic                         token_allowed_i,  // its answer, combinational
  input  slot_key_t                    token_key_i,      // the key, if token_allowed_i
  output logic                         token_drop_o,     // one cycle: it is not needed any more

  // by lane, from registers: may be given a job in this cycle
  output logic [NumLanes-1:0]          lane_wake_o,
  output logic [NumLanes-1:0]          lane_valid_o,  // by lane: a job
  // by lane: is free; does not depend on lane_valid_o
  input  logic [NumLanes-1:0]          lane_ready_i,
  // by lane and queue: takes no long job of it now
  input  logic [NumLanes-1:0][NumQueues-1:0] lane_full_i,
  output lane_job_t                    lane_job_o,       // the job
  output slot_key_t                    lane_key_o,       // the key from a slot, or 0
  input  logic                         aes_end_i,        // an AES job was ended
  input  queue_t                       aes_end_owner_i,  // its queue

  output logic                         done_valid_o,  // a job is retired at once
  input  logic                         done_ready_i,  // its report is taken
  output lane_done_t                   done_o,        // its report

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [4:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  localparam int unsigned IndexWidth = (NumQueues > 1) ? $clog2(NumQueues) : 1;
  localparam int unsigned AesWidth   = (AesLanes > 1) ? $clog2(AesLanes) : 1;
  localparam int unsigned BaseLanes  = NumLanes - (AesLanes - 1);
  localparam logic [15:0] Slow       = slow_opcodes() & Opcodes;  // their jobs are long ones

  typedef enum logic [1:0] {
    StSelect,
    StExtend,
    StIssue
  } state_e;

  state_e                state_d, state_q;
  logic [IndexWidth-1:0] owner_q, choice;
  descriptor_t           main_q;
  extension_t            extension_q;
  logic [31:0]           start_q;
  logic [15:0]           index_q;
  logic                  unwrapping_q, making_q;
  logic                  any, take, extend, issued;

  // The job that waits for its key.
  typedef struct packed {
    logic                  valid;
    logic                  ready;  // the key is there
    logic [IndexWidth-1:0] owner;
    descriptor_t           main;
    extension_t            extension;
    logic [31:0]           start;
    logic [15:0]           index;
  } waiting_t;
  waiting_t              waiting_d, waiting_q;
  logic                  resumed_d, resumed_q;  // the job at hand has waited
  logic                  resume, first_turn, lane_taken;

  // --- Choice ------------------------------------------------------------------------------------

  logic [NumQueues-1:0]               makes;
  logic [NumQueues-1:0]               ask, waits, limited, aes_full, aes_serials, aes_ready;
  logic [NumQueues-1:0][AesWidth-1:0] aes_lane;
  logic [AesWidth-1:0]                aes_lane_q;
  logic [AesLanes-1:0]                aes_lane_ready;
  logic                               aes_begin;

  for (genvar q = 0; q < NumQueues; q++) begin : gen_serial
    // Of long jobs a lane takes some of each queue, unless no other one runs.
    assign limited[q]     = ((running_i & ~(NumQueues'(1) << q)) != '0) &&
                            (Slow[main_i[q].opcode[3:0]] ||
                             is_long(main_i[q].msg_len, main_i[q].aad_len,
                               mode_of(main_i[q].opcode, main_i[q].mode).long_tag ?
                               main_i[q].iv[31:0] : '0,
                               main_i[q].src_list || main_i[q].dst_list || main_i[q].aad_list));
    assign makes[q]       = main_i[q].unwrap &&
                            (mode_of(main_i[q].opcode, main_i[q].mode).agrees ||
                             (mode_of(main_i[q].opcode, main_i[q].mode).makes != '0));
    // Of the job that waits, or of the next one: that of a token is GCM.
    assign waits[q]       = waiting_q.valid && (waiting_q.owner == IndexWidth'(q));
    assign aes_serials[q] = waits[q] ? aes_serial(waiting_q.main.mode, waiting_q.main.decrypt) :
                            (aes_serial(main_i[q].mode, main_i[q].decrypt) && !main_i[q].token);
  end

  always_comb begin
    aes_lane_ready[0] = lane_ready_i[OpAes-1];
    for (int unsigned l = 1; l < AesLanes; l++) aes_lane_ready[l] = lane_ready_i[BaseLanes+l-1];
    for (int unsigned q = 0; q < NumQueues; q++) begin
      aes_full[q] = lane_full_i[OpAes-1][q];
      for (int unsigned l = 1; l < AesLanes; l++) begin
        if (aes_lane[q] == AesWidth'(l)) aes_full[q] = lane_full_i[BaseLanes+l-1][q];
      end
    end
  end

  cry_tile_aes_lanes #(
    .NumQueues(NumQueues), .Lanes(AesLanes), .Protect(Protect)
  ) u_aes_lanes (
    .clk_i,
    .rst_ni,
    .lane_ready_i (aes_lane_ready),
    .serial_i     (aes_serials),
    .lane_o       (aes_lane),
    .ready_o      (aes_ready),
    .begin_i      (aes_begin),
    .begin_owner_i(queue_t'(owner_q)),
    .begin_lane_i (aes_lane_q),
    .end_i        (aes_end_i),
    .end_owner_i  (aes_end_owner_i),
    .corrected_o  (corrected[3]),
    .detected_o   (detected[3])
  );

  // A job with a token waits for its lane behind its key: places in two lanes at a time may never
  // be free, if others want either.
  always_comb begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      ask[q] = head_valid_i[q];
      for (int unsigned l = 0; l < BaseLanes; l++) begin
        if ((main_i[q].opcode == 8'(l + 1)) && Opcodes[l+1] &&
            !((l + 1 == int'(OpAes)) ? aes_ready[q] && !(limited[q] && aes_full[q]) :
                                       (lane_ready_i[l] || main_i[q].token) &&
                                       !(limited[q] && lane_full_i[l][q]))) begin
          ask[q] = 1'b0;
        end
      end
      if (makes[q] ? making_q : (main_i[q].unwrap || main_i[q].token) && unwrapping_q) begin
        ask[q] = 1'b0;
      end
      if (main_i[q].token && Opcodes[4'(OpAes)] && !aes_ready[q]) ask[q] = 1'b0;
      if (waits[q]) ask[q] = 1'b0;
    end
  end

  // A job goes on when its key and its lane are there, or when its queue was stopped.
  always_comb begin
    resume = waiting_q.valid && waiting_q.ready && (state_q == StSelect);
    for (int unsigned l = 0; l < BaseLanes; l++) begin
      if ((waiting_q.main.opcode == 8'(l + 1)) && Opcodes[l+1] && running_i[waiting_q.owner] &&
          !((l + 1 == int'(OpAes)) ? aes_ready[waiting_q.owner] : lane_ready_i[l])) resume = 1'b0;
    end
  end

  logic [NumQueues-1:0][3:0] weight;
  for (genvar q = 0; q < NumQueues; q++) begin : gen_weight
    assign weight[q] = policy_i[q].weight;
  end

  cry_tile_turns #(
    .NumQueues(NumQueues),
    .Protect(Protect)
  ) u_turns (
    .clk_i, .rst_ni, .ask_i(ask), .weight_i(weight), .take_i(take), .any_o(any), .index_o(choice),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  assign take   = any && (state_q == StSelect) && !resume;
  assign extend = state_q == StExtend;

  always_comb begin
    pop_o   = '0;
    begin_o = '0;
    pop_o[choice]   = take;
    begin_o[choice] = take;
    if (extend) pop_o[owner_q] = 1'b1;
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StSelect: begin
        if (resume)    state_d = StIssue;
        else if (take) state_d = main_i[choice].extension ? StExtend : StIssue;
      end
      StExtend: state_d = StIssue;
      StIssue:  if (issued) state_d = StSelect;
      default:  state_d = StSelect;
    endcase
  end

  logic [IndexWidth-1:0] owner_d;
  descriptor_t main_d;
  extension_t  extension_d;
  logic [31:0] start_d;
  logic [15:0] index_d;
  logic [AesWidth-1:0] aes_lane_d;
  always_comb begin
    owner_d     = owner_q;
    main_d      = main_q;
    extension_d = extension_q;
    start_d     = start_q;
    index_d     = index_q;
    aes_lane_d  = aes_lane_q;
    if (take) begin
      owner_d     = choice;
      main_d      = main_i[choice];
      extension_d = '0;
      start_d     = start_i[choice];
      index_d     = index_i[choice];
      aes_lane_d  = aes_lane[choice];
    end
    if (extend) extension_d = extension_t'(main_i[owner_q]);
    if (resume) begin
      owner_d     = waiting_q.owner;
      main_d      = waiting_q.main;
      extension_d = waiting_q.extension;
      start_d     = waiting_q.start;
      index_d     = waiting_q.index;
      aes_lane_d  = aes_lane[waiting_q.owner];
    end
    resumed_d = resume || (resumed_q && !take);

    waiting_d = waiting_q;
    if (lane_taken && first_turn) begin
      waiting_d = '{
        valid: 1'b1, ready: 1'b0, owner: owner_q, main: main_q, extension: extension_q,
        start: start_q, index: index_q
      };
    end
    if (token_kept_i)             waiting_d.ready = 1'b1;
    if (token_failed_i || resume) waiting_d       = '0;
  end

  cry_reg_tmr #(.Width($bits({waiting_q, resumed_q})), .Protect(Protect)) u_waiting (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({waiting_d, resumed_d}), .q_o({waiting_q, resumed_q}),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );

  cry_reg_tmr #(
    .Width($bits({state_q, owner_q, main_q, extension_q, start_q, index_q, aes_lane_q})),
    .Protect(Protect)
  ) u_state_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({state_d, owner_d, main_d, extension_d, start_d, index_d, aes_lane_d}),
    .q_o({state_q, owner_q, main_q, extension_q, start_q, index_q, aes_lane_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  // --- What becomes of it ------------------------------------------------------------------------

  logic         bad, key_denied;
  logic [7:0]   opcode;
  tile_status_e verdict;
  logic         local_end;
  lane_job_t    job, main_job, token_job;
  permit_req_t  permit, kek_permit;
  logic         token, key_allowed, to_aes;

  cry_tile_decode #(
    .Opcodes(Opcodes)
  ) u_decode (
    .main_i     (main_q),
    .extension_i(extension_q),
    .max_bytes_i(max_bytes_i[owner_q]),
    .policy_i   (policy_i[owner_q]),
    .owner_i    (queue_t'(owner_q)),
    .index_i    (index_q),
    .start_i    (start_q),
    .job_o      (main_job),
    .bad_o      (bad),
    .opcode_o   (opcode),
    .permit_o   (permit),
    .key_denied_o(key_denied),
    .token_o    (token),
    .token_job_o(token_job),
    .token_permit_o(kek_permit)
  );

  assign first_turn     = token && !resumed_q;
  assign job            = first_turn ? token_job : main_job;
  assign permit_o       = first_turn ? kek_permit : permit;
  assign token_permit_o = permit;
  assign key_allowed    = resumed_q ? token_allowed_i : allowed_i;
  assign to_aes         = first_turn || (opcode == OpAes);
  assign token_drop_o   = resumed_q && issued;

  always_comb begin
    local_end = 1'b1;
    verdict   = TileOk;
    if (!running_i[owner_q])             verdict   = TileAborted;
    else if (bad)                        verdict   = TileBadDescriptor;
    else if (opcode == OpNop)            verdict   = TileOk;
    else if (key_denied || (job.key_slot && !key_allowed) ||
             (job.tag.made && !target_i)) verdict   = TileKeyDenied;
    else                                 local_end = 1'b0;
  end

  always_comb begin
    lane_taken = 1'b0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      lane_wake_o[l] = state_q == StIssue;
      if (l >= BaseLanes) begin
        lane_wake_o[l] &= to_aes && (32'(aes_lane_q) == l - BaseLanes + 1);
      end else if (l + 1 == int'(OpAes)) begin
        lane_wake_o[l] &= to_aes && (aes_lane_q == '0);
      end else begin
        lane_wake_o[l] &= !first_turn && (opcode == 8'(l + 1));
      end
      lane_valid_o[l] = lane_wake_o[l] && !local_end;
      lane_taken |= lane_valid_o[l] && lane_ready_i[l];
    end
  end
  assign aes_begin = lane_taken && to_aes;

  assign use_o      = lane_taken && job.key_slot && !resumed_q;
  assign make_o     = lane_taken && job.tag.made;
  assign make_use_o = main_q.iv;

  always_comb begin
    lane_job_o = job;
    if (job.key_slot && !resumed_q && nonce_valid_i) begin
      lane_job_o.job.iv    = 128'(nonce_i);
      lane_job_o.tag.nonce = 1'b1;
      lane_job_o.tag.start = nonce_i[95:64];
    end
  end
  assign lane_key_o = !job.key_slot ? '0 : resumed_q ? token_key_i : key_i;

  assign done_valid_o = (state_q == StIssue) && local_end;
  assign issued       = lane_taken || (done_valid_o && done_ready_i);

  always_comb begin
    done_o            = '{tag: job.tag, status: verdict, bytes: '0};
    done_o.tag.unwrap = 1'b0;  // nothing was
    done_o.tag.made   = 1'b0;
  end

  logic unwrapping_d, making_d;
  always_comb begin
    unwrapping_d = unwrapping_q;
    if (unwrapped_i) unwrapping_d = 1'b0;
    else if (lane_taken && job.tag.unwrap && !job.tag.made) unwrapping_d = 1'b1;
    making_d = making_q;
    if (made_i) making_d = 1'b0;
    else if (make_o) making_d = 1'b1;
  end

  cry_reg_tmr #(
    .Width($bits({unwrapping_q, making_q})), .Protect(Protect)
  ) u_unwrapping_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({unwrapping_d, making_d}),
    .q_o({unwrapping_q, making_q}),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

endmodule
