// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// SHA-3, SHAKE (FIPS 202), cSHAKE and KMAC (SP 800-185) on the engine port.
//
//   mode                          key  src -> dst
//   ModeSha3_*, ModeShake*        -    message -> digest
//   ModeCshake*                   -    aad, message -> digest
//   ModeKmac*, ModeKmacXof*       K    aad, message -> tag
//
// Digests and tags leave as KindTag beats. aad is encode_string(N) || encode_string(S) as the
// caller makes it; everything else of SP 800-185 and all padding is made inside. A key comes as
// two transfers, bytes 0..31 and 32..63, of which key_bytes count; in every part of a message.
//
// out_len is the number of bytes of output; 0 is the digest's size, or 32 (security of 128 bits) or
// 64 (256 bits). With `decrypt` KMAC takes the tag from `src`, behind the message, and compares it.
//
// A message in parts: is_final = 0 with ctx_save = 1 ends in a context of 13 KindContext beats,
// which comes first on `src` of the next part, with ctx_load. Such a part is a multiple of the
// rate.
//
// Bad parameters: an unknown mode, key_len 3, is_final equal to ctx_save, decrypt without KMAC,
// key_bytes above 64 with KMAC, out_len above a SHA-3 digest, aad_len 0 in the first part with
// cSHAKE and KMAC or other than 0 elsewhere, and a part but the last that is not a multiple of the
// rate.
//
// A permutation takes 24 / RoundsPerCycle cycles, and follows the one before without a pause. The
// next job is accepted when `done` of the one before is taken. No latency depends on key or data.
// All secrets are wiped at the end of the job, by clear and after reset.
//
// Protected, every register is triplicated, coded, or parity-checked where the previous value is
// kept for replay. ProtectCorrect: an upset of one flip-flop changes neither values nor order of
// beats, and the job ends with StatusFaultCorrected if it would have ended with StatusOk.
// ProtectDetect: it may end the job with StatusFaultDetected; nothing wrong leaves, all secrets are
// wiped, beats of `src` that the job had still to come must be dropped by who sends them. The same
// follows at ProtectCorrect if something cannot be corrected. A protected engine gives a block of
// output before it makes the next one.
module cry_keccak_engine #(
  // 1 or 2 rounds of the permutation per cycle
  parameter int unsigned               RoundsPerCycle = 1,
  // Level of protection against SEUs
  parameter cry_protect_pkg::protect_e Protect        = cry_protect_pkg::ProtectNone
) (
  input  logic                        clk_i,   // clock
  input  logic                        rst_ni,  // reset, asynchronous, active low
  input  cry_engine_pkg::engine_req_t req_i,   // engine port
  output cry_engine_pkg::engine_rsp_t rsp_o    // engine port
);

  import cry_engine_pkg::*;
  import cry_keccak_pkg::*;
  import cry_protect_pkg::*;

  if (RoundsPerCycle != 1 && RoundsPerCycle != 2) begin : gen_bad_rounds
    $error("RoundsPerCycle is 1 or 2");
  end

  localparam bit       Checked = Protect != ProtectNone;
  localparam bit       Correct = Protect == ProtectCorrect;
  localparam protect_e Control = Checked ? ProtectCorrect : ProtectNone;
  localparam bit       EnCopy  = !Checked;

  typedef enum logic [3:0] {
    StIdle,
    StCheck,       // divides the length of a part by the rate
    StContextIn,   // takes a saved context
    StMerge,       // puts it together
    StPrefix,      // begins the block of names
    StAad,
    StKeyPrefix,   // begins the block of the key
    StKey,
    StMessage,
    StSuffix,      // ends the last block
    StSqueeze,     // gives or compares the output
    StContextOut,
    StDone
  } state_e;

  // What is kept of a job.
  typedef struct packed {
    logic [3:0] mode;
    logic [6:0] key_bytes;
    logic       is_final;
    logic       ctx_load;
    logic       verify;
    logic       empty;      // no message
  } flags_t;

  // The port, by channel.
  logic    clear_i, job_valid_i, job_ready_o, key_valid_i, key_ready_o, src_valid_i, src_ready_o;
  logic    dst_valid_o, dst_ready_i, done_valid_o, done_ready_i;
  job_t    job_i;
  key_t    key_i;
  beat_t   src_i, dst_o;
  status_e done_status_o;
  logic    fault_corrected_o, fault_detected_o;

  assign clear_i      = req_i.clear;
  assign job_valid_i  = req_i.job_valid;
  assign job_i        = req_i.job;
  assign key_valid_i  = req_i.key_valid;
  assign key_i        = req_i.key;
  assign src_valid_i  = req_i.src_valid;
  assign src_i        = req_i.src;
  assign dst_ready_i  = req_i.dst_ready;
  assign done_ready_i = req_i.done_ready;

  assign rsp_o = '{
    job_ready:       job_ready_o,
    key_ready:       key_ready_o,
    src_ready:       src_ready_o,
    dst_valid:       dst_valid_o,
    dst:             dst_o,
    done_valid:      done_valid_o,
    done_status:     done_status_o,
    rnd_ready:       1'b0,
    fault_corrected: fault_corrected_o,
    fault_detected:  fault_detected_o,
    fault_sites:     SitesWhole
  };

  logic unused_req;
  assign unused_req = ^{req_i.rnd_valid, req_i.rnd, req_i.fault_inject};

  // Upsets: in the state or its buffer, in control, in the beat on `dst`.
  logic fault, dst_detected, dst_wrong, dst_corrected, corrected, detected, active;
  logic feed_corrected, state_corrected, state_detected, valid_corrected, seen_corrected;
  logic control_corrected;
  logic seen_q, seen_d;  // something was corrected in this job
  logic wipe;

  // --- Job --------------------------------------------------------------------------------------

  state_e  state_q, state_d;
  status_e status_q, status_d;
  flags_t  job_q, job_d;
  logic    job_fire, job_bad, done_fire;
  logic [31:0] count_q, count_d;  // bytes of output to come; before, for the division
  logic [4:0]  lanes;             // of a block

  logic unused_job;
  assign unused_job = ^{job_i.iv, job_i.iv_len, src_i.kind};

  always_comb begin
    job_d.mode      = job_i.mode;
    job_d.key_bytes = 7'(job_i.key_bytes);
    job_d.is_final  = job_i.is_final;
    job_d.ctx_load  = job_i.ctx_load;
    job_d.verify    = job_i.decrypt;
    job_d.empty     = job_i.msg_len == '0;

    job_bad = (job_i.mode > ModeKmacXof256) | (job_i.key_len == 2'd3) |
              (job_i.is_final == job_i.ctx_save) |
              ((job_i.aad_len != '0) != (is_custom(job_i.mode) & !job_i.ctx_load)) |
              (job_i.decrypt & !is_kmac(job_i.mode)) |
              (is_kmac(job_i.mode) & (job_i.key_bytes > KeyBytesWidth'(64))) |
              (is_sha3(job_i.mode) & (job_i.out_len > 32'(full_length(job_i.mode)))) |
              (!job_i.is_final & (job_i.msg_len[2:0] != '0));
  end

  assign lanes = rate(job_q.mode);

  // --- Pieces of the padded message -------------------------------------------------------------

  logic         item_valid, item_done, item_close, block;
  logic [127:0] item, src_data, src_mask;
  logic [4:0]   item_bytes, src_bytes;
  logic [1:0]   part_q, part_d;  // of the key, 16 bytes each
  logic [15:0]  key_keep;
  logic [127:0] key_part;

  // A byte string that says its length in bits: left_encode, right_encode of SP 800-185.
  logic [7:0]  rate_bytes;
  logic [9:0]  key_bits;
  logic [34:0] out_bits;
  logic [39:0] out_code;   // big endian, its first byte in bits 7:0
  logic [2:0]  out_bytes;
  assign rate_bytes = {lanes, 3'b000};
  assign key_bits   = {job_q.key_bytes, 3'b000};
  assign out_bits   = is_kmac_xof(job_q.mode) ? '0 : {count_q, 3'b000};

  always_comb begin
    out_code = {<<8{5'd0, out_bits}};
    if (out_bits[34:32] != '0)      out_bytes = 3'd5;
    else if (out_bits[31:24] != '0) out_bytes = 3'd4;
    else if (out_bits[23:16] != '0) out_bytes = 3'd3;
    else if (out_bits[15:8] != '0)  out_bytes = 3'd2;
    else                            out_bytes = 3'd1;
    out_code = out_code >> {3'd5 - out_bytes, 3'b000};
  end

  always_comb begin
    src_bytes = 5'd1;
    for (int unsigned i = 0; i < 16; i++) begin
      src_mask[8*i+:8] = {8{src_i.keep[i]}};
      if (src_i.keep[i]) src_bytes = 5'(i + 1);
    end
    src_data = src_i.data & src_mask;
  end

  always_comb begin
    unique case (part_q)
      2'd0:    key_part = key_i[127:0];
      2'd1:    key_part = key_i[255:128];
      2'd2:    key_part = key_i[127:0];
      default: key_part = key_i[255:128];
    endcase
    key_keep = (16'd1 << job_q.key_bytes[3:0]) - 16'd1;
    if (job_q.key_bytes[6:4] > 3'(part_q)) key_keep = '1;
    if (job_q.key_bytes[6:4] < 3'(part_q)) key_keep = '0;
    for (int unsigned i = 0; i < 16; i++) key_part[8*i+:8] = key_part[8*i+:8] & {8{key_keep[i]}};
  end

  always_comb begin
    item       = src_data;
    item_bytes = src_bytes;
    item_valid = src_valid_i;
    item_close = 1'b0;
    unique case (state_q)
      StContextIn: item_bytes = 5'd16;
      StPrefix: begin
        item       = 128'({rate_bytes, 8'd1});
        item_bytes = 5'd2;
        item_valid = 1'b1;
      end
      StAad: item_close = src_i.last;
      StKeyPrefix: begin
        item       = 128'({key_bits[7:0], 8'd1, rate_bytes, 8'd1});
        item_bytes = 5'd4;
        if (key_bits[9:8] != '0) begin
          item       = 128'({key_bits[7:0], 6'd0, key_bits[9:8], 8'd2, rate_bytes, 8'd1});
          item_bytes = 5'd5;
        end
        item_valid = 1'b1;
      end
      StKey: begin
        item       = key_part;
        item_bytes = 5'd16;
        item_valid = key_valid_i & !job_q.ctx_load;
        item_close = part_q == 2'd3;
      end
      StMessage: ;
      StSuffix: begin
        item       = 128'(suffix(job_q.mode));
        item_bytes = 5'd1;
        if (is_kmac(job_q.mode)) begin
          item       = 128'(out_code) | (128'({suffix(job_q.mode), 5'd0, out_bytes}) <<
                                         {out_bytes, 3'b000});
          item_bytes = 5'(out_bytes) + 5'd2;
        end
        item_valid = 1'b1;
        item_close = 1'b1;
      end
      default: item_valid = 1'b0;
    endcase
  end

  logic                full_q, full_d;  // the buffer has a block to absorb
  logic                last_q, last_d;  // the last one
  logic                absorb;
  logic [CtxLanes-1:0] write;
  lane_t               write_even, write_odd;

  cry_keccak_feed #(
    .Protect(Control)
  ) u_feed (
    .clk_i,
    .rst_ni,
    .clear_i     (wipe),
    .lanes_i     ((state_q == StContextIn) ? 5'(CtxLanes) : lanes),
    .item_valid_i(item_valid),
    .item_i      (item),
    .item_bytes_i(item_bytes),
    .item_close_i(item_close),
    .item_done_o (item_done),
    .ready_i     ((!full_q | absorb) & !fault),
    .write_o     (write),
    .even_o      (write_even),
    .odd_o       (write_odd),
    .block_o     (block),
    .corrected_o (feed_corrected)
  );

  // --- Permutation ------------------------------------------------------------------------------

  localparam logic [4:0] LastRound = 5'(Rounds - RoundsPerCycle);

  logic [4:0]         round_q, round_d;
  logic               run, copy, more;
  logic [MaxRate-1:0] pad;
  logic               have_q, have_d;  // the buffer has a block of output
  logic [4:0]         read_q, read_d;  // its next lane; before, the remainder of the division
  lane_t              read_even, read_odd;

  // A block of output is copied to be given, or, protected, given from the state itself, which is
  // then stale. again_q: a fault was found in the cycle before; nothing is absorbed in this one, so
  // that the sponge has an older state again. again_q & ran_q: the same round is done again.
  logic       stale_q, stale_d, again_q, again_d;
  logic       ran_q, ran_d;            // the cycle before did a round, or is to be done again
  logic [4:0] ran_round_q;             // which
  logic [1:0] tries_q, tries_d;        // faults found in a row
  logic       idle, spent;

  assign idle   = (round_q == '0) & !again_q;
  assign absorb = idle & (full_q | (state_q == StMerge));
  assign copy   = idle & !full_q & !have_q & !stale_q & (count_q != '0) & !fault &
                  ((state_q == StSqueeze) | (state_q == StContextOut));
  assign more   = EnCopy & (state_q == StSqueeze) & (count_q > 32'(rate_bytes));
  assign run    = (round_q != '0) | (again_q & ran_q) |
                  (idle & (full_q | stale_q | (copy & more)));
  assign wipe   = clear_i | (state_q == StIdle) | (state_q == StDone);
  always_comb begin
    pad = '0;
    for (int unsigned i = 0; i < MaxRate; i++) begin
      pad[i] = full_q & absorb & last_q & (lanes == 5'(i + 1));
    end
  end

  always_comb begin
    round_d = round_q;
    if (run) round_d = (round_q == LastRound) ? '0 : round_q + 5'(RoundsPerCycle);
    if (fault & ran_q) round_d = ran_round_q;
    else if (fault) round_d = round_q;

    full_d  = (full_q & !(absorb & !fault)) | (block & (state_q != StContextIn));
    last_d  = (last_q & !(absorb & !fault)) | (item_done & (state_q == StSuffix));
    stale_d = (stale_q & !(idle & !fault)) | (!EnCopy & spent);
    ran_d   = fault ? ran_q : run;
    again_d = fault;
    tries_d = tries_q;
    if (fault) tries_d = tries_q + 2'd1;
    else if (!again_q) tries_d = '0;
    if (wipe) begin
      round_d = '0;
      tries_d = '0;
      {full_d, last_d, stale_d, ran_d, again_d} = '0;
    end
    // Where nothing is checked, nothing is done again.
    if (!Correct) {ran_d, again_d, tries_d} = '0;
    if (EnCopy) stale_d = 1'b0;
  end

  cry_keccak_sponge #(
    .RoundsPerCycle(RoundsPerCycle),
    .EnCopy        (EnCopy),
    .Protect       (Protect)
  ) u_sponge (
    .clk_i,
    .clear_i (wipe),
    .write_i (write),
    .even_i  (write_even),
    .odd_i   (write_odd),
    .absorb_i(absorb),
    .pad_i   (pad),
    .run_i   (run),
    .round_i (round_q),
    .copy_i  (copy & EnCopy),
    .fix_i   (tries_q != '0),
    .read_i  (read_q),
    .even_o  (read_even),
    .odd_o   (read_odd),
    .fault_o (fault)
  );

  // --- Output -----------------------------------------------------------------------------------

  logic  valid_q, valid_d;  // dst_q is a beat
  logic  half_q, half_d;    // only its first lane is there
  logic  taken, dst_free, move, single, finish, emptying, compare, kept, differ;
  beat_t dst_q, dst_d;
  lane_t first, second;
  logic [4:0]   read_lanes, read_next;
  logic [4:0]   left;       // bytes of the last beat
  logic [15:0]  keep;
  logic [127:0] data;

  assign kept       = (state_q == StSqueeze) & job_q.verify;  // the beat is not to leave
  assign compare    = kept & valid_q & src_valid_i & !clear_i & !fault & !dst_wrong;
  assign differ     = (src_data != dst_q.data) | (src_i.keep != dst_q.keep);
  assign taken      = valid_q & !dst_wrong & (kept ? compare : dst_ready_i);
  assign dst_free   = !valid_q | taken;
  assign move       = have_q & dst_free & !wipe & !fault;
  assign read_lanes = (state_q == StContextOut) ? 5'(CtxLanes) : lanes;
  assign single     = half_q | (read_q == read_lanes - 5'd1);
  assign read_next  = read_q + (single ? 5'd1 : 5'd2);
  assign emptying   = read_next == read_lanes;
  assign spent      = move & emptying & !finish;
  assign finish     = (count_q[31:5] == '0) & (count_q[4:0] <= (single ? 5'd8 : 5'd16));
  assign left       = count_q[4:0] + (half_q ? 5'd8 : 5'd0);
  assign keep       = finish ? 16'((17'd1 << left) - 17'd1) : '1;
  assign first      = read_q[0] ? read_odd : read_even;
  assign second     = read_q[0] ? read_even : read_odd;

  always_comb begin
    data = {second, first};
    if (half_q) data = {first, 64'd0};
    else if (single) data = {64'd0, first};
    for (int unsigned i = 0; i < 16; i++) data[8*i+:8] = data[8*i+:8] & {8{keep[i] & move}};

    dst_d.data = data;
    if (half_q) dst_d.data[63:0] = dst_q.data[63:0];
    dst_d.keep = keep;
    dst_d.last = finish;
    dst_d.kind = (state_q == StContextOut) ? KindContext : KindTag;
    if (!move & !half_q) dst_d = '0;
    if (clear_i) dst_d = '0;

    valid_d = (move & (half_q | !single | finish)) | (valid_q & !taken & !dst_wrong);
    half_d  = move ? !half_q & single & !finish : half_q;
    have_d  = copy | (have_q & !(move & (finish | emptying)));
    if (wipe | detected) {half_d, have_d} = '0;
    if (clear_i | (detected & (kept | !valid_q))) valid_d = 1'b0;
  end

  assign dst_valid_o   = valid_q & !kept & !dst_wrong;
  assign dst_o         = dst_q;
  assign done_valid_o  = (state_q == StDone) & !valid_q;
  assign done_status_o = (seen_q & (status_q == StatusOk)) ? StatusFaultCorrected : status_q;
  assign done_fire     = done_valid_o & done_ready_i;

  // --- Lengths ----------------------------------------------------------------------------------

  // The length of a part is divided by the rate bit by bit: `count_q` is shifted out from above,
  // with a mark behind the last bit, and what remains is in `read_q`.
  localparam logic [31:0] Mark = 32'h8000_0000;

  logic [5:0] remainder;
  logic       divide, divided;
  assign remainder = {read_q, count_q[31]};
  assign divide    = (state_q == StCheck) & !job_q.is_final & !fault;
  assign divided   = count_q == Mark;

  always_comb begin
    count_d = count_q;
    read_d  = read_q;
    if (divide) begin
      count_d = divided ? 32'(8 * CtxLanes) : count_q << 1;
      read_d  = 5'(remainder - ((remainder >= 6'(lanes)) ? 6'(lanes) : 6'd0));
    end
    if (move) begin
      count_d = finish ? '0 : count_q - (single ? 32'd8 : 32'd16);
      read_d  = read_next;
      if (finish | emptying) read_d = '0;
    end
    if (job_fire) begin
      count_d = {job_i.msg_len[31:3], 3'b100};
      if (job_i.is_final) begin
        count_d = (job_i.out_len == '0) ? 32'(full_length(job_i.mode)) : job_i.out_len;
      end
    end
    if (wipe | (divide & divided)) read_d = '0;
  end

  // --- Control ----------------------------------------------------------------------------------

  state_e after_key, after_message;
  logic   key_fire, emptied;

  assign job_ready_o = !clear_i & ((state_q == StIdle) | done_fire);
  assign job_fire    = job_valid_i & job_ready_o;
  assign key_ready_o = !clear_i & (state_q == StKey) &
                       (job_q.ctx_load ? !fault : item_done & part_q[0]);
  assign key_fire    = key_valid_i & key_ready_o;
  assign src_ready_o = compare | (item_done & ((state_q == StContextIn) | (state_q == StAad) |
                                               (state_q == StMessage)));
  assign emptied     = (count_q == '0) & !have_q & dst_free;

  always_comb begin
    after_message = job_q.is_final ? StSuffix : StContextOut;
    after_key     = job_q.empty ? after_message : StMessage;

    part_d = part_q;
    if (state_q != StKey)    part_d = '0;
    else if (job_q.ctx_load) part_d = part_q + {key_fire, 1'b0};
    else                     part_d = part_q + 2'(item_done);
  end

  always_comb begin
    state_d  = state_q;
    status_d = status_q;
    unique case (state_q)
      StIdle:      ;
      StCheck: begin
        if (job_q.is_final | divided) begin
          state_d = after_key;
          if (job_q.ctx_load)              state_d = StContextIn;
          else if (is_custom(job_q.mode)) state_d = StPrefix;
        end
        if (divide & divided & (read_q != '0)) begin
          state_d  = StDone;
          status_d = StatusBadParam;
        end
      end
      StContextIn: if (block) state_d = StMerge;
      StMerge:     if (idle) state_d = is_kmac(job_q.mode) ? StKey : after_key;
      StPrefix:    if (item_done) state_d = StAad;
      StAad: begin
        if (item_done & src_i.last) state_d = is_kmac(job_q.mode) ? StKeyPrefix : after_key;
      end
      StKeyPrefix: if (item_done) state_d = StKey;
      StKey:       if (key_fire & part_q[1]) state_d = after_key;
      StMessage:   if (item_done & src_i.last) state_d = after_message;
      StSuffix:    if (item_done) state_d = StSqueeze;
      StSqueeze: begin
        if (emptied) state_d = StDone;
        if (compare & differ) status_d = StatusAuthFailed;
      end
      StContextOut: if (emptied) state_d = StDone;
      StDone:      if (done_fire) state_d = StIdle;
      default:     state_d = StIdle;
    endcase
    if (job_fire) begin
      state_d  = job_bad ? StDone : StCheck;
      status_d = job_bad ? StatusBadParam : StatusOk;
    end
    if (fault) state_d = state_q;
    if (detected) begin
      state_d  = StDone;
      status_d = StatusFaultDetected;
    end
    if (clear_i) state_d = StIdle;
  end

  // --- Registers ---------------------------------------------------------------------------------

  // Only what must be right before the first clock has a reset; StIdle clears the rest.
  logic [3:0] state_bits, status_bits;
  logic       unused_valid, unused_seen, unused_control;
  cry_fsm_protected #(
    .Width(4), .ResVal(StIdle), .Legal(16'h1fff), .Protect(Control)
  ) u_state (
    .clk_i, .rst_ni,
    .state_d_i  (state_d),
    .inject_i   (1'b0),
    .state_o    (state_bits),
    .corrected_o(state_corrected),
    .detected_o (state_detected)
  );
  assign state_q  = state_e'(state_bits);
  assign status_q = status_e'(status_bits);

  cry_reg_tmr #(
    .Width(1), .Protect(Control)
  ) u_valid (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (valid_d),
    .inject_i   (1'b0),
    .q_o        (valid_q),
    .corrected_o(valid_corrected),
    .detected_o (unused_valid)
  );

  cry_reg_tmr #(
    .Width(1), .EnReset(1'b0), .Protect(Control)
  ) u_seen (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        (seen_d),
    .inject_i   (1'b0),
    .q_o        (seen_q),
    .corrected_o(seen_corrected),
    .detected_o (unused_seen)
  );

  cry_reg_tmr #(
    .Width(62 + $bits(flags_t)), .EnReset(1'b0), .Protect(Control)
  ) u_control (
    .clk_i, .rst_ni,
    .en_i       (1'b1),
    .d_i        ({count_d, status_d, round_d, part_d, read_d, full_d, last_d, have_d, half_d,
                  stale_d, again_d, tries_d, ran_d, round_q, job_fire ? job_d : job_q}),
    .inject_i   (1'b0),
    .q_o        ({count_q, status_bits, round_q, part_q, read_q, full_q, last_q, have_q, half_q,
                  stale_q, again_q, tries_q, ran_q, ran_round_q, job_q}),
    .corrected_o(control_corrected),
    .detected_o (unused_control)
  );

  cry_reg #(
    .T(beat_t), .Protect(Protect)
  ) u_dst (
    .clk_i, .rst_ni,
    .en_i       (dst_free | clear_i),
    .d_i        (dst_d),
    .q_o        (dst_q),
    .corrected_o(dst_corrected),
    .detected_o (dst_detected)
  );

  // --- Upsets ------------------------------------------------------------------------------------

  assign active    = (state_q != StIdle) & (state_q != StDone);
  assign dst_wrong = dst_detected & (valid_q | half_q);
  assign detected  = Checked & active & (dst_wrong | state_detected |
                                         (fault & (!Correct | (tries_q == 2'd3))));
  assign corrected = Checked & (state_corrected | valid_corrected |
                                (active & (feed_corrected | seen_corrected | control_corrected |
                                           dst_corrected | (Correct & fault))));
  assign seen_d    = Checked & !job_fire & (seen_q | (active & corrected));

  assign fault_corrected_o = corrected;
  assign fault_detected_o  = detected;

endmodule
