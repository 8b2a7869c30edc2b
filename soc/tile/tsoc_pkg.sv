// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Shared types of the tile SoC: the AXI4 channels between the core and its subordinates, and the
// device bus.
package tsoc_pkg;

  localparam int unsigned IdWidth = 4;

  localparam logic [1:0] RespOkay   = 2'b00;
  localparam logic [1:0] RespExOkay = 2'b01;
  localparam logic [1:0] RespSlave  = 2'b10;
  localparam logic [1:0] RespDecode = 2'b11;

  // Bursts are always incrementing.
  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [63:0]        addr;
    logic [7:0]         len;
    logic [2:0]         size;
    logic               lock;
    logic [5:0]         atop;  // of a read: zero
  } addr_t;

  typedef struct packed {
    logic [63:0] data;
    logic [7:0]  strb;
    logic        last;
  } wdata_t;

  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [1:0]         resp;
  } bresp_t;

  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [63:0]        data;
    logic [1:0]         resp;
    logic               last;
  } rdata_t;

  // One access of the device bus: held until it is acknowledged.
  typedef struct packed {
    logic        we;
    logic [31:0] addr;
    logic [2:0]  size;   // log2 of the bytes
    logic [63:0] wdata;  // in the lanes of the address
    logic [7:0]  strb;
  } access_t;

  // Memory, and the same memory once more where the core does not cache it.
  function automatic logic is_memory(logic [63:0] addr);
    import tsoc_map_pkg::*;
    return (addr[63:32] == '0) && (is_in(addr[31:0], MemoryBase, MemorySize) ||
                                   is_in(addr[31:0], UncachedBase, UncachedSize));
  endfunction

endpackage
