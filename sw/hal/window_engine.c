// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

#include "window_engine.h"

#include "gen/axis_regs.h"
#include "gen/engines.h"
#include "gen/window_regs.h"

// The generated structures are packed, so the compiler would access their members by bytes: only
// their offsets are used.
#define SHELL_AT(reg)  offsetof(axis_t, reg)
#define WINDOW_AT(reg) offsetof(window_t, reg)

enum { Beat = 16, MostPolls = 10000 };

cryptile_status_t cry_window_clear(window_engine_t *engine) {
  const window_port_t *port = &engine->port;
  unsigned polls = 0;
  bool quiet;
  engine->has_key = false;
  window_shell_write(port, SHELL_AT(CONTROL), AXIS__CONTROL__CLEAR_bm);
  window_write(port, WINDOW_AT(CONTROL), WINDOW__CONTROL__CLEAR_bm);
  do {
    quiet = (window_shell_read(port, SHELL_AT(STATUS)) & AXIS__STATUS__QUIET_bm) != 0;
  } while (!quiet && ++polls < MostPolls);
  if (!quiet) {
    return CRYPTILE_ERR_BUSY;
  }
  window_write(port, WINDOW_AT(CONTROL), 0);
  window_shell_write(port, SHELL_AT(CONTROL), 0);
  return CRYPTILE_OK;
}

cryptile_status_t cry_window_open(window_engine_t *engine, window_port_t port) {
  *engine = (window_engine_t){.port = port};
  cryptile_status_t status = cry_window_clear(engine);
  uint64_t state = window_read(&port, WINDOW_AT(STATUS));
  engine->depth = (uint32_t)(state & WINDOW__STATUS__ROOM_bm) >> WINDOW__STATUS__ROOM_bp;
  return status;
}

cryptile_status_t cry_window_key(window_engine_t *engine, uint32_t mode, const uint8_t *key,
                                 uint32_t key_bytes) {
  if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) {
    return CRYPTILE_ERR_PARAM;
  }
  for (uint32_t i = 0; i < key_bytes / 4; i++) {
    uint32_t word;
    memcpy(&word, key + 4 * i, sizeof(word));
    window_shell_write(&engine->port, SHELL_AT(KEY[0]) + 4 * i, word);
  }
  engine->job = mode << AXIS__JOB__MODE_bp | (key_bytes / 8 - 2) << AXIS__JOB__KEY_LEN_bp;
  engine->has_key = true;
  return CRYPTILE_OK;
}

static inline uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// Whole beats of a message, none of them the last of what is sent.
static inline void send_whole(const window_port_t *port, const uint8_t *from, uint32_t beats) {
  const uint64_t *words = __builtin_assume_aligned(from, sizeof(*words));
  for (; beats != 0; beats--, words += 2) {
    window_write(port, WINDOW_AT(IN[0]), words[0]);
    window_write(port, WINDOW_AT(IN[1]), words[1]);
  }
}

static void send(const window_port_t *port, const uint8_t *from, uint32_t bytes, bool last) {
  uint64_t words[2] = {0, 0};
  memcpy(words, from, bytes);
  window_write(port, WINDOW_AT(END), bytes % Beat | (last ? WINDOW__END__LAST_bm : 0));
  window_write(port, WINDOW_AT(IN[0]), words[0]);
  window_write(port, WINDOW_AT(IN[1]), words[1]);
}

static inline void take_whole(const window_port_t *port, uint8_t *to, uint32_t beats) {
  uint64_t *words = __builtin_assume_aligned(to, sizeof(*words));
  for (; beats != 0; beats--, words += 2) {
    words[0] = window_read(port, WINDOW_AT(OUT[0]));
    words[1] = window_read(port, WINDOW_AT(OUT[1]));
  }
}

static void take(const window_port_t *port, uint8_t *to, uint32_t bytes) {
  uint64_t words[2];
  take_whole(port, (uint8_t *)words, 1);
  memcpy(to, words, bytes);
}

