// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Valid bits of the core's data cache, and a copy of its tags for the snoop.
//
// It stands in CVA6's wt_dcache_mem, in the place of the valid bits beside the tags: the core looks
// lines up and fills them as ever, in the same cycles. The snoop clears valid bits past the cache's
// ports: it takes a line in each cycle in which no line is filled, and costs the core none.
//
//   - A line that was taken is found by no look-up from two cycles later on. No other line is lost.
//   - A line that is being read from memory when it is taken is not kept: the load that waits for
//     it gets what was read, and the next load reads it again.
//   - A read that begins in the cycle in which its line is taken, or later, is kept: the snoop
//     comes when the write has been performed in memory.
//
// The cache writes through, so that nothing is lost with a line. A tag has the bits in which cached
// addresses differ, and no more. The copy of a tag is in a RAM with one port: it is written when
// its line is filled, and read else.
module tsoc_dcache_valid #(
  parameter  int unsigned Ways     = 8,    // lines of a set
  parameter  int unsigned Sets     = 256,  // a power of two
  parameter  int unsigned TagWidth = 16,   // bits of a tag
  localparam int unsigned SetWidth = $clog2(Sets)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // Look-ups
  input  logic                rd_i,        // a set is looked up ...
  input  logic [SetWidth-1:0] rd_set_i,    // ... this one
  output logic [Ways-1:0]     rd_valid_o,  // valid bits of the set looked up last, a cycle ago

  // Lines that are filled, or dropped by the cache itself
  input  logic                miss_i,      // a line begins to be read from memory
  input  logic [Ways-1:0]     wr_ways_i,   // ways that are written
  input  logic [Ways-1:0]     wr_valid_i,  // of them: that which is filled; none: they are dropped
  input  logic [SetWidth-1:0] wr_set_i,    // set that is written; in other cycles, of the last miss
  input  logic [TagWidth-1:0] wr_tag_i,    // tag of the last miss, from the cycle after miss_i on

  // Snoop: lines that another manager has written
  input  logic                snoop_valid_i,
  output logic                snoop_ready_o,
  input  logic [SetWidth-1:0] snoop_set_i,
  input  logic [TagWidth-1:0] snoop_tag_i
);

  logic                taken, taken_q, stale_q;
  logic [SetWidth-1:0] rd_set_q, taken_set_q;
  logic [TagWidth-1:0] taken_tag_q;
  logic [Ways-1:0]     fill, found;

  assign fill          = wr_ways_i & wr_valid_i;
  assign snoop_ready_o = fill == '0;
  assign taken         = snoop_valid_i && snoop_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_set_q    <= '0;
      taken_q     <= 1'b0;
      taken_set_q <= '0;
      taken_tag_q <= '0;
      stale_q     <= 1'b0;
    end else begin
      if (rd_i) rd_set_q <= rd_set_i;
      taken_q <= taken;
      if (taken) begin
        taken_set_q <= snoop_set_i;
        taken_tag_q <= snoop_tag_i;
      end
      if (miss_i)                                                                  stale_q <= 1'b0;
      else if (taken && ({snoop_tag_i, snoop_set_i} == {wr_tag_i, wr_set_i})) stale_q <= 1'b1;
    end
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [TagWidth-1:0] tags[Sets];
    logic [TagWidth-1:0] tag_q;
    logic [Sets-1:0]     valid_q;

    always_ff @(posedge clk_i) begin
      if (fill[w])    tags[wr_set_i] <= wr_tag_i;
      else if (taken) tag_q <= tags[snoop_set_i];
    end

    // A way that is written holds that line no more.
    assign found[w] = taken_q && (tag_q == taken_tag_q);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q       <= '0;
        rd_valid_o[w] <= 1'b0;
      end else begin
        if (found[w])     valid_q[taken_set_q] <= 1'b0;
        if (wr_ways_i[w]) valid_q[wr_set_i]    <= wr_valid_i[w] && !stale_q;
        rd_valid_o[w] <= valid_q[rd_i ? rd_set_i : rd_set_q];
      end
    end
  end

`ifndef SYNTHESIS
  // Ways that hold the line that must be gone: taken, or filled though it was stale.
  logic [Ways-1:0]     holds, dropped;
  logic                gone_q;
  logic [SetWidth-1:0] gone_set_q;
  logic [TagWidth-1:0] gone_tag_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gone_q     <= 1'b0;
      gone_set_q <= '0;
      gone_tag_q <= '0;
    end else begin
      gone_q     <= taken_q || ((fill != '0) && stale_q);
      gone_set_q <= taken_q ? taken_set_q : wr_set_i;
      gone_tag_q <= taken_q ? taken_tag_q : wr_tag_i;
    end
  end
  for (genvar w = 0; w < Ways; w++) begin : gen_holds
    assign holds[w]   = gen_way[w].valid_q[gone_set_q] &&
                        (gen_way[w].tags[gone_set_q] == gone_tag_q);
    assign dropped[w] = found[w] && gen_way[w].valid_q[taken_set_q];
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(Gone_A, gone_q |-> holds == '0)
  `CRY_ASSERT(DropsOne_A, $onehot0(dropped))
  `CRY_ASSERT(FillsOne_A, $onehot0(fill))
`endif

endmodule
