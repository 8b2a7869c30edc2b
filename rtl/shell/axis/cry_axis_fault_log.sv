// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Counts the faults that an engine reports, and keeps the first: which parts of the engine found
// it, in which job, and whether it was corrected. Counters stay at their largest value.
//
// Reset by por_ni alone, so that the log survives a reset of the rest: a system that a fault
// brought down can be asked why. So does software's lock, or a reset would open the log to those it
// was closed to. A report in the cycle of a clear is counted.
module cry_axis_fault_log (
  input  logic        clk_i,
  input  logic        por_ni,  // power-on reset, asynchronous, active low

  input  logic        corrected_i,        // one cycle: an upset was corrected
  input  logic        detected_i,         // one cycle: an upset was detected
  input  logic [7:0]  sites_i,            // parts of the engine that report, with either
  input  logic [7:0]  job_i,              // the job that runs
  input  logic        clear_corrected_i,  // one cycle: zeroes corrected_o
  input  logic        clear_detected_i,   // one cycle: zeroes detected_o
  input  logic        clear_first_i,      // one cycle: forgets the first report
  input  logic        lock_i,             // one cycle

  output logic [15:0] corrected_o,       // reports of corrected_i, saturating
  output logic [15:0] detected_o,        // reports of detected_i, saturating
  output logic        first_valid_o,     // there was a report
  output logic        first_detected_o,  // not corrected
  output logic [7:0]  first_sites_o,     // the first report: sites_i
  output logic [7:0]  first_job_o,       // the first report: job_i
  output logic        locked_o           // until por_ni: software has closed the registers
);

  logic report;
  assign report = corrected_i | detected_i;

  always_ff @(posedge clk_i or negedge por_ni) begin
    if (!por_ni) begin
      corrected_o      <= '0;
      detected_o       <= '0;
      first_valid_o    <= 1'b0;
      first_detected_o <= 1'b0;
      first_sites_o    <= '0;
      first_job_o      <= '0;
      locked_o         <= 1'b0;
    end else begin
      if (lock_i)                                   locked_o <= 1'b1;
      if (clear_corrected_i)                        corrected_o <= 16'(corrected_i);
      else if (corrected_i && (corrected_o != '1))  corrected_o <= corrected_o + 16'd1;
      if (clear_detected_i)                         detected_o <= 16'(detected_i);
      else if (detected_i && (detected_o != '1))    detected_o <= detected_o + 16'd1;
      if (report && (!first_valid_o || clear_first_i)) begin
        first_valid_o    <= 1'b1;
        first_detected_o <= detected_i;
        first_sites_o    <= sites_i;
        first_job_o      <= job_i;
      end else if (clear_first_i) begin
        first_valid_o    <= 1'b0;
        first_detected_o <= 1'b0;
        first_sites_o    <= '0;
        first_job_o      <= '0;
      end
    end
  end

endmodule
