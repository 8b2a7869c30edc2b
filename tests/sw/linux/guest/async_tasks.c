// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "async_tasks.h"

#include <dirent.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

// Ciphers, then what makes a digest or a code.
static const char *const kNames[] = {
    "AES-128-CTR", "AES-256-GCM", "ChaCha20-Poly1305", "AES-256-XTS", "AES-128-CBC", "AES-192-CCM",
    "AES-256-ECB", "SHA2-256",    "SHA3-512",          "SHA2-512",    "HMAC"};
enum { Names = sizeof(kNames) / sizeof(kNames[0]), Ciphers = 7 };

static OSSL_PROVIDER *ours;
static OSSL_LIB_CTX *here;      // with the provider alone, so that it ends with this one
static OSSL_LIB_CTX *software;  // with OpenSSL's own provider alone

void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "provider_async: %s\n", what);
    fflush(NULL);
    _exit(2);
  }
}

uint32_t draw(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % below);
}

static void fill(uint8_t *bytes, size_t len, uint64_t *state) {
  for (size_t i = 0; i < len; i++) {
    bytes[i] = (uint8_t)draw(state, 256);
  }
}

static bool is_one(const char *name, const char *const *names) {
  while (*names != NULL && strcmp(name, *names) != 0) {
    names++;
  }
  return *names != NULL;
}

static bool is_cipher(const char *name) {
  for (unsigned i = 0; i < Ciphers; i++) {
    if (strcmp(name, kNames[i]) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_aead(const char *name) {
  return is_one(name, (const char *const[]){"AES-256-GCM", "AES-192-CCM", "ChaCha20-Poly1305", 0});
}

// Of these a message comes at once.
static bool is_whole(const char *name) {
  return is_one(name, (const char *const[]){"AES-192-CCM", "ChaCha20-Poly1305", "AES-256-XTS", 0});
}

static bool cipher(OSSL_LIB_CTX *library, task_t *task, bool decrypt, uint8_t *out,
                   const uint8_t *in, size_t len, size_t *made) {
  EVP_CIPHER *found = EVP_CIPHER_fetch(library, task->name, "?provider=cryptile");
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  need(found != NULL && ctx != NULL, task->name);
  bool aead = is_aead(task->name);
  int first = 0, second = 0, last = 0;
  size_t cut = is_whole(task->name) || task->cut > len ? len : task->cut;
  bool good =
      EVP_CipherInit_ex2(ctx, found, NULL, NULL, !decrypt, NULL) &&
      (!aead ||
       EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TaskTag, decrypt ? task->tag : NULL) ||
       !decrypt) &&
      EVP_CipherInit_ex2(ctx, NULL, task->key, task->iv, !decrypt, NULL) &&
      EVP_CipherUpdate(ctx, out, &first, in, (int)cut) &&
      (cut == len || EVP_CipherUpdate(ctx, out + first, &second, in + cut, (int)(len - cut))) &&
      EVP_CipherFinal_ex(ctx, out + first + second, &last) &&
      (!aead || decrypt || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TaskTag, task->tag));
  *made = (size_t)(first + second + last);
  EVP_CIPHER_CTX_free(ctx);
  EVP_CIPHER_free(found);
  return good;
}

static bool digest(OSSL_LIB_CTX *library, const task_t *task, uint8_t *out, size_t *made) {
  EVP_MD *found = EVP_MD_fetch(library, task->name, "?provider=cryptile");
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  need(found != NULL && ctx != NULL, task->name);
  unsigned len = 0;
  bool good = EVP_DigestInit_ex2(ctx, found, NULL) &&
              EVP_DigestUpdate(ctx, task->text, task->cut) &&
              EVP_DigestUpdate(ctx, task->text + task->cut, task->len - task->cut) &&
              EVP_DigestFinal_ex(ctx, out, &len);
  *made = len;
  EVP_MD_CTX_free(ctx);
  EVP_MD_free(found);
  return good;
}

static bool code(OSSL_LIB_CTX *library, const task_t *task, uint8_t *out, size_t *made) {
  EVP_MAC *found = EVP_MAC_fetch(library, task->name, "?provider=cryptile");
  EVP_MAC_CTX *ctx = found != NULL ? EVP_MAC_CTX_new(found) : NULL;
  need(ctx != NULL, task->name);
  OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 6),
                         OSSL_PARAM_END};
  bool good = EVP_MAC_init(ctx, task->key, 32, params) &&
              EVP_MAC_update(ctx, task->text, task->cut) &&
              EVP_MAC_update(ctx, task->text + task->cut, task->len - task->cut) &&
              EVP_MAC_final(ctx, out, made, TaskRoom);
  EVP_MAC_CTX_free(ctx);
  EVP_MAC_free(found);
  return good;
}

static bool compute(OSSL_LIB_CTX *library, task_t *task, uint8_t *out, size_t *made) {
  if (is_cipher(task->name)) {
    const uint8_t *in = task->text;
    if (task->in_place) {
      in = memcpy(out, task->text, task->len);
    }
    return cipher(library, task, task->decrypt, out, in, task->len, made);
  }
  return strcmp(task->name, "HMAC") == 0 ? code(library, task, out, made)
                                         : digest(library, task, out, made);
}

static void judge(task_t *task) {
  size_t made = 0;
  uint8_t tag[TaskTag];
  memcpy(tag, task->tag, TaskTag);
  bool good = compute(here, task, task->out, &made);
  task->fails = !good && !task->forged;
  task->right = task->forged ? !good
                             : good && made == task->wanted_len &&
                                   memcmp(task->out, task->wanted, made) == 0 &&
                                   memcmp(task->tag, tag, TaskTag) == 0;
}

