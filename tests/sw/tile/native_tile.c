// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What surrounds the tile's software when it runs natively: a test sets the hooks.
#include "native_tile.h"

#include <string.h>

#include "console.h"
#include "host.h"

_Alignas(4096) uint8_t native_heap[SOC_HEAP_SIZE];

// Set by the test.
uint32_t (*native_read)(uint64_t offset);
void (*native_write)(uint64_t offset, uint32_t value);
void (*native_acquire)(void);
const uint8_t *native_input;
size_t native_input_len;
const uint8_t *native_params;
size_t native_params_len;

// Read by the test.
uint8_t native_output[16 << 20];
size_t native_output_len;
char native_console[1 << 16];
size_t native_console_len;
unsigned native_published;  // calls of tile_publish()
unsigned native_dozed;

static uint64_t now;

uint32_t tile_read(uintptr_t offset) {
  return native_read(offset);
}

void tile_write(uintptr_t offset, uint32_t value) {
  native_write(offset, value);
}

void tile_publish(void) {
  native_published++;
}

void tile_acquire(void) {
  native_acquire();
}

void tile_relax(void) {
}

void soc_forget_cached(void) {
}

// Time passes when it is looked at.
uint64_t tile_now(void) {
  return now += 1000;
}

void tile_doze(unsigned queue, uint64_t cycles) {
  (void)queue;
  native_dozed++;
  now += cycles / 2;
}

uint32_t soc_cycles(void) {
  return (uint32_t)tile_now();
}

static void put(char c) {
  if (native_console_len < sizeof(native_console)) {
    native_console[native_console_len++] = c;
  }
}

void cry_console_text(const char *text) {
  while (*text != 0) {
    put(*text++);
  }
}

void cry_console_decimal(uint32_t value) {
  if (value >= 10) {
    cry_console_decimal(value / 10);
  }
  put((char)('0' + value % 10));
}

size_t cry_host_read(void *buffer, size_t len) {
  size_t got = len < native_input_len ? len : native_input_len;
  memcpy(buffer, native_input, got);
  native_input += got;
  native_input_len -= got;
  return got;
}

void cry_host_write(const void *buffer, size_t len) {
  memcpy(native_output + native_output_len, buffer, len);
  native_output_len += len;
}

size_t cry_host_params(void *buffer, size_t len) {
  size_t got = len < native_params_len ? len : native_params_len;
  memcpy(buffer, native_params, got);
  return got;
}
