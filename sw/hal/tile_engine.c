// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_engine.h"

#include <string.h>

#include "wipe/wiped.h"

enum { BaseLimit = 100000, CyclesPerByte = 64 };

static tile_ring_t *queue;

void cry_tile_engine_use(tile_ring_t *ring) {
  queue = ring;
}

static size_t key_bytes(const cryptile_cipher_ctx_t *ctx) {
  return 4u * (ctx->rounds - 6u);
}

static cryptile_status_t set_key(cryptile_cipher_ctx_t *ctx, const uint8_t *key) {
  memcpy(ctx->key, key, key_bytes(ctx));
  return CRYPTILE_OK;
}

// One job a call. The engine hands back what the next call chains on.
static cryptile_status_t run(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                             size_t len, bool irq) {
  // Not on the stack: a tile that does not stop may write it behind the call. The queue takes one
  // call at a time.
  static _Alignas(16) uint8_t context[TileContextBytes];
  if (queue == NULL) {
    return CRYPTILE_ERR_STATE;
  }
  if (len > UINT32_MAX) {
    return CRYPTILE_ERR_LENGTH;
  }
  // A partial block ends the message.
  bool chains = ctx->mode != CRYPTILE_ECB && len % CRYPTILE_BLOCK_SIZE == 0;
  tile_job_t job = {.opcode = TileAes,
                    .mode = ctx->mode,
                    .decrypt = ctx->direction == CRYPTILE_DECRYPT,
                    .ctx_save = chains,
                    .more = chains,
                    .irq = irq,
                    .key_len = (uint8_t)(key_bytes(ctx) / 8 - 2),
                    .slot = TileNoSlot,
                    .unwrap_slot = TileNoSlot,
                    .key = tile_address(ctx->key),
                    .src = tile_address(in),
                    .dst = tile_address(out),
                    .len = (uint32_t)len,
                    .context = tile_address(chains ? context : NULL)};
  memcpy(job.iv, ctx->chain, sizeof(ctx->chain));
  cryptile_status_t status = cry_tile_run(queue, &job, (uint32_t)(BaseLimit + CyclesPerByte * len));
  if (status == CRYPTILE_OK && chains) {
    memcpy(ctx->chain, context, sizeof(ctx->chain));
  }
  return status;
}

static cryptile_status_t process_poll(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                      size_t len) {
  return run(ctx, in, out, len, false);
}

static cryptile_status_t process_sleep(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                       size_t len) {
  return run(ctx, in, out, len, true);
}

// Bytes of stack, with all of the driver.
enum { KeyStack = STACK(16, 16), Stack = STACK(736, 736) };

const cryptile_cipher_impl_t cryptile_aes_tile_poll = {
    .name = "tile-poll",
    .constant_time = true,
    .key_stack = KeyStack,
    .stack = Stack,
    .cbc_decrypt_stack = Stack,
    .long_stack = Stack,
    .set_key = set_key,
    .process = process_poll,
};

const cryptile_cipher_impl_t cryptile_aes_tile_sleep = {
    .name = "tile-sleep",
    .constant_time = true,
    .key_stack = KeyStack,
    .stack = Stack,
    .cbc_decrypt_stack = Stack,
    .long_stack = Stack,
    .set_key = set_key,
    .process = process_sleep,
};