// Waits for beats that can be read; returns their number, 0 if the wait was in vain.
static uint32_t ready(const window_port_t *port) {
  for (unsigned polls = 0; polls < MostPolls; polls++) {
    uint32_t count = (uint32_t)window_read(port, WINDOW_AT(STATUS)) & WINDOW__STATUS__READY_bm;
    if (count != 0) {
      return count;
    }
  }
  return 0;
}

static cryptile_status_t result(const window_port_t *port) {
  for (unsigned polls = 0; polls < MostPolls; polls++) {
    uint32_t value = window_shell_read(port, SHELL_AT(RESULT));
    if ((value & AXIS__RESULT__VALID_bm) != 0) {
      return cry_engine_status(value & AXIS__RESULT__STATUS_bm);
    }
  }
  return CRYPTILE_ERR_TIMEOUT;
}

static void start(const window_engine_t *engine, const window_message_t *message) {
  const window_port_t *port = &engine->port;
  for (uint32_t i = 0; i < 4; i++) {
    window_shell_write(port, SHELL_AT(IV[0]) + 4 * i, message->iv[i]);
  }
  window_shell_write(port, SHELL_AT(MSG_LEN), message->len);
  window_shell_write(port, SHELL_AT(JOB),
                     engine->job | (message->decrypt ? AXIS__JOB__DECRYPT_bm : 0));
  window_shell_write(port, SHELL_AT(START), 0);
}

// Sends and takes all beats of a message. Returns false if it does not go on: a job that the engine
// refuses gives fewer beats.
static bool move(const window_engine_t *engine, const window_message_t *message) {
  const window_port_t *port = &engine->port;
  const bool tag_in = message->tag && message->decrypt, tag_out = message->tag && !message->decrypt;
  const uint32_t whole = message->len / Beat, tail = message->len % Beat;
  const uint32_t beats = whole + (tail != 0);
  const uint32_t in = beats + tag_in, out = beats + tag_out;
  const uint32_t plain = whole == in && whole != 0 ? whole - 1 : whole;
  uint32_t sent = 0, got = 0;
  while (got < out || sent < in) {
    // Never more than there is room for, on either side: nothing is lost, and nothing waits.
    uint32_t room = engine->depth - (sent - got);
    if (sent < plain) {
      const uint32_t now = least(room, plain - sent);
      send_whole(port, message->src + (size_t)Beat * sent, now);
      sent += now;
      room -= now;
    }
    for (; sent < in && room != 0; sent++, room--) {
      send(port, sent == beats ? message->tag : message->src + (size_t)Beat * sent,
           sent == whole && tail ? tail : Beat, sent + 1 == in);
    }
    if (got == out) {
      break;
    }
    uint32_t count = least(ready(port), out - got);
    if (count == 0) {
      return false;
    }
    if (got < whole) {
      const uint32_t now = least(count, whole - got);
      take_whole(port, message->dst + (size_t)Beat * got, now);
      got += now;
      count -= now;
    }
    for (; count != 0; count--, got++) {
      take(port, got == beats ? message->tag : message->dst + (size_t)Beat * got,
           got == whole && tail ? tail : Beat);
    }
  }
  if (out == 0) {
    // A packet without bytes.
    uint8_t none[Beat];
    if (ready(port) == 0) {
      return false;
    }
    take(port, none, 0);
  }
  return true;
}

cryptile_status_t cry_window_run(window_engine_t *engine, const window_message_t *message) {
  if (!engine->has_key) {
    return CRYPTILE_ERR_KEY;
  }
  start(engine, message);
  const bool moved = move(engine, message);
  cryptile_status_t status = result(&engine->port);
  if (moved && (status == CRYPTILE_OK || status == CRYPTILE_ERR_AUTH)) {
    return status;
  }
  cryptile_status_t cleared = cry_window_clear(engine);
  return cleared != CRYPTILE_OK           ? cleared
         : moved || status != CRYPTILE_OK ? status
                                          : CRYPTILE_ERR_TIMEOUT;
}
