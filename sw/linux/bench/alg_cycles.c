// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Times messages of a process through AF_ALG, the kernel's algorithms by a socket:
// `cryptile bench linux`.
//
//   alg_cycles PATH ALGORITHM TYPE DRIVER KEY_BYTES IV_BYTES [BYTES ROUNDS]...
//
// PATH, ALGORITHM: words for the figures. TYPE: aead, hash or skcipher. DRIVER: the kernel's name
// of what is to compute. The key is set once. A call is all that a message takes: a system call
// that sends direction, IV and message, and one that reads what comes of it, with a tag or digest.
#include <linux/if_alg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "counters.h"

enum { MostKey = 64, MostIv = 32, Tag = 16, MostDigest = 64 };

typedef struct {
  int file;
  struct msghdr message;
  struct iovec piece;
  uint8_t *made;
  size_t wanted;
} call_t;

static char control[CMSG_SPACE(4) + CMSG_SPACE(4) + CMSG_SPACE(sizeof(struct af_alg_iv) + MostIv)];

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "alg_cycles: %s\n", what);
    exit(2);
  }
}

static int open_alg(const char *type, const char *driver, size_t key_bytes) {
  struct sockaddr_alg address = {.salg_family = AF_ALG};
  uint8_t key[MostKey];
  memset(key, 2, sizeof(key));
  key[MostKey - 1] = 3;  // the halves of a key of XTS must differ
  key[31] = 4;
  snprintf((char *)address.salg_type, sizeof(address.salg_type), "%s", type);
  snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s", driver);
  int parent = socket(AF_ALG, SOCK_SEQPACKET, 0);
  need(parent >= 0 && bind(parent, (struct sockaddr *)&address, sizeof(address)) == 0,
       "no such algorithm");
  need(key_bytes == 0 || setsockopt(parent, SOL_ALG, ALG_SET_KEY, key, (socklen_t)key_bytes) == 0,
       "no such key");
  need(strcmp(type, "aead") != 0 ||
           setsockopt(parent, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, Tag) == 0,
       "no such tag");
  int file = accept(parent, NULL, NULL);
  need(file >= 0, "no socket");
  return file;
}

static struct cmsghdr *add(struct msghdr *message, struct cmsghdr *before, int type, size_t len) {
  struct cmsghdr *header = before == NULL ? CMSG_FIRSTHDR(message) : CMSG_NXTHDR(message, before);
  need(header != NULL, "no room");
  *header = (struct cmsghdr){CMSG_LEN(len), SOL_ALG, type};
  return header;
}

// What is said beside a cipher's message: always the same.
static void describe(struct msghdr *message, size_t iv_bytes) {
  message->msg_control = control;
  message->msg_controllen = sizeof(control);
  struct cmsghdr *header = add(message, NULL, ALG_SET_OP, 4);
  size_t used = CMSG_SPACE(4);
  *(uint32_t *)CMSG_DATA(header) = ALG_OP_ENCRYPT;
  if (iv_bytes != 0) {
    header = add(message, header, ALG_SET_IV, sizeof(struct af_alg_iv) + iv_bytes);
    struct af_alg_iv *iv = (struct af_alg_iv *)CMSG_DATA(header);
    iv->ivlen = (uint32_t)iv_bytes;
    iv->iv[0] = 5;
    used += CMSG_SPACE(sizeof(struct af_alg_iv) + iv_bytes);
  }
  message->msg_controllen = used;
}

static void do_one(const call_t *call) {
  need(sendmsg(call->file, &call->message, 0) == (ssize_t)call->piece.iov_len &&
           read(call->file, call->made, call->wanted) == (ssize_t)call->wanted,
       "a message failed");
}

int main(int count, char **words) {
  static counters_t took[MostRounds];
  need(count >= 9 && count % 2 == 1,
       "usage: alg_cycles PATH ALGORITHM TYPE DRIVER KEY_BYTES IV_BYTES [BYTES ROUNDS]...");
  const char *type = words[3];
  size_t key_bytes = strtoul(words[5], NULL, 0), iv_bytes = strtoul(words[6], NULL, 0);
  need(key_bytes <= MostKey && iv_bytes <= MostIv, "no such number");
  bool digests = strcmp(type, "hash") == 0, tagged = strcmp(type, "aead") == 0;
  call_t call = {.file = open_alg(type, words[4], key_bytes)};
  call.message = (struct msghdr){.msg_iov = &call.piece, .msg_iovlen = 1};
  if (!digests) {
    describe(&call.message, iv_bytes);
  }
  for (int i = 7; i < count; i += 2) {
    size_t bytes = strtoul(words[i], NULL, 0);
    unsigned rounds = (unsigned)strtoul(words[i + 1], NULL, 0);
    need(bytes != 0 && bytes < 1u << 30 && rounds != 0 && rounds <= MostRounds, "no such number");
    uint8_t *data = malloc(bytes);
    call.made = malloc(bytes + MostDigest);
    need(data != NULL && call.made != NULL, "no memory");
    memset(data, 1, bytes);
    memset(call.made, 0, bytes + MostDigest);
    call.piece = (struct iovec){data, bytes};
    if (digests) {  // as many as it has
      need(send(call.file, data, bytes, 0) == (ssize_t)bytes, "a message failed");
      ssize_t made = read(call.file, call.made, MostDigest);
      need(made > 0, "a message failed");
      call.wanted = (size_t)made;
    } else {
      call.wanted = bytes + (tagged ? Tag : 0);
    }
    do_one(&call);  // caches, TLBs, and pages that were never touched
    for (unsigned n = 0; n < rounds; n++) {
      counters_t begin = counters_now();
      do_one(&call);
      took[n] = counters_since(begin);
    }
    counters_tell(words[1], words[2], bytes, 1, took, rounds);
    fflush(stdout);
    free(call.made);
    free(data);
  }
  return 0;
}
