// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// CV32E40P behind the ports that the SoC expects of every core: two OBI ports, one interrupt,
// sleep.
//
// The interrupt is irq_i[16] (mcause 16). Boot address 0x80, vectors at 0x0. No FPU, no PULP
// extensions. This core has no bus error inputs: a failed load returns zero, a failed fetch returns
// an illegal instruction (README.md).
module mcu_core_cv32e40p (
  input  logic        clk_i,
  input  logic        rst_ni,

  // OBI: instruction fetches
  output logic        instr_req_o,
  input  logic        instr_gnt_i,
  input  logic        instr_rvalid_i,
  output logic [31:0] instr_addr_o,
  input  logic [31:0] instr_rdata_i,

  // OBI: data accesses
  output logic        data_req_o,
  input  logic        data_gnt_i,
  input  logic        data_rvalid_i,
  output logic        data_we_o,
  output logic [3:0]  data_be_o,
  output logic [31:0] data_addr_o,
  output logic [31:0] data_wdata_o,
  input  logic [31:0] data_rdata_i,

  input  logic        irq_i,   // level
  output logic        sleep_o  // the core waits for an interrupt
);

  logic       unused_irq_ack;
  logic [4:0] unused_irq_id;
  logic [2:0] unused_debug;

  cv32e40p_top #(
    .COREV_PULP      (0),
    .COREV_CLUSTER   (0),
    .FPU             (0),
    .FPU_ADDMUL_LAT  (0),
    .FPU_OTHERS_LAT  (0),
    .ZFINX           (0),
    .NUM_MHPMCOUNTERS(1)
  ) u_core (
    .clk_i,
    .rst_ni,
    .pulp_clock_en_i    (1'b0),
    .scan_cg_en_i       (1'b0),
    .boot_addr_i        (32'h0000_0080),
    .mtvec_addr_i       (32'h0000_0000),
    .dm_halt_addr_i     (32'h0000_0000),
    .hart_id_i          (32'h0000_0000),
    .dm_exception_addr_i(32'h0000_0000),
    .instr_req_o,
    .instr_gnt_i,
    .instr_rvalid_i,
    .instr_addr_o,
    .instr_rdata_i,
    .data_req_o,
    .data_gnt_i,
    .data_rvalid_i,
    .data_we_o,
    .data_be_o,
    .data_addr_o,
    .data_wdata_o,
    .data_rdata_i,
    .irq_i              ({15'b0, irq_i, 16'b0}),
    .irq_ack_o          (unused_irq_ack),
    .irq_id_o           (unused_irq_id),
    .debug_req_i        (1'b0),
    .debug_havereset_o  (unused_debug[0]),
    .debug_running_o    (unused_debug[1]),
    .debug_halted_o     (unused_debug[2]),
    .fetch_enable_i     (1'b1),
    .core_sleep_o       (sleep_o)
  );

endmodule
