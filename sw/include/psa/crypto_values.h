// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Values and macros of the PSA Certified Crypto API, version 1.4, as far as this library has them.
#ifndef PSA_CRYPTO_VALUES_H
#define PSA_CRYPTO_VALUES_H

#include "psa/crypto_types.h"

#define PSA_CRYPTO_API_VERSION_MAJOR 1
#define PSA_CRYPTO_API_VERSION_MINOR 4

#define PSA_SUCCESS                    ((psa_status_t)0)
#define PSA_ERROR_GENERIC_ERROR        ((psa_status_t)-132)
#define PSA_ERROR_NOT_PERMITTED        ((psa_status_t)-133)
#define PSA_ERROR_NOT_SUPPORTED        ((psa_status_t)-134)
#define PSA_ERROR_INVALID_ARGUMENT     ((psa_status_t)-135)
#define PSA_ERROR_INVALID_HANDLE       ((psa_status_t)-136)
#define PSA_ERROR_BAD_STATE            ((psa_status_t)-137)
#define PSA_ERROR_BUFFER_TOO_SMALL     ((psa_status_t)-138)
#define PSA_ERROR_INSUFFICIENT_DATA    ((psa_status_t)-143)
#define PSA_ERROR_INSUFFICIENT_MEMORY  ((psa_status_t)-141)
#define PSA_ERROR_HARDWARE_FAILURE     ((psa_status_t)-147)
#define PSA_ERROR_INSUFFICIENT_ENTROPY ((psa_status_t)-148)
#define PSA_ERROR_INVALID_SIGNATURE    ((psa_status_t)-149)
#define PSA_ERROR_INVALID_PADDING      ((psa_status_t)-150)
#define PSA_ERROR_CORRUPTION_DETECTED  ((psa_status_t)-151)

#define PSA_KEY_ID_NULL       ((psa_key_id_t)0)
#define PSA_KEY_ID_VENDOR_MIN ((psa_key_id_t)0x40000000)
#define PSA_KEY_ID_VENDOR_MAX ((psa_key_id_t)0x7fffffff)

// How long a key is kept, and where (section 9.2).
#define PSA_KEY_LIFETIME_VOLATILE               ((psa_key_lifetime_t)0)
#define PSA_KEY_LIFETIME_PERSISTENT             ((psa_key_lifetime_t)1)
#define PSA_KEY_PERSISTENCE_VOLATILE            ((psa_key_persistence_t)0)
#define PSA_KEY_PERSISTENCE_DEFAULT             ((psa_key_persistence_t)1)
#define PSA_KEY_PERSISTENCE_READ_ONLY           ((psa_key_persistence_t)0xff)
#define PSA_KEY_LOCATION_LOCAL_STORAGE          ((psa_key_location_t)0)
#define PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT ((psa_key_location_t)1)
#define PSA_KEY_LOCATION_VENDOR_FLAG            ((psa_key_location_t)0x800000)

#define PSA_KEY_LIFETIME_GET_PERSISTENCE(lifetime) ((psa_key_persistence_t)(lifetime))
#define PSA_KEY_LIFETIME_GET_LOCATION(lifetime)    ((psa_key_location_t)((lifetime) >> 8))
#define PSA_KEY_LIFETIME_IS_VOLATILE(lifetime) \
  (PSA_KEY_LIFETIME_GET_PERSISTENCE(lifetime) == PSA_KEY_PERSISTENCE_VOLATILE)
#define PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(persistence, location) \
  ((psa_key_lifetime_t)((location) << 8 | (persistence)))

