// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile.h"

#include <string.h>

#include "gen/tile_layout.h"
#include "gen/tile_regs.h"
#include "tile_io.h"

// Only the offsets of the generated structs are used: they are packed, and the compiler would
// access their members by bytes.
#define AT(reg) offsetof(tile_t, reg)
#define QUEUE_AT(queue, reg)                                   \
  (AT(QUEUE[0]) + (queue) * sizeof(tile_queue__stride1000_t) + \
   offsetof(tile_queue__stride1000_t, reg))
#define SLOT_AT(slot, reg) \
  (AT(SLOT[0]) + (slot) * sizeof(tile_slot__stride80_t) + offsetof(tile_slot__stride80_t, reg))
#define PAGE_AT(ring, reg) ((ring)->page + offsetof(tile_page__stride1000_t, reg))
#define WINDOW_AT(queue, window, reg)                                               \
  (QUEUE_AT(queue, WINDOW[0]) + (window) * sizeof(tile_queue__WINDOW__stride20_t) + \
   offsetof(tile_queue__WINDOW__stride20_t, reg))

_Static_assert((TILE_QUEUE__COALESCE__COUNT_bm >> TILE_QUEUE__COALESCE__COUNT_bp) ==
                   TileMaxIrqCount,
               "the register's widest");
_Static_assert((TILE_QUEUE__COALESCE__TIMEOUT_bm >> TILE_QUEUE__COALESCE__TIMEOUT_bp) * 16 ==
                   TileMaxIrqTimeout,
               "the register's widest");

// Jobs that a queue drops end within this, unless the memory holds their data back for longer.
enum { AbortLimit = 1000000 };

// Entries of no bytes in a row that the tile skips: one more is a bad list.
enum { MaxEmpty = 15 };

enum {
  MaxWindows =
      sizeof(((tile_queue__stride1000_t *)0)->WINDOW) / sizeof(tile_queue__WINDOW__stride20_t)
};
static const uint64_t AddressEnd = 1ull << 56;

tile_features_t cry_tile_features(void) {
  uint32_t sizes = tile_read(AT(SIZES));
  return (tile_features_t){
      .engines = tile_read(AT(FEATURES)),
      .queues = (sizes & TILE__SIZES__QUEUES_bm) >> TILE__SIZES__QUEUES_bp,
      .slots = (sizes & TILE__SIZES__SLOTS_bm) >> TILE__SIZES__SLOTS_bp,
      .windows = (sizes & TILE__SIZES__WINDOWS_bm) >> TILE__SIZES__WINDOWS_bp,
      .page_log2 = (sizes & TILE__SIZES__PAGE_LOG2_bm) >> TILE__SIZES__PAGE_LOG2_bp};
}

cryptile_status_t cry_tile_window(unsigned queue, unsigned window, uint64_t base, uint64_t size,
                                  unsigned flags) {
  tile_features_t built = cry_tile_features();
  const unsigned kMarks = TILE_QUEUE__WINDOW__FLAGS__CACHE_bm | TILE_QUEUE__WINDOW__FLAGS__PROT_bm;
  const unsigned kBoth = TileWindowRead | TileWindowWrite;
  if (queue >= built.queues || window >= built.windows || (flags & ~(kBoth | kMarks)) != 0) {
    return CRYPTILE_ERR_PARAM;
  }
  if ((flags & kBoth) == 0) {
    tile_write(WINDOW_AT(queue, window, FLAGS), 0);
    return CRYPTILE_OK;
  }
  if (size == 0 || base % TilePage != 0 || size % TilePage != 0 || size > AddressEnd ||
      base > AddressEnd - size) {
    return CRYPTILE_ERR_PARAM;
  }
  uint64_t first = base / TilePage, last = (base + size) / TilePage - 1;
  tile_write(WINDOW_AT(queue, window, FLAGS), 0);
  tile_write(WINDOW_AT(queue, window, BASE_LO), (uint32_t)first);
  tile_write(WINDOW_AT(queue, window, BASE_HI), (uint32_t)(first >> 32));
  tile_write(WINDOW_AT(queue, window, LIMIT_LO), (uint32_t)last);
  tile_write(WINDOW_AT(queue, window, LIMIT_HI), (uint32_t)(last >> 32));
  tile_write(WINDOW_AT(queue, window, FLAGS),
             TILE_QUEUE__WINDOW__FLAGS__ENABLE_bm | (flags & kMarks) |
                 ((flags & TileWindowRead) != 0 ? TILE_QUEUE__WINDOW__FLAGS__READ_bm : 0) |
                 ((flags & TileWindowWrite) != 0 ? TILE_QUEUE__WINDOW__FLAGS__WRITE_bm : 0));
  return CRYPTILE_OK;
}

