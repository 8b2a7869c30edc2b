// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Asks the kernel for the same at a driver and in software, and compares: what comes back, to the
// byte, or the error. Requests are random: lengths, keys, IVs, pieces, wrong tags.
//
//   crypto_compare MODULE DRIVER_PREFIX REQUESTS MOST_BYTES SEED
//
// Loads the module for a moment, for the algorithms in /proc/crypto whose driver's name begins with
// the prefix; takes hold of the kernel's software for them while it is away; and loads it again.

#include <errno.h>
#include <linux/if_alg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MaxKey = 200, MaxIv = 32, MaxTag = 64, MaxAad = 64, MaxBytes = 1 << 20 };
enum { Hardware, Software, Sides };

typedef struct {
  char name[64], driver[64], type[14];
  unsigned least_key, most_key, iv, block;
  int sockets[2];  // of both sides, bound
} alg_t;

typedef struct {
  bool decrypt;
  uint8_t key[MaxKey], iv[MaxIv];
  unsigned key_len, tag_len, aad_len, len;
  unsigned pieces[4];  // where sending pauses
  unsigned first;      // bytes that are read first; 0: all at once
  uint8_t *data;       // associated data, message, of decryption tag
} request_t;

static uint64_t state;

static uint32_t random32(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

static uint32_t below(uint32_t bound) {
  return bound == 0 ? 0 : random32() % bound;
}

static void fill(uint8_t *to, unsigned len) {
  for (unsigned i = 0; i < len; i++) {
    to[i] = (uint8_t)random32();
  }
}

static void fail(const char *what, const alg_t *alg) {
  fprintf(stderr, "%s: %s: %s\n", alg->driver, what, strerror(errno));
  exit(2);
}

static bool is(const alg_t *alg, const char *type) {
  return strcmp(alg->type, type) == 0;
}

static int bind_to(const alg_t *alg, const char *name) {
  struct sockaddr_alg address = {.salg_family = AF_ALG};
  int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);
  snprintf((char *)address.salg_type, sizeof(address.salg_type), "%s",
           is(alg, "ahash") ? "hash" : alg->type);
  snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s", name);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
    fail(name, alg);
  }
  return fd;
}

// Sends data up to `end`; with the first piece of a cipher's go direction, IV and lengths.
static bool send_piece(int fd, const alg_t *alg, const request_t *request, unsigned from,
                       unsigned end, bool last) {
  char control[256] = {0};
  struct iovec piece = {.iov_base = request->data + from, .iov_len = end - from};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (from == 0 && !is(alg, "ahash")) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(4) + CMSG_SPACE(4) + CMSG_SPACE(4 + alg->iv);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){CMSG_LEN(4), SOL_ALG, ALG_SET_OP};
    *(uint32_t *)CMSG_DATA(header) = request->decrypt ? ALG_OP_DECRYPT : ALG_OP_ENCRYPT;
    header = CMSG_NXTHDR(&message, header);
    *header = (struct cmsghdr){CMSG_LEN(4), SOL_ALG, ALG_SET_AEAD_ASSOCLEN};
    *(uint32_t *)CMSG_DATA(header) = request->aad_len;
    if (alg->iv != 0) {
      header = CMSG_NXTHDR(&message, header);
      *header = (struct cmsghdr){CMSG_LEN(4 + alg->iv), SOL_ALG, ALG_SET_IV};
      struct af_alg_iv *iv = (struct af_alg_iv *)CMSG_DATA(header);
      iv->ivlen = alg->iv;
      memcpy(iv->iv, request->iv, alg->iv);
    } else {
      message.msg_controllen = CMSG_SPACE(4) + CMSG_SPACE(4);
    }
  }
  return sendmsg(fd, &message, last ? 0 : MSG_MORE) == (ssize_t)(end - from);
}

static bool send_all(int *fd, const alg_t *alg, const request_t *request, unsigned total) {
  unsigned from = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned end = request->pieces[i];
    if (end > from && end < total) {
      if (!send_piece(*fd, alg, request, from, end, false)) {
        return false;
      }
      from = end;
      // A hash function's state goes to another socket: exported, and imported.
      if (is(alg, "ahash") && i == 1) {
        int other = accept(*fd, NULL, NULL);
        if (other < 0) {
          return false;
        }
        close(*fd);
        *fd = other;
      }
    }
  }
  return send_piece(*fd, alg, request, from, total, true);
}

