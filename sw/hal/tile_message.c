// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_message.h"

#include <string.h>

#include "equal.h"

enum { InnerPad = 0x36, OuterPad = 0x5c };
enum { HashOfHmac = 7 };  // the bits of an HMAC's mode that are its hash's
enum { MaxVerified = 255 };

// What all jobs of a message share.
typedef struct {
  tile_ring_t *ring;
  const tile_alg_t *alg;
  const tile_message_t *message;
  uint32_t limit;
  bool asleep;
} call_t;

static cryptile_status_t run(const call_t *call, tile_job_t *job) {
  job->irq = call->asleep;
  return cry_tile_run(call->ring, job, call->limit);
}

static cryptile_status_t run_plain(const call_t *call, const tile_alg_t *alg,
                                   const tile_message_t *message) {
  tile_job_t job;
  cryptile_status_t status = cry_tile_prepare(alg, message, &job);
  return status == CRYPTILE_OK ? run(call, &job) : status;
}

// The pieces of a source, one behind the other; those of no bytes are left out.
typedef struct {
  tile_piece_t *pieces;
  unsigned count;
  uint64_t len;
} source_t;

static void append(source_t *source, const uint8_t *data, size_t len) {
  if (len != 0) {
    source->pieces[source->count++] =
        (tile_piece_t){.address = tile_address(data), .len = (uint32_t)len};
    source->len += len;
  }
}

static cryptile_status_t run_pieces(const call_t *call, const source_t *source, tile_job_t *job) {
  source->pieces[source->count - 1].flags = TilePieceLast;
  if (source->len > UINT32_MAX) {
    return CRYPTILE_ERR_LENGTH;
  }
  job->src = tile_address(source->pieces);
  job->src_list = true;
  job->len = (uint32_t)source->len;
  return run(call, job);
}

static size_t tag_len(const call_t *call) {
  return call->message->tag_len != 0 ? call->message->tag_len : call->alg->tag_bytes;
}