static void close_windows(unsigned queue) {
  for (unsigned window = 0; window < cry_tile_features().windows; window++) {
    tile_write(WINDOW_AT(queue, window, FLAGS), 0);
  }
}

enum {
  WakingEvents = TILE_QUEUE__IRQ_STATUS__COMPLETION_bm | TILE_QUEUE__IRQ_STATUS__ERROR_bm,
  AllEvents = WakingEvents | TILE_QUEUE__IRQ_STATUS__VIOLATION_bm
};

// No event of before is left, and none raises an interrupt until somebody wants to sleep.
static void clear_events(unsigned queue) {
  tile_write(QUEUE_AT(queue, IRQ_ENABLE_CLEAR), AllEvents);
  tile_write(QUEUE_AT(queue, IRQ_STATUS), AllEvents);
  tile_write(QUEUE_AT(queue, VIOLATION), TILE_QUEUE__VIOLATION__VALID_bm);
}

static cryptile_status_t stop(unsigned queue) {
  tile_write(QUEUE_AT(queue, CONTROL), TILE_QUEUE__CONTROL__ABORT_bm);
  uint64_t start = tile_now();
  bool quiet = false, late = false;
  while (!quiet && !late) {
    late = tile_now() - start > AbortLimit;
    quiet = (tile_read(QUEUE_AT(queue, STATUS)) & TILE_QUEUE__STATUS__QUIET_bm) != 0;
  }
  return quiet ? CRYPTILE_OK : CRYPTILE_ERR_TIMEOUT;
}

// Stops a ring's queue and closes the ring.
static cryptile_status_t end(tile_ring_t *ring) {
  cryptile_status_t status = stop(ring->number);
  ring->count.size = 0;
  ring->count.submitted = ring->count.finished;
  ring->stopping = status != CRYPTILE_OK;
  return status;
}

cryptile_status_t cry_tile_open(tile_ring_t *ring, const tile_queue_config_t *config) {
  uint64_t entries = tile_address(config->ring);
  uint64_t completions = tile_address(config->completions);
  tile_features_t built = cry_tile_features();
  *ring = (tile_ring_t){.number = config->number};
  if (config->number >= built.queues || config->ring_log2 < 1 || config->ring_log2 > 15 ||
      config->irq_count > TileMaxIrqCount || config->irq_timeout > TileMaxIrqTimeout ||
      config->weight > TileMaxWeight || config->process > TileMaxProcess ||
      entries % sizeof(tile_entry_t) != 0 || completions % sizeof(tile_completion_t) != 0) {
    return CRYPTILE_ERR_PARAM;
  }
  unsigned number = config->number;
  cryptile_status_t status = end(ring);
  close_windows(number);
  if (status != CRYPTILE_OK) {
    return status;
  }
  clear_events(number);
  *ring = (tile_ring_t){.number = number,
                        .page = AT(PAGE[0]) + ((uintptr_t)number << built.page_log2),
                        .entries = config->ring,
                        .completions = config->completions,
                        .count = {.size = 1u << config->ring_log2}};
  // A sequence number of before must not look like one to come.
  memset(config->completions, 0, ring->count.size * sizeof(tile_completion_t));
  tile_publish();
  tile_write(QUEUE_AT(number, RING_LO), (uint32_t)entries);
  tile_write(QUEUE_AT(number, RING_HI), (uint32_t)(entries >> 32));
  tile_write(QUEUE_AT(number, COMPLETION_LO), (uint32_t)completions);
  tile_write(QUEUE_AT(number, COMPLETION_HI), (uint32_t)(completions >> 32));
  tile_write(QUEUE_AT(number, KEY_MASK), config->key_mask);
  tile_write(QUEUE_AT(number, COALESCE),
             config->irq_count << TILE_QUEUE__COALESCE__COUNT_bp |
                 (config->irq_timeout + 15) / 16 << TILE_QUEUE__COALESCE__TIMEOUT_bp);
  tile_write(QUEUE_AT(number, MAX_BYTES), config->max_bytes);
  tile_write(QUEUE_AT(number, ALLOWED),
             (TILE_QUEUE__ALLOWED__OPCODES_bm & ~(uint32_t)config->refused) |
                 (config->no_clear_keys ? TILE_QUEUE__ALLOWED__NO_CLEAR_KEYS_bm : 0) |
                 (config->make_keys ? TILE_QUEUE__ALLOWED__MAKE_KEYS_bm : 0));
  tile_write(QUEUE_AT(number, PIECE),
             config->piece == 0 ? TILE_QUEUE__PIECE__BYTES_reset : config->piece);
  tile_write(QUEUE_AT(number, WEIGHT), config->weight);
  tile_write(QUEUE_AT(number, PROCESS), config->process);
  tile_write(QUEUE_AT(number, RELATIVE), 0);
  uint32_t control = config->ring_log2 << TILE_QUEUE__CONTROL__RING_LOG2_bp;
  tile_write(QUEUE_AT(number, CONTROL), control);
  tile_write(QUEUE_AT(number, CONTROL), control | TILE_QUEUE__CONTROL__ENABLE_bm);
  return CRYPTILE_OK;
}

