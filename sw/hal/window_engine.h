// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// Driver of an engine that is fed by stores and loads alone (rtl/shell/axis/cry_window_engine.sv):
// a message at a time, by polling. With the port: window_io.h of the system that this is compiled
// for.
#ifndef CRYPTILE_HAL_WINDOW_ENGINE_H
#define CRYPTILE_HAL_WINDOW_ENGINE_H

#include <window_io.h>

#include "cryptile/status.h"

typedef struct {
  window_port_t port;
  uint32_t depth;  // beats that may be under way, counted by cry_window_open()
  uint32_t job;    // what JOB has of the key
  bool has_key;
} window_engine_t;

// `src` and `dst` may be the same, and are aligned to 8, as the registers are wide.
typedef struct {
  bool decrypt;
  uint32_t iv[4];  // as the engine's mode wants it; little-endian words
  const uint8_t *src;
  uint8_t *dst;
  uint32_t len;  // bytes
  uint8_t *tag;  // 16 bytes: written, or compared on decryption; null in modes without one
} window_message_t;

// Clears the engine at `port`. Returns CRYPTILE_OK, or CRYPTILE_ERR_BUSY if the clear did not end.
CRYPTILE_MUST_CHECK cryptile_status_t cry_window_open(window_engine_t *engine, window_port_t port);

// Stops what is under way, and wipes the engine, its key, and what was not read. Returns as
// cry_window_open().
CRYPTILE_MUST_CHECK cryptile_status_t cry_window_clear(window_engine_t *engine);

// Sets the engine's mode, and the key of all messages until the next one or a clear. Returns
// CRYPTILE_OK, or CRYPTILE_ERR_PARAM with nothing done if `key_bytes` is not 16, 24 or 32.
CRYPTILE_MUST_CHECK cryptile_status_t cry_window_key(window_engine_t *engine, uint32_t mode,
                                                     const uint8_t *key, uint32_t key_bytes);

// Does a message. Returns CRYPTILE_OK; CRYPTILE_ERR_KEY with nothing done if there is no key;
// CRYPTILE_ERR_AUTH for a wrong tag, when `dst` has been written and the caller must wipe it; or,
// with everything cleared, the key too, and `dst` undefined, CRYPTILE_ERR_SUPPORT for a message
// that the engine refuses, _ERR_FAULT, and _ERR_TIMEOUT if it did not go on.
CRYPTILE_MUST_CHECK cryptile_status_t cry_window_run(window_engine_t *engine,
                                                     const window_message_t *message);

#endif  // CRYPTILE_HAL_WINDOW_ENGINE_H
