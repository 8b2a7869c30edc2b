// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What public functions leave on the stack of a native build. Each runs on a painted stack of its
// own, which is searched for secrets, given as arguments: OPERATION INPUT... : NEEDLE... in hex.
// OPERATION may end in _stream or _abort: a message in parts, which is ended or dropped; the stack
// is searched behind each part, and the context behind the last. Prints the result, how often each
// needle was found, and how many bytes were neither painted nor zero below the frame of the public
// function.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "cryptile.h"

enum {
  StackBytes = 1 << 17,
  Paint = 0xa5,
  MaxInputs = 6,
  MaxNeedles = 256,
  InputBytes = 2048,
  Above = 512
};

static uint8_t stack[StackBytes] __attribute__((aligned(64)));
static uint8_t inputs[MaxInputs][InputBytes], out[InputBytes];
static size_t sizes[MaxInputs];
static ucontext_t home, there;
static const char *operation, *kind;  // up to the suffix, and from there on
static int status;
static unsigned part;
static bool is_last;
static union {
  cryptile_hash_ctx_t hash;
  cryptile_hmac_ctx_t hmac;
  cryptile_cmac_ctx_t cmac;
  cryptile_chacha20_ctx_t chacha20;
  cryptile_xts_ctx_t xts;
  cryptile_xof_ctx_t xof;
  cryptile_aead_ctx_t aead;
  cryptile_cipher_ctx_t cipher;
  cryptile_drbg_ctx_t drbg;
} context;

static int aead(const cryptile_aead_alg_t *alg) {
  const cryptile_aead_params_t params = {inputs[0], sizes[0], inputs[1], sizes[1], 16};
  return cryptile_aead_encrypt(alg, &params, NULL, 0, inputs[2], sizes[2], out + 16, out);
}

static int crypt(const cryptile_cipher_impl_t *impl, cryptile_cipher_mode_t mode) {
  const cryptile_cipher_params_t params = {.mode = mode,
                                           .direction = CRYPTILE_ENCRYPT,
                                           .padding = CRYPTILE_PAD_NONE,
                                           .key = inputs[0],
                                           .key_len = sizes[0],
                                           .iv = inputs[1]};
  size_t written;
  return cryptile_cipher_crypt(impl, &params, inputs[2], sizes[2], out, sizeof out, &written);
}

static int is(const char *name) {
  return strlen(name) == (size_t)(kind - operation) && strncmp(operation, name, strlen(name)) == 0;
}

static bool drops(void) {
  is_last = true;
  return strcmp(kind, "_abort") == 0;
}

enum { First = 23 };  // bytes of the first part of a message

static int hash_part(const cryptile_hash_alg_t *alg) {
  switch (part) {
    case 0:
      return cryptile_hash_init(&context.hash, alg);
    case 1:
      return cryptile_hash_update(&context.hash, inputs[0], First);
    case 2:
      return cryptile_hash_update(&context.hash, inputs[0] + First, sizes[0] - First);
    default:
      return drops() ? (cryptile_hash_wipe(&context.hash), 0)
                     : cryptile_hash_final(&context.hash, out);
  }
}

static int hmac_part(const cryptile_hash_alg_t *alg) {
  switch (part) {
    case 0:
      return cryptile_hmac_init(&context.hmac, alg, inputs[0], sizes[0]);
    case 1:
      return cryptile_hmac_update(&context.hmac, inputs[1], First);
    case 2:
      return cryptile_hmac_update(&context.hmac, inputs[1] + First, sizes[1] - First);
    default:
      return drops() ? (cryptile_hmac_wipe(&context.hmac), 0)
                     : cryptile_hmac_final(&context.hmac, out, 28);
  }
}

static int cmac_part(void) {
  switch (part) {
    case 0:
      return cryptile_cmac_init(&context.cmac, inputs[0], sizes[0]);
    case 1:
      return cryptile_cmac_update(&context.cmac, inputs[1], First);
    case 2:
      return cryptile_cmac_update(&context.cmac, inputs[1] + First, sizes[1] - First);
    default:
      return drops() ? (cryptile_cmac_wipe(&context.cmac), 0)
                     : cryptile_cmac_final(&context.cmac, out, 16);
  }
}