cryptile_status_t cry_tile_abort(tile_ring_t *ring) {
  return ring->count.size == 0 && !ring->stopping ? CRYPTILE_ERR_STATE : end(ring);
}

cryptile_status_t cry_tile_sleep(tile_ring_t *ring, uint32_t limit, tile_result_t *result) {
  if (cry_tile_is_idle(&ring->count)) {
    return CRYPTILE_ERR_STATE;
  }
  const uint32_t kError = TILE_PAGE__STATUS__ERROR_bm, kIdle = TILE_PAGE__STATUS__IDLE_bm;
  uint64_t start = tile_now();
  cryptile_status_t status = CRYPTILE_ERR_TIMEOUT;
  tile_write(QUEUE_AT(ring->number, IRQ_ENABLE_SET), WakingEvents);
  bool over = false;
  do {
    // The flags first, then the look at the queue and at memory: an interrupt between them is not
    // lost. A queue that is idle has written all its records.
    tile_write(QUEUE_AT(ring->number, IRQ_STATUS), WakingEvents);
    uint32_t state = tile_read(PAGE_AT(ring, STATUS));
    if (cry_tile_poll(ring, result)) {
      status = result->status;
      break;
    }
    uint64_t gone = tile_now() - start;
    bool failed = (state & kError) != 0;
    over = gone > limit || (failed && (state & kIdle) != 0);
    if (!over && !failed) {
      tile_doze(ring->number, limit - (uint32_t)gone);
    }
  } while (!over);
  tile_write(QUEUE_AT(ring->number, IRQ_ENABLE_CLEAR), WakingEvents);
  return status;
}

static uint64_t page(unsigned queue, unsigned window, bool last) {
  uint32_t low =
      tile_read(last ? WINDOW_AT(queue, window, LIMIT_LO) : WINDOW_AT(queue, window, BASE_LO));
  uint32_t high =
      tile_read(last ? WINDOW_AT(queue, window, LIMIT_HI) : WINDOW_AT(queue, window, BASE_HI));
  return low | (uint64_t)high << 32;
}

// Where a queue may write.
typedef struct {
  struct {
    uint64_t from, to;
  } ranges[MaxWindows];
  unsigned count;
} reach_t;

static reach_t reach_of(unsigned queue) {
  const uint32_t kOpen = TILE_QUEUE__WINDOW__FLAGS__ENABLE_bm | TILE_QUEUE__WINDOW__FLAGS__WRITE_bm;
  reach_t reach = {.count = 0};
  unsigned windows = cry_tile_features().windows;
  for (unsigned window = 0; window < windows && window < MaxWindows; window++) {
    if ((tile_read(WINDOW_AT(queue, window, FLAGS)) & kOpen) == kOpen) {
      reach.ranges[reach.count].from = page(queue, window, false) * TilePage;
      reach.ranges[reach.count].to = (page(queue, window, true) + 1) * TilePage;
      reach.count++;
    }
  }
  return reach;
}

