// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// RTL as others write it: a clock of another name, no reset, and a register with a telling name.
module foreign_counter (
  input  logic       clk,
  input  logic       step,
  output logic [3:0] ErrorCount
);
  always_ff @(posedge clk) ErrorCount <= step ? ErrorCount + 4'd1 : 4'd0;
endmodule
