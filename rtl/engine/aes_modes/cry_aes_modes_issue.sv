// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// Issue side: takes the oldest job through its steps and offers blocks to the core, with metadata
// for the finish side, or metadata alone.
//
//   - ECB, CBC, XTS, CMAC and CCM's associated data take their `src` beats here; GCM and the stream
//     modes take them at the finish side.
//   - CBC encryption and CMAC feed a block back in the cycle in which it leaves the core.
//   - CCM: the keystream block, and in the cycle in which it leaves the core the MAC's block.
//
// want_*_o never depend on core_grant_i and note_grant_i, which are high if an offer would be
// accepted.
module cry_aes_modes_issue
  import cry_aes_modes_pkg::*;
  import cry_aes_pkg::op_e;
  import cry_aes_pkg::OpEncrypt;
  import cry_aes_pkg::OpDecrypt;
  import cry_protect_pkg::*;
#(
  parameter protect_e Protect = ProtectNone  // level of protection
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,  // drops the job's progress

  // The oldest job, when it is prepared
  input  logic         valid_i,
  input  record_t      record_i,
  input  logic [127:0] chain_i,
  output record_t      record_o,  // next value
  output logic [127:0] chain_o,   // next value
  output logic         leave_o,   // the job leaves: all is issued

  // `src`; bytes that are not kept are zero
  input  logic         src_valid_i,
  output logic         src_ready_o,
  input  logic [127:0] src_data_i,
  input  logic [15:0]  src_keep_i,
  input  logic         src_last_i,

  // From the finish side
  input  logic         quiet_i,      // no entry, no tag pending, GHASH idle
  input  logic         src_free_i,   // no entry takes `src`
  input  logic         feedback_i,   // a block to feed back leaves the core
  input  logic         to_chain_i,   // ... or one to keep as chaining value
  input  logic         due_i,        // ... or the `aux` that was waited for
  input  logic         stream_i,     // ... or CCM keystream, combined with its beat
  input  logic [127:0] out_block_i,
  input  logic [127:0] aux_i,
  input  logic [127:0] y_i,
  output logic         mac_ready_o,  // stream_i may be high

  // Contexts: see cry_aes_modes_finish
  output logic         load_y_o,
  output logic         load_aux_o,
  output logic         take_y_o,
  output logic         save_valid_o,
  input  logic         save_ready_i,
  output logic         save_y_o,
  output logic         save_aux_o,
  output logic [127:0] save_data_o,
  output logic         save_last_o,

  // To the core and the queue of metadata
  output logic         want_core_o,
  input  logic         core_grant_i,
  output logic         want_note_o,
  input  logic         note_grant_i,
  output op_e          op_o,
  output logic [127:0] block_o,
  output note_t        note_o,
  output logic [127:0] payload_o,

  output logic         corrected_o,  // an upset was corrected
  output logic         detected_o    // an upset cannot be corrected
);

  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  ctl_t       ctl;
  step_e      step;
  logic [1:0] corrected, detected;

  assign ctl  = record_i.ctl;
  assign step = record_i.step;

  // --- Where the job stands ---------------------------------------------------------------------

  logic       is_partial, last_block, steals, streams, feeds, last_tag, no_src, finishes;
  logic       fire, load_fire, save_fire, context_last;
  logic       feedback_inside_q, due_q, feedback_inside_d, due_d;
  logic [2:0] beat_q, beat_d, context_beats;
  logic       aad_tail, aad_last;
  logic [127:0] aad_block;

  assign is_partial = record_i.partial != '0;
  assign last_block = (&record_i.count[27:1]) & (record_i.count[0] | !is_partial);
  assign steals     = ctl.xts & is_partial & (&record_i.count[27:1]) & !record_i.count[0];
  assign streams    = ctl.ctr | ctl.gcm | ctl.ccm;
  assign feeds      = (ctl.cbc & !ctl.decrypt) | ctl.cmac;
  assign last_tag   = ctl.cmac & ctl.ends & last_block;
  assign no_src     = ctl.cmac & ctl.empty;
  assign finishes   = last_block & !ctl.ctx_save & !ctl.ends;

  // --- Offers -----------------------------------------------------------------------------------

  logic src_here, feedback_ok, takes_src;

  assign src_here    = src_valid_i & src_free_i;
  assign feedback_ok = !feedback_inside_q | feedback_i;

  always_comb begin
    want_core_o = 1'b0;
    want_note_o = 1'b0;
    takes_src   = 1'b0;
    unique case (step)
      StepHash, StepMask: want_core_o = 1'b1;
      StepAad: begin
        want_core_o = ctl.ccm & (aad_tail | src_here) & feedback_ok;
        want_note_o = ctl.gcm;
        takes_src   = ctl.ccm & !aad_tail;
      end
      StepData: begin
        want_core_o = streams | ((src_here | no_src) & (!feeds | feedback_ok) &
                                 !(last_tag & due_q));
        takes_src   = !streams & !no_src;
      end
      StepMac: want_core_o = stream_i;
      StepSteal: begin
        want_core_o = src_here & !due_q;
        takes_src   = 1'b1;
      end
      StepTag: begin
        want_core_o = ctl.ccm;
        want_note_o = ctl.gcm;
      end
      StepIv, StepIvEnd, StepStealEnd, StepEnd: want_note_o = 1'b1;
      default: ;
    endcase
    if (!valid_i | clear_i) begin
      want_core_o = 1'b0;
      want_note_o = 1'b0;
    end
  end

  assign fire        = (want_core_o & core_grant_i) | (want_note_o & note_grant_i);
  assign mac_ready_o = valid_i & (step == StepMac) & !clear_i;
  assign src_ready_o = (fire & takes_src) | load_fire;

  // --- Contexts ---------------------------------------------------------------------------------

  always_comb begin
    context_beats = OtherContextBeats;
    if (ctl.gcm) context_beats = GcmContextBeats;
    if (ctl.ccm) context_beats = CcmContextBeats;
  end
  assign context_last = beat_q == context_beats - 3'd1;

  assign load_fire    = valid_i & (step == StepLoad) & quiet_i & src_valid_i & !clear_i;
  assign load_y_o     = load_fire & ctl.gcm & (beat_q == 3'd1);
  assign load_aux_o   = load_fire & ((ctl.gcm & (beat_q == 3'd3)) | (ctl.ccm & (beat_q == 3'd1)));
  assign take_y_o     = valid_i & (step == StepIvWait) & quiet_i & !clear_i;

  assign save_valid_o = valid_i & (step == StepSave) & quiet_i & !clear_i;
  assign save_last_o  = context_last;
  assign save_fire    = save_valid_o & save_ready_i;

  assign save_y_o   = (beat_q == 3'd1) & ctl.gcm;
  assign save_aux_o = (beat_q == 3'd3) | ((beat_q == 3'd1) & ctl.ccm);
  always_comb begin
    save_data_o = '0;
    if (save_valid_o & (beat_q == 3'd0)) save_data_o = chain_i;
    if (save_valid_o & (beat_q == 3'd2)) begin
      save_data_o = {64'(record_i.msg_len), 64'(record_i.aad_len)};
    end
  end

  always_comb begin
    beat_d = beat_q;
    if (load_fire | save_fire) beat_d = context_last ? '0 : beat_q + 3'd1;
    if (clear_i)               beat_d = '0;
  end

  // --- CCM's associated data --------------------------------------------------------------------

  cry_aes_modes_ccm_aad #(
    .Protect(Protect)
  ) u_ccm_aad (
    .clk_i, .rst_ni, .clear_i,
    .start_i    (fire & (step == StepMask) & ctl.ccm & ctl.has_aad),
    .len_i      (record_i.aad_len[31:0]),
    .beat_i     (src_data_i),
    .keep_i     (src_keep_i),
    .last_i     (src_last_i),
    .fire_i     (fire & (step == StepAad) & ctl.ccm),
    .block_o    (aad_block),
    .tail_o     (aad_tail),
    .last_o     (aad_last),
    .corrected_o(corrected[0]),
    .detected_o (detected[0])
  );

  // --- Block ------------------------------------------------------------------------------------

  logic [127:0] tweak, pad, text, chaining, subkey, keep_mask, counter_zero, counted;
  logic         use_src, use_out, use_aux, use_stream, in_data;

  assign in_data      = step == StepData;
  assign keep_mask    = byte_mask(src_keep_i);
  assign tweak        = (in_data & steals & ctl.decrypt) ? xts_double(chain_i) : chain_i;
  assign counter_zero = ccm_counter_zero(chain_i);

  // CMAC: a bit behind the message's end, and a subkey on its last block.
  always_comb begin
    pad = '0;
    if (ctl.cmac & in_data) begin
      pad[7] = no_src;
      for (int i = 1; i < 16; i++) pad[8*i+7] = !no_src & src_keep_i[i-1] & !src_keep_i[i];
    end
    subkey = cmac_double(aux_i);
    if (is_partial | no_src) subkey = cmac_double(subkey);
    if (!(in_data & last_tag)) subkey = '0;
  end

  assign use_src = (in_data & !streams & !no_src) | (step == StepSteal) | (step == StepMac);
  assign text    = ({128{use_src}} & src_data_i) | pad |
                   ({128{step == StepAad}} & aad_block) |
                   ({128{step == StepSteal}} & ~keep_mask & aux_i);

  always_comb begin
    chaining = '0;
    unique case (step)
      StepMask: begin
        chaining = ctl.ccm ? ccm_first_block(chain_i, ctl.has_aad, ctl.tag_last[3:1]) : chain_i;
      end
      StepTag:  chaining = counter_zero;
      StepSteal: chaining = chain_i;
      StepData: begin
        if (streams | (feeds & !feedback_i)) chaining = chain_i;
        if (ctl.xts)                         chaining = tweak;
      end
      default: ;
    endcase
  end

  assign use_out    = ((in_data & feeds) | (step == StepAad)) & feedback_i;
  assign use_stream = (step == StepMac) & ctl.decrypt;
  assign use_aux    = ((step == StepAad) & !feedback_i) | (step == StepMac);

  // Three terms, of each only one part at a time.
  assign block_o = text ^
                   (chaining | ({128{use_aux}} & aux_i) | ({128{use_out}} & out_block_i)) ^
                   (subkey | ({128{use_stream}} & keep_mask & out_block_i));
  assign op_o    = ctl.inverse ? OpDecrypt : OpEncrypt;

  // --- Note -------------------------------------------------------------------------------------

  payload_t payload;

  always_comb begin
    note_o         = '0;
    note_o.core    = want_core_o;
    note_o.decrypt = ctl.decrypt;
    unique case (step)
      StepHash: begin
        note_o.to_hash = ctl.gcm;
        note_o.to_aux  = ctl.cmac;
        note_o.due     = ctl.cmac;
      end
      StepMask: begin
        note_o.to_aux   = 1'b1;
        note_o.feedback = ctl.ccm & ctl.has_aad;
      end
      StepIv: note_o.absorb = 1'b1;
      StepIvEnd: note_o.lengths = 1'b1;
      StepAad: begin
        note_o.absorb   = ctl.gcm;
        note_o.to_aux   = ctl.ccm;
        note_o.feedback = ctl.ccm & !aad_last;
      end
      StepData: begin
        note_o.emit     = !ctl.cmac & !steals;
        note_o.unmask   = (ctl.cbc & ctl.decrypt) | ctl.xts;
        note_o.to_aux   = steals;
        note_o.due      = steals;
        note_o.to_chain = feeds & !finishes & !last_tag;
        note_o.feedback = note_o.to_chain;
        note_o.stream   = streams;
        note_o.hash     = ctl.gcm;
        note_o.mate     = ctl.ccm;
        note_o.tag      = last_tag;
        note_o.last     = last_block;
        note_o.finish   = finishes | last_tag;
      end
      StepMac: note_o.to_aux = 1'b1;
      StepSteal: begin
        note_o.emit   = 1'b1;
        note_o.unmask = 1'b1;
      end
      StepStealEnd: begin
        note_o.emit    = 1'b1;
        note_o.use_aux = 1'b1;
        note_o.last    = 1'b1;
        note_o.finish  = 1'b1;
      end
      StepTag: begin
        note_o.tag     = 1'b1;
        note_o.lengths = ctl.gcm;
        note_o.use_aux = 1'b1;
        note_o.finish  = ctl.ccm;
      end
      default: begin
        note_o.finish = 1'b1;
        note_o.bad    = ctl.bad;
      end
    endcase
    note_o.takes = note_o.stream | note_o.absorb | (note_o.tag & note_o.decrypt);
  end

  always_comb begin
    payload           = '0;
    payload.size_last = (step == StepStealEnd) ? record_i.partial - 4'd1 : ctl.tag_last;
    payload.aad_len   = record_i.aad_len;
    payload.msg_len   = record_i.msg_len;
    if (step == StepIvEnd) begin
      payload.aad_len = '0;
      payload.msg_len = TotalWidth'(record_i.iv_len);
    end
    payload_o = payload;
    if (ctl.cbc | (ctl.xts & (step != StepStealEnd))) payload_o = tweak;
  end

  // --- Next values ------------------------------------------------------------------------------

  cry_aes_modes_counter u_counter (
    .last_32_i(ctl.gcm),
    .block_i  (chain_i),
    .block_o  (counted)
  );

  always_comb begin
    chain_o = chain_i;
    if (fire) begin
      unique case (step)
        StepMask: chain_o = ctl.ccm ? counter_zero | (128'd1 << 120) : counted;
        StepData: begin
          if (streams)                              chain_o = counted;
          if (ctl.cbc & ctl.decrypt)                chain_o = src_data_i;
          if (ctl.xts & !(steals & ctl.decrypt))    chain_o = xts_double(chain_i);
        end
        default: ;
      endcase
    end
    if (to_chain_i)                       chain_o = out_block_i;
    if (load_fire & (beat_q == '0))       chain_o = src_data_i;
    if (take_y_o)                         chain_o = y_i;
  end

  logic advance;
  logic [NumSteps-1:0] rest;

  assign rest = steps_of(ctl) & ~((NumSteps'(2) << step) - NumSteps'(1));

  always_comb begin
    advance = fire;
    unique case (step)
      StepData:   advance = fire & last_block & !ctl.ccm;
      StepMac:    advance = fire & last_block;
      StepAad:    advance = fire & (ctl.gcm | aad_last);
      StepSteal:  advance = 1'b0;
      StepLoad:   advance = load_fire & context_last;
      StepSave:   advance = save_fire & context_last;
      StepIvWait: advance = take_y_o;
      default: ;
    endcase
  end

  assign leave_o = advance & (rest == '0);

  always_comb begin
    record_o = record_i;
    if (fire & ((in_data & !ctl.ccm) | (step == StepMac))) record_o.count = record_i.count + 28'd1;
    if (load_fire & ctl.gcm & (beat_q == 3'd2)) begin
      record_o.aad_len = record_i.aad_len + src_data_i[TotalWidth-1:0];
      record_o.msg_len = record_i.msg_len + src_data_i[64+:TotalWidth];
    end
    if (advance) begin
      record_o.step = first_step(rest);
    end else if (fire) begin
      if (in_data & ctl.ccm)  record_o.step = StepMac;
      if (in_data & steals)   record_o.step = StepSteal;
      if (step == StepMac)    record_o.step = StepData;
      if (step == StepSteal)  record_o.step = StepStealEnd;
    end
  end

  always_comb begin
    feedback_inside_d = feedback_inside_q & !feedback_i;
    due_d             = due_q & !due_i;
    if (fire) begin
      if (note_o.feedback) feedback_inside_d = 1'b1;
      if (note_o.due)      due_d = 1'b1;
    end
    if (clear_i) begin
      feedback_inside_d = 1'b0;
      due_d             = 1'b0;
    end
  end

  cry_reg_tmr #(.Width(5), .Protect(Control)) u_flags (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i({beat_d, feedback_inside_d, due_d}), .inject_i(1'b0),
    .q_o({beat_q, feedback_inside_q, due_q}), .corrected_o(corrected[1]), .detected_o(detected[1])
  );

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

  `CRY_ASSERT_RUN
  `CRY_ASSERT(LeaveOnlyWithoutFeedback_A, leave_o |-> !feedback_inside_d && !due_d)

endmodule