static int chacha20_part(void) {
  switch (part) {
    case 0:
      return cryptile_chacha20_init(&context.chacha20, inputs[0], inputs[1], 1);
    case 1:
      return cryptile_chacha20_update(&context.chacha20, inputs[2], out, First);
    case 2:
      return cryptile_chacha20_update(&context.chacha20, inputs[2] + First, out, sizes[2] - First);
    default:
      is_last = true;
      cryptile_chacha20_wipe(&context.chacha20);
      return 0;
  }
}

static int xts_part(void) {
  switch (part) {
    case 0:
      return cryptile_xts_init(&context.xts, CRYPTILE_ENCRYPT, inputs[0], sizes[0]);
    case 1:
      return cryptile_xts_crypt(&context.xts, inputs[1], inputs[2], out, First);
    case 2:
      return cryptile_xts_crypt(&context.xts, inputs[1], inputs[2], out, sizes[2]);
    default:
      is_last = true;
      cryptile_xts_wipe(&context.xts);
      return 0;
  }
}

static int shake_part(void) {
  switch (part) {
    case 0:
      return cryptile_shake_init(&context.xof, CRYPTILE_XOF_256);
    case 1:
      return cryptile_xof_absorb(&context.xof, inputs[0], First);
    case 2:
      return cryptile_xof_absorb(&context.xof, inputs[0] + First, sizes[0] - First);
    case 3:
      return cryptile_xof_squeeze(&context.xof, out, 64);
    default:
      is_last = true;
      cryptile_xof_wipe(&context.xof);
      return 0;
  }
}

static int drbg_part(void) {
  switch (part) {
    case 0:
      return cryptile_drbg_init(&context.drbg, inputs[0], sizes[0], NULL, 0);
    case 1:
      return cryptile_drbg_generate(&context.drbg, out, 1000, inputs[1], sizes[1]);
    case 2:
      return cryptile_drbg_reseed(&context.drbg, inputs[0], sizes[0], inputs[1], sizes[1]);
    case 3:
      return cryptile_drbg_generate(&context.drbg, out, 5, NULL, 0);
    default:
      is_last = true;
      cryptile_drbg_wipe(&context.drbg);
      return 0;
  }
}

static int aead_part(const cryptile_aead_alg_t *alg) {
  const cryptile_aead_params_t params = {inputs[0], sizes[0], inputs[1], sizes[1], 16};
  switch (part) {
    case 0:
      return cryptile_aead_init(&context.aead, alg, CRYPTILE_ENCRYPT, &params);
    case 1:
      status = cryptile_aead_set_lengths(&context.aead, sizes[1], sizes[2]);
      return status != 0 ? status : cryptile_aead_aad(&context.aead, inputs[1], sizes[1]);
    case 2:
      return cryptile_aead_update(&context.aead, inputs[2], out, First);
    case 3:
      return cryptile_aead_update(&context.aead, inputs[2] + First, out + First, sizes[2] - First);
    default:
      return drops() ? (cryptile_aead_wipe(&context.aead), 0)
                     : cryptile_aead_finish(&context.aead, out);
  }
}

static int crypt_part(const cryptile_cipher_impl_t *impl, cryptile_cipher_mode_t mode) {
  const cryptile_cipher_params_t params = {
      .mode = mode, .key = inputs[0], .key_len = sizes[0], .iv = inputs[1]};
  size_t written;
  switch (part) {
    case 0:
      return cryptile_cipher_init(&context.cipher, impl, &params);
    case 1:
      return cryptile_cipher_update(&context.cipher, inputs[2], First, out, sizeof out, &written);
    case 2:
      return cryptile_cipher_update(&context.cipher, inputs[2] + First, sizes[2] - First, out,
                                    sizeof out, &written);
    default:
      return drops() ? (cryptile_cipher_wipe(&context.cipher), 0)
                     : cryptile_cipher_final(&context.cipher, out, sizeof out, &written);
  }
}

static int in_parts(void) {
  return is("hash")            ? hash_part(&cryptile_sha256)
         : is("hmac")          ? hmac_part(&cryptile_sha256)
         : is("hmac_sha512")   ? hmac_part(&cryptile_sha512)
         : is("hmac_sha3")     ? hmac_part(&cryptile_sha3_256)
         : is("shake")         ? shake_part()
         : is("gcm")           ? aead_part(&cryptile_aes_gcm)
         : is("ccm")           ? aead_part(&cryptile_aes_ccm)
         : is("cmac")          ? cmac_part()
         : is("chacha20")      ? chacha20_part()
         : is("xts")           ? xts_part()
         : is("chacha")        ? aead_part(&cryptile_chacha20_poly1305)
         : is("ascon")         ? aead_part(&cryptile_ascon_aead128)
         : is("drbg")          ? drbg_part()
         : is("aes_ctr")       ? crypt_part(&cryptile_aes_bitsliced, CRYPTILE_CTR)
         : is("aes_table_cbc") ? crypt_part(&cryptile_aes_table, CRYPTILE_CBC)
         : is("aes_compact")   ? crypt_part(&cryptile_aes_compact, CRYPTILE_ECB)
                               : -1;
}

