// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types shared by the modules of the DMA. The descriptor's layout in memory is in regs/dma.rdl.
package cry_axi_dma_pkg;

  parameter int unsigned IdWidth = 2;  // bits of an AXI ID

  // AXI identifiers of reads and writes: the data of the channel that reads or writes, and the
  // descriptors of each channel.
  typedef enum logic [IdWidth-1:0] {
    IdData = 2'd0,
    IdMm2s = 2'd1,
    IdS2mm = 2'd2
  } id_e;

  // Error of a descriptor: the two error responses of AXI less 1, and our own.
  typedef enum logic [1:0] {
    ErrorNone     = 2'd0,
    ErrorSlave    = 2'd1,
    ErrorDecode   = 2'd2,
    ErrorOverflow = 2'd3
  } error_e;

  // Access in which a chain ended by an error.
  typedef enum logic [1:0] {
    WhereData  = 2'd0,
    WhereFetch = 2'd1,
    WhereStore = 2'd2
  } where_e;

  typedef struct packed {
    logic [31:0] self;     // address of the descriptor
    logic [31:0] addr;     // address of its data
    logic [31:0] length;   // bytes
    logic        section;  // the next descriptor starts a new beat
    logic        packet;   // a packet ends with it
    logic        irq;      // interrupt when it is finished
  } desc_t;

  // Status of a descriptor, written back.
  typedef struct packed {
    logic [31:0] self;   // address of the descriptor
    logic [31:0] moved;  // bytes
    error_e      error;
    logic        irq;    // as in the descriptor
  } status_t;

  function automatic error_e error_of(logic [1:0] resp);
    unique case (resp)
      2'b10:   return ErrorSlave;
      2'b11:   return ErrorDecode;
      default: return ErrorNone;
    endcase
  endfunction

endpackage
