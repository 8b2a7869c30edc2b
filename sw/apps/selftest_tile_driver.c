// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <stddef.h>
#include <string.h>

#include "console.h"
#include "cryptile.h"
#include "gen/tile_regs.h"
#include "selftest_tile.h"
#include "selftest_vectors.h"
#include "tile_app.h"
#include "tile_engine.h"
#include "tile_io.h"

enum {
  Bytes = 1000,
  FilledBytes = 4096,
  LongBytes = 1 << 20,
  Jobs = 48,
  Slot = 2,
  KeySlot = 1,
  OtherSlot = 3
};

static uint8_t *const kFrom = (uint8_t *)SOC_HEAP_BASE;
static uint8_t *const kTo = (uint8_t *)SOC_HEAP_BASE + 2 * LongBytes;
static const uint32_t kLimit = 1000000;
static const tile_slot_use_t kAesForAll = {.opcode = TileAes,
                                           .modes = 1u << TileAesEcb,
                                           .key_len = 16,
                                           .encrypt = true,
                                           .decrypt = true,
                                           .queues = 0xf};

static tile_ring_t *ring;
static const char *current;
static bool good;

#define CHECK(condition) \
  do {                   \
    if (!(condition)) {  \
      failed(__LINE__);  \
    }                    \
  } while (0)

static void failed(int line) {
  if (good) {
    cry_console_text("FAIL driver: ");
    cry_console_text(current);
    cry_console_text(", line ");
    cry_console_decimal((uint32_t)line);
    cry_console_text("\n");
  }
  good = false;
}

static tile_job_t plain_job(tile_opcode_t opcode) {
  return (tile_job_t){.opcode = opcode, .slot = TileNoSlot, .unwrap_slot = TileNoSlot};
}

static tile_job_t copy_job(const void *src, void *dst, uint32_t len) {
  tile_job_t job = plain_job(TileCopy);
  job.src = tile_address(src);
  job.dst = tile_address(dst);
  job.len = len;
  return job;
}

// ECB with the first key of the known answers.
static tile_job_t aes_job(void *dst) {
  tile_job_t job = plain_job(TileAes);
  job.key = tile_address(kKeys[0]);
  job.src = tile_address(kPlain);
  job.dst = tile_address(dst);
  job.len = sizeof(kPlain);
  return job;
}

// The tile still does what it should.
static void check_works(void) {
  tile_job_t job = aes_job(kTo);
  memset(kTo, 0, sizeof(kPlain));
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(memcmp(kTo, kCipher[CRYPTILE_ECB][0], sizeof(kPlain)) == 0);
}

static void reopen(void) {
  CHECK(tile_app_open(ring, 0) == CRYPTILE_OK);
}

static void features(void) {
  tile_features_t built = cry_tile_features();
  CHECK(built.queues >= 1 && built.slots >= 4 && built.windows >= 1);
  CHECK((built.engines & 7) == (1u << TileNop | 1u << TileCopy | 1u << TileAes));
}

static void wait_for(unsigned jobs) {
  uint64_t start = tile_now();
  while (!cry_tile_ready(ring, jobs) && tile_now() - start < kLimit) {
  }
  CHECK(cry_tile_ready(ring, jobs));
}

// More jobs than the ring has entries, of all lengths, with jobs of two entries between them.
static void many(void) {
  uint16_t index[Jobs];
  uint8_t *aes_to = kTo + LongBytes;
  for (unsigned round = 0; round < 3; round++) {
    memset(kTo, 0, Jobs * 64);
    for (unsigned i = 0; i < Jobs; i++) {
      tile_job_t job =
          i % 3 == 0 ? aes_job(aes_to + 64 * i) : copy_job(kFrom + 3 * i, kTo + 64 * i + i % 16, i);
      CHECK(cry_tile_submit(ring, &job, &index[i]) == CRYPTILE_OK);
    }
    cry_tile_notify(ring);
    uint32_t seen[2] = {0, 0};
    wait_for(Jobs);
    for (unsigned i = 0; i < Jobs; i++) {
      tile_result_t result = {0};
      CHECK(cry_tile_poll(ring, &result) && result.status == CRYPTILE_OK);
      unsigned which = 0;
      while (which < Jobs && index[which] != result.index) {
        which++;
      }
      CHECK(which < Jobs && result.bytes == (which % 3 == 0 ? 64 : which));
      if (which < Jobs) {
        seen[which / 32] |= 1u << which % 32;
      }
    }
    CHECK(seen[0] == UINT32_MAX && seen[1] == (1u << (Jobs - 32)) - 1);
    CHECK(!cry_tile_poll(ring, NULL));
    for (unsigned i = 0; i < Jobs; i++) {
      CHECK(i % 3 == 0 ? memcmp(aes_to + 64 * i, kCipher[CRYPTILE_ECB][0], 64) == 0
                       : memcmp(kTo + 64 * i + i % 16, kFrom + 3 * i, i) == 0);
    }
  }
}