#define PSA_KEY_TYPE_NONE                  ((psa_key_type_t)0x0000)
#define PSA_KEY_TYPE_RAW_DATA              ((psa_key_type_t)0x1001)
#define PSA_KEY_TYPE_HMAC                  ((psa_key_type_t)0x1100)
#define PSA_KEY_TYPE_DERIVE                ((psa_key_type_t)0x1200)
#define PSA_KEY_TYPE_CHACHA20              ((psa_key_type_t)0x2004)
#define PSA_KEY_TYPE_ASCON                 ((psa_key_type_t)0x2008)
#define PSA_KEY_TYPE_AES                   ((psa_key_type_t)0x2400)
#define PSA_KEY_TYPE_RSA_KEY_PAIR          ((psa_key_type_t)0x7001)
#define PSA_KEY_TYPE_RSA_PUBLIC_KEY        ((psa_key_type_t)0x4001)
#define PSA_KEY_TYPE_ECC_KEY_PAIR(curve)   ((psa_key_type_t)(0x7100 | (curve)))
#define PSA_KEY_TYPE_ECC_PUBLIC_KEY(curve) ((psa_key_type_t)(0x4100 | (curve)))
#define PSA_ECC_FAMILY_SECP_R1             ((psa_ecc_family_t)0x12)
#define PSA_ECC_FAMILY_MONTGOMERY          ((psa_ecc_family_t)0x41)
#define PSA_ECC_FAMILY_TWISTED_EDWARDS     ((psa_ecc_family_t)0x42)

// What a type of a key is.
#define PSA_KEY_TYPE_IS_UNSTRUCTURED(type) (((type)&0x7000) == 0x1000 || ((type)&0x7000) == 0x2000)

#define PSA_KEY_TYPE_IS_ASYMMETRIC(type)          (((type)&0x4000) == 0x4000)
#define PSA_KEY_TYPE_IS_PUBLIC_KEY(type)          (((type)&0x7000) == 0x4000)
#define PSA_KEY_TYPE_IS_KEY_PAIR(type)            (((type)&0x7000) == 0x7000)
#define PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) ((psa_key_type_t)((type) & ~0x3000))
#define PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(type) ((psa_key_type_t)((type) | 0x3000))
#define PSA_KEY_TYPE_IS_RSA(type)                 (((type) & ~0x3000) == 0x4001)
#define PSA_KEY_TYPE_IS_ECC(type)                 (((type)&0xcf80) == 0x4100)
#define PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type)        (((type)&0xff80) == 0x7100)
#define PSA_KEY_TYPE_IS_ECC_PUBLIC_KEY(type)      (((type)&0xff80) == 0x4100)
#define PSA_KEY_TYPE_ECC_GET_FAMILY(type)         ((psa_ecc_family_t)((type)&0x007f))

#define PSA_KEY_USAGE_EXPORT         ((psa_key_usage_t)0x00000001)
#define PSA_KEY_USAGE_COPY           ((psa_key_usage_t)0x00000002)
#define PSA_KEY_USAGE_ENCRYPT        ((psa_key_usage_t)0x00000100)
#define PSA_KEY_USAGE_DECRYPT        ((psa_key_usage_t)0x00000200)
#define PSA_KEY_USAGE_SIGN_MESSAGE   ((psa_key_usage_t)0x00000400)
#define PSA_KEY_USAGE_VERIFY_MESSAGE ((psa_key_usage_t)0x00000800)
#define PSA_KEY_USAGE_SIGN_HASH      ((psa_key_usage_t)0x00001000)
#define PSA_KEY_USAGE_VERIFY_HASH    ((psa_key_usage_t)0x00002000)
#define PSA_KEY_USAGE_DERIVE         ((psa_key_usage_t)0x00004000)

#define PSA_ALG_NONE          ((psa_algorithm_t)0)
#define PSA_ALG_SHA_224       ((psa_algorithm_t)0x02000008)
#define PSA_ALG_SHA_256       ((psa_algorithm_t)0x02000009)
#define PSA_ALG_SHA_384       ((psa_algorithm_t)0x0200000a)
#define PSA_ALG_SHA_512       ((psa_algorithm_t)0x0200000b)
#define PSA_ALG_SHA_512_224   ((psa_algorithm_t)0x0200000c)
#define PSA_ALG_SHA_512_256   ((psa_algorithm_t)0x0200000d)
#define PSA_ALG_SHA3_224      ((psa_algorithm_t)0x02000010)
#define PSA_ALG_SHA3_256      ((psa_algorithm_t)0x02000011)
#define PSA_ALG_SHA3_384      ((psa_algorithm_t)0x02000012)
#define PSA_ALG_SHA3_512      ((psa_algorithm_t)0x02000013)
#define PSA_ALG_ASCON_HASH256 ((psa_algorithm_t)0x02000019)
#define PSA_ALG_ANY_HASH      ((psa_algorithm_t)0x020000ff)

