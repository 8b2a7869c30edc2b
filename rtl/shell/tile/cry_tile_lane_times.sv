// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Simulation only: when each job passed the stages of its lane, in cycles since reset, as the tile
// counts them.
//
//   start to taken   the fetched descriptor waits for the lane
//   taken to fed     lists, keys and first data are read
//   fed to done      from the first beat that the engine consumes to its `done`; reads and writes
//                    overlap
//   done to report   the last writes are answered, unauthentic plaintext is zeroized
//
// The sum is the time in the completion record. A job whose engine consumed no beat has fed = done;
// one that was killed before its `done` has done = report.
//
// `times` holds the times of a job in the cycle of report_i. With the plusarg +tile_times each job
// is printed: `tile-job`, queue, index of the descriptor, and the times in the order above.
`ifndef SYNTHESIS
module cry_tile_lane_times
  import cry_tile_pkg::*;
  import cry_tile_lane_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] now_i,           // cycles since reset
  input  logic        push_i,          // a job is taken
  input  place_t      push_place_i,    // its slot
  input  logic        feed_i,          // the engine consumes a beat
  input  place_t      feed_place_i,    // slot of its job
  input  logic        done_i,          // the engine is done with a job
  input  place_t      done_place_i,    // its slot
  input  logic        report_i,        // a job is reported
  input  place_t      report_place_i,  // its slot
  input  job_tag_t    report_tag_i     // its tag
);

  typedef struct packed {
    queue_t      owner;
    logic [15:0] index;
    logic [31:0] start;
    logic [31:0] taken;
    logic [31:0] fed;
    logic [31:0] done;
    logic [31:0] report;
  } times_t;

  logic [31:0]  taken_q [NumJobs], fed_q [NumJobs], done_q [NumJobs];
  places_t      was_fed_q, was_done_q;
  times_t       times;
  logic [31:0]  done, fed;
  logic         shown;

  always_comb begin
    done  = was_done_q[report_place_i] ? done_q[report_place_i] : now_i;
    fed   = was_fed_q[report_place_i] ? fed_q[report_place_i] : done;
    times = '{
      owner: report_tag_i.owner, index: report_tag_i.index, start: report_tag_i.start,
      taken: taken_q[report_place_i], fed: fed, done: done, report: now_i
    };
  end

  logic unused;
  assign unused = ^report_tag_i;

  initial shown = $test$plusargs("tile_times") != 0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was_fed_q  <= '0;
      was_done_q <= '0;
    end else begin
      if (feed_i && !was_fed_q[feed_place_i]) begin
        fed_q[feed_place_i]     <= now_i;
        was_fed_q[feed_place_i] <= 1'b1;
      end
      if (done_i) begin
        done_q[done_place_i]     <= now_i;
        was_done_q[done_place_i] <= 1'b1;
      end
      if (push_i) begin
        taken_q[push_place_i]    <= now_i;
        was_fed_q[push_place_i]  <= 1'b0;
        was_done_q[push_place_i] <= 1'b0;
      end
      if (report_i && shown) begin
        $display("tile-job %0d %0d %0d %0d %0d %0d %0d", times.owner, times.index, times.start,
                 times.taken, times.fed, times.done, times.report);
      end
    end
  end

endmodule
`endif
