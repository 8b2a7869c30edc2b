// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Tells what a refused burst was for, by whose it is. Of the bus's readers and writers number 0 is
// for descriptors and records, the others are those of the lanes: PerLane each, of which the first
// one has data and the others lists. Combinational.
module cry_tile_refused
  import cry_tile_pkg::*;
#(
  parameter bit          Write    = 1'b0,  // of writers; else of readers
  parameter int unsigned NumLanes = 1,     // lanes
  parameter int unsigned PerLane  = 1,     // readers or writers of each
  localparam int unsigned Width   = $clog2(1 + PerLane * NumLanes)
) (
  input  logic                      refused_i,  // one cycle: a burst was refused
  input  bus_req_t                  req_i,      // which
  input  logic [Width-1:0]          who_i,      // whose
  output place_t                    place_o,    // for the job in this place
  input  logic [NumLanes-1:0][15:0] index_i,    // by lane: index of that job's descriptor
  output violation_t                violation_o  // what it was
);

  assign place_o = req_i.place;

  always_comb begin
    violation_o = '{
      valid:   refused_i,
      owner:   req_i.owner,
      write:   Write,
      what:    Write ? ForRecord : ForDescriptor,
      index:   '0,
      address: req_i.address
    };
    for (int unsigned l = 0; l < NumLanes; l++) begin
      for (int unsigned p = 0; p < PerLane; p++) begin
        if (who_i == Width'(1 + PerLane * l + p)) begin
          violation_o.what  = (p == 0) ? ForData : ForList;
          violation_o.index = index_i[l];
        end
      end
    end
  end

  logic unused;
  assign unused = ^req_i.len;

endmodule
