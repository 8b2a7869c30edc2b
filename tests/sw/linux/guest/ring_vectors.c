// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// All vectors of a file through a ring, in flight together: each is encrypted or hashed, decrypted
// or verified, and refused with a wrong tag. Prints what was counted; says what differs on standard
// error.
//
//   ring_vectors FILE [asleep|beside]    asleep: waits by interrupt; beside: at the ring's file, as
//                                        a program does that waits for other files, too
//
// The file: tests/support/tile_vectors.py, Vector.pack().
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cry_ring.h"

enum {
  RingLog2 = 5,
  Entries = 1 << RingLog2,
  ArenaBytes = 1 << 20,
  OneSecond = 1000000000,
  Patience = 1000
};
enum { Name = 32, Key, Iv, Aad, Text, Out, Tag, Parts = 6 };

typedef struct {
  char alg[Name];
  uint32_t wrong;
  uint32_t len[Parts];
} head_t;

typedef enum { Forward, Backward, Forged } way_t;

// What a job in flight must give.
typedef struct {
  const char *name;
  way_t way;
  const uint8_t *made, *wanted;  // message
  const uint8_t *tag, *wanted_tag;
  size_t len, tag_len;
} check_t;

static cry_ring_t ring;
static check_t checks[Entries];
static unsigned in_flight, jobs, failures, algs;
static bool asleep, beside;

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "ring_vectors: %s\n", what);
    exit(2);
  }
}

static void differ(const check_t *check, const char *what, int status) {
  static const char *const kWays[] = {"forward", "backward", "forged"};
  fprintf(stderr, "%s, %s: %s (%d)\n", check->name, kWays[check->way], what, status);
  failures++;
}

// As cry_ring_sleep().
static cryptile_status_t wait_beside(tile_result_t *result) {
  struct pollfd wanted = {.fd = cry_ring_file(&ring), .events = POLLIN};
  while (!cry_tile_poll(&ring.queue, result)) {
    need(poll(&wanted, 1, Patience) == 1 && wanted.revents == POLLIN, "nothing is told");
    need(cry_ring_take_event(&ring) == CRYPTILE_OK, "take an event");
    need(ring.shared || poll(&wanted, 1, 0) == 0 || cry_tile_ready(&ring.queue, 1),
         "an event stays");
  }
  return result->status;
}

static void take(void) {
  tile_result_t result;
  cryptile_status_t status = beside   ? wait_beside(&result)
                             : asleep ? cry_ring_sleep(&ring, OneSecond, &result)
                                      : cry_tile_wait(&ring.queue, OneSecond, &result);
  need(status != CRYPTILE_ERR_TIMEOUT, "no result comes");
  const check_t *check = &checks[result.index % Entries];
  in_flight--;
  jobs++;
  if (status != (check->way == Forged ? CRYPTILE_ERR_AUTH : CRYPTILE_OK)) {
    differ(check, "status", status);
  } else if (check->way != Forged && memcmp(check->made, check->wanted, check->len) != 0) {
    differ(check, "message", status);
  } else if (check->way == Forward && memcmp(check->tag, check->wanted_tag, check->tag_len) != 0) {
    differ(check, "tag", status);
  }
}

static void drain(void) {
  need(cry_ring_notify(&ring) == CRYPTILE_OK, "notify");
  while (in_flight != 0) {
    take();
  }
}

static void give(const tile_alg_t *alg, const tile_message_t *message, const check_t *check) {
  tile_job_t job;
  uint16_t index;
  cryptile_status_t status = cry_ring_prepare(&ring, alg, message, &job);
  if (status != CRYPTILE_OK) {
    differ(check, "prepare", status);
    return;
  }
  job.irq = asleep || beside;
  status = cry_ring_submit(&ring, &job, &index);
  if (status == CRYPTILE_ERR_BUSY) {
    drain();
    status = cry_ring_submit(&ring, &job, &index);
  }
  need(status == CRYPTILE_OK, "submit");
  checks[index % Entries] = *check;
  in_flight++;
}

static uint8_t *room(size_t len) {
  uint8_t *memory = cry_ring_take(&ring, len);
  need(memory != NULL, "the arena is full");
  return memory;
}

static uint8_t *copy(const uint8_t *from, size_t len) {
  return memcpy(room(len), from, len);
}

static void work_on(const head_t *head, const uint8_t *const part[]) {
  const tile_alg_t *alg = cry_tile_alg(head->alg);
  need(alg != NULL, head->alg);
  const uint32_t *len = head->len;
  size_t tag_len = len[Tag - Key];
  algs++;
  tile_message_t message = {.key = copy(part[0], len[0]),
                            .key_len = len[0],
                            .iv = len[1] != 0 ? copy(part[1], len[1]) : NULL,
                            .iv_len = len[1],
                            .aad = len[2] != 0 ? copy(part[2], len[2]) : NULL,
                            .aad_len = len[2],
                            .in = copy(part[3], len[3]),
                            .len = len[3],
                            .out = room(len[4]),
                            .tag = room(tag_len),
                            .tag_len = tag_len,
                            .scratch = (tile_scratch_t *)room(sizeof(tile_scratch_t))};
  check_t check = {head->alg, Forward, message.out, part[4], message.tag, part[5], len[4], tag_len};
  give(alg, &message, &check);
  if (alg->opcode == TileNop || alg->opcode == TileCopy) {
    return;
  }
  bool verifies = tag_len != 0 && alg->key_bytes != 0;
  if (cry_tile_makes_output(alg)) {
    message.in = copy(part[4], len[4]);
  }
  message.decrypt = true;
  for (way_t way = Backward; way <= (verifies ? Forged : Backward); way++) {
    message.out = room(len[3]);
    message.tag = copy(part[5], tag_len);
    message.tag[0] ^= way == Forged;
    size_t made = cry_tile_makes_output(alg) ? len[3] : 0;
    check = (check_t){head->alg, way, message.out, part[3], NULL, NULL, made, 0};
    if (verifies || made != 0) {
      give(alg, &message, &check);
    }
  }
}

int main(int count, char **words) {
  need(count == 2 || count == 3, "usage: ring_vectors FILE [asleep|beside]");
  beside = count == 3 && strcmp(words[2], "beside") == 0;
  asleep = count == 3 && !beside;
  FILE *file = fopen(words[1], "rb");
  need(file != NULL, words[1]);
  static uint8_t data[ArenaBytes];
  size_t size = fread(data, 1, sizeof(data), file);
  cry_ring_config_t config = {.ring_log2 = RingLog2, .arena_bytes = ArenaBytes};
  need(cry_ring_open(&ring, &config) == CRYPTILE_OK, "no ring");
  static head_t heads[256];
  for (size_t at = 0; at + sizeof(heads[0]) <= size;) {
    need(algs < sizeof(heads) / sizeof(heads[0]), "too many vectors");
    head_t *head = &heads[algs];
    memcpy(head, data + at, sizeof(*head));
    at += sizeof(*head);
    const uint8_t *part[Parts];
    for (unsigned i = 0; i < Parts; i++) {
      part[i] = data + at;
      at += head->len[i];
    }
    work_on(head, part);
  }
  drain();
  printf("%s: %u vectors, %u jobs, %u differ\n", ring.shared ? "shared" : "own", algs, jobs,
         failures);
  cry_ring_close(&ring);
  return failures != 0;
}
