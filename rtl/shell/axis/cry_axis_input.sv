// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The input stream of a job: checks the packet against the lengths of the job and marks its beats
// for the engine.
//
// The packet of a job is associated data, message and, on decryption in a mode of TagModes, the tag
// of 16 bytes, each from a fresh beat on; TLAST comes with the last beat of all. A job that needs
// none of these takes no packet. start_i takes the lengths; beats pass from the next cycle on,
// without latency. A beat whose TKEEP or TLAST does not fit ends the job by bad_o and is not handed
// on. When the job ends early (stop_i) what is left of the packet is discarded: idle_o is low until
// then. While clear_i is set, everything that comes is discarded.
module cry_axis_input
  import cry_engine_pkg::*;
#(
  parameter logic [15:0] TagModes = '0  // by mode: decryption takes a tag behind the message
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         clear_i,  // level: discards all that comes
  input  logic         start_i,  // one cycle: takes the lengths of job_i
  input  job_t         job_i,    // the job, with start_i
  input  logic         stop_i,  // one cycle: the job has ended; the rest of the packet is discarded
  output logic         idle_o,   // no packet is expected or being discarded
  output logic         bad_o,    // one cycle: the beat does not fit the job

  input  logic         tvalid_i,  // AXI4-Stream
  output logic         tready_o,  // AXI4-Stream
  input  logic [127:0] tdata_i,   // byte 0 in bits 7:0
  input  logic [15:0]  tkeep_i,   // contiguous from bit 0
  input  logic         tlast_i,   // last beat of the packet

  output logic         src_valid_o,  // engine port: src channel
  input  logic         src_ready_i,  // engine port
  output beat_t        src_o         // engine port
);

  typedef enum logic [2:0] {
    StIdle,
    StAad,
    StMessage,
    StTag,
    StDiscard
  } state_e;

  localparam int unsigned BeatsWidth = LenWidth - 3;

  function automatic logic [BeatsWidth-1:0] beats_of(logic [LenWidth-1:0] len);
    return BeatsWidth'(len[LenWidth-1:4]) + BeatsWidth'(len[3:0] != '0);
  endfunction

  function automatic logic [15:0] keep_of(logic [3:0] tail);
    logic [15:0] keep;
    for (int unsigned i = 0; i < 16; i++) keep[i] = (tail == '0) || (tail > 4'(i));
    return keep;
  endfunction

  state_e                state_d, state_q;
  logic [BeatsWidth-1:0] left_d, left_q;
  logic [LenWidth-1:0]   msg_len_q;
  logic [3:0]            aad_tail_q;
  logic                  tag_q;

  logic        tag, active, last, final_beat, fits, accept;
  logic [15:0] keep;
  kind_e       kind;

  assign tag    = job_i.decrypt && TagModes[job_i.mode];
  assign active = (state_q == StAad) || (state_q == StMessage) || (state_q == StTag);
  assign last   = left_q == BeatsWidth'(1);

  always_comb begin
    unique case (state_q)
      StAad: begin
        kind       = KindAad;
        keep       = last ? keep_of(aad_tail_q) : '1;
        final_beat = last && (msg_len_q == '0) && !tag_q;
      end
      StTag: begin
        kind       = KindTag;
        keep       = '1;
        final_beat = 1'b1;
      end
      default: begin
        kind       = KindMessage;
        keep       = last ? keep_of(msg_len_q[3:0]) : '1;
        final_beat = last && !tag_q;
      end
    endcase
  end

  assign fits        = (tkeep_i == keep) && (tlast_i == final_beat);
  assign src_valid_o = active && tvalid_i && fits && !clear_i;
  assign src_o       = '{data: tdata_i, keep: keep, last: last, kind: kind};
  assign bad_o       = active && tvalid_i && !fits && !clear_i;
  assign accept      = src_valid_o && src_ready_i;
  assign tready_o    = clear_i || (state_q == StDiscard) || bad_o ||
                       (active && fits && src_ready_i);
  assign idle_o      = state_q == StIdle;

  always_comb begin
    state_d = state_q;
    left_d  = left_q;
    unique case (state_q)
      StIdle: begin
        if (start_i) begin
          if (job_i.aad_len != '0) begin
            state_d = StAad;
            left_d  = beats_of(job_i.aad_len);
          end else if (job_i.msg_len != '0) begin
            state_d = StMessage;
            left_d  = beats_of(job_i.msg_len);
          end else if (tag) begin
            state_d = StTag;
            left_d  = BeatsWidth'(1);
          end
        end
      end
      StAad, StMessage, StTag: begin
        if (accept) left_d = left_q - BeatsWidth'(1);
        if (bad_o) begin
          state_d = tlast_i ? StIdle : StDiscard;
        end else if (accept && final_beat) begin
          state_d = StIdle;
        end else if (stop_i) begin
          state_d = StDiscard;
        end else if (accept && last) begin
          state_d = (state_q == StAad) && (msg_len_q != '0) ? StMessage : StTag;
          left_d  = (state_q == StAad) && (msg_len_q != '0) ? beats_of(msg_len_q) : BeatsWidth'(1);
        end
      end
      StDiscard: if (tvalid_i && tlast_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StIdle;
      left_q     <= '0;
      msg_len_q  <= '0;
      aad_tail_q <= '0;
      tag_q      <= 1'b0;
    end else begin
      state_q <= state_d;
      left_q  <= left_d;
      if (start_i) begin
        msg_len_q  <= job_i.msg_len;
        aad_tail_q <= job_i.aad_len[3:0];
        tag_q      <= tag;
      end
    end
  end

  // The engine's parameters are not the packet's.
  logic unused;
  assign unused = ^{job_i.ctx_load, job_i.iv_len, job_i.key_bytes, job_i.out_len, job_i.key_len,
                    job_i.ctx_save, job_i.is_final, job_i.iv};

endmodule
