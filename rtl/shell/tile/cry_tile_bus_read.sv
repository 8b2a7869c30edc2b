// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Read half of cry_tile_bus: arbitrates requests, passes them through the window check and routes
// responses. With dead_i it answers all bursts itself and makes no new ones.
module cry_tile_bus_read
  import cry_tile_pkg::*;
#(
  parameter int unsigned Number  = 2,   // readers
  parameter int unsigned Pending = 32,  // outstanding bursts, a power of two
  // Level of protection of its registers
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  localparam int unsigned Width = (Number > 1) ? $clog2(Number) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [Number-1:0]      ar_valid_i,  // by reader: a burst is requested
  output logic [Number-1:0]      ar_ready_o,  // the request is accepted
  input  bus_req_t [Number-1:0]  ar_i,        // address, length, owner
  output logic [Number-1:0]      r_valid_o,   // by reader: a word of a response
  output bus_r_t                 r_o,         // data, last, error

  input  logic                   dead_i,           // level until reset: the memory does not answer
  output logic                   asked_o,          // the memory has something to take or to answer
  output logic                   moves_o,          // it takes or answers something

  output guard_req_t             guard_o,          // burst to be checked
  input  logic                   guard_allowed_i,  // its result, combinational
  input  route_t                 guard_route_i,    // where it goes, with guard_allowed_i
  output logic                   refused_o,        // one cycle: it was refused
  output bus_req_t               refused_req_o,    // the request, with refused_o
  output logic [Width-1:0]       refused_who_o,    // reader, with refused_o

  output logic                   m_axi_arvalid_o,  // AXI4
  input  logic                   m_axi_arready_i,  // AXI4
  output logic [AddrWidth-1:0]   m_axi_araddr_o,   // byte address
  output logic [7:0]             m_axi_arlen_o,    // words less 1
  output logic [UserWidth-1:0]   m_axi_aruser_o,   // process, queue
  output logic [3:0]             m_axi_arcache_o,  // of the window
  output logic [2:0]             m_axi_arprot_o,   // of the window
  input  logic                   m_axi_rvalid_i,   // AXI4
  output logic                   m_axi_rready_o,   // low only while a read is answered here
  input  logic [127:0]           m_axi_rdata_i,    // byte 0 in bits 7:0
  input  logic [1:0]             m_axi_rresp_i,    // AXI4
  input  logic                   m_axi_rlast_i,    // AXI4

  output logic quiet_o,      // level: no burst is under way

  output logic corrected_o,  // one cycle: an upset was corrected
  output logic detected_o    // an uncorrectable upset was found
);

  logic [4:0] corrected, detected;
  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  typedef struct packed {
    logic             denied;
    logic [3:0]       len;
    logic [Width-1:0] who;
  } note_t;

  logic             asked, asked_free, asked_q;
  logic [Width-1:0] chosen, who_q;
  bus_req_t         req_q;
  logic             check, bus_free;
  logic             note_ready, note_valid, note_pop;
  note_t            note;
  logic [$clog2(Pending):0] note_count;

  // Choice
  assign asked_free = !asked_q || check;

  cry_arbiter #(.Number(Number), .Protect(Protect)) u_arbiter (
    .clk_i, .rst_ni, .req_i(ar_valid_i), .take_i(asked_free), .any_o(asked), .index_o(chosen),
    .corrected_o(corrected[4]), .detected_o(detected[4])
  );

  always_comb begin
    for (int unsigned i = 0; i < Number; i++) begin
      ar_ready_o[i] = ar_valid_i[i] && asked_free && (chosen == Width'(i));
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
        req_d = ar_i[chosen];
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
  // Number 0 reads the rings.
  assign guard_o  = '{
    owner: req_q.owner, ring: who_q == '0, page: req_q.address[AddrWidth-1:12]
  };
  assign bus_free = !m_axi_arvalid_o || m_axi_arready_i;
  assign check    = asked_q && note_ready && (bus_free || !guard_allowed_i || dead_i);

  assign refused_o     = check && !guard_allowed_i;
  assign refused_req_o = req_q;
  assign refused_who_o = who_q;

  logic m_axi_arvalid_d;
  logic [AddrWidth-1:0] m_axi_araddr_d;
  logic [7:0] m_axi_arlen_d;
  logic [UserWidth-1:0] m_axi_aruser_d;
  logic [3:0] m_axi_arcache_d;
  logic [2:0] m_axi_arprot_d;
  always_comb begin
    m_axi_arvalid_d = m_axi_arvalid_o;
    m_axi_araddr_d  = m_axi_araddr_o;
    m_axi_arlen_d   = m_axi_arlen_o;
    m_axi_aruser_d  = m_axi_aruser_o;
    m_axi_arcache_d = m_axi_arcache_o;
    m_axi_arprot_d  = m_axi_arprot_o;
    if (check && guard_allowed_i && !dead_i) begin
      m_axi_arvalid_d = 1'b1;
      m_axi_araddr_d  = {guard_route_i.page, req_q.address[11:0]};
      m_axi_aruser_d  = guard_route_i.user;
      m_axi_arcache_d = guard_route_i.cache;
      m_axi_arprot_d  = guard_route_i.prot;
      m_axi_arlen_d   = 8'(req_q.len);
    end else if (m_axi_arready_i) begin
      m_axi_arvalid_d = 1'b0;
    end
  end

  cry_reg_tmr #(
    .Width($bits({
      m_axi_arvalid_o, m_axi_araddr_o, m_axi_arlen_o, m_axi_aruser_o, m_axi_arcache_o,
      m_axi_arprot_o
    })), .Protect(Protect)
  ) u_m_axi_arvalid_regs (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i({
      m_axi_arvalid_d, m_axi_araddr_d, m_axi_arlen_d, m_axi_aruser_d, m_axi_arcache_d,
      m_axi_arprot_d
    }),
    .q_o({
      m_axi_arvalid_o, m_axi_araddr_o, m_axi_arlen_o, m_axi_aruser_o, m_axi_arcache_o,
      m_axi_arprot_o
    }),
    .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  cry_fifo #(.T(note_t), .Depth(Pending), .Protect(Protect)) u_notes (
    .clk_i,
    .rst_ni, .flush_i(1'b0),
    .in_valid_i (check),
    .in_ready_o (note_ready),
    .in_data_i  ({!guard_allowed_i, req_q.len, who_q}),
    .out_valid_o(note_valid),
    .out_ready_i(note_pop),
    .out_data_o (note),
    .count_o    (note_count),
    .corrected_o(corrected[3]), .detected_o(detected[3])
  );

  // Answers
  logic [3:0] given_q;   // words of the burst that is answered
  logic       local_answer, given, given_last;

  assign local_answer   = note_valid && (note.denied || dead_i);
  assign given_last     = given_q == note.len;
  assign m_axi_rready_o = dead_i || (note_valid && !note.denied);
  assign given          = local_answer || (m_axi_rvalid_i && m_axi_rready_o && !dead_i);

  always_comb begin
    for (int unsigned i = 0; i < Number; i++) begin
      r_valid_o[i] = (note.who == Width'(i)) && given;
    end
    r_o.data  = local_answer ? '0 : m_axi_rdata_i;
    r_o.last  = local_answer ? given_last : m_axi_rlast_i;
    r_o.error = BusOkay;
    if (note.denied)                     r_o.error = BusDenied;
    else if (m_axi_rresp_i[1] || dead_i) r_o.error = BusFailed;
  end

  assign note_pop = given && r_o.last;

  logic [3:0] given_d;
  always_comb begin
    given_d = given_q;
    if (given) given_d = r_o.last ? '0 : given_q + 1'b1;
  end

  cry_reg_tmr #(
    .Width($bits(given_q)), .Protect(Protect)
  ) u_given_reg (
    .clk_i, .rst_ni, .en_i(1'b1), .inject_i(1'b0),
    .d_i(given_d),
    .q_o(given_q),
    .corrected_o(corrected[2]), .detected_o(detected[2])
  );

  assign asked_o = m_axi_arvalid_o || (note_valid && !note.denied);
  assign moves_o = (m_axi_arvalid_o && m_axi_arready_i) || (m_axi_rvalid_i && m_axi_rready_o);
  assign quiet_o = !asked_q && !m_axi_arvalid_o && !note_valid;

  logic unused;
  assign unused = ^{note_count, m_axi_rresp_i[0]};

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Denied_A,
    (check && !guard_allowed_i && (!m_axi_arvalid_o || m_axi_arready_i)) |=> !m_axi_arvalid_o)
  `CRY_ASSERT(Asked_A, (m_axi_rvalid_i && !dead_i) |-> note_valid)
  `CRY_ASSERT(Whole_A, (given && !local_answer) |-> (m_axi_rlast_i == given_last))

endmodule