#define PSA_ALG_SHAKE128      ((psa_algorithm_t)0x0d000100)
#define PSA_ALG_SHAKE256      ((psa_algorithm_t)0x0d000200)
#define PSA_ALG_ASCON_XOF128  ((psa_algorithm_t)0x0d000300)
#define PSA_ALG_ASCON_CXOF128 ((psa_algorithm_t)0x0d008300)

#define PSA_ALG_HMAC(hash_alg) ((psa_algorithm_t)(0x03800000 | ((hash_alg)&0x000000ff)))
#define PSA_ALG_CMAC           ((psa_algorithm_t)0x03c00200)
#define PSA_ALG_TRUNCATED_MAC(mac_alg, mac_length) \
  ((psa_algorithm_t)(((mac_alg) & ~0x003f8000u) | ((uint32_t)(mac_length) << 16 & 0x003f0000u)))
#define PSA_ALG_FULL_LENGTH_MAC(mac_alg) ((psa_algorithm_t)((mac_alg) & ~0x003f8000u))
#define PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(mac_alg, min_mac_length) \
  (PSA_ALG_TRUNCATED_MAC(mac_alg, min_mac_length) | (psa_algorithm_t)0x00008000)

#define PSA_ALG_STREAM_CIPHER  ((psa_algorithm_t)0x04800100)
#define PSA_ALG_CTR            ((psa_algorithm_t)0x04c01000)
#define PSA_ALG_ECB_NO_PADDING ((psa_algorithm_t)0x04404400)
#define PSA_ALG_CBC_NO_PADDING ((psa_algorithm_t)0x04404000)
#define PSA_ALG_CBC_PKCS7      ((psa_algorithm_t)0x04404100)
#define PSA_ALG_XTS            ((psa_algorithm_t)0x0440ff00)

#define PSA_ALG_CCM               ((psa_algorithm_t)0x05500100)
#define PSA_ALG_GCM               ((psa_algorithm_t)0x05500200)
#define PSA_ALG_CHACHA20_POLY1305 ((psa_algorithm_t)0x05100500)
#define PSA_ALG_ASCON_AEAD128     ((psa_algorithm_t)0x05100700)
#define PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, tag_length) \
  ((psa_algorithm_t)(((aead_alg) & ~0x003f8000u) | ((uint32_t)(tag_length) << 16 & 0x003f0000u)))
#define PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(aead_alg) PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, 16)
#define PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(aead_alg, min_tag_length) \
  (PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, min_tag_length) | (psa_algorithm_t)0x00008000)

#define PSA_ALG_PURE_EDDSA      ((psa_algorithm_t)0x06000800)
#define PSA_ALG_ECDSA(hash_alg) ((psa_algorithm_t)(0x06000600 | ((hash_alg)&0x000000ff)))
#define PSA_ALG_DETERMINISTIC_ECDSA(hash_alg) \
  ((psa_algorithm_t)(0x06000700 | ((hash_alg)&0x000000ff)))

#define PSA_ALG_RSA_PKCS1V15_SIGN_RAW ((psa_algorithm_t)0x06000200)
#define PSA_ALG_RSA_PKCS1V15_SIGN(hash_alg) \
  ((psa_algorithm_t)(0x06000200 | ((hash_alg)&0x000000ff)))
#define PSA_ALG_RSA_PSS(hash_alg)          ((psa_algorithm_t)(0x06000300 | ((hash_alg)&0x000000ff)))
#define PSA_ALG_RSA_PSS_ANY_SALT(hash_alg) ((psa_algorithm_t)(0x06001300 | ((hash_alg)&0x000000ff)))

#define PSA_ALG_ECDH                           ((psa_algorithm_t)0x09020000)
#define PSA_ALG_KEY_AGREEMENT(ka_alg, kdf_alg) ((psa_algorithm_t)((ka_alg) | (kdf_alg)))
#define PSA_ALG_KEY_AGREEMENT_GET_BASE(alg)    ((psa_algorithm_t)((alg)&0xff7f0000))
#define PSA_ALG_KEY_AGREEMENT_GET_KDF(alg)     ((psa_algorithm_t)((alg)&0xfe80ffff))

