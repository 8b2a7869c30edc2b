// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// A job of the tile as the entries of a ring that describe it. Bus addresses are numbers, of 56
// bits; to translate them, and to order the accesses to what lies there, is the port's.
//
// Holds for every function here:
// - Nothing but the arguments is read or written: no registers, no memory of a job.
// - Constant time: depends on lengths, modes and which addresses are 0, never on keys or data.
// - Alignment: that of the types. Aliasing: the arguments overlap nothing.
// - Reentrant; a frame of its own is all the stack that a function takes.
#ifndef CRYPTILE_DRIVER_TILE_JOB_H
#define CRYPTILE_DRIVER_TILE_JOB_H

#include "cryptile/status.h"
#include "gen/tile_catalog.h"
#include "gen/tile_layout.h"
#include "tile_types.h"

enum { TileMaxKey = 64, TileLongKey = 80, TileMaxIv = 1023 };
enum { TileNoSlot = -1 };

// Bytes of the longest key that jobs of an opcode may have.
static inline unsigned tile_longest_key(unsigned opcode) {
  return opcode == TilePka521 ? TileLongKey : TileMaxKey;
}

// One job. What is not used is 0. Key, IV, data, tag and context are named by bus addresses.
//
// In a row `src` is of associated data, message and, with `decrypt`, tag, one behind the other;
// `dst` has room for the associated data, which is left alone, then comes the message and, without
// `decrypt`, the tag. Each may be a list, also the same one. `aad` and `tag` are not used.
typedef struct {
  uint8_t opcode;              // tile_opcode_t
  uint8_t mode;                // the engine's
  bool decrypt;                // or verify
  bool ctx_load;               // go on from `context`
  bool ctx_save;               // and save it there at the end
  bool more;                   // a part of a message: others follow
  bool fence;                  // start when all earlier jobs of the queue are complete
  bool irq;                    // raise the queue's interrupt at the end
  bool src_list;               // src is an array of tile_piece_t
  bool dst_list;               // dst is one
  bool aad_list;               // aad is one
  bool row;                    // of an AEAD: all its data is in `src` and `dst`
  uint8_t key_len;             // 0, 1, 2: 128, 192, 256 bits of AES
  uint8_t key_bytes;           // where `key_len` and mode do not say them
  int16_t slot;                // key slot; TileNoSlot: the key is at `key`, or there is none
  uint8_t generation;          // of the slot's key; 0: any
  bool token;                  // `key` is wrapped under the key in the slot, for this job
  uint8_t kek_len;             // length of that one, as `key_len`
  int16_t unwrap_slot;         // destination is this key slot; TileNoSlot: memory
  uint16_t iv_len;             // 0: the mode's own length
  _Alignas(8) uint8_t iv[16];  // as the engine's mode wants it
  uint64_t key;  // by value of the descriptor's fields 16 to 80 bytes; 0: in a slot, or the mode
                 // has none. A job that has no key and needs one is refused. With `token`:
                 // associated data, IV of 16 bytes, wrapped key, tag of 16 bytes.
  uint64_t long_iv;  // iv_len bytes, where `iv` has no room for them; else 0
  uint64_t src;
  uint64_t dst;
  uint32_t len;  // bytes of message
  uint64_t aad;
  uint32_t aad_len;
  uint64_t tag;      // tag, digest or code: written, or compared when `decrypt`
  uint32_t tag_len;  // bytes of it; 0: all; beyond 255 only of an extendable output
  uint64_t context;  // TileContextBytes
} tile_job_t;

// A piece of a list: of a source, a destination or associated data.
typedef struct {
  uint64_t address;
  uint32_t len;    // 0: the piece is skipped; the tile refuses many of these in a row
  uint32_t flags;  // TilePieceLast
} tile_piece_t;
enum { TilePieceLast = 1 };

// An entry of the ring: a descriptor or its extension.
typedef struct {
  _Alignas(64) uint64_t w[8];
} tile_entry_t;

// What stays the same from job to job, as ring entries: algorithm, key, flags, lengths of IV and
// tag, context. The members are private.
typedef struct {
  tile_entry_t entries[2];
  unsigned count;
} tile_session_t;

// What changes from job to job, with bus addresses. What is not used is 0.
typedef struct {
  uint64_t src;
  uint64_t dst;
  uint64_t aad;
  uint64_t tag;
  uint32_t len;
  uint32_t aad_len;
  uint64_t iv[2];  // byte 0 in the lowest bits of the first word; 0 for TILE_MODES_WITH_LONG_TAG
} tile_place_t;

// Writes a job as ring entries. Pure: touches neither tile nor queue.
//
// Returns how many entries it takes, 1 or 2; 0: the job cannot be described.
CRYPTILE_MUST_CHECK unsigned cry_tile_describe(const tile_job_t *job, tile_entry_t entries[2]);

// Makes a session of a job: all that cry_tile_describe() checks is checked here, once. Of the job's
// `src`, `dst`, `aad`, `tag`, `len`, `aad_len` and `iv` nothing is kept. The session may be used
// for any queue, and as often as wanted; it does not refer to the job, but does to the job's key,
// long IV and context. It holds no key itself.
//
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: the job cannot be described.
CRYPTILE_MUST_CHECK cryptile_status_t cry_tile_session(tile_session_t *session,
                                                       const tile_job_t *job);

// Bytes of the tag, digest or code of an engine's mode if a job does not say how many; 0: none.
uint32_t cry_tile_full_tag(unsigned opcode, unsigned mode);

// A word of tile_layout.h.
#define TILE_ENCODE(word, ...) tile_##word##_encode((tile_##word##_t){__VA_ARGS__})

// Whether a job has an extension: it carries the addresses that most jobs do without.
static inline bool cry_tile_is_extended(const tile_job_t *job) {
  return job->key != 0 || job->ctx_load || job->ctx_save || job->long_iv != 0;
}

// Writes the first entry of a job of a session. The memory behind a write-through cache takes some
// cycles for each word: every word is written once, in order, and nothing else.
static inline void cry_tile_place(const tile_session_t *session, const tile_place_t *place,
                                  tile_entry_t *entry) {
  const uint64_t *from = session->entries[0].w;
  uint64_t *to = entry->w;
  to[TileDescriptorControl] = from[TileDescriptorControl];
  to[TileDescriptorSource] =
      from[TileDescriptorSource] | TILE_ENCODE(descriptor_source, .src_addr = place->src);
  to[TileDescriptorDestination] = TILE_ENCODE(descriptor_destination, .dst_addr = place->dst);
  to[TileDescriptorLengths] =
      TILE_ENCODE(descriptor_lengths, .msg_len = place->len, .aad_len = place->aad_len);
  to[TileDescriptorIv] = from[TileDescriptorIv] | place->iv[0];
  to[TileDescriptorIv + 1] = from[TileDescriptorIv + 1] | place->iv[1];
  to[TileDescriptorAad] = TILE_ENCODE(descriptor_aad, .aad_addr = place->aad);
  to[TileDescriptorTag] =
      from[TileDescriptorTag] | TILE_ENCODE(descriptor_tag, .tag_addr = place->tag);
}

#endif  // CRYPTILE_DRIVER_TILE_JOB_H
