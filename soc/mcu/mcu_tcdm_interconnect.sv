// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Logarithmic interconnect of the tightly coupled data memory: every manager reaches every bank in
// one cycle; consecutive words are in consecutive banks; each bank arbitrates round-robin.
//
// HWPE-Mem: gnt_o is combinational on req_i and answers follow in the next cycle: r_valid_o after a
// granted read, err_o after any granted access outside [Base, Base + Size), which reads as zero and
// writes nothing. A manager keeps req, address and data stable until granted.
module mcu_tcdm_interconnect #(
  parameter  int unsigned NumMasters = 5,              // managers
  parameter  int unsigned NumBanks   = 8,              // a power of two, at least 2
  parameter  int unsigned BankWords  = 8192,           // 32-bit words per bank, a power of two
  parameter  logic [31:0] Base       = 32'h1000_0000,  // aligned to the size of the memory
  localparam int unsigned RowWidth   = $clog2(BankWords)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // Managers
  input  logic [NumMasters-1:0]              req_i,
  output logic [NumMasters-1:0]              gnt_o,
  input  logic [NumMasters-1:0][31:0]        add_i,
  input  logic [NumMasters-1:0]              wen_i,  // 1: read
  input  logic [NumMasters-1:0][3:0]         be_i,
  input  logic [NumMasters-1:0][31:0]        data_i,
  output logic [NumMasters-1:0][31:0]        r_data_o,
  output logic [NumMasters-1:0]              r_valid_o,
  output logic [NumMasters-1:0]              err_o,
  // Banks: single-port memories, read data in the next cycle
  output logic [NumBanks-1:0]                bank_req_o,
  output logic [NumBanks-1:0]                bank_we_o,
  output logic [NumBanks-1:0][3:0]           bank_be_o,
  output logic [NumBanks-1:0][RowWidth-1:0]  bank_addr_o,
  output logic [NumBanks-1:0][31:0]          bank_wdata_o,
  input  logic [NumBanks-1:0][31:0]          bank_rdata_i
);

  localparam int unsigned BankWidth = $clog2(NumBanks);
  localparam int unsigned SizeWidth = 2 + BankWidth + RowWidth;

  logic [NumMasters-1:0]                in_range;
  logic [NumMasters-1:0][BankWidth-1:0] bank_d, bank_q;
  logic [NumMasters-1:0]                valid_q, err_q;
  // Bank by master and its transpose.
  logic [NumBanks-1:0][NumMasters-1:0]  bank_req, bank_gnt;

  for (genvar m = 0; m < NumMasters; m++) begin : gen_master
    logic [NumBanks-1:0] won;

    assign in_range[m] = add_i[m][31:SizeWidth] == Base[31:SizeWidth];
    assign bank_d[m]   = add_i[m][2+:BankWidth];

    for (genvar b = 0; b < NumBanks; b++) begin : gen_won
      assign bank_req[b][m] = req_i[m] & in_range[m] & (bank_d[m] == BankWidth'(b));
      assign won[b]         = bank_gnt[b][m];
    end

    // What no memory serves is granted at once: the error must reach the master.
    assign gnt_o[m]     = (won != '0) | (req_i[m] & ~in_range[m]);
    assign r_data_o[m]  = err_q[m] ? '0 : bank_rdata_i[bank_q[m]];
    assign r_valid_o[m] = valid_q[m];
    assign err_o[m]     = err_q[m];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        bank_q[m]  <= '0;
        valid_q[m] <= 1'b0;
        err_q[m]   <= 1'b0;
      end else begin
        if (gnt_o[m]) bank_q[m] <= bank_d[m];
        valid_q[m] <= gnt_o[m] & wen_i[m];
        err_q[m]   <= gnt_o[m] & ~in_range[m];
      end
    end
  end

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    logic [1:0] unused_arbiter_faults;  // unprotected: it has none
    logic any;
    logic [$clog2(NumMasters)-1:0] winner;
    cry_arbiter #(
      .Number(NumMasters)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .req_i(bank_req[b]),
      .take_i(1'b1), .any_o(any), .index_o(winner),
      .corrected_o(unused_arbiter_faults[1]), .detected_o (unused_arbiter_faults[0])
    );

    assign bank_gnt[b]   = NumMasters'(any) << winner;
    assign bank_req_o[b] = any;

    always_comb begin
      bank_we_o[b]    = 1'b0;
      bank_be_o[b]    = '0;
      bank_addr_o[b]  = '0;
      bank_wdata_o[b] = '0;
      for (int unsigned m = 0; m < NumMasters; m++) begin
        if (bank_gnt[b][m]) begin
          bank_we_o[b]    = ~wen_i[m];
          bank_be_o[b]    = be_i[m];
          bank_addr_o[b]  = add_i[m][2+BankWidth+:RowWidth];
          bank_wdata_o[b] = data_i[m];
        end
      end
    end
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT_KNOWN(GrantsKnown_A, gnt_o)
  `CRY_ASSERT_KNOWN(AnswersKnown_A, {r_valid_o, err_o})
  for (genvar m = 0; m < NumMasters; m++) begin : gen_assert
    `CRY_ASSERT(GrantOnlyAsked_A, gnt_o[m] |-> req_i[m])
    `CRY_ASSERT(ReadAnswered_A, (gnt_o[m] && wen_i[m]) |=> r_valid_o[m])
  end

endmodule
