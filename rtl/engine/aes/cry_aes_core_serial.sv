// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES core with an 8-bit datapath and one S-box: cry_aes_core_serial_enc128, smaller and slightly
// faster, if built for AES-128 encryption alone, else cry_aes_core_serial_full; their headers state
// latency and wiping. Both take their inputs at the start of a block and are zero when idle.
module cry_aes_core_serial #(
  parameter bit EnDecrypt = 1'b1,  // build OpDecrypt, OpExpand; otherwise all operations encrypt
  parameter bit EnKey192  = 1'b1,  // build 192-bit keys
  parameter bit EnKey256  = 1'b1   // build 256-bit keys
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // drops the block and wipes

  // A block with its operation and key
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  cry_aes_pkg::op_e in_op_i,
  input  logic [1:0]       in_key_len_i,  // key_len_e
  input  logic [255:0]     in_key_i,      // byte 0 in bits 7:0; OpDecrypt: the expanded key
  input  logic [127:0]     in_block_i,

  // The result; stable until taken
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [127:0]     out_block_o,
  output logic [255:0]     out_key_o  // OpExpand: last window of the key schedule
);

  if (EnDecrypt || EnKey192 || EnKey256) begin : gen_full
    cry_aes_core_serial_full #(
      .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256)
    ) u_core (
      .clk_i, .rst_ni, .clear_i,
      .in_valid_i, .in_ready_o, .in_op_i, .in_key_len_i, .in_key_i, .in_block_i,
      .out_valid_o, .out_ready_i, .out_block_o, .out_key_o
    );
  end else begin : gen_enc128
    cry_aes_core_serial_enc128 u_core (
      .clk_i, .rst_ni, .clear_i,
      .in_valid_i, .in_ready_o, .in_key_i(in_key_i[127:0]), .in_block_i,
      .byte_valid_i(1'b0), .byte_i('0),
      .out_valid_o, .out_ready_i, .out_block_o
    );
    assign out_key_o = '0;

    logic unused_inputs;
    assign unused_inputs = ^{in_op_i, in_key_len_i, in_key_i[255:128]};
  end

endmodule
