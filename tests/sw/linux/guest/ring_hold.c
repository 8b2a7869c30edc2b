// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Holds rings while a command runs.
//
//   ring_hold COUNT COMMAND [ARGUMENT...]
//
// Opens COUNT rings with a hardware queue each, tells how many it got and how the next one is
// refused, and runs the command; its status is the command's.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cry_ring.h"

enum { Most = 8 };

int main(int count, char **words) {
  unsigned wanted = count > 2 ? (unsigned)atoi(words[1]) : 0, got = 0;
  cry_ring_t rings[Most], next;
  cry_ring_config_t config = {.ring_log2 = 4, .arena_bytes = 1 << 16, .exclusive = true};
  if (wanted == 0 || wanted > Most) {
    return 2;
  }
  while (got < wanted && cry_ring_open(&rings[got], &config) == CRYPTILE_OK) {
    got++;
  }
  cryptile_status_t status = cry_ring_open(&next, &config);
  printf("%u rings, the next one: %d\n", got, status);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execvp(words[2], words + 2);
    _exit(127);
  }
  int ended = 1;
  waitpid(child, &ended, 0);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : 1;
}
