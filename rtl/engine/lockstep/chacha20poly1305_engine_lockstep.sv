// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Three ChaCha20-Poly1305 engines in step (engine_lockstep): chacha20poly1305_engine whose output no
// single upset and hardly any transient changes. Cycles are those of that engine, with one more to
// `dst` and to `done`.
//
// Parameters: as of chacha20poly1305_engine.
module chacha20poly1305_engine_lockstep #(
  parameter chacha20poly1305_pkg::impl_e Impl       = chacha20poly1305_pkg::ImplOpt,
  parameter bit                          EnPoly1305 = 1'b1
) (
  input  logic                    clk_i,   // clock
  input  logic                    rst_ni,  // reset, asynchronous, active low
  input  engine_pkg::engine_req_t req_i,   // engine port
  output engine_pkg::engine_rsp_t rsp_o    // engine port
);

  engine_pkg::engine_req_t [2:0] lane_req;
  engine_pkg::engine_rsp_t [2:0] lane_rsp;

  for (genvar l = 0; l < 3; l++) begin : gen_lane
    chacha20poly1305_engine #(
      .Impl(Impl), .EnPoly1305(EnPoly1305)
    ) u_engine (
      .clk_i,
      .rst_ni,
      .req_i(lane_req[l]),
      .rsp_o(lane_rsp[l])
    );
  end

  engine_lockstep u_lockstep (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .lane_req_o(lane_req),
    .lane_rsp_i(lane_rsp)
  );

endmodule
