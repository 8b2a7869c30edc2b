// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The register interface (regs/tile.rdl): AXI4-Lite, the generated block of the common registers,
// and the path to the registers inside queues, windows and key slots.
//
// Those receive addr_o, wdata_o and a write enable each, and drive read data combinationally. They
// are written as whole words: a write with a byte strobe low is ignored.
module cry_tile_control
  import cry_tile_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned NumQueues  = 4,            // 1 to 8
  parameter int unsigned NumSlots   = 8,            // key slots, 1 to 16
  parameter int unsigned NumWindows = 4,            // of each queue, 1 to 4
  parameter int unsigned PageStride = 4096,         // bytes between user pages: 4096 or 65536
  parameter protect_e    Protect    = ProtectNone,  // level of protection of its registers
  parameter int unsigned AesLanes   = 1,            // jobs of AES at once
  parameter logic [15:0] Opcodes    = 16'h0003,     // by opcode: is built in
  // By opcode: value of its register ENGINE
  parameter logic [15:0][31:0] EngineFeatures = '0
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // AXI4-Lite: see cry_axi_lite_slave
  input  logic                        s_axil_awvalid_i,
  output logic                        s_axil_awready_o,
  input  logic [19:0]                 s_axil_awaddr_i,
  input  logic                        s_axil_wvalid_i,
  output logic                        s_axil_wready_o,
  input  logic [31:0]                 s_axil_wdata_i,
  input  logic [3:0]                  s_axil_wstrb_i,
  output logic                        s_axil_bvalid_o,
  input  logic                        s_axil_bready_i,
  output logic [1:0]                  s_axil_bresp_o,
  input  logic                        s_axil_arvalid_i,
  output logic                        s_axil_arready_o,
  input  logic [19:0]                 s_axil_araddr_i,
  output logic                        s_axil_rvalid_o,
  input  logic                        s_axil_rready_i,
  output logic [31:0]                 s_axil_rdata_o,
  output logic [1:0]                  s_axil_rresp_o,

  output logic [10:2]                 addr_o,        // words, in half a page
  output queue_t                      queue_o,       // whose page it is
  output logic [31:0]                 wdata_o,       // with one of the write enables
  output logic [NumQueues-1:0]        queue_we_o,    // by queue, one cycle: its control page
  input  logic [NumQueues-1:0][31:0]  queue_rdata_i, // by queue: what is there at addr_o
  output logic [NumQueues-1:0]        page_we_o,     // by queue, one cycle: its user page
  input  logic [NumQueues-1:0][31:0]  page_rdata_i,  // by queue: what is there at addr_o
  output logic                        slot_we_o,     // one cycle: key slots
  input  logic [31:0]                 slot_rdata_i,  // what is there at addr_o; never a key
  output logic                        seal_o,        // level until reset: slots take no settings
  output logic                        stop_o,        // level: no queue works
  output logic                        reset_o,       // level until reset_done_i: soft reset
  input  logic                        reset_done_i,  // one cycle: it is done

  output logic [31:0]                 watchdog_o,    // register WATCHDOG
  input  logic                        dead_i,        // level: the memory does not answer
  input  logic                        corrected_i,   // pulses: sets ERROR_STATUS.corrected
  input  logic                        detected_i,    // pulses: sets ERROR_STATUS.detected
  input  logic                        tamper_i,      // level: sets ERROR_STATUS.tamper
  input  logic                        random_i,      // level: sets ERROR_STATUS.random
  output logic                        error_irq_o,   // level: one of them is set and enabled

  // Upsets of its registers
  output logic                        corrected_o,
  output logic                        detected_o
);

  logic        req, we;
  logic [19:0] addr;
  logic [31:0] wdata, biten, rdata, regs_rdata;
  logic        mapped;
  logic [1:0]  corrected, detected;

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  cry_axi_lite_slave #(
    .AddrWidth(20), .Protect(Protect)
  ) u_axil (
    .clk_i,
    .rst_ni,
    .awvalid_i(s_axil_awvalid_i),
    .awready_o(s_axil_awready_o),
    .awaddr_i (s_axil_awaddr_i),
    .wvalid_i (s_axil_wvalid_i),
    .wready_o (s_axil_wready_o),
    .wdata_i  (s_axil_wdata_i),
    .wstrb_i  (s_axil_wstrb_i),
    .bvalid_o (s_axil_bvalid_o),
    .bready_i (s_axil_bready_i),
    .bresp_o  (s_axil_bresp_o),
    .arvalid_i(s_axil_arvalid_i),
    .arready_o(s_axil_arready_o),
    .araddr_i (s_axil_araddr_i),
    .rvalid_o (s_axil_rvalid_o),
    .rready_i (s_axil_rready_i),
    .rdata_o  (s_axil_rdata_o),
    .rresp_o  (s_axil_rresp_o),
    .req_o    (req),
    .we_o     (we),
    .addr_o   (addr),
    .wdata_o  (wdata),
    .biten_o  (biten),
    .rdata_i  (rdata),
    .corrected_o(corrected[0]),
    .detected_o (detected[0])
  );

  // The block has the user pages 4 KiB apart, from UserPages on; above them there is nothing.
  localparam int unsigned StrideLog2 = $clog2(PageStride);
  localparam logic [19:0] UserPages  = 20'h1_0000;
  logic [19:0] in_pages, page, rest;
  logic [16:0] folded;
  assign in_pages = addr - UserPages;
  assign page     = in_pages >> StrideLog2;
  assign rest   = in_pages & 20'(PageStride - 1);
  always_comb begin
    mapped = 1'b1;
    folded = addr[16:0];
    if (addr >= UserPages) begin
      mapped = (page < 20'(MaxQueues)) && (rest < 20'h1000);
      folded = {2'b10, page[2:0], rest[11:0]};
    end
  end
  assign rdata = mapped ? regs_rdata : '0;

  cry_tile_regs_pkg::tile__in_t  hw_in;
  cry_tile_regs_pkg::tile__out_t hw_out;
  logic [5:0] unused_acks;  // constant: all answer at once

  cry_tile_regs #(
    .Protect(Protect)
  ) u_regs (
    .clk                  (clk_i),
    .arst_n               (rst_ni),
    .s_cpuif_req          (req && mapped),
    .s_cpuif_req_is_wr    (we),
    .s_cpuif_addr         (folded),
    .s_cpuif_wr_data      (wdata),
    .s_cpuif_wr_biten     (biten),
    .s_cpuif_req_stall_wr (unused_acks[5]),
    .s_cpuif_req_stall_rd (unused_acks[0]),
    .s_cpuif_rd_ack       (unused_acks[1]),
    .s_cpuif_rd_err       (unused_acks[2]),
    .s_cpuif_rd_data      (regs_rdata),
    .s_cpuif_wr_ack       (unused_acks[3]),
    .s_cpuif_wr_err       (unused_acks[4]),
    .hwif_in              (hw_in),
    .hwif_out             (hw_out),
    .corrected_o          (corrected[1]),
    .detected_o           (detected[1])
  );

  logic whole;
  assign whole   = &biten;
  assign addr_o  = folded[10:2];
  assign queue_o = folded[12+:QueueWidth];
  assign wdata_o = wdata;
  assign seal_o  = hw_out.SEAL.seal.value;
  assign stop_o  = hw_out.CONTROL.stop.value;
  assign reset_o = hw_out.CONTROL.reset.value;

  always_comb begin
    hw_in = '{default: '0};
    hw_in.FEATURES.opcodes.next            = 32'(Opcodes);
    hw_in.SIZES.queues.next                = 8'(NumQueues);
    hw_in.SIZES.slots.next                 = 8'(NumSlots);
    hw_in.SIZES.windows.next               = 3'(NumWindows);
    hw_in.SIZES.page_log2.next             = 5'(StrideLog2);
    hw_in.SIZES.protect.next               = Protect;
    hw_in.SIZES.aes_lanes.next             = 4'(AesLanes);
    for (int unsigned n = 0; n < 16; n++) begin
      hw_in.ENGINE[n].engine.next          = EngineFeatures[n][7:0];
      hw_in.ENGINE[n].impl.next            = EngineFeatures[n][11:8];
      hw_in.ENGINE[n].key_lens.next        = EngineFeatures[n][14:12];
      hw_in.ENGINE[n].decrypt.next         = EngineFeatures[n][15];
      hw_in.ENGINE[n].modes.next           = EngineFeatures[n][31:16];
    end
    hw_in.CONTROL.reset.hwclr              = reset_done_i;
    hw_in.ERROR_STATUS.corrected.next      = corrected_i;
    hw_in.ERROR_STATUS.detected.next       = detected_i;
    hw_in.ERROR_STATUS.tamper.next         = tamper_i;
    hw_in.ERROR_STATUS.watchdog.next       = dead_i;
    hw_in.ERROR_STATUS.random.next         = random_i;
    slot_we_o  = 1'b0;
    queue_we_o = '0;
    page_we_o  = '0;
    for (int unsigned s = 0; s < MaxSlots; s++) begin
      hw_in.SLOT[s].rd_ack  = hw_out.SLOT[s].req && !hw_out.SLOT[s].req_is_wr;
      hw_in.SLOT[s].wr_ack  = hw_out.SLOT[s].req && hw_out.SLOT[s].req_is_wr;
      hw_in.SLOT[s].rd_data = slot_rdata_i;
      slot_we_o |= hw_in.SLOT[s].wr_ack && whole;
    end
    for (int unsigned q = 0; q < MaxQueues; q++) begin
      hw_in.QUEUE[q].rd_ack = hw_out.QUEUE[q].req && !hw_out.QUEUE[q].req_is_wr;
      hw_in.QUEUE[q].wr_ack = hw_out.QUEUE[q].req && hw_out.QUEUE[q].req_is_wr;
      hw_in.PAGE[q].rd_ack  = hw_out.PAGE[q].req && !hw_out.PAGE[q].req_is_wr;
      hw_in.PAGE[q].wr_ack  = hw_out.PAGE[q].req && hw_out.PAGE[q].req_is_wr;
    end
    for (int unsigned q = 0; q < NumQueues; q++) begin
      hw_in.QUEUE[q].rd_data = queue_rdata_i[q];
      hw_in.PAGE[q].rd_data  = page_rdata_i[q];
      queue_we_o[q]          = hw_in.QUEUE[q].wr_ack && whole;
      page_we_o[q]           = hw_in.PAGE[q].wr_ack && whole;
    end
  end

  assign error_irq_o = hw_out.ERROR_STATUS.intr;
  assign watchdog_o  = hw_out.WATCHDOG.cycles.value;

  if ((StrideLog2 != 12) && (StrideLog2 != 16)) begin : gen_bad_stride
    $error("user pages are 4 or 64 KiB apart");
  end

  logic unused;
  assign unused = ^{unused_acks, page, rest};

endmodule
