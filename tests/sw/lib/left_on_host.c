// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What public functions leave on the stack of a native build. Each runs on a painted stack of its
// own, which is searched for secrets, given as arguments: OPERATION INPUT... : NEEDLE... in hex.
// Prints the result, how often each needle was found, and how many bytes were neither painted nor
// zero below the frame of the public function.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "cryptile.h"

enum { StackBytes = 1 << 17, Paint = 0xa5, MaxInputs = 6, InputBytes = 2048, Above = 512 };

static uint8_t stack[StackBytes] __attribute__((aligned(64)));
static uint8_t inputs[MaxInputs][InputBytes], out[InputBytes];
static size_t sizes[MaxInputs];
static ucontext_t home, there;
static const char *operation;
static int status;

static int aead(const cryptile_aead_alg_t *alg) {
  const cryptile_aead_params_t params = {inputs[0], sizes[0], inputs[1], sizes[1], 16};
  return cryptile_aead_encrypt(alg, &params, NULL, 0, inputs[2], sizes[2], out + 16, out);
}

static int crypt(const cryptile_impl_t *impl, cryptile_mode_t mode) {
  const cryptile_params_t params = {.mode = mode,
                                    .direction = CRYPTILE_ENCRYPT,
                                    .padding = CRYPTILE_PAD_NONE,
                                    .key = inputs[0],
                                    .key_len = sizes[0],
                                    .iv = inputs[1]};
  size_t written;
  return cryptile_crypt(impl, &params, inputs[2], sizes[2], out, sizeof out, &written);
}

static int is(const char *name) {
  return strcmp(operation, name) == 0;
}

static void body(void) {
  status =
      is("p256_sign")         ? cryptile_p256_sign(out, inputs[0], &cryptile_sha256, inputs[1])
      : is("p256_public_key") ? cryptile_p256_public_key(out, inputs[0])
      : is("p256_ecdh")       ? cryptile_p256_ecdh(out, inputs[0], inputs[1])
      : is("ed25519_sign")   ? cryptile_ed25519_sign(out, inputs[2], sizes[2], inputs[0], inputs[1])
      : is("ed25519_public") ? cryptile_ed25519_public(out, inputs[0])
      : is("x25519")         ? cryptile_x25519(out, inputs[0], inputs[1])
      : is("x25519_public")  ? cryptile_x25519_public(out, inputs[0])
      : is("hmac")
          ? cryptile_hmac(&cryptile_sha256, inputs[0], sizes[0], inputs[1], sizes[1], out, 32)
      : is("hmac_sha512")
          ? cryptile_hmac(&cryptile_sha512, inputs[0], sizes[0], inputs[1], sizes[1], out, 64)
      : is("hmac_sha3")
          ? cryptile_hmac(&cryptile_sha3_256, inputs[0], sizes[0], inputs[1], sizes[1], out, 32)
      : is("hash")          ? cryptile_hash(&cryptile_sha256, inputs[0], sizes[0], out)
      : is("gcm")           ? aead(&cryptile_aes_gcm)
      : is("chacha")        ? aead(&cryptile_chacha20_poly1305)
      : is("ascon")         ? aead(&cryptile_ascon_aead128)
      : is("aes_ctr")       ? crypt(&cryptile_bitsliced, CRYPTILE_CTR)
      : is("aes_table_cbc") ? crypt(&cryptile_table, CRYPTILE_CBC)
      : is("aes_compact")   ? crypt(&cryptile_compact, CRYPTILE_ECB)
      : is("shake")         ? cryptile_shake(CRYPTILE_XOF_256, inputs[0], sizes[0], out, 64)
      : is("hkdf") ? cryptile_hkdf(&cryptile_sha256, NULL, 0, inputs[0], sizes[0], NULL, 0, out, 64)
                   : -1;
}

static void run(void) {
  memset(stack, Paint, sizeof stack);
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &home;
  makecontext(&there, body, 0);
  swapcontext(&home, &there);
}

static size_t unhex(uint8_t *bytes, const char *hex) {
  size_t count = 0;
  for (unsigned byte; sscanf(hex + 2 * count, "%2x", &byte) == 1; count++) {
    bytes[count] = (uint8_t)byte;
  }
  return count;
}

int main(int argc, char **argv) {
  int next = 2;
  operation = argv[1];
  for (int i = 0; next < argc && *argv[next] != ':'; next++, i++) {
    sizes[i] = unhex(inputs[i], argv[next]);
  }
  run();
  printf("%d ", status);
  for (int i = 0; i < 80; i++) {
    printf("%02x", out[i]);
  }
  for (next++; next < argc; next++) {
    uint8_t needle[64];
    size_t size = unhex(needle, argv[next]), found = 0;
    for (size_t i = 0; i + size <= sizeof stack; i++) {
      found += memcmp(stack + i, needle, size) == 0;
    }
    printf(" %zu", found);
  }
  size_t dirty = 0;
  for (size_t i = 0; i < sizeof stack - Above; i++) {
    dirty += stack[i] != 0 && stack[i] != Paint;
  }
  printf(" %zu\n", dirty);
  return 0;
}
