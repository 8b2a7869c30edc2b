// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types between the parts of the public-key engine.
package cry_pka_pkg;

  // Modes of jobs on the engine port, with rows of 256 bits.
  typedef enum logic [3:0] {
    ModeX25519          = 4'd0,
    ModeP256Ecdh        = 4'd1,
    ModeP256Sign        = 4'd2,
    ModeP256Verify      = 4'd3,
    ModeP256Public      = 4'd4,
    ModeP256Keygen      = 4'd5,
    ModeEd25519Public   = 4'd6,
    ModeEd25519Commit   = 4'd7,
    ModeEd25519Sign     = 4'd8,
    ModeEd25519Verify   = 4'd9,
    ModeEd25519Keygen   = 4'd10,
    ModeEd25519Nonce    = 4'd11,
    ModeEd25519SignOnce = 4'd12,
    ModeX25519Keygen    = 4'd13
  } mode_e;

  // With wider rows: of P-384 with rows of 384 bits, of P-521 with rows of 576.
  typedef enum logic [3:0] {
    ModeCurveEcdh   = 4'd10,
    ModeCurveSign   = 4'd11,
    ModeCurveVerify = 4'd12,
    ModeCurvePublic = 4'd13,
    ModeCurveKeygen = 4'd14
  } wide_mode_e;

  // With rows of 512 bits: of RSA, up to 8 the numbers of its programs. `Public` has the exponent
  // 65537, `Public64` one that is given. From 9 on they are those of cry_pka_rsa_engine alone.
  typedef enum logic [3:0] {
    ModeRsa2048Private  = 4'd0,
    ModeRsa3072Private  = 4'd1,
    ModeRsa4096Private  = 4'd2,
    ModeRsa2048Public   = 4'd3,
    ModeRsa2048Public64 = 4'd4,
    ModeRsa3072Public   = 4'd5,
    ModeRsa3072Public64 = 4'd6,
    ModeRsa4096Public   = 4'd7,
    ModeRsa4096Public64 = 4'd8,
    ModeRsa2048Sealed   = 4'd9,
    ModeRsa3072Sealed   = 4'd10,
    ModeRsa4096Sealed   = 4'd11,
    ModeRsa2048Seal     = 4'd12,
    ModeRsa3072Seal     = 4'd13,
    ModeRsa4096Seal     = 4'd14,
    ModeSealingKey      = 4'd15
  } rsa_mode_e;

  // How a program ended.
  typedef enum logic [2:0] {
    StatusOk      = 3'd0,  // the result is there
    StatusRefused = 3'd1,  // the program refused what it was given: see the program
    StatusRandom  = 3'd2,  // no random bits within RandomCycles
    StatusFault   = 3'd3,  // an instruction or nesting that cannot be, or no end in MaxCycles
    StatusParam   = 3'd4   // no such program, or a row that may not be written
  } status_e;

  // A row of a result, by number; programs give up to eight.
  typedef logic [2:0] result_t;

  // What of the ROM is asked for: a row before a program, or a constant that no row has.
  typedef struct packed {
    logic                       extra;   // it is one of these
    cry_pka_isa_pkg::row_addr_t number;  // its number, or that of the row
  } fill_t;

  // Which products a multiplication is made of.
  typedef enum logic [1:0] {
    ShapeFull,    // all limbs by all
    ShapeSquare,  // of the two products of unlike limbs one, doubled
    ShapeSingle,  // all limbs by one; rows of 256 bits
    ShapeLow      // those of the lower row; rows of 512 bits
  } shape_e;

  typedef enum logic [1:0] {
    ReduceNone,
    ReduceFold,  // 2^256 = 38; rows of 256 bits
    ReduceMont   // Montgomery, of the prime of P-256, P-384 or P-521
  } reduce_e;

  // What goes along with a product. One of zeros is of no multiplication.
  typedef struct packed {
    logic       valid;
    logic       start;   // first product of its column
    logic       last;    // of its multiplication
    logic [3:0] column;  // weight: 2^(64 column); the last one of rows of 576 bits, 16, stands as 7
    reduce_e    reduce;
    logic       single;  // of ShapeSingle or ShapeLow
  } tag_t;

  // A sum of multiplier and accumulator: bits of a column, with sign. Rows of 576 bits have sums of
  // nine products and none that is negative: there the highest bit is no sign.
  parameter int unsigned SumBits = 132;
  typedef logic signed [SumBits-1:0] sum_t;

  // Rows of a product by Booth's recoding in base 8, and their bits: four times the multiplicand,
  // and a sign, which they have inverted. Together they are so much more than the product.
  parameter int unsigned BoothDigits = 22;
  parameter int unsigned BoothBits   = 68;

  function automatic sum_t booth_bias();
    sum_t value = '0;
    for (int unsigned d = 0; d < BoothDigits; d++) value += sum_t'(1) << (3 * d + BoothBits - 1);
    return value;
  endfunction

  parameter sum_t BoothBias = booth_bias();

  // Bits of the sum of products in `fast`: at most six limbs of a square and a carry.
  parameter int unsigned FastSumBits = 385;

  // What goes along with its products. One of zeros is of no multiplication.
  typedef struct packed {
    logic    valid;
    logic    first;   // of their multiplication
    logic    last;    // likewise
    logic    square;  // it is of ShapeSquare
    logic    single;  // it is of ShapeSingle
    reduce_e reduce;
  } step_t;

  // Numbers that Montgomery's reduction adds to the next column at once: cry_pka_quotient.
  function automatic int unsigned next_rows(int unsigned row_bits);
    return (row_bits == 384) ? 2 : 1;
  endfunction

  // Bits of what it adds to the column behind that, with sign.
  function automatic int unsigned ahead_bits(int unsigned row_bits);
    return (row_bits == 576) ? 74 : 67;
  endfunction

  // Multiplications that can be on their way at once: when one more issues, the first has written
  // or does.
  function automatic int unsigned pending(int unsigned lanes);
    return (lanes == cry_pka_isa_pkg::CompactLanes) ? 2 : cry_pka_isa_pkg::FastDrain;
  endfunction

  // Cycles that a program may take, without waits for random bits.
  function automatic int unsigned max_cycles(int unsigned row_bits);
    return (row_bits == 256) ? 1 << 17 : (row_bits == 384) ? 1 << 18
           : (row_bits == 512) ? 1 << 23 : 1 << 20;
  endfunction

  // Whether there are sums modulo a row, and Montgomery's products: numbers of several rows of 512
  // bits have programs for that, of sums with carries.
  function automatic bit is_modular(int unsigned row_bits);
    return row_bits != 512;
  endfunction

  // Rows of data; those from here on are constants.
  function automatic int unsigned data_rows(int unsigned row_bits);
    return (row_bits == 512) ? cry_pka_isa_pkg::DataRows512 : cry_pka_isa_pkg::DataRows;
  endfunction

  // How deep calls nest.
  function automatic int unsigned calls(int unsigned row_bits);
    return (row_bits == 512) ? cry_pka_isa_pkg::Calls512 : cry_pka_isa_pkg::Calls;
  endfunction

  // What the ALU does.
  typedef struct packed {
    logic subtract;  // b
    logic modular;   // the modulus is subtracted or added once, if need be
    logic carry;     // into the sum; into a difference it is a borrow
    logic over;      // 2^RowBits is added to a
    logic gcd;       // OpGcd or OpGcdr; these are differences
    logic cof;       // OpCof or OpCofr
    logic odd;       // of cof: the difference is odd
    logic less;      // of gcd with one lane, and of cof: b - a is meant, and carry is high
  } alu_op_t;

endpackage
