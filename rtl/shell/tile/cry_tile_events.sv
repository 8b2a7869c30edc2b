// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The interrupt of one queue: which of its events were seen, which are enabled, and how many
// completions make one event.
//
// Completions with done_i are counted; the event comes with COALESCE.count of them, or when the
// first one is COALESCE.timeout times 16 cycles old, or when the queue has stopped. Its registers
// are set and cleared bit by bit, so that no two writers need a read before their write.
module cry_tile_events
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

  input  logic        done_i,       // one cycle: a job that asks for an interrupt is complete
  input  logic        stopped_i,    // level: no more will come
  input  logic        error_i,      // one cycle: the queue stopped itself
  input  logic        violation_i,  // one cycle: a violation was logged
  output logic        irq_o,        // level: an enabled event is set

  output logic        corrected_o,  // one cycle: an upset was corrected
  output logic        detected_o    // an uncorrectable upset was found
);

  typedef struct packed {
    logic violation;
    logic error;
    logic completion;
  } events_t;

  // --- Registers ---------------------------------------------------------------------------------

  logic [7:0]  count_d, count_q;
  logic [15:0] timeout_d, timeout_q;
  events_t     seen_d, seen_q, enabled_d, enabled_q, written, cleared, new_seen;
  logic        completion;

  queue_coalesce_t   new_coalesce, coalesce_now;
  queue_irq_status_t new_events, seen_now, enabled_now;
  assign new_coalesce = cfg_wdata_i;
  assign new_events   = cfg_wdata_i;
  assign written      = '{
    violation: new_events.violation, error: new_events.error, completion: new_events.completion
  };
  assign cleared      = (cfg_we_i && (cfg_word_i == QueueIrqStatusWord)) ? written : '0;
  assign new_seen     = '{violation: violation_i, error: error_i, completion: completion};

  always_comb begin
    count_d   = count_q;
    timeout_d = timeout_q;
    enabled_d = enabled_q;
    // What happens in the cycle of the write is not lost.
    seen_d    = (seen_q & ~cleared) | new_seen;
    if (cfg_we_i) begin
      unique case (cfg_word_i)
        QueueCoalesceWord: begin
          count_d   = new_coalesce.count;
          timeout_d = new_coalesce.timeout;
        end
        QueueIrqEnableSetWord:   enabled_d = enabled_q | written;
        QueueIrqEnableClearWord: enabled_d = enabled_q & ~written;
        default: ;
      endcase
    end
  end

  // --- Coalescing --------------------------------------------------------------------------------

  logic [7:0]  waiting_d, waiting_q;  // completions since the last event
  logic [19:0] age_d, age_q;          // of the first of them
  logic        full, old;

  assign full       = done_i && (waiting_q + 8'd1 >= count_q);
  assign old        = (waiting_q != '0) &&
                      (((timeout_q != '0) && (age_q[19:4] >= timeout_q)) || stopped_i);
  assign completion = full || old;

  always_comb begin
    waiting_d = waiting_q;
    age_d     = age_q;
    if (completion) begin
      waiting_d = '0;
      age_d     = '0;
    end else begin
      if (done_i) waiting_d = waiting_q + 8'd1;
      if ((waiting_q != '0) && (age_q != '1)) age_d = age_q + 20'd1;
    end
  end

  cry_reg_tmr #(
    .Width($bits({count_q, timeout_q, seen_q, enabled_q, waiting_q, age_q})), .Protect(Protect)
  ) u_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({count_d, timeout_d, seen_d, enabled_d, waiting_d, age_d}),
    .q_o({count_q, timeout_q, seen_q, enabled_q, waiting_q, age_q}),
    .corrected_o, .detected_o
  );

  assign irq_o = |(seen_q & enabled_q);

  // --- Reads -------------------------------------------------------------------------------------

  assign coalesce_now = '{timeout: timeout_q, count: count_q, default: '0};
  assign seen_now     = '{
    violation: seen_q.violation, error: seen_q.error, completion: seen_q.completion, default: '0
  };
  assign enabled_now  = '{
    violation: enabled_q.violation, error: enabled_q.error, completion: enabled_q.completion,
    default: '0
  };

  always_comb begin
    unique case (cfg_word_i)
      QueueCoalesceWord:       cfg_rdata_o = coalesce_now;
      QueueIrqStatusWord:      cfg_rdata_o = seen_now;
      QueueIrqEnableSetWord,
      QueueIrqEnableClearWord: cfg_rdata_o = enabled_now;
      default:                 cfg_rdata_o = '0;
    endcase
  end

  logic unused;
  assign unused = ^{new_coalesce, new_events};

endmodule
