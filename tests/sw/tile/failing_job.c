// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One job, which a test has fail; gives back its status, and destination, tag and context with what
// lies around.
#include <string.h>

#include "tile_app.h"

enum { Len = 100, AadLen = 13, TagLen = 16, MaxTag = 64, Around = 32, Pieces = 3, Pattern = 0xa5 };
enum { Linear = 0, List = 1, TagOnly = 2, InPlace = 4, Row = 8, Gap = 16 };
enum { FirstLen = 10, Empty = 16 };  // of Gap: one entry of no bytes more than a list may have
enum { FullTag = 1, NoRing = 2, NoRecords = 4, SavesContext = 8 };  // flags
enum { None = 0, NotNotified = 1, NotTaken = 2, NotDone = 3 };      // the job before
enum { RingLog2 = 4 };

static uint8_t key[64], source[AadLen + Len + TagLen], area[Around + Len + Around],
    tags[Around + MaxTag + Around];
static _Alignas(16) uint8_t contexts[Around + TileContextBytes + Around];
static _Alignas(16) tile_piece_t pieces[Empty + 2];

// Each on pages of its own.
static _Alignas(TilePage) uint8_t ring_page[TilePage];
static _Alignas(TilePage) uint8_t record_page[TilePage];
static _Alignas(TilePage) uint8_t behind[TilePage];

static struct {
  uint32_t kind;
  uint32_t decrypt;
  uint32_t irq;
  uint32_t flags;
  uint32_t before;
  uint32_t opcode;  // of TagOnly
  uint32_t mode;
} given;

static tile_job_t describe(void) {
  tile_job_t job = {.opcode = TileAes,
                    .mode = 3,  // GCM
                    .decrypt = given.decrypt != 0,
                    .irq = given.irq != 0,
                    .slot = TileNoSlot,
                    .unwrap_slot = TileNoSlot,
                    .key = tile_address(key),
                    .src = tile_address(given.kind == InPlace ? area + Around : source),
                    .dst = tile_address(area + Around),
                    .len = Len,
                    .tag = tile_address(tags + Around),
                    .tag_len = (given.flags & FullTag) != 0 ? 0 : TagLen};
  if (given.kind == List) {
    const uint32_t kLens[Pieces] = {1, 42, 80};  // more than the message has
    uint64_t at = (uintptr_t)area + Around;
    for (unsigned i = 0; i < Pieces; i++) {
      pieces[i] = (tile_piece_t){at, kLens[i], i + 1 == Pieces ? TilePieceLast : 0};
      at += kLens[i];
    }
    job.dst = tile_address(pieces);
    job.dst_list = true;
  }
  if (given.kind == Gap) {
    uint64_t at = (uintptr_t)area + Around;
    memset(pieces, 0, sizeof(pieces));
    pieces[0] = (tile_piece_t){at, FirstLen, 0};
    pieces[Empty + 1] = (tile_piece_t){at + FirstLen, Len - FirstLen, TilePieceLast};
    job.dst = tile_address(pieces);
    job.dst_list = true;
  }
  if (given.kind == Row) {
    // Room for associated data, which nothing touches, and a byte of the message in one.
    pieces[0] = (tile_piece_t){(uintptr_t)area + Around - AadLen, AadLen + 1, 0};
    pieces[1] = (tile_piece_t){(uintptr_t)area + Around + 1, Len - 1, 0};
    pieces[2] = (tile_piece_t){(uintptr_t)tags + Around, TagLen, TilePieceLast};
    job.dst = tile_address(pieces);
    job.dst_list = job.row = true;
    job.aad_len = AadLen;
    job.tag = 0;
  }
  if (given.kind == TagOnly) {
    job.opcode = (uint8_t)given.opcode;
    job.mode = (uint8_t)given.mode;
    job.dst = 0;
    job.decrypt = false;
  }
  if ((given.flags & SavesContext) != 0) {
    job.ctx_save = true;
    job.context = tile_address(contexts + Around);
  }
  return job;
}

static cryptile_status_t open_queue(tile_ring_t *ring) {
  const unsigned kBoth = TileWindowRead | TileWindowWrite;
  const tile_queue_config_t config = {.ring = (tile_entry_t *)ring_page,
                                      .completions = (tile_completion_t *)record_page,
                                      .ring_log2 = RingLog2};
  cryptile_status_t status = cry_tile_open(ring, &config);
  // All of memory, but for a page.
  const uint8_t *closed = (given.flags & NoRing) != 0      ? ring_page
                          : (given.flags & NoRecords) != 0 ? record_page
                                                           : behind;
  uint64_t at = (uintptr_t)closed;
  if (status == CRYPTILE_OK) {
    status = cry_tile_window(0, 0, 0, at, kBoth | tile_window_marks(10, 5));
  }
  return status == CRYPTILE_OK
             ? cry_tile_window(0, 2, at + TilePage, SOC_MEMORY_SIZE - at - TilePage, kBoth)
             : status;
}

// Puts a job into the queue whose result is not taken. Returns whether that went as wanted.
static bool put_before(tile_ring_t *ring, const tile_job_t *job) {
  tile_result_t result;
  if (given.before != None && cry_tile_submit(ring, job, NULL) != CRYPTILE_OK) {
    return false;
  }
  if (given.before == NotTaken || given.before == NotDone) {
    cry_tile_notify(ring);
  }
  return given.before != NotDone || cry_tile_wait(ring, 1000, &result) != CRYPTILE_OK;
}

// When no job is in flight. A ring that was closed takes none either, until it is opened.
static void look_around(tile_ring_t *ring, int32_t status[7]) {
  tile_result_t result;
  tile_session_t session;
  const tile_place_t place = {0};
  const tile_job_t nop = {.slot = TileNoSlot, .unwrap_slot = TileNoSlot};
  status[0] = cry_tile_session(&session, &nop);
  status[1] = cry_tile_ready(ring, 1) || cry_tile_poll(ring, &result);
  status[2] = cry_tile_ready(ring, 0);
  status[3] = cry_tile_wait(ring, 1000, &result);
  status[4] = cry_tile_start(ring, &session, &place);
  status[5] = cry_tile_abort(ring);
  status[6] = cry_tile_abort(ring);
}

int main(void) {
  tile_ring_t ring;
  (void)tile_app_params(&given, sizeof(given));
  memset(area, Pattern, sizeof(area));
  memset(tags, Pattern, sizeof(tags));
  memset(contexts, Pattern, sizeof(contexts));
  if (open_queue(&ring) != CRYPTILE_OK) {
    return 1;
  }
  tile_job_t job = describe();
  if (!put_before(&ring, &job)) {
    return 1;
  }
  int32_t status[8] = {cry_tile_run(&ring, &job, 1000000)};
  if (given.before == None) {
    look_around(&ring, status + 1);
  }
  cry_host_write(status, sizeof(status));
  cry_host_write(area, sizeof(area));
  cry_host_write(tags, sizeof(tags));
  cry_host_write(contexts, sizeof(contexts));
  return 0;
}
