// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What is where in the microcontroller. Sizes are powers of two that divide the bases.
package mcu_map_pkg;

  // Not every size is asked for: some devices decode their upper bits alone.
  // verilator lint_off UNUSEDPARAM
  parameter logic [31:0] ImemBase   = 32'h0000_0000;
  parameter logic [31:0] ImemSize   = 32'h0001_0000;
  parameter logic [31:0] TcdmBase   = 32'h1000_0000;
  parameter logic [31:0] TcdmSize   = 32'h0004_0000;
  parameter logic [31:0] PeriphBase = 32'h1A10_0000;
  parameter logic [31:0] PeriphSize = 32'h0002_0000;
  parameter logic [31:0] HwpeBase   = 32'h1A10_C000;
  parameter logic [31:0] HwpeSize   = 32'h0000_1000;
  // verilator lint_on UNUSEDPARAM

  function automatic logic is_in(logic [31:0] addr, logic [31:0] base, logic [31:0] size);
    return (addr & ~(size - 32'd1)) == base;
  endfunction

endpackage
