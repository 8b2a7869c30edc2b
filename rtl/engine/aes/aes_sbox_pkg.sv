// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SubBytes and InvSubBytes of one byte (FIPS 197, 5.1.1 and 5.3.2) in composite-field logic:
// inversion in GF(2^8) as the tower GF(((2^2)^2)^2), normal bases at every level. No table.
//
// The changes of basis stand as masks: bit n of the result is the parity of the masked byte. Those
// of encryption fold in the affine map on the way out, those of decryption its inverse on the way
// in.
package aes_sbox_pkg;

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

  // GF(256); 0 maps to 0.
  function automatic logic [7:0] inv256(logic [7:0] a);
    logic [3:0] s, d;
    s = a[7:4] ^ a[3:0];
    d = inv16(mul16(a[7:4], a[3:0]) ^ {s[2] ^ s[1] ^ s[0], s[3] ^ s[0], s[2], s[3]});
    return {mul16(a[3:0], d), mul16(a[7:4], d)};
  endfunction

  // Into the tower field, and back with the affine map.
  function automatic logic [7:0] basis_forward(logic [7:0] a);
    return {^(a & 8'hdf), ^(a & 8'he5), ^(a & 8'h93), ^(a & 8'hb3),
            ^(a & 8'haf), ^(a & 8'h99), ^(a & 8'h3d), ^(a & 8'hb1)};
  endfunction

  function automatic logic [7:0] affine_forward(logic [7:0] y);
    return 8'h63 ^ {^(y & 8'h72), ^(y & 8'h44), ^(y & 8'h39), ^(y & 8'h23),
                    ^(y & 8'h38), ^(y & 8'h61), ^(y & 8'ha8), ^(y & 8'h6d)};
  endfunction

  // With the inverse affine map into the tower field, and back.
  function automatic logic [7:0] affine_inverse(logic [7:0] in);
    logic [7:0] a;
    a = in ^ 8'h63;
    return {^(a & 8'h6b), ^(a & 8'hd9), ^(a & 8'hf5), ^(a & 8'h61),
            ^(a & 8'h9c), ^(a & 8'h99), ^(a & 8'hcd), ^(a & 8'h28)};
  endfunction

  function automatic logic [7:0] basis_inverse(logic [7:0] y);
    return {^(y & 8'hcf), ^(y & 8'h6c), ^(y & 8'h30), ^(y & 8'hd4),
            ^(y & 8'h35), ^(y & 8'hf9), ^(y & 8'h11), ^(y & 8'h2a)};
  endfunction

  function automatic logic [7:0] sub_byte(logic [7:0] a);
    return affine_forward(inv256(basis_forward(a)));
  endfunction

  // Both directions around one inverter.
  function automatic logic [7:0] sub_byte_dual(logic inverse, logic [7:0] a);
    logic [7:0] y;
    y = inv256(inverse ? affine_inverse(a) : basis_forward(a));
    return inverse ? basis_inverse(y) : affine_forward(y);
  endfunction

`ifdef VERILATOR
  // What the logic gives for every input, worked out at elaboration from the functions above: a
  // model with hundreds of S-boxes compiles and runs many times faster on look-ups.
  function automatic logic [511:0][7:0] tabulate();
    for (int i = 0; i < 512; i++) tabulate[i] = sub_byte_dual(i[8], i[7:0]);
  endfunction

  localparam logic [511:0][7:0] Tabulated = tabulate();
`endif

endpackage
