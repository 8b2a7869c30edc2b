// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

`include "cry_assert.svh"

// AES-128 encryption with an 8-bit datapath and one S-box.
//
// State and key are byte-wise shift registers in row order, in which the shift that feeds the S-box
// and the one that feeds MixColumns are the same: every byte moves by one, and only the last byte
// of a row has another source. ShiftRows costs no cycle: the r bytes of row r that wrap around come
// first, stay at the end, and the others are inserted ahead of them.
//
// Latency: 252 cycles between the one that accepts the block and the one in which the result is
// valid; it does not depend on data or keys.
//
//   - A round is 24 cycles: 16 bytes through AddRoundKey, SubBytes, ShiftRows and the key schedule;
//     4 cycles, one per row, in which the key schedule uses the S-box; 4 columns of MixColumns.
//   - The last round has no MixColumns and is followed by 16 cycles of AddRoundKey.
//
// Wiping: whenever the core is idle its data registers are loaded with zero, so that state and key
// are gone one cycle after the block left, after clear_i and after reset. The data registers have
// no reset. Inputs are taken at the start of a block, the output stays in the register until taken.
//
// Chain: there are no blocks and keys to take, but a constant key, whose round keys are constants,
// and bytes. These are XORed to the block that is held, which is zero behind idle and else the last
// result, so that a chain of blocks (CBC-MAC) needs no register of its own: 16 bytes go round the
// state, the n-th one to byte 4 (n mod 4) + n / 4 of the block, while in_ready_o is high; then
// in_valid_i encrypts what is held, in 212 cycles, as there is no key schedule. While bytes come
// out_block_o is not a block.
module cry_aes_core_serial_enc128 #(
  parameter bit           Chain    = 1'b0,  // bytes come in the place of blocks
  parameter logic [127:0] ChainKey = '0     // with Chain: the key, byte 0 in bits 7:0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,  // drops the block and wipes

  // A block with its key, byte 0 in bits 7:0; with Chain only in_valid_i counts
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_key_i,
  input  logic [127:0] in_block_i,

  // With Chain, not together with in_valid_i or out_ready_i
  input  logic       byte_valid_i,
  input  logic [7:0] byte_i,

  // The result; stable until taken
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_block_o
);

  import cry_aes_pkg::*;

  typedef logic [15:0][7:0] bytes_t;

  // Column order to row order and back.
  function automatic bytes_t transpose(bytes_t a);
    for (int i = 0; i < 16; i++) transpose[i] = a[4*(i%4)+i/4];
  endfunction

  // FIPS 197, 5.2, each in row order.
  function automatic bytes_t [10:0] round_keys(logic [127:0] key);
    logic [7:0] rcon = 8'h01;
    bytes_t     now = key;
    for (int n = 0; n < 11; n++) begin
      round_keys[n] = transpose(now);
      for (int i = 0; i < 4; i++) now[i] ^= cry_aes_sbox_pkg::sub_byte(now[12+(i+1)%4]);
      now[0] ^= rcon;
      for (int i = 4; i < 16; i++) now[i] ^= now[i-4];
      rcon = xtime(rcon);
    end
  endfunction

  typedef enum logic [1:0] {
    StIdle,
    StPass,  // all bytes through AddRoundKey, SubBytes, ShiftRows and the key schedule
    StMix,   // MixColumns, a column per cycle
    StDone
  } state_e;

  state_e       fsm_q, fsm_d;
  logic [1:0]   row_q, row_d, col_q, col_d;
  logic         key_turn_q, key_turn_d, key_turn;  // the S-box is the key schedule's
  logic [7:0]   rcon_q, rcon_d;          // counts the rounds too
  bytes_t       block_q, block_d, key_q, in_block;
  logic         load, absorb, pass, mix, done, last_sub, only_add, pass_end;
  logic [7:0]   added, round_key, key_tap, sbox_in, sbox_out, block_new;
  logic [3:0][7:0] mixed;

  assign pass        = fsm_q == StPass;
  assign mix         = fsm_q == StMix;
  assign done        = fsm_q == StDone;
  assign in_ready_o  = (fsm_q == StIdle) | (Chain & done);
  assign out_valid_o = done;
  assign load        = in_ready_o & in_valid_i & !clear_i;
  assign absorb      = Chain & in_ready_o & byte_valid_i;
  assign in_block    = Chain ? '0 : transpose(in_block_i);
  assign out_block_o = transpose(block_q);

  // Round constants run from 01 to 36; 6c, the one beyond, marks the AddRoundKey at the end.
  assign last_sub = rcon_q[5] & rcon_q[4];
  assign only_add = rcon_q[6] & rcon_q[5];

  // A row's first byte goes first, then its key byte, as that waits for the S-box.
  assign key_turn_d = !Chain & pass & (col_q == 2'd0) & !only_add & !key_turn_q;
  assign key_turn   = pass & key_turn_q;  // key_turn_q may outlive the pass by a clear
  assign pass_end   = (row_q == 2'd3) & (col_q == 2'd3);

  always_comb begin
    fsm_d = fsm_q;
    unique case (fsm_q)
      StIdle: begin
        if (in_valid_i) fsm_d = StPass;
        else if (absorb) fsm_d = StDone;
      end
      StPass:  if (pass_end && !last_sub) fsm_d = only_add ? StDone : StMix;
      StMix:   if (col_q == 2'd3) fsm_d = StPass;
      StDone: begin
        if (out_ready_i) fsm_d = StIdle;
        else if (load)   fsm_d = StPass;
      end
      default: fsm_d = StIdle;
    endcase
    if (clear_i) fsm_d = StIdle;
  end

  // Before the first pass and before MixColumns both are zero.
  always_comb begin
    col_d = col_q + 2'(!key_turn_d);
    row_d = row_q + 2'(col_q == 2'd3);
    if (!pass) row_d = '0;
    if (in_ready_o) col_d = '0;
    rcon_d = rcon_q;
    if (pass && pass_end) rcon_d = xtime(rcon_q);
    if (in_ready_o) rcon_d = 8'h01;
  end

  if (Chain) begin : gen_constant
    localparam bytes_t [10:0] RoundKeys = round_keys(ChainKey);
    logic [7:0] rcon;

    always_comb begin
      round_key = '0;
      rcon      = 8'h01;
      for (int i = 0; i < 11; i++) begin
        round_key |= RoundKeys[i][{row_q, col_q}] & {8{rcon_q == rcon}};
        rcon = xtime(rcon);
      end
    end
    assign key_q   = '0;
    assign key_tap = '0;

    logic unused;
    assign unused = ^{in_key_i, in_block_i};
  end else begin : gen_schedule
    // A row's first byte takes the substituted last byte of the row below, every other byte its
    // left neighbour, which is the newest. Row 0 is new already when row 3 wants its old last byte:
    // that is the sum of the last two.
    bytes_t     key_d, in_key;
    logic       key_step, key_hold;
    logic [7:0] key_new;
    assign in_key    = transpose(in_key_i);
    assign key_tap   = key_q[7] ^ (key_q[6] & {8{row_q == 2'd3}});
    assign key_new   = key_q[0] ^ (key_turn ? sbox_out ^ (rcon_q & {8{row_q == 2'd0}}) : key_q[15]);
    assign key_step  = pass & !key_turn_d;
    assign key_hold  = key_turn_d | mix;
    assign round_key = key_q[0];

    always_comb begin
      for (int i = 0; i < 16; i++) begin
        key_d[i] = ({8{load}} & in_key[i]) | ({8{key_hold}} & key_q[i]) |
                   ({8{key_step}} & ((i == 15) ? key_new : key_q[(i+1)%16]));
      end
    end
    always_ff @(posedge clk_i) key_q <= key_d;
  end

  assign added     = block_q[0] ^ round_key;
  assign sbox_in   = key_turn ? key_tap : added;
  assign block_new = only_add ? added : sbox_out;

  cry_aes_sbox u_sbox (.in_i(sbox_in), .out_o(sbox_out));

  assign mixed = mix_column({block_q[12], block_q[8], block_q[4], block_q[0]});

  // What each byte of the state takes. wrapped[n]: the last n + 1 bytes stay, the new one enters
  // ahead of them.
  logic         step, hold;
  logic [2:0]   wrapped;
  logic [15:0]  take_next, take_old;  // "next": the neighbour further from the S-box
  logic [15:12] take_new;

  assign step = pass & !key_turn;
  // Of a chain the block goes as it is taken: a byte may come in the next cycle.
  assign hold = key_turn | (done & !absorb & !(Chain & out_ready_i));

  always_comb begin
    wrapped = '0;
    unique case (row_q)
      2'd1:    wrapped[0] = col_q != 2'd0;
      2'd2:    wrapped[1:0] = {2{col_q[1]}};
      2'd3:    wrapped[2:0] = {3{col_q == 2'd3}};
      default: ;
    endcase
    if (!step || only_add) wrapped = '0;
  end

  always_comb begin
    take_next = {16{step | mix | (absorb & done)}};
    take_old  = {16{hold}};
    take_new  = '0;
    take_new[15] = step & !wrapped[0];
    take_new[14] = wrapped[0] & !wrapped[1];
    take_new[13] = wrapped[1] & !wrapped[2];
    take_new[12] = wrapped[2];
    take_next[14:12] = {3{step | mix | (absorb & done)}} & ~{wrapped[0], wrapped[1], wrapped[2]};
    take_old[15:13]  = {3{hold}} | {wrapped[0], wrapped[1], wrapped[2]};
    for (int i = 3; i < 15; i += 4) take_next[i] &= !mix;
    take_next[15] = 1'b0;
  end

  always_comb begin
    for (int i = 0; i < 16; i++) begin
      block_d[i] = ({8{load}} & in_block[i]) | ({8{take_old[i]}} & block_q[i]) |
                   ({8{take_next[i]}} & block_q[(i+1)%16]);
      if (i % 4 == 3) block_d[i] |= {8{mix}} & mixed[i/4];
      if (i >= 12)    block_d[i] |= {8{take_new[i]}} & block_new;
      if (i == 15)    block_d[i] |= {8{absorb}} & (byte_i ^ (block_q[0] & {8{done}}));
    end
  end

  always_ff @(posedge clk_i) begin
    block_q    <= block_d;
    row_q      <= row_d;
    col_q      <= col_d;
    rcon_q     <= rcon_d;
    key_turn_q <= key_turn_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fsm_q <= StIdle;
    else         fsm_q <= fsm_d;
  end

  `CRY_ASSERT_RUN
  `CRY_ASSERT(IdleIsWiped_A,
    (fsm_q == StIdle) && !load && !absorb |=> block_q == '0 && key_q == '0)
  `CRY_ASSERT(ResultStable_A, out_valid_o && !out_ready_i && !clear_i && !load && !absorb |=>
    out_valid_o && $stable(out_block_o))

endmodule
