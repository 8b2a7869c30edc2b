// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the kernel has set for jobs of one queue: which they may be, their share of the turns, whose
// they are, and what their addresses mean.
module cry_tile_policy
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
#(
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        set_up_i,     // level: what bursts carry may be written
  input  logic        cfg_we_i,     // one cycle: writes the word
  input  queue_word_e cfg_word_i,   // register of the queue
  input  logic [31:0] cfg_wdata_i,  // word to be written
  output logic [31:0] cfg_rdata_o,  // the word, combinational; 0 of other registers

  output policy_t     policy_o,  // what was set

  output logic        corrected_o,  // one cycle: an upset was corrected
  output logic        detected_o    // an uncorrectable upset was found
);

  localparam policy_t Reset = '{
    opcodes: '1, weight: 4'd1, piece: 16'd64, default: '0
  };

  policy_t        policy_d, policy_q;
  queue_allowed_t new_allowed, allowed_now;

  assign new_allowed = cfg_wdata_i;

  always_comb begin
    policy_d = policy_q;
    if (cfg_we_i) begin
      unique case (cfg_word_i)
        QueueAllowedWord: begin
          policy_d.opcodes       = new_allowed.opcodes;
          policy_d.no_clear_keys = new_allowed.no_clear_keys;
          policy_d.make_keys     = new_allowed.make_keys;
        end
        QueueWeightWord:   policy_d.weight = cfg_wdata_i[3:0];
        QueueProcessWord:  if (set_up_i) policy_d.pasid = cfg_wdata_i[ProcessWidth-1:0];
        QueueRelativeWord: if (set_up_i) policy_d.relative = cfg_wdata_i[0];
        QueuePieceWord:    policy_d.piece = cfg_wdata_i[15:0];
        default: ;
      endcase
    end
  end

  cry_reg_tmr #(
    .Width($bits(policy_t)), .ResVal(Reset), .Protect(Protect)
  ) u_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(policy_d),
    .q_o(policy_q),
    .corrected_o, .detected_o
  );

  assign policy_o    = policy_q;
  assign allowed_now = '{
    opcodes: policy_q.opcodes, no_clear_keys: policy_q.no_clear_keys,
    make_keys: policy_q.make_keys, default: '0
  };

  always_comb begin
    unique case (cfg_word_i)
      QueueAllowedWord:  cfg_rdata_o = allowed_now;
      QueueWeightWord:   cfg_rdata_o = 32'(policy_q.weight);
      QueueProcessWord:  cfg_rdata_o = 32'(policy_q.pasid);
      QueueRelativeWord: cfg_rdata_o = 32'(policy_q.relative);
      QueuePieceWord:    cfg_rdata_o = 32'(policy_q.piece);
      default:           cfg_rdata_o = '0;
    endcase
  end

  logic unused;
  assign unused = ^new_allowed;

endmodule
