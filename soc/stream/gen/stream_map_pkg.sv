// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What is where in the stream SoC. Sizes are powers of two that divide the bases.
package stream_map_pkg;

  // Not every size is asked for: some devices decode their upper bits alone.
  // verilator lint_off UNUSEDPARAM
  parameter logic [31:0] ImemBase   = 32'h0000_0000;
  parameter logic [31:0] ImemSize   = 32'h0001_0000;
  parameter logic [31:0] LocalBase  = 32'h1000_0000;
  parameter logic [31:0] LocalSize  = 32'h0004_0000;
  parameter logic [31:0] PeriphBase = 32'h1A10_0000;
  parameter logic [31:0] PeriphSize = 32'h0002_0000;
  parameter logic [31:0] DmaBase    = 32'h1A20_0000;
  parameter logic [31:0] DmaSize    = 32'h0000_1000;
  parameter logic [31:0] AxisBase   = 32'h1A20_1000;
  parameter logic [31:0] AxisSize   = 32'h0000_1000;
  parameter logic [31:0] MemBase    = 32'h8000_0000;
  parameter logic [31:0] MemSize    = 32'h0100_0000;
  // verilator lint_on UNUSEDPARAM

  function automatic logic is_in(logic [31:0] addr, logic [31:0] base, logic [31:0] size);
    return (addr & ~(size - 32'd1)) == base;
  endfunction

endpackage
