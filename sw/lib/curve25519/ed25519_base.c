// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A comb of sixteen teeth, four in each of four tables, and sixteen columns (Lim and Lee, CRYPTO
// '94). Every digit is 1 or -1, so that no entry is neutral and half of them are negations of the
// others (Hamburg, "Fast and compact elliptic-curve cryptography", IACR ePrint 2012/309).
#include "curve25519/ed25519_base.h"

#include "wipe.h"

#define COLUMNS 16
#define TABLES  4
#define ENTRIES 8

// The digits of a column: bits 0 to 2 are the entry, bit 3 tells that it is to be negated.
static uint32_t digits(const ed25519_scalar_t signs, size_t table, int column) {
  const uint32_t low = ed25519_scalar_bits(signs, 2 * table) >> column;
  const uint32_t high = ed25519_scalar_bits(signs, 2 * table + 1) >> column;
  const uint32_t entry = (low & 1) | (low >> 15 & 2) | (high << 2 & 4);
  const uint32_t negative = ~high >> 16 & 1;
  return (entry ^ (7 & (0 - negative))) | negative << 3;
}

static void load(ed25519_addend_t *r, const uint32_t entry[24]) {
  cry_fe25519_from_words(r->plus, entry);
  cry_fe25519_from_words(r->minus, entry + 8);
  cry_fe25519_from_words(r->t2d, entry + 16);
}

static void select(ed25519_addend_t *r, int table, uint32_t index) {
  uint32_t entry[24], mask[ENTRIES];
  for (uint32_t i = 0; i < ENTRIES; i++) {
    mask[i] = 0 - ((((index & 7) ^ i) - 1) >> 31);
  }
  for (int k = 0; k < 24; k++) {
    uint32_t word = 0;
#pragma GCC unroll 8
    for (int i = 0; i < ENTRIES; i++) {
      word |= mask[i] & cry_ed25519_comb[table][i][k];
    }
    entry[k] = word;
  }
  load(r, entry);
  cry_ed25519_negate_addend(r, 0 - (fe25519_word_t)(index >> 3));
}

void cry_ed25519_base_mul(ed25519_point_t *r, const ed25519_scalar_t a) {
  ed25519_scalar_t signs;
  ed25519_addend_t addend;
  cry_ed25519_scalar_signs(signs, a);
  cry_ed25519_neutral(r);
  for (int column = COLUMNS - 1; column >= 0; column--) {
    if (column < COLUMNS - 1) {
      cry_ed25519_double(r, r, true);
    }
    for (int table = 0; table < TABLES; table++) {
      select(&addend, table, digits(signs, table, column));
      cry_ed25519_add(r, r, &addend, true, table < TABLES - 1);
    }
  }
  wipe(signs, sizeof signs);
  wipe(&addend, sizeof addend);
}

#define WINDOW 5
#define ODD    (1 << (WINDOW - 2))
#define LENGTH 256

// Odd digits from -15 to 15 and zeros, at most one digit in five places (non-adjacent form).
static void recode(int8_t digit[LENGTH], const ed25519_scalar_t a) {
  for (int i = 0; i < LENGTH; i++) {
    digit[i] = (int8_t)(a[i / WORD_BITS] >> i % WORD_BITS & 1);
  }
  for (int i = 0; i < LENGTH; i++) {
    if (digit[i] == 0) {
      continue;
    }
    // Gather the window; if it is above 15, take 32 away and carry.
    int value = 0;
    for (int k = 0; k < WINDOW && i + k < LENGTH; k++) {
      value |= digit[i + k] << k;
      digit[i + k] = 0;
    }
    if (value >= 1 << (WINDOW - 1)) {
      value -= 1 << WINDOW;
      // The scalar is less than 2^253: the carry finds a zero.
      int k = i + WINDOW;
      while (digit[k] != 0) {
        digit[k++] = 0;
      }
      digit[k] = 1;
    }
    digit[i] = (int8_t)value;
  }
}

void cry_ed25519_base_muladd(ed25519_point_t *r, const ed25519_scalar_t a, const ed25519_scalar_t h,
                             const ed25519_point_t *p) {
  int8_t digit[LENGTH];
  ed25519_addend_t odd[ODD], addend;
  ed25519_point_t twice, sum;
  ed25519_scalar_t signs;

  cry_ed25519_to_addend(&odd[0], p);
  cry_ed25519_double(&twice, p, true);
  for (int i = 1; i < ODD; i++) {
    cry_ed25519_add(&sum, &twice, &odd[i - 1], false, true);
    cry_ed25519_to_addend(&odd[i], &sum);
  }
  recode(digit, h);
  cry_ed25519_scalar_signs(signs, a);
  cry_ed25519_neutral(r);
  int i = LENGTH - 1;
  while (i >= COLUMNS && digit[i] == 0) {
    i--;
  }
  for (; i >= 0; i--) {
    cry_ed25519_double(r, r, digit[i] != 0 || i < COLUMNS);
    if (digit[i] != 0) {
      addend = odd[(digit[i] < 0 ? -digit[i] : digit[i]) / 2];
      cry_ed25519_negate_addend(&addend, 0 - (fe25519_word_t)(digit[i] < 0));
      cry_ed25519_add(r, r, &addend, false, i < COLUMNS);
    }
    for (int table = 0; table < TABLES && i < COLUMNS; table++) {
      const uint32_t index = digits(signs, table, i);
      load(&addend, cry_ed25519_comb[table][index & 7]);
      cry_ed25519_negate_addend(&addend, 0 - (fe25519_word_t)(index >> 3));
      cry_ed25519_add(r, r, &addend, true, table < TABLES - 1);
    }
  }
}
