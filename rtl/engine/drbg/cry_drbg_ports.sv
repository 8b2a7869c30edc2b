// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Gives the output of a cry_drbg to clients: to each a port that has random bits ready, Depth
// blocks of 128 bits at hand. It instantiates the DRBG (with derivation function), asks it for
// output while any client has room, and reseeds it on demand.
//
// No client starves: blocks go round (cry_arbiter), so that a client with room gets one of the next
// Clients. A block that comes when no client has room is dropped, so that no request waits for a
// client and each ends with a new key of the DRBG. A request is for as many blocks as there is room
// for, or for RequestBlocks if a client of Bulk has none at hand.
//
// Each block is given once: it is zero here one cycle after it was taken. A block stays as it is
// until then. An engine that is cleared or reset leaves its port as it is.
//
// While forget_o is high no block is added, and what is at hand or offered is forgotten, so that a
// receiver may not count on what was offered, and forgets what it has, too. That is: while stop_i
// is high; then until the DRBG is tested and instantiated anew; from reseed_i on until the seed is
// in, though a request that is under way comes to its end; and in an alarm, behind a command that
// the DRBG refused (no entropy, a failed known-answer test, an upset). An alarm stays until
// restart_i or reset.
//
// An upset in a block makes other random bits, and is not looked for. One in what says that there
// is a block, or whose it is, is corrected: a block may never be given twice, nor zeros in its
// place.
module cry_drbg_ports
  import cry_drbg_pkg::*;
