// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The window check of the tile on the engine port: every job is one access and ends in the cycle in
// which it is taken. There is no state here, so all flip-flops are those of cry_tile_guard.
//
// mode 0 asks for the page iv[43:0] for a queue, decrypt says: to write it. iv[44] says that it is
// one of the rings, iv[45] that the queue's addresses are relative, iv[65:46] whose it is. StatusOk
// is yes, with a beat that says where the burst goes; StatusAuthFailed is no.
// mode 1 writes iv[31:0] to a word of the queue's windows; StatusOk.
// out_len names the queue (bits 2:0) and the word (bits 8:4).
// While detected_o is high every job ends with StatusFaultDetected: the tile raises its error
// interrupt.
//
// Parameters: as cry_tile_guard.
module tile_guard_port
  import cry_engine_pkg::*;
#(
  parameter int unsigned                NumQueues  = 4,
  parameter int unsigned                NumWindows = 4,
  parameter cry_protect_pkg::protect_e Protect    = cry_protect_pkg::ProtectNone
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

  localparam logic [3:0] ModeAsk = 4'd0, ModeWrite = 4'd1;

  logic                 read_allowed, write_allowed, allowed;
  logic [31:0]          unused_rdata;
  cry_tile_pkg::guard_req_t request;
  cry_tile_pkg::route_t     read_route, write_route;
  cry_tile_pkg::queue_t     owner;

  assign owner   = job_i.out_len[2:0];
  assign request = '{
    owner: owner, ring: job_i.iv[44], page: job_i.iv[cry_tile_pkg::PageWidth-1:0]
  };

  cry_tile_guard #(
    .NumQueues(NumQueues), .NumWindows(NumWindows), .Protect(Protect)
  ) u_guard (
    .clk_i,
    .rst_ni,
    .cfg_we_i       (job_valid_i && job_ready_o && (job_i.mode == ModeWrite)),
    .cfg_queue_i    (owner),
    .cfg_word_i     (job_i.out_len[8:4]),
    .cfg_wdata_i    (job_i.iv[31:0]),
    .cfg_rdata_o    (unused_rdata),
    .process_i      ({NumQueues{job_i.iv[46+:cry_tile_pkg::ProcessWidth]}}),
    .relative_i     ({NumQueues{job_i.iv[45]}}),
    .read_i         (request),
    .read_allowed_o (read_allowed),
    .read_route_o   (read_route),
    .write_i        (request),
    .write_allowed_o(write_allowed),
    .write_route_o  (write_route),
    .corrected_o    (fault_corrected_o),
    .detected_o     (fault_detected_o)
  );

  assign allowed = (job_i.mode != ModeAsk) || (job_i.decrypt ? write_allowed : read_allowed);

  assign job_ready_o  = done_ready_i && dst_ready_i;
  assign done_valid_o = job_valid_i && dst_ready_i;
  always_comb begin
    done_status_o = allowed ? StatusOk : StatusAuthFailed;
    if (fault_detected_o) done_status_o = StatusFaultDetected;
  end

  assign key_ready_o = 1'b0;
  assign src_ready_o = 1'b0;
  assign dst_valid_o = job_valid_i && done_ready_i && (job_i.mode == ModeAsk) && allowed;
  assign dst_o       = '{
    data: 128'(job_i.decrypt ? write_route : read_route), keep: '1, last: 1'b1, kind: KindMessage
  };

  logic unused;
  assign unused = ^{clear_i, job_i, key_valid_i, key_i, src_valid_i, src_i};

endmodule
