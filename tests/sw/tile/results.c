// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Takes results of jobs that went well, and not of others: the calls of tile_inline.h. Exit code:
// the line of the first check that fails, in part; 0: none.
#include <stdbool.h>

#include "native_tile.h"
#include "tile_inline.h"

#define CHECK(right)   \
  do {                 \
    if (!(right)) {    \
      return __LINE__; \
    }                  \
  } while (0)

enum { Size = 4, Looks = 3, WrongTag = TileAuthFailed, First = 0xfffffffe };

static tile_completion_t completions[Size];

// Before the numbers of jobs and entries wrap.
static tile_ring_t ring = {
    .completions = completions,
    .count = {.size = Size, .finished = First, .submitted = First, .tail = 0xfffe, .head = 0xfffe}};

static void submit(unsigned jobs) {
  for (; jobs != 0; jobs--) {
    cry_tile_append(&ring.count, 1);
  }
}

static void end(uint32_t job, uint8_t status) {
  completions[job % Size].w[TileCompletionEnded] =
      tile_completion_ended_encode((tile_completion_ended_t){
          .status = status, .index = (uint16_t)job, .sequence_number = job + 1});
}

void tile_acquire(void) {
}
static unsigned relaxed;
void tile_relax(void) {
  relaxed++;
}
void tile_publish(void) {
}

uint32_t tile_read(uintptr_t offset) {
  (void)offset;
  return 0;
}

void tile_write(uintptr_t offset, uint32_t value) {
  (void)offset;
  (void)value;
}

// One at a time: not before it has ended, and none that failed.
static int one(void) {
  CHECK(!cry_tile_take_good_inline(&ring, Looks));
  submit(3);
  CHECK(!cry_tile_take_good_inline(&ring, Looks) && relaxed == Looks);
  end(First, TileOk);
  CHECK(!cry_tile_take_good_inline(&ring, 0));
  CHECK(cry_tile_take_good_inline(&ring, 1));
  CHECK(ring.count.finished == First + 1 && ring.count.head == 0xffff);
  end(First + 1, TileOk);
  end(First + 2, WrongTag);
  CHECK(cry_tile_take_good_inline(&ring, Looks));
  CHECK(ring.count.finished == 0 && ring.count.head == 0);
  CHECK(!cry_tile_take_good_inline(&ring, Looks));
  tile_result_t result;
  CHECK(cry_tile_poll_inline(&ring, &result) && result.code == WrongTag);
  CHECK(!cry_tile_take_good_inline(&ring, Looks) && cry_tile_is_idle(&ring.count));
  return 0;
}

// Many: those in front of one that failed, or that has not ended.
static int many(void) {
  submit(4);
  CHECK(cry_tile_poll_good_inline(&ring, 4) == 0);
  end(1, TileOk);
  end(2, TileOk);
  end(4, TileOk);
  CHECK(cry_tile_poll_good_inline(&ring, 1) == 1 && ring.count.head == 2);
  CHECK(cry_tile_poll_good_inline(&ring, 4) == 1 && ring.count.head == 3);
  end(3, WrongTag);
  CHECK(cry_tile_poll_good_inline(&ring, 4) == 0);
  CHECK(cry_tile_poll_inline(&ring, NULL));
  CHECK(cry_tile_poll_good_inline(&ring, 4) == 1 && cry_tile_is_idle(&ring.count));
  return 0;
}

int main(void) {
  int line = one();
  return line != 0 ? line : many();
}
