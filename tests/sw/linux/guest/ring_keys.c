// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keys of processes in slots of the tile. Prints a line for each attempt, `name: number`: of a job
// the tile's status (tile_catalog.h), of a call of the library its status.
//
//   ring_keys use               what keys can be used for, and what not
//   ring_keys others            what another queue can do with them
//   ring_keys share COUNT       how many keys each of COUNT rings gets
//   ring_keys sleep COMMAND     a key before and after COMMAND, in which the system sleeps
//   ring_keys lost              loads a key, tells it, and dies of SIGKILL
//   ring_keys load              loads one key, and tells the status
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cry_ring.h"
#include "cryptile_ring.h"

enum { RingLog2 = 4, ArenaBytes = 1 << 14, Bytes = 64, Slots = 16, MostRings = 8 };
enum { OneSecond = 1000000000, NoRecord = 255, Page = 4096 };

typedef struct {
  cry_ring_t ring;
  uint8_t *in, *out, *tag, *key, *context;
} user_t;

static const uint8_t kKey[TileMaxKey] = {1, 2, 3, 4, 5};
static const tile_alg_t *sealed;  // the first cipher with a tag
static const tile_alg_t *longer;  // the same with a longer key
static const tile_alg_t *blocks;  // of its engine and length of key, the first mode without a tag

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "ring_keys: %s\n", what);
    exit(2);
  }
}

static void choose(void) {
  unsigned count;
  const tile_alg_t *algs = cry_tile_algs(&count);
  for (unsigned i = count; i-- != 0;) {
    if (algs[i].tag_bytes != 0 && cry_tile_makes_output(&algs[i])) {
      sealed = &algs[i];
    }
  }
  for (unsigned i = count; i-- != 0;) {
    if (algs[i].opcode == sealed->opcode && algs[i].mode == sealed->mode &&
        algs[i].key_bytes > sealed->key_bytes) {
      longer = &algs[i];
    }
    if (algs[i].opcode == sealed->opcode && algs[i].key_bytes == sealed->key_bytes &&
        algs[i].tag_bytes == 0) {
      blocks = &algs[i];
    }
  }
  need(longer != NULL && blocks != NULL, "no such algorithms");
}

static bool begin(user_t *user, bool exclusive) {
  cry_ring_config_t config = {
      .ring_log2 = RingLog2, .arena_bytes = ArenaBytes, .exclusive = exclusive};
  if (cry_ring_open(&user->ring, &config) != CRYPTILE_OK) {
    return false;
  }
  uint8_t **const areas[] = {&user->in, &user->out, &user->tag, &user->key, &user->context};
  for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
    *areas[i] = cry_ring_take(&user->ring, TileContextBytes);
    need(*areas[i] != NULL, "no memory");
  }
  memcpy(user->key, kKey, sizeof(kKey));
  return true;
}

static cryptile_status_t load(user_t *user, const tile_alg_t *alg, bool encrypt, bool decrypt,
                              uint32_t uses, cry_ring_slot_t *slot) {
  cry_ring_key_t key = {.alg = alg,
                        .key = kKey,
                        .key_len = alg->key_bytes,
                        .encrypt = encrypt,
                        .decrypt = decrypt,
                        .uses = uses};
  return cry_ring_load_key(&user->ring, &key, slot);
}

static void loads(user_t *user, const tile_alg_t *alg, bool encrypt, bool decrypt, uint32_t uses,
                  cry_ring_slot_t *slot) {
  need(load(user, alg, encrypt, decrypt, uses, slot) == CRYPTILE_OK, "no key");
}

static tile_job_t job(const user_t *user, const tile_alg_t *alg, const cry_ring_slot_t *slot) {
  static const uint8_t kIv[16];
  tile_job_t job;
  tile_message_t message = {.key = user->key,
                            .key_len = alg->key_bytes,
                            .iv = kIv,
                            .iv_len = cry_tile_takes_iv(alg->family, 12)   ? 12
                                      : cry_tile_takes_iv(alg->family, 16) ? 16
                                                                           : 0,
                            .in = user->in,
                            .out = user->out,
                            .len = Bytes,
                            .tag = user->tag};
  cryptile_status_t status = slot != NULL
                                 ? cry_ring_prepare_by_slot(&user->ring, alg, &message, *slot, &job)
                                 : cry_ring_prepare(&user->ring, alg, &message, &job);
  need(status == CRYPTILE_OK, "no such job");
  return job;
}

static unsigned code(user_t *user, const tile_job_t *job) {
  tile_result_t result;
  need(cry_ring_submit(&user->ring, job, NULL) == CRYPTILE_OK, "no room");
  need(cry_ring_notify(&user->ring) == CRYPTILE_OK, "not told");
  return cry_tile_wait(&user->ring.queue, OneSecond, &result) == CRYPTILE_ERR_TIMEOUT ? NoRecord
                                                                                      : result.code;
}