static void full_ring(void) {
  tile_job_t job = plain_job(TileNop);
  reopen();
  for (unsigned i = 0; i < 1u << TileAppRingLog2; i++) {
    CHECK(cry_tile_submit(ring, &job, NULL) == CRYPTILE_OK);
  }
  CHECK(cry_tile_submit(ring, &job, NULL) == CRYPTILE_ERR_BUSY);
  CHECK(!cry_tile_ready(ring, 1) && !cry_tile_poll(ring, NULL));
  cry_tile_notify(ring);
  wait_for(1u << TileAppRingLog2);
  for (unsigned i = 0; i < 1u << TileAppRingLog2; i++) {
    tile_result_t result = {0};
    CHECK(cry_tile_poll(ring, &result) && result.status == CRYPTILE_OK && result.index == i);
  }
  check_works();
}

// Jobs of two sessions in turns, once round the ring and on: one with its key in its extension, one
// with lists.
static void sessions(void) {
  static _Alignas(16) tile_piece_t from[Jobs], to[Jobs];
  tile_session_t keyed, scattered;
  tile_result_t result;
  tile_job_t job = aes_job(NULL);
  job.mode = CRYPTILE_CTR;
  job.len = 1;  // what each job brings counts
  job.tag = tile_address(kTo);
  memset(job.iv, 0xff, sizeof(job.iv));
  CHECK(cry_tile_session(&keyed, &job) == CRYPTILE_OK);
  job = plain_job(TileCopy);
  job.src_list = job.dst_list = true;
  CHECK(cry_tile_session(&scattered, &job) == CRYPTILE_OK);
  job.mode = 16;
  CHECK(cry_tile_session(&scattered, &job) == CRYPTILE_ERR_PARAM);
  job.mode = 0;
  CHECK(cry_tile_session(&scattered, &job) == CRYPTILE_OK);
  reopen();
  for (unsigned i = 0; i < 2 * (1u << TileAppRingLog2) / 3 + 1; i++) {
    tile_place_t place = {
        .src = tile_address(kPlain), .dst = tile_address(kTo + 128 * i), .len = sizeof(kPlain)};
    memcpy(place.iv, kIvs[CRYPTILE_CTR], sizeof(place.iv));
    CHECK(cry_tile_start(ring, &keyed, &place) == CRYPTILE_OK);
    from[i % Jobs] = (tile_piece_t){(uintptr_t)kFrom + i, 64, TilePieceLast};
    to[i % Jobs] = (tile_piece_t){(uintptr_t)kTo + 128 * i + 64, 64, TilePieceLast};
    place = (tile_place_t){.src = tile_address(&from[i % Jobs]),
                           .dst = tile_address(&to[i % Jobs]),
                           .len = 64 - i % 16};
    uint16_t index;
    CHECK(cry_tile_session_submit(ring, &scattered, &place, &index) == CRYPTILE_OK);
    CHECK(index == (uint16_t)(3 * i + 2));
    cry_tile_notify(ring);
    CHECK(cry_tile_wait(ring, kLimit, &result) == CRYPTILE_OK);
    CHECK(cry_tile_wait(ring, kLimit, &result) == CRYPTILE_OK);
    CHECK(memcmp(kTo + 128 * i, kCipher[CRYPTILE_CTR][0], 64) == 0);
    CHECK(memcmp(kTo + 128 * i + 64, kFrom + i, 64 - i % 16) == 0);
  }
}

// The ring is full of jobs of a session: by entries, then by jobs.
static void full_of_sessions(void) {
  tile_session_t session;
  tile_place_t place = {0};
  tile_job_t job = aes_job(NULL);
  CHECK(cry_tile_session(&session, &job) == CRYPTILE_OK);
  reopen();
  for (unsigned round = 0; round < 2; round++) {
    unsigned jobs = 0;
    while (cry_tile_session_submit(ring, &session, &place, NULL) == CRYPTILE_OK) {
      jobs++;
    }
    CHECK(jobs == 1u << (TileAppRingLog2 - 1));
    CHECK(cry_tile_start(ring, &session, &place) == CRYPTILE_ERR_BUSY);
    CHECK(!cry_tile_ready(ring, 1));
    cry_tile_notify(ring);
    wait_for(jobs);
    tile_result_t result;
    while (cry_tile_poll(ring, &result)) {
      CHECK(result.status == CRYPTILE_OK && result.bytes == 0);
    }
  }
  check_works();
}

