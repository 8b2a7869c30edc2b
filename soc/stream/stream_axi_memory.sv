// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Memory behind AXI4 with a configurable latency: a model of off-chip memory, or of on-chip memory
// behind a deep interconnect.
//
//   - Read: the first word is valid latency_i + 2 cycles after its address was accepted, further
//     words and reads in every cycle; up to 16 reads are in flight.
//   - Write: answered latency_i + 1 cycles after its last word; up to 8 writes are in flight.
//   - Reads and writes are independent. Responses are in the order of the requests. An address
//     outside the memory is answered with DECERR.
module stream_axi_memory #(
  parameter  int unsigned IdWidth   = 3,              // bits of an ID
  parameter  int unsigned DataWidth = 128,            // bits of a bus word
  parameter  logic [31:0] Base      = 32'h8000_0000,  // first address
  parameter  int unsigned Size      = 1 << 24,        // bytes, a power of two
  localparam int unsigned WordBytes = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [7:0]           latency_i,  // cycles
  input  logic [1:0]           stall_i,    // test: stalls reads (0) and writes (1)

  // AXI4 write channels
  input  logic                 awvalid_i,
  output logic                 awready_o,
  input  logic [IdWidth-1:0]   awid_i,
  input  logic [31:0]          awaddr_i,
  input  logic [7:0]           awlen_i,
  input  logic                 wvalid_i,
  output logic                 wready_o,
  input  logic [DataWidth-1:0] wdata_i,
  input  logic [WordBytes-1:0] wstrb_i,
  input  logic                 wlast_i,
  output logic                 bvalid_o,
  input  logic                 bready_i,
  output logic [IdWidth-1:0]   bid_o,
  output logic [1:0]           bresp_o,
  // AXI4 read channels
  input  logic                 arvalid_i,
  output logic                 arready_o,
  input  logic [IdWidth-1:0]   arid_i,
  input  logic [31:0]          araddr_i,
  input  logic [7:0]           arlen_i,
  output logic                 rvalid_o,
  input  logic                 rready_i,
  output logic [IdWidth-1:0]   rid_o,
  output logic [DataWidth-1:0] rdata_o,
  output logic [1:0]           rresp_o,
  output logic                 rlast_o
);

  localparam int unsigned Words     = Size / WordBytes;
  localparam int unsigned WordShift = $clog2(WordBytes);
  localparam int unsigned AddrWidth = $clog2(Words);
  localparam logic [1:0]  RespOk     = 2'b00;
  localparam logic [1:0]  RespDecode = 2'b11;

  logic [DataWidth-1:0] mem [Words];

  function automatic logic inside_memory(logic [31:0] addr);
    return (addr - Base) < 32'(Size);
  endfunction

  // Time, against which requests are measured; it wraps.
  logic [15:0] now_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else         now_q <= now_q + 16'd1;
  end

  // Reads
  logic               ar_valid, ar_pop, read;
  logic [15:0]        ar_time, ar_age;
  logic [IdWidth-1:0] ar_id;
  logic [31:0]        ar_addr, read_addr;
  logic [7:0]         ar_len, beat_q;
  logic [4:0]         ar_count;

  logic [1:0] unused_reads_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [IdWidth+55:0]),
    .Depth(16)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (arvalid_i),
    .in_ready_o (arready_o),
    .in_data_i  ({now_q, arid_i, araddr_i, arlen_i}),
    .out_valid_o(ar_valid),
    .out_ready_i(ar_pop),
    .out_data_o ({ar_time, ar_id, ar_addr, ar_len}),
    .count_o    (ar_count),
    .corrected_o(unused_reads_faults[1]),
    .detected_o (unused_reads_faults[0])
  );

  assign ar_age    = now_q - ar_time;
  assign read_addr = ar_addr + (32'(beat_q) << WordShift);
  assign read      = ar_valid && ((beat_q != '0) || (ar_age > 16'(latency_i))) && !stall_i[0] &&
                     (!rvalid_o || rready_i);
  assign ar_pop    = read && (beat_q == ar_len);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q   <= '0;
      rvalid_o <= 1'b0;
      rid_o    <= '0;
      rresp_o  <= RespOk;
      rlast_o  <= 1'b0;
    end else begin
      if (ar_pop)    beat_q <= '0;
      else if (read) beat_q <= beat_q + 8'd1;
      if (read)          rvalid_o <= 1'b1;
      else if (rready_i) rvalid_o <= 1'b0;
      if (read) begin
        rid_o   <= ar_id;
        rresp_o <= inside_memory(read_addr) ? RespOk : RespDecode;
        rlast_o <= beat_q == ar_len;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (read) rdata_o <= inside_memory(read_addr) ? mem[read_addr[WordShift+:AddrWidth]] : '0;
  end

  // Writes
  logic               aw_valid, write, write_ok, b_in_ready, b_valid;
  logic [IdWidth-1:0] aw_id;
  logic [31:0]        aw_addr, write_addr;
  logic [7:0]         aw_len, word_q;
  logic               bad_q;
  logic [15:0]        b_time, b_age;
  logic [3:0]         aw_count, b_count;

  logic [1:0] unused_writes_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [IdWidth+39:0]),
    .Depth(8)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (awvalid_i),
    .in_ready_o (awready_o),
    .in_data_i  ({awid_i, awaddr_i, awlen_i}),
    .out_valid_o(aw_valid),
    .out_ready_i(write && wlast_i),
    .out_data_o ({aw_id, aw_addr, aw_len}),
    .count_o    (aw_count),
    .corrected_o(unused_writes_faults[1]),
    .detected_o (unused_writes_faults[0])
  );

  assign write_addr = aw_addr + (32'(word_q) << WordShift);
  assign write_ok   = inside_memory(write_addr);
  assign wready_o   = aw_valid && b_in_ready && !stall_i[1];
  assign write      = wvalid_i && wready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q <= '0;
      bad_q  <= 1'b0;
    end else if (write) begin
      word_q <= wlast_i ? '0 : word_q + 8'd1;
      bad_q  <= !wlast_i && (bad_q || !write_ok);
    end
  end

  always_ff @(posedge clk_i) begin
    if (write && write_ok) begin
      for (int unsigned i = 0; i < WordBytes; i++) begin
        if (wstrb_i[i]) mem[write_addr[WordShift+:AddrWidth]][8*i+:8] <= wdata_i[8*i+:8];
      end
    end
  end

  logic [1:0] unused_answers_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [IdWidth+17:0]),
    .Depth(8)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (write && wlast_i),
    .in_ready_o (b_in_ready),
    .in_data_i  ({now_q, aw_id, (bad_q || !write_ok) ? RespDecode : RespOk}),
    .out_valid_o(b_valid),
    .out_ready_i(bvalid_o && bready_i),
    .out_data_o ({b_time, bid_o, bresp_o}),
    .count_o    (b_count),
    .corrected_o(unused_answers_faults[1]),
    .detected_o (unused_answers_faults[0])
  );

  assign b_age    = now_q - b_time;
  assign bvalid_o = b_valid && (b_age > 16'(latency_i));

  logic unused;
  assign unused = ^{ar_count, aw_count, b_count, aw_len, read_addr, write_addr};

endmodule
