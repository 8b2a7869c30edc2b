// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cipher/pkcs7.h"
#include "gen/crypt_params.h"
#include "host.h"
#include "stream.h"

// One chunk being filled, two in flight.
enum { Slots = 3 };

typedef struct {
  uint32_t data[(CryptMaxChunk + CRYPTILE_BLOCK_SIZE) / 4];  // with room for padding
  size_t len;
  unsigned id;
} slot_t;

static slot_t slots[Slots];
static uint32_t key[CRYPTILE_MAX_KEY_BYTES / 4];
static uint32_t chain[CRYPTILE_BLOCK_SIZE / 4];

// The slots in flight are `oldest` and the `in_flight - 1` after it.
typedef struct {
  cryptile_status_t (*wait)(unsigned id, uint32_t limit);
  unsigned oldest;
  unsigned in_flight;
} pipe_t;

static slot_t *next_slot(const pipe_t *pipe) {
  return &slots[(pipe->oldest + pipe->in_flight) % Slots];
}

static cryptile_status_t retire(pipe_t *pipe, slot_t **done) {
  slot_t *slot = &slots[pipe->oldest];
  pipe->oldest = (pipe->oldest + 1) % Slots;
  pipe->in_flight--;
  *done = slot;
  // The job before may still have to run.
  return pipe->wait(slot->id, cry_hwpe_limit((uint32_t)slot->len));
}

static cryptile_status_t submit(pipe_t *pipe, uint32_t ctrl) {
  slot_t *slot = next_slot(pipe);
  hwpe_job_t job = {.src = slot->data,
                    .dst = slot->data,
                    .len = (uint32_t)slot->len,
                    .key = key,
                    .iv = chain,
                    .ctrl = ctrl};
  cryptile_status_t status = cry_hwpe_submit(&job, &slot->id);
  if (status == CRYPTILE_OK) {
    pipe->in_flight++;
  }
  return status;
}

// Completes the last chunk of input. Decryption with padding needs at least one block over all.
static cryptile_status_t end_message(slot_t *slot, const cryptile_cipher_params_t *params,
                                     bool empty) {
  if (params->padding == CRYPTILE_PAD_PKCS7 && params->direction == CRYPTILE_ENCRYPT) {
    size_t used = slot->len % CRYPTILE_BLOCK_SIZE;
    cry_pkcs7_pad((uint8_t *)slot->data + slot->len - used, used);
    slot->len += CRYPTILE_BLOCK_SIZE - used;
  } else if (params->mode != CRYPTILE_CTR && (slot->len % CRYPTILE_BLOCK_SIZE != 0 ||
                                              (empty && params->padding == CRYPTILE_PAD_PKCS7))) {
    return CRYPTILE_ERR_LENGTH;
  }
  return CRYPTILE_OK;
}

static cryptile_status_t check_padding(slot_t *slot) {
  size_t pad = cry_pkcs7_check((uint8_t *)slot->data + slot->len - CRYPTILE_BLOCK_SIZE);
  slot->len -= pad;
  return pad != 0 ? CRYPTILE_OK : CRYPTILE_ERR_PADDING;
}

static cryptile_status_t run(pipe_t *pipe, const cryptile_cipher_params_t *params, size_t chunk) {
  bool removes_padding =
      params->padding == CRYPTILE_PAD_PKCS7 && params->direction == CRYPTILE_DECRYPT;
  uint32_t ctrl = hwpe_ctrl(params->mode, params->direction, (uint32_t)params->key_len) |
                  (params->mode != CRYPTILE_ECB ? HwpeCtxSave : 0u);
  cryptile_status_t status;
  slot_t *done;
  bool empty = true;
  bool more = true;
  while (more) {
    slot_t *slot = next_slot(pipe);
    slot->len = cry_host_read(slot->data, chunk);
    more = slot->len == chunk;
    empty = empty && slot->len == 0;
    if (!more) {
      status = end_message(slot, params, empty);
      if (status != CRYPTILE_OK) {
        return status;
      }
    }
    if (pipe->in_flight == Slots - 1) {
      status = retire(pipe, &done);
      if (status != CRYPTILE_OK) {
        return status;
      }
      cry_host_write(done->data, done->len);
    }
    if (slot->len != 0) {
      status = submit(pipe, ctrl);
      if (status != CRYPTILE_OK) {
        return status;
      }
    }
  }
  while (pipe->in_flight != 0) {
    status = retire(pipe, &done);
    if (status == CRYPTILE_OK && removes_padding && pipe->in_flight == 0) {
      status = check_padding(done);
    }
    if (status != CRYPTILE_OK) {
      return status;
    }
    cry_host_write(done->data, done->len);
  }
  return CRYPTILE_OK;
}

cryptile_status_t stream_engine(cryptile_status_t (*wait)(unsigned id, uint32_t limit),
                                const cryptile_cipher_params_t *params, size_t chunk) {
  pipe_t pipe = {.wait = wait};
  memcpy(key, params->key, params->key_len);
  memcpy(chain, params->iv, sizeof(chain));
  cryptile_status_t status = run(&pipe, params, chunk);
  if (status != CRYPTILE_OK) {
    // Told, if the engine may still write behind what is wiped here.
    cryptile_status_t cleared = cry_hwpe_clear();
    status = cleared == CRYPTILE_OK ? status : cleared;
  }
  memset(key, 0, sizeof(key));
  memset(chain, 0, sizeof(chain));
  return status;
}
