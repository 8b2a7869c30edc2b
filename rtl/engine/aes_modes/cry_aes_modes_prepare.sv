// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Prepares a job for its blocks: takes its key, issues the key expansion for the inverse cipher,
// and issues the computation of XTS's tweak.
//
// The second key of XTS goes from the key channel directly to the core. One cycle per key, which
// for XTS includes the tweak's, and one for the expansion, if the core is free.
//
// If it equals the first (equal_i) it is not taken, and the job is refused: the next one, which
// waits for it, must not get what this one left.
module cry_aes_modes_prepare
  import cry_aes_modes_pkg::*;
  import cry_aes_pkg::op_e;
  import cry_aes_pkg::OpEncrypt;
  import cry_aes_pkg::OpExpand;
  import cry_protect_pkg::*;
#(
  parameter protect_e Protect = ProtectNone  // level of protection
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,  // aborts

  // Job in preparation
  input  logic                  valid_i,
  input  ctl_t                  ctl_i,
  input  logic [127:0]          chain_i,  // XTS: the tweak's input

  // `key`
  input  logic                  key_valid_i,
  output logic                  key_ready_o,
  input  logic                  equal_i,      // that key is the stored one

  // To the job's slot
  output logic                  key_load_o,    // the key is to be stored
  output logic                  wait_key_o,    // its expanded key will follow
  output logic                  wait_tweak_o,  // its tweak will follow
  output logic                  done_o,        // preparation ends
  output logic                  refused_o,     // ... with a bad parameter

  // To the core and the queue of metadata
  output logic                  want_o,
  input  logic                  grant_i,    // an offer would be accepted
  output op_e                   op_o,
  output logic                  new_key_o,  // with the key at the key channel, not the stored one
  output logic [127:0]          block_o,
  output note_t                 note_o,

  output logic                  corrected_o,  // an upset was corrected
  output logic                  detected_o    // an illegal state
);

  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  typedef enum logic [1:0] {
    PrKey,
    PrSecond,
    PrExpand
  } state_e;

  state_e state_q, state_d;
  logic   fire, skips, takes;
  logic   unused_ctl;

  assign unused_ctl = ^ctl_i;

  // A reloaded context is the tweak.
  assign skips     = ctl_i.ctx_load;
  assign takes     = valid_i & !equal_i & !clear_i;
  assign refused_o = (state_q == PrSecond) & valid_i & key_valid_i & equal_i & !clear_i;

  always_comb begin
    unique case (state_q)
      PrKey:    want_o = 1'b0;
      PrSecond: want_o = takes & key_valid_i & !skips;
      default:  want_o = valid_i & !clear_i;
    endcase
  end

  always_comb begin
    unique case (state_q)
      PrKey:    key_ready_o = valid_i & !clear_i;
      PrSecond: key_ready_o = takes & (skips | grant_i);
      default:  key_ready_o = 1'b0;
    endcase
  end

  assign fire = (state_q == PrExpand) ? grant_i : key_valid_i & key_ready_o;

  always_comb begin
    state_d = state_q;
    if (fire) begin
      state_d = PrKey;
      if (state_q != PrExpand) begin
        if (ctl_i.inverse)                      state_d = PrExpand;
        if (ctl_i.xts & (state_q == PrKey))     state_d = PrSecond;
      end
    end
    if (clear_i | refused_o) state_d = PrKey;
  end

  assign key_load_o   = fire & (state_q == PrKey);
  assign wait_tweak_o = fire & (state_q == PrSecond) & !skips;
  assign wait_key_o   = fire & (state_q == PrExpand);
  assign done_o       = refused_o | (fire & (state_d == PrKey));

  assign op_o        = (state_q == PrExpand) ? OpExpand : OpEncrypt;
  assign new_key_o = state_q != PrExpand;
  assign block_o     = chain_i;
  always_comb begin
    note_o          = '0;
    note_o.core     = 1'b1;
    note_o.to_key   = state_q == PrExpand;
    note_o.to_tweak = state_q != PrExpand;
  end

  logic [1:0] state_bits;
  assign state_q = state_e'(state_bits);
  cry_fsm_protected #(.Width(2), .ResVal(PrKey), .Protect(Control)) u_state (
    .clk_i, .rst_ni, .state_d_i(state_d), .inject_i(1'b0),
    .state_o(state_bits), .corrected_o, .detected_o
  );

endmodule
