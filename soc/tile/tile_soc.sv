// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Tile SoC: a CVA6, its devices, a memory with two ports, 64 bits for the core and 128 bits for the
// crypto tile, and a random bit generator for the tile. Wiring only; the address map is in
// README.md.
//
// uart_*, console_*, exit_* and host_* are connected to the test bench; on a chip to UART, pads and
// a serial port. So are osc_*, on a chip to cry_entropy_rings.
module tile_soc
  import tsoc_pkg::*;
  import cry_engine_select_pkg::*;
#(
  // Public-key engines that the tile has, too: 0 none, 1 `pka`, 2 `pka384` as well, 3 `pka_rsa`,
  // 4 `pka_fast` for the opcode of `pka`, 5 `pka` and `pka521`
  parameter int unsigned PublicKey = 0,
  // 1: there is an engine without DMA, too, to compare with (cry_window_engine)
  parameter int unsigned RegisterIo = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [7:0]  latency_i,    // of the memory (tsoc_memory)
  input  logic [1:0]  mem_stall_i,  // of the memory (tsoc_memory)

  // Level: wipes the tile's keys, stops its queues until reset; wipes the random bit generator
  input  logic        tamper_i,
  input  logic        read_allowed_i,  // level: the life cycle permits to read samples

  // Oscillators
  output logic        osc_enable_o,  // level: they run
  input  logic [11:0] osc_i,         // asynchronous

  // UART, both directions
  output logic        uart_valid_o,
  output logic [7:0]  uart_data_o,
  input  logic        uart_valid_i,
  output logic        uart_ready_o,
  input  logic [7:0]  uart_data_i,

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

  localparam int unsigned NumQueues = 8;

  // These are sampled: a simulator evaluates what depends on an input itself at both edges.
  logic [7:0] latency_q;
  logic [1:0] mem_stall_q;
  logic       tamper_q, read_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      latency_q   <= '0;
      mem_stall_q <= '0;
      tamper_q    <= 1'b0;
      read_q      <= 1'b0;
    end else begin
      latency_q   <= latency_i;
      mem_stall_q <= mem_stall_i;
      tamper_q    <= tamper_i;
      read_q      <= read_allowed_i;
    end
  end

  // The core, to memory (0) and devices (1)
  addr_t        aw, ar;
  wdata_t       w;
  bresp_t       b;
  rdata_t       r;
  logic         aw_valid, aw_ready, w_valid, w_ready, b_valid, b_ready;
  logic         ar_valid, ar_ready, r_valid, r_ready;
  logic [1:0]   to_aw_valid, to_aw_ready, to_w_valid, to_w_ready, to_b_valid, to_b_ready;
  logic [1:0]   to_ar_valid, to_ar_ready, to_r_valid, to_r_ready;
  bresp_t [1:0] to_b;
  rdata_t [1:0] to_r;
  logic [1:0]   irq;
  logic         software_irq, timer_irq;
  logic [63:0]  mtime;
  logic         snoop_valid, snoop_ready;
  logic [63:0]  snoop_addr;

  tsoc_core u_core (
    .clk_i,
    .rst_ni,
    .snoop_valid_i (snoop_valid),
    .snoop_ready_o (snoop_ready),
    .snoop_addr_i  (snoop_addr),
    .irq_i         (irq),
    .software_irq_i(software_irq),
    .timer_irq_i   (timer_irq),
    .mtime_i       (mtime),
    .aw_valid_o    (aw_valid),
    .aw_ready_i    (aw_ready),
    .aw_o          (aw),
    .w_valid_o     (w_valid),
    .w_ready_i     (w_ready),
    .w_o           (w),
    .b_valid_i     (b_valid),
    .b_ready_o     (b_ready),
    .b_i           (b),
    .ar_valid_o    (ar_valid),
    .ar_ready_i    (ar_ready),
    .ar_o          (ar),
    .r_valid_i     (r_valid),
    .r_ready_o     (r_ready),
    .r_i           (r)
  );

  tsoc_router u_router (
    .clk_i,
    .rst_ni,
    .aw_valid_i(aw_valid),
    .aw_ready_o(aw_ready),
    .aw_addr_i (aw.addr),
    .w_valid_i (w_valid),
    .w_ready_o (w_ready),
    .w_last_i  (w.last),
    .b_valid_o (b_valid),
    .b_ready_i (b_ready),
    .b_o       (b),
    .ar_valid_i(ar_valid),
    .ar_ready_o(ar_ready),
    .ar_addr_i (ar.addr),
    .r_valid_o (r_valid),
    .r_ready_i (r_ready),
    .r_o       (r),
    .aw_valid_o(to_aw_valid),
    .aw_ready_i(to_aw_ready),
    .w_valid_o (to_w_valid),
    .w_ready_i (to_w_ready),
    .b_valid_i (to_b_valid),
    .b_ready_o (to_b_ready),
    .b_i       (to_b),
    .ar_valid_o(to_ar_valid),
    .ar_ready_i(to_ar_ready),
    .r_valid_i (to_r_valid),
    .r_ready_o (to_r_ready),
    .r_i       (to_r)
  );

  // Memory
  logic        tile_wrote, tile_wrote_last, unused_wrote, unused_wrote_last;
  logic [63:0] tile_wrote_addr, unused_wrote_addr;

  tsoc_memory #(
    .DataWidth(64),
    .Atomics  (1'b1)
  ) u_core_memory (
    .clk_i,
    .rst_ni,
    .latency_i    (latency_q),
    .stall_i      (mem_stall_q),
    .aw_valid_i   (to_aw_valid[0]),
    .aw_ready_o   (to_aw_ready[0]),
    .aw_i         (aw),
    .w_valid_i    (to_w_valid[0]),
    .w_ready_o    (to_w_ready[0]),
    .w_data_i     (w.data),
    .w_strb_i     (w.strb),
    .w_last_i     (w.last),
    .b_valid_o    (to_b_valid[0]),
    .b_ready_i    (to_b_ready[0]),
    .b_o          (to_b[0]),
    .ar_valid_i   (to_ar_valid[0]),
    .ar_ready_o   (to_ar_ready[0]),
    .ar_i         (ar),
    .r_valid_o    (to_r_valid[0]),
    .r_ready_i    (to_r_ready[0]),
    .r_id_o       (to_r[0].id),
    .r_data_o     (to_r[0].data),
    .r_resp_o     (to_r[0].resp),
    .r_last_o     (to_r[0].last),
    .other_wrote_i(tile_wrote),
    .other_addr_i (tile_wrote_addr),
    .wrote_o      (unused_wrote),
    .wrote_addr_o (unused_wrote_addr),
    .wrote_last_o (unused_wrote_last)
  );

  // Devices
  logic        dev_req, dev_ack, error, error_fetch;
  access_t     dev_access;
  logic [63:0] dev_rdata;
  logic [1:0]  dev_resp;
  logic [31:0] error_addr;

  tsoc_bridge u_bridge (
    .clk_i,
    .rst_ni,
    .aw_valid_i   (to_aw_valid[1]),
    .aw_ready_o   (to_aw_ready[1]),
    .aw_i         (aw),
    .w_valid_i    (to_w_valid[1]),
    .w_ready_o    (to_w_ready[1]),
    .w_i          (w),
    .b_valid_o    (to_b_valid[1]),
    .b_ready_i    (to_b_ready[1]),
    .b_o          (to_b[1]),
    .ar_valid_i   (to_ar_valid[1]),
    .ar_ready_o   (to_ar_ready[1]),
    .ar_i         (ar),
    .r_valid_o    (to_r_valid[1]),
    .r_ready_i    (to_r_ready[1]),
    .r_o          (to_r[1]),
    .req_o        (dev_req),
    .access_o     (dev_access),
    .ack_i        (dev_ack),
    .rdata_i      (dev_rdata),
    .resp_i       (dev_resp),
    .error_o      (error),
    .error_fetch_o(error_fetch),
    .error_addr_o (error_addr)
  );

  // Registers of the tile (0), of the random bit generator (1), and of the engine without DMA (2)
  logic [2:0]           axil_awvalid, axil_awready, axil_wvalid, axil_wready, axil_bvalid;
  logic [2:0]           axil_arvalid, axil_arready, axil_rvalid;
  logic [2:0][1:0]      axil_bresp, axil_rresp;
  logic [2:0][31:0]     axil_rdata;
  logic [31:0]          axil_wdata;
  logic [3:0]           axil_wstrb;
  logic                 window_req;
  logic [63:0]          window_rdata;
  logic [NumQueues-1:0] queue_irq;
  logic                 error_irq;

  tsoc_devices #(
    .NumTileIrqs(NumQueues + 1),
    .RegisterIo (RegisterIo != 0)
  ) u_devices (
    .clk_i,
    .rst_ni,
    .req_i         (dev_req),
    .access_i      (dev_access),
    .ack_o         (dev_ack),
    .rdata_o       (dev_rdata),
    .resp_o        (dev_resp),
    .error_i       (error),
    .error_fetch_i (error_fetch),
    .error_addr_i  (error_addr),
    .tile_irq_i    ({error_irq, queue_irq}),
    .irq_o         (irq),
    .software_irq_o(software_irq),
    .timer_irq_o   (timer_irq),
    .mtime_o       (mtime),
    .uart_valid_o,
    .uart_data_o,
    .uart_valid_i,
    .uart_ready_o,
    .uart_data_i,
    .console_valid_o,
    .console_data_o,
    .exit_valid_o,
    .exit_code_o,
    .host_valid_o,
    .host_cmd_o,
    .host_addr_o,
    .host_len_o,
    .host_result_i,
    .axil_awvalid_o(axil_awvalid),
    .axil_awready_i(axil_awready),
    .axil_wvalid_o (axil_wvalid),
    .axil_wready_i (axil_wready),
    .axil_bvalid_i (axil_bvalid),
    .axil_bresp_i  (axil_bresp),
    .axil_arvalid_o(axil_arvalid),
    .axil_arready_i(axil_arready),
    .axil_rvalid_i (axil_rvalid),
    .axil_rresp_i  (axil_rresp),
    .axil_rdata_i  (axil_rdata),
    .wdata_o       (axil_wdata),
    .strb_o        (axil_wstrb),
    .window_req_o  (window_req),
    .window_rdata_i(window_rdata)
  );

  // The tile, and its port of the memory
  logic         m_awvalid, m_awready, m_wvalid, m_wready, m_wlast, m_bvalid, m_bready;
  logic         m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [55:0]  m_awaddr, m_araddr;
  // The memory is one process's, and makes no difference.
  logic [22:0]  unused_m_awuser, unused_m_aruser;
  logic [3:0]   unused_m_awcache, unused_m_arcache;
  logic [2:0]   unused_m_awprot, unused_m_arprot;
  logic [7:0]   m_awlen, m_arlen;
  logic [127:0] m_wdata, m_rdata;
  logic [15:0]  m_wstrb;
  logic [1:0]   m_rresp;
  bresp_t       m_b;
  addr_t        m_aw, m_ar;

  // The tile has no clock until the first access to its registers or the generator's, or tamper;
  // the generator none until its own. So no word goes to a tile without a clock.
  logic         tile_clk, rbg_clk, rnd_valid, rnd_ready, rnd_forget, rbg_alarm;
  logic [127:0] rnd;

  tsoc_wake u_wake (
    .clk_i,
    .rst_ni,
    .wake_i((|axil_awvalid[1:0]) || (|axil_arvalid[1:0]) || tamper_q),
    .clk_o (tile_clk)
  );

  function automatic engine_e [15:0] engines();
    engines = tile_engines();
    if (PublicKey == 4) engines[4'(cry_tile_catalog_pkg::OpPka)] = PkaFast;
  endfunction

  cry_tile #(
    .NumQueues(NumQueues),
    .Engines  (engines()),
    .Opcodes  (tsoc_map_pkg::TileOpcodes |
               (16'(PublicKey inside {1, 2, 4, 5}) << cry_tile_catalog_pkg::OpPka) |
               (16'(PublicKey == 2) << cry_tile_catalog_pkg::OpPka384) |
               (16'(PublicKey == 3) << cry_tile_catalog_pkg::OpPkaRsa) |
               (16'(PublicKey == 5) << cry_tile_catalog_pkg::OpPka521))
  ) u_tile (
    .clk_i           (tile_clk),
    .rst_ni,
    .tamper_i        (tamper_q),
    .irq_o           (queue_irq),
    .error_irq_o     (error_irq),
    .s_axil_awvalid_i(axil_awvalid[0]),
    .s_axil_awready_o(axil_awready[0]),
    .s_axil_awaddr_i (dev_access.addr[19:0]),
    .s_axil_wvalid_i (axil_wvalid[0]),
    .s_axil_wready_o (axil_wready[0]),
    .s_axil_wdata_i  (axil_wdata),
    .s_axil_wstrb_i  (axil_wstrb),
    .s_axil_bvalid_o (axil_bvalid[0]),
    .s_axil_bready_i (1'b1),
    .s_axil_bresp_o  (axil_bresp[0]),
    .s_axil_arvalid_i(axil_arvalid[0]),
    .s_axil_arready_o(axil_arready[0]),
    .s_axil_araddr_i (dev_access.addr[19:0]),
    .s_axil_rvalid_o (axil_rvalid[0]),
    .s_axil_rready_i (1'b1),
    .s_axil_rdata_o  (axil_rdata[0]),
    .s_axil_rresp_o  (axil_rresp[0]),
    .m_axi_awvalid_o (m_awvalid),
    .m_axi_awready_i (m_awready),
    .m_axi_awaddr_o  (m_awaddr),
    .m_axi_awlen_o   (m_awlen),
    .m_axi_awuser_o  (unused_m_awuser),
    .m_axi_awcache_o (unused_m_awcache),
    .m_axi_awprot_o  (unused_m_awprot),
    .m_axi_wvalid_o  (m_wvalid),
    .m_axi_wready_i  (m_wready),
    .m_axi_wdata_o   (m_wdata),
    .m_axi_wstrb_o   (m_wstrb),
    .m_axi_wlast_o   (m_wlast),
    .m_axi_bvalid_i  (m_bvalid),
    .m_axi_bready_o  (m_bready),
    .m_axi_bresp_i   (m_b.resp),
    .m_axi_arvalid_o (m_arvalid),
    .m_axi_arready_i (m_arready),
    .m_axi_araddr_o  (m_araddr),
    .m_axi_arlen_o   (m_arlen),
    .m_axi_aruser_o  (unused_m_aruser),
    .m_axi_arcache_o (unused_m_arcache),
    .m_axi_arprot_o  (unused_m_arprot),
    .m_axi_rvalid_i  (m_rvalid),
    .m_axi_rready_o  (m_rready),
    .m_axi_rdata_i   (m_rdata),
    .m_axi_rresp_i   (m_rresp),
    .m_axi_rlast_i   (m_rlast),
    .rnd_valid_i     (rnd_valid),
    .rnd_ready_o     (rnd_ready),
    .rnd_i           (rnd),
    .rnd_forget_i    (rnd_forget),
    .rnd_alarm_i     (rbg_alarm)
  );

  tsoc_wake u_rbg_wake (
    .clk_i,
    .rst_ni,
    .wake_i(axil_awvalid[1] || axil_arvalid[1]),
    .clk_o (rbg_clk)
  );

  cry_rbg #(
    .Bulk(1'b1)
  ) u_rbg (
    .clk_i           (rbg_clk),
    .rst_ni,
    .wipe_i          (tamper_q),
    .read_allowed_i  (read_q),
    .alarm_o         (rbg_alarm),
    .s_axil_awvalid_i(axil_awvalid[1]),
    .s_axil_awready_o(axil_awready[1]),
    .s_axil_awaddr_i (dev_access.addr[4:0]),
    .s_axil_wvalid_i (axil_wvalid[1]),
    .s_axil_wready_o (axil_wready[1]),
    .s_axil_wdata_i  (axil_wdata),
    .s_axil_wstrb_i  (axil_wstrb),
    .s_axil_bvalid_o (axil_bvalid[1]),
    .s_axil_bready_i (1'b1),
    .s_axil_bresp_o  (axil_bresp[1]),
    .s_axil_arvalid_i(axil_arvalid[1]),
    .s_axil_arready_o(axil_arready[1]),
    .s_axil_araddr_i (dev_access.addr[4:0]),
    .s_axil_rvalid_o (axil_rvalid[1]),
    .s_axil_rready_i (1'b1),
    .s_axil_rdata_o  (axil_rdata[1]),
    .s_axil_rresp_o  (axil_rresp[1]),
    .osc_enable_o, .osc_i,
    .rnd_valid_o     (rnd_valid),
    .rnd_ready_i     (rnd_ready),
    .rnd_o           (rnd),
    .rnd_forget_o    (rnd_forget)
  );

  if (RegisterIo != 0) begin : gen_register_io
    logic clk;

    tsoc_wake u_wake (
      .clk_i,
      .rst_ni,
      .wake_i(axil_awvalid[2] || axil_arvalid[2] || window_req),
      .clk_o (clk)
    );

    cry_window_engine #(
      .Engine(tile_engines()[cry_tile_catalog_pkg::OpAes])
    ) u_engine (
      .clk_i           (clk),
      .rst_ni,
      .s_axil_awvalid_i(axil_awvalid[2]),
      .s_axil_awready_o(axil_awready[2]),
      .s_axil_awaddr_i (dev_access.addr[7:0]),
      .s_axil_wvalid_i (axil_wvalid[2]),
      .s_axil_wready_o (axil_wready[2]),
      .s_axil_wdata_i  (axil_wdata),
      .s_axil_wstrb_i  (axil_wstrb),
      .s_axil_bvalid_o (axil_bvalid[2]),
      .s_axil_bready_i (1'b1),
      .s_axil_bresp_o  (axil_bresp[2]),
      .s_axil_arvalid_i(axil_arvalid[2]),
      .s_axil_arready_o(axil_arready[2]),
      .s_axil_araddr_i (dev_access.addr[7:0]),
      .s_axil_rvalid_o (axil_rvalid[2]),
      .s_axil_rready_i (1'b1),
      .s_axil_rdata_o  (axil_rdata[2]),
      .s_axil_rresp_o  (axil_rresp[2]),
      .window_req_i    (window_req),
      .window_we_i     (dev_access.we),
      .window_addr_i   (dev_access.addr[5:0]),
      .window_wdata_i  (dev_access.wdata),
      .window_rdata_o  (window_rdata)
    );
  end else begin : gen_no_register_io
    // Never asked: the devices have no such addresses.
    logic unused_requests;
    assign unused_requests = ^{axil_awvalid[2], axil_wvalid[2], axil_arvalid[2], window_req};
    assign {axil_awready[2], axil_wready[2], axil_bvalid[2], axil_bresp[2]} = '0;
    assign {axil_arready[2], axil_rvalid[2], axil_rresp[2], axil_rdata[2]} = '0;
    assign window_rdata = '0;
  end

  assign m_aw = '{addr: 64'(m_awaddr), len: m_awlen, size: 3'd4, default: '0};
  assign m_ar = '{addr: 64'(m_araddr), len: m_arlen, size: 3'd4, default: '0};

  logic               mem_wready, mem_bvalid, mem_bready, snoop_room;
  logic [IdWidth-1:0] unused_rid;

  assign m_wready = mem_wready && snoop_room;

  tsoc_memory #(
    .DataWidth(128),
    .Atomics  (1'b0)
  ) u_tile_memory (
    .clk_i,
    .rst_ni,
    .latency_i    (latency_q),
    .stall_i      (mem_stall_q),
    .aw_valid_i   (m_awvalid),
    .aw_ready_o   (m_awready),
    .aw_i         (m_aw),
    .w_valid_i    (m_wvalid && snoop_room),
    .w_ready_o    (mem_wready),
    .w_data_i     (m_wdata),
    .w_strb_i     (m_wstrb),
    .w_last_i     (m_wlast),
    .b_valid_o    (mem_bvalid),
    .b_ready_i    (mem_bready),
    .b_o          (m_b),
    .ar_valid_i   (m_arvalid),
    .ar_ready_o   (m_arready),
    .ar_i         (m_ar),
    .r_valid_o    (m_rvalid),
    .r_ready_i    (m_rready),
    .r_id_o       (unused_rid),
    .r_data_o     (m_rdata),
    .r_resp_o     (m_rresp),
    .r_last_o     (m_rlast),
    .other_wrote_i(1'b0),
    .other_addr_i ('0),
    .wrote_o      (tile_wrote),
    .wrote_addr_o (tile_wrote_addr),
    .wrote_last_o (tile_wrote_last)
  );

  // What the tile writes leaves the core's data cache before it is answered.
  tsoc_snoop u_snoop (
    .clk_i,
    .rst_ni,
    .wrote_i      (tile_wrote),
    .wrote_addr_i (tile_wrote_addr),
    .wrote_last_i (tile_wrote_last),
    .room_o       (snoop_room),
    .mem_b_valid_i(mem_bvalid),
    .mem_b_ready_o(mem_bready),
    .b_valid_o    (m_bvalid),
    .b_ready_i    (m_bready),
    .snoop_valid_o(snoop_valid),
    .snoop_ready_i(snoop_ready),
    .snoop_addr_o (snoop_addr)
  );

  logic unused;
  assign unused = ^{unused_wrote, unused_wrote_addr, unused_wrote_last, unused_rid, m_b.id};

  `CRY_ASSERT_RUN
  `CRY_ASSERT_KNOWN(UartKnown_A, {uart_valid_o, uart_ready_o})
  `CRY_ASSERT_KNOWN(OutputsKnown_A, {console_valid_o, exit_valid_o, host_valid_o})

endmodule
