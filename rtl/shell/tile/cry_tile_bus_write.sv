// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Write half of cry_tile_bus: arbitrates requests, passes them through the window check, forwards
// their data in the same order and routes responses. With dead_i it drops all data, answers all
// bursts itself and makes no new ones.
module cry_tile_bus_write
  import cry_tile_pkg::*;
#(
  parameter int unsigned Number  = 2,   // writers
  parameter int unsigned Pending = 32,  // outstanding bursts, a power of two
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  localparam int unsigned Width = (Number > 1) ? $clog2(Number) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [Number-1:0]      aw_valid_i,  // by writer: a burst is requested
  output logic [Number-1:0]      aw_ready_o,  // the request is accepted
  input  bus_req_t [Number-1:0]  aw_i,        // address, length, owner
  input  logic [Number-1:0]      w_valid_i,   // by writer: a word of its requests, in order
  output logic [Number-1:0]      w_ready_o,   // the word is accepted
  input  bus_w_t [Number-1:0]    w_i,         // data, strobes
  output logic [Number-1:0]      b_valid_o,   // by writer: a burst is answered
  output bus_error_e             b_error_o,   // how, with b_valid_o

  input  logic                   dead_i,           // level until reset: the memory does not answer
  output logic                   asked_o,          // the memory has something to take or to answer
  output logic                   moves_o,          // it takes or answers something

  output guard_req_t             guard_o,          // burst to be checked
  input  logic                   guard_allowed_i,  // its result, combinational
  input  route_t                 guard_route_i,    // where it goes, with guard_allowed_i
  output logic                   refused_o,        // one cycle: it was refused
  output bus_req_t               refused_req_o,    // the request, with refused_o
  output logic [Width-1:0]       refused_who_o,    // writer, with refused_o

  output logic                   m_axi_awvalid_o,  // AXI4
  input  logic                   m_axi_awready_i,  // AXI4
  output logic [AddrWidth-1:0]   m_axi_awaddr_o,   // byte address
  output logic [7:0]             m_axi_awlen_o,    // words less 1
  output logic [UserWidth-1:0]   m_axi_awuser_o,   // process, queue
  output logic [3:0]             m_axi_awcache_o,  // of the window
  output logic [2:0]             m_axi_awprot_o,   // of the window
  output logic                   m_axi_wvalid_o,   // AXI4
  input  logic                   m_axi_wready_i,   // AXI4
  output logic [127:0]           m_axi_wdata_o,    // byte 0 in bits 7:0
  output logic [15:0]            m_axi_wstrb_o,    // bytes written
  output logic                   m_axi_wlast_o,    // last word of the burst
  input  logic                   m_axi_bvalid_i,   // AXI4
  output logic                   m_axi_bready_o,   // low only while a write is answered here
  input  logic [1:0]             m_axi_bresp_i,    // AXI4

  output logic quiet_o,      // level: no burst is under way

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [5:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  typedef struct packed {
    logic             denied;
    logic [Width-1:0] who;
  } note_t;

  logic             asked, asked_free, asked_q;
  logic [Width-1:0] chosen, who_q;
  bus_req_t         req_q;
  logic             check, bus_free;

  // Choice
  assign asked_free = !asked_q || check;

  cry_arbiter #(.Number(Number), .Protect(Protect)) u_arbiter (
    .clk_i, .rst_ni, .req_i(aw_valid_i), .take_i(asked_free), .any_o(asked), .index_o(chosen),
    .corrected_o(corrected[5]), .detected_o(detected[5])
  );

  always_comb begin
    for (int unsigned i = 0; i < Number; i++) begin
      aw_ready_o[i] = aw_valid_i[i] && asked_free && (chosen == Width'(i));
    end
  end

  logic asked_d;
  logic [Width-1:0] who_d;
  bus_req_t req_d;
  always_comb begin
    asked_d = asked_q;
    who_d   = who_q;
    req_d   = req_q;
    if (asked_free) begin
      asked_d = asked;
      if (asked) begin
        who_d = chosen;
        req_d = aw_i[chosen];
      end
    end
  end

  cry_reg_tmr #(
    .Width($bits({asked_q, who_q, req_q})), .Protect(Protect)
  ) u_asked_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({asked_d, who_d, req_d}),
    .q_o({asked_q, who_q, req_q}),
    .corrected_o(corrected[0]), .detected_o(detected[0])
  );

  // Window check
  logic  data_note_ready, data_note_valid, data_note_pop;
  note_t data_note;
  logic [2:0] data_note_count;

  // Number 0 writes the records.
  assign guard_o  = '{
    owner: req_q.owner, ring: who_q == '0, page: req_q.address[AddrWidth-1:12]
  };
  assign bus_free = !m_axi_awvalid_o || m_axi_awready_i;
  assign check    = asked_q && data_note_ready && (bus_free || !guard_allowed_i || dead_i);

  assign refused_o     = check && !guard_allowed_i;
  assign refused_req_o = req_q;
  assign refused_who_o = who_q;

  logic m_axi_awvalid_d;
  logic [AddrWidth-1:0] m_axi_awaddr_d;
  logic [7:0] m_axi_awlen_d;
  logic [UserWidth-1:0] m_axi_awuser_d;
  logic [3:0] m_axi_awcache_d;
  logic [2:0] m_axi_awprot_d;
  always_comb begin
    m_axi_awvalid_d = m_axi_awvalid_o;
    m_axi_awaddr_d  = m_axi_awaddr_o;
    m_axi_awlen_d   = m_axi_awlen_o;
    m_axi_awuser_d  = m_axi_awuser_o;
    m_axi_awcache_d = m_axi_awcache_o;
    m_axi_awprot_d  = m_axi_awprot_o;
    if (check && guard_allowed_i && !dead_i) begin
      m_axi_awvalid_d = 1'b1;
      m_axi_awaddr_d  = {guard_route_i.page, req_q.address[11:0]};
      m_axi_awuser_d  = guard_route_i.user;
      m_axi_awcache_d = guard_route_i.cache;
      m_axi_awprot_d  = guard_route_i.prot;
      m_axi_awlen_d   = 8'(req_q.len);
    end else if (m_axi_awready_i) begin
      m_axi_awvalid_d = 1'b0;
    end
  end

  cry_reg_tmr #(
    .Width($bits({
      m_axi_awvalid_o, m_axi_awaddr_o, m_axi_awlen_o, m_axi_awuser_o, m_axi_awcache_o,
      m_axi_awprot_o
    })), .Protect(Protect)
  ) u_m_axi_awvalid_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      m_axi_awvalid_d, m_axi_awaddr_d, m_axi_awlen_d, m_axi_awuser_d, m_axi_awcache_d,
      m_axi_awprot_d
    }),
    .q_o({
      m_axi_awvalid_o, m_axi_awaddr_o, m_axi_awlen_o, m_axi_awuser_o, m_axi_awcache_o,
      m_axi_awprot_o
    }),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  cry_fifo #(.T(note_t), .Depth(4), .Protect(Protect)) u_data_notes (
    .clk_i,
    .rst_ni, .flush_i(1'b0),
    .in_valid_i (check),
    .in_ready_o (data_note_ready),
    .in_data_i  ({!guard_allowed_i, who_q}),
    .out_valid_o(data_note_valid),
    .out_ready_i(data_note_pop),
    .out_data_o (data_note),
    .count_o    (data_note_count),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  // Data
  logic   w_free, w_take, answer_note_ready;
  bus_w_t w;

  assign w_free = !m_axi_wvalid_o || m_axi_wready_i;

  always_comb begin
    w = w_i[0];
    for (int unsigned i = 0; i < Number; i++) begin
      if (data_note.who == Width'(i)) w = w_i[i];
      w_ready_o[i] = data_note_valid && (data_note.who == Width'(i)) && answer_note_ready &&
                     (data_note.denied || w_free || dead_i);
    end
  end
  assign w_take        = |(w_valid_i & w_ready_o);
  assign data_note_pop = w_take && w.last;

  logic m_axi_wvalid_d, m_axi_wlast_d;
  logic [127:0] m_axi_wdata_d;
  logic [15:0] m_axi_wstrb_d;
  always_comb begin
    m_axi_wvalid_d = m_axi_wvalid_o;
    m_axi_wdata_d  = m_axi_wdata_o;
    m_axi_wstrb_d  = m_axi_wstrb_o;
    m_axi_wlast_d  = m_axi_wlast_o;
    if (w_take && !data_note.denied && !dead_i) begin
      m_axi_wvalid_d = 1'b1;
      m_axi_wdata_d  = w.data;
      m_axi_wstrb_d  = w.strb;
      m_axi_wlast_d  = w.last;
    end else if (m_axi_wready_i) begin
      m_axi_wvalid_d = 1'b0;
      m_axi_wdata_d  = '0;  // it may be part of a key
    end
  end

  cry_reg_tmr #(
    .Width($bits({m_axi_wvalid_o, m_axi_wdata_o, m_axi_wstrb_o, m_axi_wlast_o})), .Protect(Protect)
  ) u_m_axi_wvalid_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({m_axi_wvalid_d, m_axi_wdata_d, m_axi_wstrb_d, m_axi_wlast_d}),
    .q_o({m_axi_wvalid_o, m_axi_wdata_o, m_axi_wstrb_o, m_axi_wlast_o}),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  // Answers
  logic  answer_note_valid, answer_note_pop;
  note_t answer_note;
  logic [$clog2(Pending):0] answer_note_count;

  cry_fifo #(.T(note_t), .Depth(Pending), .Protect(Protect)) u_answer_notes (
    .clk_i,
    .rst_ni, .flush_i(1'b0),
    .in_valid_i (data_note_pop),
    .in_ready_o (answer_note_ready),
    .in_data_i  (data_note),
    .out_valid_o(answer_note_valid),
    .out_ready_i(answer_note_pop),
    .out_data_o (answer_note),
    .count_o    (answer_note_count),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );

  assign m_axi_bready_o  = dead_i || (answer_note_valid && !answer_note.denied);
  assign answer_note_pop = answer_note.denied || m_axi_bvalid_i || dead_i;

  always_comb begin
    for (int unsigned i = 0; i < Number; i++) begin
      b_valid_o[i] = answer_note_valid && answer_note_pop && (answer_note.who == Width'(i));
    end
    b_error_o = BusOkay;
    if (answer_note.denied)              b_error_o = BusDenied;
    else if (m_axi_bresp_i[1] || dead_i) b_error_o = BusFailed;
  end

  assign asked_o = m_axi_awvalid_o || m_axi_wvalid_o || (answer_note_valid && !answer_note.denied);
  assign moves_o = (m_axi_awvalid_o && m_axi_awready_i) || (m_axi_wvalid_o && m_axi_wready_i) ||
                   (m_axi_bvalid_i && m_axi_bready_o);
  assign quiet_o = !asked_q && !m_axi_awvalid_o && !m_axi_wvalid_o && !data_note_valid &&
                   !answer_note_valid;

  logic unused;
  assign unused = ^{data_note_count, answer_note_count, m_axi_bresp_i[0]};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Denied_A,
    (check && !guard_allowed_i && (!m_axi_awvalid_o || m_axi_awready_i)) |=> !m_axi_awvalid_o)
  `CRY_ASSERT(Answered_A, (m_axi_bvalid_i && !dead_i) |-> answer_note_valid)

endmodule
