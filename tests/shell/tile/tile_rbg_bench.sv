// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile and the random bit generator that feeds it: ports of the tile, rbg_* of the generator.
module tile_rbg_bench
  import cry_tile_pkg::*;
#(
  parameter int unsigned Lanes        = 16,  // of the generator, as all that follow
  parameter int unsigned Window       = 64,
  parameter int unsigned RctCutoff    = 21,
  parameter int unsigned Cutoff       = 51,
  parameter int unsigned Entropy      = 1000,
  parameter int unsigned Blocks       = 2,
  parameter int unsigned SettleCycles = 918,
  parameter int unsigned PauseCycles  = 40
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 tamper_i,
  output logic [1:0]           irq_o,
  output logic                 error_irq_o,

`include "tile_axil_ports.svh"

`include "tile_axi_ports.svh"

  // Registers, read-out and oscillators of the generator
  input  logic                 rbg_awvalid_i,
  output logic                 rbg_awready_o,
  input  logic [4:0]           rbg_awaddr_i,
  input  logic                 rbg_wvalid_i,
  output logic                 rbg_wready_o,
  input  logic [31:0]          rbg_wdata_i,
  input  logic [3:0]           rbg_wstrb_i,
  output logic                 rbg_bvalid_o,
  input  logic                 rbg_bready_i,
  output logic [1:0]           rbg_bresp_o,
  input  logic                 rbg_arvalid_i,
  output logic                 rbg_arready_o,
  input  logic [4:0]           rbg_araddr_i,
  output logic                 rbg_rvalid_o,
  input  logic                 rbg_rready_i,
  output logic [31:0]          rbg_rdata_o,
  output logic [1:0]           rbg_rresp_o,
  input  logic [Lanes-1:0]     osc_i
);

  logic         rnd_valid, rnd_ready, rnd_forget, alarm, unused_enable;
  logic [127:0] rnd;

  cry_tile #(
    .NumQueues(2), .NumSlots(2), .Opcodes(16'h103)
  ) u_tile (
    .*,
    .rnd_valid_i (rnd_valid),
    .rnd_ready_o (rnd_ready),
    .rnd_i       (rnd),
    .rnd_forget_i(rnd_forget),
    .rnd_alarm_i (alarm)
  );

  cry_rbg #(
    .Lanes(Lanes), .Window(Window), .RctCutoff(RctCutoff), .Cutoff(Cutoff),
    .Entropy(Entropy), .Blocks(Blocks), .SettleCycles(SettleCycles), .PauseCycles(PauseCycles),
    .Bulk(1'b1)
  ) u_rbg (
    .clk_i, .rst_ni,
    .wipe_i          (tamper_i),
    .read_allowed_i  (1'b0),
    .alarm_o         (alarm),
    .s_axil_awvalid_i(rbg_awvalid_i),
    .s_axil_awready_o(rbg_awready_o),
    .s_axil_awaddr_i (rbg_awaddr_i),
    .s_axil_wvalid_i (rbg_wvalid_i),
    .s_axil_wready_o (rbg_wready_o),
    .s_axil_wdata_i  (rbg_wdata_i),
    .s_axil_wstrb_i  (rbg_wstrb_i),
    .s_axil_bvalid_o (rbg_bvalid_o),
    .s_axil_bready_i (rbg_bready_i),
    .s_axil_bresp_o  (rbg_bresp_o),
    .s_axil_arvalid_i(rbg_arvalid_i),
    .s_axil_arready_o(rbg_arready_o),
    .s_axil_araddr_i (rbg_araddr_i),
    .s_axil_rvalid_o (rbg_rvalid_o),
    .s_axil_rready_i (rbg_rready_i),
    .s_axil_rdata_o  (rbg_rdata_o),
    .s_axil_rresp_o  (rbg_rresp_o),
    .osc_enable_o    (unused_enable),
    .osc_i,
    .rnd_valid_o     (rnd_valid),
    .rnd_ready_i     (rnd_ready),
    .rnd_o           (rnd),
    .rnd_forget_o    (rnd_forget)
  );

endmodule
