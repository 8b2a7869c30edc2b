// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Test bench of example_tile: SHA-256 of "abc" (FIPS 180-4), then a source outside the queue's
// window, which is refused. Ends with an error, or says "passed".
module tb_example_tile;
  import cry_tile_pkg::*;

  localparam int unsigned Words = 256, MostCycles = 20000;
  // Registers: sw/hal/gen/tile_regs.h
  localparam logic [19:0] RingLo = 20'h08000, CompletionLo = 20'h08008, Control = 20'h08010,
      IrqStatus = 20'h08024, IrqEnableSet = 20'h08028, WindowBase = 20'h08080,
      WindowLimit = 20'h08088, WindowFlags = 20'h08090, Doorbell = 20'h10000;
  localparam logic [31:0] OnCompletion = 1, EnabledReadWrite = 7, RingOf4 = 32'h201;
  // Descriptors and records: rtl/shell/tile/README.md
  localparam logic [63:0] Sha256 = 64'h20_0103;  // interrupt, mode 1, opcode 3
  localparam logic [31:0] Ok = 0, WindowViolation = 17;

  // Places in memory
  localparam logic [31:0] Base = 32'h8000_0000, Ring = Base, Records = Base + 32'h100;
  localparam logic [31:0] Text = Base + 32'h203, Digest = Base + 32'h305;
  localparam logic [31:0] Outside = Base + 32'h1000;

  localparam logic [255:0] Expected =
      256'hba7816bf_8f01cfea_414140de_5dae2223_b00361a3_96177a9c_b410ff61_f20015ad;

  logic clk = 1'b0, rst_n = 1'b0;
  logic req = 1'b0, gnt, we, rvalid, err, irq, error_irq;
  logic [19:0] addr;
  logic [31:0] wdata, rdata;
  logic awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rd_valid;
  logic rd_ready, rd_last;
  logic [AddrWidth-1:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [127:0] wr_data, rd_data;
  logic [15:0] wstrb;

  always #5 clk = !clk;

  example_tile u_dut (
    .clk_i          (clk),
    .rst_ni         (rst_n),
    .irq_o          (irq),
    .error_irq_o    (error_irq),
    .data_req_i     (req),
    .data_gnt_o     (gnt),
    .data_addr_i    (addr),
    .data_we_i      (we),
    .data_wdata_i   (wdata),
    .data_rvalid_o  (rvalid),
    .data_rdata_o   (rdata),
    .data_err_o     (err),
    .m_axi_awvalid_o(awvalid),
    .m_axi_awready_i(awready),
    .m_axi_awaddr_o (awaddr),
    .m_axi_awlen_o  (awlen),
    .m_axi_wvalid_o (wvalid),
    .m_axi_wready_i (wready),
    .m_axi_wdata_o  (wr_data),
    .m_axi_wstrb_o  (wstrb),
    .m_axi_wlast_o  (wlast),
    .m_axi_bvalid_i (bvalid),
    .m_axi_bready_o (bready),
    .m_axi_bresp_i  (2'b00),
    .m_axi_arvalid_o(arvalid),
    .m_axi_arready_i(arready),
    .m_axi_araddr_o (araddr),
    .m_axi_arlen_o  (arlen),
    .m_axi_rvalid_i (rd_valid),
    .m_axi_rready_o (rd_ready),
    .m_axi_rdata_i  (rd_data),
    .m_axi_rresp_i  (2'b00),
    .m_axi_rlast_i  (rd_last)
  );

  example_axi_ram #(
    .Words(Words)
  ) u_ram (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .awvalid_i(awvalid),
    .awready_o(awready),
    .awaddr_i (awaddr[31:0]),
    .wvalid_i (wvalid),
    .wready_o (wready),
    .wdata_i  (wr_data),
    .wstrb_i  (wstrb),
    .wlast_i  (wlast),
    .bvalid_o (bvalid),
    .bready_i (bready),
    .arvalid_i(arvalid),
    .arready_o(arready),
    .araddr_i (araddr[31:0]),
    .arlen_i  (arlen),
    .rvalid_o (rd_valid),
    .rready_i (rd_ready),
    .rdata_o  (rd_data),
    .rlast_o  (rd_last)
  );

  // What goes to memory stays in the window.
  always @(posedge clk) begin
    if (arvalid && araddr[AddrWidth-1:12] != 44'(Base[31:12])) $fatal(1, "reads %h", araddr);
    if (awvalid && awaddr[AddrWidth-1:12] != 44'(Base[31:12])) $fatal(1, "writes %h", awaddr);
  end

  // Memory, as the core's software sees it.
  task automatic poke(input logic [31:0] at, input logic [7:0] value);
    u_ram.mem[at[11:4]][8*at[3:0]+:8] = value;
  endtask

  function automatic logic [7:0] peek(input logic [31:0] at);
    return u_ram.mem[at[11:4]][8*at[3:0]+:8];
  endfunction

  task automatic poke_word(input logic [31:0] at, input logic [63:0] value);
    for (int i = 0; i < 8; i++) poke(at + i, value[8*i+:8]);
  endtask

  // One access of the core, from falling edge to falling edge.
  task automatic access(input logic write, input logic [19:0] at, input logic [31:0] value,
                        output logic [31:0] read);
    req   = 1'b1;
    we    = write;
    addr  = at;
    wdata = value;
    #1;  // the grant follows the request
    while (!gnt) @(negedge clk) #1;
    @(negedge clk);
    req = 1'b0;
    while (!rvalid) @(negedge clk);
    if (err) $fatal(1, "access to %h is an error", at);
    read = rdata;
    @(negedge clk);
  endtask

  task automatic store(input logic [19:0] at, input logic [31:0] value);
    logic [31:0] unused;
    access(1'b1, at, value, unused);
  endtask

  // The job of that number: hash three bytes.
  task automatic job(input int unsigned number, input logic [31:0] source,
                     input logic [31:0] expected);
    logic [31:0] record;
    poke_word(Ring + 64 * number, Sha256);
    poke_word(Ring + 64 * number + 8, 64'(source));
    poke_word(Ring + 64 * number + 24, 64'd3);
    poke_word(Ring + 64 * number + 56, 64'(Digest));
    store(Doorbell, number + 1);
    while (!irq) @(negedge clk);
    store(IrqStatus, OnCompletion);
    record = Records + 16 * number;
    if (32'(peek(record + 4)) != number + 1) $fatal(1, "no record of job %0d", number);
    if (32'(peek(record)) != expected) $fatal(1, "status %0d", peek(record));
  endtask

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    for (int unsigned i = 0; i < 16 * Words; i++) poke(Base + i, '0);
    for (int i = 0; i < 3; i++) poke(Text + i, 8'("a" + i));

    store(WindowBase, Base >> 12);
    store(WindowLimit, Base >> 12);
    store(WindowFlags, EnabledReadWrite);
    store(RingLo, Ring);
    store(CompletionLo, Records);
    store(IrqEnableSet, OnCompletion);
    store(Control, RingOf4);

    job(0, Text, Ok);
    for (int i = 0; i < 32; i++) begin
      if (peek(Digest + i) != Expected[8*(31-i)+:8])
        $fatal(1, "byte %0d is %h", i, peek(Digest + i));
    end
    job(1, Outside, WindowViolation);
    $display("passed");
    $finish;
  end

  initial begin
    repeat (MostCycles) @(posedge clk);
    $fatal(1, "not done after %0d cycles, in an access: %b", MostCycles, req);
  end

endmodule
