// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The provider `cryptile` beside OpenSSL's own: the same messages in the same pieces through both.
// What each call gives must be the same, also where it must fail. Prints what was counted; says
// what differs on standard error.
//
//   provider_compare SEED ROUNDS MOST    messages of up to MOST bytes, ROUNDS of each algorithm
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "provider_guest.h"

enum { MostBytes = 1 << 20, Tag = 16, MaxPieces = 8, MaxAad = 70, MostTries = 40 };
enum { MostMore = 1024 };  // than a message: padding, alignment

static const char *const kCiphers[] = {
    "AES-128-CTR", "AES-192-CTR", "AES-256-CTR", "AES-128-GCM", "AES-192-GCM", "AES-256-GCM",
    "AES-128-XTS", "AES-256-XTS", "AES-128-CBC", "AES-192-CBC", "AES-256-CBC", "AES-128-ECB",
    "AES-192-ECB", "AES-256-ECB", "AES-128-CCM", "AES-192-CCM", "AES-256-CCM", "ChaCha20-Poly1305"};
static const char *const kDigests[] = {"SHA2-224",     "SHA2-256",     "SHA2-384", "SHA2-512",
                                       "SHA2-512/224", "SHA2-512/256", "SHA3-224", "SHA3-256",
                                       "SHA3-384",     "SHA3-512"};
// With hash functions and ciphers that the tile has, and others.
static const struct {
  const char *name, *param, *inner;
  size_t key_bytes;  // 0: any
} kMacs[] = {{"HMAC", OSSL_MAC_PARAM_DIGEST, "SHA2-224", 0},
             {"HMAC", OSSL_MAC_PARAM_DIGEST, "SHA256", 0},
             {"HMAC", OSSL_MAC_PARAM_DIGEST, "SHA384", 0},
             {"HMAC", OSSL_MAC_PARAM_DIGEST, "SHA2-512", 0},
             {"HMAC", OSSL_MAC_PARAM_DIGEST, "SHA2-512/224", 0},
             {"HMAC", OSSL_MAC_PARAM_DIGEST, "SHA512-256", 0},
             {"HMAC", OSSL_MAC_PARAM_DIGEST, "SHA3-256", 0},
             {"CMAC", OSSL_MAC_PARAM_CIPHER, "AES-128-CBC", 16},
             {"CMAC", OSSL_MAC_PARAM_CIPHER, "AES-192-CBC", 24},
             {"CMAC", OSSL_MAC_PARAM_CIPHER, "aes-256-cbc", 32},
             {"CMAC", OSSL_MAC_PARAM_CIPHER, "CAMELLIA-128-CBC", 16}};

// A message, and how it is cut.
typedef struct {
  bool encrypt, pad, in_place, forged;
  int copy_at;  // piece before which the context is copied; -1: never
  int iv_len, tag_len;
  uint8_t key[64], iv[64], tag[Tag], aad[MaxAad];
  size_t len, aad_len, aad_cut;
  unsigned pieces;
  size_t piece[MaxPieces];
  uint8_t *text;
} task_t;

// What came of it.
typedef struct {
  bool good;
  size_t len;
  unsigned calls;
  size_t made[MaxPieces];
  uint8_t tag[Tag], iv[64];
  uint8_t *out;
} answer_t;

static OSSL_LIB_CTX *software;
static uint8_t *memory[3];  // OpenSSL's, so that it may be the tile's
static uint64_t state;
static unsigned tasks, failures;

static void fill(uint8_t *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    bytes[i] = (uint8_t)draw(&state, 256);
  }
}

static void differ(const char *name, const task_t *task, const char *what) {
  fprintf(stderr, "%s, %s %zu bytes in %u pieces, %zu of associated data: %s\n", name,
          task->encrypt ? "encrypt" : "decrypt", task->len, task->pieces, task->aad_len, what);
  failures++;
}

