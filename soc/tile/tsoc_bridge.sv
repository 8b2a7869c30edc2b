// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AXI4 to the device bus: one access of one beat at a time, writes before reads.
//
// Bursts and atomic operations are answered with an error and have no effect; exclusive accesses
// are plain ones, so that a store-conditional to a device fails.
module tsoc_bridge
  import tsoc_pkg::*;
#(
  parameter logic [IdWidth-1:0] FetchId = '0  // ID of the core's fetches
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // AXI4 subordinate
  input  logic        aw_valid_i,
  output logic        aw_ready_o,
  input  addr_t       aw_i,
  input  logic        w_valid_i,
  output logic        w_ready_o,
  input  wdata_t      w_i,
  output logic        b_valid_o,
  input  logic        b_ready_i,
  output bresp_t      b_o,
  input  logic        ar_valid_i,
  output logic        ar_ready_o,
  input  addr_t       ar_i,
  output logic        r_valid_o,
  input  logic        r_ready_i,
  output rdata_t      r_o,

  // Device bus
  output logic        req_o,
  output access_t     access_o,
  input  logic        ack_i,   // ends the access
  input  logic [63:0] rdata_i,
  input  logic [1:0]  resp_i,  // AXI response

  output logic        error_o,        // one cycle: an error response
  output logic        error_fetch_o,  // with error_o: to a fetch
  output logic [31:0] error_addr_o    // with error_o: address of the access
);

  typedef enum logic [2:0] {
    StIdle,
    StWriteData,
    StAccess,
    StWriteAnswer,
    StReadAnswer
  } state_e;

  state_e      state_d, state_q;
  addr_t       addr_q;
  logic        write_q;
  wdata_t      wdata_q;
  logic [63:0] rdata_q;
  logic [1:0]  resp_q;
  logic        refused;

  assign refused = (addr_q.len != '0) || (addr_q.atop != '0) || (addr_q.addr[63:32] != '0);

  assign aw_ready_o = state_q == StIdle;
  assign ar_ready_o = (state_q == StIdle) && !aw_valid_i;
  assign w_ready_o  = state_q == StWriteData;
  assign b_valid_o  = state_q == StWriteAnswer;
  assign b_o        = '{id: addr_q.id, resp: resp_q};
  assign r_valid_o  = state_q == StReadAnswer;
  assign r_o        = '{id: addr_q.id, data: rdata_q, resp: resp_q, last: addr_q.len == '0};

  assign req_o    = (state_q == StAccess) && !refused;
  assign access_o = '{we: write_q, addr: addr_q.addr[31:0], size: addr_q.size, wdata: wdata_q.data,
                      strb: wdata_q.strb};

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: begin
        if (aw_valid_i)      state_d = StWriteData;
        else if (ar_valid_i) state_d = StAccess;
      end
      StWriteData: if (w_valid_i && w_i.last) state_d = StAccess;
      StAccess: begin
        if (refused || ack_i) state_d = write_q ? StWriteAnswer : StReadAnswer;
      end
      // An atomic operation that returns data has two answers.
      StWriteAnswer: if (b_ready_i) state_d = addr_q.atop[5] ? StReadAnswer : StIdle;
      StReadAnswer:  if (r_ready_i && r_o.last) state_d = StIdle;
      default:       state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      addr_q  <= '0;
      write_q <= 1'b0;
      wdata_q <= '0;
      rdata_q <= '0;
      resp_q  <= RespOkay;
    end else begin
      state_q <= state_d;
      if (state_q == StIdle) begin
        addr_q  <= aw_valid_i ? aw_i : ar_i;
        write_q <= aw_valid_i;
      end
      if ((state_q == StWriteData) && w_valid_i) wdata_q <= w_i;
      if (state_q == StAccess) begin
        rdata_q <= refused ? '0 : rdata_i;
        resp_q  <= refused ? RespDecode : resp_i;
      end
      if ((state_q == StReadAnswer) && r_ready_i && !r_o.last) addr_q.len <= addr_q.len - 8'd1;
    end
  end

  assign error_o       = (state_q == StAccess) && (refused || (ack_i && (resp_i != RespOkay)));
  assign error_fetch_o = !write_q && (addr_q.id == FetchId);
  assign error_addr_o  = addr_q.addr[31:0];

  logic unused;
  assign unused = ^{addr_q.lock, wdata_q.last};

endmodule
