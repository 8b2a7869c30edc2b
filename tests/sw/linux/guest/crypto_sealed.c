// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One message through a cipher of the kernel, in hexadecimal digits: prints what comes back, or the
// name of the error.
//
//   crypto_sealed ALGORITHM KEY IV MESSAGE           encrypts; an IV of no bytes is -
//   crypto_sealed ALGORITHM KEY IV MESSAGE decrypt
#include <errno.h>
#include <linux/if_alg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MaxBytes = 8192, MaxIv = 16 };

static uint8_t key[MaxBytes], iv[MaxIv], message[MaxBytes];

static size_t read_hex(const char *digits, uint8_t *to, size_t room) {
  size_t len = strcmp(digits, "-") == 0 ? 0 : strlen(digits) / 2;
  if (len > room) {
    exit(2);
  }
  for (size_t i = 0; i < len; i++) {
    unsigned byte;
    if (sscanf(digits + 2 * i, "%2x", &byte) != 1) {
      exit(2);
    }
    to[i] = (uint8_t)byte;
  }
  return len;
}

static void need(int right, const char *what) {
  if (!right) {
    printf("%s: %s\n", what, strerrorname_np(errno));
    exit(1);
  }
}

int main(int count, char **words) {
  if (count < 5) {
    return 2;
  }
  struct sockaddr_alg address = {.salg_family = AF_ALG, .salg_type = "skcipher"};
  snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s", words[1]);
  size_t key_len = read_hex(words[2], key, sizeof(key)), iv_len = read_hex(words[3], iv, MaxIv);
  size_t len = read_hex(words[4], message, sizeof(message));
  int parent = socket(AF_ALG, SOCK_SEQPACKET, 0);
  need(parent >= 0 && bind(parent, (struct sockaddr *)&address, sizeof(address)) == 0, "bind");
  need(setsockopt(parent, SOL_ALG, ALG_SET_KEY, key, (socklen_t)key_len) == 0, "key");
  int file = accept(parent, NULL, NULL);
  need(file >= 0, "accept");

  char control[CMSG_SPACE(4) + CMSG_SPACE(4 + MaxIv)] = {0};
  struct iovec piece = {.iov_base = message, .iov_len = len};
  struct msghdr request = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof(control)};
  struct cmsghdr *header = CMSG_FIRSTHDR(&request);
  *header = (struct cmsghdr){CMSG_LEN(4), SOL_ALG, ALG_SET_OP};
  *(uint32_t *)CMSG_DATA(header) = count > 5 ? ALG_OP_DECRYPT : ALG_OP_ENCRYPT;
  if (iv_len != 0) {
    header = CMSG_NXTHDR(&request, header);
    *header = (struct cmsghdr){CMSG_LEN(4 + iv_len), SOL_ALG, ALG_SET_IV};
    struct af_alg_iv *to = (struct af_alg_iv *)CMSG_DATA(header);
    to->ivlen = (uint32_t)iv_len;
    memcpy(to->iv, iv, iv_len);
  } else {
    request.msg_controllen = CMSG_SPACE(4);
  }
  need(sendmsg(file, &request, 0) == (ssize_t)len, "send");
  ssize_t got = read(file, message, len);
  need(got == (ssize_t)len, "read");
  for (size_t i = 0; i < len; i++) {
    printf("%02x", message[i]);
  }
  printf("\n");
  return 0;
}