static void cut(task_t *task, bool whole) {
  size_t left = task->len;
  task->pieces = whole ? 1 : 1 + draw(&state, MaxPieces);
  for (unsigned i = 0; i + 1 < task->pieces; i++) {
    task->piece[i] = draw(&state, 3) == 0 ? draw(&state, 20) : draw(&state, (uint32_t)left + 1);
    task->piece[i] = task->piece[i] < left ? task->piece[i] : left;
    left -= task->piece[i];
  }
  task->piece[task->pieces - 1] = left;
  task->copy_at = draw(&state, 2) == 0 ? -1 : (int)draw(&state, task->pieces);
}

static bool copied(EVP_CIPHER_CTX **ctx) {
  EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_dup(*ctx);
  EVP_CIPHER_CTX_free(*ctx);
  *ctx = copy;
  return copy != NULL;
}

static bool begin(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const task_t *task) {
  bool aead = (EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
  bool ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
  int made;
  uint8_t *tag = task->encrypt ? NULL : (uint8_t *)task->tag;
  return EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, task->encrypt, NULL) &&
         (!aead || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, task->iv_len, NULL)) &&
         ((!ccm && (tag == NULL || !aead)) ||
          EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, task->tag_len, tag)) &&
         EVP_CipherInit_ex2(ctx, NULL, task->key, task->iv, task->encrypt, NULL) &&
         EVP_CIPHER_CTX_set_padding(ctx, task->pad) &&
         (!ccm || EVP_CipherUpdate(ctx, NULL, &made, NULL, (int)task->len)) &&
         (task->aad_cut == 0 ||
          EVP_CipherUpdate(ctx, NULL, &made, task->aad, (int)task->aad_cut)) &&
         (task->aad_cut == task->aad_len ||
          EVP_CipherUpdate(ctx, NULL, &made, task->aad + task->aad_cut,
                           (int)(task->aad_len - task->aad_cut)));
}

static void run(OSSL_LIB_CTX *library, const char *properties, const char *name, const task_t *task,
                answer_t *answer) {
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, properties);
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  need(cipher != NULL && ctx != NULL, name);
  bool aead = (EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
  uint8_t *to = answer->out;
  const uint8_t *from = task->text;
  int made = 0;
  // In place a block cipher's output may not run into its input: there, padding comes apart.
  if (task->in_place) {
    memcpy(to, from, task->len);
    from = to;
  }
  answer->good = begin(ctx, cipher, task);
  answer->calls = 0;
  for (unsigned i = 0; i < task->pieces && answer->good; i++) {
    if ((int)i == task->copy_at) {
      answer->good = copied(&ctx);
    }
    answer->good = answer->good && EVP_CipherUpdate(ctx, to, &made, from, (int)task->piece[i]);
    answer->made[answer->calls++] = (size_t)made;
    from += task->piece[i];
    to += answer->good ? made : 0;
  }
  made = 0;
  answer->good = answer->good && EVP_CipherFinal_ex(ctx, to, &made);
  to += answer->good ? made : 0;
  answer->len = (size_t)(to - answer->out);
  memset(answer->tag, 0, sizeof(answer->tag));
  if (answer->good && aead && task->encrypt) {
    answer->good = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, task->tag_len, answer->tag) == 1;
  }
  memset(answer->iv, 0, sizeof(answer->iv));
  if (answer->good && !aead && EVP_CIPHER_get_iv_length(cipher) != 0) {
    need(EVP_CIPHER_CTX_get_updated_iv(ctx, answer->iv, sizeof(answer->iv)), "no updated IV");
  }
  EVP_CIPHER_CTX_free(ctx);
  EVP_CIPHER_free(cipher);
}

