// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The window check: holds the windows of all queues and decides whether a queue may read or write a
// page. Every burst of the tile passes it; bursts do not cross pages.
//
// A page is allowed if an enabled window of the queue contains it (base to limit, inclusive) and
// allows the direction. Of a queue with relative addresses bits 55:54 name the window, and the
// others count from its base: the page is the sum. Decisions are combinational. Windows are written
// word by word, as regs/tile.rdl (QUEUE.WINDOW) lays them out: cfg_word_i is {window, register}.
// Disable a window while it is being changed.
//
// ProtectCorrect: an upset of a window changes no decision and is reported on corrected_o.
// ProtectDetect: detected_o is high, and nothing is allowed, while an upset is present.
module cry_tile_guard
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned NumQueues  = 4,           // queues
  parameter int unsigned NumWindows = 4,           // windows of each queue
  parameter protect_e    Protect    = ProtectNone  // level of protection of its registers
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        cfg_we_i,     // one cycle: writes the word
  input  queue_t      cfg_queue_i,  // queue of the windows
  input  logic [4:0]  cfg_word_i,   // {window, register}
  input  logic [31:0] cfg_wdata_i,  // word to be written
  output logic [31:0] cfg_rdata_o,  // the word, combinational

  input  process_t [NumQueues-1:0] process_i,   // by queue: whose it is
  input  logic     [NumQueues-1:0] relative_i,  // by queue: its addresses are of windows

  input  guard_req_t  read_i,           // burst to be read: queue and page
  output logic        read_allowed_o,   // it may, combinational
  output route_t      read_route_o,     // where it goes, with read_allowed_o
  input  guard_req_t  write_i,          // burst to be written
  output logic        write_allowed_o,  // it may, combinational
  output route_t      write_route_o,    // where it goes, with write_allowed_o

  output logic        corrected_o,  // one cycle: an upset was corrected
  output logic        detected_o    // an uncorrectable upset was found
);

  localparam int unsigned HighWidth = PageWidth - 32;

  typedef struct packed {
    logic [2:0] prot;
    logic [3:0] cache;
    logic write;
    logic read;
    logic enable;
  } flags_t;

  typedef struct packed {
    flags_t flags;
    page_t  limit;
    page_t  base;
  } window_t;

  queue_window_flags_t new_flags;
  assign new_flags = cfg_wdata_i;

  window_t [NumQueues-1:0][NumWindows-1:0]     windows;
  logic    [NumQueues-1:0][NumWindows-1:0]     corrected, detected;

  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    for (genvar w = 0; w < NumWindows; w++) begin : gen_window
      logic [4:0] we, fixed, broken;
      always_comb begin
        for (int unsigned r = 0; r < 5; r++) begin
          we[r] = cfg_we_i && (cfg_queue_i == queue_t'(q)) && (cfg_word_i == {2'(w), 3'(r)});
        end
      end
      cry_reg_tmr #(.Width(32), .Protect(Protect)) u_base_lo (
        .clk_i, .rst_ni, .en_i(we[QueueWindowBaseLoWord]), .d_i(cfg_wdata_i), .inject_i(1'b0),
        .q_o(windows[q][w].base[31:0]), .corrected_o(fixed[0]), .detected_o(broken[0])
      );
      cry_reg_tmr #(.Width(HighWidth), .Protect(Protect)) u_base_hi (
        .clk_i, .rst_ni, .en_i(we[QueueWindowBaseHiWord]), .d_i(cfg_wdata_i[HighWidth-1:0]),
        .inject_i(1'b0),
        .q_o(windows[q][w].base[PageWidth-1:32]), .corrected_o(fixed[1]), .detected_o(broken[1])
      );
      cry_reg_tmr #(.Width(32), .Protect(Protect)) u_limit_lo (
        .clk_i, .rst_ni, .en_i(we[QueueWindowLimitLoWord]), .d_i(cfg_wdata_i), .inject_i(1'b0),
        .q_o(windows[q][w].limit[31:0]), .corrected_o(fixed[2]), .detected_o(broken[2])
      );
      cry_reg_tmr #(.Width(HighWidth), .Protect(Protect)) u_limit_hi (
        .clk_i, .rst_ni, .en_i(we[QueueWindowLimitHiWord]), .d_i(cfg_wdata_i[HighWidth-1:0]),
        .inject_i(1'b0),
        .q_o(windows[q][w].limit[PageWidth-1:32]), .corrected_o(fixed[3]), .detected_o(broken[3])
      );
      cry_reg_tmr #(.Width($bits(flags_t)), .Protect(Protect)) u_flags (
        .clk_i, .rst_ni, .en_i(we[QueueWindowFlagsWord]), .inject_i(1'b0),
        .d_i({
          new_flags.prot, new_flags.cache, new_flags.write, new_flags.read, new_flags.enable
        }),
        .q_o(windows[q][w].flags), .corrected_o(fixed[4]), .detected_o(broken[4])
      );
      assign corrected[q][w] = |fixed;
      assign detected[q][w]  = |broken;
    end
  end

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  // The windows of the queue that asks; none if there is no such queue.
  window_t [1:0][NumWindows-1:0] own;
  window_t [NumWindows-1:0]      cfg_own;
  process_t [1:0]                whose;
  logic [1:0]                    relative;
  guard_req_t [1:0]              ask;
  assign ask = {write_i, read_i};

  always_comb begin
    own      = '0;
    cfg_own  = '0;
    whose    = '0;
    relative = '0;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      for (int unsigned d = 0; d < 2; d++) begin
        if (ask[d].owner == queue_t'(q)) begin
          own[d]      = windows[q];
          whose[d]    = process_i[q];
          relative[d] = relative_i[q] && !ask[d].ring;
        end
      end
      if (cfg_queue_i == queue_t'(q)) cfg_own = windows[q];
    end
  end

  // Decisions: of a read (0) and of a write (1).
  logic   [1:0] allowed;
  route_t [1:0] route;

  for (genvar d = 0; d < 2; d++) begin : gen_ask
    localparam int unsigned OffsetWidth = PageWidth - 2;

    logic [NumWindows-1:0] open, holds, may;
    logic [PageWidth:0]    sum;    // of the base of the named window and the offset
    page_t                 place;
    page_t                 base;

    always_comb begin
      base = '0;
      for (int unsigned w = 0; w < NumWindows; w++) begin
        if (ask[d].page[PageWidth-1:OffsetWidth] == 2'(w)) base = own[d][w].base;
      end
    end
    assign sum   = (PageWidth + 1)'(base) + (PageWidth + 1)'(ask[d].page[OffsetWidth-1:0]);
    assign place = relative[d] ? sum[PageWidth-1:0] : ask[d].page;

    always_comb begin
      for (int unsigned w = 0; w < NumWindows; w++) begin
        open[w]  = own[d][w].flags.enable &&
                   ((d == 0) ? own[d][w].flags.read : own[d][w].flags.write);
        holds[w] = (place <= own[d][w].limit) &&
                   (relative[d] ? !sum[PageWidth] && (ask[d].page[PageWidth-1:OffsetWidth] == 2'(w))
                                : (place >= own[d][w].base));
        may[w]   = open[w] && holds[w];
      end
    end
    assign allowed[d] = (|may) && !detected_o;

    always_comb begin
      route[d] = '{page: place, user: {whose[d], ask[d].owner}, default: '0};
      for (int unsigned w = NumWindows; w > 0; w--) begin
        if (may[w-1]) begin
          route[d].cache = own[d][w-1].flags.cache;
          route[d].prot  = own[d][w-1].flags.prot;
        end
      end
    end
  end

  assign read_allowed_o  = allowed[0];
  assign read_route_o    = route[0];
  assign write_allowed_o = allowed[1];
  assign write_route_o   = route[1];

  queue_window_flags_t old_flags;
  always_comb begin
    cfg_rdata_o = '0;
    old_flags   = '0;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if (cfg_word_i[4:3] == 2'(w)) begin
        old_flags.prot   = cfg_own[w].flags.prot;
        old_flags.cache  = cfg_own[w].flags.cache;
        old_flags.write  = cfg_own[w].flags.write;
        old_flags.read   = cfg_own[w].flags.read;
        old_flags.enable = cfg_own[w].flags.enable;
        unique case (cfg_word_i[2:0])
          QueueWindowBaseLoWord:  cfg_rdata_o = cfg_own[w].base[31:0];
          QueueWindowBaseHiWord:  cfg_rdata_o = 32'(cfg_own[w].base[PageWidth-1:32]);
          QueueWindowLimitLoWord: cfg_rdata_o = cfg_own[w].limit[31:0];
          QueueWindowLimitHiWord: cfg_rdata_o = 32'(cfg_own[w].limit[PageWidth-1:32]);
          QueueWindowFlagsWord:   cfg_rdata_o = old_flags;
          default:                cfg_rdata_o = '0;
        endcase
      end
    end
  end

  logic unused;
  assign unused = ^new_flags;

  if (NumWindows > 4 || NumQueues > MaxQueues) begin : gen_check
    $error("cry_tile_guard: too many windows or queues");
  end

endmodule
