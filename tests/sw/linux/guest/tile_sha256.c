// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A Linux process without a driver: has the tile hash a file through /dev/mem, and prints the
// digest as sha256sum does. Says on standard error what the registers ID and VERSION read, how the
// job ended, and whether its interrupt was pending at the PLIC before and behind it.
//
//     tile_sha256 FILE [OPCODE]    at most 4096 bytes; another opcode, for errors
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gen/tile_catalog.h"
#include "gen/tile_layout.h"
#include "tile_regs.h"

enum {
  PageBytes = 4096,
  TileBase = 0x11000000,
  TileIrq = 40,
  PlicPending = 0x0c001000,
  RingLog2 = 1,
  DigestBytes = 32,
  MostSeconds = 2
};

static void need(int right, const char *what) {
  if (!right) {
    fprintf(stderr, "%s\n", what);
    exit(2);
  }
}

static volatile uint32_t *device(int memory, off_t at, size_t bytes) {
  void *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, at);
  need(place != MAP_FAILED, "no access to a device through /dev/mem");
  return place;
}

// A page that stays where it is, and its physical address.
static void *page(uint64_t *physical) {
  void *place = mmap(NULL, PageBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED | MAP_POPULATE, -1, 0);
  need(place != MAP_FAILED, "no memory");
  uint64_t entry = 0;
  int map = open("/proc/self/pagemap", O_RDONLY);
  off_t at = (off_t)((uintptr_t)place / PageBytes * sizeof entry);
  need(map >= 0 && pread(map, &entry, sizeof entry, at) == sizeof entry, "no page map");
  close(map);
  *physical = (entry & ((1ull << 55) - 1)) * PageBytes;
  need(*physical != 0, "the page map tells no addresses");
  return place;
}

static volatile uint32_t *registers;

static void put(size_t offset, uint64_t value) {
  registers[offset / 4] = (uint32_t)value;
}

static void put_pair(size_t offset, uint64_t value) {
  put(offset, value);
  put(offset + 4, value >> 32);
}

static unsigned pending(int memory) {
  static const volatile uint32_t *bits;
  if (bits == NULL)
    bits = device(memory, PlicPending, PageBytes);
  return bits[TileIrq / 32] >> TileIrq % 32 & 1;
}

#define QUEUE(reg) (offsetof(tile_t, QUEUE) + offsetof(tile_queue__stride1000_t, reg))

int main(int argc, char **argv) {
  need(argc >= 2, "usage: tile_sha256 FILE [OPCODE]");
  int memory = open("/dev/mem", O_RDWR | O_SYNC);
  need(memory >= 0, "no /dev/mem");
  registers = device(memory, TileBase, sizeof(tile_t));
  fprintf(stderr, "id %08x version %08x\n", (unsigned)registers[offsetof(tile_t, ID) / 4],
          (unsigned)registers[offsetof(tile_t, VERSION) / 4]);

  uint64_t ring_at, records_at, data_at, digest_at;
  volatile uint64_t *ring = page(&ring_at), *records = page(&records_at);
  uint8_t *data = page(&data_at), *digest = page(&digest_at);
  FILE *file = fopen(argv[1], "rb");
  need(file != NULL, "no such file");
  size_t length = fread(data, 1, PageBytes, file);
  need(fgetc(file) == EOF, "the file is too long");

  const uint32_t flags = TILE_QUEUE__WINDOW__FLAGS__READ_bm | TILE_QUEUE__WINDOW__FLAGS__WRITE_bm;
  const uint64_t pages[] = {ring_at, records_at, data_at, digest_at};
  for (size_t i = 0; i < 4; i++) {
    size_t window = QUEUE(WINDOW) + i * sizeof(tile_queue__WINDOW__stride20_t);
    put_pair(window + offsetof(tile_queue__WINDOW__stride20_t, BASE_LO), pages[i] / PageBytes);
    put_pair(window + offsetof(tile_queue__WINDOW__stride20_t, LIMIT_LO), pages[i] / PageBytes);
    put(window + offsetof(tile_queue__WINDOW__stride20_t, FLAGS),
        flags | TILE_QUEUE__WINDOW__FLAGS__ENABLE_bm);
  }
  put_pair(QUEUE(RING_LO), ring_at);
  put_pair(QUEUE(COMPLETION_LO), records_at);
  put(QUEUE(IRQ_ENABLE_SET), TILE_QUEUE__IRQ_ENABLE_SET__COMPLETION_bm);
  put(QUEUE(CONTROL),
      RingLog2 << TILE_QUEUE__CONTROL__RING_LOG2_bp | TILE_QUEUE__CONTROL__ENABLE_bm);

  const uint8_t opcode = argc > 2 ? (uint8_t)atoi(argv[2]) : TileSha2;
  ring[TileDescriptorControl] = tile_descriptor_control_encode(
      (tile_descriptor_control_t){.opcode = opcode, .mode = TileSha2Sha256, .irq = true});
  ring[TileDescriptorSource] = data_at;
  ring[TileDescriptorLengths] = length;
  ring[TileDescriptorTag] = digest_at;
  const unsigned before = pending(memory);
  __asm__ volatile("fence" ::: "memory");
  put(offsetof(tile_t, PAGE) + offsetof(tile_page__stride1000_t, DOORBELL), 1);

  const time_t begin = time(NULL);
  while (records[0] >> 32 != 1)
    need(time(NULL) - begin < MostSeconds, "the job does not end");
  __asm__ volatile("fence" ::: "memory");
  const unsigned status = records[0] & 0xff;
  const unsigned behind = pending(memory);
  put(QUEUE(CONTROL), TILE_QUEUE__CONTROL__ABORT_bm);
  put(QUEUE(IRQ_STATUS), TILE_QUEUE__IRQ_STATUS__COMPLETION_bm);
  fprintf(stderr, "status %u cycles %u interrupt %u %u\n", status, (unsigned)(records[1] >> 32),
          before, behind);
  if (status == 0) {
    for (size_t i = 0; i < DigestBytes; i++)
      printf("%02x", digest[i]);
    printf("  %s\n", argv[1]);
  }
  return status != 0;
}
