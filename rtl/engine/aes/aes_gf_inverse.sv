// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Inversion in GF(2^8) as the tower GF(((2^2)^2)^2), normal bases at every level; 0 maps to 0.
// Combinational.
module aes_gf_inverse (
  input  logic [7:0] in_i,
  output logic [7:0] out_o
);

  // GF(4), basis (w^2, w) with w^2 = w + 1.
  function automatic logic [1:0] mul4(logic [1:0] a, logic [1:0] b);
    logic e;
    e = (a[1] ^ a[0]) & (b[1] ^ b[0]);
    return {(a[1] & b[1]) ^ e, (a[0] & b[0]) ^ e};
  endfunction

  function automatic logic [1:0] scale4(logic [1:0] a);
    return {a[1] ^ a[0], a[1]};
  endfunction

  // GF(16), basis (z^4, z) with z^4 + z = 1 and z^5 = w.
  function automatic logic [3:0] mul16(logic [3:0] a, logic [3:0] b);
    logic [1:0] e;
    e = scale4(mul4(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]));
    return {mul4(a[3:2], b[3:2]) ^ e, mul4(a[1:0], b[1:0]) ^ e};
  endfunction

  function automatic logic [3:0] inv16(logic [3:0] a);
    logic [1:0] s, n;
    s = a[3:2] ^ a[1:0];
    n = mul4(a[3:2], a[1:0]) ^ scale4({s[0], s[1]});
    return {mul4(a[1:0], {n[0], n[1]}), mul4(a[3:2], {n[0], n[1]})};
  endfunction

  logic [3:0] s, d;

  assign s = in_i[7:4] ^ in_i[3:0];
  assign d = inv16(mul16(in_i[7:4], in_i[3:0]) ^ {s[2] ^ s[1] ^ s[0], s[3] ^ s[0], s[2], s[3]});
  assign out_o = {mul16(in_i[3:0], d), mul16(in_i[7:4], d)};

endmodule