static void lists(void) {
  static _Alignas(16) tile_piece_t from[3], to[4];
  const uint32_t from_len[] = {1, 700, 299}, to_len[] = {333, 16, 17, 700};
  uint32_t at = 0;
  for (int i = 0; i < 3; i++) {
    from[i] = (tile_piece_t){(uintptr_t)kFrom + at, from_len[i], i == 2 ? TilePieceLast : 0};
    at += from_len[i];
  }
  for (int i = 0; i < 4; i++) {
    to[i] =
        (tile_piece_t){(uintptr_t)kTo + 4099u * (unsigned)i, to_len[i], i == 3 ? TilePieceLast : 0};
  }
  tile_job_t job = copy_job(from, to, Bytes);
  job.src_list = job.dst_list = true;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  at = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t len = to_len[i] < Bytes - at ? to_len[i] : Bytes - at;
    CHECK(memcmp(kTo + 4099 * i, kFrom + at, len) == 0);
    at += len;
  }
}

// AES-GCM with associated data in a list, in a row, in a row of pieces, and there and back in its
// place; associated data and tag are cut in the midst, and some pieces are empty.
static void rows(void) {
  enum { Aad = 20, Text = 50, Tag = 16, All = Aad + Text + Tag };
  static const uint8_t kNonce[12] = {1};
  static _Alignas(16) tile_piece_t aad[3], from[3], to[6];
  uint8_t *made = kTo, *other = kTo + 0x1000;
  const tile_alg_t *gcm = cry_tile_alg("aes-128-gcm");
  tile_message_t message = {.key = kKeys[0],
                            .key_len = 16,
                            .iv = kNonce,
                            .iv_len = sizeof(kNonce),
                            .aad = kFrom,
                            .aad_len = Aad,
                            .in = kFrom + Aad,
                            .out = made + Aad,
                            .len = Text,
                            .tag = made + Aad + Text};
  tile_job_t job;
  memcpy(made, kFrom, Aad);
  memset(other, 0x5a, All);
  aad[0] = (tile_piece_t){tile_address(kFrom), 3, 0};
  aad[1] = (tile_piece_t){0, 0, 0};
  aad[2] = (tile_piece_t){tile_address(kFrom + 3), Aad - 3, TilePieceLast};
  CHECK(cry_tile_prepare(gcm, &message, &job) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  memcpy(other, made, All);
  memset(made + Aad, 0, Text + Tag);
  job.aad = tile_address(aad);
  job.aad_list = true;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(memcmp(made, other, All) == 0);

  message.row = true;
  message.aad = NULL;
  message.tag = NULL;
  message.in = kFrom;
  message.out = made;
  CHECK(cry_tile_prepare(cry_tile_alg("aes-128-ctr"), &message, &job) == CRYPTILE_ERR_PARAM);
  CHECK(cry_tile_prepare(cry_tile_alg("hmac-sha256"), &message, &job) == CRYPTILE_ERR_PARAM);
  memset(made, 0x5a, All);
  CHECK(cry_tile_prepare(gcm, &message, &job) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(made[0] == 0x5a && memcmp(made, made + 1, Aad - 1) == 0);
  CHECK(memcmp(made + Aad, other + Aad, Text + Tag) == 0);

  memset(made, 0x5a, All);
  from[0] = (tile_piece_t){tile_address(kFrom), Aad - 1, 0};
  from[1] = (tile_piece_t){0, 0, 0};
  from[2] = (tile_piece_t){tile_address(kFrom + Aad - 1), Text + 1, TilePieceLast};
  const uint32_t kLens[] = {0, Aad + 1, 17, Text - 18 + 5, 0, Tag - 5};
  uint32_t at = 0;
  for (unsigned i = 0; i < 6; i++) {
    to[i] = (tile_piece_t){tile_address(made + at), kLens[i], i == 5 ? TilePieceLast : 0};
    at += kLens[i];
  }
  job.src = tile_address(from);
  job.dst = tile_address(to);
  job.src_list = job.dst_list = true;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(made[0] == 0x5a && memcmp(made, made + 1, Aad - 1) == 0);
  CHECK(memcmp(made + Aad, other + Aad, Text + Tag) == 0);

  memcpy(made, kFrom, Aad);
  job.src = job.dst;
  job.decrypt = true;
  made[All - 1] ^= 1;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_AUTH);
  CHECK(memcmp(made, kFrom, Aad) == 0 && made[Aad] == 0);
  CHECK(memcmp(made + Aad, made + Aad + 1, Text - 1) == 0);
  memcpy(made + Aad, other + Aad, Text + Tag);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(memcmp(made, kFrom, Aad + Text) == 0);
  CHECK(memcmp(made + Aad + Text, other + Aad + Text, Tag) == 0);
  job.aad_list = true;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_PARAM);
}

