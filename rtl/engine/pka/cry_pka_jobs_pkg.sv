// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What jobs of the engine port are as programs of cry_pka: a row for each mode.
package cry_pka_jobs_pkg;

  import cry_pka_isa_pkg::row_addr_t;
  import cry_pka_pkg::*;
  import cry_pka_program_pkg::*;

  // Rows of a message at most, each of 32 bytes. Not all programs take as many.
  parameter int unsigned MaxRows = 2;

  typedef struct packed {
    logic                    known;  // there is such a mode
    program_e                prog;   // its program
    logic                    big;    // numbers are big-endian strings, as of SEC 1; else little
    logic [1:0]              rows;   // rows of a message
    row_addr_t [MaxRows-1:0] row;    // where they go: the first one is [0]
  } program_job_t;

  // The key goes to RowK; the result is one row, RowResult.
  function automatic program_job_t job_of(logic [3:0] mode);
    unique case (mode)
      ModeX25519:   return '{1'b1, ProgX25519,   1'b0, 2'd1, '{RowU, RowU}};
      ModeP256Ecdh: return '{1'b1, ProgP256Ecdh, 1'b1, 2'd2, '{RowY, RowX}};
      default:      return '{1'b0, ProgX25519,   1'b0, 2'd1, '{RowU, RowU}};
    endcase
  endfunction

  // A beat with its bytes in the other order.
  function automatic logic [127:0] reversed(logic [127:0] data);
    for (int unsigned i = 0; i < 16; i++) reversed[8*i+:8] = data[8*(15-i)+:8];
  endfunction

endpackage
