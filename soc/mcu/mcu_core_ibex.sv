// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ibex behind the ports that the SoC expects of every core: two OBI ports, one interrupt, sleep.
//
// The interrupt is irq_fast_i[0] (mcause 16). Boot address 0x80, vectors at 0x0. Multiplication in
// a single cycle. Bus errors raise access fault exceptions.
module mcu_core_ibex #(
  // 0 none, 1 balanced, 2 OpenTitan Earl Grey, 3 full (ibex_pkg::rv32b_e)
  parameter int unsigned Rv32b = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // OBI: instruction fetches
  output logic        instr_req_o,
  input  logic        instr_gnt_i,
  input  logic        instr_rvalid_i,
  output logic [31:0] instr_addr_o,
  input  logic [31:0] instr_rdata_i,
  input  logic        instr_err_i,

  // OBI: data accesses
  output logic        data_req_o,
  input  logic        data_gnt_i,
  input  logic        data_rvalid_i,
  output logic        data_we_o,
  output logic [3:0]  data_be_o,
  output logic [31:0] data_addr_o,
  output logic [31:0] data_wdata_o,
  input  logic [31:0] data_rdata_i,
  input  logic        data_err_i,

  input  logic        irq_i,   // level
  output logic        sleep_o  // the core waits for an interrupt
);

  logic [6:0]            unused_wdata_intg;
  logic                  unused_scramble_req, unused_double_fault;
  logic [2:0]            unused_alert;
  ibex_pkg::crash_dump_t unused_crash_dump;

  ibex_top #(
    .RV32M(ibex_pkg::RV32MSingleCycle),
    .RV32B(ibex_pkg::rv32b_e'(Rv32b))
  ) u_core (
    .clk_i,
    .rst_ni,
    .test_en_i             (1'b0),
    .ram_cfg_i             ('0),
    .hart_id_i             (32'h0000_0000),
    .boot_addr_i           (32'h0000_0000),
    .instr_req_o,
    .instr_gnt_i,
    .instr_rvalid_i,
    .instr_addr_o,
    .instr_rdata_i,
    .instr_rdata_intg_i    ('0),
    .instr_err_i,
    .data_req_o,
    .data_gnt_i,
    .data_rvalid_i,
    .data_we_o,
    .data_be_o,
    .data_addr_o,
    .data_wdata_o,
    .data_wdata_intg_o     (unused_wdata_intg),
    .data_rdata_i,
    .data_rdata_intg_i     ('0),
    .data_err_i,
    .irq_software_i        (1'b0),
    .irq_timer_i           (1'b0),
    .irq_external_i        (1'b0),
    .irq_fast_i            ({14'b0, irq_i}),
    .irq_nm_i              (1'b0),
    .scramble_key_valid_i  (1'b0),
    .scramble_key_i        ('0),
    .scramble_nonce_i      ('0),
    .scramble_req_o        (unused_scramble_req),
    .debug_req_i           (1'b0),
    .crash_dump_o          (unused_crash_dump),
    .double_fault_seen_o   (unused_double_fault),
    .fetch_enable_i        (ibex_pkg::IbexMuBiOn),
    .alert_minor_o         (unused_alert[0]),
    .alert_major_internal_o(unused_alert[1]),
    .alert_major_bus_o     (unused_alert[2]),
    .core_sleep_o          (sleep_o),
    .scan_rst_ni           (1'b1)
  );

endmodule
