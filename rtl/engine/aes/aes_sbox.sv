// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The AES S-box. Combinational.
module aes_sbox (
  input  logic [7:0] in_i,
  output logic [7:0] out_o
);

  logic [7:0] x, y;

  assign x = {^(in_i & 8'hdf), ^(in_i & 8'he5), ^(in_i & 8'h93), ^(in_i & 8'hb3),
              ^(in_i & 8'haf), ^(in_i & 8'h99), ^(in_i & 8'h3d), ^(in_i & 8'hb1)};

  aes_gf_inverse u_inverse (.in_i(x), .out_o(y));

  assign out_o = 8'h63 ^ {^(y & 8'h72), ^(y & 8'h44), ^(y & 8'h39), ^(y & 8'h23),
                          ^(y & 8'h38), ^(y & 8'h61), ^(y & 8'ha8), ^(y & 8'h6d)};

endmodule
