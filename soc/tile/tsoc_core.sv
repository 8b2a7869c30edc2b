// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// CVA6 (RV64IMAC, or RV64GC if it is built so; MMU, write-through data cache) with its AXI4 port
// as channels.
//
// The core is configured to start in the boot ROM, to fetch from boot ROM and memory, and to cache
// memory only. Below memory every access has side effects: no speculative ones. It ignores error
// responses; tsoc_bridge reports them. Its data cache drops lines that are snooped
// (tsoc_dcache_valid).
module tsoc_core
  import tsoc_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  irq_i,  // level: external interrupt of machine (0), supervisor mode (1)
  input  logic        software_irq_i,  // level
  input  logic        timer_irq_i,  // level
  input  logic [63:0] mtime_i,  // what the counter `time` has

  // Lines that another manager has written
  input  logic        snoop_valid_i,
  output logic        snoop_ready_o,
  input  logic [63:0] snoop_addr_i,  // of memory, in either place

  // AXI4 manager
  output logic       aw_valid_o,
  input  logic       aw_ready_i,
  output addr_t      aw_o,
  output logic       w_valid_o,
  input  logic       w_ready_i,
  output wdata_t     w_o,
  input  logic       b_valid_i,
  output logic       b_ready_o,
  input  bresp_t     b_i,
  output logic       ar_valid_o,
  input  logic       ar_ready_i,
  output addr_t      ar_o,
  input  logic       r_valid_i,
  output logic       r_ready_o,
  input  rdata_t     r_i
);

  localparam logic [63:0] BootAddr   = 64'(tsoc_map_pkg::RomBase);
  localparam logic [63:0] MemoryBase = 64'(tsoc_map_pkg::MemoryBase);
  localparam logic [63:0] MemorySize = 64'(tsoc_map_pkg::MemorySize);

  function automatic ariane_pkg::ariane_cfg_t config_of_core();
    ariane_pkg::ariane_cfg_t cfg;
    cfg = ariane_pkg::ArianeDefaultConfig;
    cfg.NrNonIdempotentRules     = 1;
    cfg.NonIdempotentAddrBase    = '0;
    cfg.NonIdempotentLength      = '0;
    cfg.NonIdempotentLength[0]   = MemoryBase;
    cfg.NrExecuteRegionRules     = 2;
    cfg.ExecuteRegionAddrBase    = '0;
    cfg.ExecuteRegionLength      = '0;
    cfg.ExecuteRegionAddrBase[0] = MemoryBase;
    cfg.ExecuteRegionLength[0]   = MemorySize;
    cfg.ExecuteRegionAddrBase[1] = BootAddr;
    cfg.ExecuteRegionLength[1]   = 64'(tsoc_map_pkg::RomSize);
    cfg.NrCachedRegionRules      = 1;
    cfg.CachedRegionAddrBase     = '0;
    cfg.CachedRegionLength       = '0;
    cfg.CachedRegionAddrBase[0]  = MemoryBase;
    cfg.CachedRegionLength[0]    = MemorySize;
    return cfg;
  endfunction

  ariane_axi::req_t      req;
  ariane_axi::resp_t     rsp;
  cvxif_pkg::cvxif_req_t unused_cvxif_req;

  cva6 #(
    .ArianeCfg(config_of_core())
  ) u_cva6 (
    .clk_i,
    .rst_ni,
    .boot_addr_i (riscv::VLEN'(BootAddr)),
    .hart_id_i   ('0),
    .irq_i,
    .ipi_i       (software_irq_i),
    .time_irq_i  (timer_irq_i),
    .mtime_i,
    .debug_req_i (1'b0),
    .snoop_valid_i,
    .snoop_ready_o,
    .snoop_addr_i(snoop_addr_i[riscv::PLEN-1:0]),
    .cvxif_req_o (unused_cvxif_req),
    .cvxif_resp_i('0),
    .axi_req_o   (req),
    .axi_resp_i  (rsp)
  );

  assign aw_valid_o = req.aw_valid;
  assign aw_o       = '{id: req.aw.id, addr: req.aw.addr, len: req.aw.len, size: req.aw.size,
                        lock: req.aw.lock, atop: req.aw.atop};
  assign w_valid_o  = req.w_valid;
  assign w_o        = '{data: req.w.data, strb: req.w.strb, last: req.w.last};
  assign b_ready_o  = req.b_ready;
  assign ar_valid_o = req.ar_valid;
  assign ar_o       = '{id: req.ar.id, addr: req.ar.addr, len: req.ar.len, size: req.ar.size,
                        lock: req.ar.lock, atop: '0};
  assign r_ready_o  = req.r_ready;

  assign rsp.aw_ready = aw_ready_i;
  assign rsp.ar_ready = ar_ready_i;
  assign rsp.w_ready  = w_ready_i;
  assign rsp.b_valid  = b_valid_i;
  assign rsp.b        = '{id: b_i.id, resp: b_i.resp, user: '0};
  assign rsp.r_valid  = r_valid_i;
  assign rsp.r        = '{id: r_i.id, data: r_i.data, resp: r_i.resp, last: r_i.last, user: '0};

  // The core caches by its own map, not by these.
  logic unused;
  assign unused = ^{snoop_addr_i[63:riscv::PLEN],
                    unused_cvxif_req, req.aw.burst, req.aw.cache, req.aw.prot, req.aw.qos,
                    req.aw.region, req.aw.user, req.w.user, req.ar.burst, req.ar.cache, req.ar.prot,
                    req.ar.qos, req.ar.region, req.ar.user};

endmodule
