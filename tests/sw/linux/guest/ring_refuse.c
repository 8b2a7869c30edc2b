// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// System calls of /dev/cryptile0 as they must not be: prints a line for each, `name: error`.
//
//   ring_refuse
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cryptile_ring.h"

enum { Page = 4096, Nobody = 65534, Locked = 1 << 18 };
static const char kDevice[] = "/dev/cryptile0";

static void told(const char *name, long result) {
  printf("%s: %s\n", name, result == -1 ? strerrorname_np(errno) : "0");
}

static int opened(int flags) {
  int file = open(kDevice, flags | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    perror(kDevice);
    exit(2);
  }
  return file;
}

static struct cryptile_ring_setup right(void) {
  return (struct cryptile_ring_setup){
      .version = CRYPTILE_RING_VERSION, .ring_log2 = 4, .arena_bytes = 4 * Page};
}

#define SETUP(name, file, ...)                            \
  do {                                                    \
    struct cryptile_ring_setup setup = right();           \
    setup.__VA_ARGS__;                                    \
    told(name, ioctl(file, CRYPTILE_RING_SETUP, &setup)); \
  } while (0)

#define ARENA(name, file, ...)                            \
  do {                                                    \
    struct cryptile_ring_arena arena = {.bytes = Page};   \
    arena.__VA_ARGS__;                                    \
    told(name, ioctl(file, CRYPTILE_RING_ARENA, &arena)); \
  } while (0)

static void map(const char *name, int file, uint64_t offset, size_t bytes, int prot, int flags) {
  void *memory = mmap(NULL, bytes, prot, flags, file, (off_t)offset);
  told(name, memory == MAP_FAILED ? -1 : 0);
  if (memory != MAP_FAILED) {
    munmap(memory, bytes);
  }
}

static void setups(int file) {
  SETUP("version 2", file, version = 2);
  SETUP("flags", file, flags = 1);
  SETUP("reserved", file, reserved[1] = 1);
  SETUP("ring of 1", file, ring_log2 = 0);
  SETUP("ring of 2^13", file, ring_log2 = 13);
  SETUP("ring of 2^64", file, ring_log2 = 64);
  SETUP("no arena", file, arena_bytes = 0);
  SETUP("arena of 2^29", file, arena_bytes = 1 << 29);
  SETUP("arena of 2^63", file, arena_bytes = 1ull << 63);
  SETUP("arena of 2^64 - 1", file, arena_bytes = ~0ull);
  told("no memory of its own", ioctl(file, CRYPTILE_RING_SETUP, NULL));
  told("unknown", ioctl(file, _IO('y', 0x90)));
  told("another size", ioctl(file, _IOWR('y', 0x80, long)));
  ARENA("arena before setup", file, bytes = Page);
  told("restart before setup", ioctl(file, CRYPTILE_RING_RESTART));
  map("map before setup", file, CRYPTILE_RING_WINDOW(0), Page, PROT_READ, MAP_SHARED);
  SETUP("setup", file, flags = 0);
  SETUP("setup again", file, flags = 0);
  ARENA("arena of none", file, bytes = 0);
  ARENA("arena's window", file, window = 1);
  ARENA("arena of 2^64 - 1", file, bytes = ~0ull);
  for (unsigned i = 1; i <= 4; i++) {
    ARENA("one more arena", file, bytes = Page);
  }
  struct cryptile_ring_batch batch = {.entries = 1};
  told("run without turns", ioctl(file, CRYPTILE_RING_RUN, &batch));
  uint32_t little;
  told("read of 4 bytes", read(file, &little, sizeof(little)));
}

static void maps(int file) {
  const int kBoth = PROT_READ | PROT_WRITE;
  map("page", file, CRYPTILE_RING_PAGE, Page, kBoth, MAP_SHARED);
  map("page and the next", file, CRYPTILE_RING_PAGE, 2 * Page, kBoth, MAP_SHARED);
  map("the next page", file, CRYPTILE_RING_PAGE + Page, Page, kBoth, MAP_SHARED);
  map("window", file, CRYPTILE_RING_WINDOW(0), 4 * Page, kBoth, MAP_SHARED);
  map("window and more", file, CRYPTILE_RING_WINDOW(0), 64 * Page, kBoth, MAP_SHARED);
  map("behind the window", file, CRYPTILE_RING_WINDOW(0) + (1 << 20), Page, kBoth, MAP_SHARED);
  map("page to window", file, CRYPTILE_RING_PAGE, CRYPTILE_RING_WINDOW(0) + Page, kBoth,
      MAP_SHARED);
  map("window 4", file, CRYPTILE_RING_WINDOW(4), Page, kBoth, MAP_SHARED);
  map("window 2^20", file, CRYPTILE_RING_WINDOW(1 << 20), Page, kBoth, MAP_SHARED);
  map("private", file, CRYPTILE_RING_WINDOW(0), Page, kBoth, MAP_PRIVATE);
  map("private, to read", file, CRYPTILE_RING_WINDOW(0), Page, PROT_READ, MAP_PRIVATE);
  map("to execute", file, CRYPTILE_RING_WINDOW(0), Page, kBoth | PROT_EXEC, MAP_SHARED);
  void *memory = mmap(NULL, Page, kBoth, MAP_SHARED, file, CRYPTILE_RING_WINDOW(0));
  told("to execute later", mprotect(memory, Page, kBoth | PROT_EXEC));
  told("grow", mremap(memory, Page, 2 * Page, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0);
  struct cryptile_ring_batch *inside = memory;
  told("run from the window", ioctl(file, CRYPTILE_RING_RUN, inside));
  pid_t child = fork();
  if (child == 0) {
    *(volatile char *)memory;
    _exit(0);
  }
  int ended;
  waitpid(child, &ended, 0);
  printf("a child's look: %s\n", WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended)) : "0");
}

// Of a user without rights, whose files were opened for him.
static void as_nobody(int file) {
  struct rlimit limit = {Locked, Locked};
  setrlimit(RLIMIT_MEMLOCK, &limit);
  if (setgid(Nobody) != 0 || setuid(Nobody) != 0) {
    exit(2);
  }
  told("opened by nobody", open(kDevice, O_RDWR));
  SETUP("nobody's long jobs", file, max_bytes = 1 << 20);
  SETUP("nobody's large arena", file, arena_bytes = 1 << 23);
  SETUP("nobody's locked memory", file, arena_bytes = Locked);
  SETUP("nobody's setup", file, max_bytes = 64);
  for (unsigned i = 1; i <= 2; i++) {
    ARENA("nobody's arena", file, bytes = Locked / 2);
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  told("opened to read", open(kDevice, O_RDONLY));
  told("opened to write", open(kDevice, O_WRONLY));
  int file = opened(O_RDWR), third = opened(O_RDWR);
  setups(file);
  maps(file);
  if (fork() == 0) {
    SETUP("setup by a child", third, flags = 0);
    _exit(0);
  }
  wait(NULL);
  close(third);
  int fourth = opened(O_RDWR);
  as_nobody(fourth);
  return 0;
}
