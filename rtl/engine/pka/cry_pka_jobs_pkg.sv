// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Maps jobs of the engine port to programs of cry_pka: an entry for each mode, with rows of 256
// bits, or of more. Machines with one curve each, with rows of 384 and 576 bits, have the same
// numbers of rows and programs (tests/pka/test_pka_engine.py): those of P-384 stand for both.
package cry_pka_jobs_pkg;

  import cry_pka_isa_pkg::row_addr_t;
  import cry_pka_pkg::*;
  import cry_pka_program256_pkg::*;

  // Rows of a message at most, but of RSA. Not all programs take as many.
  parameter int unsigned MaxRows = 6;

  typedef logic [5:0] count_t;  // rows

  // Bits of the count of a message's rows, or of a result's.
  function automatic int unsigned count_bits(int unsigned row_bits);
    return (row_bits == 512) ? $bits(count_t) : $clog2(MaxRows + 1);
  endfunction

  typedef struct packed {
    logic                    known;    // there is such a mode
    logic [3:0]              prog;     // its program: program_e of the package
    logic                    big;      // numbers are big-endian strings, as of SEC 1; else little
    logic                    keyed;    // a key comes, and goes to RowK
    logic                    pair;     // with rows of 256 bits: a second row of it, to RowNonce0
    logic [6:0]              bytes;    // that the job says its key has; 0: any
    count_t                  results;  // rows of the result, from RowResult on
    count_t                  rows;     // rows of a message
    row_addr_t [MaxRows-1:0] row;      // where they go: the first one is [0]
  } program_job_t;

  // What a job begins with; rows that a mode does not name are never written.
  localparam program_job_t Keyed = '{
    known: 1'b1, prog: ProgX25519, big: 1'b1, keyed: 1'b1, pair: 1'b0, bytes: 7'd0, results: 6'd1,
    rows: 6'd0, row: {MaxRows{RowU}}
  };

  // With rows of 256 bits.
  function automatic program_job_t job_of(logic [3:0] mode);
    program_job_t job;
    job = Keyed;
    unique case (mode)
      ModeX25519: begin
        {job.big, job.rows} = {1'b0, 6'd1};
      end
      ModeP256Ecdh: begin
        {job.prog, job.rows} = {ProgP256Ecdh, 6'd2};
        job.row[1:0] = {RowY, RowX};
      end
      ModeP256Sign: begin
        {job.prog, job.results, job.rows} = {ProgP256Sign, 6'd2, 6'd1};
        job.row[0] = RowE;
      end
      ModeP256Verify: begin
        {job.prog, job.keyed, job.rows} = {ProgP256Verify, 1'b0, 6'd5};
        job.row[4:0] = {RowSigS, RowSigR, RowE, RowY, RowX};
      end
      ModeP256Public: begin
        {job.prog, job.results} = {ProgP256Public, 6'd2};
      end
      ModeP256Keygen: begin
        {job.prog, job.keyed, job.results} = {ProgP256Keygen, 1'b0, 6'd3};
      end
      ModeEd25519Public: begin
        {job.prog, job.big} = {ProgEd25519Public, 1'b0};
      end
      // Those of a signature by r of its user take no key, and so none from a slot: see the README.
      ModeEd25519Commit: begin
        {job.prog, job.big, job.keyed, job.rows} = {ProgEd25519Commit, 1'b0, 1'b0, 6'd2};
        job.row[1:0] = {RowNonce1, RowNonce0};
      end
      ModeEd25519Sign: begin
        {job.prog, job.big, job.keyed, job.rows} = {ProgEd25519Sign, 1'b0, 1'b0, 6'd6};
        job.results  = 6'd2;
        job.row[5:0] = {RowSigR, RowHash1, RowHash0, RowNonce1, RowNonce0, RowK};
      end
      ModeEd25519Verify: begin
        {job.prog, job.big, job.keyed, job.rows} = {ProgEd25519Verify, 1'b0, 1'b0, 6'd5};
        job.row[4:0] = {RowSigS, RowSigR, RowHash1, RowHash0, RowU};
      end
      ModeEd25519Keygen: begin
        {job.prog, job.big, job.keyed, job.results} = {ProgEd25519Keygen, 1'b0, 1'b0, 6'd2};
      end
      // Those of a nonce of the engine. The second row of a key that has one is zero for the first
      // of them, which makes it anew.
      ModeEd25519Nonce: begin
        {job.prog, job.big, job.pair, job.bytes} = {ProgEd25519Nonce, 1'b0, 1'b1, 7'd32};
        job.results = 6'd3;
      end
      ModeEd25519SignOnce: begin
        {job.prog, job.big, job.pair, job.bytes} = {ProgEd25519SignOnce, 1'b0, 1'b1, 7'd64};
        {job.results, job.rows} = {6'd2, 6'd3};
        job.row[2:0] = {RowSigR, RowHash1, RowHash0};
      end
      ModeX25519Keygen: begin
        {job.prog, job.big, job.keyed, job.results} = {ProgX25519Keygen, 1'b0, 1'b0, 6'd2};
      end
      default: job.known = 1'b0;
    endcase
    return job;
  endfunction

  // With rows of 384 or 576 bits, and so many bytes of a key.
  function automatic program_job_t wide_job_of(logic [3:0] mode, logic [6:0] bytes);
    program_job_t job;
    job       = Keyed;
    job.bytes = bytes;
    unique case (mode)
      ModeCurveEcdh: begin
        job.rows     = 6'd2;
        job.prog     = cry_pka_program384_pkg::ProgP384Ecdh;
        job.row[1:0] = {cry_pka_program384_pkg::RowY, cry_pka_program384_pkg::RowX};
      end
      ModeCurveSign: begin
        {job.results, job.rows} = {6'd2, 6'd1};
        job.prog   = cry_pka_program384_pkg::ProgP384Sign;
        job.row[0] = cry_pka_program384_pkg::RowE;
      end
      ModeCurveVerify: begin
        {job.keyed, job.rows} = {1'b0, 6'd5};
        job.prog     = cry_pka_program384_pkg::ProgP384Verify;
        job.row[4:0] = {cry_pka_program384_pkg::RowSigS, cry_pka_program384_pkg::RowSigR,
                        cry_pka_program384_pkg::RowE, cry_pka_program384_pkg::RowY,
                        cry_pka_program384_pkg::RowX};
      end
      ModeCurvePublic: begin
        {job.prog, job.results} = {cry_pka_program384_pkg::ProgP384Public, 6'd2};
      end
      ModeCurveKeygen: begin
        {job.keyed, job.results} = {1'b0, 6'd3};
        job.prog = cry_pka_program384_pkg::ProgP384Keygen;
      end
      default: job.known = 1'b0;
    endcase
    return job;
  endfunction

  // Rows of a prime of RSA, half of those of the modulus.
  function automatic count_t rsa_half(logic [3:0] mode);
    unique case (mode)
      ModeRsa2048Private, ModeRsa2048Public, ModeRsa2048Public64, ModeRsa2048Sealed,
      ModeRsa2048Seal: return 6'd2;
      ModeRsa3072Private, ModeRsa3072Public, ModeRsa3072Public64, ModeRsa3072Sealed,
      ModeRsa3072Seal: return 6'd3;
      default: return 6'd4;
    endcase
  endfunction

  function automatic logic rsa_private(logic [3:0] mode);
    return mode inside {ModeRsa2048Private, ModeRsa3072Private, ModeRsa4096Private};
  endfunction

  // The exponent is given.
  function automatic logic rsa_public64(logic [3:0] mode);
    return mode inside {ModeRsa2048Public64, ModeRsa3072Public64, ModeRsa4096Public64};
  endfunction

  // With rows of 512 bits. Where the rows go says rsa_row_of.
  function automatic program_job_t rsa_job_of(logic [3:0] mode);
    program_job_t job;
    count_t half;
    half        = rsa_half(mode);
    job         = Keyed;
    job.known   = cry_pka_program512_pkg::is_program(mode);
    job.prog    = mode;
    job.keyed   = 1'b0;
    job.results = half << 1;
    job.rows    = rsa_private(mode) ? (half << 3) + half : (half << 2) + 6'(rsa_public64(mode));
    return job;
  endfunction

  // The private key is sealed.
  function automatic logic rsa_sealed(logic [3:0] mode);
    return mode inside {ModeRsa2048Sealed, ModeRsa3072Sealed, ModeRsa4096Sealed};
  endfunction

  // What sealed keys are for, beside n the associated data: 16 characters, the first in bits 7:0.
  function automatic logic [127:0] rsa_purpose(logic [3:0] mode);
    unique case (mode)
      ModeRsa2048Sealed, ModeRsa2048Seal: rsa_purpose = "RSA-2048-private";
      ModeRsa3072Sealed, ModeRsa3072Seal: rsa_purpose = "RSA-3072-private";
      default:                            rsa_purpose = "RSA-4096-private";
    endcase
    return reversed(rsa_purpose);
  endfunction

  // Numbers of a message of RSA in their order, and the lowest row of each.
  localparam int unsigned RsaNumbers = 8;
  localparam row_addr_t RsaLowest[RsaNumbers] = '{
    cry_pka_program512_pkg::RowModulus,
    cry_pka_program512_pkg::RowPrimeP,
    cry_pka_program512_pkg::RowPrimeQ,
    cry_pka_program512_pkg::RowExponentP,
    cry_pka_program512_pkg::RowExponentQ,
    cry_pka_program512_pkg::RowCoefficient,
    cry_pka_program512_pkg::RowExponent,
    cry_pka_program512_pkg::RowMessage
  };

  // Where the row of a message of RSA goes that has so many in front of it. The highest row of a
  // number comes first, as numbers are big-endian.
  function automatic row_addr_t rsa_row_of(logic [3:0] mode, count_t front);
    logic found;
    count_t left, size;
    found      = 1'b0;
    left       = front;
    rsa_row_of = RsaLowest[0];
    for (int unsigned n = 0; n < RsaNumbers; n++) begin
      size = rsa_private(mode) ? rsa_half(mode) : 6'd0;
      if (n == 6) size = 6'(rsa_public64(mode));
      if ((n == 0) || (n == RsaNumbers - 1)) size = rsa_half(mode) << 1;
      if (!found && (left < size)) begin
        found      = 1'b1;
        rsa_row_of = RsaLowest[n] + row_addr_t'(size) - row_addr_t'(left) - 8'd1;
      end
      left = left - size;
    end
  endfunction

  // A beat with its bytes in the other order.
  function automatic logic [127:0] reversed(logic [127:0] data);
    for (int unsigned i = 0; i < 16; i++) reversed[8*i+:8] = data[8*(15-i)+:8];
  endfunction

endpackage
