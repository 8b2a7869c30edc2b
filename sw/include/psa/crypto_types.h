// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Types of the PSA Certified Crypto API. The members of structs are private.
#ifndef PSA_CRYPTO_TYPES_H
#define PSA_CRYPTO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/aead.h"
#include "cryptile/ascon.h"
#include "cryptile/chacha20.h"
#include "cryptile/cipher.h"
#include "cryptile/cmac.h"
#include "cryptile/hash.h"
#include "cryptile/hmac.h"
#include "cryptile/xof.h"

typedef int32_t psa_status_t;
typedef uint32_t psa_algorithm_t;
typedef uint32_t psa_key_id_t;
typedef uint16_t psa_key_type_t;
typedef uint8_t psa_ecc_family_t;
typedef uint32_t psa_key_usage_t;
typedef uint16_t psa_key_derivation_step_t;
typedef uint32_t psa_key_lifetime_t;
typedef uint8_t psa_key_persistence_t;
typedef uint32_t psa_key_location_t;

typedef struct {
  psa_key_type_t type;
  psa_key_usage_t usage;
  psa_algorithm_t alg;
  size_t bits;
  psa_key_lifetime_t lifetime;
} psa_key_attributes_t;

// In every operation `phase` says whether it is inactive (0), active, or has failed.
typedef struct {
  cryptile_hash_ctx_t ctx;
  uint8_t phase;
} psa_hash_operation_t;

typedef struct {
  union {
    cryptile_xof_ctx_t shake;
    cryptile_ascon_xof_t ascon;
  } ctx;
  psa_algorithm_t alg;
  uint8_t phase;
  bool lacks_context;
} psa_xof_operation_t;

typedef struct {
  union {
    cryptile_hmac_ctx_t hmac;
    cryptile_cmac_ctx_t cmac;
  } ctx;
  uint8_t phase;
  uint8_t length;  // bytes of the code
  bool is_cmac;
  bool verifies;
} psa_mac_operation_t;

#if UINTPTR_MAX > 0xffffffffu
#define PSA_XTS_STATE_BYTES 1032u
#else
#define PSA_XTS_STATE_BYTES 544u
#endif

typedef struct {
  union {
    cryptile_cipher_ctx_t block;
    cryptile_chacha20_ctx_t stream;
    uint64_t xts[PSA_XTS_STATE_BYTES / 8];
  } ctx;
  psa_algorithm_t alg;
  uint8_t key[2 * CRYPTILE_MAX_KEY_BYTES];  // XTS has two
  uint8_t key_length;
  uint8_t direction;
  uint8_t phase;
  bool has_iv;
} psa_cipher_operation_t;

typedef struct {
  cryptile_aead_ctx_t ctx;
  psa_algorithm_t alg;
  uint8_t key[CRYPTILE_MAX_KEY_BYTES];
  uint8_t key_length;
  uint8_t direction;
  uint8_t phase;
  bool has_nonce;
  bool has_lengths;
  bool has_text;
  uint64_t ad_left;  // of the announced lengths
  uint64_t text_left;
} psa_aead_operation_t;

// How long what a derivation keeps may be: the info of HKDF; label and seed of TLS 1.2, together.
#ifndef PSA_KEY_DERIVATION_MAX_INFO
#define PSA_KEY_DERIVATION_MAX_INFO 128
#endif

typedef struct {
  cryptile_hmac_ctx_t keyed;  // by the salt, then by the pseudorandom key or the secret
  size_t capacity;
  psa_algorithm_t alg;
  uint8_t info[PSA_KEY_DERIVATION_MAX_INFO];
  uint8_t block[CRYPTILE_HASH_MAX_DIGEST];  // of output
  uint8_t chain[CRYPTILE_HASH_MAX_DIGEST];  // A(i) of TLS 1.2
  uint16_t info_length;
  uint16_t seed_length;  // of the bytes in `info`: the label comes behind
  uint8_t used;          // bytes of the block
  uint8_t counter;       // of blocks
  uint8_t phase;
  bool has_salt;
  bool has_secret;
  bool has_info;
  bool has_output;
  bool may_give_key;  // the secret was a key
} psa_key_derivation_operation_t;

// A zero value; C++ has no designators before C++20, and C no empty braces before C23.
#ifdef __cplusplus
#define PSA_ZERO_INIT \
  {}
#else
#define PSA_ZERO_INIT \
  { 0 }
#endif

#define PSA_KEY_ATTRIBUTES_INIT           PSA_ZERO_INIT
#define PSA_HASH_OPERATION_INIT           PSA_ZERO_INIT
#define PSA_XOF_OPERATION_INIT            PSA_ZERO_INIT
#define PSA_MAC_OPERATION_INIT            PSA_ZERO_INIT
#define PSA_CIPHER_OPERATION_INIT         PSA_ZERO_INIT
#define PSA_AEAD_OPERATION_INIT           PSA_ZERO_INIT
#define PSA_KEY_DERIVATION_OPERATION_INIT PSA_ZERO_INIT

#endif  // PSA_CRYPTO_TYPES_H
