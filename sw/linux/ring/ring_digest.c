// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The example: the digest of a file, through a ring of this process' own.
//
//   ring_digest ALGORITHM FILE    prints as the programs of the coreutils do
#include <stdio.h>
#include <stdlib.h>

#include "cry_ring.h"

enum { RingLog2 = 4, MaxFile = 1 << 19, MaxDigest = 64, OneSecond = 1000000000 };

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "ring_digest: %s\n", what);
    exit(1);
  }
}

int main(int count, char **words) {
  need(count == 3, "usage: ring_digest ALGORITHM FILE");
  const char *path = words[2];
  const tile_alg_t *alg = cry_tile_alg(words[1]);
  need(alg != NULL && alg->key_bytes == 0 && alg->tag_bytes != 0, "no such hash function");
  FILE *file = fopen(path, "rb");
  need(file != NULL, "no such file");

  cry_ring_t ring;
  cry_ring_config_t config = {.ring_log2 = RingLog2, .arena_bytes = 2 * MaxFile};
  need(cry_ring_open(&ring, &config) == CRYPTILE_OK, "no ring");
  size_t most = ring.max_bytes < MaxFile ? ring.max_bytes : MaxFile;
  uint8_t *data = cry_ring_take(&ring, most + 1);
  uint8_t *digest = cry_ring_take(&ring, MaxDigest);
  tile_scratch_t *scratch = cry_ring_take(&ring, sizeof(*scratch));
  need(data != NULL && digest != NULL && scratch != NULL, "no memory");
  size_t len = fread(data, 1, most + 1, file);
  need(len <= most, "the file is longer than a job may be");

  tile_message_t message = {.in = data, .len = len, .tag = digest, .scratch = scratch};
  tile_job_t job;
  need(cry_ring_prepare(&ring, alg, &message, &job) == CRYPTILE_OK, "no job");
  need(cry_ring_run(&ring, &job, OneSecond) == CRYPTILE_OK, "the job fails");
  for (unsigned i = 0; i < alg->tag_bytes; i++) {
    printf("%02x", digest[i]);
  }
  printf("  %s\n", path);
  cry_ring_close(&ring);
  fclose(file);
  return 0;
}
