// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One queue: its registers, its place in descriptor and completion ring, the descriptors that were read
// ahead, and its interrupt.
//
// A queue is idle, running or draining. It runs from a write of CONTROL.enable to an abort, an error of
// its rings or hold_i; then it drains: what was begun on the bus and in engines ends, and it is idle.
// abort_o is high while it drains because of an abort.
//
// Reads: fetch_* asks for the next descriptor, when there is room for it; its beats come in order.
// Jobs: head_valid_o says that the entry on main_o (and, if it has an extension, the one behind it) can
// be started; pop_i takes an entry. begin_i counts a job as begun, made_i as complete, written_i when
// its record is in memory.
//
// Parameters: Prefetch, descriptors that are read ahead, a power of two of 2 or more.
module tile_queue
  import tile_pkg::*;
#(
  parameter int unsigned Prefetch = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         hold_i,
  input  logic [31:0]  now_i,          // counts cycles

  // registers
  input  logic         cfg_we_i,
  input  logic [3:0]   cfg_word_i,
  input  logic [31:0]  cfg_wdata_i,
  output logic [31:0]  cfg_rdata_o,
  input  logic         page_we_i,
  input  logic [1:0]   page_word_i,
  output logic [31:0]  page_rdata_o,

  // descriptors
  output logic         fetch_valid_o,
  input  logic         fetch_ready_i,
  output addr_t        fetch_addr_o,
  input  logic         beat_valid_i,
  input  bus_r_t       beat_i,

  // jobs
  output logic         running_o,
  output logic         abort_o,
  output logic         head_valid_o,
  output logic [511:0] main_o,
  output logic [31:0]  start_o,
  output logic [15:0]  index_o,
  output logic [31:0]  max_bytes_o,
  input  logic         pop_i,
  input  logic         begin_i,

  // completions
  input  logic         made_i,
  output addr_t        record_addr_o,
  output logic [31:0]  record_number_o,
  input  logic         written_i,
  input  logic         written_irq_i,
  input  bus_error_e   written_error_i,

  output logic         irq_o,          // pulses
  output logic         error_o
);

  localparam int unsigned PlaceWidth = $clog2(Prefetch);

  localparam logic [3:0] WordRingLo = 4'd0, WordRingHi = 4'd1, WordCompletionLo = 4'd2,
                         WordCompletionHi = 4'd3, WordControl = 4'd4, WordCoalesce = 4'd6,
                         WordMaxBytes = 4'd7, WordStatus = 4'd8;
  localparam logic [1:0] PageDoorbell = 2'd0, PageHead = 2'd1, PageStatus = 2'd2;

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StDrain
  } state_e;

  typedef struct packed {
    logic       window;
    logic       where;
    logic       error;
  } failure_t;

  state_e   state_d, state_q;
  logic     abort_q;
  failure_t failure_q;

  // --- Registers ------------------------------------------------------------------------------------

  logic [AddrWidth-1:6] ring_q;
  logic [AddrWidth-1:4] completion_q;
  logic [3:0]           log2_q;
  logic [7:0]           coalesce_q;
  logic [15:0]          timeout_q;
  logic [31:0]          max_bytes_q;
  logic                 idle, nothing_begun, set_up, control, enable, stop;

  assign set_up  = cfg_we_i && (state_q == StIdle);
  assign control = cfg_we_i && (cfg_word_i == WordControl);
  assign stop    = (control && (!cfg_wdata_i[0] || cfg_wdata_i[1])) || hold_i;
  assign enable  = control && !stop && (state_q == StIdle);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_q       <= '0;
      completion_q <= '0;
      log2_q       <= 4'd1;
      coalesce_q   <= '0;
      timeout_q    <= '0;
      max_bytes_q  <= '0;
    end else begin
      if (set_up) begin
        unique case (cfg_word_i)
          WordRingLo:       ring_q[31:6]               <= cfg_wdata_i[31:6];
          WordRingHi:       ring_q[AddrWidth-1:32]     <= cfg_wdata_i[AddrWidth-33:0];
          WordCompletionLo: completion_q[31:4]         <= cfg_wdata_i[31:4];
          WordCompletionHi: completion_q[AddrWidth-1:32] <= cfg_wdata_i[AddrWidth-33:0];
          WordControl:      log2_q                     <= cfg_wdata_i[11:8];
          WordMaxBytes:     max_bytes_q                <= cfg_wdata_i;
          default: ;
        endcase
      end
      if (cfg_we_i && (cfg_word_i == WordCoalesce)) begin
        coalesce_q <= cfg_wdata_i[7:0];
        timeout_q  <= cfg_wdata_i[31:16];
      end
    end
  end

  assign max_bytes_o = max_bytes_q;

  // --- Places in the rings ---------------------------------------------------------------------------

  // Entries written by software, asked for, there, and taken; all free-running.
  logic [15:0] producer_q, fetch_q, arrived_q, head_q, mask;
  logic [1:0]  beat_q;
  logic [31:0] number_q;   // records made
  logic [7:0]  active_q, open_q;  // jobs without record, jobs without a record in memory
  logic        doorbell, fetch, arrive;
  logic [15:0] doorbell_ahead;

  assign mask           = 16'((17'd1 << log2_q) - 17'd1);
  assign doorbell_ahead = cfg_wdata_i[15:0] - head_q;
  assign doorbell       = page_we_i && (page_word_i == PageDoorbell) && (state_q == StRun) &&
                          (doorbell_ahead <= mask + 16'd1);
  assign fetch_valid_o  = (state_q == StRun) && (fetch_q != producer_q) &&
                          ((fetch_q - head_q) < 16'(Prefetch));
  assign fetch_addr_o   = {ring_q, 6'd0} + {{(AddrWidth - 22){1'b0}}, fetch_q & mask, 6'd0};
  assign fetch          = fetch_valid_o && fetch_ready_i;
  assign arrive         = beat_valid_i && beat_i.last;

  assign nothing_begun = (fetch_q == arrived_q) && (open_q == '0);
  assign idle = (state_q == StIdle) ||
                ((state_q == StRun) && nothing_begun && (producer_q == head_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      producer_q <= '0;
      fetch_q    <= '0;
      arrived_q  <= '0;
      head_q     <= '0;
      beat_q     <= '0;
      number_q   <= '0;
      active_q   <= '0;
      open_q     <= '0;
    end else if (enable) begin
      producer_q <= '0;
      fetch_q    <= '0;
      arrived_q  <= '0;
      head_q     <= '0;
      number_q   <= '0;
    end else begin
      if (doorbell) producer_q <= cfg_wdata_i[15:0];
      if (fetch)    fetch_q    <= fetch_q + 16'd1;
      if (arrive)   arrived_q  <= arrived_q + 16'd1;
      if (pop_i)    head_q     <= head_q + 16'd1;
      if (beat_valid_i) beat_q <= beat_i.last ? '0 : beat_q + 2'd1;
      if (made_i)   number_q   <= number_q + 32'd1;
      active_q <= active_q + 8'(begin_i) - 8'(made_i);
      open_q   <= open_q + 8'(begin_i) - 8'(written_i);
    end
  end

  assign index_o         = head_q;
  assign record_number_o = number_q;
  assign record_addr_o   = {completion_q, 4'd0} +
                           {{(AddrWidth - 20){1'b0}}, number_q[15:0] & mask, 4'd0};

  // --- State -------------------------------------------------------------------------------------------

  failure_t failure;
  always_comb begin
    failure = '0;
    if (written_i && (written_error_i != BusOkay)) begin
      failure = '{error: 1'b1, where: 1'b1, window: written_error_i == BusDenied};
    end else if (beat_valid_i && (beat_i.error != BusOkay)) begin
      failure = '{error: 1'b1, where: 1'b0, window: beat_i.error == BusDenied};
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (enable) state_d = StRun;
      StRun:   if (stop || failure.error) state_d = StDrain;
      StDrain: if (nothing_begun) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      abort_q   <= 1'b0;
      failure_q <= '0;
    end else begin
      state_q <= state_d;
      if (state_d == StIdle)              abort_q <= 1'b0;
      else if (stop)                      abort_q <= 1'b1;
      if (enable)                                  failure_q <= '0;
      else if (failure.error && !failure_q.error)  failure_q <= failure;
    end
  end

  assign running_o = state_q == StRun;
  assign abort_o   = abort_q;
  assign error_o   = failure.error && !failure_q.error;

  // --- Descriptors ------------------------------------------------------------------------------------

  for (genvar b = 0; b < 4; b++) begin : gen_beat
    prim_ram_1r1w #(.Width(128), .Depth(Prefetch)) u_ram (
      .clk_i,
      .we_i   (beat_valid_i && (beat_q == 2'(b))),
      .waddr_i(arrived_q[PlaceWidth-1:0]),
      .wdata_i(beat_i.data),
      .raddr_i(head_q[PlaceWidth-1:0]),
      .rdata_o(main_o[128*b+:128])
    );
  end

  prim_ram_1r1w #(.Width(32), .Depth(Prefetch)) u_start (
    .clk_i,
    .we_i   (arrive),
    .waddr_i(arrived_q[PlaceWidth-1:0]),
    .wdata_i(now_i),
    .raddr_i(head_q[PlaceWidth-1:0]),
    .rdata_o(start_o)
  );

  logic [15:0] arrived;
  logic        fence, extension;
  assign arrived      = arrived_q - head_q;
  assign fence        = main_o[22];
  assign extension    = main_o[23];
  assign head_valid_o = (state_q == StRun) && (arrived > 16'(extension)) &&
                        (!fence || (active_q == '0)) && (open_q != '1);

  // --- Interrupt --------------------------------------------------------------------------------------

  logic [7:0]  waiting_q;   // completions since the last interrupt
  logic [19:0] age_q;
  logic        event_i, full, old;

  assign event_i = written_i && written_irq_i && (written_error_i == BusOkay);
  assign full    = event_i && (waiting_q + 8'd1 >= coalesce_q);
  assign old     = (waiting_q != '0) && (((timeout_q != '0) && (age_q[19:4] >= timeout_q)) ||
                                         (state_q == StIdle));
  assign irq_o   = full || old;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      age_q     <= '0;
    end else if (irq_o) begin
      waiting_q <= '0;
      age_q     <= '0;
    end else begin
      if (event_i) waiting_q <= waiting_q + 8'd1;
      if ((waiting_q != '0) && (age_q != '1)) age_q <= age_q + 20'd1;
    end
  end

  // --- Reads --------------------------------------------------------------------------------------------

  always_comb begin
    unique case (cfg_word_i)
      WordRingLo:       cfg_rdata_o = {ring_q[31:6], 6'd0};
      WordRingHi:       cfg_rdata_o = 32'(ring_q[AddrWidth-1:32]);
      WordCompletionLo: cfg_rdata_o = {completion_q[31:4], 4'd0};
      WordCompletionHi: cfg_rdata_o = 32'(completion_q[AddrWidth-1:32]);
      WordControl:      cfg_rdata_o = {20'd0, log2_q, 7'd0, running_o};
      WordCoalesce:     cfg_rdata_o = {timeout_q, 8'd0, coalesce_q};
      WordMaxBytes:     cfg_rdata_o = max_bytes_q;
      WordStatus:       cfg_rdata_o = {16'd0, open_q, 4'd0, failure_q, idle};
      default:          cfg_rdata_o = '0;
    endcase
    unique case (page_word_i)
      PageDoorbell: page_rdata_o = '0;
      PageHead:     page_rdata_o = 32'(head_q);
      PageStatus:   page_rdata_o = {29'd0, running_o, failure_q.error, idle};
      default:      page_rdata_o = number_q;
    endcase
  end

`ifndef SYNTHESIS
  logic run_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else         run_q <= 1'b1;
  end

  BeatsWereAsked: assert property (@(posedge clk_i) disable iff (!run_q)
    beat_valid_i |-> (fetch_q != arrived_q) && (beat_i.last == (beat_q == 2'd3)));
  JobsAreCounted: assert property (@(posedge clk_i) disable iff (!run_q)
    (made_i |-> active_q != '0) and (written_i |-> open_q != '0));
`endif

endmodule
