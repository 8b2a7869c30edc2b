// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A lane behind the bus, as in the tile, with one of three engines (engine_i: 0 cry_copy_engine, 1
// cry_aes_engine, 2 cry_chacha20poly1305_engine) and a window check with one page that nobody may
// touch. What goes to a page is marked with bits of its number.
module lane_bench
  import cry_tile_pkg::*;
#(
  parameter int unsigned Beats = 4,  // KeyBeats and SlotBeats of the lane
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

`include "tile_axi_ports.svh"

  input  logic [1:0]                   engine_i,
  input  logic [7:0]                   abort_i,
  input  logic                         tamper_i,
  input  logic [PageWidth-1:0]         denied_page_i,
  input  logic [31:0]                  watchdog_i,
  output logic                         dead_o,

  input  logic                         valid_i,
  output logic                         ready_o,
  input  logic [$bits(lane_job_t)-1:0] job_i,
  input  slot_key_t                    key_i,
  output logic                         done_valid_o,
  input  logic                         done_ready_i,
  output logic [$bits(lane_done_t)-1:0] done_o,
  output logic                         unwrap_valid_o,
  output logic [$bits(unwrap_t)-1:0]   unwrap_o,
  output logic                         engine_clear_o
);

  logic [3:0]     ar_valid, ar_ready, r_valid;
  bus_req_t [3:0] ar;
  bus_r_t         r;
  logic           aw_valid, aw_ready, w_valid, w_ready, b_valid;
  bus_req_t       aw;
  bus_w_t         w;
  bus_error_e     b_error;
  guard_req_t     guard_read, guard_write;
  logic [3:0]     upsets;
  logic [7:0]     full;
  bus_req_t       refused_read_req, refused_write_req;
  logic [1:0]     unused_refused, unused_reader;
  logic           unused_writer, unused_quiet, unused_busy;
  logic [1:0][15:0] unused_index;

  function automatic route_t route(page_t page);
    return '{page: page, user: page[UserWidth-1:0], cache: page[7:4], prot: page[10:8]};
  endfunction

  // It begins just before its wrap, so that tests of any length see all of its bits change.
  logic [31:0] now_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= 32'hFFFF_FF00;
    else         now_q <= now_q + 32'd1;
  end

  cry_engine_pkg::engine_req_t req;
  cry_engine_pkg::engine_rsp_t rsp;

  cry_tile_bus #(
    .NumReaders(4),
    .NumWriters(1),
    .Protect   (Protect)
  ) u_bus (
    .clk_i,
    .rst_ni,
    .ar_valid_i           (ar_valid),
    .ar_ready_o           (ar_ready),
    .ar_i                 (ar),
    .r_valid_o            (r_valid),
    .r_o                  (r),
    .aw_valid_i           (aw_valid),
    .aw_ready_o           (aw_ready),
    .aw_i                 (aw),
    .w_valid_i            (w_valid),
    .w_ready_o            (w_ready),
    .w_i                  (w),
    .b_valid_o            (b_valid),
    .b_error_o            (b_error),
    .watchdog_i,
    .dead_o,
    .guard_read_o         (guard_read),
    .guard_read_route_i   (route(guard_read.page)),
    .guard_read_allowed_i (guard_read.page != denied_page_i),
    .guard_write_o        (guard_write),
    .guard_write_route_i  (route(guard_write.page)),
    .guard_write_allowed_i(guard_write.page != denied_page_i),
    .refused_read_o       (unused_refused[0]),
    .refused_read_req_o   (refused_read_req),
    .refused_reader_o     (unused_reader),
    .refused_write_o      (unused_refused[1]),
    .refused_write_req_o  (refused_write_req),
    .refused_writer_o     (unused_writer),
    .quiet_o              (unused_quiet),
    .corrected_o          (upsets[0]),
    .detected_o           (upsets[1]),
    .*
  );

  cry_tile_lane #(
    .KeyBeats(Beats), .SlotBeats(Beats), .NumQueues(8), .Protect(Protect)
  ) u_lane (
    .clk_i,
    .rst_ni,
    .abort_i,
    .tamper_i,
    .now_i               (now_q),
    .full_o              (full),
    .valid_i,
    .ready_o,
    .busy_o              (unused_busy),
    .job_i               (lane_job_t'(job_i)),
    .key_i,
    .done_valid_o,
    .done_ready_i,
    .done_o,
    .unwrap_valid_o,
    .unwrap_o,
    .ar_valid_o          (ar_valid),
    .ar_ready_i          (ar_ready),
    .ar_o                (ar),
    .r_valid_i           (r_valid),
    .r_i                 (r),
    .aw_valid_o          (aw_valid),
    .aw_ready_i          (aw_ready),
    .aw_o                (aw),
    .w_valid_o           (w_valid),
    .w_ready_i           (w_ready),
    .w_o                 (w),
    .b_valid_i           (b_valid),
    .b_error_i           (b_error),
    .refused_place_i     ({refused_write_req.place, refused_read_req.place}),
    .refused_index_o     (unused_index),
    .req_o               (req),
    .rsp_i               (rsp),
    .corrected_o         (upsets[2]),
    .detected_o          (upsets[3])
  );

  cry_engine_pkg::engine_req_t [2:0] reqs;
  cry_engine_pkg::engine_rsp_t [2:0] rsps;

  for (genvar e = 0; e < 3; e++) begin : gen_req
    logic chosen;
    assign chosen = engine_i == 2'(e);
    always_comb begin
      reqs[e]            = req;
      reqs[e].job_valid  = req.job_valid && chosen;
      reqs[e].key_valid  = req.key_valid && chosen;
      reqs[e].src_valid  = req.src_valid && chosen;
      reqs[e].dst_ready  = req.dst_ready && chosen;
      reqs[e].done_ready = req.done_ready && chosen;
    end
  end
  assign rsp            = rsps[engine_i];
  assign engine_clear_o = req.clear;

  cry_copy_engine u_copy (
    .clk_i,
    .rst_ni,
    .req_i(reqs[0]),
    .rsp_o(rsps[0])
  );

  cry_aes_engine #(
    .Impl(cry_aes_pkg::ImplIterative)
  ) u_aes (
    .clk_i,
    .rst_ni,
    .req_i(reqs[1]),
    .rsp_o(rsps[1])
  );

  cry_chacha20poly1305_engine u_chacha (
    .clk_i,
    .rst_ni,
    .req_i(reqs[2]),
    .rsp_o(rsps[2])
  );

  logic unused;
  assign unused = ^{upsets, full, guard_read.owner, guard_write.owner};

endmodule
