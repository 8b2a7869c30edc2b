// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Known answers through the tile: those that the host gives, or if it gives none, those of
// selftest_tile_vectors.h. For each: there and back, a wrong tag, and in two parts with the context
// saved between them. Prints a table, a line for each algorithm; the exit code is 1 if any answer
// was wrong.
#include "selftest_tile.h"

#include <string.h>

#include "console.h"
#include "selftest_tile_vectors.h"
#include "tile_app.h"
#include "tile_message.h"

enum { MaxBytes = 1 << 20, MaxAlgs = 64 };

// The places move from vector to vector, so that all alignments come up.
static uint8_t *const kHeap = (uint8_t *)SOC_HEAP_BASE;
enum { AtKey = 0, AtIv = 0x1000, AtAad = 0x2000, AtTag = 0x20000, AtMade = 0x200000 };
enum { AtText = 0x400000, AtSealed = 0x600000, AtOut = 0x800000, AtContext = 0xa00000 };

typedef struct {
  uint8_t *key, *iv, *aad, *text, *sealed, *tag;  // the vector
  size_t key_len, iv_len, aad_len, len, tag_len;
  bool wrong;  // the tag is: `text` is what to decrypt
} vector_t;

typedef struct {
  unsigned vectors;
  unsigned forged;  // wrong tags that were refused
  unsigned parts;   // vectors that were also worked on in two parts
  unsigned failures;
} tally_t;

static tile_ring_t ring;
static uint32_t engines;  // built in, bit n: opcode n
static tally_t tallies[MaxAlgs];
static tile_scratch_t scratch;

static cryptile_status_t run(tile_job_t *job) {
  return cry_tile_run(&ring, job, tile_app_limit(job->len + job->aad_len + job->tag_len));
}

static tile_message_t message_of(const vector_t *v, bool decrypt) {
  return (tile_message_t){.decrypt = decrypt,
                          .key = v->key,
                          .key_len = v->key_len,
                          .iv = v->iv,
                          .iv_len = v->iv_len,
                          .aad = v->aad,
                          .aad_len = v->aad_len,
                          .in = v->text,
                          .out = kHeap + AtOut + v->len % 61,
                          .len = v->len,
                          .tag = decrypt ? v->tag : kHeap + AtMade + v->len % 59,
                          .tag_len = v->tag_len,
                          .scratch = &scratch};
}

static bool one_call(const tile_alg_t *alg, const tile_message_t *message,
                     cryptile_status_t wanted) {
  size_t bytes = message->len + message->aad_len + message->key_len + message->tag_len;
  return cry_tile_run_message(&ring, alg, message, tile_app_limit(bytes), false) == wanted;
}

// The message in two parts; the first is the longest the algorithm can stop at.
static bool two_parts(const tile_alg_t *alg, const tile_message_t *message, size_t first) {
  uint8_t *context = kHeap + AtContext;
  tile_message_t part = *message;
  tile_job_t job;
  part.total = message->len;
  part.len = first;
  if (cry_tile_prepare(alg, &part, &job) != CRYPTILE_OK) {
    return false;
  }
  job.more = job.ctx_save = true;
  job.context = tile_address(context);
  if (run(&job) != CRYPTILE_OK) {
    return false;
  }
  part.in = message->in + first;
  part.out = message->out + first;
  part.len = message->len - first;
  if (cry_tile_prepare(alg, &part, &job) != CRYPTILE_OK) {
    return false;
  }
  job.ctx_load = true;
  job.aad_len = 0;
  job.context = tile_address(context);
  return run(&job) == CRYPTILE_OK;
}

// Where a message can be split: 0 if nowhere.
static size_t split(const tile_alg_t *alg, const vector_t *v) {
  if (alg->opcode == TileChaCha20Poly1305 || v->key_len > TileMaxKey || v->len == 0) {
    return 0;  // only whole messages
  }
  size_t first = (v->len - 1) / alg->block * alg->block;
  if (alg->family == TileXts && v->len - first < 16 && first != 0) {
    first -= 16;
  }
  return first;
}

static bool right(const tile_alg_t *alg, const vector_t *v, const tile_message_t *message,
                  const uint8_t *wanted) {
  return (!cry_tile_makes_output(alg) || memcmp(message->out, wanted, v->len) == 0) &&
         (message->decrypt || memcmp(message->tag, v->tag, v->tag_len) == 0);
}

static void forget(const vector_t *v, const tile_message_t *message) {
  memset(message->out, 0xa5, v->len);
  if (!message->decrypt) {
    memset(message->tag, 0xa5, v->tag_len);
  }
}

static bool both_ways(const tile_alg_t *alg, const vector_t *v, tally_t *tally) {
  bool verifies = alg->family == TileHmac || alg->family == TileKmac || alg->family == TileCmac ||
                  alg->family == TileOneTime;
  bool back = cry_tile_makes_output(alg) || verifies;
  size_t first = split(alg, v);
  for (int decrypt = 0; decrypt <= (back ? 1 : 0); decrypt++) {
    tile_message_t message = message_of(v, decrypt != 0);
    message.in = decrypt != 0 && !verifies ? v->sealed : v->text;
    const uint8_t *wanted = decrypt != 0 ? v->text : v->sealed;
    forget(v, &message);
    if (!one_call(alg, &message, CRYPTILE_OK) || !right(alg, v, &message, wanted)) {
      return false;
    }
    forget(v, &message);
    if (first != 0 && (!two_parts(alg, &message, first) || !right(alg, v, &message, wanted))) {
      return false;
    }
    tally->parts += first != 0 && decrypt == 0;
    if (decrypt != 0 && v->tag_len != 0) {
      v->tag[v->len % v->tag_len] ^= 1u << v->len % 8;
      bool refused = one_call(alg, &message, CRYPTILE_ERR_AUTH);
      v->tag[v->len % v->tag_len] ^= 1u << v->len % 8;
      if (!refused) {
        return false;
      }
      tally->forged++;
    }
  }
  return true;
}

