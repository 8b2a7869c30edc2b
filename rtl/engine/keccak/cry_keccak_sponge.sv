// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// State and block buffer of a sponge with Keccak-f[1600], one or two rounds per cycle.
//
// The buffer collects the next block while the state is permuted. In one cycle, any of these:
//   write_i   ORs even_i and odd_i to lanes of the buffer; lanes behind it go to the state at once
//   absorb_i  adds the buffer to the state, with the last bit of padding where pad_i says so, and
//             empties the buffer
//   run_i     does the round round_i, with what absorb_i has added
//   copy_i    copies the state to the buffer, as it was before (EnCopy)
//   clear_i   wipes all; before all others
// The lanes read_i and read_i + 1 are on even_o and odd_o: of the buffer where EnCopy is set, and
// behind it, of the state.
//
// There is no reset: clear_i must be high in the first cycle.
//
// Protected, each of the 64 slices of the state has a parity, formed as the state is written, and
// so has the buffer. The parity of their sum is compared with the columns that theta needs anyway,
// in every cycle. fault_o says that they differ: nothing of what was asked for in this cycle is
// done. ProtectDetect: the state is not to be used any more. ProtectCorrect: the state is set back
// to what went into the last round; the same round is to be done again, without absorbing, if the
// cycle before did one. If the fault is found again as the buffer is absorbed, fix_i puts the
// buffer right: the bit where a wrong slice and a lane of wrong parity cross.
module cry_keccak_sponge
  import cry_keccak_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned RoundsPerCycle = 1,           // 1 or 2 rounds per cycle
  parameter bit          EnCopy         = 1'b1,        // builds copy_i
  parameter protect_e    Protect        = ProtectNone  // level of protection against SEUs
) (
  input  logic                clk_i,

  input  logic                clear_i,   // zeroizes state and buffer
  input  logic [CtxLanes-1:0] write_i,   // lanes to be ORed, one bit each
  input  lane_t               even_i,    // value for lanes of even number
  input  lane_t               odd_i,     // value for lanes of odd number
  input  logic                absorb_i,  // adds the buffer to the state
  input  logic [MaxRate-1:0]  pad_i,     // with absorb_i: the lane that ends the padding
  input  logic                run_i,     // does a round, or two
  input  logic [4:0]          round_i,   // number of the first of them
  input  logic                copy_i,    // copies the state to the buffer (EnCopy)
  input  logic                fix_i,     // corrects the buffer (ProtectCorrect)

  input  logic [4:0]          read_i,  // number of the lane on even_o
  output lane_t               even_o,  // lane read_i
  output lane_t               odd_o,   // lane read_i + 1

  output logic                fault_o  // a parity is wrong: this cycle's operation is not done
);

  localparam bit Checked = Protect != ProtectNone;
  localparam bit Correct = Protect == ProtectCorrect;

  logic [MaxRate-1:0][63:0] buffer_q, buffer_d, fixes;
  state_t                   state_q, state_d, added, held, rounded, prior_q;
  logic                     fault;

  // --- State -------------------------------------------------------------------------------------

  always_comb begin
    added = state_q;
    for (int unsigned i = 0; i < MaxRate; i++) begin
      added[i]     = added[i] ^ ({64{absorb_i}} & buffer_q[i]);
      added[i][63] = added[i][63] ^ pad_i[i];
    end
  end

  always_comb begin
    held = added;
    for (int unsigned i = MaxRate; i < Lanes; i++) begin
      held[i] = held[i] | ({64{write_i[i]}} & ((i % 2 == 0) ? even_i : odd_i));
    end
  end

  for (genvar r = 0; r < RoundsPerCycle; r++) begin : gen_round
    state_t in, out;
    plane_t columns;
    if (r == 0) begin : gen_first
      assign in = added;
    end else begin : gen_next
      plane_t unused_columns;
      assign unused_columns = columns;
      assign in = gen_round[r-1].out;
    end
    cry_keccak_round u_round (
      .state_i  (in),
      .index_i  (round_i + 5'(r)),
      .state_o  (out),
      .columns_o(columns)
    );
  end
  assign rounded = gen_round[RoundsPerCycle-1].out;

  logic run, hold, restore;
  assign run     = run_i & !clear_i & !(Correct & fault);
  assign hold    = !run_i & !clear_i & !(Correct & fault);
  assign restore = Correct & fault;

  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) begin
      state_d[i] = ({64{run}} & rounded[i]) | ({64{hold}} & held[i]) | ({64{restore}} & prior_q[i]);
    end
  end

  // --- Buffer ------------------------------------------------------------------------------------

  logic keep, copy;
  assign copy = EnCopy & copy_i & !clear_i;
  assign keep = !(absorb_i & !fault) & !copy & !clear_i;

  always_comb begin
    for (int unsigned i = 0; i < MaxRate; i++) begin
      buffer_d[i] = ({64{write_i[i]}} & ((i % 2 == 0) ? even_i : odd_i)) |
                    ({64{keep}} & (buffer_q[i] ^ fixes[i])) | ({64{copy}} & state_q[i]);
    end
  end

  always_ff @(posedge clk_i) begin
    state_q  <= state_d;
    buffer_q <= buffer_d;
  end

  // --- Parities ----------------------------------------------------------------------------------

  if (Checked) begin : gen_parity
    lane_t state_parity_q, state_parity_d, buffer_parity_q, buffer_parity_d, prior_parity_q;
    lane_t computed, expected, wrong, written, held_parity, rounded_parity, buffer_fix;

    assign computed = gen_round[0].columns[0] ^ gen_round[0].columns[1] ^ gen_round[0].columns[2] ^
                      gen_round[0].columns[3] ^ gen_round[0].columns[4];
    assign expected = state_parity_q ^ ({64{absorb_i}} & buffer_parity_q) ^ {|pad_i, 63'd0};
    assign wrong    = computed ^ expected;
    assign fault    = (wrong != '0) & !clear_i;

    always_comb begin
      rounded_parity = '0;
      for (int unsigned i = 0; i < Lanes; i++) rounded_parity = rounded_parity ^ rounded[i];
    end
    always_comb begin
      held_parity = expected;
      written     = '0;
      for (int unsigned i = 0; i < Lanes; i++) begin
        lane_t lane;
        lane = {64{write_i[i]}} & ((i % 2 == 0) ? even_i : odd_i);
        if (i < MaxRate) written     = written ^ lane;
        else             held_parity = held_parity ^ lane;
      end
    end

    assign state_parity_d  = ({64{run}} & rounded_parity) | ({64{hold}} & held_parity) |
                             ({64{restore}} & prior_parity_q);
    assign buffer_parity_d = ({64{keep}} & (buffer_parity_q ^ buffer_fix)) ^ written ^
                             ({64{copy}} & state_parity_q);
    always_ff @(posedge clk_i) begin
      state_parity_q  <= state_parity_d;
      buffer_parity_q <= buffer_parity_d;
    end

    if (Correct) begin : gen_correct
      logic [MaxRate-1:0] lanes_q, lanes_d, lanes_wrong;
      logic               fix, even_parity, odd_parity;

      always_ff @(posedge clk_i) begin
        prior_q        <= clear_i ? '0 : held;
        prior_parity_q <= clear_i ? '0 : held_parity;
        lanes_q        <= lanes_d;
      end

      assign even_parity = ^even_i;
      assign odd_parity  = ^odd_i;
      assign fix         = fault & fix_i & absorb_i;
      always_comb begin
        for (int unsigned i = 0; i < MaxRate; i++) begin
          lanes_wrong[i] = ^buffer_q[i] ^ lanes_q[i];
          fixes[i]       = wrong & {64{lanes_wrong[i] & fix}};
          lanes_d[i]     = (keep & lanes_q[i]) ^
                           (write_i[i] & ((i % 2 == 0) ? even_parity : odd_parity));
        end
      end
      // No lane is wrong: the parity of the slice is.
      assign buffer_fix = wrong & {64{(lanes_wrong == '0) & fix}};
    end else begin : gen_detect
      logic unused_fix;
      assign unused_fix     = fix_i;
      assign fixes          = '0;
      assign buffer_fix     = '0;
      assign prior_q        = '0;
      assign prior_parity_q = '0;
    end
  end else begin : gen_no_parity
    logic   unused_fix;
    plane_t unused_columns;
    assign unused_fix     = fix_i;
    assign unused_columns = gen_round[0].columns;
    assign fault          = 1'b0;
    assign fixes          = '0;
    assign prior_q        = '0;
  end
  assign fault_o = fault;

  // --- Output ------------------------------------------------------------------------------------

  logic [CtxLanes-1:0][63:0] lanes;
  logic [3:0]                even_index, odd_index;
  assign lanes      = {64'd0, state_q[Lanes-1:MaxRate], EnCopy ? buffer_q : state_q[MaxRate-1:0]};
  assign even_index = read_i[4:1] + 4'(read_i[0]);
  assign odd_index  = read_i[4:1];

  always_comb begin
    even_o = '0;
    odd_o  = '0;
    for (int unsigned i = 0; i < CtxLanes / 2; i++) begin
      even_o = even_o | ({64{even_index == 4'(i)}} & lanes[2*i]);
      odd_o  = odd_o | ({64{odd_index == 4'(i)}} & lanes[2*i+1]);
    end
  end

  logic unused_write;
  assign unused_write = write_i[CtxLanes-1];

endmodule
