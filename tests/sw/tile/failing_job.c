// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One job, which a test has fail; gives back its status, and its destination and tag with what lies around.
#include <string.h>

#include "tile_app.h"

enum { Len = 100, TagLen = 16, Around = 32, Pieces = 3, Pattern = 0xa5 };
enum { Linear = 0, List = 1, TagOnly = 2, InPlace = 4 };

static uint8_t key[16], source[Len], area[Around + Len + Around], tags[Around + TagLen + Around];
static _Alignas(16) tile_piece_t pieces[Pieces];

static struct {
  uint32_t kind;
  uint32_t decrypt;
  uint32_t irq;
  uint32_t unused;
} given;

static tile_job_t describe(void) {
  tile_job_t job = {.opcode = TileAes,
                    .mode = 3,  // GCM
                    .decrypt = given.decrypt != 0,
                    .irq = given.irq != 0,
                    .slot = TileNoSlot,
                    .unwrap_slot = TileNoSlot,
                    .key = key,
                    .src = given.kind == InPlace ? area + Around : source,
                    .dst = area + Around,
                    .len = Len,
                    .tag = tags + Around,
                    .tag_len = TagLen};
  if (given.kind == List) {
    const uint32_t kLens[Pieces] = {1, 42, 80};  // more than the message has
    uint64_t at = (uintptr_t)area + Around;
    for (unsigned i = 0; i < Pieces; i++) {
      pieces[i] = (tile_piece_t){at, kLens[i], i + 1 == Pieces ? TilePieceLast : 0};
      at += kLens[i];
    }
    job.dst = pieces;
    job.dst_list = true;
  }
  if (given.kind == TagOnly) {
    job.opcode = TileSha2;
    job.mode = 1;
    job.key = NULL;
    job.dst = NULL;
    job.decrypt = false;
  }
  return job;
}

int main(void) {
  tile_ring_t ring;
  tile_result_t result;
  (void)tile_app_params(&given, sizeof(given));
  memset(area, Pattern, sizeof(area));
  memset(tags, Pattern, sizeof(tags));
  if (tile_app_open(&ring, 0) != CRYPTILE_OK) {
    return 1;
  }
  tile_job_t job = describe();
  int32_t status[6] = {tile_run(&ring, &job, 1000000)};
  // No job is in flight. A ring that was closed takes none either, until it is opened.
  tile_session_t session;
  const tile_place_t place = {0};
  status[1] = tile_session(&session, &job);
  status[2] = tile_ready(&ring, 1) || tile_poll(&ring, &result);
  status[3] = tile_wait(&ring, 1000, &result);
  status[4] = tile_start(&ring, &session, &place);
  status[5] = tile_abort(&ring);
  host_write(status, sizeof(status));
  host_write(area, sizeof(area));
  host_write(tags, sizeof(tags));
  return 0;
}
