// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A key on its way into a slot, what it will be for, and the job that unwraps or makes it.
//
// begin_i: the job begins. valid_i: its associated data, then the key, 16 bytes at a time, in any
// order and each as often as it comes. All but the job is zero behind wipe_i, with which the job
// ends. At most one job at a time.
//
// ProtectDetect: wrong_o is high while anything is wrong, until it is wiped.
module cry_tile_new_key
  import cry_tile_pkg::*;
  import cry_tile_layout_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned Beats   = 4,           // 16 bytes each of the longest key, 1 to 5
  parameter protect_e    Protect = ProtectNone  // level of protection of its registers
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,       // level: forgets the key
  input  logic             begin_i,      // one cycle: a job begins
  input  permit_req_t      job_i,        // this job, with the generation of its slot
  input  logic             valid_i,      // a beat
  input  unwrap_t          data_i,       // the beat
  output permit_req_t      job_o,        // the job that began
  output slot_key_t        key_o,        // the key, as far as it has come
  output wrap_aad_t        aad_o,        // its associated data
  output slot_attributes_t attr_o,       // ATTRIBUTES of the slot with this key
  output slot_policy_t     policy_o,     // its POLICY
  output logic             any_slot_o,   // the associated data names no slot
  output logic             whole_o,      // all of the key has come
  output logic             corrected_o,  // one cycle: an upset was corrected
  output logic             wrong_o       // an uncorrectable upset was found
);

  localparam logic [7:0] AnySlot = 8'd255;

  localparam int unsigned BeatWidth = (Beats > 4) ? 3 : 2;

  logic [Beats:0]   stored_corrected, stored_wrong;
  logic             job_corrected, job_wrong, here_corrected, here_wrong;
  logic [Beats-1:0] here_d, here_q;  // beats of the key that came

  logic [BeatWidth-1:0] beat;
  logic                 unused_beat;
  assign beat        = data_i.beat[BeatWidth-1:0];
  assign unused_beat = ^data_i.beat;

  for (genvar b = 0; b < SlotBits / 128; b++) begin : gen_beat
    if (b < Beats) begin : gen_kept
      logic [127:0] unused_raw;
      cry_reg_ecc #(.Width(128), .Protect(Protect)) u_key (
        .clk_i, .rst_ni,
        .en_i       (wipe_i || (valid_i && !data_i.aad && (beat == BeatWidth'(b)))),
        .d_i        (wipe_i ? '0 : data_i.data),
        .inject_i   (1'b0),
        .q_o        (key_o[128*b+:128]),
        .raw_o      (unused_raw),
        .corrected_o(stored_corrected[b]),
        .detected_o (stored_wrong[b])
      );
    end else begin : gen_none
      assign key_o[128*b+:128] = '0;
    end
  end
  logic [127:0] unused_aad_raw;
  cry_reg_ecc #(.Width(128), .Protect(Protect)) u_aad (
    .clk_i, .rst_ni,
    .en_i       (wipe_i || (valid_i && data_i.aad)),
    .d_i        (wipe_i ? '0 : data_i.data),
    .inject_i   (1'b0),
    .q_o        (aad_o),
    .raw_o      (unused_aad_raw),
    .corrected_o(stored_corrected[Beats]),
    .detected_o (stored_wrong[Beats])
  );
  cry_reg_tmr #(.Width($bits(permit_req_t)), .Protect(Protect)) u_job (
    .clk_i, .rst_ni, .en_i(begin_i), .d_i(job_i), .inject_i(1'b0),
    .q_o(job_o), .corrected_o(job_corrected), .detected_o(job_wrong)
  );

  always_comb begin
    here_d = here_q;
    for (int unsigned b = 0; b < Beats; b++) begin
      if (beat == BeatWidth'(b)) here_d[b] = 1'b1;
    end
    if (wipe_i) here_d = '0;
  end
  // What is wrong is not written as if it were right.
  cry_reg_tmr #(.Width(Beats), .Protect(Protect)) u_here (
    .clk_i, .rst_ni,
    .en_i       (wipe_i || (valid_i && !data_i.aad && !here_wrong)),
    .d_i        (here_d),
    .inject_i   (1'b0),
    .q_o        (here_q),
    .corrected_o(here_corrected),
    .detected_o (here_wrong)
  );

  assign corrected_o = (|stored_corrected) || job_corrected || here_corrected;
  assign wrong_o     = (|stored_wrong) || job_wrong || here_wrong;

  // A key for any slot is the queue's alone.
  assign any_slot_o = aad_o.slot == AnySlot;
  always_comb begin
    attr_o       = slot_attributes_t'(aad_o.attributes) & ~SlotAttributesReserved;
    attr_o.valid = 1'b1;
    if (any_slot_o) attr_o.owners = 8'(1) << job_o.owner;
    policy_o = slot_policy_t'(aad_o.policy) & ~SlotPolicyReserved;
  end

  always_comb begin
    whole_o = words_of(policy_o.key_bytes) <= 6'(4 * Beats);
    for (int unsigned b = 0; b < Beats; b++) begin
      if ((words_of(policy_o.key_bytes) > 6'(4 * b)) && !here_q[b]) whole_o = 1'b0;
    end
  end

endmodule
