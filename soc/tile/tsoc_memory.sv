// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A port of the memory: a model of memory behind a controller. The simulation harness stores the
// bytes, through the functions below, and allocates only the pages that are used.
//
//   - Read: the first word is valid latency_i + 2 cycles after its address was accepted, further
//     words and reads in every cycle; up to 32 reads are in flight.
//   - Write: answered latency_i + 1 cycles after its last word; data may arrive with its address;
//     up to 32 writes are in flight.
//   - Reads, writes and the two ports are independent. Responses are in the order of the requests.
//     An address outside the memory is answered with DECERR.
//   - Atomics: load-reserved, store-conditional and the atomic operations of AXI5 on words of 32
//     and 64 bits (one word at a time). A write of the other port ends a reservation.
module tsoc_memory
  import tsoc_pkg::*;
#(
  parameter  int unsigned DataWidth = 64,    // bits of a bus word, a multiple of 64
  parameter  bit          Atomics   = 1'b1,  // build atomic operations
  localparam int unsigned WordBytes = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [7:0]           latency_i,  // cycles
  input  logic [1:0]           stall_i,    // test: stalls reads (0) and writes (1)

  // AXI4 subordinate
  input  logic                 aw_valid_i,
  output logic                 aw_ready_o,
  input  addr_t                aw_i,
  input  logic                 w_valid_i,
  output logic                 w_ready_o,
  input  logic [DataWidth-1:0] w_data_i,
  input  logic [WordBytes-1:0] w_strb_i,
  input  logic                 w_last_i,
  output logic                 b_valid_o,
  input  logic                 b_ready_i,
  output bresp_t               b_o,
  input  logic                 ar_valid_i,
  output logic                 ar_ready_o,
  input  addr_t                ar_i,
  output logic                 r_valid_o,
  input  logic                 r_ready_i,
  output logic [IdWidth-1:0]   r_id_o,
  output logic [DataWidth-1:0] r_data_o,
  output logic [1:0]           r_resp_o,
  output logic                 r_last_o,

  input  logic                 other_wrote_i,  // one cycle: the other port wrote ...
  input  logic [63:0]          other_addr_i,   // ... this bus word
  output logic                 wrote_o,        // one cycle: this port writes: no later read ...
  output logic [63:0]          wrote_addr_o,   // ... gets what this bus word was before
  output logic                 wrote_last_o    // it is the last word of its burst
);

  import "DPI-C" function longint unsigned tsoc_memory_read(input longint unsigned addr);
  import "DPI-C" function void tsoc_memory_write(
    input longint unsigned addr,
    input longint unsigned data,
    input byte unsigned    strb
  );

  localparam int unsigned Depth     = 32;
  localparam int unsigned AddrBits  = $bits(addr_t);
  localparam int unsigned WordShift = $clog2(WordBytes);
  localparam int unsigned Lanes     = DataWidth / 64;

  // Time, against which requests are measured; it wraps.
  logic [15:0] now_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else         now_q <= now_q + 16'd1;
  end

  // The word of a burst's beat.
  function automatic logic [63:0] beat_addr(logic [63:0] first, logic [7:0] beat);
    return ((first >> WordShift) + 64'(beat)) << WordShift;
  endfunction

  // Writes
  logic        aw_waits, aw_push, write, w_ok, w_exclusive, w_failed, bad_q;
  logic        b_in_ready, b_fifo_valid;
  addr_t       aw_head, aw;
  logic [7:0]  word_q;
  logic [63:0] w_addr;
  logic [1:0]  w_resp;
  logic [15:0] b_time, b_age;
  logic        atomic, atomic_valid_q;
  logic [5:0]  aw_count, b_count, ar_count;

  assign aw_push = aw_valid_i && !(!aw_waits && write && w_last_i);

  logic [1:0] unused_writes_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [AddrBits-1:0]),
    .Depth(Depth)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (aw_push),
    .in_ready_o (aw_ready_o),
    .in_data_i  (aw_i),
    .out_valid_o(aw_waits),
    .out_ready_i(write && w_last_i),
    .out_data_o (aw_head),
    .count_o    (aw_count),
    .corrected_o(unused_writes_faults[1]),
    .detected_o (unused_writes_faults[0])
  );

  assign aw        = aw_waits ? aw_head : aw_i;
  assign w_addr    = beat_addr(aw.addr, word_q);
  assign w_ok      = is_memory(w_addr);
  assign w_ready_o = (aw_waits || aw_valid_i) && b_in_ready && !stall_i[1] && !atomic_valid_q;
  assign write     = w_valid_i && w_ready_o;
  assign atomic    = Atomics && (aw.atop != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q <= '0;
      bad_q  <= 1'b0;
    end else if (write) begin
      word_q <= w_last_i ? '0 : word_q + 8'd1;
      bad_q  <= !w_last_i && (bad_q || !w_ok);
    end
  end

  always_comb begin
    if (bad_q || !w_ok)              w_resp = RespDecode;
    else if (w_exclusive && !w_failed) w_resp = RespExOkay;
    else                             w_resp = RespOkay;
  end

  logic [1:0] unused_answers_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [$bits(bresp_t)+15:0]),
    .Depth(Depth)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (write && w_last_i),
    .in_ready_o (b_in_ready),
    .in_data_i  ({now_q, aw.id, w_resp}),
    .out_valid_o(b_fifo_valid),
    .out_ready_i(b_valid_o && b_ready_i),
    .out_data_o ({b_time, b_o}),
    .count_o    (b_count),
    .corrected_o(unused_answers_faults[1]),
    .detected_o (unused_answers_faults[0])
  );

  assign b_age        = now_q - b_time;
  assign b_valid_o    = b_fifo_valid && (b_age > 16'(latency_i));
  assign wrote_o      = write && !w_failed;
  assign wrote_addr_o = w_addr;
  assign wrote_last_o = w_last_i;

  // Reads
  logic        ar_waits, ar_pop, ar_due, read, r_ok, r_free, atomic_read;
  addr_t       ar;
  logic [15:0] ar_time, ar_age, atomic_age;
  logic [7:0]  beat_q;
  logic [63:0] r_addr;

  logic [15:0]        atomic_time_q;
  logic [63:0]        atomic_data_q;
  logic [IdWidth-1:0] atomic_id_q;

  logic [1:0] unused_reads_faults;  // unprotected: it has none
  cry_fifo #(
    .T(logic [AddrBits+15:0]),
    .Depth(Depth)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_valid_i (ar_valid_i),
    .in_ready_o (ar_ready_o),
    .in_data_i  ({now_q, ar_i}),
    .out_valid_o(ar_waits),
    .out_ready_i(ar_pop),
    .out_data_o ({ar_time, ar}),
    .count_o    (ar_count),
    .corrected_o(unused_reads_faults[1]),
    .detected_o (unused_reads_faults[0])
  );

  assign ar_age      = now_q - ar_time;
  assign ar_due      = (beat_q != '0) || (ar_age > 16'(latency_i));
  assign r_addr      = beat_addr(ar.addr, beat_q);
  assign r_ok        = is_memory(r_addr);
  assign r_free      = (!r_valid_o || r_ready_i) && !stall_i[0];
  assign atomic_age  = now_q - atomic_time_q;
  assign atomic_read = atomic_valid_q && (atomic_age > 16'(latency_i)) && (beat_q == '0) && r_free;
  assign read        = ar_waits && ar_due && r_free && !atomic_read;
  assign ar_pop      = read && (beat_q == ar.len);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q    <= '0;
      r_valid_o <= 1'b0;
      r_id_o    <= '0;
      r_resp_o  <= RespOkay;
      r_last_o  <= 1'b0;
    end else begin
      if (ar_pop)    beat_q <= '0;
      else if (read) beat_q <= beat_q + 8'd1;
      if (read || atomic_read) begin
        r_valid_o <= 1'b1;
        r_id_o    <= atomic_read ? atomic_id_q : ar.id;
        r_last_o  <= atomic_read || (beat_q == ar.len);
        if (!atomic_read && !r_ok)                       r_resp_o <= RespDecode;
        else if (!atomic_read && Atomics && ar.lock)     r_resp_o <= RespExOkay;
        else                                             r_resp_o <= RespOkay;
      end else if (r_ready_i) begin
        r_valid_o <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (atomic_read) begin
      r_data_o <= {Lanes{atomic_data_q}};
    end else if (read) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        r_data_o[64*i+:64] <= r_ok ? tsoc_memory_read(r_addr + 64'(8 * i)) : '0;
      end
    end
  end

  // What a write does to memory
  if (Atomics) begin : gen_atomics
    logic        reserved_q;
    logic [63:0] reserved_addr_q;

    // A reservation is of 16 bytes, the larger of the two ports' words, at both of their addresses.
    function automatic logic same_place(logic [63:0] a, logic [63:0] b);
      return (((a ^ b) & (64'(tsoc_map_pkg::MemorySize) - 64'd1)) >> 4) == '0;
    endfunction

    // The new value of a 64-bit word; the operand lies in the lanes of the address.
    function automatic logic [63:0] atomic_result(
      logic [2:0] op, logic swap, logic word, logic high, logic [63:0] old, logic [63:0] operand
    );
      logic [63:0] a, b, result;
      logic        less, less_unsigned;
      a = old;
      b = operand;
      if (word) begin
        a = {{32{high ? old[63] : old[31]}}, high ? old[63:32] : old[31:0]};
        b = {{32{high ? operand[63] : operand[31]}}, high ? operand[63:32] : operand[31:0]};
      end
      less          = signed'(a) < signed'(b);
      less_unsigned = a < b;  // also of sign-extended words
      unique case (op)
        3'd0:    result = a + b;
        3'd1:    result = a & ~b;
        3'd2:    result = a ^ b;
        3'd3:    result = a | b;
        3'd4:    result = less ? b : a;
        3'd5:    result = less ? a : b;
        3'd6:    result = less_unsigned ? b : a;
        default: result = less_unsigned ? a : b;
      endcase
      if (swap) result = b;
      return word ? {2{result[31:0]}} : result;
    endfunction

    assign w_exclusive = aw.lock;
    // A write of the other port in this cycle may come before.
    assign w_failed    = aw.lock && (!reserved_q || !same_place(reserved_addr_q, w_addr) ||
                                     (other_wrote_i && same_place(w_addr, other_addr_i)));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        reserved_q      <= 1'b0;
        reserved_addr_q <= '0;
        atomic_valid_q  <= 1'b0;
        atomic_time_q   <= '0;
        atomic_data_q   <= '0;
        atomic_id_q     <= '0;
      end else begin
        if (read && ar.lock) begin
          // A write in this cycle may come behind the read.
          reserved_q      <= !((other_wrote_i && same_place(r_addr, other_addr_i)) ||
                               (write && same_place(r_addr, w_addr)));
          reserved_addr_q <= r_addr;
        end else if ((write && (aw.lock || same_place(reserved_addr_q, w_addr))) ||
                     (other_wrote_i && same_place(reserved_addr_q, other_addr_i))) begin
          reserved_q <= 1'b0;
        end
        if (write && atomic && aw.atop[5]) begin
          atomic_valid_q <= 1'b1;
          atomic_time_q  <= now_q;
          atomic_id_q    <= aw.id;
          atomic_data_q  <= w_ok ? tsoc_memory_read(w_addr) : '0;
        end else if (atomic_read) begin
          atomic_valid_q <= 1'b0;
        end
        if (write && w_ok && !w_failed) begin
          tsoc_memory_write(w_addr, !atomic ? w_data_i :
                            atomic_result(aw.atop[2:0], aw.atop[4], aw.size == 3'd2, aw.addr[2],
                                          tsoc_memory_read(w_addr), w_data_i), w_strb_i);
        end
      end
    end
  end else begin : gen_plain
    assign w_exclusive    = 1'b0;
    assign w_failed       = 1'b0;
    assign atomic_valid_q = 1'b0;
    assign atomic_time_q  = '0;
    assign atomic_data_q  = '0;
    assign atomic_id_q    = '0;

    always_ff @(posedge clk_i) begin
      if (write && w_ok) begin
        for (int unsigned i = 0; i < Lanes; i++) begin
          tsoc_memory_write(w_addr + 64'(8 * i), w_data_i[64*i+:64], w_strb_i[8*i+:8]);
        end
      end
    end

    logic unused_atomics;
    assign unused_atomics = ^{other_wrote_i, other_addr_i, atomic};
  end

  // Words are written whole; strobes mask the other bytes.
  logic unused;
  assign unused = ^{aw_count, b_count, ar_count, aw, ar};

endmodule
