// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Generated from catalog/ by `cryptile generate`: edit those files, not this one.

// What is where in the tile SoC. Sizes are powers of two that divide the bases.
package tsoc_map_pkg;

  // Not every size is asked for: some devices decode their upper bits alone.
  // verilator lint_off UNUSEDPARAM
  parameter logic [31:0] RomBase      = 32'h0001_0000;
  parameter logic [31:0] RomSize      = 32'h0001_0000;
  parameter logic [31:0] ClintBase    = 32'h0200_0000;
  parameter logic [31:0] ClintSize    = 32'h0001_0000;
  parameter logic [31:0] PlicBase     = 32'h0C00_0000;
  parameter logic [31:0] PlicSize     = 32'h0400_0000;
  parameter logic [31:0] UartBase     = 32'h1000_0000;
  parameter logic [31:0] UartSize     = 32'h0000_1000;
  parameter logic [31:0] PeriphBase   = 32'h1800_0000;
  parameter logic [31:0] PeriphSize   = 32'h0002_0000;
  parameter logic [31:0] TileBase     = 32'h5000_0000;
  parameter logic [31:0] TileSize     = 32'h0010_0000;
  parameter logic [31:0] RbgBase      = 32'h5100_0000;
  parameter logic [31:0] RbgSize      = 32'h0000_0020;
  parameter logic [31:0] AxisBase     = 32'h5200_0000;
  parameter logic [31:0] AxisSize     = 32'h0000_0100;
  parameter logic [31:0] WindowBase   = 32'h5200_1000;
  parameter logic [31:0] WindowSize   = 32'h0000_0040;
  parameter logic [31:0] MemoryBase   = 32'h8000_0000;
  parameter logic [31:0] MemorySize   = 32'h1000_0000;
  parameter logic [31:0] UncachedBase = 32'hC000_0000;
  parameter logic [31:0] UncachedSize = 32'h1000_0000;
  // verilator lint_on UNUSEDPARAM

  // A bit for each opcode that its tile has.
  parameter logic [15:0] TileOpcodes = 16'h017f;

  function automatic logic is_in(logic [31:0] addr, logic [31:0] base, logic [31:0] size);
    return (addr & ~(size - 32'd1)) == base;
  endfunction

endpackage