static void fence(void) {
  tile_result_t result;
  tile_job_t first = aes_job(kTo);
  tile_job_t second = copy_job(kTo, kTo + 128, 64);
  second.fence = true;
  CHECK(cry_tile_submit(ring, &first, NULL) == CRYPTILE_OK);
  CHECK(cry_tile_submit(ring, &second, NULL) == CRYPTILE_OK);
  cry_tile_notify(ring);
  CHECK(cry_tile_wait(ring, kLimit, &result) == CRYPTILE_OK);
  CHECK(cry_tile_wait(ring, kLimit, &result) == CRYPTILE_OK);
  CHECK(memcmp(kTo + 128, kCipher[CRYPTILE_ECB][0], 64) == 0);
}

static void bad_jobs(void) {
  tile_job_t job = plain_job((tile_opcode_t)15);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_PARAM);
  check_works();
  job = aes_job(kTo);
  job.len = 15;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_SUPPORT);
  check_works();
  job = aes_job(kTo);
  job.key_len = 3;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_SUPPORT);
  check_works();
  job = aes_job(kTo);
  job.tag_len = 256;
  CHECK(cry_tile_submit(ring, &job, NULL) == CRYPTILE_ERR_PARAM);
}

static bool all_are(const uint8_t *bytes, size_t len, uint8_t value) {
  uint8_t other = 0;
  for (size_t i = 0; i < len; i++) {
    other |= bytes[i] ^ value;
  }
  return other == 0;
}

// Some pages from the second of the target on are closed; the rings behind them are not.
static void windows(void) {
  const unsigned kBoth = TileWindowRead | TileWindowWrite;
  uintptr_t border = (uintptr_t)(kTo + 0x10000) & ~(uintptr_t)0xfff;
  uintptr_t behind = border + 0x10000;
  tile_job_t job = copy_job(kFrom, (void *)(border - 100), Bytes);
  memset((void *)border, 0x77, Bytes);
  tile_publish();
  CHECK(cry_tile_window(0, 1, behind, SOC_MEMORY_BASE + SOC_MEMORY_SIZE - behind, kBoth) ==
        CRYPTILE_OK);
  CHECK(cry_tile_window(0, 0, SOC_MEMORY_BASE, border - SOC_MEMORY_BASE, kBoth) == CRYPTILE_OK);
  memset((void *)(border - 100), 0x77, 100);
  tile_publish();
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_BUS);
  CHECK(all_are((uint8_t *)border, Bytes, 0x77));
  // In front of the border what was copied is zeroized, and the rest stays: one border between
  // them.
  unsigned zeroized = 0;
  while (zeroized < 100 && ((uint8_t *)border - 100)[zeroized] == 0) {
    zeroized++;
  }
  CHECK(all_are((uint8_t *)border - 100 + zeroized, 100 - zeroized, 0x77));
  check_works();
  CHECK(cry_tile_window(0, 1, 0, 0, 0) == CRYPTILE_OK);
  CHECK(cry_tile_window(0, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE, kBoth) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(memcmp((uint8_t *)border - 100, kFrom, Bytes) == 0);
}

// What is no window is refused, and changes none.
static void bad_windows(void) {
  const struct {
    uint64_t base, size;
    unsigned queue, window, flags;
  } kBad[] = {
      {SOC_HEAP_BASE + 1, TilePage, 0, 0, TileWindowRead},
      {SOC_HEAP_BASE + TilePage / 2, TilePage, 0, 0, TileWindowRead},
      {SOC_HEAP_BASE, TilePage - 1, 0, 0, TileWindowRead},
      {SOC_HEAP_BASE, TilePage + 1, 0, 0, TileWindowRead},
      {SOC_HEAP_BASE, 1, 0, 0, TileWindowRead},
      {SOC_HEAP_BASE, 0, 0, 0, TileWindowRead},
      {SOC_HEAP_BASE, TilePage, 0, 0, 4},
      {SOC_HEAP_BASE, TilePage, 0, cry_tile_features().windows, TileWindowRead},
      {SOC_HEAP_BASE, TilePage, cry_tile_features().queues, 0, TileWindowRead},
      {(1ull << 56) - TilePage, 2 * TilePage, 0, 0, TileWindowRead},
      {1ull << 56, TilePage, 0, 0, TileWindowRead},
      {UINT64_MAX - TilePage + 1, TilePage, 0, 0, TileWindowRead},
      {TilePage, UINT64_MAX - TilePage + 1, 0, 0, TileWindowRead},
  };
  for (unsigned i = 0; i < sizeof(kBad) / sizeof(kBad[0]); i++) {
    CHECK(cry_tile_window(kBad[i].queue, kBad[i].window, kBad[i].base, kBad[i].size,
                          kBad[i].flags) == CRYPTILE_ERR_PARAM);
  }
  check_works();
}

