// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One message through a cipher or a MAC of the kernel, in hexadecimal digits: prints what comes
// back, or the name of the error.
//
//   crypto_sealed ALGORITHM KEY IV MESSAGE           encrypts; an IV of no bytes is -
//   crypto_sealed ALGORITHM KEY IV MESSAGE decrypt
//   crypto_sealed phmac(HASH) KEY - MESSAGE          its code
//   crypto_sealed phmac(HASH) KEY - MESSAGE parts    of the message in two parts
#include <errno.h>
#include <linux/if_alg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MaxBytes = 8192, MaxIv = 16, MaxCode = 64 };

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

static int is_mac(const char *name) {
  return strncmp(name, "phmac(", 6) == 0;
}

// Sends a message to be authenticated, and reads its code; returns the code's length.
static size_t authenticate(int file, size_t len, int in_parts) {
  size_t first = in_parts ? len / 2 : 0;
  need(first == 0 || send(file, message, first, MSG_MORE) == (ssize_t)first, "send");
  need(send(file, message + first, len - first, 0) == (ssize_t)(len - first), "send");
  ssize_t got = read(file, message, MaxCode);
  need(got > 0, "read");
  return (size_t)got;
}

// Sends a message to be encrypted or decrypted, and reads as many bytes.
static void encrypt(int file, size_t len, size_t iv_len, int decrypt) {
  char control[CMSG_SPACE(4) + CMSG_SPACE(4 + MaxIv)] = {0};
  struct iovec piece = {.iov_base = message, .iov_len = len};
  struct msghdr request = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof(control)};
  struct cmsghdr *header = CMSG_FIRSTHDR(&request);
  *header = (struct cmsghdr){CMSG_LEN(4), SOL_ALG, ALG_SET_OP};
  *(uint32_t *)CMSG_DATA(header) = decrypt ? ALG_OP_DECRYPT : ALG_OP_ENCRYPT;
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
  need(read(file, message, len) == (ssize_t)len, "read");
}

int main(int count, char **words) {
  if (count < 5) {
    return 2;
  }
  struct sockaddr_alg address = {.salg_family = AF_ALG};
  snprintf((char *)address.salg_type, sizeof(address.salg_type), "%s",
           is_mac(words[1]) ? "hash" : "skcipher");
  snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s", words[1]);
  size_t key_len = read_hex(words[2], key, sizeof(key)), iv_len = read_hex(words[3], iv, MaxIv);
  size_t len = read_hex(words[4], message, sizeof(message));
  int parent = socket(AF_ALG, SOCK_SEQPACKET, 0);
  need(parent >= 0 && bind(parent, (struct sockaddr *)&address, sizeof(address)) == 0, "bind");
  need(setsockopt(parent, SOL_ALG, ALG_SET_KEY, key, (socklen_t)key_len) == 0, "key");
  int file = accept(parent, NULL, NULL);
  need(file >= 0, "accept");
  if (is_mac(words[1])) {
    len = authenticate(file, len, count > 5);
  } else {
    encrypt(file, len, iv_len, count > 5);
  }
  for (size_t i = 0; i < len; i++) {
    printf("%02x", message[i]);
  }
  printf("\n");
  return 0;
}
