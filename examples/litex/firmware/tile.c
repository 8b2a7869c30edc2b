// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Hashes message.h by a descriptor of the tile and prints the digest; then a source outside the
// queue's window, which the tile refuses. soc.py compares what is printed.
#include <generated/csr.h>
#include <generated/mem.h>
#include <system.h>

#include "console.h"
#include "gen/tile_regs.h"
#include "message.h"
#include "tile_job.h"
#include "tile_ring.h"

enum { Entries = 4, Log2Entries = 2, Page = 4096, DigestBytes = 32, Limit = 20000, Outside = 0 };
enum { Failed = 255 };

static struct {
  _Alignas(Page) tile_entry_t ring[Entries];
  tile_completion_t done[Entries];
} queue;

static uint8_t text[sizeof(kMessage)];
static uint8_t digest[DigestBytes];

static volatile uint32_t *at(uintptr_t offset) {
  return (volatile uint32_t *)(CRYPTILE_TILE_BASE + offset);
}

#define QUEUE(name) (*at(offsetof(tile_t, QUEUE[0].name)))

static void open_queue(void) {
  QUEUE(WINDOW[0].FLAGS) = 0;
  QUEUE(WINDOW[0].BASE_LO) = MAIN_RAM_BASE / Page;
  QUEUE(WINDOW[0].BASE_HI) = 0;
  QUEUE(WINDOW[0].LIMIT_LO) = (MAIN_RAM_BASE + MAIN_RAM_SIZE) / Page - 1;
  QUEUE(WINDOW[0].LIMIT_HI) = 0;
  QUEUE(WINDOW[0].FLAGS) = TILE_QUEUE__WINDOW__FLAGS__ENABLE_bm |
                           TILE_QUEUE__WINDOW__FLAGS__READ_bm | TILE_QUEUE__WINDOW__FLAGS__WRITE_bm;
  QUEUE(RING_LO) = (uint32_t)(uintptr_t)queue.ring;
  QUEUE(RING_HI) = 0;
  QUEUE(COMPLETION_LO) = (uint32_t)(uintptr_t)queue.done;
  QUEUE(COMPLETION_HI) = 0;
  QUEUE(CONTROL) = TILE_QUEUE__CONTROL__ENABLE_bm | Log2Entries
                                                        << TILE_QUEUE__CONTROL__RING_LOG2_bp;
}

// The status of the job of that number, or Failed. The tile writes memory behind the core's data
// cache, which is emptied before anybody looks; what the core stores goes through it.
static unsigned run(unsigned number, uint64_t source) {
  const tile_job_t job = {.opcode = TileSha2,
                          .mode = TileSha2Sha256,
                          .slot = TileNoSlot,
                          .unwrap_slot = TileNoSlot,
                          .src = source,
                          .len = sizeof(kMessage),
                          .tag = (uintptr_t)digest};
  if (cry_tile_describe(&job, &queue.ring[number]) != 1) {
    return Failed;
  }
  __asm__ volatile("fence" : : : "memory");
  *at(offsetof(tile_t, PAGE[0].DOORBELL)) = number + 1;
  const volatile uint32_t *record = (const volatile uint32_t *)queue.done[number].w;
  for (unsigned i = 0; i < Limit; i++) {
    flush_cpu_dcache();
    if (record[1] == number + 1) {
      flush_cpu_dcache();  // the number is there: so is all of the record
      return tile_completion_ended_decode(record[0]).status;
    }
  }
  return Failed;
}

int main(void) {
  for (unsigned i = 0; i < sizeof(text); i++) {
    text[i] = kMessage[i];
  }
  open_queue();
  console_text("hash: ");
  console_text(run(0, (uintptr_t)text) == TileOk ? "ok\n" : "failed\n");
  console_text("digest: ");
  console_hex(digest, sizeof(digest));
  console_text("cycles: ");
  console_number((uint32_t)(queue.done[0].w[1] >> 32));
  console_text("outside: ");
  console_text(run(1, Outside) == TileWindowViolation ? "refused\n" : "failed\n");
  console_end();
  for (;;) {
  }
}

// The start-up code of LiteX wants it; no interrupt is enabled.
void isr(void) {
}