static int work(void *argument) {
  judge(*(task_t **)argument);
  return 1;
}

void task_new(task_t *task) {
  *task = (task_t){.program = ASYNC_WAIT_CTX_new(),
                   .text = OPENSSL_malloc(TaskRoom),
                   .out = OPENSSL_malloc(TaskRoom),
                   .wanted = OPENSSL_malloc(TaskRoom)};
  need(task->program != NULL && task->text != NULL && task->out != NULL && task->wanted != NULL,
       "no memory");
}

void task_free(task_t *task) {
  ASYNC_WAIT_CTX_free(task->program);
  OPENSSL_free(task->text);
  OPENSSL_free(task->out);
  OPENSSL_free(task->wanted);
}

// What OpenSSL's own makes of the text; of what is to be decrypted it made the text.
static void prepare(task_t *task, uint64_t *state) {
  fill(task->text, task->len, state);
  fill(task->key, sizeof(task->key), state);
  fill(task->iv, sizeof(task->iv), state);
  memset(task->tag, 0, TaskTag);
  task->job = NULL;
  task->pauses = 0;
  task->ended = task->right = task->fails = false;
  bool decrypt = task->decrypt;
  task->decrypt = false;
  need(compute(software, task, task->wanted, &task->wanted_len), "OpenSSL's own fails");
  task->decrypt = decrypt;
  if (decrypt) {
    uint8_t *text = task->text;
    size_t len = task->len;
    task->text = task->wanted;
    task->len = task->wanted_len;
    task->wanted = text;
    task->wanted_len = len;
    task->tag[0] ^= task->forged;
  }
}

void task_draw(task_t *task, uint64_t *state, size_t most) {
  task->name = kNames[draw(state, Names)];
  task->len = 16 + draw(state, (uint32_t)most - 15);
  task->len -= strcmp(task->name, "AES-256-ECB") == 0 ? task->len % 16 : 0;
  task->cut = draw(state, (uint32_t)task->len + 1);
  task->decrypt = is_cipher(task->name) && draw(state, 2) == 0;
  task->forged = task->decrypt && is_aead(task->name) && draw(state, 3) == 0;
  // A block cipher in pieces may not write over what it has not read.
  task->in_place = !is_one(task->name, (const char *const[]){"AES-128-CBC", "AES-256-ECB", 0}) &&
                   draw(state, 2) == 0;
  prepare(task, state);
}

void task_set(task_t *task, const char *name, size_t len) {
  uint64_t state = len;
  task->name = name;
  task->len = task->cut = len;
  task->decrypt = task->forged = task->in_place = false;
  prepare(task, &state);
}

void task_run(task_t *task) {
  judge(task);
  task->ended = true;
}

bool task_go_on(task_t *task) {
  int result;
  switch (ASYNC_start_job(&task->job, task->program, &result, work, &task, sizeof(task))) {
    case ASYNC_PAUSE:
      task->pauses++;
      return false;
    case ASYNC_FINISH:
      task->ended = true;
      return true;
    default:
      need(false, "a job does not start");
      return true;
  }
}

int task_file(const task_t *task) {
  size_t count = 0;
  OSSL_ASYNC_FD file = -1;
  need(ASYNC_WAIT_CTX_get_all_fds(task->program, NULL, &count) && count == 1 &&
           ASYNC_WAIT_CTX_get_all_fds(task->program, &file, &count),
       "not one file for a job");
  return file;
}

uint64_t tasks_awake(const task_t *tasks, unsigned count, int milliseconds) {
  fd_set readable;
  int most = -1;
  struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
  FD_ZERO(&readable);
  for (unsigned i = 0; i < count; i++) {
    if (!tasks[i].ended) {
      int file = task_file(&tasks[i]);
      FD_SET(file, &readable);
      most = file > most ? file : most;
    }
  }
  need(select(most + 1, &readable, NULL, NULL, &limit) >= 0, "select");
  uint64_t awake = 0;
  for (unsigned i = 0; i < count; i++) {
    if (!tasks[i].ended && FD_ISSET(task_file(&tasks[i]), &readable)) {
      awake |= UINT64_C(1) << i;
    }
  }
  return awake;
}

uint64_t told(const char *name) {
  uint64_t value = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint64(name, &value), OSSL_PARAM_construct_end()};
  need(OSSL_PROVIDER_get_params(ours, params), name);
  return value;
}

void tasks_load(void) {
  const char *config = getenv("OPENSSL_CONF");
  here = OSSL_LIB_CTX_new();
  software = OSSL_LIB_CTX_new();
  need(software != NULL && OSSL_PROVIDER_load(software, "default") != NULL, "no default provider");
  need(here != NULL && config != NULL && OSSL_LIB_CTX_load_config(here, config),
       "no configuration");
  need(setenv("OPENSSL_CONF", "/dev/null", 1) == 0, "setenv");  // of the process' own context
  ours = OSSL_PROVIDER_load(here, "cryptile");
  need(ours != NULL && ASYNC_is_capable(), "no provider, or no jobs");
}

void tasks_unload(void) {
  OSSL_PROVIDER_unload(ours);
}

void tasks_forget(void) {
  OSSL_LIB_CTX_free(here);
  OSSL_LIB_CTX_free(software);
}

unsigned files(void) {
  unsigned count = 0;
  DIR *folder = opendir("/proc/self/fd");
  need(folder != NULL, "/proc");
  while (readdir(folder) != NULL) {
    count++;
  }
  closedir(folder);
  return count;
}
