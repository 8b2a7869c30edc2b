// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// CVA6's caches between two players: the core's load unit, page walker, store unit and atomics on
// one side, another manager that writes memory on the other, with the snoop as the tile SoC has it.
// dcache.cpp plays. With WITHOUT_SNOOP the caches are those of CVA6's package, and the other
// manager must be still.
module tb_dcache
  import ariane_pkg::*;
  import tsoc_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [7:0]   latency_i,    // of the memory
  input  logic [1:0]   stall_i,      // of the core's port of it
  input  logic [1:0]   tile_stall_i, // of the other one

  // The core. Ports 0 and 1 load (page walker, load unit), port 2 stores.
  input  logic         enable_i,
  input  logic         flush_i,
  output logic         flush_ack_o,
  output logic         miss_o,
  output logic         stores_done_o,  // the write buffer is empty
  input  logic [1:0]   load_req_i,
  input  logic [11:0]  load_index_i[2],
  input  logic [1:0]   load_tag_valid_i,
  input  logic [43:0]  load_tag_i[2],
  input  logic [1:0]   load_kill_i,
  input  logic [1:0]   load_size_i[2],
  output logic [1:0]   load_gnt_o,
  output logic [1:0]   load_rvalid_o,
  output logic [63:0]  load_data_o[2],
  input  logic         store_req_i,
  input  logic [55:0]  store_addr_i,
  input  logic [63:0]  store_data_i,
  input  logic [7:0]   store_be_i,
  input  logic [1:0]   store_size_i,
  output logic         store_gnt_o,
  input  logic         amo_req_i,
  input  logic [3:0]   amo_op_i,  // amo_t
  input  logic [55:0]  amo_addr_i,
  input  logic [63:0]  amo_data_i,  // 64 bits
  output logic         amo_ack_o,
  output logic [63:0]  amo_result_o,

  // The other manager
  input  logic         aw_valid_i,
  output logic         aw_ready_o,
  input  logic [63:0]  aw_addr_i,
  input  logic [7:0]   aw_len_i,
  input  logic         w_valid_i,
  output logic         w_ready_o,
  input  logic [127:0] w_data_i,
  input  logic [15:0]  w_strb_i,
  input  logic         w_last_i,
  output logic         b_valid_o,
  input  logic         b_ready_i
);

  function automatic ariane_cfg_t config_of_cache();
    ariane_cfg_t cfg;
    cfg = ArianeDefaultConfig;
    cfg.NrCachedRegionRules     = 1;
    cfg.CachedRegionAddrBase[0] = 64'(tsoc_map_pkg::MemoryBase);
    cfg.CachedRegionLength[0]   = 64'(tsoc_map_pkg::MemorySize);
    return cfg;
  endfunction

  dcache_req_i_t [2:0] ports;
  dcache_req_o_t [2:0] answers;
  amo_req_t            amo;
  amo_resp_t           amo_answer;
  ariane_axi::req_t    req;
  ariane_axi::resp_t   rsp;
  icache_areq_o_t      unused_areq;
  icache_dreq_o_t      unused_dreq;
  logic                unused_icache_miss, unused_not_ni;
  logic                snoop_valid, snoop_ready, wrote, wrote_last, room, mem_w_ready;
  logic                mem_b_valid, mem_b_ready;
  logic [63:0]         snoop_addr, wrote_addr;

  always_comb begin
    ports = '0;
    for (int unsigned i = 0; i < 2; i++) begin
      ports[i].data_req      = load_req_i[i];
      ports[i].address_index = load_index_i[i];
      ports[i].tag_valid     = load_tag_valid_i[i];
      ports[i].address_tag   = load_tag_i[i];
      ports[i].kill_req      = load_kill_i[i];
      ports[i].data_size     = load_size_i[i];
      load_gnt_o[i]          = answers[i].data_gnt;
      load_rvalid_o[i]       = answers[i].data_rvalid;
      load_data_o[i]         = answers[i].data_rdata;
    end
    ports[2].data_req                                  = store_req_i;
    ports[2].data_we                                   = 1'b1;
    {ports[2].address_tag, ports[2].address_index}     = store_addr_i;
    ports[2].data_wdata                                = store_data_i;
    ports[2].data_be                                   = store_be_i;
    ports[2].data_size                                 = store_size_i;
    store_gnt_o                                        = answers[2].data_gnt;
  end

  assign amo = '{req: amo_req_i, amo_op: amo_t'(amo_op_i), size: 2'b11, operand_a: 64'(amo_addr_i),
                 operand_b: amo_data_i};
  assign amo_ack_o    = amo_answer.ack;
  assign amo_result_o = amo_answer.result;

  wt_cache_subsystem #(
    .ArianeCfg   (config_of_cache()),
    .AxiAddrWidth(ariane_axi::AddrWidth),
    .AxiDataWidth(ariane_axi::DataWidth),
    .AxiIdWidth  (ariane_axi::IdWidth)
  ) u_caches (
    .clk_i,
    .rst_ni,
    .icache_en_i       (1'b0),
    .icache_flush_i    (1'b0),
    .icache_miss_o     (unused_icache_miss),
    .icache_areq_i     ('0),
    .icache_areq_o     (unused_areq),
    .icache_dreq_i     ('0),
    .icache_dreq_o     (unused_dreq),
`ifndef WITHOUT_SNOOP
    .snoop_valid_i     (snoop_valid),
    .snoop_ready_o     (snoop_ready),
    .snoop_addr_i      (snoop_addr[riscv::PLEN-1:0]),
`endif
    .dcache_enable_i   (enable_i),
    .dcache_flush_i    (flush_i),
    .dcache_flush_ack_o(flush_ack_o),
    .dcache_miss_o     (miss_o),
    .dcache_amo_req_i  (amo),
    .dcache_amo_resp_o (amo_answer),
    .dcache_req_ports_i(ports),
    .dcache_req_ports_o(answers),
    .wbuffer_empty_o   (stores_done_o),
    .wbuffer_not_ni_o  (unused_not_ni),
    .axi_req_o         (req),
    .axi_resp_i        (rsp)
  );

  bresp_t core_b, tile_b;
  logic [IdWidth-1:0] r_id, unused_tile_r_id;
  logic [63:0]        r_data, unused_addr;
  logic [127:0]       unused_tile_r_data;
  logic [1:0]         r_resp, unused_tile_r_resp;
  logic               unused_wrote, unused_wrote_last, unused_tile_ar_ready, unused_tile_r_valid;
  logic               unused_tile_r_last;
  addr_t              core_aw, core_ar, tile_aw;

  assign core_aw = '{id: req.aw.id, addr: req.aw.addr, len: req.aw.len, size: req.aw.size,
                     lock: req.aw.lock, atop: req.aw.atop};
  assign core_ar = '{id: req.ar.id, addr: req.ar.addr, len: req.ar.len, size: req.ar.size,
                     lock: req.ar.lock, atop: '0};
  assign tile_aw = '{addr: aw_addr_i, len: aw_len_i, size: 3'd4, default: '0};
  assign rsp.b   = '{id: core_b.id, resp: core_b.resp, user: '0};
  assign rsp.r.id   = r_id;
  assign rsp.r.data = r_data;
  assign rsp.r.resp = r_resp;
  assign rsp.r.user = '0;

  tsoc_memory #(
    .DataWidth(64),
    .Atomics  (1'b1)
  ) u_core_memory (
    .clk_i,
    .rst_ni,
    .latency_i,
    .stall_i,
    .aw_valid_i   (req.aw_valid),
    .aw_ready_o   (rsp.aw_ready),
    .aw_i         (core_aw),
    .w_valid_i    (req.w_valid),
    .w_ready_o    (rsp.w_ready),
    .w_data_i     (req.w.data),
    .w_strb_i     (req.w.strb),
    .w_last_i     (req.w.last),
    .b_valid_o    (rsp.b_valid),
    .b_ready_i    (req.b_ready),
    .b_o          (core_b),
    .ar_valid_i   (req.ar_valid),
    .ar_ready_o   (rsp.ar_ready),
    .ar_i         (core_ar),
    .r_valid_o    (rsp.r_valid),
    .r_ready_i    (req.r_ready),
    .r_id_o       (r_id),
    .r_data_o     (r_data),
    .r_resp_o     (r_resp),
    .r_last_o     (rsp.r.last),
    .other_wrote_i(wrote),
    .other_addr_i (wrote_addr),
    .wrote_o      (unused_wrote),
    .wrote_addr_o (unused_addr),
    .wrote_last_o (unused_wrote_last)
  );

  assign w_ready_o = mem_w_ready && room;

  tsoc_memory #(
    .DataWidth(128),
    .Atomics  (1'b0)
  ) u_tile_memory (
    .clk_i,
    .rst_ni,
    .latency_i,
    .stall_i      (tile_stall_i),
    .aw_valid_i,
    .aw_ready_o,
    .aw_i         (tile_aw),
    .w_valid_i    (w_valid_i && room),
    .w_ready_o    (mem_w_ready),
    .w_data_i,
    .w_strb_i,
    .w_last_i,
    .b_valid_o    (mem_b_valid),
    .b_ready_i    (mem_b_ready),
    .b_o          (tile_b),
    .ar_valid_i   (1'b0),
    .ar_ready_o   (unused_tile_ar_ready),
    .ar_i         ('0),
    .r_valid_o    (unused_tile_r_valid),
    .r_ready_i    (1'b1),
    .r_id_o       (unused_tile_r_id),
    .r_data_o     (unused_tile_r_data),
    .r_resp_o     (unused_tile_r_resp),
    .r_last_o     (unused_tile_r_last),
    .other_wrote_i(1'b0),
    .other_addr_i ('0),
    .wrote_o      (wrote),
    .wrote_addr_o (wrote_addr),
    .wrote_last_o (wrote_last)
  );

  tsoc_snoop u_snoop (
    .clk_i,
    .rst_ni,
    .wrote_i      (wrote),
    .wrote_addr_i (wrote_addr),
    .wrote_last_i (wrote_last),
    .room_o       (room),
    .mem_b_valid_i(mem_b_valid),
    .mem_b_ready_o(mem_b_ready),
    .b_valid_o,
    .b_ready_i,
    .snoop_valid_o(snoop_valid),
    .snoop_ready_i(snoop_ready),
    .snoop_addr_o (snoop_addr)
  );

`ifdef WITHOUT_SNOOP
  assign snoop_ready = 1'b1;
`endif

  logic unused;
  assign unused = ^{tile_b, req, snoop_addr};

endmodule