static bool compare(const char *name, const task_t *task, answer_t *ours, answer_t *theirs) {
  run(NULL, "provider=cryptile", name, task, ours);
  run(software, NULL, name, task, theirs);
  tasks++;
  const char *what = NULL;
  if (ours->good != theirs->good) {
    what = ours->good ? "should fail" : "fails";
  } else if (ours->calls != theirs->calls ||
             memcmp(ours->made, theirs->made, ours->calls * sizeof(ours->made[0])) != 0) {
    what = "lengths";
  } else if (ours->good &&
             (ours->len != theirs->len || memcmp(ours->out, theirs->out, ours->len) != 0)) {
    what = "output";
  } else if (ours->good && memcmp(ours->tag, theirs->tag, Tag) != 0) {
    what = "tag";
  } else if (ours->good && memcmp(ours->iv, theirs->iv, sizeof(ours->iv)) != 0) {
    what = "updated IV";
  }
  if (what != NULL) {
    differ(name, task, what);
  }
  return what == NULL && ours->good;
}

// One of the three messages, at any alignment.
static uint8_t *place(unsigned number) {
  return memory[number] + draw(&state, Tag);
}

static void cipher_round(const char *name, size_t most) {
  uint8_t *text = place(0);
  const char *mode = strrchr(name, '-') + 1;
  bool gcm = strcmp(mode, "GCM") == 0, ccm = strcmp(mode, "CCM") == 0;
  bool aead = gcm || ccm || strcmp(mode, "Poly1305") == 0;
  bool blocks = strcmp(mode, "CBC") == 0 || strcmp(mode, "ECB") == 0;
  bool unit = strcmp(mode, "XTS") == 0;
  task_t task = {.encrypt = true, .pad = !blocks || draw(&state, 2) == 0, .text = text};
  answer_t ours = {.out = place(1)}, theirs = {.out = place(2)};
  task.len = draw(&state, 4) == 0 ? draw(&state, 40) : draw(&state, (uint32_t)most + 1);
  task.len = unit && task.len < 16 ? 16 : task.len;
  task.iv_len = gcm   ? (draw(&state, 2) == 0 ? 12 : 1 + (int)draw(&state, 40))
                : ccm ? 7 + (int)draw(&state, 7)
                      : 12;
  task.tag_len = gcm ? 12 + (int)draw(&state, 5) : ccm ? 4 + 2 * (int)draw(&state, 7) : Tag;
  task.aad_len = aead ? draw(&state, MaxAad + 1) : 0;
  task.aad_cut = ccm ? task.aad_len : draw(&state, (uint32_t)task.aad_len + 1);
  task.in_place = !blocks && draw(&state, 2) == 0;
  fill(task.key, sizeof(task.key));
  fill(task.iv, sizeof(task.iv));
  if (draw(&state, 4) == 0) {
    memset(task.iv + 8, 0xff, 8);  // counters pass over
  }
  fill(task.aad, sizeof(task.aad));
  fill(text, task.len);
  cut(&task, unit || ccm);
  if (!compare(name, &task, &ours, &theirs)) {
    return;
  }
  task.encrypt = false;
  task.len = theirs.len;
  memcpy(text, theirs.out, theirs.len);
  memcpy(task.tag, theirs.tag, Tag);
  cut(&task, unit || ccm);
  (void)compare(name, &task, &ours, &theirs);
  if (aead) {
    task.tag[draw(&state, (uint32_t)task.tag_len)] ^= (uint8_t)(1 << draw(&state, 8));
    (void)compare(name, &task, &ours, &theirs);
    if (ours.good) {
      differ(name, &task, "a wrong tag is taken");
    }
  } else if (blocks && task.len != 0) {
    text[task.len - 1 - draw(&state, (uint32_t)task.len)] ^= (uint8_t)(1 << draw(&state, 8));
    (void)compare(name, &task, &ours, &theirs);
  }
}

