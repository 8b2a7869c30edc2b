// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Poly1305's arithmetic: x = (x + block) * r modulo 2^130 - 5, a block of 16 bytes in `Steps` cycles.
//
// A block is added when it is accepted, and multiplied in the `Steps` cycles behind, in the last of
// which the next block may be accepted. r is taken in digits, the highest first; each step reduces
// so far that x stays below 2^131. The block with in_final_i is s: it is accepted when x is at rest,
// reduces x wholly, and leaves the tag in tag_o. clear_i makes x zero. No latency depends on data.
//
// Parameters:
//   Steps  cycles per block: 1 (one large multiplier) to 124
module poly1305_core #(
  parameter int unsigned Steps = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,

  input  logic [127:0] r_i,         // clamped; stable from the first block to the last

  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [128:0] in_block_i,  // with the bit that marks its end
  input  logic         in_final_i,

  output logic [127:0] tag_o
);

  localparam int unsigned Digit  = (124 + Steps - 1) / Steps;  // bits
  localparam int unsigned CountW = (Steps > 1) ? $clog2(Steps) : 1;
  localparam logic [CountW-1:0] LastStep = CountW'(Steps - 1);

  logic [130:0]       x_q;
  logic               pending_q, pending_d;  // x_q waits for or is in multiplication
  logic [CountW-1:0]  count_q, count_d;
  logic               last, in_fire;
  logic [Digit-1:0]   digit;
  logic [131+Digit:0] product;
  logic [130:0]       sum, sum_a, accumulated;
  logic [Digit+4:0]   sum_b;
  logic               above;

  assign last       = pending_q & (count_q == LastStep);
  assign in_ready_o = !pending_q | (last & !in_final_i);
  assign in_fire    = in_valid_i & in_ready_o;
  assign pending_d  = !clear_i & ((in_fire & !in_final_i) | (pending_q & !last));
  assign count_d    = (pending_q & !last & !clear_i) ? count_q + CountW'(1) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      count_q   <= '0;
    end else begin
      pending_q <= pending_d;
      count_q   <= count_d;
    end
  end

  // The digits of r by step, and what the steps before have made.
  if (Steps == 1) begin : gen_whole
    logic unused_r;
    assign unused_r    = ^r_i[127:124];
    assign digit       = r_i[123:0];
    assign accumulated = '0;
  end else begin : gen_digits
    logic [Steps-1:0][Digit-1:0] digits;
    logic [130:0]                acc_q;
    logic                        unused_r;
    assign unused_r = ^r_i[127:124];
    assign digits   = (Steps * Digit)'(r_i[123:0]);
    assign digit    = digits[LastStep-count_q];
    always_ff @(posedge clk_i) begin
      acc_q <= {131{pending_q & !last & !clear_i}} & sum;
    end
    assign accumulated = acc_q;
  end

  assign product = ((132 + Digit)'(accumulated) << Digit) + (132 + Digit)'(x_q) * (132 + Digit)'(digit);

  // 2^130 is 5. x below twice the modulus needs at most one subtraction, which is adding 5.
  assign above = x_q[130] | ((&x_q[129:3]) & (x_q[2:0] >= 3'd3));
  assign sum_a = pending_q ? 131'(product[129:0]) : x_q;
  always_comb begin
    sum_b = (Digit + 5)'(above & in_final_i) * (Digit + 5)'(5);
    if (pending_q) begin
      sum_b = (Digit + 5)'(product[131+Digit:130]) + ((Digit + 5)'(product[131+Digit:130]) << 2);
    end
  end
  assign sum = sum_a + 131'(sum_b) + ({131{in_fire}} & 131'(in_block_i));

  always_ff @(posedge clk_i) begin
    if (clear_i)             x_q <= '0;
    else if (in_fire | last) x_q <= sum;
  end

  assign tag_o = x_q[127:0];

endmodule