#define PSA_ALG_HKDF(hash_alg)         ((psa_algorithm_t)(0x08000100 | ((hash_alg)&0x000000ff)))
#define PSA_ALG_TLS12_PRF(hash_alg)    ((psa_algorithm_t)(0x08000200 | ((hash_alg)&0x000000ff)))
#define PSA_ALG_HKDF_EXTRACT(hash_alg) ((psa_algorithm_t)(0x08000400 | ((hash_alg)&0x000000ff)))
#define PSA_ALG_HKDF_EXPAND(hash_alg)  ((psa_algorithm_t)(0x08000500 | ((hash_alg)&0x000000ff)))

#define PSA_KEY_DERIVATION_INPUT_SECRET       ((psa_key_derivation_step_t)0x0101)
#define PSA_KEY_DERIVATION_INPUT_LABEL        ((psa_key_derivation_step_t)0x0201)
#define PSA_KEY_DERIVATION_INPUT_SALT         ((psa_key_derivation_step_t)0x0202)
#define PSA_KEY_DERIVATION_INPUT_INFO         ((psa_key_derivation_step_t)0x0203)
#define PSA_KEY_DERIVATION_INPUT_SEED         ((psa_key_derivation_step_t)0x0204)
#define PSA_KEY_DERIVATION_UNLIMITED_CAPACITY ((size_t)-1)

// What an algorithm is.
#define PSA_ALG_IS_HASH(alg)                  (((alg)&0x7f000000) == 0x02000000)
#define PSA_ALG_IS_XOF(alg)                   (((alg)&0x7f000000) == 0x0d000000)
#define PSA_ALG_IS_MAC(alg)                   (((alg)&0x7f000000) == 0x03000000)
#define PSA_ALG_IS_HMAC(alg)                  (((alg)&0x7fc0ff00) == 0x03800000)
#define PSA_ALG_IS_BLOCK_CIPHER_MAC(alg)      (((alg)&0x7fc00000) == 0x03c00000)
#define PSA_ALG_IS_CIPHER(alg)                (((alg)&0x7f000000) == 0x04000000)
#define PSA_ALG_IS_STREAM_CIPHER(alg)         (((alg)&0x7f800000) == 0x04800000)
#define PSA_ALG_IS_AEAD(alg)                  (((alg)&0x7f000000) == 0x05000000)
#define PSA_ALG_IS_SIGN(alg)                  (((alg)&0x7f000000) == 0x06000000)
#define PSA_ALG_IS_ECDSA(alg)                 (((alg) & ~0x000001ffu) == 0x06000600)
#define PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg)     (((alg) & ~0x000000ffu) == 0x06000200)
#define PSA_ALG_IS_RSA_PSS(alg)               (((alg) & ~0x000010ffu) == 0x06000300)
#define PSA_ALG_IS_RSA_PSS_STANDARD_SALT(alg) (((alg) & ~0x000000ffu) == 0x06000300)
#define PSA_ALG_IS_RSA_PSS_ANY_SALT(alg)      (((alg) & ~0x000000ffu) == 0x06001300)
#define PSA_ALG_IS_ECDH(alg)                  (((alg)&0x7fff0000) == 0x09020000)
#define PSA_ALG_IS_KEY_DERIVATION(alg)        (((alg)&0x7f000000) == 0x08000000)
#define PSA_ALG_IS_HKDF(alg)                  (((alg) & ~0x000000ffu) == 0x08000100)
#define PSA_ALG_IS_HKDF_EXTRACT(alg)          (((alg) & ~0x000000ffu) == 0x08000400)
#define PSA_ALG_IS_HKDF_EXPAND(alg)           (((alg) & ~0x000000ffu) == 0x08000500)
#define PSA_ALG_IS_TLS12_PRF(alg)             (((alg) & ~0x000000ffu) == 0x08000200)
#define PSA_ALG_IS_KEY_AGREEMENT(alg)         (((alg)&0x7f000000) == 0x09000000)

// Either signature of RSA.
#define PSA_ALG_IS_RSA_SIGN(alg) (PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg) || PSA_ALG_IS_RSA_PSS(alg))

#endif  // PSA_CRYPTO_VALUES_H
