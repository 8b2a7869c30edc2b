// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The AES S-box and its inverse around one inverter. Combinational.
module aes_sbox_dual (
  input  logic       inverse_i,
  input  logic [7:0] in_i,
  output logic [7:0] out_o
);

  logic [7:0] a, x, y;

  assign a = in_i ^ 8'h63;
  assign x = inverse_i
    ? {^(a & 8'h6b), ^(a & 8'hd9), ^(a & 8'hf5), ^(a & 8'h61),
       ^(a & 8'h9c), ^(a & 8'h99), ^(a & 8'hcd), ^(a & 8'h28)}
    : {^(in_i & 8'hdf), ^(in_i & 8'he5), ^(in_i & 8'h93), ^(in_i & 8'hb3),
       ^(in_i & 8'haf), ^(in_i & 8'h99), ^(in_i & 8'h3d), ^(in_i & 8'hb1)};

  aes_gf_inverse u_inverse (.in_i(x), .out_o(y));

  assign out_o = inverse_i
    ? {^(y & 8'hcf), ^(y & 8'h6c), ^(y & 8'h30), ^(y & 8'hd4),
       ^(y & 8'h35), ^(y & 8'hf9), ^(y & 8'h11), ^(y & 8'h2a)}
    : 8'h63 ^ {^(y & 8'h72), ^(y & 8'h44), ^(y & 8'h39), ^(y & 8'h23),
               ^(y & 8'h38), ^(y & 8'h61), ^(y & 8'ha8), ^(y & 8'h6d)};

endmodule
