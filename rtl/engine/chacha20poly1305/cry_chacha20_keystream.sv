// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The ChaCha20 keystream, row by row, from one of the cores.
//
// start_i loads the block counter. While run_i is high the core computes blocks, and rows of 16
// bytes are valid in order; while it is low all keystream is dropped, and the next run begins with
// row 0 of a block. The initial state is added to a row as it leaves, with one row of adders.
//
// Protection: a wrong word in core or buffer is found before its row leaves; row_valid_o is low in
// that cycle.
//
//   ProtectDetect   detected_o is high at the first fault
//   ProtectCorrect  the block is recomputed from the counter of the oldest block not wholly taken,
//                   and continues with the current row: only time is lost. detected_o is high when
//                   that fails Tries times without a row in between
module cry_chacha20_keystream #(
  // The core
  parameter cry_chacha20poly1305_pkg::impl_e Impl    = cry_chacha20poly1305_pkg::ImplOpt,
  // A register for a finished block, during the next; without: ImplStd only
  parameter bit                              Buffer  = 1'b1,
  // Level of protection
  parameter cry_protect_pkg::protect_e       Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           start_i,      // loads the block counter
  input  logic [31:0]                    start_ctr_i,  // block counter of the first block
  input  logic                           run_i,        // level: compute keystream
  // Stable while run_i is high; checks are word_check of each word
  input  logic [255:0]                   key_i,
  input  logic [95:0]                    nonce_i,
  input  logic [7:0][3:0]                key_checks_i,
  input  logic [2:0][3:0]                nonce_checks_i,

  // A row of keystream
  output logic                           row_valid_o,
  input  logic                           row_ready_i,
  output cry_chacha20poly1305_pkg::row_t row_o,
  output logic [1:0]                     row_index_o,  // number of the row in its block
  output logic [31:0]                    ctr_o,        // block counter of row_o

  output logic                           corrected_o,  // an upset was corrected; from start_i on
  output logic                           detected_o    // not correctable; from start_i on
);

  import cry_chacha20poly1305_pkg::*;
  import cry_protect_pkg::*;

  localparam bit         Checked = Protect != ProtectNone;
  localparam protect_e   Control = Checked ? ProtectCorrect : ProtectNone;
  localparam logic [1:0] Tries   = 2'd3;

  localparam logic [3:0][3:0] ConstantChecks = {
    word_check(Constants[3]), word_check(Constants[2]),
    word_check(Constants[1]), word_check(Constants[0])
  };

  logic        fault, core_fault, row_fault, flush;
  logic        core_corrected, ctr_corrected, control_corrected, full_corrected;
  logic        ctr_detected;
  logic [1:0]  tries_q, tries_d;
  logic        row_fire, last_fire, in_fire;
  logic [31:0] ctr_q, ctr_d;
  logic [4:0]  ahead_q, ahead_d;
  logic [1:0]  row_q, row_d;

  assign row_fire    = row_valid_o & row_ready_i;
  assign last_fire   = row_fire & (row_q == 2'd3);
  assign row_index_o = row_q;
  assign ctr_o       = ctr_q;

  // The counter of the oldest block not wholly taken, and how many blocks have been begun from it
  // on.
  always_comb begin
    ctr_d   = last_fire ? ctr_q + 32'd1 : ctr_q;
    ahead_d = ahead_q + 5'(in_fire) - 5'(last_fire);
    row_d   = row_fire ? row_q + 2'd1 : row_q;
    if (flush) ahead_d = '0;
    if (!run_i) row_d = 2'd0;
    if (start_i) ctr_d = start_ctr_i;

    tries_d = tries_q;
    if (!run_i || row_fire) tries_d = 2'd0;
    else if (fault) tries_d = tries_q + 2'd1;
  end

  cry_reg_tmr #(
    .Width(32), .EnReset(1'b0), .Protect(Protect)
  ) u_ctr (
    .clk_i, .rst_ni,
    .en_i       (start_i | last_fire),
    .d_i        (ctr_d),
    .inject_i   (1'b0),
    .q_o        (ctr_q),
    .corrected_o(ctr_corrected),
    .detected_o (ctr_detected)
  );

  logic unused_control;
  if (Protect == ProtectCorrect) begin : gen_control
    cry_reg_tmr #(
      .Width(9), .Protect(Control)
    ) u_control (
      .clk_i, .rst_ni,
      .en_i       (1'b1),
      .d_i        ({tries_d, row_d, ahead_d}),
      .inject_i   (1'b0),
      .q_o        ({tries_q, row_q, ahead_q}),
      .corrected_o(control_corrected),
      .detected_o (unused_control)
    );
  end else begin : gen_no_tries
    logic [1:0] unused_tries;
    assign unused_tries = tries_d;
    assign tries_q      = '0;
    cry_reg_tmr #(
      .Width(7), .Protect(Control)
    ) u_control (
      .clk_i, .rst_ni,
      .en_i       (1'b1),
      .d_i        ({row_d, ahead_d}),
      .inject_i   (1'b0),
      .q_o        ({row_q, ahead_q}),
      .corrected_o(control_corrected),
      .detected_o (unused_control)
    );
  end

  assign fault       = run_i & (core_fault | row_fault);
  assign flush       = !run_i | fault;
  assign corrected_o = core_corrected | ctr_corrected | control_corrected | full_corrected |
                       ((Protect == ProtectCorrect) & fault);
  assign detected_o  = ctr_detected |
                       (fault & ((Protect == ProtectDetect) | (tries_q == Tries)));

  // --- Core -------------------------------------------------------------------------------------

  state_t  in_block, out_block;
  checks_t in_checks, out_checks;
  logic    in_ready, out_valid, out_ready;

  assign in_block  = {nonce_i, ctr_q + 32'(ahead_q), key_i, Constants};
  assign in_checks = {nonce_checks_i, word_check(in_block[3][0]), key_checks_i, ConstantChecks};
  assign in_fire   = run_i & in_ready & !fault;

  if (Impl == ImplStd) begin : gen_std
    cry_chacha20_core_std #(
      .Protect(Protect)
    ) u_core (
      .clk_i,
      .rst_ni,
      .flush_i     (flush),
      .in_valid_i  (run_i),
      .in_ready_o  (in_ready),
      .in_block_i  (in_block),
      .in_checks_i (in_checks),
      .out_valid_o (out_valid),
      .out_ready_i (out_ready),
      .out_block_o (out_block),
      .out_checks_o(out_checks),
      .fault_o     (core_fault),
      .corrected_o (core_corrected)
    );
  end else if (Impl == ImplOpt) begin : gen_opt
    cry_chacha20_core_opt #(
      .Protect(Protect)
    ) u_core (
      .clk_i,
      .rst_ni,
      .flush_i     (flush),
      .in_valid_i  (run_i),
      .in_ready_o  (in_ready),
      .in_block_i  (in_block),
      .in_checks_i (in_checks),
      .out_valid_o (out_valid),
      .out_ready_i (out_ready),
      .out_block_o (out_block),
      .out_checks_o(out_checks),
      .fault_o     (core_fault),
      .corrected_o (core_corrected)
    );
  end else begin : gen_ring
    cry_chacha20_core_ring #(
      .Stages ((Impl == ImplWide) ? 5 : 20),
      .Protect(Protect)
    ) u_core (
      .clk_i,
      .rst_ni,
      .flush_i     (flush),
      .in_valid_i  (run_i),
      .in_ready_o  (in_ready),
      .in_block_i  (in_block),
      .in_checks_i (in_checks),
      .out_valid_o (out_valid),
      .out_ready_i (out_ready),
      .out_block_o (out_block),
      .out_checks_o(out_checks),
      .fault_o     (core_fault),
      .corrected_o (core_corrected)
    );
  end

  // --- Finished block ---------------------------------------------------------------------------

  state_t  rows;
  checks_t checks;
  logic    offered;

  if (Buffer) begin : gen_buffer
    logic    full_q, full_d, unused_detected;
    state_t  block_q;
    checks_t checks_q;

    assign out_ready = !full_q | last_fire;
    assign full_d    = !flush & (out_valid | (full_q & !last_fire));

    cry_reg_tmr #(
      .Width(1), .Protect(Control)
    ) u_full (
      .clk_i, .rst_ni,
      .en_i       (1'b1),
      .d_i        (full_d),
      .inject_i   (1'b0),
      .q_o        (full_q),
      .corrected_o(full_corrected),
      .detected_o (unused_detected)
    );
    always_ff @(posedge clk_i) begin
      if (out_ready | flush) begin
        block_q  <= {512{out_valid & run_i}} & out_block;
        checks_q <= {64{out_valid & run_i & Checked}} & out_checks;
      end
    end

    assign rows    = block_q;
    assign checks  = checks_q;
    assign offered = full_q;
  end else begin : gen_direct
    assign out_ready      = last_fire;
    assign rows           = out_block;
    assign checks         = out_checks;
    assign offered        = out_valid;
    assign full_corrected = 1'b0;
  end

  // Words are compared as their row leaves.
  logic [3:0] wrong;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) wrong[i] = word_check(rows[row_q][i]) != checks[row_q][i];
  end
  assign row_fault   = Checked & offered & (|wrong);
  assign row_valid_o = run_i & offered & !row_fault;

  // The initial state is added word by word.
  state_t initial_rows;
  assign initial_rows = {nonce_i, ctr_q, key_i, Constants};
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) row_o[i] = rows[row_q][i] + initial_rows[row_q][i];
  end

endmodule