// Who opens a queue gets no window of who had it before.
static void former_windows(void) {
  const unsigned kBoth = TileWindowRead | TileWindowWrite;
  tile_job_t job = copy_job(kFrom, kTo, Bytes);
  for (unsigned window = 0; window < cry_tile_features().windows; window++) {
    CHECK(cry_tile_window(0, window, SOC_MEMORY_BASE, SOC_MEMORY_SIZE, kBoth) == CRYPTILE_OK);
  }
  reopen();
  CHECK(cry_tile_window(0, 0, 0, 0, 0) == CRYPTILE_OK);  // the only one
  memset(kTo, 0x77, Bytes);
  CHECK(cry_tile_run(ring, &job, 5000) == CRYPTILE_ERR_TIMEOUT);
  CHECK(all_are(kTo, Bytes, 0x77));
  reopen();
  check_works();
}

// Without a key, or with two, nothing is done.
static void keys(void) {
  const struct {
    uint8_t opcode, mode;
  } kKeyed[] = {{TileAes, 0},
                {TileAes, 3},
                {TileAes, 5},
                {TileSha2, 8},
                {TileSha2, 13},
                {TileKeccak, 8},
                {TileKeccak, 11},
                {TileChaCha20Poly1305, 0},
                {TileChaCha20Poly1305, 1},
                {TileChaCha20Poly1305, 2}};
  static _Alignas(16) uint8_t context[TileContextBytes];
  memset(kTo, 0x77, sizeof(kPlain));
  for (unsigned i = 0; i < sizeof(kKeyed) / sizeof(kKeyed[0]); i++) {
    tile_job_t job = aes_job(kTo);
    job.opcode = kKeyed[i].opcode;
    job.mode = kKeyed[i].mode;
    job.slot = Slot;
    CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_PARAM);
    job.key = 0;
    job.slot = TileNoSlot;
    CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_PARAM);
    job.ctx_save = true;  // of which the descriptor has an extension, with a place for the key
    job.context = tile_address(context);
    CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_PARAM);
  }
  CHECK(all_are(kTo, sizeof(kPlain), 0x77));
  check_works();
}

static tile_job_t slot_job(int slot) {
  tile_job_t job = aes_job(kTo);
  job.key = 0;
  job.slot = (int16_t)slot;
  return job;
}

static void slots(void) {
  tile_slot_use_t use = kAesForAll;
  tile_job_t job = slot_job(Slot);
  memset(kTo, 0, sizeof(kPlain));
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 16) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(memcmp(kTo, kCipher[CRYPTILE_ECB][0], sizeof(kPlain)) == 0);
  use.queues = 2;
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 16) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  use = kAesForAll;
  use.encrypt = false;
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 16) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_slot_clear(Slot) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_slot_write(64, &use, kKeys[0], 16) == CRYPTILE_ERR_PARAM);
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 17) == CRYPTILE_ERR_PARAM);
  // Another mode, an earlier key, and one job too many.
  use = kAesForAll;
  use.modes = 1u << TileAesCbc;
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 16) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  use = kAesForAll;
  use.counted = true;
  use.uses = 1;
  job.generation = cry_tile_slot_generation(Slot);
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 16) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  job.generation = cry_tile_slot_generation(Slot);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_slot_clear(Slot) == CRYPTILE_OK);
  check_works();
}

// Messages whose key is in a slot.
static void messages_by_slot(void) {
  const tile_alg_t *ecb = cry_tile_alg("aes-128-ecb");
  tile_message_t message = {.key_len = 16, .in = kPlain, .out = kTo, .len = sizeof(kPlain)};
  tile_job_t job;
  CHECK(cry_tile_slot_write(Slot, &kAesForAll, kKeys[0], 16) == CRYPTILE_OK);
  const uint8_t generation = cry_tile_slot_generation(Slot);
  CHECK(cry_tile_prepare(ecb, &message, &job) == CRYPTILE_ERR_PARAM);
  for (unsigned said = 0; said < 2; said++) {
    memset(kTo, 0, sizeof(kPlain));
    CHECK(cry_tile_prepare_by_slot(ecb, &message, Slot, said ? generation : 0, &job) ==
          CRYPTILE_OK);
    CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
    CHECK(memcmp(kTo, kCipher[CRYPTILE_ECB][0], sizeof(kPlain)) == 0);
  }
  CHECK(cry_tile_prepare_by_slot(ecb, &message, Slot, generation ^ 1, &job) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_prepare_by_slot(ecb, &message, 256, 0, &job) == CRYPTILE_ERR_PARAM);
  CHECK(cry_tile_prepare_by_slot(ecb, NULL, Slot, 0, &job) == CRYPTILE_ERR_PARAM);
  CHECK(cry_tile_prepare_by_slot(cry_tile_alg("sha256"), &message, Slot, 0, &job) ==
        CRYPTILE_ERR_PARAM);
  message.key_len = 17;
  CHECK(cry_tile_prepare_by_slot(ecb, &message, Slot, 0, &job) == CRYPTILE_ERR_PARAM);
  message.key_len = 32;
  CHECK(cry_tile_prepare_by_slot(cry_tile_alg("poly1305"), &message, Slot, 0, &job) ==
        CRYPTILE_ERR_PARAM);
  CHECK(cry_tile_slot_clear(Slot) == CRYPTILE_OK);
}

