// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The crypto tile: engines behind queues of descriptors in memory, with key slots and DMA.
//
// Software writes descriptors into rings in memory and rings the doorbell of a queue; the tile
// reads them, runs each job in the lane of its engine, and writes a completion. README.md is the
// manual.
module cry_tile
  import cry_tile_pkg::*;
  import cry_tile_catalog_pkg::*;
  import cry_engine_select_pkg::*;
#(
  parameter int unsigned NumQueues  = 4,     // 1 to 8
  parameter int unsigned NumSlots   = 8,     // key slots, 1 to 16
  parameter int unsigned NumWindows = 4,     // of each queue, 1 to 4
  parameter int unsigned PageStride = 4096,  // bytes between user pages: 4096 or 65536
  parameter int unsigned Prefetch   = 4,     // descriptors that a queue reads ahead: 2, 4, 8...

  // Engines: by opcode, whether it is built in, with a lane of its own, and which variant. Those
  // that take random bits have them from rnd_*.
  parameter logic [15:0]    Opcodes   = default_opcodes(),
  parameter engine_e [15:0] Engines   = tile_engines(),
  parameter engine_e        AesEngine = Engines[4'(OpAes)],  // for OpAes, in place of it
  parameter int unsigned    AesLanes  = 4,  // jobs at once in a pipelined AES core, 1 to 8

  // Levels of protection: of all that is stored but the common registers, and of the engines
  parameter cry_protect_pkg::protect_e Protect        = cry_protect_pkg::ProtectNone,
  parameter cry_protect_pkg::protect_e ProtectEngines = cry_protect_pkg::ProtectNone,

  parameter bit ClockGates = 1'b1  // a lane and its engine have no clock while they have no job
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 tamper_i,     // synchronous: keys are wiped, queues stop until reset
  output logic [NumQueues-1:0] irq_o,        // level, by queue: an enabled event is set
  output logic                 error_irq_o,  // level: an enabled error of ERROR_STATUS is set

  // Registers (regs/tile.rdl): AXI4-Lite, at most one access per cycle, answered with OKAY one
  // cycle later; what is not mapped reads as zero.
  input  logic                 s_axil_awvalid_i,
  output logic                 s_axil_awready_o,
  input  logic [19:0]          s_axil_awaddr_i,
  input  logic                 s_axil_wvalid_i,
  output logic                 s_axil_wready_o,
  input  logic [31:0]          s_axil_wdata_i,
  input  logic [3:0]           s_axil_wstrb_i,
  output logic                 s_axil_bvalid_o,
  input  logic                 s_axil_bready_i,
  output logic [1:0]           s_axil_bresp_o,
  input  logic                 s_axil_arvalid_i,
  output logic                 s_axil_arready_o,
  input  logic [19:0]          s_axil_araddr_i,
  output logic                 s_axil_rvalid_o,
  input  logic                 s_axil_rready_i,
  output logic [31:0]          s_axil_rdata_o,
  output logic [1:0]           s_axil_rresp_o,

  // Memory: AXI4 manager with one identifier. INCR bursts of 1 to 16 words of 16 bytes, byte 0 in
  // bits 7:0, that do not cross 4 KiB; what is constant (size 4, burst 1, identifier) has no port.
  output logic                 m_axi_awvalid_o,
  input  logic                 m_axi_awready_i,
  output logic [AddrWidth-1:0] m_axi_awaddr_o,
  output logic [7:0]           m_axi_awlen_o,
  output logic [UserWidth-1:0] m_axi_awuser_o,   // process, queue
  output logic [3:0]           m_axi_awcache_o,  // of the window
  output logic [2:0]           m_axi_awprot_o,   // of the window
  output logic                 m_axi_wvalid_o,
  input  logic                 m_axi_wready_i,
  output logic [127:0]         m_axi_wdata_o,
  output logic [15:0]          m_axi_wstrb_o,
  output logic                 m_axi_wlast_o,
  input  logic                 m_axi_bvalid_i,
  output logic                 m_axi_bready_o,
  input  logic [1:0]           m_axi_bresp_i,
  output logic                 m_axi_arvalid_o,
  input  logic                 m_axi_arready_i,
  output logic [AddrWidth-1:0] m_axi_araddr_o,
  output logic [7:0]           m_axi_arlen_o,
  output logic [UserWidth-1:0] m_axi_aruser_o,   // process, queue
  output logic [3:0]           m_axi_arcache_o,  // of the window
  output logic [2:0]           m_axi_arprot_o,   // of the window
  input  logic                 m_axi_rvalid_i,
  output logic                 m_axi_rready_o,
  input  logic [127:0]         m_axi_rdata_i,
  input  logic [1:0]           m_axi_rresp_i,
  input  logic                 m_axi_rlast_i,

  // Random bits (cry_random), for engines that take some
  input  logic                 rnd_valid_i,      // there are some
  output logic                 rnd_ready_o,      // they are taken
  input  logic [127:0]         rnd_i,            // 128 of them, never given twice
  input  logic                 rnd_forget_i,     // level: none; those at hand are forgotten
  input  logic                 rnd_alarm_i       // level: what gives them is in alarm
);

  if ((Opcodes & ~all_opcodes()) != '0) begin : gen_bad_opcodes
    $error("no engine has this opcode");
  end

  // Lane n works on opcode n + 1, up to the last one that is built in; those from BaseLanes on,
  // more than one AES lane, on AES too. Readers and writers of the bus: number 0 is
  // cry_tile_queues, then lanes.
  localparam bit          Share       = Opcodes[4'(OpAes)] && (AesEngine == AesModesPipelined) &&
                                        (AesLanes > 1);
  localparam int unsigned AesBuilt    = Share ? AesLanes : 1;
  localparam int unsigned BaseLanes   = base_lanes(Opcodes);
  localparam int unsigned NumLanes    = BaseLanes + AesBuilt - 1;
  localparam int unsigned LaneReaders = 4;
  localparam int unsigned NumReaders  = 1 + LaneReaders * NumLanes;
  localparam int unsigned NumWriters  = 1 + NumLanes;

  // Opcodes whose engines make keys.
  localparam logic [15:0] Making = Opcodes & making_opcodes();

  // Lanes whose engine takes random bits are numbered, in order.
  localparam logic [15:0] Takers     = Opcodes & random_opcodes();
  localparam int unsigned NumTakers  = $countones(Takers);
  localparam int unsigned TakerPorts = (NumTakers > 0) ? NumTakers : 1;

  // What the registers ENGINE tell.
  function automatic logic [15:0][31:0] engine_features();
    engine_features = '0;
    for (int unsigned n = 1; n < 16; n++) begin
      if (Opcodes[n]) engine_features[n] = features((n == int'(OpAes)) ? AesEngine : Engines[n]);
    end
  endfunction

  localparam logic [15:0][31:0] EngineFeatures = engine_features();

  // --- Jobs --------------------------------------------------------------------------------------

  logic       [NumQueues-1:0] abort;
  logic       [NumLanes-1:0]  lane_wake;
  logic       [31:0]          now;
  logic       [NumLanes-1:0]  lane_valid, lane_ready, done_valid, done_ready;
  logic       [NumLanes-1:0][NumQueues-1:0] lane_full;
  lane_job_t                  lane_job;
  slot_key_t                  lane_key;
  lane_done_t [NumLanes-1:0]  done;
  logic       [NumLanes-1:0]  unwrap_valid, engine_corrected, engine_detected;
  logic       [NumLanes-1:0]  lane_corrected, lane_detected;
  logic       [NumLanes:0]    gate_corrected, gate_detected;
  logic                       random_corrected, random_detected;
  unwrap_t    [NumLanes-1:0]  unwrap;

  // --- Bus ---------------------------------------------------------------------------------------

  logic       [NumReaders-1:0] ar_valid, ar_ready, r_valid;
  bus_req_t   [NumReaders-1:0] ar;
  logic       [NumWriters-1:0] aw_valid, aw_ready, w_valid, w_ready, b_valid;
  bus_req_t   [NumWriters-1:0] aw;
  bus_w_t     [NumWriters-1:0] w;
  bus_r_t                      r;
  bus_error_e                  b_error;

  // Bursts that were refused, and the descriptors for which they were.
  logic                          refused_read, refused_write, violations_count;
  bus_req_t                      refused_read_req, refused_write_req;
  logic [$clog2(NumReaders)-1:0] refused_reader;
  logic [$clog2(NumWriters)-1:0] refused_writer;
  place_t [1:0]                  refused_place;
  logic   [1:0][NumLanes-1:0][15:0] lane_index;
  violation_t                    read_violation, write_violation;

  guard_req_t  guard_read, guard_write;
  route_t      read_route, write_route;
  process_t [NumQueues-1:0] queue_process;
  logic     [NumQueues-1:0] queue_relative;
  logic        read_allowed, write_allowed, guard_corrected, guard_detected;
  logic        bus_corrected, bus_detected, bus_dead, bus_quiet, locked, soft_rst_n;
  logic [31:0] watchdog;
  logic        window_we;
  queue_t      window_queue;
  logic [4:0]  window_word;
  logic [31:0] window_wdata, window_rdata;

  // One job makes a key at a time.
  logic    made_valid;
  unwrap_t made;
  always_comb begin
    made_valid = 1'b0;
    made       = '0;
    for (int unsigned l = 0; l < BaseLanes; l++) begin
      if (Making[4'(l + 1)] && unwrap_valid[l]) begin
        made_valid = 1'b1;
        made      |= unwrap[l];
      end
    end
  end

  cry_tile_queues #(
    .NumQueues(NumQueues), .NumSlots(NumSlots), .NumWindows(NumWindows), .NumLanes(NumLanes),
    .AesLanes(AesBuilt), .Opcodes(Opcodes), .Prefetch(Prefetch), .EngineFeatures(EngineFeatures),
    .PageStride(PageStride), .Protect(Protect)
  ) u_queues (
    .clk_i,
    .rst_ni,
    .tamper_i,
    .rnd_alarm_i,
    .corrected_i   (guard_corrected || bus_corrected || (|lane_corrected) || (|engine_corrected) ||
                    (|gate_corrected) || random_corrected),
    .detected_i    (guard_detected || (|engine_detected)),
    .broken_i      (bus_detected || (|lane_detected) || (|gate_detected) || random_detected),
    .dead_i        (bus_dead),
    .watchdog_o    (watchdog),
    .locked_o      (locked),
    .bus_quiet_i   (bus_quiet),
    .soft_rst_no   (soft_rst_n),
    .irq_o,
    .error_irq_o,
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
    .process_o     (queue_process),
    .relative_o    (queue_relative),
    .read_violation_i (read_violation),
    .write_violation_i(write_violation),
    .window_we_o   (window_we),
    .window_queue_o(window_queue),
    .window_word_o (window_word),
    .window_wdata_o(window_wdata),
    .window_rdata_i(window_rdata),
    .abort_o       (abort),
    .now_o         (now),
    .lane_wake_o   (lane_wake),
    .lane_valid_o  (lane_valid),
    .lane_ready_i  (lane_ready),
    .lane_full_i   (lane_full),
    .lane_job_o    (lane_job),
    .lane_key_o    (lane_key),
    .done_valid_i  (done_valid),
    .done_ready_o  (done_ready),
    .done_i        (done),
    .unwrap_valid_i(unwrap_valid[OpAes-1]),
    .unwrap_i      (unwrap[OpAes-1]),
    .made_valid_i  (made_valid),
    .made_i        (made),
    .ar_valid_o    (ar_valid[0]),
    .ar_ready_i    (ar_ready[0]),
    .ar_o          (ar[0]),
    .r_valid_i     (r_valid[0]),
    .r_i           (r),
    .aw_valid_o    (aw_valid[0]),
    .aw_ready_i    (aw_ready[0]),
    .aw_o          (aw[0]),
    .w_valid_o     (w_valid[0]),
    .w_ready_i     (w_ready[0]),
    .w_o           (w[0]),
    .b_valid_i     (b_valid[0]),
    .b_error_i     (b_error)
  );

  cry_tile_guard #(
    .NumQueues(NumQueues), .NumWindows(NumWindows), .Protect(Protect)
  ) u_guard (
    .clk_i,
    .rst_ni(soft_rst_n),
    .cfg_we_i       (window_we),
    .cfg_queue_i    (window_queue),
    .cfg_word_i     (window_word),
    .cfg_wdata_i    (window_wdata),
    .cfg_rdata_o    (window_rdata),
    .process_i      (queue_process),
    .relative_i     (queue_relative),
    .read_i         (guard_read),
    .read_route_o   (read_route),
    .read_allowed_o (read_allowed),
    .write_i        (guard_write),
    .write_route_o   (write_route),
    .write_allowed_o(write_allowed),
    .corrected_o    (guard_corrected),
    .detected_o     (guard_detected)
  );

  cry_tile_bus #(
    .NumReaders(NumReaders), .NumWriters(NumWriters), .Protect(Protect)
  ) u_bus (
    .clk_i,
    .rst_ni(soft_rst_n),
    .ar_valid_i            (ar_valid),
    .ar_ready_o            (ar_ready),
    .ar_i                  (ar),
    .r_valid_o             (r_valid),
    .r_o                   (r),
    .aw_valid_i            (aw_valid),
    .aw_ready_o            (aw_ready),
    .aw_i                  (aw),
    .w_valid_i             (w_valid),
    .w_ready_o             (w_ready),
    .w_i                   (w),
    .b_valid_o             (b_valid),
    .b_error_o             (b_error),
    .watchdog_i            (watchdog),
    .dead_o                (bus_dead),
    .guard_read_o          (guard_read),
    .guard_read_route_i     (read_route),
    .guard_read_allowed_i  (read_allowed && !locked),
    .guard_write_o         (guard_write),
    .guard_write_route_i    (write_route),
    .guard_write_allowed_i (write_allowed && !locked),
    .refused_read_o        (refused_read),
    .refused_read_req_o    (refused_read_req),
    .refused_reader_o      (refused_reader),
    .refused_write_o       (refused_write),
    .refused_write_req_o   (refused_write_req),
    .refused_writer_o      (refused_writer),
    .m_axi_awvalid_o,
    .m_axi_awready_i,
    .m_axi_awaddr_o,
    .m_axi_awlen_o,
    .m_axi_awuser_o,
    .m_axi_awcache_o,
    .m_axi_awprot_o,
    .m_axi_wvalid_o,
    .m_axi_wready_i,
    .m_axi_wdata_o,
    .m_axi_wstrb_o,
    .m_axi_wlast_o,
    .m_axi_bvalid_i,
    .m_axi_bready_o,
    .m_axi_bresp_i,
    .m_axi_arvalid_o,
    .m_axi_arready_i,
    .m_axi_araddr_o,
    .m_axi_arlen_o,
    .m_axi_aruser_o,
    .m_axi_arcache_o,
    .m_axi_arprot_o,
    .m_axi_rvalid_i,
    .m_axi_rready_o,
    .m_axi_rdata_i,
    .m_axi_rresp_i,
    .m_axi_rlast_i,
    .quiet_o               (bus_quiet),
    .corrected_o           (bus_corrected),
    .detected_o            (bus_detected)
  );

  // A tile that is locked, or whose windows are wrong, refuses what is nobody's fault.
  assign violations_count = !locked && !guard_detected;

  cry_tile_refused #(
    .Write(1'b0), .NumLanes(NumLanes), .PerLane(LaneReaders)
  ) u_refused_read (
    .refused_i  (refused_read && violations_count),
    .req_i      (refused_read_req),
    .who_i      (refused_reader),
    .place_o    (refused_place[0]),
    .index_i    (lane_index[0]),
    .violation_o(read_violation)
  );

  cry_tile_refused #(
    .Write(1'b1), .NumLanes(NumLanes), .PerLane(1)
  ) u_refused_write (
    .refused_i  (refused_write && violations_count),
    .req_i      (refused_write_req),
    .who_i      (refused_writer),
    .place_o    (refused_place[1]),
    .index_i    (lane_index[1]),
    .violation_o(write_violation)
  );

  // --- Random bits -------------------------------------------------------------------------------

  logic [TakerPorts-1:0]        taker_valid, taker_ready;
  logic [TakerPorts-1:0][127:0] taker_word;

  if (NumTakers > 0) begin : gen_random
    cry_tile_random #(
      .Clients(NumTakers), .Protect(Protect)
    ) u_random (
      .clk_i,
      .rst_ni     (soft_rst_n),
      .wipe_i     (tamper_i || rnd_forget_i),
      .rnd_valid_i,
      .rnd_ready_o,
      .rnd_i,
      .rnd_valid_o(taker_valid),
      .rnd_ready_i(taker_ready),
      .rnd_o      (taker_word),
      .corrected_o(random_corrected),
      .detected_o (random_detected)
    );
  end else begin : gen_no_random
    logic unused_random;
    assign unused_random    = ^{rnd_valid_i, rnd_i, rnd_forget_i, taker_valid, taker_ready,
                                taker_word};
    assign rnd_ready_o      = 1'b0;
    assign taker_valid      = '0;
    assign taker_ready      = '0;
    assign taker_word       = '0;
    assign random_corrected = 1'b0;
    assign random_detected  = 1'b0;
  end

  // --- Lanes -------------------------------------------------------------------------------------

  // The engine ports of the AES lanes, if they share a core.
  cry_engine_pkg::engine_req_t [AesBuilt-1:0] aes_req;
  cry_engine_pkg::engine_rsp_t [AesBuilt-1:0] aes_rsp;
  logic                        [AesBuilt-1:0] aes_busy;

  // Whether what is protected while it sleeps has edges to heal.
  localparam cry_protect_pkg::protect_e ProtectGates =
      (Protect != cry_protect_pkg::ProtectNone) ? Protect :
      (ProtectEngines != cry_protect_pkg::ProtectNone) ? cry_protect_pkg::ProtectCorrect :
                                                         cry_protect_pkg::ProtectNone;

  if (Share) begin : gen_aes_lanes
    logic aes_clk;

    cry_idle_gate #(
      .Gate(ClockGates), .Protect(ProtectGates)
    ) u_gate (
      .clk_i,
      .rst_ni     (soft_rst_n),
      .busy_i     (|aes_busy),
      .clk_o      (aes_clk),
      .corrected_o(gate_corrected[NumLanes]),
      .detected_o (gate_detected[NumLanes])
    );

    cry_aes_modes_lanes #(
      .Lanes(AesBuilt)
    ) u_aes (
      .clk_i(aes_clk),
      .rst_ni(soft_rst_n),
      .req_i(aes_req),
      .rsp_o(aes_rsp)
    );
    if (ProtectEngines != cry_protect_pkg::ProtectNone) begin : gen_unprotected
      $error("AES lanes that share a core cannot be protected");
    end
  end else begin : gen_no_aes_lanes
    logic unused_aes;
    assign unused_aes = ^{aes_req, aes_rsp, aes_busy};
    assign aes_req    = '0;
    assign aes_rsp    = '0;
    assign aes_busy   = '0;
    assign gate_corrected[NumLanes] = 1'b0;
    assign gate_detected[NumLanes]  = 1'b0;
  end

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    localparam int unsigned Reader  = 1 + LaneReaders * l;
    localparam int unsigned Writer  = 1 + l;
    localparam bit          More    = l >= BaseLanes;
    localparam int unsigned Opcode  = More ? int'(OpAes) : l + 1;
    localparam int unsigned AesLane = More ? l - BaseLanes + 1 : 0;
    localparam engine_e     Engine  = (Opcode == int'(OpAes)) ? AesEngine : Engines[4'(Opcode)];
    // The serial modes of the further lanes are slow: shorter FIFOs do.
    localparam int unsigned FifoDepth = More ? 32 : 64;
    localparam logic [15:0] Slow      = slow_opcodes();
    localparam int unsigned Wiping    = (wipe_cycles(Engine) > FifoDepth) ? wipe_cycles(Engine) :
                                                                            FifoDepth;

    // AES alone unwraps keys.
    if ((l + 1 != int'(OpAes)) && !Making[Opcode]) begin : gen_no_keys
      logic unused_unwrap;
      assign unused_unwrap = ^{unwrap_valid[l], unwrap[l]};
    end

    if (Opcodes[Opcode]) begin : gen_built
      cry_engine_pkg::engine_req_t req, engine_req;
      cry_engine_pkg::engine_rsp_t rsp;
      logic                        lane_clk, lane_busy, has_job;

      assign lane_busy = lane_wake[l] || has_job;

      // Behind reset the FIFOs of words are wiped, a word a cycle; most engines in fewer cycles.
      cry_idle_gate #(
        .Gate(ClockGates), .Linger(64 + Wiping), .Protect(ProtectGates)
      ) u_gate (
        .clk_i,
        .rst_ni     (soft_rst_n),
        .busy_i     (lane_busy),
        .clk_o      (lane_clk),
        .corrected_o(gate_corrected[l]),
        .detected_o (gate_detected[l])
      );

      cry_tile_lane #(
        .KeysAdjacent(Opcode == int'(OpAes)), .KeyBeats(slot_beats(16'd1 << Opcode)),
        .SlotBeats(slot_beats(Opcodes)), .ReadDepth(FifoDepth), .WriteDepth(FifoDepth),
        .NumQueues(NumQueues), .Slow(Slow[4'(Opcode)]), .Protect(Protect)
      ) u_lane (
        .clk_i               (lane_clk),
        .rst_ni              (soft_rst_n),
        .abort_i             (abort),
        .tamper_i,
        .now_i               (now),
        .valid_i             (lane_valid[l]),
        .full_o              (lane_full[l]),
        .ready_o             (lane_ready[l]),
        .busy_o              (has_job),
        .job_i               (lane_job),
        .key_i               (lane_key),
        .done_valid_o        (done_valid[l]),
        .done_ready_i        (done_ready[l]),
        .done_o              (done[l]),
        .unwrap_valid_o      (unwrap_valid[l]),
        .unwrap_o            (unwrap[l]),
        .ar_valid_o          (ar_valid[Reader+:LaneReaders]),
        .ar_ready_i          (ar_ready[Reader+:LaneReaders]),
        .ar_o                (ar[Reader+:LaneReaders]),
        .r_valid_i           (r_valid[Reader+:LaneReaders]),
        .r_i                 (r),
        .aw_valid_o          (aw_valid[Writer]),
        .aw_ready_i          (aw_ready[Writer]),
        .aw_o                (aw[Writer]),
        .w_valid_o           (w_valid[Writer]),
        .w_ready_i           (w_ready[Writer]),
        .w_o                 (w[Writer]),
        .b_valid_i           (b_valid[Writer]),
        .b_error_i           (b_error),
        .refused_place_i     (refused_place),
        .refused_index_o     ({lane_index[1][l], lane_index[0][l]}),
        .req_o               (req),
        .rsp_i               (rsp),
        .corrected_o         (lane_corrected[l]),
        .detected_o          (lane_detected[l])
      );

      // A lane has no random bits of its own.
      if (Takers[4'(Opcode)]) begin : gen_taker
        localparam int unsigned Taker = $countones(Takers & ((16'd1 << Opcode) - 16'd1));
        always_comb begin
          engine_req           = req;
          engine_req.rnd_valid = taker_valid[Taker];
          engine_req.rnd       = taker_word[Taker];
        end
        assign taker_ready[Taker] = rsp.rnd_ready;
      end else begin : gen_no_taker
        assign engine_req = req;
      end

      if (Share && (Opcode == int'(OpAes))) begin : gen_shared
        assign aes_req[AesLane]  = engine_req;
        assign rsp               = aes_rsp[AesLane];
        assign aes_busy[AesLane] = lane_busy;
      end else begin : gen_own
        // The data mover has no levels, and no secrets.
        cry_engine_select #(
          .Engine (Engine),
          .Protect((Engine == Copy) ? cry_protect_pkg::ProtectNone : ProtectEngines)
        ) u_engine (
          .clk_i (lane_clk),
          .rst_ni(soft_rst_n),
          .req_i (engine_req),
          .rsp_o(rsp)
        );
      end
      assign engine_corrected[l] = rsp.fault_corrected;
      assign engine_detected[l]  = rsp.fault_detected;
    end else begin : gen_none
      assign lane_ready[l]       = 1'b0;
      assign gate_corrected[l]   = 1'b0;
      assign gate_detected[l]    = 1'b0;
      assign lane_full[l]        = '0;
      assign done_valid[l]       = 1'b0;
      assign done[l]             = '{status: TileOk, default: '0};
      assign unwrap_valid[l]     = 1'b0;
      assign unwrap[l]           = '0;
      assign lane_index[0][l]    = '0;
      assign lane_index[1][l]    = '0;
      assign engine_corrected[l] = 1'b0;
      assign engine_detected[l]  = 1'b0;
      assign lane_corrected[l]   = 1'b0;
      assign lane_detected[l]    = 1'b0;
      assign ar_valid[Reader+:LaneReaders] = '0;
      assign ar[Reader+:LaneReaders] = '0;
      assign aw_valid[Writer]      = 1'b0;
      assign aw[Writer]            = '0;
      assign w_valid[Writer]       = 1'b0;
      assign w[Writer]             = '0;

      logic unused;
      assign unused = ^{lane_wake[l], lane_valid[l], done_ready[l], ar_ready[Reader+:LaneReaders],
                        r_valid[Reader+:LaneReaders], aw_ready[Writer], w_ready[Writer],
                        b_valid[Writer]};
    end
  end

endmodule
