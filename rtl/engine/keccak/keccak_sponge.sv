// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// State and block buffer of a sponge with Keccak-f[1600], one or two rounds per cycle.
//
// The buffer collects the next block while the state is permuted, or holds a block of output while
// the next one is made. In one cycle, any of these together:
//   write_i   ORs even_i and odd_i to lanes of the buffer; lanes behind it go to the state at once
//   absorb_i  adds the buffer to the state, with the last bit of padding where pad_i says so, and
//             empties the buffer
//   run_i     does the round round_i, with what absorb_i has added
//   copy_i    copies the state to the buffer, as it was before
//   clear_i   wipes state and buffer; before all others
// The two lanes read_i and read_i + 1 of the buffer (behind it, of the state) are on even_o and
// odd_o.
//
// There is no reset: clear_i must be high in the first cycle.
//
// Parameters: RoundsPerCycle, 1 or 2.
module keccak_sponge
  import keccak_pkg::*;
#(
  parameter int unsigned RoundsPerCycle = 1
) (
  input  logic                clk_i,

  input  logic                clear_i,
  input  logic [CtxLanes-1:0] write_i,
  input  lane_t               even_i,
  input  lane_t               odd_i,
  input  logic                absorb_i,
  input  logic [MaxRate-1:0]  pad_i,
  input  logic                run_i,
  input  logic [4:0]          round_i,
  input  logic                copy_i,

  input  logic [4:0]          read_i,
  output lane_t               even_o,
  output lane_t               odd_o
);

  logic   [MaxRate-1:0][63:0] buffer_q, buffer_d;
  state_t                     state_q, state_d, added, rounded;

  // --- State ------------------------------------------------------------------------------------

  always_comb begin
    added = state_q;
    for (int unsigned i = 0; i < MaxRate; i++) begin
      added[i]     = added[i] ^ ({64{absorb_i}} & buffer_q[i]);
      added[i][63] = added[i][63] ^ pad_i[i];
    end
  end

  for (genvar r = 0; r < RoundsPerCycle; r++) begin : gen_round
    state_t in, out;
    plane_t unused_columns;
    if (r == 0) begin : gen_first
      assign in = added;
    end else begin : gen_next
      assign in = gen_round[r-1].out;
    end
    keccak_round u_round (
      .state_i  (in),
      .index_i  (round_i + 5'(r)),
      .state_o  (out),
      .columns_o(unused_columns)
    );
  end
  assign rounded = gen_round[RoundsPerCycle-1].out;

  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) begin
      state_d[i] = ({64{run_i & !clear_i}} & rounded[i]) | ({64{!run_i & !clear_i}} & added[i]);
      if (i >= MaxRate) begin
        state_d[i] = state_d[i] | ({64{write_i[i]}} & ((i % 2 == 0) ? even_i : odd_i));
      end
    end
  end

  // --- Buffer -----------------------------------------------------------------------------------

  logic keep, copy;
  assign keep = !absorb_i & !copy_i & !clear_i;
  assign copy = copy_i & !clear_i;

  always_comb begin
    for (int unsigned i = 0; i < MaxRate; i++) begin
      buffer_d[i] = ({64{write_i[i]}} & ((i % 2 == 0) ? even_i : odd_i)) |
                    ({64{keep}} & buffer_q[i]) | ({64{copy}} & state_q[i]);
    end
  end

  always_ff @(posedge clk_i) begin
    state_q  <= state_d;
    buffer_q <= buffer_d;
  end

  // --- Output -----------------------------------------------------------------------------------

  logic [CtxLanes-1:0][63:0] lanes;
  logic [3:0]                even_index, odd_index;
  assign lanes      = {64'd0, state_q[Lanes-1:MaxRate], buffer_q};
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
