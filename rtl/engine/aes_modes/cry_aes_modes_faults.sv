// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ends the job in which an upset of data was detected (ProtectDetect), between the engine port and
// the parts of the engine. At other levels it is wires, and wipe_o is clear_i.
//
//   - In the cycle of detected_i no handshake but that of `done` can take place on the port.
//   - From the next cycle on wipe_o clears all parts, until the keys and `src` sections that the
//     job still has to take have been taken and dropped, and its `done` is taken. Nothing that the
//     parts do in the first cycle persists, so that the checks are in no timing path but to the
//     port.
//   - A job is accepted only after `done` of the one before: a fault ends one job at most.
module cry_aes_modes_faults
  import cry_aes_modes_pkg::*;
  import cry_engine_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter protect_e Protect = ProtectNone  // level of protection
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    clear_i,  // from the port

  input  logic    detected_i,  // data is wrong in this cycle
  output logic    wipe_o,      // clears all parts
  output logic    fault_o,     // the job fails in this cycle

  // Engine port
  input  logic    job_valid_i,
  output logic    job_ready_o,
  input  logic    key_valid_i,
  output logic    key_ready_o,
  input  logic    src_valid_i,
  input  logic    src_last_i,
  output logic    src_ready_o,
  output logic    dst_valid_o,
  output logic    done_valid_o,
  input  logic    done_ready_i,
  output status_e done_status_o,

  // Parts of the engine
  output logic    job_valid_o,
  input  logic    job_ready_i,
  input  ctl_t    job_ctl_i,        // metadata of the job at the port
  input  logic    job_needs_key_i,  // it takes a key, XTS two
  input  logic    key_ready_i,
  input  logic    src_ready_i,
  input  logic    dst_valid_i,
  input  logic    done_valid_i,
  input  status_e done_status_i,

  output logic    corrected_o  // an upset of this module was corrected
);

  if (Protect == ProtectDetect) begin : gen_detect
    typedef struct packed {
      logic       busy;      // a job was accepted and is not done
      logic       failed;    // ... by a fault
      logic [1:0] keys;      // a bit for each that it has to take
      logic [3:0] sections;  // likewise
    } state_t;

    state_t state_q, state_d;
    logic   job_fire, key_fire, src_fire, done_fire, spent;
    logic   unused_ctl, unused_detected;

    assign unused_ctl = ^job_ctl_i;

    // What clear_i ends is wiped anyway.
    assign fault_o = detected_i & state_q.busy & !state_q.failed & !done_valid_i & !clear_i;
    assign wipe_o  = clear_i | state_q.failed;
    assign spent   = (state_q.keys == '0) & (state_q.sections == '0);

    assign job_valid_o = job_valid_i & !state_q.busy;
    assign job_ready_o = job_ready_i & !state_q.busy;
    assign dst_valid_o = dst_valid_i & !fault_o;
    always_comb begin
      key_ready_o   = key_ready_i & !fault_o;
      src_ready_o   = src_ready_i & !fault_o;
      done_valid_o  = done_valid_i;
      done_status_o = done_status_i;
      if (state_q.failed) begin
        key_ready_o   = (state_q.keys != '0) & !clear_i;
        src_ready_o   = (state_q.sections != '0) & !clear_i;
        done_valid_o  = spent;
        done_status_o = StatusFaultDetected;
      end
    end

    assign job_fire  = job_valid_i & job_ready_o;
    assign key_fire  = key_valid_i & key_ready_o;
    assign src_fire  = src_valid_i & src_ready_o & src_last_i;
    assign done_fire = done_valid_o & done_ready_i;

    always_comb begin
      state_d = state_q;
      if (fault_o)   state_d.failed = 1'b1;
      if (key_fire)  state_d.keys = state_q.keys >> 1;
      if (src_fire)  state_d.sections = state_q.sections & (state_q.sections - 4'd1);
      if (done_fire) state_d = '0;
      if (job_fire) begin
        state_d.busy     = 1'b1;
        state_d.keys     = {job_needs_key_i & job_ctl_i.xts, job_needs_key_i};
        state_d.sections = {job_ctl_i.ends & job_ctl_i.decrypt, !job_ctl_i.empty,
                            job_ctl_i.has_aad, job_ctl_i.ctx_load | job_ctl_i.long_iv} &
                           {4{!job_ctl_i.bad}};
      end
      if (clear_i) state_d = '0;
    end

    cry_reg_tmr #(.Width($bits(state_t)), .Protect(ProtectCorrect)) u_state (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(state_d), .inject_i(1'b0), .q_o(state_q),
      .corrected_o, .detected_o(unused_detected)
    );
  end else begin : gen_wires
    logic unused_inputs;
    assign unused_inputs = ^{clk_i, rst_ni, detected_i, key_valid_i, src_valid_i, src_last_i,
                             done_ready_i, job_ctl_i, job_needs_key_i};
    assign fault_o       = 1'b0;
    assign wipe_o        = clear_i;
    assign job_valid_o   = job_valid_i;
    assign job_ready_o   = job_ready_i;
    assign key_ready_o   = key_ready_i;
    assign src_ready_o   = src_ready_i;
    assign dst_valid_o   = dst_valid_i;
    assign done_valid_o  = done_valid_i;
    assign done_status_o = done_status_i;
    assign corrected_o   = 1'b0;
  end

endmodule
