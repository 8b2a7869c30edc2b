// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Jobs that were accepted and whose blocks have not all been issued, in order, with key and
// chaining value.
//
// New jobs enter at the tail. `prepare` is the oldest whose key has not been taken, `head` the
// oldest of all. Results of the core for a job in preparation, its expanded key or its tweak,
// return with the number of its slot. An empty slot holds zero; keys and chaining values have no
// reset.
module cry_aes_modes_jobs
  import cry_aes_modes_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter int unsigned  Jobs       = 1,           // slots, 1 or a power of two
  parameter int unsigned  IndexWidth = 1,           // bits of a slot's number
  parameter logic [255:0] KeyBuilt   = '1,          // mask: key bits that are built
  parameter protect_e     Protect    = ProtectNone  // level of protection
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,  // drops all jobs and wipes

  // Tail: a new job
  input  logic                  new_valid_i,
  output logic                  new_ready_o,
  input  record_t               new_record_i,
  input  logic                  new_needs_key_i,
  input  logic [127:0]          new_chain_i,

  // Job in preparation
  output logic                  prepare_valid_o,
  output logic [IndexWidth-1:0] prepare_index_o,
  output ctl_t                  prepare_ctl_o,
  output logic [255:0]          prepare_key_o,
  output logic [127:0]          prepare_chain_o,
  input  logic                  prepare_key_load_i,    // loads prepare_key_i
  input  logic [255:0]          prepare_key_i,
  input  logic                  prepare_wait_key_i,    // its expanded key will follow
  input  logic                  prepare_wait_tweak_i,  // its tweak will follow
  input  logic                  prepare_done_i,        // its preparation ends
  input  logic                  prepare_refused_i,     // ... with a bad parameter

  // Results of the core for a slot
  input  logic [IndexWidth-1:0] back_index_i,
  input  logic                  back_key_valid_i,
  input  logic [255:0]          back_key_i,
  input  logic                  back_tweak_valid_i,
  input  logic [127:0]          back_tweak_i,

  // Head
  output logic                  head_valid_o,   // ... prepared, key and tweak are there
  output record_t               head_record_o,
  output logic [255:0]          head_key_o,
  output logic [127:0]          head_chain_o,
  input  record_t               head_record_i,  // next value
  input  logic [127:0]          head_chain_i,   // next value
  input  logic                  head_leave_i,   // all is issued: frees the slot

  output logic                  empty_o,      // no job
  output logic                  corrected_o,  // an upset was corrected
  output logic                  detected_o    // an upset cannot be corrected
);

  localparam protect_e Control = (Protect == ProtectNone) ? ProtectNone : ProtectCorrect;

  typedef struct packed {
    logic    valid;
    logic    prepared;
    logic    wait_key;
    logic    wait_tweak;
    record_t record;
  } place_t;

  typedef struct packed {
    logic [IndexWidth-1:0] head;
    logic [IndexWidth-1:0] prepare;
    logic [IndexWidth-1:0] tail;
  } pointers_t;

  place_t       [Jobs-1:0]        place_q, place_d;
  logic         [Jobs-1:0][255:0] key_q, key_d;
  logic         [Jobs-1:0][127:0] chain_q, chain_d;
  logic         [Jobs-1:0]        is_head, is_prepare, is_tail, is_back;
  pointers_t                      pointers_q, pointers_d;
  logic                           new_fire;
  logic         [3*Jobs:0]        corrected, detected;

  function automatic logic [IndexWidth-1:0] following(logic [IndexWidth-1:0] index);
    return (Jobs == 1) ? '0 : index + 1'b1;
  endfunction

  always_comb begin
    for (int unsigned j = 0; j < Jobs; j++) begin
      is_head[j]    = (Jobs == 1) | (pointers_q.head == IndexWidth'(j));
      is_prepare[j] = (Jobs == 1) | (pointers_q.prepare == IndexWidth'(j));
      is_tail[j]    = (Jobs == 1) | (pointers_q.tail == IndexWidth'(j));
      is_back[j]    = (Jobs == 1) | (back_index_i == IndexWidth'(j));
    end
  end

  // --- Views ------------------------------------------------------------------------------------

  always_comb begin
    head_valid_o    = 1'b0;
    head_record_o   = '0;
    head_key_o      = '0;
    head_chain_o    = '0;
    prepare_valid_o = 1'b0;
    prepare_ctl_o   = '0;
    prepare_key_o   = '0;
    prepare_chain_o = '0;
    empty_o         = 1'b1;
    for (int unsigned j = 0; j < Jobs; j++) begin
      if (is_head[j]) begin
        head_valid_o  = place_q[j].valid & place_q[j].prepared & !place_q[j].wait_key &
                        !place_q[j].wait_tweak;
        head_record_o = head_record_o | place_q[j].record;
        head_key_o    = head_key_o | key_q[j];
        head_chain_o  = head_chain_o | chain_q[j];
      end
      if (is_prepare[j]) begin
        prepare_valid_o = place_q[j].valid & !place_q[j].prepared;
        prepare_ctl_o   = prepare_ctl_o | place_q[j].record.ctl;
        prepare_key_o   = prepare_key_o | key_q[j];
        prepare_chain_o = prepare_chain_o | chain_q[j];
      end
      if (place_q[j].valid) empty_o = 1'b0;
    end
    prepare_index_o = pointers_q.prepare;
  end

  always_comb begin
    new_ready_o = 1'b0;
    for (int unsigned j = 0; j < Jobs; j++) begin
      if (is_tail[j]) new_ready_o = !clear_i & (!place_q[j].valid | (is_head[j] & head_leave_i));
    end
  end

  // --- Next values ------------------------------------------------------------------------------

  logic prepare_next;  // the job in preparation is prepared, or needs none
  assign new_fire     = new_valid_i & new_ready_o;
  always_comb begin
    prepare_next = prepare_done_i;
    for (int unsigned j = 0; j < Jobs; j++) begin
      if (is_prepare[j] & place_q[j].valid & place_q[j].prepared) prepare_next = 1'b1;
    end
  end

  always_comb begin
    pointers_d = pointers_q;
    if (head_leave_i) pointers_d.head    = following(pointers_q.head);
    if (prepare_next) pointers_d.prepare = following(pointers_q.prepare);
    if (new_fire)     pointers_d.tail    = following(pointers_q.tail);
    if (clear_i)      pointers_d = '0;
  end

  always_comb begin
    for (int unsigned j = 0; j < Jobs; j++) begin
      place_d[j] = place_q[j];
      if (is_head[j] & head_valid_o) place_d[j].record = head_record_i;
      if (is_prepare[j] & prepare_valid_o) begin
        if (prepare_wait_key_i)   place_d[j].wait_key = 1'b1;
        if (prepare_wait_tweak_i) place_d[j].wait_tweak = 1'b1;
        if (prepare_done_i)       place_d[j].prepared = 1'b1;
        if (prepare_refused_i) begin
          place_d[j].record.ctl.bad = 1'b1;
          place_d[j].record.step    = StepEnd;
        end
      end
      if (is_back[j] & back_key_valid_i)   place_d[j].wait_key = 1'b0;
      if (is_back[j] & back_tweak_valid_i) place_d[j].wait_tweak = 1'b0;
      if (is_head[j] & head_leave_i)       place_d[j].valid = 1'b0;
      if (is_tail[j] & new_fire) begin
        place_d[j].valid      = 1'b1;
        place_d[j].prepared   = !new_needs_key_i;
        place_d[j].wait_key   = 1'b0;
        place_d[j].wait_tweak = 1'b0;
        place_d[j].record     = new_record_i;
      end
      if (clear_i) place_d[j].valid = 1'b0;
    end
  end

  // Keys and chaining values: at most one source writes a slot in a cycle; else the slot keeps its
  // value while it has a job, and is zero without one.
  typedef struct packed {
    logic fresh;    // of the key channel, or of a new job
    logic back;     // of the core
    logic stepped;  // by the issue side
    logic kept;
  } choice_t;

  choice_t [Jobs-1:0] key_choice, chain_choice;

  always_comb begin
    for (int unsigned j = 0; j < Jobs; j++) begin
      key_choice[j].fresh   = is_prepare[j] & prepare_valid_o & prepare_key_load_i & !clear_i;
      key_choice[j].back    = is_back[j] & back_key_valid_i & !clear_i;
      key_choice[j].stepped = 1'b0;
      key_choice[j].kept    = place_q[j].valid & !(is_head[j] & head_leave_i) & !clear_i &
                              !key_choice[j].fresh & !key_choice[j].back;

      chain_choice[j].fresh   = is_tail[j] & new_fire;
      chain_choice[j].back    = is_back[j] & back_tweak_valid_i & !clear_i;
      chain_choice[j].stepped = is_head[j] & head_valid_o & !head_leave_i & !clear_i;
      chain_choice[j].kept    = place_q[j].valid & !(is_head[j] & head_valid_o) & !clear_i &
                                !chain_choice[j].back;

      key_d[j]   = ({256{key_choice[j].fresh}} & prepare_key_i & KeyBuilt) |
                   ({256{key_choice[j].back}} & back_key_i & KeyBuilt) |
                   ({256{key_choice[j].kept}} & key_q[j]);
      chain_d[j] = ({128{chain_choice[j].fresh}} & new_chain_i) |
                   ({128{chain_choice[j].back}} & back_tweak_i) |
                   ({128{chain_choice[j].stepped}} & head_chain_i) |
                   ({128{chain_choice[j].kept}} & chain_q[j]);
    end
  end

  // --- Registers --------------------------------------------------------------------------------

  for (genvar j = 0; j < Jobs; j++) begin : gen_place
    cry_reg_tmr #(.Width($bits(place_t)), .Protect(Control)) u_place (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(place_d[j]), .inject_i(1'b0), .q_o(place_q[j]),
      .corrected_o(corrected[3*j]), .detected_o(detected[3*j])
    );
    cry_reg #(.T(logic [255:0]), .Protect(Protect)) u_key (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(key_d[j]), .q_o(key_q[j]),
      .corrected_o(corrected[3*j+1]), .detected_o(detected[3*j+1])
    );
    cry_reg #(.T(logic [127:0]), .Protect(Protect)) u_chain (
      .clk_i, .rst_ni, .en_i(1'b1), .d_i(chain_d[j]), .q_o(chain_q[j]),
      .corrected_o(corrected[3*j+2]), .detected_o(detected[3*j+2])
    );
  end
  cry_reg_tmr #(.Width($bits(pointers_t)), .Protect(Control)) u_pointers (
    .clk_i, .rst_ni, .en_i(1'b1), .d_i(pointers_d), .inject_i(1'b0), .q_o(pointers_q),
    .corrected_o(corrected[3*Jobs]), .detected_o(detected[3*Jobs])
  );

  assign corrected_o = |corrected;
  assign detected_o  = |detected;

endmodule
