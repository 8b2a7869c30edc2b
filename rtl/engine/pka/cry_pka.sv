// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Public-key engine as programs in a ROM: with rows of 256 bits X25519 (RFC 7748), ECDH
// (SP 800-56A) and ECDSA (FIPS 186-5) on P-256, and Ed25519 (RFC 8032); with rows of 384 bits ECDH
// and ECDSA on P-384, with rows of 576 on P-521; with rows of 512 RSA (RFC 8017) of 2,048 to 4,096
// bits.
//
// A job: rows of inputs are written (row_*), a program starts (start_*), and it ends (done_*), with
// its result, a row each time until done_last_o, two cycles from one to the next. When the last is
// taken all is wiped, as after reset and clear_i; rows and a program are accepted again 256 cycles
// later. No other row but the result ever comes out, and that with StatusOk alone. What programs
// take and how long: README.
//
// Wait for random bits: RandomCycles for each row. Latency: from acceptance of the start to
// done_valid_o the program's cycles and two more, and the wait for random bits.
`include "cry_assert.svh"

module cry_pka
  import cry_pka_isa_pkg::*;
  import cry_pka_pkg::*;
#(
  parameter int unsigned RowBits      = 256,      // bits of a row: 256, 384, 512 or 576
  // Products of the multiplier in a cycle: CompactLanes, or FastLanes with rows of 256 bits.
  parameter int unsigned Lanes        = CompactLanes,
  parameter int unsigned RandomCycles = 1 << 16,  // to wait for random bits, at least 2
  // That a program may take, without these waits.
  parameter int unsigned MaxCycles    = max_cycles(RowBits)
) (
  input  logic clk_i,    // clock
  input  logic rst_ni,   // asynchronous reset
  input  logic clear_i,  // aborts a job, which has no end then, and wipes

  input  logic               row_valid_i,  // an input is to be written
  output logic               row_ready_o,  // it is
  input  row_addr_t          row_addr_i,   // its row: cry_pka_program256_pkg, 384, 512 or 576
  input  logic [RowBits-1:0] row_data_i,   // its value: bit 0 is 2^0

  input  logic       start_valid_i,  // a program is to start
  output logic       start_ready_o,  // it does
  input  logic [3:0] program_i,      // program_e of the package

  input  logic               rnd_valid_i,  // random bits are there
  output logic               rnd_ready_o,  // they are taken
  input  logic [RowBits-1:0] rnd_data_i,   // a row of them, never given twice

  output logic               done_valid_o,   // the program has ended; stable until taken
  input  logic               done_ready_i,   // the end and this row of the result are taken
  output status_e            done_status_o,  // how it ended, the same with each row
  output logic               done_last_o,    // the last row, or the only one, as without StatusOk
  output result_t            done_index_o,   // which row: Results of the package has how many
  output logic [RowBits-1:0] result_o        // stable with done_valid_o; zero but with StatusOk
);

  typedef logic [RowBits-1:0] row_t;

  logic       known, zero, code_re, row_we, row_re;
  code_addr_t entry, code_addr;
  result_t    results;
  word_t      code;
  fill_t      fill_row;
  row_addr_t  waddr, result_row;
  row_addr_t  [1:0] raddr;
  row_t       [1:0] rdata;
  row_t       fill, wdata;

  cry_pka_core #(
    .RowBits(RowBits), .Lanes(Lanes), .RandomCycles(RandomCycles), .MaxCycles(MaxCycles)
  ) u_core (
    .clk_i, .rst_ni, .clear_i,
    .in_valid_i   (row_valid_i),
    .in_ready_o   (row_ready_o),
    .in_row_i     (row_addr_i),
    .in_data_i    (row_data_i),
    .start_valid_i, .start_ready_o,
    .known_i      (known),
    .entry_i      (entry),
    .results_i    (results),
    .zero_i       (zero),
    .rnd_valid_i, .rnd_ready_o, .rnd_data_i,
    .done_valid_o, .done_ready_i, .done_status_o, .done_last_o, .done_index_o,
    .out_row_i    (result_row + row_addr_t'(done_index_o)),
    .out_data_o   (result_o),
    .code_re_o    (code_re),
    .code_addr_o  (code_addr),
    .code_i       (code),
    .fill_row_o   (fill_row),
    .fill_data_i  (fill),
    .row_we_o     (row_we),
    .row_waddr_o  (waddr),
    .row_wdata_o  (wdata),
    .row_re_o     (row_re),
    .row_raddr_a_o(raddr[0]),
    .row_raddr_b_o(raddr[1]),
    .row_a_i      (rdata[0]),
    .row_b_i      (rdata[1])
  );

  cry_pka_rom #(.RowBits(RowBits), .Lanes(Lanes)) u_rom (
    .clk_i,
    .program_i,
    .known_o     (known),
    .entry_o     (entry),
    .results_o   (results),
    .zero_o      (zero),
    .result_row_o(result_row),
    .code_re_i   (code_re),
    .code_addr_i (code_addr),
    .code_o      (code),
    .row_i       (fill_row),
    .value_o     (fill)
  );

  // Two copies, as each has one port to read.
  for (genvar i = 0; i < 2; i++) begin : gen_rows
    cry_pka_ram #(.Width(RowBits), .Depth(Rows)) u_ram (
      .clk_i,
      .we_i   (row_we),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .re_i   (row_re),
      .raddr_i(raddr[i]),
      .rdata_o(rdata[i])
    );
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(ResultStable_A, done_valid_o & !done_ready_i & !clear_i |=> $stable(result_o))
  `CRY_ASSERT(ResultHidden_A, !(done_valid_o & (done_status_o == StatusOk)) |-> result_o == '0)

endmodule
