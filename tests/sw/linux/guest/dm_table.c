// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A device of the device mapper, with one target; its key from the kernel's keyring.
//
//   dm_table NAME SECTORS TARGET PARAMETERS [TYPE DESCRIPTION KEY]    KEY in hexadecimal digits
//   dm_table NAME                                                     removes it
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { Room = 4096, MaxKey = 256, ProcessKeyring = -2 };

static union {
  struct dm_ioctl head;
  char bytes[Room];
} request;

static int control;

static void ask(unsigned long command, const char *what) {
  if (ioctl(control, command, &request) != 0) {
    printf("%s: %s\n", what, strerrorname_np(errno));
    exit(1);
  }
}

static void begin(const char *name) {
  memset(&request, 0, sizeof(request));
  request.head = (struct dm_ioctl){.version = {DM_VERSION_MAJOR, 0, 0},
                                   .data_size = sizeof(request),
                                   .data_start = sizeof(request.head)};
  snprintf(request.head.name, sizeof(request.head.name), "%s", name);
}

static void load(const char *name, char **words) {
  struct dm_target_spec *target = (struct dm_target_spec *)(request.bytes + sizeof(request.head));
  char *parameters = (char *)(target + 1);
  begin(name);
  request.head.target_count = 1;
  target->length = strtoull(words[2], NULL, 0);
  snprintf(target->target_type, sizeof(target->target_type), "%s", words[3]);
  int len = snprintf(parameters, Room - (size_t)(parameters - request.bytes), "%s", words[4]);
  target->next = (uint32_t)(sizeof(*target) + (((unsigned)len + 1 + 7) & ~7u));
  ask(DM_TABLE_LOAD, "table");
}

static void add_key(char **words) {
  uint8_t key[MaxKey];
  size_t len = strlen(words[7]) / 2;
  for (size_t i = 0; i < len && i < MaxKey; i++) {
    unsigned byte;
    if (sscanf(words[7] + 2 * i, "%2x", &byte) != 1) {
      exit(2);
    }
    key[i] = (uint8_t)byte;
  }
  if (syscall(SYS_add_key, words[5], words[6], key, len, ProcessKeyring) < 0) {
    printf("key: %s\n", strerrorname_np(errno));
    exit(1);
  }
}

int main(int count, char **words) {
  control = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
  if (control < 0 || (count != 2 && count != 5 && count != 8)) {
    return 2;
  }
  begin(words[1]);
  if (count == 2) {
    ask(DM_DEV_REMOVE, "remove");
    return 0;
  }
  if (count == 8) {
    add_key(words);
  }
  ask(DM_DEV_CREATE, "create");
  load(words[1], words);
  begin(words[1]);
  ask(DM_DEV_SUSPEND, "resume");
  return 0;
}
