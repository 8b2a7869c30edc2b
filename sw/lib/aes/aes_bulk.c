// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_bulk.h"

#include <stdbool.h>
#include <string.h>

#include "bytes.h"
#include "wipe.h"

enum { Register = sizeof(uintptr_t), ChunkBytes = 32 * Register, ChunkWords = ChunkBytes / 4 };

// A buffer that any pass fits into, aligned for it.
typedef union {
  uintptr_t align;
  uint32_t words[ChunkWords];
  uint8_t bytes[ChunkBytes];
} chunk_t;

static bool aligned(const uint8_t *in, const uint8_t *out) {
  return ((uintptr_t)in | (uintptr_t)out) % Register == 0;
}

// Copies up to a chunk, fills its last pass with zeros and returns the number of bytes copied.
static size_t fetch(chunk_t *chunk, const aes_bulk_t *bulk, const uint8_t *in, size_t len) {
  size_t part = len < ChunkBytes ? len : ChunkBytes;
  size_t unit = 16 * bulk->blocks;
  memcpy(chunk->bytes, in, part);
  memset(chunk->bytes + part, 0, (unit - part % unit) % unit);
  return part;
}

static size_t passes_for(const aes_bulk_t *bulk, size_t len) {
  size_t unit = 16 * bulk->blocks;
  return (len + unit - 1) / unit;
}

// The bytes that can be worked on where they are.
static size_t whole_passes(const aes_bulk_t *bulk, const uint8_t *in, const uint8_t *out,
                           size_t len) {
  return aligned(in, out) ? len - len % (16 * bulk->blocks) : 0;
}

void cry_aes_bulk_ecb(const aes_bulk_t *bulk, aes_passes_t run, const uint8_t *in, uint8_t *out,
                      size_t len) {
  size_t part = whole_passes(bulk, in, out, len);
  if (part != 0) {
    run(bulk->keys, bulk->rounds, in, out, passes_for(bulk, part));
  }
  chunk_t chunk;
  for (in += part, out += part, len -= part; len != 0; in += part, out += part, len -= part) {
    part = fetch(&chunk, bulk, in, len);
    run(bulk->keys, bulk->rounds, &chunk, &chunk, passes_for(bulk, part));
    memcpy(out, chunk.bytes, part);
    wipe(&chunk, sizeof chunk);
  }
}

void cry_aes_bulk_cbc_encrypt(const aes_bulk_t *bulk, aes_passes_t run, uint32_t chain[4],
                              const uint8_t *in, uint8_t *out, size_t len) {
  chunk_t chunk;
  memset(&chunk, 0, sizeof chunk);
  for (; len != 0; in += 16, out += 16, len -= 16) {
    uint32_t text[4];
    memcpy(text, in, sizeof text);
    for (unsigned i = 0; i < 4; i++) {
      chunk.words[i] = chain[i] ^ text[i];
    }
    run(bulk->keys, bulk->rounds, &chunk, &chunk, 1);
    memcpy(chain, chunk.words, 16);
    memcpy(out, chain, 16);
  }
  wipe(&chunk, sizeof chunk);
}

void cry_aes_bulk_cbc_decrypt(const aes_bulk_t *bulk, aes_passes_t run, uint32_t chain[4],
                              const uint8_t *in, uint8_t *out, size_t len) {
  chunk_t cipher;
  chunk_t plain;
  size_t part;
  for (; len != 0; in += part, out += part, len -= part) {
    part = fetch(&cipher, bulk, in, len);
    run(bulk->keys, bulk->rounds, &cipher, &plain, passes_for(bulk, part));
    for (unsigned i = 0; i < 4; i++) {
      plain.words[i] ^= chain[i];
    }
    for (unsigned i = 4; i < part / 4; i++) {
      plain.words[i] ^= cipher.words[i - 4];
    }
    memcpy(chain, cipher.words + part / 4 - 4, 16);
    memcpy(out, plain.bytes, part);
  }
  wipe(&plain, sizeof plain);
}

static uint8_t *number_of(uint32_t counter[4]) {
  return (uint8_t *)&counter[3];
}

void cry_aes_bulk_ctr(const aes_bulk_t *bulk, aes_ctr_passes_t run, uint32_t counter[4],
                      const uint8_t *in, uint8_t *out, size_t len) {
  size_t part = whole_passes(bulk, in, out, len);
  if (part != 0) {
    run(bulk->keys, bulk->rounds, counter, in, out, passes_for(bulk, part));
  }
  chunk_t chunk;
  for (in += part, out += part, len -= part; len != 0; in += part, out += part, len -= part) {
    uint32_t number = load32_be(number_of(counter));
    part = fetch(&chunk, bulk, in, len);
    run(bulk->keys, bulk->rounds, counter, &chunk, &chunk, passes_for(bulk, part));
    store32_be(number_of(counter), number + (uint32_t)((part + 15) / 16));
    memcpy(out, chunk.bytes, part);
    wipe(&chunk, sizeof chunk);
  }
}

size_t cry_aes_bulk_before_wrap(const uint32_t counter[4], size_t len) {
  uint64_t blocks = ((uint64_t)1 << 32) - load32_be((const uint8_t *)&counter[3]);
  return (len + 15) / 16 <= blocks ? len : (size_t)(16 * blocks);
}

void cry_aes_bulk_carry(uint32_t counter[4]) {
  uint8_t *bytes = (uint8_t *)counter;
  if (counter[3] != 0) {
    return;
  }
  for (unsigned i = 12; i-- != 0;) {
    if (++bytes[i] != 0) {
      return;
    }
  }
}

void cry_aes_bulk_process(cryptile_cipher_ctx_t *ctx, const aes_bulk_impl_t *impl,
                          const uint8_t *in, uint8_t *out, size_t len) {
  const aes_bulk_t bulk = {ctx->key, ctx->rounds, impl->blocks};
  bool decrypts = ctx->direction == CRYPTILE_DECRYPT;
  if (ctx->mode == CRYPTILE_ECB) {
    cry_aes_bulk_ecb(&bulk, decrypts ? impl->decrypt : impl->encrypt, in, out, len);
  } else if (ctx->mode == CRYPTILE_CBC && decrypts) {
    cry_aes_bulk_cbc_decrypt(&bulk, impl->decrypt, ctx->chain, in, out, len);
  } else if (ctx->mode == CRYPTILE_CBC) {
    cry_aes_bulk_cbc_encrypt(&bulk, impl->encrypt, ctx->chain, in, out, len);
  } else {
    size_t part;
    for (; len != 0; in += part, out += part, len -= part) {
      part = cry_aes_bulk_before_wrap(ctx->chain, len);
      cry_aes_bulk_ctr(&bulk, impl->ctr, ctx->chain, in, out, part);
      cry_aes_bulk_carry(ctx->chain);
    }
  }
}