static void test(const tile_alg_t *alg, const vector_t *v) {
  unsigned count;
  tally_t *tally = &tallies[alg - cry_tile_algs(&count)];
  bool good;
  tally->vectors++;
  if ((engines >> alg->opcode & 1) == 0) {
    return;
  }
  if (v->wrong) {
    tile_message_t message = message_of(v, true);
    good = one_call(alg, &message, CRYPTILE_ERR_AUTH);
    tally->forged += good;
  } else {
    good = both_ways(alg, v, tally);
  }
  tally->failures += !good;
}

static vector_t place(const size_t lens[6], unsigned count) {
  return (vector_t){.key = kHeap + AtKey + count % 13,
                    .iv = kHeap + AtIv + count % 11,
                    .aad = kHeap + AtAad + count % 31,
                    .text = kHeap + AtText + count % 37,
                    .sealed = kHeap + AtSealed + count % 41,
                    .tag = kHeap + AtTag + count % 29,
                    .key_len = lens[0],
                    .iv_len = lens[1],
                    .aad_len = lens[2],
                    .len = lens[3],
                    .tag_len = lens[5]};
}

static unsigned digit(char c) {
  return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void unhex(uint8_t *to, const char *text) {
  for (; text[0] != 0; text += 2) {
    *to++ = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
  }
}

static size_t length(const char *text) {
  size_t count = 0;
  while (text[count] != 0) {
    count++;
  }
  return count;
}

static void built_in(void) {
  for (unsigned i = 0; i < sizeof(kVectors) / sizeof(kVectors[0]); i++) {
    const text_vector_t *t = &kVectors[i];
    const char *const fields[6] = {t->key, t->iv, t->aad, t->text, t->sealed, t->tag};
    size_t lens[6];
    for (int field = 0; field < 6; field++) {
      lens[field] = length(fields[field]) / 2;
    }
    vector_t v = place(lens, i);
    unhex(v.key, t->key);
    unhex(v.iv, t->iv);
    unhex(v.aad, t->aad);
    unhex(v.text, t->text);
    unhex(v.sealed, t->sealed);
    unhex(v.tag, t->tag);
    test(cry_tile_alg(t->alg), &v);
  }
}

typedef struct {
  char alg[32];
  uint32_t wrong;    // its tag
  uint32_t lens[6];  // key, IV, associated data, text, sealed, tag: these bytes follow
} header_t;

// Counts the vectors that the host gives. Returns false if it is no list of vectors.
static bool given(unsigned *count) {
  static header_t header;
  size_t got;
  *count = 0;
  while ((got = tile_app_read(&header, sizeof(header))) == sizeof(header)) {
    size_t lens[6];
    for (int i = 0; i < 6; i++) {
      lens[i] = header.lens[i];
      if (lens[i] > MaxBytes) {
        return false;
      }
    }
    vector_t v = place(lens, (*count)++);
    v.wrong = header.wrong != 0;
    uint8_t *const places[6] = {v.key, v.iv, v.aad, v.text, v.sealed, v.tag};
    for (int i = 0; i < 6; i++) {
      if (lens[i] != 0 && tile_app_read(places[i], lens[i]) != lens[i]) {
        return false;
      }
    }
    header.alg[sizeof(header.alg) - 1] = 0;
    const tile_alg_t *alg = cry_tile_alg(header.alg);
    if (alg == NULL) {
      return false;
    }
    test(alg, &v);
  }
  return got == 0;
}

static void padded(const char *text, unsigned width) {
  cry_console_text(text);
  for (size_t used = length(text); used < width; used++) {
    cry_console_text(" ");
  }
}

static void number(uint32_t value) {
  for (uint32_t limit = 100000; limit > 1 && value < limit; limit /= 10) {
    cry_console_text(" ");
  }
  cry_console_decimal(value);
}

// Returns the number of algorithms that failed.
static unsigned table(void) {
  unsigned bad = 0;
  unsigned count;
  const tile_alg_t *algs = cry_tile_algs(&count);
  cry_console_text("algorithm            vectors parts forged verdict\n");
  for (size_t i = 0; i < count; i++) {
    const tally_t *tally = &tallies[i];
    if (tally->vectors != 0 && (engines >> algs[i].opcode & 1) == 0) {
      padded(algs[i].name, 22);
      cry_console_text("not built\n");
    } else if (tally->vectors != 0) {
      padded(algs[i].name, 22);
      number(tally->vectors);
      number(tally->parts);
      number(tally->forged);
      cry_console_text(tally->failures == 0 ? " ok\n" : " FAIL\n");
      bad += tally->failures != 0;
    }
  }
  return bad;
}

int main(void) {
  if (tile_app_open(&ring, 0) != CRYPTILE_OK) {
    cry_console_text("no tile\n");
    return SelftestTileExitNoTile;
  }
  engines = cry_tile_features().engines;
  unsigned count;
  if (!given(&count)) {
    cry_console_text("the input is no list of vectors\n");
    return SelftestTileExitBadInput;
  }
  if (count == 0) {
    built_in();
  }
  unsigned bad = table();
  bad += selftest_tile_driver(&ring);
  cry_console_text(bad == 0 ? "selftest passed\n" : "selftest failed\n");
  return bad == 0 ? 0 : 1;
}