// What the registers of a slot cannot hold is refused, and not cut to something else.
static void bad_slots(void) {
  static const uint8_t kOpcodes[] = {16, 16 + TileAes, 0x80 + TileAes, UINT8_MAX};
  static const uint8_t kTags[] = {TileAnyTag + 1, TileAnyTag + 1 + 4, UINT8_MAX};
  static uint8_t aad[16];
  tile_job_t job = slot_job(Slot);
  tile_slot_use_t use = kAesForAll;
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 16) == CRYPTILE_OK);
  const uint8_t before = cry_tile_slot_generation(Slot);
  for (unsigned i = 0; i < sizeof(kOpcodes); i++) {
    use.opcode = kOpcodes[i];
    CHECK(cry_tile_slot_write(Slot, &use, kKeys[1], 16) == CRYPTILE_ERR_PARAM);
    CHECK(cry_tile_wrapped_as(&use, KeySlot, aad) == CRYPTILE_ERR_PARAM);
  }
  use = kAesForAll;
  for (unsigned i = 0; i < sizeof(kTags); i++) {
    use.tag_len = kTags[i];
    CHECK(cry_tile_slot_write(Slot, &use, kKeys[1], 16) == CRYPTILE_ERR_PARAM);
    CHECK(cry_tile_wrapped_as(&use, KeySlot, aad) == CRYPTILE_ERR_PARAM);
  }
  CHECK(cry_tile_wrapped_as(&kAesForAll, TileAnySlot + 1, aad) == CRYPTILE_ERR_PARAM);
  CHECK(cry_tile_slot_generation(Slot) == before);
  memset(kTo, 0, sizeof(kPlain));
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(memcmp(kTo, kCipher[CRYPTILE_ECB][0], sizeof(kPlain)) == 0);
  CHECK(cry_tile_slot_clear(Slot) == CRYPTILE_OK);
}

// A key arrives wrapped, and is used without having been seen.
static void unwrap(void) {
  static uint8_t aad[16], nonce[12], tag[16];
  uint8_t *wrapped = kTo + 0x1000;
  tile_slot_use_t kek = {.opcode = TileAes,
                         .modes = 1u << TileAesGcm,
                         .key_len = 32,
                         .decrypt = true,
                         .unwrap_only = true,
                         .queues = 0xf};
  tile_job_t job;
  CHECK(cry_tile_wrapped_as(&kAesForAll, KeySlot, aad) == CRYPTILE_OK);
  tile_message_t message = {.key = kKeys[2],
                            .key_len = 32,
                            .iv = nonce,
                            .iv_len = sizeof(nonce),
                            .aad = aad,
                            .aad_len = sizeof(aad),
                            .in = kKeys[0],
                            .out = wrapped,
                            .len = 16,
                            .tag = tag};
  CHECK(cry_tile_prepare(cry_tile_alg("aes-256-gcm"), &message, &job) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(cry_tile_slot_write(OtherSlot, &kek, kKeys[2], 32) == CRYPTILE_OK);
  job.decrypt = true;
  job.key = 0;
  job.slot = OtherSlot;
  job.unwrap_slot = KeySlot;
  job.src = tile_address(wrapped);
  job.dst = 0;
  tag[3] ^= 1;
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_ERR_AUTH);
  tag[3] ^= 1;
  tile_job_t use = slot_job(KeySlot);
  CHECK(cry_tile_run(ring, &use, kLimit) == CRYPTILE_ERR_KEY);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &use, kLimit) == CRYPTILE_OK);
  CHECK(memcmp(kTo, kCipher[CRYPTILE_ECB][0], sizeof(kPlain)) == 0);
  // The same by pointer, under an IV of 16 bytes, for one job; the job's own key is in the token.
  static _Alignas(16) uint8_t token[64];
  CHECK(cry_tile_wrapped_as(&kAesForAll, TileAnySlot, token) == CRYPTILE_OK);
  message.aad = token;
  message.iv = token + 16;
  message.iv_len = 16;
  message.out = token + 32;
  message.tag = token + 48;
  CHECK(cry_tile_prepare(cry_tile_alg("aes-256-gcm"), &message, &job) == CRYPTILE_OK);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
  memset(kTo, 0, sizeof(kPlain));
  use = slot_job(OtherSlot);
  use.token = true;
  use.kek_len = 2;
  use.key = tile_address(token);
  for (unsigned byte = 0; byte < sizeof(token); byte += 7) {
    token[byte] ^= 1;
    CHECK(cry_tile_run(ring, &use, kLimit) == CRYPTILE_ERR_KEY);
    token[byte] ^= 1;
  }
  CHECK(cry_tile_run(ring, &use, kLimit) == CRYPTILE_OK);
  CHECK(memcmp(kTo, kCipher[CRYPTILE_ECB][0], sizeof(kPlain)) == 0);
  // The key of keys does nothing else.
  use = slot_job(OtherSlot);
  CHECK(cry_tile_run(ring, &use, kLimit) == CRYPTILE_ERR_KEY);
}

