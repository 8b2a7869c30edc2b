// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Two AXI4 managers on one subordinate.
//
// Addresses are arbitrated round-robin and registered. Write data follows in the order of the write
// addresses. Responses are routed by the top bit of the ID, which this module adds; the order
// within an ID is the subordinate's.
module stream_axi_mux #(
  parameter  int unsigned IdWidth   = 2,    // bits of a manager's ID
  parameter  int unsigned DataWidth = 128,  // bits of a bus word
  localparam int unsigned WordBytes = DataWidth / 8
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // Managers, but for the payload of responses, which is connected directly
  input  logic [1:0]                 s_awvalid_i,
  output logic [1:0]                 s_awready_o,
  input  logic [1:0][IdWidth-1:0]    s_awid_i,
  input  logic [1:0][31:0]           s_awaddr_i,
  input  logic [1:0][7:0]            s_awlen_i,
  input  logic [1:0]                 s_wvalid_i,
  output logic [1:0]                 s_wready_o,
  input  logic [1:0][DataWidth-1:0]  s_wdata_i,
  input  logic [1:0][WordBytes-1:0]  s_wstrb_i,
  input  logic [1:0]                 s_wlast_i,
  output logic [1:0]                 s_bvalid_o,
  input  logic [1:0]                 s_bready_i,
  input  logic [1:0]                 s_arvalid_i,
  output logic [1:0]                 s_arready_o,
  input  logic [1:0][IdWidth-1:0]    s_arid_i,
  input  logic [1:0][31:0]           s_araddr_i,
  input  logic [1:0][7:0]            s_arlen_i,
  output logic [1:0]                 s_rvalid_o,
  input  logic [1:0]                 s_rready_i,

  // Subordinate, likewise
  output logic                       m_awvalid_o,
  input  logic                       m_awready_i,
  output logic [IdWidth:0]           m_awid_o,
  output logic [31:0]                m_awaddr_o,
  output logic [7:0]                 m_awlen_o,
  output logic                       m_wvalid_o,
  input  logic                       m_wready_i,
  output logic [DataWidth-1:0]       m_wdata_o,
  output logic [WordBytes-1:0]       m_wstrb_o,
  output logic                       m_wlast_o,
  input  logic                       m_bvalid_i,
  output logic                       m_bready_o,
  input  logic                       m_bsel_i,  // top bit of its ID
  output logic                       m_arvalid_o,
  input  logic                       m_arready_i,
  output logic [IdWidth:0]           m_arid_o,
  output logic [31:0]                m_araddr_o,
  output logic [7:0]                 m_arlen_o,
  input  logic                       m_rvalid_i,
  output logic                       m_rready_o,
  input  logic                       m_rsel_i   // top bit of its ID
);

  // Reads
  logic [1:0] ar_grant;
  logic       ar_free;

  assign ar_free     = !m_arvalid_o || m_arready_i;
  assign s_arready_o = ar_grant;

  logic [1:0] unused_ar_arbiter_faults;  // unprotected: it has none
  logic ar_any, ar_winner;
  cry_arbiter #(
    .Number(2)
  ) u_ar_arbiter (
    .clk_i,
    .rst_ni,
    .req_i(s_arvalid_i & {2{ar_free}}),
    .take_i(1'b1), .any_o(ar_any), .index_o(ar_winner),
    .corrected_o(unused_ar_arbiter_faults[1]), .detected_o (unused_ar_arbiter_faults[0])
  );
  assign ar_grant = 2'(ar_any) << ar_winner;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_arvalid_o <= 1'b0;
      m_arid_o    <= '0;
      m_araddr_o  <= '0;
      m_arlen_o   <= '0;
    end else if (ar_free) begin
      m_arvalid_o <= ar_grant != '0;
      m_arid_o    <= {ar_grant[1], s_arid_i[ar_grant[1]]};
      m_araddr_o  <= s_araddr_i[ar_grant[1]];
      m_arlen_o   <= s_arlen_i[ar_grant[1]];
    end
  end

  assign s_rvalid_o = {m_rvalid_i && m_rsel_i, m_rvalid_i && !m_rsel_i};
  assign m_rready_o = s_rready_i[m_rsel_i];

  // Writes
  logic [1:0] aw_grant;
  logic       aw_free, order_ready, order_valid, order_pop, order;
  logic [2:0] order_count;

  assign aw_free     = order_ready && (!m_awvalid_o || m_awready_i);
  assign s_awready_o = aw_grant;

  logic [1:0] unused_aw_arbiter_faults;  // unprotected: it has none
  logic aw_any, aw_winner;
  cry_arbiter #(
    .Number(2)
  ) u_aw_arbiter (
    .clk_i,
    .rst_ni,
    .req_i(s_awvalid_i & {2{aw_free}}),
    .take_i(1'b1), .any_o(aw_any), .index_o(aw_winner),
    .corrected_o(unused_aw_arbiter_faults[1]), .detected_o (unused_aw_arbiter_faults[0])
  );
  assign aw_grant = 2'(aw_any) << aw_winner;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_awvalid_o <= 1'b0;
      m_awid_o    <= '0;
      m_awaddr_o  <= '0;
      m_awlen_o   <= '0;
    end else if (aw_grant != '0) begin
      m_awvalid_o <= 1'b1;
      m_awid_o    <= {aw_grant[1], s_awid_i[aw_grant[1]]};
      m_awaddr_o  <= s_awaddr_i[aw_grant[1]];
      m_awlen_o   <= s_awlen_i[aw_grant[1]];
    end else if (m_awready_i) begin
      m_awvalid_o <= 1'b0;
    end
  end

  logic [1:0] unused_order_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic),
    .Depth(4)
  ) u_order (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (aw_grant != '0),
    .in_ready_o (order_ready),
    .in_data_i  (aw_grant[1]),
    .out_valid_o(order_valid),
    .out_ready_i(order_pop),
    .out_data_o (order),
    .count_o    (order_count),
    .corrected_o(unused_order_faults[1]),
    .detected_o (unused_order_faults[0])
  );

  assign m_wvalid_o = order_valid && s_wvalid_i[order];
  assign m_wdata_o  = s_wdata_i[order];
  assign m_wstrb_o  = s_wstrb_i[order];
  assign m_wlast_o  = s_wlast_i[order];
  assign s_wready_o = {order_valid && order && m_wready_i, order_valid && !order && m_wready_i};
  assign order_pop  = m_wvalid_o && m_wready_i && m_wlast_o;

  assign s_bvalid_o = {m_bvalid_i && m_bsel_i, m_bvalid_i && !m_bsel_i};
  assign m_bready_o = s_bready_i[m_bsel_i];

  logic unused;
  assign unused = ^order_count;

endmodule