// Zeroizes memory where the queue may write: elsewhere the job has not.
static void zeroize(const reach_t *reach, uint64_t start, uint64_t len) {
  for (unsigned i = 0; i < reach->count; i++) {
    uint64_t from = reach->ranges[i].from > start ? reach->ranges[i].from : start;
    uint64_t to = reach->ranges[i].to < start + len ? reach->ranges[i].to : start + len;
    if (from < to) {
      memset((void *)(uintptr_t)from, 0, to - from);
    }
  }
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// Zeroizes `len` bytes of a job's destination.
static void zeroize_destination(const reach_t *reach, const tile_job_t *job, uint32_t len) {
  uint32_t skip = job->row ? job->aad_len : 0;
  if (!job->dst_list) {
    zeroize(reach, job->dst + skip, len);
    return;
  }
  const tile_piece_t *piece = (const tile_piece_t *)(uintptr_t)job->dst;
  unsigned empty = 0;
  for (bool last = false; len != 0 && !last && empty <= MaxEmpty; piece++) {
    uint32_t before = least(piece->len, skip), here = least(piece->len - before, len);
    zeroize(reach, piece->address + before, here);
    skip -= before;
    len -= here;
    last = (piece->flags & TilePieceLast) != 0;
    empty = piece->len == 0 ? empty + 1 : 0;
  }
}

// Zeroizes the first `written` bytes of what a job makes, its message, then its tag; and its
// context.
static void zeroize_output(const reach_t *reach, const tile_job_t *job, uint32_t written) {
  bool to_memory = job->dst != 0 && job->unwrap_slot == TileNoSlot;
  uint32_t message = to_memory ? least(written, job->len) : 0;
  uint32_t full = job->tag_len != 0 ? job->tag_len : cry_tile_full_tag(job->opcode, job->mode);
  uint32_t tag = job->decrypt ? 0 : least(written - message, full);
  if (to_memory) {
    zeroize_destination(reach, job, message + (job->row ? tag : 0));
  }
  if (job->tag != 0 && !job->row) {
    zeroize(reach, job->tag, tag);
  }
  if (job->ctx_save && job->context != 0) {
    zeroize(reach, job->context, TileContextBytes);
  }
  tile_publish();
}

// Stops a queue whose only job, of ring entry `index`, is late.
//
// Returns how many bytes the job has written, if its record tells; 0 if the tile has not begun it;
// else UINT32_MAX: as when it could not write the record, or does not stop. Then it can reach
// nothing any more when this returns, but for bursts that its windows had let pass.
static uint32_t stop_late(tile_ring_t *ring, uint16_t index) {
  uint32_t written = UINT32_MAX;
  tile_result_t result;
  if (stop(ring->number) == CRYPTILE_OK) {
    if (cry_tile_poll(ring, &result)) {
      written = result.bytes;
    } else if ((uint16_t)tile_read(PAGE_AT(ring, HEAD)) == index) {
      written = 0;
    }
  } else {
    close_windows(ring->number);
  }
  (void)end(ring);
  return written;
}

// Ends the ring's only job, of entry `index`, which did not go well. `written`: bytes, as its
// record tells, if there is one. Not compiled into its caller, which would have to save registers
// for it where all goes well, too.
static __attribute__((noinline)) void undo(tile_ring_t *ring, const tile_job_t *job, uint16_t index,
                                           cryptile_status_t status, uint32_t written) {
  // Of the windows as they are now: a tile that does not stop loses them.
  reach_t reach = reach_of(ring->number);
  zeroize_output(&reach, job, status == CRYPTILE_ERR_TIMEOUT ? stop_late(ring, index) : written);
}

cryptile_status_t cry_tile_run(tile_ring_t *ring, const tile_job_t *job, uint32_t limit) {
  tile_result_t result = {0};
  uint16_t index;
  if (!cry_tile_is_idle(&ring->count)) {
    return CRYPTILE_ERR_BUSY;
  }
  cryptile_status_t status = cry_tile_submit(ring, job, &index);
  if (status != CRYPTILE_OK) {
    return status;
  }
  cry_tile_notify(ring);
  status = job->irq ? cry_tile_sleep(ring, limit, &result) : cry_tile_wait(ring, limit, &result);
  if (status != CRYPTILE_OK) {
    undo(ring, job, index, status, result.bytes);
  }
  return status;
}

static uint32_t attributes(const tile_slot_use_t *use) {
  return TILE_ENCODE(slot_attributes, .valid = true, .encrypt = use->encrypt,
                     .decrypt = use->decrypt, .unwrap = use->unwrap_only, .lock = use->lock,
                     .contexts = use->contexts, .counted = use->counted, .nonce = use->tile_nonce,
                     .owners = use->queues, .opcode = use->opcode);
}

static uint32_t policy(const tile_slot_use_t *use) {
  return TILE_ENCODE(slot_policy, .modes = use->modes, .key_bytes = use->key_len,
                     .tag_bytes = use->tag_len);
}

static bool refuses(unsigned slot) {
  return (tile_read(AT(SEAL)) & TILE__SEAL__SEAL_bm) != 0 ||
         (tile_read(SLOT_AT(slot, ATTRIBUTES)) & TILE_SLOT__ATTRIBUTES__LOCK_bm) != 0;
}

// Whether a slot's registers can hold it.
static bool is_use(const tile_slot_use_t *use) {
  return use->opcode <= TILE_SLOT__ATTRIBUTES__OPCODE_bm >> TILE_SLOT__ATTRIBUTES__OPCODE_bp &&
         use->tag_len <= TileAnyTag && use->key_len <= tile_longest_key(use->opcode);
}

cryptile_status_t cry_tile_slot_write(unsigned slot, const tile_slot_use_t *use, const uint8_t *key,
                                      size_t key_len) {
  if (slot >= cry_tile_features().slots || !is_use(use) ||
      key_len != (use->tile_nonce ? TileNonceKey : use->key_len)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (refuses(slot)) {
    return CRYPTILE_ERR_KEY;
  }
  const unsigned words = (key_len > TileMaxKey ? TileLongKey : TileMaxKey) / 4;
  for (unsigned word = 0; word < words; word++) {
    uint32_t value = 0;
    for (unsigned byte = 0; byte < 4; byte++) {
      size_t at = 4u * word + byte;
      value |= at < key_len ? (uint32_t)key[at] << 8 * byte : 0;
    }
    tile_write(word < TileMaxKey / 4 ? SLOT_AT(slot, KEY[word])
                                     : SLOT_AT(slot, KEY_HIGH[word - TileMaxKey / 4]),
               value);
  }
  tile_write(SLOT_AT(slot, POLICY), policy(use));
  tile_write(SLOT_AT(slot, USES), use->uses);
  tile_write(SLOT_AT(slot, ATTRIBUTES), attributes(use));
  return tile_read(SLOT_AT(slot, ATTRIBUTES)) == attributes(use) ? CRYPTILE_OK : CRYPTILE_ERR_KEY;
}

uint8_t cry_tile_slot_generation(unsigned slot) {
  return (uint8_t)tile_read(SLOT_AT(slot, GENERATION));
}

cryptile_status_t cry_tile_slot_clear(unsigned slot) {
  if (slot >= cry_tile_features().slots) {
    return CRYPTILE_ERR_PARAM;
  }
  if (refuses(slot)) {
    return CRYPTILE_ERR_KEY;
  }
  tile_write(SLOT_AT(slot, ATTRIBUTES), 0);
  return CRYPTILE_OK;
}

cryptile_status_t cry_tile_wrapped_as(const tile_slot_use_t *use, unsigned slot, uint8_t aad[16]) {
  if (!is_use(use) || slot > TileAnySlot) {
    memset(aad, 0, 16);
    return CRYPTILE_ERR_PARAM;
  }
  uint64_t words[TileWrapAadWords] = {
      [TileWrapAadAttributes] =
          TILE_ENCODE(wrap_aad_attributes, .attributes = attributes(use), .slot = (uint8_t)slot),
      [TileWrapAadPolicy] = TILE_ENCODE(wrap_aad_policy, .policy = policy(use), .uses = use->uses)};
  memcpy(aad, words, sizeof(words));
  return CRYPTILE_OK;
}

void cry_tile_seal(void) {
  tile_write(AT(SEAL), TILE__SEAL__SEAL_bm);
}
