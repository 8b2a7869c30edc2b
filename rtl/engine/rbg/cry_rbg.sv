// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Random bit generator: an entropy source (cry_entropy) that seeds a DRBG with ready ports
// (cry_random), behind registers (regs/rbg.rdl). An RBG2 construction of NIST SP 800-90C; README.
//
// The oscillators, or a foundry's source, are outside: cry_entropy_rings, or what a test bench has
// in their place.
//
// There are random bits only while the source is on, tested, and not read out. When it stops (off,
// read-out, an alarm of its tests, tampering) the DRBG is wiped at once. When it runs again, on
// purpose, the DRBG is tested and seeded anew. Each seed is made of samples behind the request for
// it. No block outlives a stop, an alarm, or a reseed that software asks for: then rnd_forget_o is
// high, until the new seed is in, no port offers one, and who had taken some forgets them.
//
// Waits have a bound: the DRBG waits for a word twice as long as the source takes for its first
// one, and then raises an alarm. Latency: README. Wiping: wipe_i leaves no seed, no state of the
// DRBG and no block one cycle later, and no sample within Lanes + 2 cycles; it turns the generator
// off, until software turns it on.
module cry_rbg
  import cry_entropy_pkg::*;
#(
  parameter int unsigned        Clients        = 1,      // of random bits, see cry_drbg_ports
  parameter int unsigned        Depth          = 2,      // see cry_drbg_ports
  parameter int unsigned        RequestBlocks  = 64,     // see cry_drbg_ports
  parameter logic [Clients-1:0] Bulk           = '0,     // see cry_drbg_ports
  parameter int unsigned        ReseedInterval = 65536,  // requests between reseeds, at least 1
  parameter int unsigned        Lanes          = 12,     // of the source, see cry_entropy
  parameter int unsigned        Period         = 256,    // cycles from sample to sample
  parameter int unsigned        Window         = 1024,   // samples of a window
  parameter int unsigned        RctCutoff      = 81,     // equal samples in a row that fail
  parameter int unsigned        Cutoff         = 810,    // right guesses in a window that fail
  parameter int unsigned        StartWindows   = 1,      // windows of the start-up test
  parameter int unsigned        Entropy        = 500,    // of a combined bit, thousandths of a bit
  parameter int unsigned        Blocks         = least_blocks(Lanes, Entropy),  // see cry_entropy
  parameter int unsigned        SettleCycles   = 1024,   // before the first sample
  parameter int unsigned        PauseCycles    = 1024,   // the oscillators stand still
  parameter int unsigned        RestartSamples = 1000,   // of a row of the restart matrix
  parameter bit                 ClockGate      = 1'b1,   // of the tests' records
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone  // of the DRBG
) (
  input  logic clk_i,           // clock
  input  logic rst_ni,          // asynchronous reset
  input  logic wipe_i,          // level: tampering; all is wiped, and turned off
  input  logic read_allowed_i,  // level: the life cycle permits to read samples
  output logic alarm_o,         // level: a test of the source or the DRBG failed; until a restart

  // AXI4-Lite subordinate: registers at 0x00 to 0x10
  input  logic        s_axil_awvalid_i,
  output logic        s_axil_awready_o,
  input  logic [4:0]  s_axil_awaddr_i,
  input  logic        s_axil_wvalid_i,
  output logic        s_axil_wready_o,
  input  logic [31:0] s_axil_wdata_i,
  input  logic [3:0]  s_axil_wstrb_i,
  output logic        s_axil_bvalid_o,
  input  logic        s_axil_bready_i,
  output logic [1:0]  s_axil_bresp_o,
  input  logic        s_axil_arvalid_i,
  output logic        s_axil_arready_o,
  input  logic [4:0]  s_axil_araddr_i,
  output logic        s_axil_rvalid_o,
  input  logic        s_axil_rready_i,
  output logic [31:0] s_axil_rdata_o,
  output logic [1:0]  s_axil_rresp_o,

  // Oscillators, or a foundry's source
  output logic             osc_enable_o,  // level: they run
  input  logic [Lanes-1:0] osc_i,         // asynchronous

  // Random bits, by client
  output logic [Clients-1:0]        rnd_valid_o,  // a block; stable until taken, or rnd_forget_o
  input  logic [Clients-1:0]        rnd_ready_i,  // it is taken
  output logic [Clients-1:0][127:0] rnd_o,        // the block; zero if there is none
  output logic                      rnd_forget_o  // level: no random bits; forget those of before
);

  // Twice what the first word takes.
  localparam int unsigned EntropyCycles =
      2 * (SettleCycles + Period * (Window * StartWindows + 16 * Blocks)) + 512;

  // --- Registers ---------------------------------------------------------------------------------

  logic        req, we;
  logic [4:0]  addr;
  logic [31:0] wdata, biten, rdata;
  logic [1:0]  unused_faults;

  cry_axi_lite_slave #(.AddrWidth(5)) u_axil (
    .clk_i, .rst_ni,
    .awvalid_i(s_axil_awvalid_i),
    .awready_o(s_axil_awready_o),
    .awaddr_i (s_axil_awaddr_i),
    .wvalid_i (s_axil_wvalid_i),
    .wready_o (s_axil_wready_o),
    .wdata_i  (s_axil_wdata_i),
    .wstrb_i  (s_axil_wstrb_i),
    .bvalid_o (s_axil_bvalid_o),
    .bready_i (s_axil_bready_i),
    .bresp_o  (s_axil_bresp_o),
    .arvalid_i(s_axil_arvalid_i),
    .arready_o(s_axil_arready_o),
    .araddr_i (s_axil_araddr_i),
    .rvalid_o (s_axil_rvalid_o),
    .rready_i (s_axil_rready_i),
    .rdata_o  (s_axil_rdata_o),
    .rresp_o  (s_axil_rresp_o),
    .req_o    (req),
    .we_o     (we),
    .addr_o   (addr),
    .wdata_o  (wdata),
    .biten_o  (biten),
    .rdata_i  (rdata),
    .corrected_o(unused_faults[1]),
    .detected_o (unused_faults[0])
  );

  cry_rbg_regs_pkg::rbg__in_t  hw_in;
  cry_rbg_regs_pkg::rbg__out_t hw_out;
  logic [5:0] unused_acks;  // constant: the block answers every access at once

  cry_rbg_regs u_regs (
    .clk                  (clk_i),
    .arst_n               (rst_ni),
    .s_cpuif_req          (req),
    .s_cpuif_req_is_wr    (we),
    .s_cpuif_addr         (addr),
    .s_cpuif_wr_data      (wdata),
    .s_cpuif_wr_biten     (biten),
    .s_cpuif_req_stall_wr (unused_acks[0]),
    .s_cpuif_req_stall_rd (unused_acks[1]),
    .s_cpuif_rd_ack       (unused_acks[2]),
    .s_cpuif_rd_err       (unused_acks[3]),
    .s_cpuif_rd_data      (rdata),
    .s_cpuif_wr_ack       (unused_acks[4]),
    .s_cpuif_wr_err       (unused_acks[5]),
    .hwif_in              (hw_in),
    .hwif_out             (hw_out)
  );

  logic restart, reseed;
  assign restart = hw_out.COMMAND.restart.value;
  assign reseed  = hw_out.COMMAND.reseed.value;

  // --- Entropy -----------------------------------------------------------------------------------

  state_e                     state;
  fails_t                     fails;
  logic [$clog2(Lanes+1)-1:0] lane;
  logic                       ent_begin, ent_valid, ent_ready, ent_fail, source_alarm;
  logic [63:0]                ent_word, read_data;
  logic                       read_valid, read_first, read_lost;
  read_e                      read;

  always_comb begin
    unique case (hw_out.CONTROL.read.value)
      3'(ReadRaw):         read = ReadRaw;
      3'(ReadRestart):     read = ReadRestart;
      3'(ReadTested):      read = ReadTested;
      3'(ReadConditioned): read = ReadConditioned;
      default:             read = ReadNone;
    endcase
  end

  cry_entropy #(
    .Lanes(Lanes), .Period(Period), .Window(Window), .RctCutoff(RctCutoff), .Cutoff(Cutoff),
    .StartWindows(StartWindows), .Entropy(Entropy), .Blocks(Blocks), .SettleCycles(SettleCycles),
    .PauseCycles(PauseCycles), .RestartSamples(RestartSamples), .ClockGate(ClockGate)
  ) u_entropy (
    .clk_i, .rst_ni,
    .enable_i      (hw_out.CONTROL.enable.value && !wipe_i),
    .restart_i     (restart),
    .read_i        (read),
    .read_allowed_i(read_allowed_i && !wipe_i),
    .state_o       (state),
    .alarm_o       (source_alarm),
    .alarm_fails_o (fails),
    .alarm_lane_o  (lane),
    .osc_enable_o, .osc_i,
    .ent_begin_i   (ent_begin),
    .ent_valid_o   (ent_valid),
    .ent_ready_i   (ent_ready),
    .ent_word_o    (ent_word),
    .ent_fail_o    (ent_fail),
    .read_valid_o  (read_valid),
    .read_ready_i  (hw_out.READ_LO.value.swacc),
    .read_data_o   (read_data),
    .read_first_o  (read_first),
    .read_lost_o   (read_lost)
  );

  // --- Random bits -------------------------------------------------------------------------------

  // When the source comes back the DRBG does, too: each way there was asked for by software.
  logic stop, drbg_alarm, seeded;
  assign stop = ent_fail || wipe_i;

  assign hw_in.CONTROL.enable.hwclr = wipe_i;

  cry_random #(
    .Clients(Clients), .Depth(Depth), .RequestBlocks(RequestBlocks), .Bulk(Bulk),
    .ReseedInterval(ReseedInterval), .EntropyCycles(EntropyCycles), .Protect(Protect)
  ) u_random (
    .clk_i, .rst_ni,
    .reseed_i   (reseed),
    .restart_i  (restart),
    .stop_i     (stop),
    .alarm_o    (drbg_alarm),
    .forget_o   (rnd_forget_o),
    .seeded_o   (seeded),
    .ent_valid_i(ent_valid),
    .ent_ready_o(ent_ready),
    .ent_word_i (ent_word),
    .ent_fail_i (ent_fail),
    .ent_begin_o(ent_begin),
    .rnd_valid_o, .rnd_ready_i, .rnd_o
  );

  assign alarm_o = source_alarm || drbg_alarm;

  assign hw_in.STATUS.source.next     = 3'(state);
  assign hw_in.STATUS.alarm.next      = source_alarm;
  assign hw_in.STATUS.seeded.next     = seeded;
  assign hw_in.STATUS.stopped.next    = stop;
  assign hw_in.STATUS.drbg_alarm.next = drbg_alarm;
  assign hw_in.STATUS.lane.next       = 5'(lane);
  assign hw_in.STATUS.fails.next      = fails;
  assign hw_in.STATUS.read_valid.next = read_valid;
  assign hw_in.STATUS.read_first.next = read_first;
  assign hw_in.STATUS.read_lost.next  = read_lost;
  assign hw_in.READ_HI.value.next     = read_data[63:32];
  assign hw_in.READ_LO.value.next     = read_data[31:0];

  `CRY_ASSERT_RUN
  `CRY_ASSERT(ReadOutIsNoSeed_A, read_valid |-> stop)
  `CRY_ASSERT(StopWipes_A, stop |=> !seeded && u_random.u_drbg.u_core.key_q == '0)
  `CRY_ASSERT(Forgets_A, rnd_forget_o |=> rnd_valid_o == '0 && rnd_o == '0)
  `CRY_ASSERT(NoBits_A, stop || alarm_o || restart || reseed |-> rnd_forget_o && !seeded)
  `CRY_ASSERT(AlarmStays_A, alarm_o && !restart |=> alarm_o)

endmodule
