// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Jobs of the tile: by polling and by interrupt through the PLIC, the memory between core and tile,
// and errors of its port.

#include <stddef.h>
#include <string.h>

#include "gen/tile_regs.h"
#include "test.h"
#include "tile.h"
#include "tile_io.h"
#include "tile_prepare.h"

enum { Queue = 7, RingLog2 = 3, Limit = 20000, Bytes = 1000 };  // the last one of the tile's

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static volatile uint32_t interrupts, source;
static uint8_t from[Bytes + 64], to[Bytes + 64] __attribute__((aligned(64)));

void cry_trap_handler(uint32_t mcause, uint32_t mepc) {
  (void)mepc;
  CHECK(mcause == (0x80000000u | IrqExternal));
  source = PLIC_CLAIM(0);
  tile_write(offsetof(tile_t, QUEUE[Queue].IRQ_STATUS), TILE_QUEUE__IRQ_STATUS__COMPLETION_bm);
  fence();
  PLIC_CLAIM(0) = source;
  interrupts++;
}

static tile_job_t copy(const void *src, void *dst, uint32_t len) {
  return (tile_job_t){.opcode = TileCopy,
                      .slot = TileNoSlot,
                      .unwrap_slot = TileNoSlot,
                      .src = tile_address(src),
                      .dst = tile_address(dst),
                      .len = len};
}

static void open(void) {
  const tile_queue_config_t config = {.number = Queue,
                                      .ring = entries,
                                      .completions = completions,
                                      .ring_log2 = RingLog2,
                                      .key_mask = UINT32_MAX};
  CHECK(cry_tile_open(&ring, &config) == CRYPTILE_OK);
  const uint32_t rights = TileWindowRead | TileWindowWrite;
  CHECK(cry_tile_window(Queue, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE, rights) == CRYPTILE_OK);
  CHECK(cry_tile_window(Queue, 1, SOC_UNCACHED_BASE, SOC_MEMORY_SIZE, rights) == CRYPTILE_OK);
  CHECK(cry_tile_window(Queue, 2, 0x40000000, 4096, rights) == CRYPTILE_OK);
  CHECK(cry_tile_window(Queue, 3, SOC_TILE_BASE, 4096, rights) == CRYPTILE_OK);
}

static void polling(void) {
  for (size_t i = 0; i < sizeof from; i++)
    from[i] = (uint8_t)(i * 31);
  memset(to, 0xee, sizeof to);
  CHECK(to[5] == 0xee);  // now the core has a copy
  const tile_job_t job = copy(from + 3, to + 5, Bytes);
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_OK);
  CHECK(memcmp(to + 5, from + 3, Bytes) == 0);
  CHECK(to[4] == 0xee && to[5 + Bytes] == 0xee);
}

static void interrupt(void) {
  static const uint8_t key[16] = {0,    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                  0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
  static const uint8_t text[16] = {0,    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                   0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
  static const uint8_t sealed[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                     0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  const tile_message_t message = {.key = key, .key_len = 16, .in = text, .out = to, .len = 16};
  tile_job_t job;
  tile_result_t result;
  CHECK(cry_tile_prepare(cry_tile_alg("aes-128-ecb"), &message, &job) == CRYPTILE_OK);
  job.irq = true;
  tile_write(offsetof(tile_t, QUEUE[Queue].IRQ_ENABLE_SET), TILE_QUEUE__IRQ_STATUS__COMPLETION_bm);
  PLIC_PRIORITY(SourceQueue0 + Queue) = 1;
  PLIC_ENABLE(0) = 1 << (SourceQueue0 + Queue);
  CSR_WRITE("mie", 1 << IrqExternal);
  CHECK(cry_tile_submit(&ring, &job, NULL) == CRYPTILE_OK);
  cry_tile_notify(&ring);
  while (interrupts == 0) {
    sleep();
    CSR_SET("mstatus", 8);
    fence();
    CSR_CLEAR("mstatus", 8);
  }
  CHECK(interrupts == 1 && source == SourceQueue0 + Queue);
  CHECK(cry_tile_poll(&ring, &result) && result.status == CRYPTILE_OK && result.bytes == 16);
  CHECK(memcmp(to, sealed, 16) == 0);
  CHECK((PLIC_PENDING & 1 << (SourceQueue0 + Queue)) == 0);
}

static void ports(void) {
  // The uncached place is the same memory, of which the core has a copy.
  from[0] = 0x5c;
  tile_job_t job = copy(from, to, 100);
  job.src += UNCACHED;
  job.dst += UNCACHED;
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_OK);
  CHECK(memcmp(from, to, 100) == 0);

  // Nothing is there, or nothing for the tile: itself among it.
  job = copy((void *)0x40000000, to, 100);
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_ERR_BUS);
  job = copy(from, (void *)0x40000000, 100);
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_ERR_BUS);
  job = copy((void *)SOC_TILE_BASE, to, 100);
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_ERR_BUS);
}

// A write of the tile ends the core's reservation of that place, and of no other.
static void reservation(void) {
  volatile uint64_t *const word = (volatile uint64_t *)to;
  for (int there = 0; there < 2; there++) {
    const tile_job_t job = copy(from, to + (there ? 0 : 64), 16);
    uint64_t old, failed;
    CHECK(cry_tile_submit(&ring, &job, NULL) == CRYPTILE_OK);
    tile_publish();
    __asm__ volatile("lr.d %0, (%1)" : "=r"(old) : "r"(word) : "memory");
    cry_tile_notify(&ring);
    CHECK(cry_tile_wait(&ring, Limit, NULL) == CRYPTILE_OK);
    __asm__ volatile("sc.d %0, %2, (%1)" : "=&r"(failed) : "r"(word), "r"(1L) : "memory");
    CHECK((failed != 0) == there);
    (void)old;
  }
}

int main(void) {
  open();
  polling();
  interrupt();
  ports();
  reservation();
  return 0;
}
