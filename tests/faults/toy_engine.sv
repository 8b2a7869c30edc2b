// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A toy on the engine port for tests of fault injection: every beat leaves two cycles later with
// all bits inverted. Its data register is plain; its control can be held in three copies. At
// ProtectDetect data has parities, and what they find ends the job with StatusFaultDetected.
//
// Parameters:
//   Protect  protection of control by a primitive
//   Naive    instead: three copies in plain registers, which synthesis merges
//   Broken   what a fault that was detected does to all later jobs: 0 nothing, 1 their beats are
//            not inverted, 2 they report it again, 3 they take no beat, 4 one more `done` comes at
//            once
module toy_engine #(
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  parameter bit                         Naive   = 1'b0,
  parameter int unsigned                Broken  = 0
) (
  input  logic                    clk_i,   // clock
  input  logic                    rst_ni,  // reset, asynchronous, active low
  input  cry_engine_pkg::engine_req_t req_i,   // engine port
  output cry_engine_pkg::engine_rsp_t rsp_o    // engine port
);

  import cry_engine_pkg::*;

  // The port, by channel.
  logic    clear_i, job_valid_i, job_ready_o, key_valid_i, key_ready_o, src_valid_i, src_ready_o;
  logic    dst_valid_o, dst_ready_i, done_valid_o, done_ready_i;
  job_t    job_i;
  key_t    key_i;
  beat_t   src_i, dst_o;
  status_e done_status_o;
  logic    fault_corrected_o, fault_detected_o;

  assign clear_i      = req_i.clear;
  assign job_valid_i  = req_i.job_valid;
  assign job_i        = req_i.job;
  assign key_valid_i  = req_i.key_valid;
  assign key_i        = req_i.key;
  assign src_valid_i  = req_i.src_valid;
  assign src_i        = req_i.src;
  assign dst_ready_i  = req_i.dst_ready;
  assign done_ready_i = req_i.done_ready;

  assign rsp_o = '{
    job_ready:       job_ready_o,
    key_ready:       key_ready_o,
    src_ready:       src_ready_o,
    dst_valid:       dst_valid_o,
    dst:             dst_o,
    done_valid:      done_valid_o,
    done_status:     done_status_o,
    rnd_ready:       1'b0,
    fault_corrected: fault_corrected_o,
    fault_detected:  fault_detected_o,
    fault_sites:     SitesWhole
  };

  logic unused_req;
  assign unused_req = ^{req_i.rnd_valid, req_i.rnd, req_i.fault_inject};

  typedef struct packed {
    logic over;  // the job is done
    logic full;  // the data register holds a beat
    logic key;   // the key is still to come
    logic busy;  // in a job
  } control_t;

  control_t control, control_d;
  beat_t    data_q;
  logic     last, src_fire;
  logic     alarm, failed;  // now; this job
  logic     stale;          // a job before
  logic     control_corrected, notes_corrected;

  assign job_ready_o   = !control.busy & !clear_i & !alarm;
  assign key_ready_o   = control.busy & control.key;
  assign src_ready_o   = control.busy & !control.key & !control.full & !control.over & !clear_i &
                         !(stale & (Broken == 3));
  assign src_fire      = src_valid_i & src_ready_o;
  assign dst_valid_o   = control.full & !alarm;
  assign dst_o         = '{data: data_q.data ^ {128{!(stale & (Broken == 1))}}, keep: data_q.keep,
                           last: data_q.last, kind: data_q.kind};
  assign last          = data_q.last & dst_valid_o & dst_ready_i;
  assign done_valid_o  = control.over & !alarm;
  assign done_status_o = failed | (stale & (Broken == 2)) ? StatusFaultDetected : StatusOk;

  always_comb begin
    control_d = control;
    if (job_valid_i & job_ready_o) control_d = '{over: 1'b0, full: 1'b0, key: 1'b1, busy: 1'b1};
    if (key_valid_i & key_ready_o) control_d.key = 1'b0;
    if (src_fire) control_d.full = 1'b1;
    else if (dst_ready_i) control_d.full = 1'b0;
    if (last) control_d.over = 1'b1;
    if (done_valid_o & done_ready_i) control_d = '0;
    if (alarm) control_d = '{over: 1'b1, full: 1'b0, key: 1'b0, busy: 1'b1};
    if (clear_i) control_d = '0;
    if ((Broken == 4) & failed & !stale & done_valid_o & done_ready_i) control_d = control;
  end

  if (Protect == cry_protect_pkg::ProtectDetect) begin : gen_detect
    logic data_corrected, data_detected, notes_detected, stale_d, wipe;
    assign wipe = alarm | clear_i;
    cry_reg_ecc #(.Width($bits(beat_t)), .Protect(Protect)) u_data (
      .clk_i, .rst_ni, .en_i(src_fire | wipe), .d_i(wipe ? '0 : src_i),
      .inject_i(1'b0), .q_o(data_q), .corrected_o(data_corrected), .detected_o(data_detected)
    );
    assign alarm   = data_detected & control.full;
    assign stale_d = stale | (failed & done_valid_o & done_ready_i & (Broken != 0));
    cry_reg_tmr #(.Width(2), .Protect(cry_protect_pkg::ProtectCorrect)) u_notes (
      .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0), .q_o({failed, stale}),
      .d_i({alarm | (failed & !(done_valid_o & done_ready_i) & !clear_i), stale_d}),
      .corrected_o(notes_corrected), .detected_o(notes_detected)
    );
    logic unused_notes;
    assign unused_notes = ^{data_corrected, notes_detected};
  end else begin : gen_plain
    always_ff @(posedge clk_i) begin
      if (src_fire) data_q <= src_i;
    end
    assign {alarm, failed, stale, notes_corrected} = '0;
  end

  if (Naive) begin : gen_naive
    control_t a_q, b_q, c_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {a_q, b_q, c_q} <= '0;
      else {a_q, b_q, c_q} <= {3{control_d}};
    end
    assign control           = (a_q & b_q) | (b_q & c_q) | (a_q & c_q);
    assign control_corrected = (a_q != b_q) | (b_q != c_q);
  end else begin : gen_protected
    logic unused_detected;
    localparam cry_protect_pkg::protect_e Control =
        Protect == cry_protect_pkg::ProtectNone ? Protect : cry_protect_pkg::ProtectCorrect;
    cry_reg_tmr #(.Width($bits(control_t)), .Protect(Control)) u_control (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(control_d), .inject_i(1'b0), .q_o(control),
      .corrected_o(control_corrected), .detected_o(unused_detected)
    );
  end

  assign fault_corrected_o = control_corrected | notes_corrected;
  assign fault_detected_o  = alarm;

  logic unused_inputs;
  assign unused_inputs = ^{job_i, key_i};

endmodule