static void show(const char *name, user_t *user, const tile_alg_t *alg,
                 const cry_ring_slot_t *slot) {
  tile_job_t wanted = job(user, alg, slot);
  printf("%s: %u\n", name, code(user, &wanted));
}

// Jobs that name each slot there is, of any generation: how many the tile did.
static unsigned tries(user_t *user, const tile_alg_t *alg) {
  unsigned done = 0;
  for (unsigned i = 0; i < Slots; i++) {
    tile_job_t forged = job(user, alg, &(cry_ring_slot_t){.number = (uint8_t)i});
    done += code(user, &forged) == TileOk;
  }
  return done;
}

static void use(user_t *user) {
  uint8_t expected[2 * Bytes] = {0};
  cry_ring_slot_t slot, second;
  memset(user->in, 7, Bytes);
  show("by pointer", user, sealed, NULL);
  memcpy(expected, user->out, Bytes);
  memcpy(expected + Bytes, user->tag, 16);
  memset(user->out, 0, Bytes);
  memset(user->tag, 0, 16);
  loads(user, sealed, true, true, 0, &slot);
  memset(user->key, 0, TileMaxKey);
  show("by slot", user, sealed, &slot);
  printf("the same: %d\n",
         memcmp(expected, user->out, Bytes) == 0 && memcmp(expected + Bytes, user->tag, 16) == 0);
  tile_job_t wanted = job(user, sealed, &slot);
  wanted.decrypt = true;
  wanted.src = wanted.dst;
  printf("decrypted: %u\n", code(user, &wanted));
  show("another mode", user, blocks, &slot);
  show("another length", user, longer, &slot);
  show("another generation", user, sealed,
       &(cry_ring_slot_t){slot.number, slot.generation % 255 + 1});
  wanted = job(user, sealed, &slot);
  wanted.tag_len = 4;
  printf("a short tag: %u\n", code(user, &wanted));
  wanted = job(user, sealed, &slot);
  wanted.ctx_save = wanted.more = true;
  wanted.tag = 0;
  wanted.context = cry_ring_address(&user->ring, user->context);
  printf("a part: %u\n", code(user, &wanted));
  // A key for other slots would be a key for other queues.
  wanted = job(user, sealed, &slot);
  wanted.decrypt = true;
  wanted.len = 16;
  wanted.aad = cry_ring_address(&user->ring, user->context);
  wanted.aad_len = 16;
  wanted.dst = 0;
  wanted.unwrap_slot = slot.number;
  printf("unwrapped into its own slot: %u\n", code(user, &wanted));
  wanted = job(user, sealed, &slot);
  wanted.token = true;
  wanted.key = cry_ring_address(&user->ring, user->context);
  printf("it unwraps a token: %u\n", code(user, &wanted));
  need(cry_ring_restart(&user->ring) == CRYPTILE_OK, "restart");
  show("after a restart", user, sealed, &slot);

  loads(user, blocks, true, false, 2, &second);
  show("to encrypt", user, blocks, &second);
  wanted = job(user, blocks, &second);
  wanted.decrypt = true;
  printf("to encrypt, not decrypt: %u\n", code(user, &wanted));
  show("the second of 2", user, blocks, &second);
  show("the third of 2", user, blocks, &second);
  show("the first key", user, sealed, &slot);

  printf("forget: %d\n", cry_ring_forget_key(&user->ring, slot));
  printf("forget again: %d\n", cry_ring_forget_key(&user->ring, slot));
  printf("forget none: %d\n", cry_ring_forget_key(&user->ring, (cry_ring_slot_t){200, 0}));
  show("forgotten", user, sealed, &slot);
  show("forgotten, any", user, sealed, &(cry_ring_slot_t){slot.number, 0});
  cry_ring_slot_t again;
  loads(user, sealed, true, true, 0, &again);
  printf("the slot again: %d\n", again.number == slot.number);
  show("the key before", user, sealed, &slot);
  show("the key now", user, sealed, &again);
}

#define REFUSED(name, ...)                                               \
  do {                                                                   \
    struct cryptile_ring_key key = {.flags = CRYPTILE_RING_KEY_ENCRYPT,  \
                                    .opcode = alg->opcode,               \
                                    .modes = 1u << alg->mode,            \
                                    .key_bytes = 16};                    \
    key.__VA_ARGS__;                                                     \
    bool refused = ioctl(user->ring.file, CRYPTILE_RING_KEY, &key) != 0; \
    printf("%s: %s\n", name, refused ? strerrorname_np(errno) : "0");    \
  } while (0)

