// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Platform-level interrupt controller with the register map of the RISC-V PLIC specification, for
// one hart: context 0 is machine mode, context 1 supervisor mode. 32-bit accesses, answered in the
// cycle of the request.
//
// A claimed source is masked until it is completed. Priorities and thresholds are 0 to 7.
module tsoc_plic #(
  parameter int unsigned NumSources = 8  // sources, with source 0, at most 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Device bus
  input  logic                  req_i,
  input  logic                  we_i,
  input  logic [21:0]           addr_i,
  input  logic [31:0]           wdata_i,
  output logic [31:0]           rdata_o,
  input  logic [NumSources-1:1] irq_i,  // levels; source 0 does not exist
  output logic [1:0]            irq_o   // level: of each context
);

  localparam int unsigned NumContexts = 2;
  localparam int unsigned NumWidth    = $clog2(NumSources);

  typedef logic [2:0]            level_t;
  typedef logic [NumWidth-1:0]   number_t;
  typedef logic [NumSources-1:0] mask_t;

  level_t [NumSources-1:0]  priority_q;
  mask_t                    pending_q, claimed_q, pending_d, claimed_d;
  mask_t [NumContexts-1:0]  enable_q;
  level_t [NumContexts-1:0] threshold_q;

  // The source of each context with the highest priority, the lowest number first.
  number_t [NumContexts-1:0] best;
  level_t [NumContexts-1:0]  best_level;

  always_comb begin
    best       = '0;
    best_level = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      for (int unsigned i = 1; i < NumSources; i++) begin
        if (pending_q[i] && enable_q[c][i] && (priority_q[i] > best_level[c])) begin
          best[c]       = number_t'(i);
          best_level[c] = priority_q[i];
        end
      end
    end
  end

  // Registers
  logic is_priority, is_pending, is_enable, is_threshold, is_claim, context_nr;

  assign is_priority  = addr_i < 22'(4 * NumSources);
  assign is_pending   = addr_i[21:2] == 20'h00400;
  assign is_enable    = {addr_i[21:8], addr_i[6:2]} == {14'h0020, 5'h00};
  assign is_threshold = {addr_i[21:13], addr_i[11:2]} == {9'h100, 10'h000};
  assign is_claim     = {addr_i[21:13], addr_i[11:2]} == {9'h100, 10'h001};
  assign context_nr   = is_enable ? addr_i[7] : addr_i[12];

  always_comb begin
    rdata_o = '0;
    if (is_priority)  rdata_o = 32'(priority_q[addr_i[2+:NumWidth]]);
    if (is_pending)   rdata_o = 32'(pending_q);
    if (is_enable)    rdata_o = 32'(enable_q[context_nr]);
    if (is_threshold) rdata_o = 32'(threshold_q[context_nr]);
    if (is_claim)     rdata_o = 32'(best[context_nr]);
  end

  always_comb begin
    claimed_d = claimed_q;
    pending_d = pending_q | ({irq_i, 1'b0} & ~claimed_q);
    if (req_i && is_claim && !we_i) begin
      claimed_d[best[context_nr]] = best[context_nr] != '0;
      pending_d[best[context_nr]] = 1'b0;
    end
    if (req_i && is_claim && we_i && (wdata_i < NumSources)) begin
      claimed_d[wdata_i[NumWidth-1:0]] = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      priority_q  <= '0;
      pending_q   <= '0;
      claimed_q   <= '0;
      enable_q    <= '0;
      threshold_q <= '0;
      irq_o       <= '0;
    end else begin
      pending_q <= pending_d;
      claimed_q <= claimed_d;
      if (req_i && we_i) begin
        if (is_priority)  priority_q[addr_i[2+:NumWidth]] <= wdata_i[2:0];
        if (is_enable)    enable_q[context_nr]            <= {wdata_i[NumSources-1:1], 1'b0};
        if (is_threshold) threshold_q[context_nr]         <= wdata_i[2:0];
      end
      for (int unsigned c = 0; c < NumContexts; c++) irq_o[c] <= best_level[c] > threshold_q[c];
    end
  end

  logic unused;
  assign unused = ^addr_i[1:0];

endmodule