#(
  parameter int unsigned        Clients       = 2,   // at least 1
  parameter int unsigned        Depth         = 2,   // blocks at hand for each
  parameter int unsigned        RequestBlocks = 64,  // blocks of a long request, up to 4,096
  parameter logic [Clients-1:0] Bulk          = '0,  // by client: takes many blocks in a row
  // Level of protection of all that is stored but the blocks
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic clk_i,   // clock
  input  logic rst_ni,  // asynchronous reset

  input  logic reseed_i,   // one cycle: reseeds before the next request; nothing in an alarm
  input  logic restart_i,  // one cycle: as stop_i, and ends an alarm
  input  logic stop_i,     // level: the DRBG is cleared meanwhile
  output logic alarm_o,    // level: the DRBG refused a command; until restart_i
  output logic forget_o,   // level: there are no random bits, and those of before are forgotten

  // To cry_drbg
  output logic         cmd_valid_o,    // a command waits
  input  logic         cmd_ready_i,    // it is accepted
  output cmd_t         cmd_o,          // the command
  input  logic         done_valid_i,   // it has ended
  output logic         done_ready_o,   // the end is taken
  input  status_e      done_status_i,  // how
  input  logic         out_valid_i,    // a block
  output logic         out_ready_o,    // it is taken: always
  input  logic [127:0] out_data_i,     // the block

  // By client
  output logic [Clients-1:0]        rnd_valid_o,  // a block; stable until taken, or forget_o
  input  logic [Clients-1:0]        rnd_ready_i,  // it is taken
  output logic [Clients-1:0][127:0] rnd_o         // the block; zero if there is none
);

  localparam int unsigned CountWidth  = $clog2(Depth + 1);
  localparam int unsigned ClientWidth = (Clients > 1) ? $clog2(Clients) : 1;

  typedef enum logic [2:0] {
    StSeed   = 3'd0,  // instantiates
    StTest   = 3'd1,  // behind StOff: tests
    StIdle   = 3'd2,  // no client has room
    StAsk    = 3'd3,  // asks for blocks, or to reseed
    StRun    = 3'd4,  // waits for the end of a command
    StFailed = 3'd5,
    StOff    = 3'd6   // stopped
  } state_e;

  state_e              state_q, state_d;
  logic                reseed_q, reseed_d;  // is asked for
  op_e                 op_q, op_d;
  logic [OutWidth-5:0] blocks_q, blocks_d;  // of a request
  logic                begun_q;             // there was a clock since reset
  logic                serving;             // there is a seed, as new as it was asked for
  logic                stop;                // nothing is added; what is there goes

  // --- Blocks at hand ----------------------------------------------------------------------------

  logic [Clients-1:0]                 room, push;
  logic [Clients-1:0][CountWidth-1:0] count_q, count_d;
  logic [ClientWidth-1:0]             next;
  logic                               any;
  logic [OutWidth-5:0]                wanted;  // blocks that there is room for
  logic                               bulk;    // RequestBlocks are wanted

  assign serving = !reseed_q & ((state_q == StIdle) |
                                ((state_q inside {StAsk, StRun}) & (op_q == OpGenerate)));
  assign stop     = stop_i | restart_i | reseed_i | !serving;
  assign forget_o = stop;

  always_comb begin
    wanted = '0;
    bulk   = 1'b0;
    for (int unsigned i = 0; i < Clients; i++) begin
      wanted += (OutWidth - 4)'(Depth) - (OutWidth - 4)'(count_q[i]);
      if (Bulk[i] && (count_q[i] == '0)) bulk = 1'b1;
    end
  end

  localparam cry_protect_pkg::protect_e Control =
      (Protect == cry_protect_pkg::ProtectNone) ? Protect : cry_protect_pkg::ProtectCorrect;

  // What is corrected needs no report here.
  logic [3:0] unused_upsets;

  cry_arbiter #(
    .Number(Clients), .Protect(Control)
  ) u_arbiter (
    .clk_i, .rst_ni,
    .req_i      (room),
    .take_i     (out_valid_i),
    .any_o      (any),
    .index_o    (next),
    .corrected_o(unused_upsets[0]),
    .detected_o (unused_upsets[1])
  );

  for (genvar i = 0; i < Clients; i++) begin : gen_client
    logic [Depth-1:0][127:0] block_q, block_d;
    logic                    pop;

    assign room[i] = count_q[i] != CountWidth'(Depth);
    assign push[i] = out_valid_i & any & !stop & (next == ClientWidth'(i));
    assign pop     = rnd_valid_o[i] & rnd_ready_i[i];

    always_comb begin
      block_d    = pop ? block_q >> 128 : block_q;
      count_d[i] = count_q[i] - CountWidth'(pop);
      for (int unsigned n = 0; n < Depth; n++) begin
        if (push[i] && (count_d[i] == CountWidth'(n))) block_d[n] = out_data_i;
      end
      count_d[i] = count_d[i] + CountWidth'(push[i]);
      if (stop || !begun_q) begin
        block_d    = '0;
        count_d[i] = '0;
      end
    end

    // Wiped with the first clock in reset.
    always_ff @(posedge clk_i) block_q <= block_d;

    assign rnd_valid_o[i] = count_q[i] != '0;
    assign rnd_o[i]       = block_q[0];
  end

  // --- Commands ----------------------------------------------------------------------------------

  always_comb begin
    state_d  = state_q;
    reseed_d = reseed_q | reseed_i;
    op_d     = op_q;
    blocks_d = blocks_q;
    unique case (state_q)
      StSeed: begin
        op_d = OpInstantiate;
        if (cmd_ready_i) state_d = StRun;
      end
      StTest: begin
        op_d = OpTest;
        if (cmd_ready_i) state_d = StRun;
      end
      StIdle: begin
        op_d     = reseed_q ? OpReseed : OpGenerate;
        blocks_d = bulk ? (OutWidth - 4)'(RequestBlocks) : wanted;
        if (reseed_q | (|room)) state_d = StAsk;
      end
      StAsk: begin
        if (cmd_ready_i) begin
          state_d = StRun;
          if (op_q == OpReseed) reseed_d = reseed_i;
        end
      end
      StRun: begin
        if (done_valid_i) begin
          if (done_status_i != StatusOk) begin
            state_d = StFailed;
          end else begin
            state_d = (op_q == OpTest) ? StSeed : StIdle;
          end
        end
      end
      StOff:   state_d = StTest;
      default: state_d = StFailed;
    endcase
    if (state_q inside {StOff, StFailed}) reseed_d = 1'b0;
    if (stop_i | restart_i) begin
      if ((state_q != StFailed) | restart_i) state_d = StOff;
      reseed_d = 1'b0;
    end
  end

  logic [2:0] state, op;

  cry_reg_tmr #(
    .Width(8 + OutWidth - 4 + Clients * CountWidth), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({1'b1, state_d, reseed_d, op_d, blocks_d, count_d}),
    .q_o({begun_q, state, reseed_q, op, blocks_q, count_q}),
    .corrected_o(unused_upsets[2]), .detected_o(unused_upsets[3])
  );
  assign state_q = state_e'(state);
  assign op_q    = op_e'(op);

  always_comb begin
    cmd_o    = '0;
    cmd_o.df = 1'b1;
    cmd_o.op = op_q;
    if (state_q == StSeed) cmd_o.op = OpInstantiate;
    if (state_q == StTest) cmd_o.op = OpTest;
    if (cmd_o.op == OpGenerate) cmd_o.out_len = {blocks_q, 4'd0};
  end

  assign cmd_valid_o  = state_q inside {StSeed, StTest, StAsk};
  assign done_ready_o = state_q == StRun;
  assign out_ready_o  = 1'b1;
  assign alarm_o      = state_q == StFailed;

  // --- Protocol ----------------------------------------------------------------------------------

`ifndef SYNTHESIS
  `CRY_ASSERT_RUN
  for (genvar i = 0; i < Clients; i++) begin : gen_fair
    // Blocks given to others while this client has room.
    int unsigned others_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                          others_q <= 0;
      else if (!room[i] || push[i] || stop) others_q <= 0;
      else                                  others_q <= others_q + 32'(out_valid_i);
    end
    `CRY_ASSERT(NoStarve_A, others_q < Clients)
    `CRY_ASSERT(Stable_A, rnd_valid_o[i] && !rnd_ready_i[i] && !forget_o |=>
                rnd_valid_o[i] && $stable(rnd_o[i]))
    `CRY_ASSERT(Empty_A, !rnd_valid_o[i] |-> rnd_o[i] == '0)
  end
  `CRY_ASSERT(OneClient_A, $onehot0(push))
  `CRY_ASSERT(Adds_A, forget_o |-> push == '0)
  `CRY_ASSERT(Forgets_A, forget_o |=> rnd_valid_o == '0)
  `CRY_ASSERT(QuietAlarm_A, alarm_o |-> forget_o)
  `CRY_ASSERT(AlarmStays_A, alarm_o && !restart_i |=> alarm_o)
`endif

endmodule
