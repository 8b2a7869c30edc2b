// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Write unit: realigns the engine's beats to the destination's byte offset, with byte enables that
// cover the kept bytes only, and counts the address. When the message is written it moves to the IV
// address for the saved context.
//
// Protocol: valid/ready on both sides; one wide write is held in a register (no combinational path
// from the engine's data to the bus). Latency: one cycle; an unaligned message may end with one
// more write for the bytes that spill over.
module cry_hwpe_write
  import cry_hwpe_pkg::*;
  import cry_engine_pkg::beat_t;
  import cry_engine_pkg::KindContext;
#(
  parameter int unsigned AddrWidth = 32  // address bits that count: see cry_hwpe_shell
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         start_i,    // one cycle: takes the addresses
  input  logic         flush_i,    // one cycle: withdraws the write
  input  logic [31:0]  dst_ptr_i,  // byte address of the message
  input  logic [31:0]  iv_ptr_i,   // byte address of the saved context
  output logic         idle_o,     // nothing is left to write

  input  logic         dst_valid_i,  // engine port: dst channel
  output logic         dst_ready_o,  // engine port
  input  beat_t        dst_i,        // engine port

  output logic         write_valid_o,  // a wide write is asked for
  input  logic         write_ready_i,  // its last lane is granted
  output word_addr_t   write_addr_o,   // word address of lane 0
  output logic [127:0] write_data_o,   // words of the four lanes
  output logic [15:0]  write_be_o      // bytes written
);

  logic spill_q;  // bytes are held behind the last beat
  logic valid_q;
  logic out_free, take;

  // Address, and switch from message to context.
  word_addr_t addr_q;
  logic [1:0] offset_q;
  logic       context_q;
  logic       to_context;
  assign to_context = dst_valid_i && (dst_i.kind == KindContext) && !context_q && !valid_q &&
                      !spill_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                    context_q <= 1'b0;
    else if (start_i || to_context) context_q <= !start_i;
  end

  localparam int unsigned CountWidth = AddrWidth - 2;  // of word addresses
  always_ff @(posedge clk_i) begin
    if (start_i || to_context) begin
      addr_q   <= start_i ? dst_ptr_i[31:2] : iv_ptr_i[31:2];
      offset_q <= start_i ? dst_ptr_i[1:0] : iv_ptr_i[1:0];
    end else if (write_valid_o && write_ready_i) begin
      addr_q[CountWidth-1:0] <= addr_q[CountWidth-1:0] + CountWidth'(NumLanes);
    end
  end

  // The last three bytes of the beat before, and which of them are to be written.
  logic [2:0][7:0] held_q;
  logic [2:0]      held_keep_q;

  assign out_free    = !valid_q || write_ready_i;
  assign dst_ready_o = out_free && !spill_q && ((dst_i.kind == KindContext) == context_q);
  assign take        = dst_valid_i && dst_ready_o;

  logic [18:0][7:0] window;
  logic [18:0]      keep_window;
  assign window      = {dst_i.data, held_q};
  assign keep_window = {spill_q ? 16'd0 : dst_i.keep, held_keep_q};

  logic [15:0][7:0] shifted;
  logic [15:0]      shifted_keep;
  logic             spills;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      unique case (offset_q)
        2'd1:    {shifted_keep[i], shifted[i]} = {keep_window[i+2], window[i+2]};
        2'd2:    {shifted_keep[i], shifted[i]} = {keep_window[i+1], window[i+1]};
        2'd3:    {shifted_keep[i], shifted[i]} = {keep_window[i], window[i]};
        default: {shifted_keep[i], shifted[i]} = {keep_window[i+3], window[i+3]};
      endcase
    end
    unique case (offset_q)
      2'd1:    spills = dst_i.keep[15];
      2'd2:    spills = dst_i.keep[14];
      2'd3:    spills = dst_i.keep[13];
      default: spills = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (start_i || to_context) begin
      held_keep_q <= '0;
    end else if (take) begin
      held_q      <= dst_i.data[127:104];
      held_keep_q <= dst_i.keep[15:13];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spill_q <= 1'b0;
      valid_q <= 1'b0;
    end else if (flush_i) begin
      spill_q <= 1'b0;
      valid_q <= 1'b0;
    end else if (out_free) begin
      spill_q <= take && dst_i.last && spills;
      valid_q <= take || spill_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take || (out_free && spill_q)) begin
      write_data_o <= shifted;
      write_be_o   <= shifted_keep;
    end
  end

  assign write_valid_o = valid_q;
  assign write_addr_o  = addr_q;
  assign idle_o        = !valid_q && !spill_q && !dst_valid_i;

endmodule
