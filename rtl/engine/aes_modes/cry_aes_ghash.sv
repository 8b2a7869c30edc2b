// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// GHASH: y = (y + block) * h, block by block. No latency depends on data.
//
//   OneCycle = 0  13 bits per cycle: one block every ten cycles, the throughput of AES with ten
//                 rounds; h may change while h_ready_o is high
//   OneCycle = 1  one block per cycle; y_o includes a block two cycles after it was accepted, and h
//                 may change in the cycle after
//
// Registers have no reset: hold wipe_i for one cycle after reset.
module cry_aes_ghash
  import cry_aes_ghash_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter bit       OneCycle = 1'b0,        // one block per cycle
  parameter protect_e Protect  = ProtectNone  // level of protection
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,  // zeroizes everything

  input  logic         h_load_i,  // loads h_i
  input  logic [127:0] h_i,       // hash subkey
  input  logic         h_wipe_i,  // zeroizes h
  input  logic         y_load_i,  // loads y_i
  input  logic [127:0] y_i,       // saved value
  input  logic         y_wipe_i,  // zeroizes y

  // Blocks to hash
  input  logic         block_valid_i,
  output logic         block_ready_o,
  input  logic [127:0] block_i,

  output logic         h_ready_o,  // h may be loaded
  output logic         idle_o,     // y_o is valid
  output logic [127:0] y_o,        // value; valid while idle_o

  output logic         corrected_o,  // an upset was corrected
  output logic         detected_o    // an upset cannot be corrected
);

  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  // h, y and x as polynomials. OneCycle: x is the next block; else its remaining digits.
  localparam int unsigned XWidth = OneCycle ? 128 : 130;  // ten digits of 13

  logic [127:0]      h_q, h_d, y_q, y_d, block;
  logic [XWidth-1:0] x_q, x_d;
  logic              take;
  logic [3:0]        corrected, detected;

  assign block = from_block(block_i);
  assign take  = block_valid_i & block_ready_o & !wipe_i;
  assign y_o   = from_block(y_q);
  assign h_d   = (wipe_i | !h_load_i) ? '0 : from_block(h_i);

  if (OneCycle) begin : gen_one_cycle
    logic busy_q;
    cry_reg_tmr #(.Width(1), .Protect(Control)) u_busy (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(take), .inject_i(1'b0), .q_o(busy_q),
      .corrected_o(corrected[0]), .detected_o(detected[0])
    );
    assign block_ready_o = 1'b1;
    assign h_ready_o     = 1'b1;
    assign idle_o        = !busy_q;
    assign x_d           = {128{take}} & block;
    always_comb begin
      y_d = y_q;
      if (busy_q)            y_d = reduce(mul128(y_q ^ x_q, h_q));
      if (y_load_i)          y_d = from_block(y_i);
      if (wipe_i | y_wipe_i) y_d = '0;
    end
  end else begin : gen_digits
    // Counts 1 to 10 while busy.
    logic [3:0]   count_q, count_d;
    logic         last;
    logic [127:0] sum;
    cry_reg_tmr #(.Width(4), .Protect(Control)) u_count (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(count_d), .inject_i(1'b0), .q_o(count_q),
      .corrected_o(corrected[0]), .detected_o(detected[0])
    );
    assign idle_o        = count_q == '0;
    assign last          = count_q == 4'd10;
    assign block_ready_o = idle_o | last;
    assign h_ready_o     = idle_o | last;
    assign sum           = idle_o ? y_q : step13(y_q, x_q[129:117], h_q);
    always_comb begin
      count_d = count_q;
      x_d     = x_q;
      y_d     = sum;
      if (!idle_o) begin
        count_d = last ? 4'd0 : count_q + 4'd1;
        x_d     = x_q << 13;
      end
      if (take) begin
        count_d = 4'd1;
        x_d     = 130'(sum ^ block);
        y_d     = '0;
      end
      if (y_load_i)          y_d = from_block(y_i);
      if (wipe_i | y_wipe_i) y_d = '0;
      if (wipe_i) begin
        count_d = '0;
        x_d     = '0;
      end
    end
  end

  cry_reg #(.T(logic [127:0]), .Protect(Protect)) u_h (
    .clk_i, .rst_ni, .en_i(wipe_i | h_load_i | h_wipe_i), .d_i(h_d), .q_o(h_q),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );
  cry_reg #(.T(logic [127:0]), .Protect(Protect)) u_y (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(y_d), .q_o(y_q),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );
  cry_reg #(.T(logic [XWidth-1:0]), .Protect(Protect)) u_x (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(x_d), .q_o(x_q),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

endmodule
