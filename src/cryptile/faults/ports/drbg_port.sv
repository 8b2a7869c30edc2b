// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The DRBG on the engine port. There is no state here, so all flip-flops are those of cry_drbg.
//
// mode     the command (op_e); decrypt: with derivation function; ctx_save: prediction resistance
// aad_len  bytes of additional input; out_len: bytes of output
// src      a word of 64 bits a beat: entropy as message, then additional input as associated data
//
// A job that ends with a status that no fault-free run has (no instance, no entropy, a failed test,
// a fault) ends with StatusFaultDetected.
//
// Parameters: as cry_drbg.
module drbg_port
  import cry_engine_pkg::*;
#(
  parameter int unsigned                ReseedInterval = 8,
  parameter int unsigned                EntropyCycles  = 255,
  parameter cry_protect_pkg::protect_e Protect        = cry_protect_pkg::ProtectNone
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  logic    clear_i,
  input  logic    job_valid_i,
  output logic    job_ready_o,
  input  job_t    job_i,
  input  logic    key_valid_i,
  output logic    key_ready_o,
  input  key_t    key_i,
  input  logic    src_valid_i,
  output logic    src_ready_o,
  input  beat_t   src_i,
  output logic    dst_valid_o,
  input  logic    dst_ready_i,
  output beat_t   dst_o,
  output logic    done_valid_o,
  input  logic    done_ready_i,
  output status_e done_status_o,
  output logic    fault_corrected_o,
  output logic    fault_detected_o
);

  cry_drbg_pkg::cmd_t    cmd;
  cry_drbg_pkg::status_e status;
  logic                  ent_ready, add_ready;
  logic [127:0]          data;
  logic [15:0]           keep;
  logic                  last;

  assign cmd = '{
    op:      cry_drbg_pkg::op_e'(job_i.mode[2:0]),
    df:      job_i.decrypt,
    predict: job_i.ctx_save,
    add_len: job_i.aad_len[cry_drbg_pkg::AddWidth-1:0],
    out_len: job_i.out_len[cry_drbg_pkg::OutWidth-1:0]
  };

  logic [2:0] unused_out;  // a request for entropy, an instance, a failed test

  cry_drbg #(
    .ReseedInterval(ReseedInterval), .EntropyCycles(EntropyCycles), .Protect(Protect)
  ) u_drbg (
    .clk_i, .rst_ni, .clear_i,
    .cmd_valid_i  (job_valid_i),
    .cmd_ready_o  (job_ready_o),
    .cmd_i        (cmd),
    .done_valid_o, .done_ready_i,
    .done_status_o(status),
    .ent_valid_i  (src_valid_i && (src_i.kind == KindMessage)),
    .ent_ready_o  (ent_ready),
    .ent_word_i   (src_i.data[63:0]),
    .ent_fail_i   (1'b0),
    .ent_begin_o  (unused_out[0]),
    .add_valid_i  (src_valid_i && (src_i.kind == KindAad)),
    .add_ready_o  (add_ready),
    .add_word_i   (src_i.data[63:0]),
    .out_valid_o  (dst_valid_o),
    .out_ready_i  (dst_ready_i),
    .out_data_o   (data),
    .out_keep_o   (keep),
    .out_last_o   (last),
    .seeded_o     (unused_out[1]),
    .failed_o     (unused_out[2]),
    .corrected_o  (fault_corrected_o),
    .detected_o   (fault_detected_o)
  );

  assign src_ready_o = (src_i.kind == KindMessage) ? ent_ready : add_ready;
  assign key_ready_o = 1'b0;
  assign dst_o       = dst_valid_o ? '{data: data, keep: keep, last: last, kind: KindMessage} : '0;

  always_comb begin
    unique case (status)
      cry_drbg_pkg::StatusOk:       done_status_o = StatusOk;
      cry_drbg_pkg::StatusBadParam: done_status_o = StatusBadParam;
      default:                      done_status_o = StatusFaultDetected;
    endcase
  end

  logic unused_in;
  assign unused_in = ^{key_valid_i, key_i, job_i, src_i};

endmodule
