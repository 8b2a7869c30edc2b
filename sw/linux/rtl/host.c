// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the guest of the cycle-true system asks of its host, through the mailbox of the SoC.
//
// host save         the simulation's state is saved, and that run ends; returns in each that starts
//                   from the state
// host take         writes the host's input to standard output
// host give STATUS  hands standard input to the host, and ends the simulation with STATUS
//
// Data passes through memory that the device tree keeps from the kernel. The data cache knows
// nothing of what the host writes there, so it is read after that alone, and once.
// Exit codes: 0, 1 an error, 2 bad use.

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mcu_regs.h"
#include "tile_map.h"

enum { Bad = 1, Usage = 2, RestoredRun = 1 };
enum { Take = 1, Give = 2, Save = 4 };

static volatile mcu_t *periph;
static uint8_t *exchange;

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "host: %s: %s\n", what, strerror(errno));
  exit(Bad);
}

static void *map(int memory, off_t at, size_t size) {
  void *const place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, at);
  if (place == MAP_FAILED)
    fail("/dev/mem");
  return place;
}

static uint32_t command(uint32_t number, uint32_t bytes) {
  periph->HOST.ARG0 = EXCHANGE_BASE;
  periph->HOST.ARG1 = bytes;
  // What was stored to memory is there before the host looks.
  __asm__ volatile("fence" ::: "memory");
  periph->HOST.CMD = number;
  return periph->HOST.RESULT;
}

static _Noreturn void end(uint32_t status) {
  __asm__ volatile("fence" ::: "memory");
  periph->SOC_CTRL.EXIT = status;
  for (;;) {
  }
}

static int take(void) {
  const uint32_t bytes = command(Take, EXCHANGE_SIZE);
  for (uint32_t done = 0; done < bytes;) {
    const ssize_t written = write(STDOUT_FILENO, exchange + done, bytes - done);
    if (written < 0)
      fail("standard output");
    done += (uint32_t)written;
  }
  return 0;
}

static _Noreturn void give(uint32_t status) {
  uint32_t bytes = 0;
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, exchange + bytes, EXCHANGE_SIZE - bytes);
    if (got < 0)
      fail("standard input");
    bytes += (uint32_t)got;
    if (got == 0 || bytes == EXCHANGE_SIZE)
      break;
  }
  if (bytes != 0 && command(Give, bytes) != bytes) {
    errno = EIO;
    fail("the host takes no output");
  }
  end(status);
}

int main(int argc, char **argv) {
  const char *const word = argc >= 2 ? argv[1] : "";
  const bool saves = strcmp(word, "save") == 0, takes = strcmp(word, "take") == 0;
  if (!((saves || takes) && argc == 2) && !(strcmp(word, "give") == 0 && argc == 3)) {
    fprintf(stderr, "usage: host save | take | give STATUS\n");
    return Usage;
  }
  const int memory = open("/dev/mem", O_RDWR);
  if (memory < 0)
    fail("/dev/mem");
  periph = map(memory, SOC_PERIPH_BASE, SOC_PERIPH_SIZE);
  exchange = map(memory, EXCHANGE_BASE, EXCHANGE_SIZE);
  if (takes)
    return take();
  if (!saves)
    give((uint32_t)strtoul(argv[2], NULL, 10));
  if (command(Save, 0) != RestoredRun)
    end(0);
  return 0;
}
