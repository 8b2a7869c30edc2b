// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "keccak/interleave.h"
#include "keccak/keccak.h"

static const uint64_t kRoundConstants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static uint64_t rotate(uint64_t x, unsigned n) {
  return x << n | x >> (64 - n);
}

// What theta adds to a column: the parities of its neighbours.
static void add(uint64_t *column, uint64_t left, uint64_t right) {
  const uint64_t effect = left ^ rotate(right, 1);
  for (unsigned y = 0; y < 25; y += 5) {
    column[y] ^= effect;
  }
}

static void theta(uint64_t state[25]) {
  uint64_t parity[5];
  for (unsigned x = 0; x < 5; x++) {
    parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
  }
  add(state, parity[4], parity[1]);
  add(state + 1, parity[0], parity[2]);
  add(state + 2, parity[1], parity[3]);
  add(state + 3, parity[2], parity[4]);
  add(state + 4, parity[3], parity[0]);
}

// Rho and pi in one walk over the 24 lanes that pi moves.
static void rho_pi(uint64_t state[25]) {
  uint64_t carried = state[1], next;
#define MOVE(lane, turn)               \
  next = state[lane];                  \
  state[lane] = rotate(carried, turn); \
  carried = next
  MOVE(10, 1);
  MOVE(7, 3);
  MOVE(11, 6);
  MOVE(17, 10);
  MOVE(18, 15);
  MOVE(3, 21);
  MOVE(5, 28);
  MOVE(16, 36);
  MOVE(8, 45);
  MOVE(21, 55);
  MOVE(24, 2);
  MOVE(4, 14);
  MOVE(15, 27);
  MOVE(23, 41);
  MOVE(19, 56);
  MOVE(13, 8);
  MOVE(12, 25);
  MOVE(2, 43);
  MOVE(20, 62);
  MOVE(14, 18);
  MOVE(22, 39);
  MOVE(9, 61);
  MOVE(6, 20);
  MOVE(1, 44);
#undef MOVE
}

static void chi(uint64_t row[5]) {
  const uint64_t first = row[0], second = row[1];
  row[0] ^= ~row[1] & row[2];
  row[1] ^= ~row[2] & row[3];
  row[2] ^= ~row[3] & row[4];
  row[3] ^= ~row[4] & first;
  row[4] ^= ~first & second;
}

void cry_keccak_f1600_c(uint64_t state[25]) {
  for (unsigned round = 0; round < 24; round++) {
    theta(state);
    rho_pi(state);
    for (unsigned y = 0; y < 25; y += 5)
      chi(state + y);
    state[0] ^= kRoundConstants[round];
  }
}

void cry_keccak_f1600_interleaved_c(uint64_t state[25]) {
  for (unsigned lane = 0; lane < 25; lane++)
    state[lane] = interleave_out(state[lane]);
  cry_keccak_f1600_c(state);
  for (unsigned lane = 0; lane < 25; lane++)
    state[lane] = interleave_in(state[lane]);
}