static void digest_round(const char *name, size_t most) {
  uint8_t *text = place(0);
  task_t task = {.text = text};
  task.len = draw(&state, 4) == 0 ? draw(&state, 40) : draw(&state, (uint32_t)most + 1);
  fill(text, task.len);
  cut(&task, false);
  uint8_t out[2][EVP_MAX_MD_SIZE] = {{0}};
  unsigned len[2] = {0};
  for (unsigned side = 0; side < 2; side++) {
    EVP_MD *md = side == 0 ? EVP_MD_fetch(NULL, name, "provider=cryptile")
                           : EVP_MD_fetch(software, name, NULL);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    need(md != NULL && ctx != NULL && copy != NULL, name);
    const uint8_t *from = text;
    bool good = EVP_DigestInit_ex2(ctx, md, NULL);
    for (unsigned i = 0; i < task.pieces && good; i++) {
      if ((int)i == task.copy_at) {
        good = EVP_MD_CTX_copy_ex(copy, ctx) && EVP_DigestUpdate(ctx, "other", 5);
        EVP_MD_CTX *other = ctx;
        ctx = copy;
        copy = other;
      }
      good = good && EVP_DigestUpdate(ctx, from, task.piece[i]);
      from += task.piece[i];
    }
    good = good && EVP_DigestFinal_ex(ctx, out[side], &len[side]);
    if (!good) {
      differ(name, &task, "fails");
    }
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(copy);
    EVP_MD_free(md);
  }
  tasks++;
  if (len[0] != len[1] || memcmp(out[0], out[1], len[0]) != 0) {
    differ(name, &task, "digest");
  }
}

static bool copied_mac(EVP_MAC_CTX **ctx) {
  EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(*ctx);
  need(copy != NULL, "no copy of a MAC's context");
  bool good = EVP_MAC_update(*ctx, (const uint8_t *)"other", 5);
  EVP_MAC_CTX_free(*ctx);
  *ctx = copy;
  return good;
}

// A message, and the same again with the key that is there.
static bool mac_run(EVP_MAC_CTX **ctx, const task_t *task, uint8_t *out, size_t *len) {
  const uint8_t *from = task->text;
  bool good = true;
  for (unsigned i = 0; i < task->pieces && good; i++) {
    good =
        ((int)i != task->copy_at || copied_mac(ctx)) && EVP_MAC_update(*ctx, from, task->piece[i]);
    from += task->piece[i];
  }
  return good && EVP_MAC_final(*ctx, out, len, EVP_MAX_MD_SIZE);
}

static void mac_round(unsigned kind, size_t most) {
  uint8_t *text = place(0);
  enum { MostKey = 200, Parts = 5 };
  const char *name = kMacs[kind].inner;
  task_t task = {.text = text};
  uint8_t key[MostKey], out[2][Parts][EVP_MAX_MD_SIZE] = {{{0}}};
  size_t key_len = kMacs[kind].key_bytes != 0 ? kMacs[kind].key_bytes : draw(&state, MostKey + 1);
  size_t len[2][Parts] = {{0}}, size[2];
  task.len = draw(&state, 4) == 0 ? draw(&state, 40) : draw(&state, (uint32_t)most + 1);
  fill(key, sizeof(key));
  fill(text, task.len);
  cut(&task, false);
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(kMacs[kind].param, (char *)name, 0),
                         OSSL_PARAM_END};
  uint8_t other[MostKey];
  fill(other, sizeof(other));
  OSSL_PARAM other_key[] = {OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, other, key_len),
                            OSSL_PARAM_END};
  for (unsigned side = 0; side < 2; side++) {
    EVP_MAC *mac = EVP_MAC_fetch(side == 0 ? NULL : software, kMacs[kind].name,
                                 side == 0 ? "provider=cryptile" : NULL);
    EVP_MAC_CTX *ctx = mac != NULL ? EVP_MAC_CTX_new(mac) : NULL;
    need(ctx != NULL, name);
    bool good = EVP_MAC_init(ctx, key, key_len, params) &&
                mac_run(&ctx, &task, out[side][0], &len[side][0]) &&
                EVP_MAC_init(ctx, NULL, 0, NULL) &&
                mac_run(&ctx, &task, out[side][1], &len[side][1]) &&
                EVP_MAC_init(ctx, key, key_len, NULL) &&
                EVP_MAC_final(ctx, out[side][2], &len[side][2], EVP_MAX_MD_SIZE) &&
                EVP_MAC_CTX_set_params(ctx, other_key) &&
                mac_run(&ctx, &task, out[side][3], &len[side][3]) &&
                EVP_MAC_init(ctx, key, key_len, NULL) && EVP_MAC_CTX_set_params(ctx, params) &&
                mac_run(&ctx, &task, out[side][4], &len[side][4]);
    if (!good) {
      differ(name, &task, side == 0 ? "fails" : "OpenSSL's fails");
    }
    size[side] = EVP_MAC_CTX_get_mac_size(ctx) * 1000 + EVP_MAC_CTX_get_block_size(ctx);
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
  }
  tasks++;
  if (memcmp(len[0], len[1], sizeof(len[0])) != 0 || memcmp(out[0], out[1], sizeof(out[0])) != 0) {
    differ(name, &task, "code");
  }
  if (memcmp(out[0][0], out[0][1], len[0][0]) != 0) {
    differ(name, &task, "code of the same message again");
  }
  if (size[0] != size[1]) {
    differ(name, &task, "lengths of code or block");
  }
}

