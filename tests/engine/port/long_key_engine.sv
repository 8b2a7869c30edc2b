// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the engine port is to carry for engines to come: a key of many transfers, in two shares
// (Boolean masking), which alternate, with fresh random bits for each transfer. The job gives the
// key folded to 256 bits, each part added to what was there, rotated by a bit; no register holds a
// bit of the unmasked key.
module long_key_engine
  import cry_engine_pkg::*;
#(
  parameter int unsigned Transfers = 16  // of each share
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i,  // engine port
  output engine_rsp_t rsp_o   // engine port
);

  localparam int unsigned CountWidth = $clog2(2 * Transfers);

  typedef enum logic [1:0] {
    StIdle,
    StKey,
    StDigest,
    StDone
  } state_e;

  state_e                state_q;
  logic                  bad_q, beat_q;
  logic [CountWidth-1:0] count_q;  // transfers taken
  key_t [1:0]            share_q;
  key_t                  fresh;
  logic                  job_fire, key_fire, dst_fire, share;

  assign job_fire = (state_q == StIdle) & req_i.job_valid;
  assign key_fire = (state_q == StKey) & req_i.key_valid & req_i.rnd_valid;
  assign dst_fire = (state_q == StDigest) & req_i.dst_ready;
  assign share    = count_q[0];
  assign fresh    = {req_i.rnd, req_i.rnd};

  function automatic key_t rotated(key_t sum);
    return {sum[KeyWidth-2:0], sum[KeyWidth-1]};
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      bad_q   <= 1'b0;
      beat_q  <= 1'b0;
      count_q <= '0;
      share_q <= '0;
    end else if (req_i.clear) begin
      state_q <= StIdle;
      share_q <= '0;
    end else begin
      unique case (state_q)
        StIdle: begin
          beat_q  <= 1'b0;
          count_q <= '0;
          share_q <= '0;
          bad_q   <= req_i.job.mode != '0;
          if (job_fire) state_q <= (req_i.job.mode != '0) ? StDone : StKey;
        end
        StKey: begin
          if (key_fire) begin
            count_q <= count_q + CountWidth'(1);
            for (int unsigned s = 0; s < 2; s++) begin
              share_q[s] <= (share ? share_q[s] : rotated(share_q[s])) ^ fresh ^
                            ((share == 1'(s)) ? req_i.key : '0);
            end
            if (count_q == CountWidth'(2 * Transfers - 1)) state_q <= StDigest;
          end
        end
        StDigest: begin
          if (dst_fire) begin
            beat_q <= 1'b1;
            if (beat_q) state_q <= StDone;
          end
        end
        default: if (req_i.done_ready) state_q <= StIdle;
      endcase
    end
  end

  key_t digest;
  assign digest = share_q[0] ^ share_q[1];

  always_comb begin
    rsp_o             = '0;
    rsp_o.job_ready   = state_q == StIdle;
    rsp_o.key_ready   = (state_q == StKey) & req_i.rnd_valid;
    rsp_o.rnd_ready   = (state_q == StKey) & req_i.key_valid;
    rsp_o.dst_valid   = state_q == StDigest;
    rsp_o.dst.data    = beat_q ? digest[255:128] : digest[127:0];
    rsp_o.dst.keep    = '1;
    rsp_o.dst.last    = beat_q;
    rsp_o.dst.kind    = KindTag;
    rsp_o.done_valid  = state_q == StDone;
    rsp_o.done_status = bad_q ? StatusBadParam : StatusOk;
  end

  logic unused_req;
  assign unused_req = ^{req_i.job, req_i.src_valid, req_i.src, req_i.fault_inject};

endmodule
