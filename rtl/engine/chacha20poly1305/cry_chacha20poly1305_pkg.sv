// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types and arithmetic of ChaCha20-Poly1305 (RFC 8439).
//
// A ChaCha20 state is 16 words of 32 bits; word i is bits 32*i+31:32*i, so that a row of four words
// is one beat of the engine port, byte 0 in bits 7:0.
package cry_chacha20poly1305_pkg;

  // ChaCha20 core of the engine.
  typedef enum {
    ImplStd       = 0,  // a quarter round per cycle, 84 cycles per block of 64 bytes
    ImplOpt       = 1,  // a double round per cycle, 10 cycles per block
    ImplWide      = 2,  // five rounds per cycle in a ring of five stages, 4 cycles per block
    ImplPipelined = 3   // a stage per round; the core makes a block per cycle
  } impl_e;

  // job_t.mode
  parameter logic [3:0] ModeChaCha20         = 4'd0;
  parameter logic [3:0] ModePoly1305         = 4'd1;
  parameter logic [3:0] ModeChaCha20Poly1305 = 4'd2;

  // Parts of the engine that report upsets: bits of fault_sites.
  typedef enum logic [2:0] {
    SiteStream = 3'd0,  // keystream: core, block and counter
    SiteMac    = 3'd1,
    SiteKey    = 3'd2,
    SiteParams = 3'd3,  // nonce and lengths
    SiteDst    = 3'd4,  // the beat on `dst`
    SiteState  = 3'd5,
    SiteFlags  = 3'd6,
    SiteStatus = 3'd7
  } site_e;

  typedef logic [31:0]           word_t;
  typedef logic [3:0][31:0]      row_t;
  typedef logic [3:0][3:0][31:0] state_t;   // [row][column]
  typedef logic [3:0]            check_t;   // parities of a word
  typedef logic [3:0][3:0][3:0]  checks_t;  // parities of a state

  // "expand 32-byte k", row 0 of every initial state.
  parameter row_t Constants = 128'h6b206574_79622d32_3320646e_61707865;

  function automatic word_t rotate(word_t x, int unsigned by);
    return (x << by) | (x >> (32 - by));
  endfunction

  // A quarter round; words a, b, c, d are elements 0, 1, 2, 3.
  function automatic row_t quarter_round(row_t in);
    word_t a, b, c, d;
    {d, c, b, a} = in;
    a = a + b;
    d = rotate(d ^ a, 16);
    c = c + d;
    b = rotate(b ^ c, 12);
    a = a + b;
    d = rotate(d ^ a, 8);
    c = c + d;
    b = rotate(b ^ c, 7);
    return {d, c, b, a};
  endfunction

  // Interleaved parity of a word: parity n is that of bits n, n + 4, ... It finds any odd number of
  // wrong bits and any burst of up to four.
  function automatic check_t word_check(word_t x);
    check_t check;
    check = '0;
    for (int unsigned i = 0; i < 8; i++) check ^= x[4*i+:4];
    return check;
  endfunction

  function automatic checks_t state_checks(state_t in);
    checks_t out;
    for (int unsigned r = 0; r < 4; r++) begin
      for (int unsigned i = 0; i < 4; i++) out[r][i] = word_check(in[r][i]);
    end
    return out;
  endfunction

  // Quarter rounds on the four columns.
  function automatic state_t column_round(state_t in);
    state_t out;
    for (int unsigned i = 0; i < 4; i++) begin
      {out[3][i], out[2][i], out[1][i], out[0][i]} =
          quarter_round({in[3][i], in[2][i], in[1][i], in[0][i]});
    end
    return out;
  endfunction

  // Moves word i of row r to column i - by*r: with by = 1 diagonals become columns, with 3 they
  // become diagonals again.
  function automatic state_t turn_rows(state_t in, int unsigned by);
    state_t out;
    for (int unsigned r = 0; r < 4; r++) begin
      for (int unsigned i = 0; i < 4; i++) out[r][i] = in[r][(i + by * r) % 4];
    end
    return out;
  endfunction

  // A column round and a diagonal round.
  function automatic state_t double_round(state_t in);
    return turn_rows(column_round(turn_rows(column_round(in), 1)), 3);
  endfunction

endpackage