// Does a request; returns the bytes that came back, or the error as a negative number.
static int ask(const alg_t *alg, int side, const request_t *request, uint8_t *out) {
  int parent = alg->sockets[side], result;
  int fd = -1;
  unsigned total = request->len, wanted = request->len;
  if (is(alg, "aead")) {
    total += request->aad_len + (request->decrypt ? request->tag_len : 0);
    wanted += request->aad_len + (request->decrypt ? 0 : request->tag_len);
  } else if (is(alg, "ahash")) {
    wanted = 64;
  }
  errno = 0;
  if ((request->key_len == 0 ||
       setsockopt(parent, SOL_ALG, ALG_SET_KEY, request->key, request->key_len) == 0) &&
      (!is(alg, "aead") ||
       setsockopt(parent, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, request->tag_len) == 0) &&
      (fd = accept(parent, NULL, NULL)) >= 0 && send_all(&fd, alg, request, total)) {
    ssize_t got = 0;
    if (request->first != 0) {
      got = read(fd, out, request->first);
    }
    ssize_t rest = got < 0 ? got : read(fd, out + got, wanted - (unsigned)got);
    result = rest < 0 ? -errno : (int)(got + rest);
  } else {
    result = -errno;
  }
  close(fd);
  return result;
}

static bool is_authenc(const alg_t *alg) {
  return strncmp(alg->name, "authenc(", 8) == 0;
}

// Two keys in one, as the kernel's authenc packs them: an attribute of rtnetlink, type 1, that
// tells the length of the cipher's key; then the HMAC's, of which any length will do; the cipher's.
static void choose_two_keys(request_t *request) {
  static const uint8_t kHead[] = {8, 0, 1, 0, 0, 0, 0};
  enum { Head = 8, MostMac = 150 };
  unsigned cipher = 16 + 8 * below(3);
  memcpy(request->key, kHead, sizeof(kHead));
  request->key[Head - 1] = (uint8_t)cipher;
  request->key_len = Head + below(MostMac) + cipher;
}

// A key of a length that software takes; 0: it takes none.
static void choose_key(const alg_t *alg, request_t *request) {
  fill(request->key, MaxKey);
  if (is_authenc(alg)) {
    choose_two_keys(request);
    return;
  }
  for (unsigned tries = 0; tries < 400; tries++) {
    unsigned least = alg->most_key != 0 ? alg->least_key : 1;
    unsigned most = alg->most_key != 0 ? alg->most_key : is(alg, "aead") ? 36 : MaxKey;
    request->key_len = least + below(most - least + 1);
    if (setsockopt(alg->sockets[Software], SOL_ALG, ALG_SET_KEY, request->key, request->key_len) ==
        0) {
      return;
    }
  }
  request->key_len = 0;
}

static unsigned choose_len(unsigned most) {
  switch (below(4)) {
    case 0:
      return below(80);
    case 1:
      return 16 * below(40);
    case 2:
      return below(2600);
    default:
      return below(most);
  }
}

static void choose(const alg_t *alg, unsigned most, request_t *request) {
  static const unsigned kAad[] = {0, 8, 16, 20};
  static const unsigned kTags[] = {4, 8, 12, 13, 16, 16};
  static const unsigned kLongTags[] = {2, 12, 16, 24, 32, 32};
  choose_key(alg, request);
  fill(request->iv, MaxIv);
  if (below(8) != 0) {
    request->iv[0] = (uint8_t)(1 + request->iv[0] % 7);  // CCM: bytes of the length
  }
  request->decrypt = below(2) != 0;
  request->len = choose_len(most);
  if (!is(alg, "ahash") && alg->block > 1 && below(8) != 0) {
    request->len -= request->len % alg->block;
  }
  if (is(alg, "aead")) {
    request->tag_len = is_authenc(alg) ? kLongTags[below(6)] : kTags[below(6)];
    request->aad_len = below(3) != 0 ? kAad[below(4)] : below(MaxAad);
  }
  unsigned total = request->len + request->aad_len;
  for (unsigned i = 0; i < 4; i++) {
    request->pieces[i] = below(2) != 0 ? below(total + 1) : 0;
  }
  bool parts = is(alg, "skcipher") && alg->iv != 0 && below(3) == 0 && request->len > 64;
  request->first = parts ? 16 * (1 + below(request->len / 16 - 1)) : 0;
  fill(request->data, total + MaxTag);
}

// Encrypts in software what is to be decrypted, and damages it one time in four.
static void make_ciphertext(const alg_t *alg, request_t *request, uint8_t *out) {
  request_t encrypt = *request;
  encrypt.decrypt = false;
  encrypt.first = 0;
  int got = ask(alg, Software, &encrypt, out);
  if (got > 0 && (unsigned)got <= request->aad_len + request->len + request->tag_len) {
    memcpy(request->data, out, (unsigned)got);
    if (below(4) == 0) {
      request->data[below((unsigned)got)] ^= (uint8_t)(1u << below(8));
    }
  }
}

static bool is_zero(const uint8_t *bytes, unsigned len) {
  uint8_t any = 0;
  for (unsigned i = 0; i < len; i++) {
    any |= bytes[i];
  }
  return any == 0;
}

