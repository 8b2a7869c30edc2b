// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Test bench of example_pulp: AES-128-CTR of NIST SP 800-38A, F.5.1, by the HWPE, while the core
// reads the memory, too; then a destination that is no memory. Ends with an error, or says
// "passed".
module tb_example_pulp;

  localparam int unsigned NumBanks = 8, BankWords = 256, MostCycles = 5000;
  localparam logic [31:0] Tcdm = 32'h1000_0000, Hwpe = 32'h1A10_C000;
  localparam logic [31:0] Key = Tcdm, Counter = Tcdm + 32'h10, Plain = Tcdm + 32'h41;
  localparam logic [31:0] Cipher = Tcdm + 32'h83;  // buffers need no alignment
  // Registers: sw/hal/gen/hwpe_regs.h
  localparam logic [31:0] Trigger = Hwpe + 32'h00, Result = Hwpe + 32'h20, SrcPtr = Hwpe + 32'h40,
      DstPtr = Hwpe + 32'h44, Len = Hwpe + 32'h48, KeyPtr = Hwpe + 32'h4C, IvPtr = Hwpe + 32'h50,
      Ctrl = Hwpe + 32'h54;
  localparam logic [31:0] Ctr = 32'd2, BusError = 32'd5;

  localparam logic [127:0] KeyValue = 128'h2b7e1516_28aed2a6_abf71588_09cf4f3c;
  localparam logic [127:0] FirstCounter = 128'hf0f1f2f3_f4f5f6f7_f8f9fafb_fcfdfeff;
  localparam logic [511:0] PlainText = {
    128'h6bc1bee2_2e409f96_e93d7e11_7393172a, 128'hae2d8a57_1e03ac9c_9eb76fac_45af8e51,
    128'h30c81c46_a35ce411_e5fbc119_1a0a52ef, 128'hf69f2445_df4f9b17_ad2b417b_e66c3710
  };
  localparam logic [511:0] CipherText = {
    128'h874d6191_b620e326_1bef6864_990db6ce, 128'h9806f66b_7970fdff_8617187b_b9fffdff,
    128'h5ae4df3e_dbd5d35e_5b4f0902_0db03eab, 128'h1e031dda_2fbe03d1_792170a0_f3009cee
  };

  logic clk = 1'b0, rst_n = 1'b0;
  logic req = 1'b0, gnt, we, rvalid, err, ended, has_ended = 1'b0;
  logic [3:0] be;
  logic [31:0] addr, wdata, rdata;
  logic [NumBanks-1:0] bank_req, bank_we;
  logic [NumBanks-1:0][3:0] bank_be;
  logic [NumBanks-1:0][$clog2(BankWords)-1:0] bank_addr;
  logic [NumBanks-1:0][31:0] bank_wdata, bank_rdata;

  always #5 clk = !clk;

  example_pulp #(
    .NumBanks (NumBanks),
    .BankWords(BankWords)
  ) u_dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .data_req_i   (req),
    .data_gnt_o   (gnt),
    .data_addr_i  (addr),
    .data_we_i    (we),
    .data_be_i    (be),
    .data_wdata_i (wdata),
    .data_rvalid_o(rvalid),
    .data_rdata_o (rdata),
    .data_err_o   (err),
    .bank_req_o   (bank_req),
    .bank_we_o    (bank_we),
    .bank_be_o    (bank_be),
    .bank_addr_o  (bank_addr),
    .bank_wdata_o (bank_wdata),
    .bank_rdata_i (bank_rdata),
    .event_o      (ended)
  );

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    mcu_sram #(
      .Words(BankWords)
    ) u_sram (
      .clk_i  (clk),
      .req_i  (bank_req[b]),
      .we_i   (bank_we[b]),
      .be_i   (bank_be[b]),
      .addr_i (bank_addr[b]),
      .wdata_i(bank_wdata[b]),
      .rdata_o(bank_rdata[b])
    );
  end

  always @(posedge clk) if (ended) has_ended <= 1'b1;

  // One access of the core, from falling edge to falling edge.
  task automatic access(input logic write, input logic [31:0] at, input logic [3:0] bytes,
                        input logic [31:0] value, output logic [31:0] read);
    req   = 1'b1;
    we    = write;
    addr  = at;
    be    = bytes;
    wdata = value;
    #1;  // the grant follows the request
    while (!gnt) @(negedge clk) #1;
    @(negedge clk);
    req = 1'b0;
    if (!rvalid || err) $fatal(1, "access to %h: rvalid %b, err %b", at, rvalid, err);
    read = rdata;
  endtask

  task automatic store(input logic [31:0] at, input logic [31:0] value);
    logic [31:0] unused;
    access(1'b1, at, 4'hF, value, unused);
  endtask

  task automatic store_byte(input logic [31:0] at, input logic [7:0] value);
    logic [31:0] unused;
    access(1'b1, {at[31:2], 2'b00}, 4'b1 << at[1:0], {4{value}}, unused);
  endtask

  task automatic load_byte(input logic [31:0] at, output logic [7:0] value);
    logic [31:0] word;
    access(1'b0, {at[31:2], 2'b00}, 4'hF, '0, word);
    value = word[8*at[1:0]+:8];
  endtask

  // Waits for the event; the core reads the memory meanwhile.
  task automatic until_ended();
    logic [7:0] unused;
    while (!has_ended) load_byte(Plain, unused);
    has_ended = 1'b0;
  endtask

  task automatic job(input logic [31:0] to, input logic [31:0] expected);
    logic [31:0] result;
    store(SrcPtr, Plain);
    store(DstPtr, to);
    store(Len, 32'd64);
    store(KeyPtr, Key);
    store(IvPtr, Counter);
    store(Ctrl, Ctr);
    store(Trigger, '0);
    until_ended();
    access(1'b0, Result, 4'hF, '0, result);
    // Jobs take turns: that of the first one is context 0.
    result = expected == BusError ? 32'(result[11:8]) : 32'(result[3:0]);
    if (result != expected) $fatal(1, "status %0d instead of %0d", result, expected);
  endtask

  initial begin
    logic [7:0] value;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    for (int i = 0; i < 16; i++) store_byte(Key + i, KeyValue[8*(15-i)+:8]);
    for (int i = 0; i < 16; i++) store_byte(Counter + i, FirstCounter[8*(15-i)+:8]);
    for (int i = 0; i < 64; i++) store_byte(Plain + i, PlainText[8*(63-i)+:8]);
    job(Cipher, '0);
    for (int i = 0; i < 64; i++) begin
      load_byte(Cipher + i, value);
      if (value != CipherText[8*(63-i)+:8]) $fatal(1, "byte %0d is %h", i, value);
    end
    job(Tcdm + 4 * NumBanks * BankWords, BusError);
    $display("passed");
    $finish;
  end

  initial begin
    repeat (MostCycles) @(posedge clk);
    $fatal(1, "not done after %0d cycles", MostCycles);
  end

endmodule
