// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types and constants of Ascon (NIST SP 800-232).
//
// Word S_n of the state is element n; byte 0 of a word is bits 7:0, as the standard reads it.
package cry_ascon_pkg;

  // job_t.mode
  typedef enum logic [3:0] {
    ModeAead128 = 4'd0,
    ModeHash256 = 4'd1,
    ModeXof128  = 4'd2,
    ModeCxof128 = 4'd3
  } mode_e;

  typedef logic [63:0]      word_t;
  typedef logic [4:0][63:0] state_t;

  parameter int unsigned Rounds      = 12;  // of Ascon-p[12]; Ascon-p[8] is the last eight of them
  parameter int unsigned FirstOf8    = 4;
  parameter int unsigned CustomBytes = 256;  // of the longest customization string

  function automatic word_t initial_value(logic [3:0] mode);
    unique case (mode)
      ModeAead128: return 64'h0000_1000_808c_0001;
      ModeHash256: return 64'h0000_0801_00cc_0002;
      ModeXof128:  return 64'h0000_0800_00cc_0003;
      default:     return 64'h0000_0800_00cc_0004;
    endcase
  endfunction

endpackage
