// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Poly1305 arithmetic: x = (x + block) * r modulo 2^130 - 5, a 16-byte block in `Steps` cycles.
//
// A block is added when it is accepted and multiplied in the `Steps` cycles that follow, in the
// last of which the next block may be accepted. r is taken in digits, highest first. The product
// stays in carry-save form until it is reduced to 132 bits, so that a cycle has one long carry.
//
// The block with in_final_i is s: it is accepted in the second cycle in which x is idle (in the
// first one x is reduced below twice the modulus), and then tag_o is the tag. No latency depends on
// data.
//
// Protection: x and control are triplicated or doubled. Partial products are checked by parity; at
// ProtectCorrect a wrong bit restarts the multiplication.
module cry_poly1305_core #(
  // Cycles per block: 1 (full multiplier), 2, 4 or more
  parameter int unsigned               Steps   = 2,
  // Level of protection
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,  // sets x to zero

  input  logic [123:0] r_i,  // clamped; stable from the first block to the last

  // Blocks
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [128:0] in_block_i,  // little-endian, with the bit above its last byte
  input  logic         in_final_i,  // the block is s

  output logic [127:0] tag_o,  // after the block with in_final_i

  output logic         corrected_o,  // an upset was corrected; not before the first clear_i
  output logic         detected_o    // an upset cannot be corrected; not before the first clear_i
);

  import cry_protect_pkg::*;

  localparam bit       Checked = Protect != ProtectNone;
  localparam protect_e Control = Checked ? ProtectCorrect : ProtectNone;
  localparam protect_e Parity  = Checked ? ProtectDetect : ProtectNone;

  // Up to four steps the digits are whole words, whose clamped bits then fall together.
  localparam int unsigned Digit  = (Steps <= 4) ? 128 / Steps : (124 + Steps - 1) / Steps;
  localparam int unsigned Width  = 133 + Digit;  // of the product
  localparam int unsigned CountW = (Steps > 1) ? $clog2(Steps) : 1;
  localparam logic [CountW-1:0] LastStep = CountW'(Steps - 1);

  logic [131:0]      x_q, accumulated;
  logic              pending_q, pending_d;  // x_q waits for or is in multiplication
  logic              folded_q, folded_d;    // x_q has been reduced for the end
  logic [CountW-1:0] count_q, count_d;
  logic              last, fold, in_fire;
  logic [Digit-1:0]  digit;
  logic              acc_fault, control_corrected, x_corrected, x_detected;

  assign last       = pending_q & (count_q == LastStep) & !acc_fault;
  assign fold       = !pending_q & in_valid_i & in_final_i & !folded_q;
  assign in_ready_o = in_final_i ? !pending_q & folded_q : !pending_q | last;
  assign in_fire    = in_valid_i & in_ready_o;
  assign pending_d  = !clear_i & ((in_fire & !in_final_i) | (pending_q & !last));
  assign folded_d   = !clear_i & (fold | folded_q);
  assign count_d    = (pending_q & !last & !acc_fault & !clear_i) ? count_q + CountW'(1) : '0;

  logic unused_control;
  cry_reg_tmr #(
    .Width(2 + CountW), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({pending_d, folded_d, count_d}),
    .inject_i   (1'b0),
    .q_o        ({pending_q, folded_q, count_q}),
    .corrected_o(control_corrected),
    .detected_o (unused_control)
  );

  assign corrected_o = control_corrected | x_corrected | ((Protect == ProtectCorrect) & acc_fault);
  assign detected_o  = x_detected | ((Protect == ProtectDetect) & acc_fault);

  // --- Product ----------------------------------------------------------------------------------

  logic [131:0] sum;

  if (Steps == 1) begin : gen_whole
    assign digit       = 128'(r_i);
    assign accumulated = '0;
    assign acc_fault   = 1'b0;
  end else begin : gen_digits
    logic [Steps-1:0][Digit-1:0] digits;
    logic [131:0]                acc_q, unused_raw;
    logic                        unused_corrected, acc_wrong;
    assign digits = (Steps * Digit)'(r_i);
    assign digit  = digits[LastStep-count_q];

    // Zero while the first digit is multiplied.
    cry_reg_ecc #(
      .Width(132), .EnReset(1'b0), .Protect(Parity)
    ) u_acc (
      .clk_i, .rst_ni,
      .en_i       (1'b1),
      .d_i        ({132{pending_q & !last & !acc_fault & !clear_i}} & sum),
      .inject_i   (1'b0),
      .q_o        (acc_q),
      .raw_o      (unused_raw),
      .corrected_o(unused_corrected),
      .detected_o (acc_wrong)
    );
    assign acc_fault   = pending_q & acc_wrong;
    assign accumulated = acc_q;
  end

  logic [Width-1:0] rows [Digit+1];
  logic [Width-1:0] product_s, product_c;
  always_comb begin
    /* verilator unroll_disable */
    for (int unsigned i = 0; i < Digit; i++) begin
      rows[i] = Width'({132{digit[i] & pending_q}} & x_q) << i;
    end
    rows[Digit] = Width'(accumulated) << Digit;
  end
  cry_poly1305_compress #(
    .Rows(Digit + 1), .Width(Width)
  ) u_product (
    .rows_i(rows), .sum_o(product_s), .carry_o(product_c)
  );

  // --- Reduction --------------------------------------------------------------------------------

  // 2^130 is 5. Below twice the modulus at most one subtraction is needed, which is adding 5.
  logic [131:0] terms [7];
  logic [131:0] sum_s, sum_c;
  logic         above;
  assign above = x_q[130] | ((&x_q[129:3]) & (x_q[2:0] >= 3'd3));
  always_comb begin
    terms[0] = 132'(product_s[129:0]);
    terms[1] = 132'(product_c[129:0]);
    terms[2] = 132'(product_s[Width-1:130]);
    terms[3] = 132'(product_s[Width-1:130]) << 2;
    terms[4] = 132'(product_c[Width-1:130]);
    terms[5] = 132'(product_c[Width-1:130]) << 2;
    if (!pending_q) begin
      terms[0] = fold ? 132'(x_q[129:0]) : x_q;
      terms[2] = fold ? 132'(x_q[131:130]) : 132'(above & in_final_i);
      terms[3] = fold ? 132'(x_q[131:130]) << 2 : 132'(above & in_final_i) << 2;
    end
    terms[6] = {132{in_fire}} & 132'(in_block_i);
  end
  cry_poly1305_compress #(
    .Rows(7), .Width(132)
  ) u_sum (
    .rows_i(terms), .sum_o(sum_s), .carry_o(sum_c)
  );
  assign sum = sum_s + sum_c;

  cry_reg_tmr #(
    .Width(132), .EnReset(1'b0), .Protect(Protect)
  ) u_x (
    .clk_i, .rst_ni,
    .en_i       (clear_i | in_fire | last | fold),
    .d_i        ({132{!clear_i}} & sum),
    .inject_i   (1'b0),
    .q_o        (x_q),
    .corrected_o(x_corrected),
    .detected_o (x_detected)
  );

  assign tag_o = x_q[127:0];

endmodule
