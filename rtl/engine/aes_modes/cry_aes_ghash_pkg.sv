// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Arithmetic of GHASH (SP 800-38D): polynomials over GF(2) modulo x^128 + x^7 + x^2 + x + 1.
//
// Bit i is the coefficient of x^i. GCM puts that of x^0 in the highest bit of byte 0, so that the
// bits of each byte of a block turn round; from_block is its own inverse.
package cry_aes_ghash_pkg;

  function automatic logic [127:0] from_block(logic [127:0] block);
    logic [127:0] poly;
    for (int i = 0; i < 128; i++) poly[i] = block[8*(i/8)+7-(i%8)];
    return poly;
  endfunction

  // Products of polynomials: of 16 terms bit by bit, above that by Karatsuba's three halves.
  function automatic logic [30:0] mul16(logic [15:0] a, logic [15:0] b);
    logic [30:0] product;
    product = '0;
    for (int i = 0; i < 16; i++) product ^= {31{a[i]}} & (31'(b) << i);
    return product;
  endfunction

  function automatic logic [62:0] mul32(logic [31:0] a, logic [31:0] b);
    logic [30:0] low, high, middle;
    low   = mul16(a[15:0], b[15:0]);
    high  = mul16(a[31:16], b[31:16]);
    middle = mul16(a[15:0] ^ a[31:16], b[15:0] ^ b[31:16]) ^ low ^ high;
    return {high, 32'd0} ^ 63'({middle, 16'd0}) ^ 63'(low);
  endfunction

  function automatic logic [126:0] mul64(logic [63:0] a, logic [63:0] b);
    logic [62:0] low, high, middle;
    low   = mul32(a[31:0], b[31:0]);
    high  = mul32(a[63:32], b[63:32]);
    middle = mul32(a[31:0] ^ a[63:32], b[31:0] ^ b[63:32]) ^ low ^ high;
    return {high, 64'd0} ^ 127'({middle, 32'd0}) ^ 127'(low);
  endfunction

  function automatic logic [254:0] mul128(logic [127:0] a, logic [127:0] b);
    logic [126:0] low, high, middle;
    low   = mul64(a[63:0], b[63:0]);
    high  = mul64(a[127:64], b[127:64]);
    middle = mul64(a[63:0] ^ a[127:64], b[63:0] ^ b[127:64]) ^ low ^ high;
    return {high, 128'd0} ^ 255'({middle, 64'd0}) ^ 255'(low);
  endfunction

  // x^128 = x^7 + x^2 + x + 1, twice, as the first time leaves up to 7 terms above.
  function automatic logic [127:0] reduce(logic [254:0] a);
    logic [133:0] once;
    logic [5:0]   above;
    once  = 134'(a[127:0]) ^ 134'(a[254:128]) ^ {6'(0), a[254:128], 1'b0} ^
            {5'(0), a[254:128], 2'b0} ^ {a[254:128], 7'b0};
    above = once[133:128];
    return once[127:0] ^ 128'(above) ^ 128'({above, 1'b0}) ^ 128'({above, 2'b0}) ^
           128'({above, 7'b0});
  endfunction

  // One step of Horner's rule with 13 coefficients: sum * x^13 + digit * h.
  function automatic logic [127:0] step13(logic [127:0] sum, logic [12:0] digit,
                                          logic [127:0] h);
    logic [140:0] product;
    logic [12:0]  above;
    product = {sum, 13'd0};
    for (int i = 0; i < 13; i++) product ^= {141{digit[i]}} & (141'(h) << i);
    above = product[140:128];
    return product[127:0] ^ 128'(above) ^ 128'({above, 1'b0}) ^ 128'({above, 2'b0}) ^
           128'({above, 7'b0});
  endfunction

endpackage
