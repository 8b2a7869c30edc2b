// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Microcontroller: a RISC-V core, instruction memory, word-interleaved TCDM, a processing engine
// (HWPE) on four TCDM ports, and peripherals. Wiring only; the address map is in README.md.
//
// console_*, exit_* and host_* (mcu_periph) are connected to the test bench; on a chip to UART,
// pads and a serial port.
module mcu_soc #(
  parameter int unsigned Core      = 0,                      // 0 CV32E40P, 1 Ibex
  parameter int unsigned Rv32b     = 0,                      // of Ibex, see mcu_core_ibex
  parameter int unsigned NumBanks  = 8,                      // of the TCDM, a power of two
  parameter int unsigned ImemSize  = mcu_map_pkg::ImemSize,  // bytes, a power of two
  parameter int unsigned TcdmSize  = mcu_map_pkg::TcdmSize,  // bytes, a power of two
  // Of the HWPE: an engine_e of cry_engine_select_pkg
  parameter int unsigned Engine    = int'(cry_engine_select_pkg::AesIterative)
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [4:0]  tcdm_stall_i,  // test: stalls requests of core (0) and HWPE (4:1)
  output logic        core_sleep_o,  // the core waits for an interrupt

  // Console
  output logic        console_valid_o,
  output logic [7:0]  console_data_o,

  // End of the program
  output logic        exit_valid_o,
  output logic [31:0] exit_code_o,

  // Host mailbox
  output logic        host_valid_o,
  output logic [7:0]  host_cmd_o,
  output logic [31:0] host_addr_o,
  output logic [31:0] host_len_o,
  input  logic [31:0] host_result_i
);

  localparam int unsigned NumMasters = 5;
  localparam int unsigned BankWords  = TcdmSize / 4 / NumBanks;
  localparam int unsigned RowWidth   = $clog2(BankWords);

  // Core
  logic        instr_req, instr_gnt, instr_rvalid, instr_err;
  logic [31:0] instr_addr, instr_rdata;
  logic        data_req, data_gnt, data_rvalid, data_we, data_err;
  logic [3:0]  data_be;
  logic [31:0] data_addr, data_wdata, data_rdata;
  logic        irq;

  if (Core == 0) begin : gen_cv32e40p
    mcu_core_cv32e40p u_core (
      .clk_i,
      .rst_ni,
      .instr_req_o   (instr_req),
      .instr_gnt_i   (instr_gnt),
      .instr_rvalid_i(instr_rvalid),
      .instr_addr_o  (instr_addr),
      .instr_rdata_i (instr_rdata),
      .data_req_o    (data_req),
      .data_gnt_i    (data_gnt),
      .data_rvalid_i (data_rvalid),
      .data_we_o     (data_we),
      .data_be_o     (data_be),
      .data_addr_o   (data_addr),
      .data_wdata_o  (data_wdata),
      .data_rdata_i  (data_rdata),
      .irq_i         (irq),
      .sleep_o       (core_sleep_o)
    );
  end else begin : gen_ibex
    mcu_core_ibex #(
      .Rv32b(Rv32b)
    ) u_core (
      .clk_i,
      .rst_ni,
      .instr_req_o   (instr_req),
      .instr_gnt_i   (instr_gnt),
      .instr_rvalid_i(instr_rvalid),
      .instr_addr_o  (instr_addr),
      .instr_rdata_i (instr_rdata),
      .instr_err_i   (instr_err),
      .data_req_o    (data_req),
      .data_gnt_i    (data_gnt),
      .data_rvalid_i (data_rvalid),
      .data_we_o     (data_we),
      .data_be_o     (data_be),
      .data_addr_o   (data_addr),
      .data_wdata_o  (data_wdata),
      .data_rdata_i  (data_rdata),
      .data_err_i    (data_err),
      .irq_i         (irq),
      .sleep_o       (core_sleep_o)
    );
  end

  // The core's data accesses
  logic        imem_req, imem_gnt, periph_req, periph_gnt, periph_err;
  logic [31:0] imem_rdata, periph_rdata;
  logic        core_tcdm_req;

  // TCDM masters: 0 the core, 1 to 4 the HWPE
  logic [NumMasters-1:0]       tcdm_req, tcdm_gnt, tcdm_wen, tcdm_r_valid, tcdm_err;
  logic [NumMasters-1:0][31:0] tcdm_add, tcdm_data, tcdm_r_data;
  logic [NumMasters-1:0][3:0]  tcdm_be;
  logic [3:0]                  hwpe_tcdm_req;

  mcu_data_demux #(
    .ImemSize(ImemSize)
  ) u_data_demux (
    .clk_i,
    .rst_ni,
    .req_i         (data_req),
    .gnt_o         (data_gnt),
    .addr_i        (data_addr),
    .rvalid_o      (data_rvalid),
    .rdata_o       (data_rdata),
    .err_o         (data_err),
    .imem_req_o    (imem_req),
    .imem_gnt_i    (imem_gnt),
    .imem_rdata_i  (imem_rdata),
    .tcdm_req_o    (core_tcdm_req),
    .tcdm_gnt_i    (tcdm_gnt[0]),
    .tcdm_rdata_i  (tcdm_r_data[0]),
    .tcdm_err_i    (tcdm_err[0]),
    .periph_req_o  (periph_req),
    .periph_gnt_i  (periph_gnt),
    .periph_rdata_i(periph_rdata),
    .periph_err_i  (periph_err)
  );

  mcu_imem #(
    .Words(ImemSize / 4)
  ) u_imem (
    .clk_i,
    .rst_ni,
    .instr_req_i   (instr_req),
    .instr_gnt_o   (instr_gnt),
    .instr_addr_i  (instr_addr),
    .instr_rvalid_o(instr_rvalid),
    .instr_rdata_o (instr_rdata),
    .instr_err_o   (instr_err),
    .data_req_i    (imem_req),
    .data_gnt_o    (imem_gnt),
    .data_we_i     (data_we),
    .data_be_i     (data_be),
    .data_addr_i   (data_addr),
    .data_wdata_i  (data_wdata),
    .data_rdata_o  (imem_rdata)
  );

  // TCDM
  logic [NumBanks-1:0]               bank_req, bank_we;
  logic [NumBanks-1:0][3:0]          bank_be;
  logic [NumBanks-1:0][RowWidth-1:0] bank_addr;
  logic [NumBanks-1:0][31:0]         bank_wdata, bank_rdata;

  assign tcdm_req     = {hwpe_tcdm_req, core_tcdm_req} & ~tcdm_stall_i;
  assign tcdm_add[0]  = data_addr;
  assign tcdm_wen[0]  = ~data_we;
  assign tcdm_be[0]   = data_be;
  assign tcdm_data[0] = data_wdata;

  mcu_tcdm_interconnect #(
    .NumMasters(NumMasters),
    .NumBanks  (NumBanks),
    .BankWords (BankWords),
    .Base      (mcu_map_pkg::TcdmBase)
  ) u_interconnect (
    .clk_i,
    .rst_ni,
    .req_i       (tcdm_req),
    .gnt_o       (tcdm_gnt),
    .add_i       (tcdm_add),
    .wen_i       (tcdm_wen),
    .be_i        (tcdm_be),
    .data_i      (tcdm_data),
    .r_data_o    (tcdm_r_data),
    .r_valid_o   (tcdm_r_valid),
    .err_o       (tcdm_err),
    .bank_req_o  (bank_req),
    .bank_we_o   (bank_we),
    .bank_be_o   (bank_be),
    .bank_addr_o (bank_addr),
    .bank_wdata_o(bank_wdata),
    .bank_rdata_i(bank_rdata)
  );

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    mcu_sram #(
      .Words(BankWords)
    ) u_sram (
      .clk_i,
      .req_i  (bank_req[b]),
      .we_i   (bank_we[b]),
      .be_i   (bank_be[b]),
      .addr_i (bank_addr[b]),
      .wdata_i(bank_wdata[b]),
      .rdata_o(bank_rdata[b])
    );
  end

  // Peripheral bus: the HWPE's page, or a register of the others
  logic        hwpe_sel, hwpe_sel_q;
  logic        hwpe_req, hwpe_gnt, hwpe_event;
  logic [31:0] hwpe_rdata, regs_rdata;
  logic        regs_err;
  logic [31:0] data_addr_q;

  assign hwpe_sel     = data_addr[16:12] == mcu_map_pkg::HwpeBase[16:12];
  assign hwpe_req     = periph_req & hwpe_sel;
  assign periph_gnt   = hwpe_sel ? hwpe_gnt : 1'b1;
  assign periph_rdata = hwpe_sel_q ? hwpe_rdata : regs_rdata;
  assign periph_err   = ~hwpe_sel_q & regs_err;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hwpe_sel_q  <= 1'b0;
      data_addr_q <= '0;
    end else if (data_req && data_gnt) begin
      hwpe_sel_q  <= hwpe_sel;
      data_addr_q <= data_addr;
    end
  end

  mcu_periph #(
    .Core    (Core),
    .Rv32b   (Rv32b),
    .Impl    (32'(cry_engine_select_pkg::variant(cry_engine_select_pkg::engine_e'(Engine)))),
    .NumBanks(NumBanks)
  ) u_periph (
    .clk_i,
    .rst_ni,
    .req_i          (periph_req & ~hwpe_sel),
    .we_i           (data_we),
    .be_i           (data_be),
    .addr_i         (data_addr[16:0]),
    .wdata_i        (data_wdata),
    .rdata_o        (regs_rdata),
    .err_o          (regs_err),
    .hwpe_event_i   (hwpe_event),
    .hwpe_err_i     (tcdm_err[NumMasters-1:1] != '0),
    .data_err_i     (data_err),
    .data_err_addr_i(data_addr_q),
    .fetch_err_i    (instr_err),
    .irq_o          (irq),
    .console_valid_o,
    .console_data_o,
    .exit_valid_o,
    .exit_code_o,
    .host_valid_o,
    .host_cmd_o,
    .host_addr_o,
    .host_len_o,
    .host_result_i
  );

  // HWPE
  logic hwpe_r_valid, hwpe_r_id;

  logic unused_rnd_ready;
  cry_hwpe_engine #(
    .Engine (cry_engine_select_pkg::engine_e'(Engine)),
    .IdWidth(1)
  ) u_hwpe (
    .clk_i,
    .rst_ni,
    .tcdm_req_o      (hwpe_tcdm_req),
    .tcdm_gnt_i      (tcdm_gnt[NumMasters-1:1]),
    .tcdm_add_o      (tcdm_add[NumMasters-1:1]),
    .tcdm_wen_o      (tcdm_wen[NumMasters-1:1]),
    .tcdm_be_o       (tcdm_be[NumMasters-1:1]),
    .tcdm_data_o     (tcdm_data[NumMasters-1:1]),
    .tcdm_r_data_i   (tcdm_r_data[NumMasters-1:1]),
    .tcdm_r_valid_i  (tcdm_r_valid[NumMasters-1:1]),
    .tcdm_err_i      (tcdm_err[NumMasters-1:1]),
    .periph_req_i    (hwpe_req),
    .periph_gnt_o    (hwpe_gnt),
    .periph_add_i    (data_addr),
    .periph_wen_i    (~data_we),
    .periph_be_i     (data_be),
    .periph_data_i   (data_wdata),
    .periph_id_i     (1'b0),
    .periph_r_data_o (hwpe_rdata),
    .periph_r_valid_o(hwpe_r_valid),
    .periph_r_id_o   (hwpe_r_id),
    .evt_o           (hwpe_event),
    // No engine here takes random bits.
    .rnd_valid_i     (1'b0),
    .rnd_ready_o     (unused_rnd_ready),
    .rnd_i           ('0)
  );

  // One master on the HWPE's peripheral port, answered in the next cycle: no identifier to match.
  // The core takes its answers from the demux, and its own writes are answered too.
  logic unused_ids;
  assign unused_ids = ^{hwpe_r_id, hwpe_r_valid, tcdm_r_valid[0]};

  `CRY_ASSERT_RUN
  `CRY_ASSERT_KNOWN(SleepKnown_A, core_sleep_o)
  `CRY_ASSERT_KNOWN(OutputsKnown_A, {console_valid_o, exit_valid_o, host_valid_o})
  `CRY_ASSERT(HwpeAnswersNextCycle_A, (hwpe_req && hwpe_gnt) |=> hwpe_r_valid)
  `CRY_ASSERT(TcdmRequestStays_A,
    (core_tcdm_req && !tcdm_gnt[0]) |=> (core_tcdm_req && $stable(data_addr)))

endmodule
