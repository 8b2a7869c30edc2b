// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "sealed.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gen/tile_layout.h"
#include "gen/tile_regs.h"

enum { Block = 16, Beside = 48, AnySlot = 255 };  // Beside: bytes of a token that are not its key

static uint64_t word(const uint8_t *bytes) {
  uint64_t value = 0;
  for (unsigned i = sizeof(value); i-- != 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

// What a token says where all can read it; whether that is true the tile finds out.
static bool is_for(size_t key_bytes, const uint8_t *token, size_t len) {
  if (len > SealedMost || len != Beside + (key_bytes + Block - 1) / Block * Block) {
    return false;
  }
  const uint64_t attributes = word(token + TileWrapAadAttributes * sizeof(uint64_t));
  const uint64_t policy = word(token + TileWrapAadPolicy * sizeof(uint64_t));
  uint32_t said = tile_wrap_aad_policy_decode(policy).policy;
  return tile_wrap_aad_attributes_decode(attributes).slot == AnySlot &&
         (said & TILE_SLOT__POLICY__KEY_BYTES_bm) >> TILE_SLOT__POLICY__KEY_BYTES_bp == key_bytes;
}

static void shut(sealed_t *sealed) {
  if (sealed->open) {
    close(sealed->file);
  }
  sealed->open = false;
}

static bool open_file(sealed_t *sealed) {
  if (sealed->open && sealed->owner == getpid()) {
    return true;
  }
  shut(sealed);
  struct sockaddr_alg address = {.salg_family = AF_ALG, .salg_type = "skcipher"};
  (void)snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s(paes)", sealed->mode);
  int parent = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (parent < 0) {
    return false;
  }
  if (bind(parent, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
      setsockopt(parent, SOL_ALG, ALG_SET_KEY, sealed->token, (socklen_t)sealed->len) == 0) {
    sealed->file = accept4(parent, NULL, NULL, SOCK_CLOEXEC);
    sealed->open = sealed->file >= 0;
    sealed->owner = getpid();
  }
  close(parent);
  return sealed->open;
}

sealed_result_t sealed_set(sealed_t *sealed, const char *mode, size_t key_bytes,
                           const uint8_t *token, size_t len) {
  sealed_drop(sealed);
  if (!is_for(key_bytes, token, len)) {
    return SealedRefused;
  }
  (void)snprintf(sealed->mode, sizeof(sealed->mode), "%s", mode);
  memcpy(sealed->token, token, len);
  sealed->len = len;
  return open_file(sealed) ? SealedDone : SealedFailed;
}

void sealed_drop(sealed_t *sealed) {
  shut(sealed);
  *sealed = (sealed_t){0};
}

void sealed_copied(sealed_t *copy) {
  copy->open = false;
}

static bool send_request(int file, bool decrypt, const uint8_t *iv, size_t iv_len, size_t skip,
                         const uint8_t *in, size_t len) {
  static uint8_t zeros[Block];
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(4) + CMSG_SPACE(4 + Block)] = {0};
  struct iovec pieces[] = {{zeros, skip}, {(void *)(uintptr_t)in, len}};
  struct msghdr request = {.msg_iov = pieces,
                           .msg_iovlen = 2,
                           .msg_control = control,
                           .msg_controllen = sizeof(control)};
  struct cmsghdr *header = CMSG_FIRSTHDR(&request);
  const uint32_t way = decrypt ? ALG_OP_DECRYPT : ALG_OP_ENCRYPT;
  *header = (struct cmsghdr){CMSG_LEN(sizeof(way)), SOL_ALG, ALG_SET_OP};
  memcpy(CMSG_DATA(header), &way, sizeof(way));
  if (iv_len != 0) {
    const uint32_t count = (uint32_t)iv_len;
    header = CMSG_NXTHDR(&request, header);
    *header = (struct cmsghdr){CMSG_LEN(sizeof(count) + iv_len), SOL_ALG, ALG_SET_IV};
    memcpy(CMSG_DATA(header), &count, sizeof(count));
    memcpy(CMSG_DATA(header) + sizeof(count), iv, iv_len);
  } else {
    request.msg_controllen = CMSG_SPACE(sizeof(way));
  }
  ssize_t sent;
  do {
    sent = sendmsg(file, &request, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)(skip + len);
}

sealed_result_t sealed_work(sealed_t *sealed, bool decrypt, const uint8_t *iv, size_t iv_len,
                            size_t skip, uint8_t *out, const uint8_t *in, size_t len) {
  if (skip > Block || len > SealedMessage - skip || !open_file(sealed)) {
    return SealedFailed;
  }
  uint8_t dropped[Block];
  const struct iovec pieces[] = {{dropped, skip}, {out, len}};
  ssize_t got = -1;
  if (send_request(sealed->file, decrypt, iv, iv_len, skip, in, len)) {
    do {
      got = readv(sealed->file, pieces, 2);
    } while (got < 0 && errno == EINTR);
  }
  OPENSSL_cleanse(dropped, sizeof(dropped));
  if (got == (ssize_t)(skip + len)) {
    return SealedDone;
  }
  const bool refused = got < 0 && errno == EKEYREJECTED;
  shut(sealed);  // what is left in it belongs to no other message
  return refused ? SealedRefused : SealedFailed;
}
