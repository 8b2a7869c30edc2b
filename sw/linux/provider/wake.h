// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What tells a program that one of its jobs wants to go on: one file, which can be read from when
// the ring has an event, and from a time on. One, as programs may look at no more than one of each
// job's (`openssl speed` does); of its own, as a ring's file is closed while programs still wait.
#ifndef CRYPTILE_PROVIDER_WAKE_H
#define CRYPTILE_PROVIDER_WAKE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int file;   // an epoll instance, with the ring's file and the alarm
  int alarm;  // a timer
} wake_t;

// False: there are no more files.
bool wake_open(wake_t *wake, int ring_file);

// Sets the alarm, in nanoseconds from now on; the one before is forgotten. 0: now.
void wake_after(const wake_t *wake, uint32_t nanoseconds);

// In a child of fork(), whose parent has the same files: by the same number a file of its own, with
// its alarm now.
void wake_in_child(const wake_t *wake);

void wake_close(const wake_t *wake);

#endif  // CRYPTILE_PROVIDER_WAKE_H