static void interrupts(void) {
  tile_job_t job = copy_job(kFrom, kTo, LongBytes / 16);
  job.irq = true;
  for (int i = 0; i < 3; i++) {
    memset(kTo, 0, Bytes);
    CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
    CHECK(memcmp(kFrom, kTo, Bytes) == 0);
  }
}

static void too_late(bool asleep) {
  tile_result_t result;
  tile_job_t job = copy_job(kFrom, kTo, LongBytes);
  job.irq = asleep;
  memset(kTo, 0, FilledBytes);
  CHECK(cry_tile_run(ring, &job, 500) == CRYPTILE_ERR_TIMEOUT);
  CHECK(cry_tile_submit(ring, &job, NULL) == CRYPTILE_ERR_STATE);
  CHECK(!cry_tile_ready(ring, 1) && !cry_tile_poll(ring, NULL));
  CHECK(cry_tile_wait(ring, kLimit, &result) == CRYPTILE_ERR_STATE);
  CHECK(cry_tile_abort(ring) == CRYPTILE_ERR_STATE);
  // What was copied is zeroized, and nothing is written any more.
  for (unsigned i = 0; i < 2; i++) {
    CHECK(all_are(kTo, FilledBytes, 0));
    for (uint64_t start = tile_now(); tile_now() - start < 5000;) {
    }
  }
  reopen();
  check_works();
}

static void queues(void) {
  static tile_ring_t rings[TileAppQueues];
  unsigned count = cry_tile_features().queues;
  for (unsigned q = 0; q < count && q < TileAppQueues; q++) {
    CHECK(tile_app_open(&rings[q], q) == CRYPTILE_OK);
    for (unsigned i = 0; i < 8; i++) {
      tile_job_t job = aes_job(kTo + 1024 * q + 64 * i);
      CHECK(cry_tile_submit(&rings[q], &job, NULL) == CRYPTILE_OK);
    }
    cry_tile_notify(&rings[q]);
  }
  for (unsigned i = 0; i < 8; i++) {
    for (unsigned q = 0; q < count && q < TileAppQueues; q++) {
      tile_result_t result;
      CHECK(cry_tile_wait(&rings[q], kLimit, &result) == CRYPTILE_OK);
      CHECK(memcmp(kTo + 1024 * q + 64 * i, kCipher[CRYPTILE_ECB][0], 64) == 0);
    }
  }
  CHECK(tile_app_open(&rings[0], TileAppQueues) == CRYPTILE_ERR_PARAM);
  reopen();
}

// cryptile.h over the tile: a message in uneven chunks.
static void api(const cryptile_cipher_impl_t *impl, int key_lengths) {
  static cryptile_cipher_ctx_t ctx;
  cry_tile_engine_use(ring);
  for (int mode = CRYPTILE_ECB; mode <= CRYPTILE_CTR; mode++) {
    for (int bits = 0; bits < key_lengths; bits++) {
      cryptile_cipher_params_t params = {.mode = (cryptile_cipher_mode_t)mode,
                                         .key = kKeys[bits],
                                         .key_len = 16 + 8 * (size_t)bits,
                                         .iv = kIvs[mode]};
      size_t got = 0, more;
      CHECK(cryptile_cipher_init(&ctx, impl, &params) == CRYPTILE_OK);
      CHECK(cryptile_cipher_update(&ctx, kPlain, 23, kTo, 64, &got) == CRYPTILE_OK);
      CHECK(cryptile_cipher_update(&ctx, kPlain + 23, 41, kTo + got, 64, &more) == CRYPTILE_OK);
      got += more;
      CHECK(cryptile_cipher_final(&ctx, kTo + got, 16, &more) == CRYPTILE_OK);
      CHECK(got + more == 64 && memcmp(kTo, kCipher[mode][bits], 64) == 0);
      params.direction = CRYPTILE_DECRYPT;
      CHECK(cryptile_cipher_crypt(impl, &params, kCipher[mode][bits], 64, kTo, 64, &got) ==
            CRYPTILE_OK);
      CHECK(got == 64 && memcmp(kTo, kPlain, 64) == 0);
    }
  }
}

