// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// A window onto two AXI4-Streams for a processor that has no DMA: registers of 64 bits
// (regs/window.rdl), a FIFO in each direction.
//
// Protocols: a register port that answers in the cycle of the access, whatever the streams do, with
// writes at least two cycles apart; AXI4-Stream with TKEEP contiguous from bit 0, byte 0 in
// tdata[7:0]. Beats that are not read hold the incoming stream back. Latency: two cycles from the
// write of IN[1] to the stream, one from the stream to STATUS. Wiping: IN when it is sent or
// cleared; words of a FIFO stay in its memory until others overwrite them, and no register shows
// them.
module cry_axis_window #(
  parameter int unsigned Depth = 16  // beats of a FIFO, a power of two up to 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // Registers
  input  logic         req_i,    // one cycle: an access
  input  logic         we_i,     // with req_i: a write
  input  logic [5:0]   addr_i,   // with req_i: address, a multiple of 8
  input  logic [63:0]  wdata_i,  // with a write: data
  output logic [63:0]  rdata_o,  // in the cycle of a read: data

  // AXI4-Stream, to the processor
  input  logic         s_axis_tvalid_i,
  output logic         s_axis_tready_o,
  input  logic [127:0] s_axis_tdata_i,
  input  logic [15:0]  s_axis_tkeep_i,
  input  logic         s_axis_tlast_i,

  // AXI4-Stream, from the processor
  output logic         m_axis_tvalid_o,
  input  logic         m_axis_tready_i,
  output logic [127:0] m_axis_tdata_o,
  output logic [15:0]  m_axis_tkeep_o,
  output logic         m_axis_tlast_o
);

  localparam int unsigned CountWidth = $clog2(Depth) + 1;

  typedef struct packed {
    logic         last;
    logic [4:0]   bytes;  // 0 to 16
    logic [127:0] data;
  } beat_t;

  cry_window_regs_pkg::window__in_t  hw_in;
  cry_window_regs_pkg::window__out_t hw_out;
  logic [5:0] unused_acks;  // constant: the block answers every access at once

  cry_window_regs u_regs (
    .clk                  (clk_i),
    .arst_n               (rst_ni),
    .s_cpuif_req          (req_i),
    .s_cpuif_req_is_wr    (we_i),
    .s_cpuif_addr         (addr_i),
    .s_cpuif_wr_data      (wdata_i),
    .s_cpuif_wr_biten     ('1),
    .s_cpuif_req_stall_wr (unused_acks[0]),
    .s_cpuif_req_stall_rd (unused_acks[1]),
    .s_cpuif_rd_ack       (unused_acks[2]),
    .s_cpuif_rd_err       (unused_acks[3]),
    .s_cpuif_rd_data      (rdata_o),
    .s_cpuif_wr_ack       (unused_acks[4]),
    .s_cpuif_wr_err       (unused_acks[5]),
    .hwif_in              (hw_in),
    .hwif_out             (hw_out)
  );

  logic                  clear, send_q, lost_q, in_room, out_valid, take;
  logic [CountWidth-1:0] in_count, out_count;
  logic [3:0]            unused_faults;  // none: the FIFOs are plain
  beat_t                 sent, sending, came, oldest;

  assign clear = hw_out.CONTROL.clear.value;

  // What was written is in the registers a cycle later.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      send_q <= 1'b0;
      lost_q <= 1'b0;
    end else begin
      send_q <= hw_out.IN[1].value.swmod && !clear;
      lost_q <= !clear && (lost_q || (send_q && !in_room));
    end
  end

  assign sent.data  = {hw_out.IN[1].value.value, hw_out.IN[0].value.value};
  assign sent.bytes = {hw_out.END.bytes.value == '0, hw_out.END.bytes.value};
  assign sent.last  = hw_out.END.last.value;

  cry_fifo #(
    .T(beat_t), .Depth(Depth)
  ) u_in (
    .clk_i,
    .rst_ni,
    .flush_i    (clear),
    .in_valid_i (send_q),
    .in_ready_o (in_room),
    .in_data_i  (sent),
    .out_valid_o(m_axis_tvalid_o),
    .out_ready_i(m_axis_tready_i),
    .out_data_o (sending),
    .count_o    (in_count),
    .corrected_o(unused_faults[0]),
    .detected_o (unused_faults[1])
  );

  assign m_axis_tdata_o = sending.data;
  assign m_axis_tlast_o = sending.last;
  for (genvar i = 0; i < 16; i++) begin : gen_keep
    assign m_axis_tkeep_o[i] = sending.bytes > 5'(i);
  end

  assign came.data  = s_axis_tdata_i;
  assign came.bytes = 5'($countones(s_axis_tkeep_i));
  assign came.last  = s_axis_tlast_i;
  assign take       = hw_out.OUT[1].value.swacc;

  cry_fifo #(
    .T(beat_t), .Depth(Depth)
  ) u_out (
    .clk_i,
    .rst_ni,
    .flush_i    (clear),
    .in_valid_i (s_axis_tvalid_i),
    .in_ready_o (s_axis_tready_o),
    .in_data_i  (came),
    .out_valid_o(out_valid),
    .out_ready_i(take),
    .out_data_o (oldest),
    .count_o    (out_count),
    .corrected_o(unused_faults[2]),
    .detected_o (unused_faults[3])
  );

  beat_t shown;
  assign shown = out_valid ? oldest : '0;

  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      hw_in.IN[i].value.hwclr = send_q || clear;
      hw_in.OUT[i].value.next = shown.data[64*i+:64];
    end
    hw_in.END.bytes.hwclr   = send_q || clear;
    hw_in.END.last.hwclr    = send_q || clear;
    hw_in.STATUS.ready.next = 8'(out_count);
    hw_in.STATUS.room.next  = 8'(Depth) - 8'(in_count);
    hw_in.STATUS.bytes.next = shown.bytes;
    hw_in.STATUS.last.next  = shown.last;
    hw_in.STATUS.lost.next  = lost_q;
  end

  `CRY_ASSERT_RUN
  // Two writes are never in cycles next to each other: what is sent would be cleared.
  `CRY_ASSERT(WritesApart_A, send_q |-> !(req_i && we_i))
  // What goes out stays until it is taken, unless it is dropped.
  `CRY_ASSERT(StreamStable_A,
    (m_axis_tvalid_o && !m_axis_tready_i && !clear) |=>
    (m_axis_tvalid_o && $stable(m_axis_tdata_o) && $stable(m_axis_tlast_o)))

endmodule