static unsigned compare(const alg_t *alg, unsigned requests, unsigned most) {
  static uint8_t out[Sides][MaxBytes], data[MaxBytes];
  unsigned bad = 0, errors = 0;
  uint64_t bytes = 0;
  for (unsigned n = 0; n < requests; n++) {
    request_t request = {.data = data};
    int got[Sides];
    choose(alg, most, &request);
    if (request.decrypt && is(alg, "aead")) {
      make_ciphertext(alg, &request, out[Software]);
    }
    for (int side = 0; side < Sides; side++) {
      memset(out[side], 0, MaxBytes);
      got[side] = ask(alg, side, &request, out[side]);
    }
    bytes += request.len;
    errors += got[Software] < 0;
    // Of a message whose tag is wrong nothing may be left; what other errors leave is nobody's
    // promise.
    bool wrong =
        got[Hardware] != got[Software] ||
        (got[Hardware] > 0 && memcmp(out[Hardware], out[Software], MaxBytes) != 0) ||
        (got[Hardware] == -EBADMSG && !is_zero(out[Hardware] + request.aad_len, request.len));
    if (wrong) {
      printf("%s: request %u differs: %d and %d; %s %u bytes, key %u, tag %u, aad %u, first %u\n",
             alg->driver, n, got[Hardware], got[Software], request.decrypt ? "decrypt" : "encrypt",
             request.len, request.key_len, request.tag_len, request.aad_len, request.first);
      bad++;
    }
  }
  printf("%s %u requests %llu bytes %u errors %u differ\n", alg->driver, requests,
         (unsigned long long)bytes, errors, bad);
  return bad;
}

static unsigned find(const char *prefix, alg_t *algs, unsigned room) {
  char line[256], name[64], word[64];
  unsigned count = 0, number;
  alg_t *now = NULL;
  FILE *file = fopen("/proc/crypto", "r");
  while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
    if (sscanf(line, "name : %63s", name) == 1) {
      now = NULL;
    } else if (sscanf(line, "driver : %63s", word) == 1 && count < room &&
               strncmp(word, prefix, strlen(prefix)) == 0) {
      now = &algs[count++];
      *now = (alg_t){.block = 1};
      memcpy(now->name, name, sizeof(name));
      memcpy(now->driver, word, sizeof(word));
    } else if (now != NULL) {
      (void)sscanf(line, "type : %13s", now->type);
      now->least_key = sscanf(line, "min keysize : %u", &number) == 1 ? number : now->least_key;
      now->most_key = sscanf(line, "max keysize : %u", &number) == 1 ? number : now->most_key;
      now->iv = sscanf(line, "ivsize : %u", &number) == 1 ? number : now->iv;
      now->block = sscanf(line, "blocksize : %u", &number) == 1 ? number : now->block;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return count;
}

// The algorithms when the kernel's own tests of all of them have ended.
static unsigned find_tested(const char *prefix, alg_t *algs, unsigned room) {
  for (unsigned tries = 0; tries < 60; tries++) {
    unsigned count = find(prefix, algs, room), tested = 0;
    while (tested < count && !is(&algs[tested], "larval")) {
      tested++;
    }
    if (tested == count) {
      return count;
    }
    sleep(1);
  }
  return 0;
}

// Runs a command, again and again while self-tests hold the module.
static void run(const char *command, const char *module) {
  char line[256];
  snprintf(line, sizeof(line), "%s %s 2>/dev/null", command, module);
  for (unsigned tries = 0; system(line) != 0; tries++) {
    if (tries == 60) {
      fprintf(stderr, "%s\n", line);
      exit(2);
    }
    sleep(1);
  }
}

int main(int argc, char **argv) {
  static alg_t algs[64];
  if (argc != 6) {
    fprintf(stderr, "usage: crypto_compare MODULE DRIVER_PREFIX REQUESTS MOST_BYTES SEED\n");
    return 2;
  }
  unsigned requests = (unsigned)atoi(argv[3]), most = (unsigned)atoi(argv[4]), bad = 0;
  state = strtoull(argv[5], NULL, 0);
  run("insmod", argv[1]);
  unsigned count = find_tested(argv[2], algs, sizeof(algs) / sizeof(algs[0]));
  run("rmmod", argv[1]);
  if (count == 0 || most == 0 || most > MaxBytes / 2) {
    fprintf(stderr, "no such driver, or too many bytes\n");
    return 2;
  }
  for (unsigned i = 0; i < count; i++) {
    algs[i].sockets[Software] = bind_to(&algs[i], algs[i].name);
  }
  run("insmod", argv[1]);
  for (unsigned i = 0; i < count; i++) {
    algs[i].sockets[Hardware] = bind_to(&algs[i], algs[i].driver);
    bad += compare(&algs[i], requests, most);
    fflush(stdout);
  }
  return bad != 0;
}