static void api_polling(void) {
  api(&cryptile_aes_tile_poll, 3);
}

static void api_asleep(void) {
  api(&cryptile_aes_tile_sleep, 1);
}

static void late_polling(void) {
  too_late(false);
}

static void late_asleep(void) {
  too_late(true);
}

// What the register of coalescing cannot hold is refused, and not cut to something else.
static void coalescing(void) {
  enum { MaxTimeout = 0xffff * 16 };
  static const struct {
    unsigned count, timeout;
    cryptile_status_t status;
    uint32_t coalesce;
  } kCases[] = {
      {0, 0, CRYPTILE_OK, 0},
      {1, 1, CRYPTILE_OK, 0x00010001},
      {255, 16, CRYPTILE_OK, 0x000100ff},
      {7, 17, CRYPTILE_OK, 0x00020007},
      {255, MaxTimeout, CRYPTILE_OK, 0xffff00ff},
      {0, MaxTimeout - 15, CRYPTILE_OK, 0xffff0000},
      {0, MaxTimeout + 1, CRYPTILE_ERR_PARAM, 0},
      {0, MaxTimeout + 16, CRYPTILE_ERR_PARAM, 0},
      {1, UINT32_MAX - 15, CRYPTILE_ERR_PARAM, 0},
      {1, UINT32_MAX, CRYPTILE_ERR_PARAM, 0},
      {256, 0, CRYPTILE_ERR_PARAM, 0},
      {257, 16, CRYPTILE_ERR_PARAM, 0},
      {1u << 16, 0, CRYPTILE_ERR_PARAM, 0},
      {UINT32_MAX, UINT32_MAX, CRYPTILE_ERR_PARAM, 0},
  };
  enum { Queue = 3, RingLog2 = 2 };
  for (unsigned i = 0; i < sizeof(kCases) / sizeof(kCases[0]); i++) {
    const tile_queue_config_t config = {.number = Queue,
                                        .ring = (tile_entry_t *)kTo,
                                        .completions = (tile_completion_t *)(kTo + 4096),
                                        .ring_log2 = RingLog2,
                                        .irq_count = kCases[i].count,
                                        .irq_timeout = kCases[i].timeout};
    tile_ring_t other;
    cryptile_status_t status = cry_tile_open(&other, &config);
    CHECK(status == kCases[i].status);
    if (status == CRYPTILE_OK) {
      CHECK(tile_read(offsetof(tile_t, QUEUE[Queue].COALESCE)) == kCases[i].coalesce);
      CHECK(cry_tile_abort(&other) == CRYPTILE_OK);
    }
  }
}

// The last one: it holds until reset.
static void seal(void) {
  tile_slot_use_t use = kAesForAll;
  use.lock = true;
  CHECK(cry_tile_slot_write(Slot, &use, kKeys[0], 16) == CRYPTILE_OK);
  CHECK(cry_tile_slot_clear(Slot) == CRYPTILE_ERR_KEY);
  cry_tile_seal();
  CHECK(cry_tile_slot_write(OtherSlot, &use, kKeys[0], 16) == CRYPTILE_ERR_KEY);
  tile_job_t job = slot_job(Slot);
  CHECK(cry_tile_run(ring, &job, kLimit) == CRYPTILE_OK);
}

static const struct {
  const char *name;
  void (*run)(void);
} kTests[] = {
    {"features", features},
    {"many jobs", many},
    {"full ring", full_ring},
    {"sessions", sessions},
    {"full of sessions", full_of_sessions},
    {"lists", lists},
    {"rows", rows},
    {"fence", fence},
    {"bad jobs", bad_jobs},
    {"windows", windows},
    {"bad windows", bad_windows},
    {"former windows", former_windows},
    {"keys", keys},
    {"key slots", slots},
    {"messages by slot", messages_by_slot},
    {"bad key slots", bad_slots},
    {"wrapped keys", unwrap},
    {"interrupts", interrupts},
    {"coalescing", coalescing},
    {"time-out, polling", late_polling},
    {"time-out, asleep", late_asleep},
    {"all queues", queues},
    {"cryptile.h, polling", api_polling},
    {"cryptile.h, asleep", api_asleep},
    {"seal", seal},
};

unsigned selftest_tile_driver(tile_ring_t *used) {
  unsigned failures = 0;
  ring = used;
  for (unsigned i = 0; i < FilledBytes; i++) {
    kFrom[i] = (uint8_t)(i * 7 + (i >> 8));
  }
  for (unsigned i = 0; i < sizeof(kTests) / sizeof(kTests[0]); i++) {
    current = kTests[i].name;
    good = true;
    kTests[i].run();
    if (good) {
      cry_console_text("ok   driver: ");
      cry_console_text(current);
      cry_console_text("\n");
    }
    failures += !good;
  }
  return failures;
}