static void refused(user_t *user) {
  const tile_alg_t *alg = blocks;
  unsigned fixed = 0;
  REFUSED("no right", flags = 0);
  REFUSED("a flag more", flags |= 16);
  REFUSED("opcode 16", opcode = 16);
  REFUSED("opcode 2^32 - 1", opcode = ~0u);
  REFUSED("no mode", modes = 0);
  REFUSED("mode 16", modes = 1 << 16);
  REFUSED("no key", key_bytes = 0);
  REFUSED("key of 65", key_bytes = 65);
  REFUSED("more than the key", key[16] = 1);
  REFUSED("tag of 128", tag_bytes = 128);
  REFUSED("uses that do not count", uses = 1);
  REFUSED("this slot", slot = 1);
  REFUSED("this generation", generation = 1);
  REFUSED("reserved", reserved = 1);
  printf("nowhere: %s\n",
         ioctl(user->ring.file, CRYPTILE_RING_KEY, NULL) != 0 ? strerrorname_np(errno) : "0");
  printf("forget nowhere: %s\n",
         ioctl(user->ring.file, CRYPTILE_RING_FORGET, NULL) != 0 ? strerrorname_np(errno) : "0");
  // Read from memory that cannot be written: no key stays in a slot that nobody knows of.
  struct cryptile_ring_key *key =
      mmap(NULL, Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  need(key != MAP_FAILED, "no memory");
  *key = (struct cryptile_ring_key){.flags = CRYPTILE_RING_KEY_ENCRYPT,
                                    .opcode = alg->opcode,
                                    .modes = 1u << alg->mode,
                                    .key_bytes = 16};
  need(mprotect(key, Page, PROT_READ) == 0, "mprotect");
  for (unsigned i = 0; i < Slots; i++) {
    fixed += ioctl(user->ring.file, CRYPTILE_RING_KEY, key) != 0 && errno == EFAULT;
  }
  printf("not to be written: %u of %u\n", fixed, Slots);
  REFUSED("as it should be", key[15] = 1);
}

static void others(user_t *owner) {
  user_t other;
  cry_ring_slot_t slot;
  loads(owner, sealed, true, true, 0, &slot);
  need(begin(&other, true), "no second ring");
  show("the owner", owner, sealed, &slot);
  printf("jobs of another: %u\n", tries(&other, sealed));
  printf("forgotten by another: %d\n", cry_ring_forget_key(&other.ring, slot));
  cry_ring_slot_t own;
  loads(&other, sealed, true, true, 0, &own);
  printf("another's own: %u\n", tries(&other, sealed));
  show("the owner still", owner, sealed, &slot);
  cry_ring_close(&owner->ring);
  need(begin(owner, true), "no ring again");
  printf("closed and opened: %u\n", tries(owner, sealed));
}

static void share(unsigned count) {
  static user_t users[MostRings];
  for (unsigned i = 0; i < count && i < MostRings; i++) {
    need(begin(&users[i], true), "too few rings");
  }
  for (unsigned i = 0; i < count && i < MostRings; i++) {
    unsigned keys = 0;
    cry_ring_slot_t slot;
    cryptile_status_t status;
    while ((status = load(&users[i], blocks, true, false, 0, &slot)) == CRYPTILE_OK) {
      keys++;
    }
    printf("ring %u: %u keys, then %d\n", i, keys, status);
  }
  user_t turns;
  cry_ring_slot_t slot;
  need(begin(&turns, false) && turns.ring.shared, "a queue is free");
  printf("by turns: %d\n", load(&turns, blocks, true, false, 0, &slot));
}

static void sleeps(user_t *user, const char *command) {
  cry_ring_slot_t slot, again;
  loads(user, sealed, true, true, 0, &slot);
  show("before", user, sealed, &slot);
  need(system(command) == 0, command);
  printf("stopped: %d\n", load(user, sealed, true, true, 0, &again));
  printf("restart: %d\n", cry_ring_restart(&user->ring));
  printf("keys after: %u\n", tries(user, sealed));
  loads(user, sealed, true, true, 0, &again);
  show("loaded again", user, sealed, &again);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  user_t user;
  cry_ring_slot_t slot;
  setvbuf(stdout, NULL, _IONBF, 0);
  choose();
  if (strcmp(what, "share") == 0 && count == 3) {
    share((unsigned)atoi(words[2]));
    return 0;
  }
  need(begin(&user, true), "no ring");
  if (strcmp(what, "use") == 0) {
    use(&user);
    refused(&user);
  } else if (strcmp(what, "others") == 0) {
    others(&user);
  } else if (strcmp(what, "sleep") == 0 && count == 3) {
    sleeps(&user, words[2]);
  } else if (strcmp(what, "load") == 0) {
    printf("load: %d\n", load(&user, sealed, true, true, 0, &slot));
  } else if (strcmp(what, "lost") == 0) {
    printf("left by who was here: %u\n", tries(&user, sealed));
    loads(&user, sealed, true, true, 0, &slot);
    show("own", &user, sealed, &slot);
    kill(getpid(), SIGKILL);
  } else {
    need(false, "what?");
  }
  return 0;
}