// A child has the provider, but a ring of its own: what it asks is right, and the parent's goes on.
static void child_round(const OSSL_PROVIDER *ours, size_t most) {
  fflush(NULL);
  pid_t child = fork();
  need(child >= 0, "fork");
  if (child == 0) {
    uint64_t before = provider_count(ours, "jobs"), refused = provider_count(ours, "refused");
    unsigned known = failures;
    bool worked = false;
    for (unsigned i = 0; i < MostTries && !worked; i++) {  // some are short, and for software
      cipher_round("AES-256-GCM", most);
      digest_round("SHA2-256", most);
      worked = provider_count(ours, "jobs") > before || provider_count(ours, "refused") > refused;
    }
    _exit(failures != known || !worked);
  }
  int status;
  need(waitpid(child, &status, 0) == child, "wait");
  tasks++;
  if (status != 0) {
    fprintf(stderr, "a child: status %d\n", status);
    failures++;
  }
}

int main(int count, char **words) {
  need(count == 4, "usage: provider_compare SEED ROUNDS MOST");
  state = strtoull(words[1], NULL, 0);
  unsigned rounds = (unsigned)atoi(words[2]);
  size_t most = strtoul(words[3], NULL, 0);
  need(most <= MostBytes, "MOST is too large");
  software = OSSL_LIB_CTX_new();
  OSSL_PROVIDER *ours = OSSL_PROVIDER_load(NULL, "cryptile");
  need(ours != NULL, "the provider does not load");
  need(software != NULL && OSSL_PROVIDER_load(software, "default") != NULL, "no default provider");
  for (unsigned i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
    memory[i] = OPENSSL_malloc(most + MostMore);
    need(memory[i] != NULL, "no memory");
  }
  for (unsigned round = 0; round < rounds; round++) {
    for (unsigned i = 0; i < sizeof(kCiphers) / sizeof(kCiphers[0]); i++) {
      cipher_round(kCiphers[i], most);
    }
    child_round(ours, most);
    for (unsigned i = 0; i < sizeof(kDigests) / sizeof(kDigests[0]); i++) {
      digest_round(kDigests[i], most);
    }
    for (unsigned i = 0; i < sizeof(kMacs) / sizeof(kMacs[0]); i++) {
      mac_round(i, most);
    }
  }
  char *queue = NULL;
  OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr("queue", &queue, 0), OSSL_PARAM_END};
  need(OSSL_PROVIDER_get_params(ours, params), "no parameters of the provider");
  printf(
      "%u tasks, %u differ; %s queue, %llu jobs, %llu refused, %llu failed; %llu of %llu bytes\n",
      tasks, failures, queue, (unsigned long long)provider_count(ours, "jobs"),
      (unsigned long long)provider_count(ours, "refused"),
      (unsigned long long)provider_count(ours, "failed"),
      (unsigned long long)provider_count(ours, "copied"),
      (unsigned long long)provider_count(ours, "bytes"));
  for (unsigned i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
    OPENSSL_free(memory[i]);
  }
  OSSL_PROVIDER_unload(ours);
  OSSL_LIB_CTX_free(software);
  return failures != 0;
}