// Gives a code that lies in scratch to the caller, or compares it with the caller's.
static cryptile_status_t finish(const call_t *call, const uint8_t *code) {
  size_t len = tag_len(call);
  if (!call->message->decrypt) {
    memcpy(call->message->tag, code, len);
    return CRYPTILE_OK;
  }
  return equal(code, call->message->tag, len) ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

// The hash function of an HMAC.
static const tile_alg_t *hash_of(const tile_alg_t *hmac) {
  unsigned count;
  const tile_alg_t *algs = cry_tile_algs(&count);
  for (unsigned i = 0; i < count; i++) {
    if (algs[i].opcode == hmac->opcode && algs[i].mode == (hmac->mode & HashOfHmac)) {
      return &algs[i];
    }
  }
  return NULL;  // not reached: the catalogue has a hash for each HMAC
}

static cryptile_status_t hash_key(const call_t *call, uint8_t *digest) {
  const tile_message_t key = {
      .in = call->message->key, .len = call->message->key_len, .tag = digest};
  return run_plain(call, hash_of(call->alg), &key);
}

// HMAC whose key is longer than the hash's block.
static cryptile_status_t hmac_hashed_key(const call_t *call) {
  tile_message_t message = *call->message;
  message.key = call->message->scratch->code;
  message.key_len = hash_of(call->alg)->tag_bytes;
  cryptile_status_t status = hash_key(call, call->message->scratch->code);
  return status == CRYPTILE_OK ? run_plain(call, call->alg, &message) : status;
}

// One of the hashes of HMAC: of a block of key and pad, and of what follows.
static cryptile_status_t padded_hash(const call_t *call, uint8_t pad, const uint8_t *data,
                                     size_t len, uint8_t *digest) {
  tile_scratch_t *scratch = call->message->scratch;
  source_t source = {.pieces = scratch->pieces};
  const tile_message_t nothing = {.tag = digest};
  tile_job_t job;
  for (size_t i = 0; i < call->alg->block; i++) {
    uint8_t key = i < call->message->key_len ? call->message->key[i] : 0;
    scratch->block[i] = key ^ pad;
  }
  append(&source, scratch->block, call->alg->block);
  append(&source, data, len);
  cryptile_status_t status = cry_tile_prepare(hash_of(call->alg), &nothing, &job);
  return status == CRYPTILE_OK ? run_pieces(call, &source, &job) : status;
}

// HMAC whose key is longer than the engine's, but not than the hash's block.
static cryptile_status_t hmac_by_hashes(const call_t *call) {
  const tile_message_t *message = call->message;
  uint8_t *inner = message->scratch->code, *outer = inner + TileMaxTag;
  cryptile_status_t status = padded_hash(call, InnerPad, message->in, message->len, inner);
  if (status == CRYPTILE_OK) {
    status = padded_hash(call, OuterPad, inner, hash_of(call->alg)->tag_bytes, outer);
  }
  return status == CRYPTILE_OK ? finish(call, outer) : status;
}

// A number in the fewest bytes, at least one; returns how many.
static size_t put_number(uint8_t *to, uint64_t number) {
  size_t len = 1;
  while (len < 8 && number >> 8 * len != 0) {
    len++;
  }
  for (size_t i = 0; i < len; i++) {
    to[i] = (uint8_t)(number >> 8 * (len - 1 - i));
  }
  return len;
}

static size_t left_encode(uint8_t *to, uint64_t number) {
  size_t len = put_number(to + 1, number);
  to[0] = (uint8_t)len;
  return 1 + len;
}

static size_t right_encode(uint8_t *to, uint64_t number) {
  size_t len = put_number(to, number);
  to[len] = (uint8_t)len;
  return len + 1;
}

// The engine's KMAC without its key, made into the cSHAKE that it is: bytepad(encode_string(key),
// rate), message, right_encode(bits of output, or 0 when it may be extended).
static cryptile_status_t long_kmac(const call_t *call) {
  tile_scratch_t *scratch = call->message->scratch;
  tile_message_t message = *call->message;
  size_t rate = call->alg->block, bits = 8 * tag_len(call);
  tile_job_t job;
  if (message.decrypt && tag_len(call) > MaxVerified) {
    return CRYPTILE_ERR_SUPPORT;
  }
  message.key_len = 0;
  message.decrypt = false;
  message.tag = call->message->decrypt ? scratch->code : message.tag;
  cryptile_status_t status = cry_tile_prepare(call->alg, &message, &job);
  if (status != CRYPTILE_OK) {
    return status;
  }
  bool extendable = job.mode >= TileKeccakKmacxof128;
  job.mode = TileKeccakCshake128 + job.mode % 2;
  job.key = 0;
  size_t head = left_encode(scratch->head, rate);
  head += left_encode(scratch->head + head, 8 * (uint64_t)call->message->key_len);
  size_t tail = right_encode(scratch->tail, extendable ? 0 : bits);
  memset(scratch->block, 0, sizeof(scratch->block));
  source_t source = {.pieces = scratch->pieces};
  append(&source, scratch->head, head);
  append(&source, call->message->key, call->message->key_len);
  append(&source, scratch->block, (rate - source.len % rate) % rate);
  append(&source, message.in, message.len);
  append(&source, scratch->tail, tail);
  status = run_pieces(call, &source, &job);
  return status == CRYPTILE_OK && call->message->decrypt ? finish(call, scratch->code) : status;
}

cryptile_status_t cry_tile_run_message(tile_ring_t *ring, const tile_alg_t *alg,
                                       const tile_message_t *message, uint32_t limit, bool asleep) {
  const call_t call = {ring, alg, message, limit, asleep};
  if (alg == NULL || message == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  bool mac = alg->family == TileHmac || alg->family == TileKmac;
  if (!mac || message->key_len <= TileMaxKey) {
    return run_plain(&call, alg, message);
  }
  tile_message_t checked = *message;
  checked.key_len = 0;
  tile_job_t unused;
  cryptile_status_t status = cry_tile_prepare(alg, &checked, &unused);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (message->key == NULL || message->key_len > TileMaxLongKey || message->scratch == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  if (alg->family == TileKmac) {
    status = long_kmac(&call);
  } else if (message->key_len > alg->block) {
    status = hmac_hashed_key(&call);
  } else {
    status = hmac_by_hashes(&call);
  }
  memset(message->scratch, 0, sizeof(*message->scratch));
  return status;
}
