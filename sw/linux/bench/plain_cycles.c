// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Times messages of a process through a driver to compare with, the plain one or the one of the
// engine without DMA: `cryptile bench linux`.
//
//   plain_cycles PATH ALGORITHM IV_BYTES [BYTES ROUNDS]...
//
// PATH is plain or registers. A call is all that a message takes: one system call, in which it is
// copied, worked on, waited for, and copied back. The key is set once. With no ROUNDS it says in
// hexadecimal what comes of the message.
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#include "counters.h"
#include "plain.h"

enum { MostTag = 64 };

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "plain_cycles: %s\n", what);
    exit(2);
  }
}

static size_t do_one(int file, struct plain_message message) {
  need(ioctl(file, PLAIN_RUN, &message) == 0, "a message failed");
  return message.out_len;
}

int main(int count, char **words) {
  static counters_t took[MostRounds];
  need(count >= 6 && count % 2 == 0,
       "usage: plain_cycles PATH ALGORITHM IV_BYTES [BYTES ROUNDS]...");
  char name[64];
  snprintf(name, sizeof(name), "/dev/cryptile-%s", words[1]);
  int file = open(name, O_RDWR);
  need(file >= 0, "no such device");
  struct plain_setup setup = {.iv_len = (uint32_t)strtoul(words[3], NULL, 0)};
  snprintf(setup.alg, sizeof(setup.alg), "%s", words[2]);
  memset(setup.key, 2, sizeof(setup.key));
  setup.key[sizeof(setup.key) - 1] = 3;  // the halves of a key of XTS must differ
  setup.key[31] = 4;
  need(ioctl(file, PLAIN_SETUP, &setup) == 0, "no such algorithm");
  for (int i = 4; i < count; i += 2) {
    size_t bytes = strtoul(words[i], NULL, 0);
    unsigned rounds = (unsigned)strtoul(words[i + 1], NULL, 0);
    need(bytes != 0 && bytes < 1u << 30 && rounds <= MostRounds, "no such number");
    uint8_t *data = malloc(bytes + MostTag);
    need(data != NULL, "no memory");
    memset(data, 1, bytes + MostTag);
    struct plain_message message = {.in = (uintptr_t)data,
                                    .out = (uintptr_t)data,
                                    .len = (uint32_t)bytes,
                                    .out_len = (uint32_t)bytes + MostTag,
                                    .iv = {5}};
    size_t made = do_one(file, message);  // caches, TLBs, and pages that were never touched
    for (size_t n = 0; rounds == 0 && n < made; n++) {
      printf("%02x%s", data[n], n + 1 == made ? "\n" : "");
    }
    for (unsigned n = 0; n < rounds; n++) {
      counters_t begin = counters_now();
      do_one(file, message);
      took[n] = counters_since(begin);
    }
    if (rounds != 0) {
      counters_tell(words[1], words[2], bytes, 1, took, rounds);
    }
    fflush(stdout);
    free(data);
  }
  return 0;
}
