// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Three AES engines in step (engine_lockstep): aes_engine whose output no single upset and hardly any
// transient changes. Cycles are those of aes_engine, with one more to `dst` and to `done`.
//
// Parameters: as of aes_engine.
module aes_engine_lockstep #(
  parameter aes_pkg::impl_e Impl      = aes_pkg::ImplIterative,
  parameter bit             EnDecrypt = 1'b1,
  parameter bit             EnKey192  = 1'b1,
  parameter bit             EnKey256  = 1'b1,
  parameter bit             EnEcb     = 1'b1,
  parameter bit             EnCbc     = 1'b1,
  parameter bit             EnCtr     = 1'b1
) (
  input  logic                    clk_i,   // clock
  input  logic                    rst_ni,  // reset, asynchronous, active low
  input  engine_pkg::engine_req_t req_i,   // engine port
  output engine_pkg::engine_rsp_t rsp_o    // engine port
);

  engine_pkg::engine_req_t [2:0] lane_req;
  engine_pkg::engine_rsp_t [2:0] lane_rsp;

  for (genvar l = 0; l < 3; l++) begin : gen_lane
    aes_engine #(
      .Impl(Impl), .EnDecrypt(EnDecrypt), .EnKey192(EnKey192), .EnKey256(EnKey256),
      .EnEcb(EnEcb), .EnCbc(EnCbc), .EnCtr(EnCtr)
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
