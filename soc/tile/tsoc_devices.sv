// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Devices below memory, decoded from the device bus by tsoc_map_pkg: boot ROM, CLINT, PLIC, UART,
// the peripherals of regs/mcu.rdl (end of the program, errors, console, host mailbox), and the
// registers of the tile, of the random bit generator, and of an engine without DMA.
//
// An access is held until ack_o. 32-bit devices refuse wider accesses, the window of that engine
// narrower ones. An address without a device is answered with DECERR.
module tsoc_devices
  import tsoc_pkg::*;
  import tsoc_map_pkg::*;
#(
  parameter int unsigned NumTileIrqs = 5,    // interrupts of the tile
  parameter bit          RegisterIo  = 1'b0  // there is an engine without DMA
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Device bus
  input  logic                   req_i,
  input  access_t                access_i,
  output logic                   ack_o,
  output logic [63:0]            rdata_o,
  output logic [1:0]             resp_o,

  input  logic                   error_i,         // one cycle: an access of the core failed
  input  logic                   error_fetch_i,   // with error_i: a fetch
  input  logic [31:0]            error_addr_i,    // with error_i: address of the access
  input  logic [NumTileIrqs-1:0] tile_irq_i,      // levels
  output logic [1:0]             irq_o,           // level: machine (0), supervisor mode (1)
  output logic                   software_irq_o,  // level
  output logic                   timer_irq_o,     // level
  output logic [63:0]            mtime_o,         // the CLINT's MTIME

  // UART, both directions
  output logic                   uart_valid_o,
  output logic [7:0]             uart_data_o,
  input  logic                   uart_valid_i,
  output logic                   uart_ready_o,
  input  logic [7:0]             uart_data_i,

  // Console, end of the program, host mailbox (mcu_periph)
  output logic                   console_valid_o,
  output logic [7:0]             console_data_o,
  output logic                   exit_valid_o,
  output logic [31:0]            exit_code_o,
  output logic                   host_valid_o,
  output logic [7:0]             host_cmd_o,
  output logic [31:0]            host_addr_o,
  output logic [31:0]            host_len_o,
  input  logic [31:0]            host_result_i,

  // AXI4-Lite of the registers of the tile (0), of the random bit generator (1), and of the engine
  // without DMA (2); address and data are connected directly
  output logic [2:0]             axil_awvalid_o,
  input  logic [2:0]             axil_awready_i,
  output logic [2:0]             axil_wvalid_o,
  input  logic [2:0]             axil_wready_i,
  input  logic [2:0]             axil_bvalid_i,
  input  logic [2:0][1:0]        axil_bresp_i,
  output logic [2:0]             axil_arvalid_o,
  input  logic [2:0]             axil_arready_i,
  input  logic [2:0]             axil_rvalid_i,
  input  logic [2:0][1:0]        axil_rresp_i,
  input  logic [2:0][31:0]       axil_rdata_i,
  output logic [31:0]            wdata_o,  // write data of a 32-bit access
  output logic [3:0]             strb_o,   // its strobes

  // Window of the engine without DMA, which answers at once
  output logic                   window_req_o,   // one cycle: an access of 64 bits
  input  logic [63:0]            window_rdata_i  // in the cycle of a read
);

  typedef enum logic [3:0] {
    DevNone,
    DevRom,
    DevClint,
    DevPlic,
    DevUart,
    DevPeriph,
    DevTile,
    DevRbg,
    DevAxis,
    DevWindow
  } device_e;

  device_e     device;
  logic [31:0] addr;
  logic        wide, refused;

  assign addr    = access_i.addr;
  assign wide    = access_i.size == 3'd3;
  assign wdata_o = addr[2] ? access_i.wdata[63:32] : access_i.wdata[31:0];
  assign strb_o  = addr[2] ? access_i.strb[7:4] : access_i.strb[3:0];

  always_comb begin
    device = DevNone;
    if (is_in(addr, RomBase, RomSize))       device = DevRom;
    if (is_in(addr, ClintBase, ClintSize))   device = DevClint;
    if (is_in(addr, PlicBase, PlicSize))     device = DevPlic;
    if (is_in(addr, UartBase, UartSize))     device = DevUart;
    if (is_in(addr, PeriphBase, PeriphSize)) device = DevPeriph;
    if (is_in(addr, TileBase, TileSize))     device = DevTile;
    if (is_in(addr, RbgBase, RbgSize))       device = DevRbg;
    if (RegisterIo && is_in(addr, AxisBase, AxisSize))     device = DevAxis;
    if (RegisterIo && is_in(addr, WindowBase, WindowSize)) device = DevWindow;
  end

  // The ROM is read, in any width; the others are of 32 bits, but for the CLINT and the window.
  assign refused = (device == DevNone) || ((device == DevRom) && access_i.we) ||
                   ((device == DevWindow) && !wide) ||
                   (wide && !(device inside {DevRom, DevClint, DevWindow}));

  // Which device is asked
  logic clint_req, plic_req, uart_req, periph_req, periph_done_q;
  logic [2:0] axil_req;

  assign clint_req  = req_i && !refused && (device == DevClint);
  assign plic_req   = req_i && !refused && (device == DevPlic);
  assign uart_req   = req_i && !refused && (device == DevUart);
  assign periph_req = req_i && !refused && (device == DevPeriph) && !periph_done_q;
  assign axil_req   = {req_i && !refused && (device == DevAxis),
                       req_i && !refused && (device == DevRbg),
                       req_i && !refused && (device == DevTile)};

  assign window_req_o = req_i && !refused && (device == DevWindow);

  // The answers
  logic [63:0] rom_rdata, clint_rdata;
  logic [31:0] plic_rdata, periph_rdata, word;
  logic [7:0]  uart_rdata;
  logic        periph_err;
  logic [2:0]  axil_ack, axil_err;

  always_comb begin
    ack_o = req_i;
    if (!refused && (device == DevPeriph)) ack_o = periph_done_q;
    if (!refused && (device == DevTile))   ack_o = axil_ack[0];
    if (!refused && (device == DevRbg))    ack_o = axil_ack[1];
    if (!refused && (device == DevAxis))   ack_o = axil_ack[2];
  end

  always_comb begin
    unique case (device)
      DevPlic:   word = plic_rdata;
      DevUart:   word = {4{uart_rdata}};
      DevPeriph: word = periph_rdata;
      DevRbg:    word = axil_rdata_i[1];
      DevAxis:   word = axil_rdata_i[2];
      default:   word = axil_rdata_i[0];
    endcase
    unique case (device)
      DevRom:    rdata_o = rom_rdata;
      DevClint:  rdata_o = clint_rdata;
      DevWindow: rdata_o = window_rdata_i;
      default:   rdata_o = {2{word}};
    endcase
    if (refused) rdata_o = '0;
  end

  always_comb begin
    resp_o = RespOkay;
    if (refused) resp_o = RespDecode;
    else if ((device == DevPeriph) && periph_err) resp_o = RespDecode;
    else if ((device == DevTile) && axil_err[0])  resp_o = RespSlave;
    else if ((device == DevRbg) && axil_err[1])   resp_o = RespSlave;
    else if ((device == DevAxis) && axil_err[2])  resp_o = RespSlave;
  end

  tsoc_boot_rom u_rom (
    .addr_i (addr[7:0]),
    .rdata_o(rom_rdata)
  );

  tsoc_clint u_clint (
    .clk_i,
    .rst_ni,
    .req_i   (clint_req),
    .access_i,
    .rdata_o (clint_rdata),
    .software_irq_o,
    .timer_irq_o,
    .mtime_o
  );

  // Interrupt sources: 1 UART, from 2 the tile, the last one the events of the peripherals.
  logic uart_irq, event_irq;

  tsoc_plic #(
    .NumSources(NumTileIrqs + 3)
  ) u_plic (
    .clk_i,
    .rst_ni,
    .req_i  (plic_req),
    .we_i   (access_i.we),
    .addr_i (addr[21:0]),
    .wdata_i(wdata_o),
    .rdata_o(plic_rdata),
    .irq_i  ({event_irq, tile_irq_i, uart_irq}),
    .irq_o
  );

  tsoc_uart u_uart (
    .clk_i,
    .rst_ni,
    .req_i     (uart_req),
    .we_i      (access_i.we),
    .addr_i    (addr[2:0]),
    .wdata_i   (wdata_o[8*addr[1:0]+:8]),
    .rdata_o   (uart_rdata),
    .irq_o     (uart_irq),
    .tx_valid_o(uart_valid_o),
    .tx_data_o (uart_data_o),
    .rx_valid_i(uart_valid_i),
    .rx_ready_o(uart_ready_o),
    .rx_data_i (uart_data_i)
  );

  // The peripherals answer in the next cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) periph_done_q <= 1'b0;
    else         periph_done_q <= periph_req;
  end

  mcu_periph #(
    .Core    (2),
    .Rv32b   (0),
    .Impl    (0),
    .NumBanks(0)
  ) u_periph (
    .clk_i,
    .rst_ni,
    .req_i          (periph_req),
    .we_i           (access_i.we),
    .be_i           (strb_o),
    .addr_i         (addr[16:0]),
    .wdata_i        (wdata_o),
    .rdata_o        (periph_rdata),
    .err_o          (periph_err),
    .hwpe_event_i   (1'b0),
    .hwpe_err_i     (1'b0),
    .data_err_i     (error_i && !error_fetch_i),
    .data_err_addr_i(error_addr_i),
    .fetch_err_i    (error_i && error_fetch_i),
    .irq_o          (event_irq),
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

  for (genvar i = 0; i < 3; i++) begin : gen_axil
    tsoc_axil u_axil (
      .clk_i,
      .rst_ni,
      .req_i    (axil_req[i]),
      .we_i     (access_i.we),
      .ack_o    (axil_ack[i]),
      .err_o    (axil_err[i]),
      .awvalid_o(axil_awvalid_o[i]),
      .awready_i(axil_awready_i[i]),
      .wvalid_o (axil_wvalid_o[i]),
      .wready_i (axil_wready_i[i]),
      .bvalid_i (axil_bvalid_i[i]),
      .bresp_i  (axil_bresp_i[i]),
      .arvalid_o(axil_arvalid_o[i]),
      .arready_i(axil_arready_i[i]),
      .rvalid_i (axil_rvalid_i[i]),
      .rresp_i  (axil_rresp_i[i])
    );
  end

endmodule
