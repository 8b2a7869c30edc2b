// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Rings whose end is not the usual one.
//
//   ring_lost die              killed in the midst of long jobs
//   ring_lost flood            three rings full of the longest jobs, all with the interrupt bit:
//                              how long 64 bytes of a fourth one wait for the engine, in cycles
//   ring_lost gone COMMAND     the device goes, by a command: what is left
//   ring_lost stopped COMMAND  the same for its queue, as when the system sleeps
//   ring_lost told COMMAND     while a command runs beside it: what poll() says of a
//                              queue that has no job
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cry_ring.h"

enum { RingLog2 = 4, Jobs = 8, Floods = 3, OneSecond = 1000000000, Short = 64, Little = 1000000 };

enum { Patience = 20000 };  // milliseconds that poll() waits for what comes at once

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "ring_lost: %s\n", what);
    exit(2);
  }
}

static void open_ring(cry_ring_t *ring) {
  cry_ring_config_t config = {.ring_log2 = RingLog2, .arena_bytes = 1 << 20, .exclusive = true};
  need(cry_ring_open(ring, &config) == CRYPTILE_OK, "no ring");
}

// With the first hash function of the list.
static tile_job_t hashing(cry_ring_t *ring, size_t len) {
  tile_job_t job;
  unsigned count;
  const tile_alg_t *alg = cry_tile_algs(&count);
  while (alg->tag_bytes == 0 || alg->key_bytes != 0) {
    alg++;
  }
  tile_message_t message = {
      .in = cry_ring_take(ring, len), .len = len, .tag = cry_ring_take(ring, Short)};
  need(cry_ring_prepare(ring, alg, &message, &job) == CRYPTILE_OK, "no job");
  return job;
}

static void fill(cry_ring_t *ring) {
  open_ring(ring);
  tile_job_t job = hashing(ring, ring->max_bytes);
  job.irq = true;
  for (unsigned i = 0; i < Jobs; i++) {
    need(cry_ring_submit(ring, &job, NULL) == CRYPTILE_OK, "submit");
  }
}

static void die(void) {
  cry_ring_t ring;
  fill(&ring);
  need(cry_ring_notify(&ring) == CRYPTILE_OK, "notify");
  raise(SIGKILL);
}

static void flood(void) {
  cry_ring_t floods[Floods], mine;
  tile_result_t alone, beside;
  open_ring(&mine);
  tile_job_t job = hashing(&mine, Short);
  need(cry_ring_submit(&mine, &job, NULL) == CRYPTILE_OK && cry_ring_notify(&mine) == CRYPTILE_OK &&
           cry_tile_wait(&mine.queue, OneSecond, &alone) == CRYPTILE_OK,
       "alone");
  for (unsigned i = 0; i < Floods; i++) {
    fill(&floods[i]);
  }
  need(cry_ring_submit(&mine, &job, NULL) == CRYPTILE_OK, "submit");
  for (unsigned i = 0; i < Floods; i++) {
    need(cry_ring_notify(&floods[i]) == CRYPTILE_OK, "notify");
  }
  need(cry_ring_notify(&mine) == CRYPTILE_OK &&
           cry_tile_wait(&mine.queue, OneSecond, &beside) == CRYPTILE_OK,
       "beside");
  unsigned left = 0;
  for (unsigned i = 0; i < Floods; i++) {
    while (cry_tile_poll(&floods[i].queue, NULL)) {
    }
    left += floods[i].queue.count.submitted - floods[i].queue.count.finished;
  }
  printf("max_bytes %u, alone %u, beside %u, left %u\n", mine.max_bytes, alone.cycles,
         beside.cycles, left);
}

static sigjmp_buf back;

static void caught(int number) {
  siglongjmp(back, number);
}

static void touch(const char *what, volatile const uint8_t *memory) {
  int number = sigsetjmp(back, 1);
  if (number == 0) {
    (void)*memory;
  }
  printf("%s: %s\n", what, number == 0 ? "there" : strsignal(number));
}

static void show_poll(const cry_ring_t *ring, int milliseconds) {
  struct pollfd wanted = {.fd = cry_ring_file(ring), .events = POLLIN};
  poll(&wanted, 1, milliseconds);
  printf("poll:%s%s%s\n", wanted.revents & POLLIN ? " in" : "",
         wanted.revents & POLLERR ? " err" : "", wanted.revents & POLLHUP ? " hup" : "");
}

static void run(const char *command) {
  fflush(stdout);
  printf("%s: %d\n", command, system(command));
}

static void gone(const char *command) {
  cry_ring_t ring;
  open_ring(&ring);
  tile_job_t job = hashing(&ring, Short);
  job.irq = true;
  need(cry_ring_run(&ring, &job, OneSecond) == CRYPTILE_OK, "run");
  signal(SIGBUS, caught);
  touch("memory before", ring.arena[0].memory);
  run(command);
  touch("memory", ring.arena[0].memory);
  touch("page", (const uint8_t *)ring.queue.page);
  show_poll(&ring, 0);
  printf("event: %d\n", cry_ring_take_event(&ring));
  printf("restart: %d\n", cry_ring_restart(&ring));
  printf("arena: %d\n", cry_ring_add_arena(&ring, 1));
  cry_ring_close(&ring);
  printf("closed: file %d, event %d\n", cry_ring_file(&ring), cry_ring_take_event(&ring));
}

static void stopped(const char *command) {
  cry_ring_t ring;
  open_ring(&ring);
  tile_job_t job = hashing(&ring, Short);
  run(command);
  touch("memory", ring.arena[0].memory);
  show_poll(&ring, 0);
  need(cry_ring_submit(&ring, &job, NULL) == CRYPTILE_OK && cry_ring_notify(&ring) == CRYPTILE_OK,
       "submit");
  tile_result_t result;
  printf("asleep: %d\n", cry_ring_sleep(&ring, Little, &result));
  printf("awake: %d\n", cry_tile_wait(&ring.queue, Little, &result));
  printf("event: %d\n", cry_ring_take_event(&ring));
  printf("restart: %d\n", cry_ring_restart(&ring));
  printf("event behind it: %d\n", cry_ring_take_event(&ring));
  job.irq = true;
  printf("run: %d\n", cry_ring_run(&ring, &job, OneSecond));
  cry_ring_close(&ring);
}

static void told(const char *command) {
  cry_ring_t ring;
  open_ring(&ring);
  fflush(stdout);
  pid_t child = fork();
  need(child >= 0, "fork");
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  show_poll(&ring, Patience);
  kill(child, SIGTERM);
  need(waitpid(child, NULL, 0) == child, "wait");
  cry_ring_close(&ring);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  if (strcmp(what, "die") == 0) {
    die();
  } else if (strcmp(what, "flood") == 0) {
    flood();
  } else if (strcmp(what, "gone") == 0 && count == 3) {
    gone(words[2]);
  } else if (strcmp(what, "stopped") == 0 && count == 3) {
    stopped(words[2]);
  } else if (strcmp(what, "told") == 0 && count == 3) {
    told(words[2]);
  } else {
    return 2;
  }
  return 0;
}
