// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// A tile with clock gates beside one without: all that leaves them is the same in every cycle.
module tile_gates_probe
  import cry_tile_pkg::*;
#(
  parameter int unsigned NumQueues = 2,
  parameter int unsigned NumSlots  = 1,
  parameter logic [15:0] Opcodes   = 16'h0003,
  parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone,
  localparam int unsigned NumLanes = base_lanes(Opcodes)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 tamper_i,
  output logic [NumQueues-1:0] irq_o,
  output logic                 error_irq_o,

`include "tile_axil_ports.svh"

`include "tile_axi_ports.svh"

  output logic [NumLanes-1:0][31:0] edges_o     // of the lane's clock, since reset
);

  typedef struct packed {
    logic [NumQueues-1:0] irq;
    logic                 error_irq, awready, wready, bvalid, arready, rvalid;
    logic [1:0]           bresp, rresp;
    logic [31:0]          rdata;
    logic                 m_awvalid, m_wvalid, m_wlast, m_bready, m_arvalid, m_rready;
    logic [AddrWidth-1:0] m_awaddr, m_araddr;
    logic [7:0]           m_awlen, m_arlen;
    logic [UserWidth-1:0] m_awuser, m_aruser;
    logic [3:0]           m_awcache, m_arcache;
    logic [2:0]           m_awprot, m_arprot;
    logic [127:0]         m_wdata;
    logic [15:0]          m_wstrb;
  } outputs_t;

  outputs_t [1:0] outputs;

  for (genvar t = 0; t < 2; t++) begin : gen_tile
    outputs_t o;
    assign outputs[t] = o;
    logic unused_rnd_ready;  // no engine takes random bits

    cry_tile #(
      .NumQueues(NumQueues), .NumSlots(NumSlots), .Opcodes(Opcodes),
      .Protect(Protect), .ProtectEngines(Protect), .ClockGates(t == 0)
    ) u_tile (
      .clk_i, .rst_ni, .tamper_i,
      .irq_o(o.irq), .error_irq_o(o.error_irq),
      .s_axil_awvalid_i, .s_axil_awaddr_i, .s_axil_wvalid_i, .s_axil_wdata_i, .s_axil_wstrb_i,
      .s_axil_bready_i, .s_axil_arvalid_i, .s_axil_araddr_i, .s_axil_rready_i,
      .s_axil_awready_o(o.awready), .s_axil_wready_o(o.wready), .s_axil_bvalid_o(o.bvalid),
      .s_axil_bresp_o(o.bresp), .s_axil_arready_o(o.arready), .s_axil_rvalid_o(o.rvalid),
      .s_axil_rdata_o(o.rdata), .s_axil_rresp_o(o.rresp),
      .m_axi_awready_i, .m_axi_wready_i, .m_axi_bvalid_i, .m_axi_bresp_i, .m_axi_arready_i,
      .m_axi_rvalid_i, .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i,
      .rnd_valid_i(1'b0), .rnd_ready_o(unused_rnd_ready), .rnd_i('0),
      .rnd_forget_i(1'b0),
      .rnd_alarm_i(1'b0),
      .m_axi_awvalid_o(o.m_awvalid), .m_axi_awaddr_o(o.m_awaddr), .m_axi_awlen_o(o.m_awlen),
      .m_axi_awuser_o(o.m_awuser), .m_axi_awcache_o(o.m_awcache), .m_axi_awprot_o(o.m_awprot),
      .m_axi_wvalid_o(o.m_wvalid), .m_axi_wdata_o(o.m_wdata), .m_axi_wstrb_o(o.m_wstrb),
      .m_axi_wlast_o(o.m_wlast), .m_axi_bready_o(o.m_bready),
      .m_axi_arvalid_o(o.m_arvalid), .m_axi_araddr_o(o.m_araddr), .m_axi_arlen_o(o.m_arlen),
      .m_axi_aruser_o(o.m_aruser), .m_axi_arcache_o(o.m_arcache), .m_axi_arprot_o(o.m_arprot),
      .m_axi_rready_o(o.m_rready)
    );
  end

  assign {
    irq_o, error_irq_o, s_axil_awready_o, s_axil_wready_o, s_axil_bvalid_o, s_axil_arready_o,
    s_axil_rvalid_o, s_axil_bresp_o, s_axil_rresp_o, s_axil_rdata_o,
    m_axi_awvalid_o, m_axi_wvalid_o, m_axi_wlast_o, m_axi_bready_o, m_axi_arvalid_o,
    m_axi_rready_o, m_axi_awaddr_o, m_axi_araddr_o, m_axi_awlen_o, m_axi_arlen_o, m_axi_awuser_o,
    m_axi_aruser_o, m_axi_awcache_o, m_axi_arcache_o, m_axi_awprot_o, m_axi_arprot_o,
    m_axi_wdata_o, m_axi_wstrb_o
  } = outputs[0];

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    if (Opcodes[l+1]) begin : gen_built
      logic [31:0] edges_q;

      always_ff @(posedge gen_tile[0].u_tile.gen_lane[l].gen_built.lane_clk or negedge rst_ni) begin
        if (!rst_ni) edges_q <= '0;
        else         edges_q <= edges_q + 1;
      end
      assign edges_o[l] = edges_q;
    end else begin : gen_none
      assign edges_o[l] = '0;
    end
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Same_A, outputs[0] == outputs[1])

endmodule
