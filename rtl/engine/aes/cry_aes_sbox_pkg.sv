// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SubBytes and InvSubBytes of one byte (FIPS 197, 5.1.1 and 5.3.2) in composite-field logic:
// inversion in GF(2^8) as the tower GF(((2^2)^2)^2), normal bases at every level. No table.
//
// Levels: GF(4) has basis (w^2, w), w = 8'hbc; GF(16) over it (z^4, z), z = 8'h5c, z^5 = w; GF(256)
// over that (y^16, y), with y = 8'hae and the byte scaled by 8'h24 in sub_byte, and y = 8'hfe in
// sub_byte_dual. A search over towers, scalings and orders of addition gave these: few gates, no
// long chains. Sums stand written out, as logic optimisers do not find the shared ones.
//
// Names: sXX is the sum of the bits of the input under the mask XX, rXX either that of the
// inverted element or, in sub_byte, what is added to all bits of the output under the mask XX.
package cry_aes_sbox_pkg;

  // A product in GF(16) by Karatsuba at both levels is nine ANDs of these sums of each factor.
  function automatic logic [8:0] sums(logic [3:0] a);
    return {^a, a[2] ^ a[0], a[3] ^ a[1], a[1] ^ a[0], a[3] ^ a[2], a[0], a[1], a[2], a[3]};
  endfunction

  // The product from the nine ANDs.
  function automatic logic [3:0] collect(logic [8:0] n);
    logic n67, n68;
    n67 = n[6] ^ n[7];
    n68 = n[6] ^ n[8];
    return {n67 ^ n[0] ^ n[4], n68 ^ n[1] ^ n[4], n67 ^ n[2] ^ n[5], n68 ^ n[3] ^ n[5]};
  endfunction

  // Inversion in GF(16); 0 maps to 0.
  function automatic logic [3:0] inv16(logic [3:0] e);
    return {
      e[1] ^ (e[2] & e[0]) ^ (e[2] & e[1] & e[0]) ^ (e[3] & e[0]) ^ (e[3] & e[1]),
      e[0] ^ e[1] ^ (e[2] & e[0]) ^ (e[3] & e[0]) ^ (e[3] & e[1] & e[0]),
      (e[2] & e[0]) ^ (e[2] & e[1]) ^ e[3] ^ (e[3] & e[1]) ^ (e[3] & e[2] & e[0]),
      e[2] ^ (e[2] & e[0]) ^ (e[2] & e[1]) ^ e[3] ^ (e[3] & e[2] & e[1])
    };
  endfunction

  // Below, e is the norm of the input: the product of its halves h and l plus a constant times the
  // square of their sum. The basis is such that each bit of the latter turns an AND into an OR.

  // The S-box of encryption.
  function automatic logic [7:0] sub_byte(logic [7:0] a);
    logic s0a, s90, s9a, sda, sb0, sb4, sfa, s4e, s9b, s61, s2e, s03, s07, s17, s27, scd, sa7,
          sfd, s4d, s48, s4f;
    logic r31, rff, r88, r27, r24, r03, rd8, rc8, r48;
    logic [8:0] h, l, f, p, q;
    logic [3:0] e;
    logic n0, n2, n3, n4, n5, n6, n7, n8;
    s0a = a[1] ^ a[3];
    s90 = a[4] ^ a[7];
    s9a = s0a ^ s90;
    sda = a[6] ^ s9a;
    sb0 = a[5] ^ s90;
    sb4 = a[2] ^ sb0;
    sfa = a[5] ^ sda;
    s4e = sb4 ^ sfa;
    s9b = a[0] ^ s9a;
    s61 = sfa ^ s9b;
    s2e = s9a ^ sb4;
    s03 = a[0] ^ a[1];
    s07 = a[2] ^ s03;
    s17 = a[4] ^ s07;
    s27 = a[5] ^ s07;
    scd = sda ^ s17;
    sa7 = a[7] ^ s27;
    sfd = sda ^ s27;
    s4d = a[7] ^ scd;
    s48 = a[3] ^ a[6];
    s4f = s07 ^ s48;
    h = {sfa, s4e, sb4, s61, s9b, s4f, s2e, a[0], s9a};
    l = {s27, sda, sfd, sa7, a[7], s17, sb0, scd, s4d};
    n0 = h[0] & l[0];
    n2 = h[2] & l[2];
    n3 = h[3] & l[3];
    n4 = h[4] & l[4];
    n5 = h[5] & l[5];
    n6 = h[6] & l[6];
    n7 = h[7] & l[7];
    n8 = h[8] & l[8];
    e[3] = (h[4] | l[4]) ^ n0 ^ n6 ^ n7;
    e[2] = (h[1] | l[1]) ^ n4 ^ n6 ^ n8;
    e[1] = (h[6] | l[6]) ^ n2 ^ n5 ^ n7;
    e[0] = (h[8] | l[8]) ^ n3 ^ n5 ^ n6;
    f = sums(inv16(e));
    p = h & f;
    q = l & f;
    r31 = p[2] ^ p[3] ^ p[0] ^ p[1];
    rff = q[7] ^ q[6];
    r88 = p[7] ^ p[0];
    r27 = q[2] ^ rff;
    r24 = q[3] ^ r27;
    r03 = q[5] ^ r27;
    rd8 = q[0] ^ rff ^ q[4];
    rc8 = p[8] ^ rd8;
    r48 = p[5] ^ p[3] ^ rc8;
    return 8'h63 ^ {p[1] ^ r88 ^ rc8, p[6] ^ r48, q[8] ^ r31 ^ q[6] ^ r24,
                    r31 ^ rd8, p[4] ^ r88 ^ r48,
                    q[1] ^ q[4] ^ r24, r03, r31 ^ r03};
  endfunction

  // Both directions around one inverter.
  function automatic logic [7:0] sub_byte_dual(logic inverse, logic [7:0] a);
    logic s50, s90, sd0, s03, s53, s73, s71, se1, s61, s63, s18, s4b, s19, s4f, s9b, s84, se7,
          sa4;
    logic r41, r12, r45, r28, r13, r1a, r11, r18, r44, r17, rc1, re9, rdb, red, r55, r4f, r7d;
    logic [8:0] h, l, f;
    logic [7:0] b, y;
    logic [3:0] e;
    logic n0, n1, n3, n4, n5, n6, n7, n8;
    s50 = a[4] ^ a[6];
    s90 = a[4] ^ a[7];
    sd0 = a[6] ^ s90;
    s03 = a[0] ^ a[1];
    s53 = s50 ^ s03;
    s73 = a[5] ^ s53;
    s71 = a[1] ^ s73;
    se1 = s90 ^ s71;
    s61 = a[4] ^ s71;
    s63 = a[1] ^ s61;
    s18 = a[3] ^ a[4];
    s4b = s53 ^ s18;
    s19 = a[0] ^ s18;
    s4f = a[2] ^ s4b;
    s9b = sd0 ^ s4b;
    s84 = a[2] ^ a[7];
    se7 = s63 ^ s84;
    sa4 = a[5] ^ s84;
    b = inverse ? {~sa4, ~sd0, s73, ~s19, ~s53, s90, ~s4b, ~s50}
                : {a[0], s9b, s4f, s61, s71, se7, se1, s63};
    h = sums(b[7:4]);
    l = sums(b[3:0]);
    n0 = h[0] & l[0];
    n1 = h[1] & l[1];
    n3 = h[3] & l[3];
    n4 = h[4] & l[4];
    n5 = h[5] & l[5];
    n6 = h[6] & l[6];
    n7 = h[7] & l[7];
    n8 = h[8] & l[8];
    e[3] = (h[7] | l[7]) ^ n0 ^ n4 ^ n6;
    e[2] = (h[6] | l[6]) ^ n1 ^ n4 ^ n8;
    e[1] = (h[2] | l[2]) ^ n5 ^ n6 ^ n7;
    e[0] = (h[5] | l[5]) ^ n3 ^ n6 ^ n8;
    f = sums(inv16(e));
    y = {collect(l & f), collect(h & f)};
    r41 = y[0] ^ y[6];
    r12 = y[1] ^ y[4];
    r45 = y[2] ^ r41;
    r28 = y[3] ^ y[5];
    r13 = y[0] ^ r12;
    r1a = y[3] ^ r12;
    r11 = y[0] ^ y[4];
    r18 = y[1] ^ r1a;
    r44 = y[0] ^ r45;
    r17 = y[2] ^ r13;
    rc1 = y[7] ^ r41;
    re9 = r28 ^ rc1;
    rdb = r1a ^ rc1;
    red = y[2] ^ re9;
    r55 = y[4] ^ r45;
    r4f = r1a ^ r55;
    r7d = r28 ^ r55;
    return inverse ? {r12, r7d, red, r18, rdb, r17, r11, y[7]}
                   : {r41, ~r44, ~r28, r45, r4f, re9, ~r13, ~r1a};
  endfunction

`ifdef VERILATOR
  // What the logic gives for every input, worked out at elaboration from the functions above: a
  // model with hundreds of S-boxes compiles and runs many times faster on look-ups.
  function automatic logic [255:0][7:0] tabulate();
    for (int i = 0; i < 256; i++) tabulate[i] = sub_byte(i[7:0]);
  endfunction

  function automatic logic [511:0][7:0] tabulate_dual();
    for (int i = 0; i < 512; i++) tabulate_dual[i] = sub_byte_dual(i[8], i[7:0]);
  endfunction

  // A design may have S-boxes of one kind alone.
  // verilator lint_off UNUSEDPARAM
  localparam logic [255:0][7:0] Tabulated     = tabulate();
  localparam logic [511:0][7:0] TabulatedDual = tabulate_dual();
  // verilator lint_on UNUSEDPARAM
`endif

endpackage
