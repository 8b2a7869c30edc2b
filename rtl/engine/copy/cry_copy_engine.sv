// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Copies its message unchanged: the test engine of every shell, and the shortest example of an
// engine.
//
// Mode 0 is the only one; another mode, the decrypt bit or associated data is a bad parameter. It
// takes no key. With ctx_save the IV is returned as the context beat.
//
// Latency: none, src is combinationally connected to dst during a message. A job costs two cycles
// beside its beats.
module cry_copy_engine
  import cry_engine_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i,  // from the shell
  output engine_rsp_t rsp_o   // to the shell
);

  // The port, by channel.
  logic    clear_i, job_valid_i, job_ready_o, key_valid_i, key_ready_o, src_valid_i, src_ready_o;
  logic    dst_valid_o, dst_ready_i, done_valid_o, done_ready_i;
  job_t    job_i;
  key_t    key_i;
  beat_t   src_i, dst_o;
  status_e done_status_o;

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
    fault_corrected: 1'b0,
    fault_detected:  1'b0,
    fault_sites:     SitesWhole
  };

  logic unused_req;
  assign unused_req = ^{req_i.rnd_valid, req_i.rnd, req_i.fault_inject};

  typedef enum logic [1:0] {
    StIdle,
    StMessage,
    StContext,
    StDone
  } state_e;

  state_e state_d, state_q;
  logic   bad_d, bad_q;
  logic   ctx_save_q;
  logic [DataWidth-1:0] iv_q;

  logic bad_param;
  assign bad_param = (job_i.mode != '0) || job_i.decrypt || (job_i.aad_len != '0);

  always_comb begin
    state_d = state_q;
    bad_d   = bad_q;
    unique case (state_q)
      StIdle: begin
        if (job_valid_i) begin
          bad_d = bad_param;
          if (bad_param)               state_d = StDone;
          else if (job_i.msg_len != 0) state_d = StMessage;
          else if (job_i.ctx_save)     state_d = StContext;
          else                         state_d = StDone;
        end
      end
      StMessage: begin
        if (src_valid_i && dst_ready_i && src_i.last) state_d = ctx_save_q ? StContext : StDone;
      end
      StContext: if (dst_ready_i) state_d = StDone;
      StDone:    if (done_ready_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      bad_q   <= 1'b0;
    end else begin
      state_q <= state_d;
      bad_q   <= bad_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_save_q <= 1'b0;
      iv_q       <= '0;
    end else if (job_valid_i && job_ready_o) begin
      ctx_save_q <= job_i.ctx_save;
      iv_q       <= job_i.iv;
    end
  end

  assign job_ready_o = (state_q == StIdle) && !clear_i;
  assign key_ready_o = 1'b0;

  assign src_ready_o = (state_q == StMessage) && dst_ready_i;
  assign dst_valid_o = ((state_q == StMessage) && src_valid_i) || (state_q == StContext);

  always_comb begin
    dst_o = src_i;
    if (state_q == StContext) begin
      dst_o.data = iv_q;
      dst_o.keep = '1;
      dst_o.last = 1'b1;
      dst_o.kind = KindContext;
    end
  end

  assign done_valid_o  = state_q == StDone;
  assign done_status_o = bad_q ? StatusBadParam : StatusOk;

  // Inputs without a meaning here.
  logic unused;
  assign unused = ^{key_valid_i, key_i, job_i};

endmodule
