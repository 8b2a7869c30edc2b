// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types shared by the modules of the HWPE shell.
package cry_hwpe_pkg;

  parameter int unsigned NumLanes = 4;   // 32-bit TCDM ports, one wide access of 16 bytes
  parameter int unsigned WordAddrWidth = 30;

  typedef logic [WordAddrWidth-1:0] word_addr_t;

  // What software gives for one job: the registers from 0x40 on.
  typedef struct packed {
    logic [31:0] src;
    logic [31:0] dst;
    logic [31:0] len;
    logic [31:0] key;
    logic [31:0] iv;
    logic [3:0]  mode;
    logic        decrypt;
    logic [1:0]  key_len;
    logic        ctx_save;
  } job_regs_t;

  // What a read access is part of.
  typedef enum logic [1:0] {
    SegNone = 2'd0,
    SegIv   = 2'd1,
    SegKey  = 2'd2,
    SegSrc  = 2'd3
  } segment_e;

  // What the read realigner must know about one wide read.
  typedef struct packed {
    segment_e   segment;
    logic [1:0] offset;  // byte offset of the segment's start in its word
    logic       prefix;  // only the first word of an unaligned segment, in lane 3
    logic       last;    // last beat of the segment
    logic       tail;    // lane 3 is read
  } read_tag_t;

  // State of the contexts, as software sees it.
  typedef struct packed {
    logic [7:0]      finished;  // jobs finished, and so the identifier of the oldest job
    logic [1:0]      busy;
    logic [1:0][3:0] status;    // cry_engine_pkg::status_e of the last job of each context
    logic            refused;
    logic            locked;
    logic            drain;     // accesses of a job that was dropped are not over
  } ctrl_state_t;

endpackage
