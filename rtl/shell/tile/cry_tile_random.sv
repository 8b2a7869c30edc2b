// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Distributes random bits among the engines that take them: each has one word at hand.
//
// No client starves: words go round (cry_arbiter), so that a client without a word gets one of the
// next Clients. A word is given once, and is zero here a cycle after it was taken. It stays as it
// is until then, also while its client is cleared: what an aborted job has not taken is for the
// next. A wipe takes back what was offered: an engine counts on no word before it has taken it.
//
// An upset in a word makes other random bits, and is not looked for. One in what says that there is
// a word is corrected or detected: a word may never be given twice.
module cry_tile_random #(
  parameter int unsigned Clients = 2,  // at least 1
  // Level of protection of its registers, but the words
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic clk_i,   // clock
  input  logic rst_ni,  // reset, asynchronous, active low
  input  logic wipe_i,  // level: forgets all words

  input  logic         rnd_valid_i,  // a word
  output logic         rnd_ready_o,  // it is taken; does not depend on rnd_valid_i
  input  logic [127:0] rnd_i,        // 128 random bits, never given twice

  // By client
  output logic [Clients-1:0]        rnd_valid_o,  // a word; stable until taken, or wipe_i
  input  logic [Clients-1:0]        rnd_ready_i,  // it is taken
  output logic [Clients-1:0][127:0] rnd_o,        // the word; zero if there is none

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  localparam int unsigned IndexWidth = (Clients > 1) ? $clog2(Clients) : 1;

  logic [Clients-1:0]        here_q, here_d;
  logic [Clients-1:0][127:0] word_q, word_d;
  logic [IndexWidth-1:0]     next;
  logic                      any, take;
  logic [1:0]                corrected, detected;

  cry_arbiter #(
    .Number(Clients), .Protect(Protect)
  ) u_arbiter (
    .clk_i, .rst_ni,
    .req_i      (~here_q),
    .take_i     (take),
    .any_o      (any),
    .index_o    (next),
    .corrected_o(corrected[0]),
    .detected_o (detected[0])
  );

  assign rnd_ready_o = any && !wipe_i;
  assign take        = rnd_valid_i && rnd_ready_o;
  assign rnd_valid_o = here_q;
  assign rnd_o       = word_q;

  always_comb begin
    here_d = here_q;
    word_d = word_q;
    for (int unsigned c = 0; c < Clients; c++) begin
      if (wipe_i || (here_q[c] && rnd_ready_i[c])) begin
        here_d[c] = 1'b0;
        word_d[c] = '0;
      end
      if (take && (next == IndexWidth'(c))) begin
        here_d[c] = 1'b1;
        word_d[c] = rnd_i;
      end
    end
  end

  cry_reg_tmr #(.Width(Clients), .Protect(Protect)) u_here (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0), .d_i(here_d), .q_o(here_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) word_q <= '0;
    else         word_q <= word_d;
  end

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

`ifndef SYNTHESIS
  `CRY_ASSERT_RUN
  for (genvar c = 0; c < Clients; c++) begin : gen_fair
    // Words given to others while this client has none.
    int unsigned others_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)        others_q <= 0;
      else if (here_q[c]) others_q <= 0;
      else                others_q <= others_q + 32'(take && (next != IndexWidth'(c)));
    end
    `CRY_ASSERT(NoStarve_A, others_q < Clients)
  end
`endif

endmodule
