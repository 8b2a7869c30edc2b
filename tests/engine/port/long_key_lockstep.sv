// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Three of long_key_engine in step.
module long_key_lockstep
  import cry_engine_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i,  // engine port
  output engine_rsp_t rsp_o   // engine port
);

  engine_req_t [2:0] req;
  engine_rsp_t [2:0] rsp;

  for (genvar l = 0; l < 3; l++) begin : gen_lane
    long_key_engine u_engine (
      .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
    );
  end

  cry_engine_lockstep u_lockstep (
    .clk_i, .rst_ni, .req_i, .rsp_o, .lane_req_o(req), .lane_rsp_i(rsp)
  );

endmodule
