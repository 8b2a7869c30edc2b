// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

#include "tile_job.h"

enum { MaxTagLen = 255, MaxSlot = 255, NumOpcodes = 256, NumModes = 16 };

// Tables, not conditions on opcodes: an engine more adds no instruction to the way of a job.
static const uint16_t modes_with_key[NumOpcodes] = TILE_MODES_WITH_KEY;
static const uint16_t modes_with_long_tag[NumOpcodes] = TILE_MODES_WITH_LONG_TAG;

static inline bool takes_key(const tile_job_t *job) {
  return (modes_with_key[job->opcode] >> job->mode & 1) != 0;
}

// Whether the descriptor says the tag's bytes in place of an IV.
static inline bool has_long_tag(const tile_job_t *job) {
  return (modes_with_long_tag[job->opcode] >> job->mode & 1) != 0;
}

// Eight bytes in the order of memory; the tile and all cores it stands beside are little-endian.
static inline uint64_t load64(const uint8_t *bytes) {
  uint64_t value;
  __builtin_memcpy(&value, __builtin_assume_aligned(bytes, 8), sizeof(value));
  return value;
}

unsigned cry_tile_describe(const tile_job_t *job, tile_entry_t entries[2]) {
  bool by_slot = job->slot != TileNoSlot;
  bool unwrap = job->unwrap_slot != TileNoSlot;
  bool extended = cry_tile_is_extended(job);
  if (job->mode >= NumModes || job->key_len > 3 || job->key_bytes > tile_longest_key(job->opcode) ||
      job->iv_len > TileMaxIv || job->slot > MaxSlot || job->unwrap_slot > MaxSlot ||
      job->kek_len > 3 || (job->token && !by_slot) ||
      (by_slot && !job->token ? job->key != 0 : job->key == 0 && takes_key(job)) ||
      (job->tag_len > MaxTagLen && !has_long_tag(job))) {
    return 0;
  }
  uint64_t *w = entries[0].w;
  uint64_t slots =
      (by_slot ? TILE_ENCODE(descriptor_control, .key_slot = true, .slot = (uint8_t)job->slot)
               : 0) |
      (unwrap ? TILE_ENCODE(descriptor_control, .unwrap = true, .target = (uint8_t)job->unwrap_slot)
              : 0);
  w[TileDescriptorControl] =
      slots | TILE_ENCODE(descriptor_control, .opcode = job->opcode, .mode = job->mode,
                          .decrypt = job->decrypt, .ctx_load = job->ctx_load,
                          .ctx_save = job->ctx_save, .more = job->more, .key_len = job->key_len,
                          .src_list = job->src_list, .dst_list = job->dst_list, .irq = job->irq,
                          .fence = job->fence, .extension = extended, .key_bytes = job->key_bytes,
                          .iv_len = job->iv_len, .token = job->token, .kek_len = job->kek_len,
                          .aad_list = job->aad_list, .row = job->row);
  w[TileDescriptorSource] =
      TILE_ENCODE(descriptor_source, .src_addr = job->src, .generation = job->generation);
  w[TileDescriptorDestination] = TILE_ENCODE(descriptor_destination, .dst_addr = job->dst);
  w[TileDescriptorLengths] =
      TILE_ENCODE(descriptor_lengths, .msg_len = job->len, .aad_len = job->aad_len);
  w[TileDescriptorIv] = load64(&job->iv[0]);
  w[TileDescriptorIv + 1] = load64(&job->iv[8]);
  w[TileDescriptorAad] = TILE_ENCODE(descriptor_aad, .aad_addr = job->aad);
  w[TileDescriptorTag] = TILE_ENCODE(descriptor_tag, .tag_addr = job->tag);
  if (has_long_tag(job)) {
    w[TileDescriptorIv] = TILE_ENCODE(output_length, .output_len = job->tag_len);
    w[TileDescriptorIv + 1] = 0;
  } else {
    w[TileDescriptorTag] |= TILE_ENCODE(descriptor_tag, .tag_len = (uint8_t)job->tag_len);
  }
  if (extended) {
    w = entries[1].w;
    w[TileExtensionKey] = TILE_ENCODE(extension_key, .key_addr = job->key);
    w[TileExtensionContext] = TILE_ENCODE(extension_context, .context_addr = job->context);
    w[TileExtensionIv] = TILE_ENCODE(extension_iv, .iv_addr = job->long_iv);
    for (unsigned i = TileExtensionIv + 1; i < TileExtensionWords; i++) {
      w[i] = 0;
    }
  }
  return extended ? 2 : 1;
}

cryptile_status_t cry_tile_session(tile_session_t *session, const tile_job_t *job) {
  session->count = cry_tile_describe(job, session->entries);
  // What differs from job to job is put in later.
  uint64_t *w = session->entries[0].w;
  w[TileDescriptorSource] = TILE_ENCODE(descriptor_source, .generation = job->generation);
  w[TileDescriptorDestination] = w[TileDescriptorLengths] = 0;
  w[TileDescriptorAad] = 0;
  w[TileDescriptorTag] = TILE_ENCODE(
      descriptor_tag, .tag_len = tile_descriptor_tag_decode(w[TileDescriptorTag]).tag_len);
  if (!has_long_tag(job)) {
    w[TileDescriptorIv] = w[TileDescriptorIv + 1] = 0;
  }
  return session->count != 0 ? CRYPTILE_OK : CRYPTILE_ERR_PARAM;
}

uint32_t cry_tile_full_tag(unsigned opcode, unsigned mode) {
#define ROW(engine, of, bytes) \
  case (engine) << 8 | (of):   \
    return bytes;
  switch (opcode << 8 | mode) {
    TILE_FULL_TAGS(ROW)
    default:
      return 0;
  }
#undef ROW
}
