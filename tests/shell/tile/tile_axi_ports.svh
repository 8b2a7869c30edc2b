// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The memory port of the tile, likewise; cry_tile_pkg must be imported.
  output logic                 m_axi_awvalid_o,
  input  logic                 m_axi_awready_i,
  output logic [AddrWidth-1:0] m_axi_awaddr_o,
  output logic [7:0]           m_axi_awlen_o,
  output logic [UserWidth-1:0] m_axi_awuser_o,   // process, queue
  output logic [3:0]           m_axi_awcache_o,  // of the window
  output logic [2:0]           m_axi_awprot_o,   // of the window
  output logic                 m_axi_wvalid_o,
  input  logic                 m_axi_wready_i,
  output logic [127:0]         m_axi_wdata_o,
  output logic [15:0]          m_axi_wstrb_o,
  output logic                 m_axi_wlast_o,
  input  logic                 m_axi_bvalid_i,
  output logic                 m_axi_bready_o,
  input  logic [1:0]           m_axi_bresp_i,
  output logic                 m_axi_arvalid_o,
  input  logic                 m_axi_arready_i,
  output logic [AddrWidth-1:0] m_axi_araddr_o,
  output logic [7:0]           m_axi_arlen_o,
  output logic [UserWidth-1:0] m_axi_aruser_o,   // process, queue
  output logic [3:0]           m_axi_arcache_o,  // of the window
  output logic [2:0]           m_axi_arprot_o,   // of the window
  input  logic                 m_axi_rvalid_i,
  output logic                 m_axi_rready_o,
  input  logic [127:0]         m_axi_rdata_i,
  input  logic [1:0]           m_axi_rresp_i,
  input  logic                 m_axi_rlast_i,
