// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// An AES engine as the HWPE of a system as PULP's: word-interleaved banks behind a logarithmic
// interconnect, which a core and the four ports of the HWPE reach; the core reaches the HWPE's
// registers, too, and is told by an event. The banks are outside, where a memory generator's are.
module example_pulp #(
  parameter  int unsigned NumBanks  = 8,              // a power of two
  parameter  int unsigned BankWords = 256,            // 32-bit words of a bank, a power of two
  parameter  logic [31:0] TcdmBase  = 32'h1000_0000,  // address of the memory
  parameter  logic [31:0] HwpeBase  = 32'h1A10_C000,  // address of the registers, 4 KiB
  localparam int unsigned RowWidth  = $clog2(BankWords)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // The core's data port: an access is granted, and answered in the next cycle
  input  logic                              data_req_i,
  output logic                              data_gnt_o,
  input  logic [31:0]                       data_addr_i,
  input  logic                              data_we_i,
  input  logic [3:0]                        data_be_i,
  input  logic [31:0]                       data_wdata_i,
  output logic                              data_rvalid_o,
  output logic [31:0]                       data_rdata_o,
  output logic                              data_err_o,     // with rvalid: no such address
  // Banks: single-port memories, read data in the next cycle
  output logic [NumBanks-1:0]               bank_req_o,
  output logic [NumBanks-1:0]               bank_we_o,
  output logic [NumBanks-1:0][3:0]          bank_be_o,
  output logic [NumBanks-1:0][RowWidth-1:0] bank_addr_o,
  output logic [NumBanks-1:0][31:0]         bank_wdata_o,
  input  logic [NumBanks-1:0][31:0]         bank_rdata_i,
  // To the event unit: one cycle for each job that ends
  output logic                              event_o
);

  localparam int unsigned NumPorts = 5;  // the core, then the HWPE's

  logic [NumPorts-1:0]       req, gnt, wen, r_valid, err;
  logic [NumPorts-1:0][31:0] add, wdata, rdata;
  logic [NumPorts-1:0][3:0]  be;
  logic                      is_hwpe, hwpe_gnt, hwpe_r_valid, hwpe_r_id, hwpe_q, rvalid_q;
  logic [31:0]               hwpe_rdata;

  assign is_hwpe       = data_addr_i[31:12] == HwpeBase[31:12];
  assign req[0]        = data_req_i && !is_hwpe;
  assign add[0]        = data_addr_i;
  assign wen[0]        = !data_we_i;
  assign be[0]         = data_be_i;
  assign wdata[0]      = data_wdata_i;
  assign data_gnt_o    = is_hwpe ? hwpe_gnt : gnt[0];
  assign data_rvalid_o = rvalid_q;
  assign data_rdata_o  = hwpe_q ? hwpe_rdata : rdata[0];
  assign data_err_o    = !hwpe_q && err[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      hwpe_q   <= 1'b0;
    end else begin
      rvalid_q <= data_req_i && data_gnt_o;
      hwpe_q   <= is_hwpe;
    end
  end

  mcu_tcdm_interconnect #(
    .NumMasters(NumPorts),
    .NumBanks  (NumBanks),
    .BankWords (BankWords),
    .Base      (TcdmBase)
  ) u_interconnect (
    .clk_i,
    .rst_ni,
    .req_i       (req),
    .gnt_o       (gnt),
    .add_i       (add),
    .wen_i       (wen),
    .be_i        (be),
    .data_i      (wdata),
    .r_data_o    (rdata),
    .r_valid_o   (r_valid),
    .err_o       (err),
    .bank_req_o,
    .bank_we_o,
    .bank_be_o,
    .bank_addr_o,
    .bank_wdata_o,
    .bank_rdata_i
  );

  logic unused_rnd_ready;
  cry_hwpe_engine #(
    .Engine (cry_engine_select_pkg::AesIterative),
    .IdWidth(1)
  ) u_hwpe (
    .clk_i,
    .rst_ni,
    .tcdm_req_o      (req[NumPorts-1:1]),
    .tcdm_gnt_i      (gnt[NumPorts-1:1]),
    .tcdm_add_o      (add[NumPorts-1:1]),
    .tcdm_wen_o      (wen[NumPorts-1:1]),
    .tcdm_be_o       (be[NumPorts-1:1]),
    .tcdm_data_o     (wdata[NumPorts-1:1]),
    .tcdm_r_data_i   (rdata[NumPorts-1:1]),
    .tcdm_r_valid_i  (r_valid[NumPorts-1:1]),
    .tcdm_err_i      (err[NumPorts-1:1]),
    .periph_req_i    (data_req_i && is_hwpe),
    .periph_gnt_o    (hwpe_gnt),
    .periph_add_i    (data_addr_i),
    .periph_wen_i    (!data_we_i),
    .periph_be_i     (data_be_i),
    .periph_data_i   (data_wdata_i),
    .periph_id_i     (1'b0),
    .periph_r_data_o (hwpe_rdata),
    .periph_r_valid_o(hwpe_r_valid),
    .periph_r_id_o   (hwpe_r_id),
    .evt_o           (event_o),
    // AES takes no random bits.
    .rnd_valid_i     (1'b0),
    .rnd_ready_o     (unused_rnd_ready),
    .rnd_i           ('0)
  );

  // One core, which is answered in the next cycle: nothing is to be told apart.
  logic unused;
  assign unused = ^{hwpe_r_valid, hwpe_r_id, r_valid[0]};

endmodule
