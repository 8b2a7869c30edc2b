// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/pka.yaml by `cryptile generate`: edit that, not this file.

// Instructions of the public-key engine; the catalogue says what each does.
package cry_pka_isa_pkg;

  // Not every constant has a user.
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned LimbBits  = 64;
  parameter int unsigned Rows      = 256;
  parameter int unsigned DataRows  = 160;  // rows from here on are constants
  parameter int unsigned DataRows512 = 248;  // likewise with rows of 512 bits
  parameter int unsigned CodeWords = 4096;
  parameter int unsigned Loops     = 2;  // how deep they nest
  parameter int unsigned Calls     = 2;
  parameter int unsigned Calls512  = 3;  // likewise

  // Multipliers: products of 64 x 64 bits in a cycle, and cycles from the one that selects the last
  // of them to the one that writes the result.
  parameter int unsigned CompactLanes = 1;
  parameter int unsigned CompactDrain = 4;
  parameter int unsigned FastLanes = 4;
  parameter int unsigned FastDrain = 4;
  // verilator lint_on UNUSEDPARAM

  typedef logic [$clog2(Rows)-1:0]      row_addr_t;
  typedef logic [$clog2(CodeWords)-1:0] code_addr_t;

  typedef struct packed {
    logic [7:0] op;
    logic [7:0] d;
    logic [7:0] a;
    logic [7:0] b;
    logic [7:0] imm;
  } word_t;

  typedef enum logic [7:0] {
    OpHalt = 8'd0,
    OpLoop = 8'd1,
    OpNext = 8'd2,
    OpCall = 8'd3,
    OpRet = 8'd4,
    OpRnd = 8'd5,
    OpMod = 8'd6,
    OpDig = 8'd7,
    OpAdd = 8'd8,
    OpSub = 8'd9,
    OpAddx = 8'd10,
    OpSubx = 8'd11,
    OpXor = 8'd12,
    OpAnd = 8'd13,
    OpSel = 8'd14,
    OpCon = 8'd20,
    OpHalf = 8'd15,
    OpMul = 8'd16,
    OpSqr = 8'd17,
    OpMul1 = 8'd18,
    OpMull = 8'd19,
    OpHold = 8'd21,
    OpGcd = 8'd22,
    OpCof = 8'd23,
    OpPush = 8'd24,
    OpGet = 8'd25,
    OpPick = 8'd26,
    OpPut = 8'd27,
    OpGcdr = 8'd28,
    OpCofr = 8'd29
  } op_e;

  // How products are reduced: field imm of multiplications.
  typedef enum logic [7:0] {
    KindRaw = 8'd0,
    KindFold = 8'd1,
    KindMont = 8'd2
  } kind_e;

  // What OpSel asks for: field imm; ChoiceDigit + n is true if the digit's magnitude is n.
  // verilator lint_off UNUSEDPARAM
  parameter logic [7:0] ChoiceCarry = 8'd0;
  parameter logic [7:0] ChoiceNegative = 8'd1;
  parameter logic [7:0] ChoiceLess = 8'd2;
  parameter logic [7:0] ChoiceNoting = 8'd6;
  parameter logic [7:0] ChoiceDigit = 8'd128;
  // verilator lint_on UNUSEDPARAM

  // The modulus of a number with rows of 256 bits.
  parameter logic [7:0] Moduli256 = 8'd5;
  function automatic logic [255:0] modulus256(logic [7:0] number);
    unique case (number)
      8'd0:    return 256'hffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551;  // n
      8'd1:    return 256'hffffffff00000001000000000000000000000000ffffffffffffffffffffffff;  // p
      8'd2:    return 256'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed;  // p25519
      8'd3:    return 256'hffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffda;  // m25519
      8'd4:    return 256'h1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed;  // l25519
      default: return '0;
    endcase
  endfunction

  // The modulus of a number with rows of 384 bits.
  parameter logic [7:0] Moduli384 = 8'd2;
  function automatic logic [383:0] modulus384(logic [7:0] number);
    unique case (number)
      8'd0:    return 384'hffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973;  // n
      8'd1:    return 384'hfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff;  // p
      default: return '0;
    endcase
  endfunction

  // The modulus of a number with rows of 576 bits.
  parameter logic [7:0] Moduli576 = 8'd2;
  function automatic logic [575:0] modulus576(logic [7:0] number);
    unique case (number)
      8'd0:    return 576'h00000000000001fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409;  // n
      8'd1:    return 576'h00000000000001ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;  // p
      default: return '0;
    endcase
  endfunction

  // Whether an instruction is one of these: carried out by the ALU.
  function automatic logic is_alu(logic [7:0] op);
    return op inside {
        OpMod, OpDig, OpAdd, OpSub, OpAddx, OpSubx, OpXor, OpAnd, OpSel, OpCon, OpHalf, OpGcd,
        OpCof, OpPush, OpGet, OpPut, OpGcdr, OpCofr
    };
  endfunction

  // Whether an instruction is one of these: beside the ALU.
  function automatic logic is_held(logic [7:0] op);
    return op inside {
        OpHold, OpPick
    };
  endfunction

  // Whether an instruction is one of these: carried out by the multiplier.
  function automatic logic is_mul(logic [7:0] op);
    return op inside {
        OpMul, OpSqr, OpMul1, OpMull
    };
  endfunction

  // Whether an instruction is one of these: the row of field a is read.
  function automatic logic reads_a(logic [7:0] op);
    return op inside {
        OpDig, OpAdd, OpSub, OpAddx, OpSubx, OpXor, OpAnd, OpSel, OpHalf, OpMul, OpSqr, OpMul1,
        OpMull, OpHold, OpGcd, OpCof, OpPush, OpGet, OpPick, OpGcdr, OpCofr
    };
  endfunction

  // Whether an instruction is one of these: the row of field b is read.
  function automatic logic reads_b(logic [7:0] op);
    return op inside {
        OpAdd, OpSub, OpAddx, OpSubx, OpXor, OpAnd, OpSel, OpHalf, OpMul, OpMul1, OpMull, OpPick,
        OpGcdr, OpCofr
    };
  endfunction

  // Whether an instruction is one of these: the row of field d is written.
  function automatic logic writes(logic [7:0] op);
    return op inside {
        OpRnd, OpAdd, OpSub, OpAddx, OpSubx, OpXor, OpAnd, OpSel, OpCon, OpHalf, OpMul, OpSqr,
        OpMul1, OpMull, OpGcd, OpCof, OpPush, OpGet, OpPut, OpGcdr, OpCofr
    };
  endfunction

  // Whether an instruction is one of these: machines with one lane alone have it.
  function automatic logic is_of_one(logic [7:0] op);
    return op inside {
        OpGcdr, OpCofr
    };
  endfunction

  // Whether an instruction is one of these: machines with several lanes alone have it.
  function automatic logic is_of_several(logic [7:0] op);
    return op inside {
        OpHold, OpGcd, OpCof, OpPush, OpGet, OpPick, OpPut
    };
  endfunction

  // Whether an instruction is one of these: field imm is a modulus.
  function automatic logic takes_modulus(logic [7:0] op);
    return op inside {
        OpMod, OpCof, OpCofr
    };
  endfunction

  // Whether an instruction is one of these: there is such an instruction.
  function automatic logic is_known(logic [7:0] op);
    return op inside {
        OpHalt, OpLoop, OpNext, OpCall, OpRet, OpRnd, OpMod, OpDig, OpAdd, OpSub, OpAddx, OpSubx,
        OpXor, OpAnd, OpSel, OpCon, OpHalf, OpMul, OpSqr, OpMul1, OpMull, OpHold, OpGcd, OpCof,
        OpPush, OpGet, OpPick, OpPut, OpGcdr, OpCofr
    };
  endfunction

endpackage