static void body(void) {
  if (*kind != 0) {
    status = in_parts();
    return;
  }
  is_last = true;
  status =
      is("p256_sign")         ? cryptile_p256_sign(out, inputs[0], &cryptile_sha256, inputs[1])
      : is("p256_public_key") ? cryptile_p256_public_key(out, inputs[0])
      : is("p256_ecdh")       ? cryptile_p256_ecdh(out, inputs[0], inputs[1])
      : is("p384_sign")       ? cryptile_p384_sign(out, inputs[0], &cryptile_sha256, inputs[1])
      : is("p384_public_key") ? cryptile_p384_public_key(out, inputs[0])
      : is("p384_ecdh")       ? cryptile_p384_ecdh(out, inputs[0], inputs[1])
      : is("p521_sign")       ? cryptile_p521_sign(out, inputs[0], &cryptile_sha256, inputs[1])
      : is("p521_public_key") ? cryptile_p521_public_key(out, inputs[0])
      : is("p521_ecdh")       ? cryptile_p521_ecdh(out, inputs[0], inputs[1])
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
      : is("hash")     ? cryptile_hash(&cryptile_sha256, inputs[0], sizes[0], out)
      : is("gcm")      ? aead(&cryptile_aes_gcm)
      : is("ccm")      ? aead(&cryptile_aes_ccm)
      : is("cmac")     ? cryptile_cmac(inputs[0], sizes[0], inputs[1], sizes[1], out, 16)
      : is("chacha20") ? cryptile_chacha20(inputs[0], inputs[1], 1, inputs[2], out, sizes[2])
      : is("xts")
          ? cryptile_xts(CRYPTILE_ENCRYPT, inputs[0], sizes[0], inputs[1], inputs[2], out, sizes[2])
      : is("chacha")        ? aead(&cryptile_chacha20_poly1305)
      : is("ascon")         ? aead(&cryptile_ascon_aead128)
      : is("aes_ctr")       ? crypt(&cryptile_aes_bitsliced, CRYPTILE_CTR)
      : is("aes_table_cbc") ? crypt(&cryptile_aes_table, CRYPTILE_CBC)
      : is("aes_compact")   ? crypt(&cryptile_aes_compact, CRYPTILE_ECB)
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

static size_t count(const void *memory, size_t len, const uint8_t *needle, size_t size) {
  size_t found = 0;
  for (size_t i = 0; i + size <= len; i++) {
    found += memcmp((const uint8_t *)memory + i, needle, size) == 0;
  }
  return found;
}

int main(int argc, char **argv) {
  static size_t found[MaxNeedles];
  size_t dirty = 0;
  int next = 2;
  operation = argv[1];
  kind = strstr(operation, "_stream");
  kind = kind == NULL ? strstr(operation, "_abort") : kind;
  kind = kind == NULL ? strchr(operation, 0) : kind;
  for (int i = 0; next < argc && *argv[next] != ':'; next++, i++) {
    sizes[i] = unhex(inputs[i], argv[next]);
  }
  next++;
  for (; !is_last; part++) {
    run();
    if (status != 0) {
      break;
    }
    for (int i = next; i < argc; i++) {
      uint8_t needle[64];
      size_t size = unhex(needle, argv[i]);
      found[i - next] += count(stack, sizeof stack, needle, size);
      found[i - next] += is_last ? count(&context, sizeof context, needle, size) : 0;
    }
    for (size_t i = 0; i < sizeof stack - Above; i++) {
      dirty += stack[i] != 0 && stack[i] != Paint;
    }
  }
  printf("%d ", status);
  for (int i = 0; i < 80; i++) {
    printf("%02x", out[i]);
  }
  for (int i = next; i < argc; i++) {
    printf(" %zu", found[i - next]);
  }
  printf(" %zu\n", dirty);
  return 0;
}
