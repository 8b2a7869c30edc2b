// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Test bench of example_dma: ChaCha20-Poly1305 of RFC 8439, 2.8.2, there and back, each as a gather
// of associated data, message and tag; then with a wrong tag. Ends with an error, or says "passed".
module tb_example_dma;
  import cry_axi_dma_pkg::*;

  localparam int unsigned Words = 256, MostCycles = 20000;
  // Registers: sw/hal/gen/dma_regs.h and axis_regs.h
  localparam logic [12:0] ToEngine = 13'h0000, FromEngine = 13'h0020;
  localparam logic [12:0] DmaControl = 13'h0004, DmaStatus = 13'h0008;  // of a channel
  localparam logic [12:0] Start = 13'h1000, Result = 13'h100C, Job = 13'h1040, AadLen = 13'h1044,
      MsgLen = 13'h1048, Iv = 13'h1050, Key = 13'h1060;
  localparam logic [31:0] ModeAead = 32'd2, Decrypt = 32'h10, Key256 = 32'h200;
  localparam logic [31:0] Ok = 32'd0, WrongTag = 32'd1;
  // Descriptors: rtl/dma/README.md
  localparam logic [31:0] Section = 1, Packet = 2, Stop = 4, Interrupt = 8;

  // Places in memory; buffers need no alignment.
  localparam logic [31:0] In = 32'h000, Out = 32'h080, Aad = 32'h103, Text = 32'h215,
      Made = 32'h321, Back = 32'h432;
  localparam int unsigned Length = 114, TagBytes = 16, AadBytes = 12;

  localparam logic [95:0] AadValue = 96'h50515253_c0c1c2c3_c4c5c6c7;
  localparam logic [95:0] Nonce = 96'h07000000_40414243_44454647;
  localparam logic [255:0] KeyValue =
      256'h80818283_84858687_88898a8b_8c8d8e8f_90919293_94959697_98999a9b_9c9d9e9f;
  localparam logic [8*Length-1:0] Message = {
    256'h4c616469657320616e642047656e746c656d656e206f662074686520636c6173,
    256'h73206f66202739393a204966204920636f756c64206f6666657220796f75206f,
    256'h6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73,
    144'h637265656e20776f756c642062652069742e
  };
  localparam logic [8*(Length+TagBytes)-1:0] Sealed = {
    256'hd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6,
    256'h3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36,
    256'h92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc,
    256'h3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd060,
    16'h0691
  };

  logic clk = 1'b0, rst_n = 1'b0;
  logic req = 1'b0, gnt, we, rvalid, err, dma_irq, engine_irq;
  logic [12:0] addr;
  logic [31:0] wdata, rdata;
  logic awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rd_valid;
  logic rd_ready, rd_last;
  logic [31:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [127:0] wr_data, rd_data;
  logic [15:0] wstrb;
  logic [IdWidth-1:0] awid, arid, bid, rid;

  always #5 clk = !clk;

  example_dma u_dut (
    .clk_i          (clk),
    .rst_ni         (rst_n),
    .dma_irq_o      (dma_irq),
    .engine_irq_o   (engine_irq),
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
    .m_axi_awid_o   (awid),
    .m_axi_awaddr_o (awaddr),
    .m_axi_awlen_o  (awlen),
    .m_axi_wvalid_o (wvalid),
    .m_axi_wready_i (wready),
    .m_axi_wdata_o  (wr_data),
    .m_axi_wstrb_o  (wstrb),
    .m_axi_wlast_o  (wlast),
    .m_axi_bvalid_i (bvalid),
    .m_axi_bready_o (bready),
    .m_axi_bid_i    (bid),
    .m_axi_bresp_i  (2'b00),
    .m_axi_arvalid_o(arvalid),
    .m_axi_arready_i(arready),
    .m_axi_arid_o   (arid),
    .m_axi_araddr_o (araddr),
    .m_axi_arlen_o  (arlen),
    .m_axi_rvalid_i (rd_valid),
    .m_axi_rready_o (rd_ready),
    .m_axi_rid_i    (rid),
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
    .awaddr_i (awaddr),
    .wvalid_i (wvalid),
    .wready_o (wready),
    .wdata_i  (wr_data),
    .wstrb_i  (wstrb),
    .wlast_i  (wlast),
    .bvalid_o (bvalid),
    .bready_i (bready),
    .arvalid_i(arvalid),
    .arready_o(arready),
    .araddr_i (araddr),
    .arlen_i  (arlen),
    .rvalid_o (rd_valid),
    .rready_i (rd_ready),
    .rdata_o  (rd_data),
    .rlast_o  (rd_last)
  );

  // One burst of a direction at a time: its answer has its ID.
  always @(posedge clk) begin
    if (awvalid && awready) bid <= awid;
    if (arvalid && arready) rid <= arid;
  end

  // Memory, as the core's software sees it.
  task automatic poke(input logic [31:0] at, input logic [7:0] value);
    u_ram.mem[at[11:4]][8*at[3:0]+:8] = value;
  endtask

  function automatic logic [7:0] peek(input logic [31:0] at);
    return u_ram.mem[at[11:4]][8*at[3:0]+:8];
  endfunction

  task automatic poke_word(input logic [31:0] at, input logic [31:0] value);
    for (int i = 0; i < 4; i++) poke(at + i, value[8*i+:8]);
  endtask

  // One access of the core, from falling edge to falling edge.
  task automatic access(input logic write, input logic [12:0] at, input logic [31:0] value,
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

  task automatic store(input logic [12:0] at, input logic [31:0] value);
    logic [31:0] unused;
    access(1'b1, at, value, unused);
  endtask

  // A descriptor; the next one follows it.
  task automatic describe(input logic [31:0] at, input logic [31:0] data, input int unsigned bytes,
                          input logic [31:0] control);
    poke_word(at, at + 32);
    poke_word(at + 4, data);
    poke_word(at + 8, bytes);
    poke_word(at + 12, control);
    poke_word(at + 16, '0);
    poke_word(at + 20, '0);
  endtask

  task automatic run(input logic [31:0] from, input logic [31:0] to, input logic decrypt,
                     input logic [31:0] expected);
    logic [31:0] result;
    describe(In, Aad, AadBytes, Section);
    describe(In + 32, from, Length, decrypt ? Section : Packet | Stop);
    describe(In + 64, from + Length, TagBytes, Packet | Stop);
    describe(Out, to, Length + (decrypt ? 0 : TagBytes), Packet | Stop | Interrupt);
    store(FromEngine, Out);
    store(ToEngine, In);
    store(AadLen, AadBytes);
    store(MsgLen, Length);
    store(Job, ModeAead | Key256 | (decrypt ? Decrypt : '0));
    store(Start, '0);
    while (!dma_irq) @(negedge clk);
    access(1'b0, Result, '0, result);
    if (!result[31] || 32'(result[3:0]) != expected) $fatal(1, "result is %h", result);
    store(FromEngine + DmaStatus, 32'h2);  // done: what raises the interrupt
    store(ToEngine + DmaStatus, 32'h2);
  endtask

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    for (int i = 0; i < AadBytes; i++) poke(Aad + i, AadValue[8*(AadBytes-1-i)+:8]);
    for (int i = 0; i < Length; i++) poke(Text + i, Message[8*(Length-1-i)+:8]);
    store(FromEngine + DmaControl, 32'h6);  // interrupts: done, error
    // Registers take the first byte lowest.
    for (int i = 0; i < 8; i++) store(Key + 13'(4 * i), {<<8{KeyValue[32*(7-i)+:32]}});
    for (int i = 0; i < 3; i++) store(Iv + 13'(4 * i), {<<8{Nonce[32*(2-i)+:32]}});

    run(Text, Made, 1'b0, Ok);
    for (int i = 0; i < Length + TagBytes; i++) begin
      if (peek(Made + i) != Sealed[8*(Length+TagBytes-1-i)+:8])
        $fatal(1, "byte %0d is %h", i, peek(Made + i));
    end
    run(Made, Back, 1'b1, Ok);
    for (int i = 0; i < Length; i++) begin
      if (peek(Back + i) != Message[8*(Length-1-i)+:8])
        $fatal(1, "byte %0d comes back as %h", i, peek(Back + i));
    end
    poke(Made + Length, ~peek(Made + Length));
    run(Made, Back, 1'b1, WrongTag);
    $display("passed");
    $finish;
  end

  initial begin
    repeat (MostCycles) @(posedge clk);
    $fatal(1, "not done after %0d cycles, in an access: %b", MostCycles, req);
  end

endmodule
