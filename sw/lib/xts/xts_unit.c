// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "xts/xts_unit.h"

#include <string.h>

#include "equal.h"
#include "overlap.h"
#include "xts/xts_text.h"

enum { Block = 16 };

bool cry_xts_key_is_good(const uint8_t *key, size_t key_len) {
  return (key_len == 32 || key_len == 64) && !equal(key, key + key_len / 2, key_len / 2);
}

void cry_xts_unit_start(xts_unit_t *unit, cryptile_direction_t direction, const uint8_t *key,
                        size_t key_len, const uint8_t tweak[16]) {
  const unsigned half = (unsigned)key_len / 2;
  cry_aes_set_encrypt_key(&unit->key, key + half, half);
  cry_aes_encrypt_block(&unit->key, tweak, (uint8_t *)unit->tweak);
  cry_aes_set_key(&unit->key, direction, key, half);
  unit->left = CRYPTILE_XTS_MAX_BYTES;
  unit->direction = (uint8_t)direction;
  unit->held_bytes = 0;
}

size_t cry_xts_unit_ready(const xts_unit_t *unit, size_t len) {
  const size_t held = unit->held_bytes;
  return len < 2 * Block - held ? 0 : (len - (Block - held)) / Block * Block;
}

bool cry_xts_unit_update(xts_unit_t *unit, const uint8_t *in, size_t len, uint8_t *out) {
  if (len > unit->left) {
    return false;
  }
  unit->left -= (uint32_t)len;
  const size_t ready = cry_xts_unit_ready(unit, len);
  const size_t held = unit->held_bytes;
  uint8_t text[2 * XtsUnitMaxHeld];  // what is held, then the end of the input
  const size_t last = len < XtsUnitMaxHeld ? len : (size_t)XtsUnitMaxHeld;
  const size_t all = held + len;
  if (last != 0) {
    memcpy(text + held, in + (len - last), last);
  }
  memcpy(text, unit->held, held);
  if (ready != 0) {
    const uint8_t *from = held == 0 ? overlap_settle(in, out, ready) : out;
    if (held != 0) {
      // What is held comes first, then the input.
      const size_t first = held < ready ? held : ready;
      if (ready > first) {
        memmove(out + first, in, ready - first);
      }
      memcpy(out, text, first);
    }
    cry_xts_text(&unit->key, (cryptile_direction_t)unit->direction, unit->tweak, from, out, ready);
  }
  unit->held_bytes = (uint8_t)(all - ready);
  memcpy(unit->held, text + held + last - unit->held_bytes, unit->held_bytes);
  return true;
}

void cry_xts_unit_finish(xts_unit_t *unit, uint8_t *out) {
  cry_xts_text(&unit->key, (cryptile_direction_t)unit->direction, unit->tweak, unit->held, out,
               unit->held_bytes);
}
