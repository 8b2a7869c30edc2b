// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Log of one queue's bursts that were refused: the first one, and how many there were. It is kept,
// also when the queue is enabled anew, until it is cleared.
//
// Of a read and a write that are refused in one cycle the read is the first. The event comes with
// the first one alone, so a process cannot send its kernel interrupts without end.
module cry_tile_violations
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
#(
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        cfg_we_i,     // one cycle: writes the word
  input  queue_word_e cfg_word_i,   // register of the queue
  input  logic [31:0] cfg_wdata_i,  // word to be written
  output logic [31:0] cfg_rdata_o,  // the word, combinational; 0 of other registers

  input  logic        read_valid_i,   // one cycle: a read of the queue was refused
  input  violation_t  read_i,         // which, with read_valid_i
  input  logic        write_valid_i,  // one cycle: a write of the queue was refused
  input  violation_t  write_i,        // which, with write_valid_i
  output logic        event_o,        // one cycle: the log has become valid
  output logic [7:0]  count_o,        // how many were refused, at most 255

  output logic        corrected_o,  // one cycle: an upset was corrected
  output logic        detected_o    // an uncorrectable upset was found
);

  localparam int unsigned GranuleWidth = AddrWidth - 4;

  typedef struct packed {
    logic                    valid;
    logic                    write;
    purpose_e                what;
    logic [15:0]             index;
    logic [GranuleWidth-1:0] granule;  // of 16 bytes
  } log_t;

  queue_violation_t new_violation, violation_now;
  violation_t       first;
  log_t             log_d, log_q;
  logic [7:0]       count_d, count_q;
  logic             clear;
  logic [8:0]       sum;

  assign new_violation = cfg_wdata_i;
  assign clear = cfg_we_i && (cfg_word_i == QueueViolationWord) && new_violation.valid;
  assign first = read_valid_i ? read_i : write_i;
  assign sum   = 9'(clear ? 8'd0 : count_q) + 9'(read_valid_i) + 9'(write_valid_i);

  always_comb begin
    log_d   = clear ? '0 : log_q;
    count_d = sum[8] ? '1 : sum[7:0];
    event_o = 1'b0;
    if ((read_valid_i || write_valid_i) && !log_d.valid) begin
      event_o = 1'b1;
      log_d   = '{
        valid:   1'b1,
        write:   first.write,
        what:    first.what,
        index:   first.index,
        granule: first.address[AddrWidth-1:4]
      };
    end
  end

  cry_reg_tmr #(
    .Width($bits({log_q, count_q})), .Protect(Protect)
  ) u_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({log_d, count_d}),
    .q_o({log_q, count_q}),
    .corrected_o, .detected_o
  );

  assign count_o       = count_q;
  assign violation_now = '{
    valid: log_q.valid, write: log_q.write, what: log_q.what, count: count_q, index: log_q.index,
    default: '0
  };

  always_comb begin
    unique case (cfg_word_i)
      QueueViolationWord:   cfg_rdata_o = violation_now;
      QueueViolationLoWord: cfg_rdata_o = {log_q.granule[27:0], 4'd0};
      QueueViolationHiWord: cfg_rdata_o = 32'(log_q.granule[GranuleWidth-1:28]);
      default:              cfg_rdata_o = '0;
    endcase
  end

  logic unused;
  assign unused = ^{new_violation, first.valid, first.owner, first.address[3:0]};

endmodule
