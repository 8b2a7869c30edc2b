// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Sizes of buffers by the PSA Certified Crypto API, version 1.4, for what this library has.
//
// - Compile-time constants if their arguments are. Arguments may be evaluated more than once.
// - *_LENGTH is exact, *_SIZE is enough for that key and algorithm, *_MAX_SIZE for all of them.
// - 0 for an algorithm that is not known or, in ciphers and AEADs, does not go with the type of the
//   key; also where this library has nothing more to write. *_MAX_SIZE can be sizes of arrays.
#ifndef PSA_CRYPTO_SIZES_H
#define PSA_CRYPTO_SIZES_H

#include "psa/crypto_values.h"

// 0 of a parameter that the standard has and this library does not need.
#define PSA_PRIVATE_NOTHING(value) (0u & (size_t)(value))
#define PSA_PRIVATE_BYTES(bits)    (((size_t)(bits) + 7u) / 8u)

// Hashes (section 10.2): also of an HMAC.
#define PSA_PRIVATE_HASH_OF(alg) ((psa_algorithm_t)(0x02000000u | ((alg)&0x000000ffu)))
#define PSA_HASH_LENGTH(alg)                                 \
  (PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_224         ? 28u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_256       ? 32u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_384       ? 48u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_512       ? 64u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_512_224   ? 28u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_512_256   ? 32u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_224      ? 28u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_256      ? 32u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_384      ? 48u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_512      ? 64u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_ASCON_HASH256 ? 32u \
                                                       : 0u)
#define PSA_HASH_MAX_SIZE 64u

// What HMAC pads keys to; 0 for PSA_ALG_ASCON_HASH256, with which HMAC is not defined.
#define PSA_HASH_BLOCK_LENGTH(alg)                          \
  (PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_224       ? 64u  \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_256     ? 64u  \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_384     ? 128u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_512     ? 128u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_512_224 ? 128u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA_512_256 ? 128u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_224    ? 144u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_256    ? 136u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_384    ? 104u \
   : PSA_PRIVATE_HASH_OF(alg) == PSA_ALG_SHA3_512    ? 72u  \
                                                     : 0u)

// Block ciphers.
#define PSA_BLOCK_CIPHER_BLOCK_LENGTH(type) ((type) == PSA_KEY_TYPE_AES ? 16u : 0u)
#define PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE     16u

// Message authentication codes (section 10.4).
#define PSA_PRIVATE_TAG(alg) ((size_t)((alg) >> 16 & 0x3fu))
#define PSA_MAC_LENGTH(key_type, key_bits, alg)                                        \
  (!PSA_ALG_IS_MAC(alg) || PSA_PRIVATE_NOTHING(key_bits)                               \
       ? 0u                                                                            \
       : (PSA_PRIVATE_TAG(alg) != 0          ? PSA_PRIVATE_TAG(alg)                    \
          : PSA_ALG_IS_HMAC(alg)             ? PSA_HASH_LENGTH(alg)                    \
          : PSA_ALG_IS_BLOCK_CIPHER_MAC(alg) ? PSA_BLOCK_CIPHER_BLOCK_LENGTH(key_type) \
                                             : 0u))
#define PSA_MAC_MAX_SIZE PSA_HASH_MAX_SIZE

// Unauthenticated ciphers (section 10.5).
#define PSA_PRIVATE_CIPHER_FITS(type, alg)                                                       \
  ((type) == PSA_KEY_TYPE_CHACHA20                                                               \
       ? (alg) == PSA_ALG_STREAM_CIPHER                                                          \
       : (type) == PSA_KEY_TYPE_AES &&                                                           \
             ((alg) == PSA_ALG_CTR || (alg) == PSA_ALG_ECB_NO_PADDING || (alg) == PSA_ALG_XTS || \
              (alg) == PSA_ALG_CBC_NO_PADDING || (alg) == PSA_ALG_CBC_PKCS7))
#define PSA_CIPHER_IV_LENGTH(key_type, alg)                                         \
  (!PSA_PRIVATE_CIPHER_FITS(key_type, alg) || (alg) == PSA_ALG_ECB_NO_PADDING ? 0u  \
   : (alg) == PSA_ALG_STREAM_CIPHER                                           ? 12u \
                                                                              : 16u)
#define PSA_CIPHER_IV_MAX_SIZE 16u
#define PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(key_type, alg, input_length)                             \
  (!PSA_PRIVATE_CIPHER_FITS(key_type, alg)                                                      \
       ? 0u                                                                                     \
       : PSA_CIPHER_IV_LENGTH(key_type, alg) + ((alg) == PSA_ALG_CBC_PKCS7                      \
                                                    ? ((size_t)(input_length) / 16u + 1u) * 16u \
                                                    : (size_t)(input_length)))
#define PSA_CIPHER_ENCRYPT_OUTPUT_MAX_SIZE(input_length) \
  (PSA_CIPHER_IV_MAX_SIZE + ((size_t)(input_length) / 16u + 1u) * 16u)
#define PSA_CIPHER_DECRYPT_OUTPUT_SIZE(key_type, alg, input_length)     \
  (!PSA_PRIVATE_CIPHER_FITS(key_type, alg) ||                           \
           (size_t)(input_length) < PSA_CIPHER_IV_LENGTH(key_type, alg) \
       ? 0u                                                             \
       : (size_t)(input_length)-PSA_CIPHER_IV_LENGTH(key_type, alg))
#define PSA_CIPHER_DECRYPT_OUTPUT_MAX_SIZE(input_length) ((size_t)(input_length))
#define PSA_CIPHER_UPDATE_OUTPUT_SIZE(key_type, alg, input_length)  \
  (!PSA_PRIVATE_CIPHER_FITS(key_type, alg) ? 0u                     \
   : (alg) == PSA_ALG_STREAM_CIPHER        ? (size_t)(input_length) \
                                           : PSA_CIPHER_UPDATE_OUTPUT_MAX_SIZE(input_length))
#define PSA_CIPHER_UPDATE_OUTPUT_MAX_SIZE(input_length) (((size_t)(input_length) + 15u) / 16u * 16u)
#define PSA_CIPHER_FINISH_OUTPUT_SIZE(key_type, alg)                           \
  (!PSA_PRIVATE_CIPHER_FITS(key_type, alg) ? 0u                                \
   : (alg) == PSA_ALG_CBC_PKCS7            ? 16u                               \
   : (alg) == PSA_ALG_CTR                  ? 15u                               \
   : (alg) == PSA_ALG_XTS                  ? PSA_CIPHER_FINISH_OUTPUT_MAX_SIZE \
                                           : 0u)
#define PSA_CIPHER_FINISH_OUTPUT_MAX_SIZE 31u

// Authenticated encryption (section 10.6). An update writes as much as it is given.
#define PSA_PRIVATE_AEAD(alg) PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg)
#define PSA_PRIVATE_AEAD_FITS(type, alg)                                                \
  ((type) == PSA_KEY_TYPE_CHACHA20 ? PSA_PRIVATE_AEAD(alg) == PSA_ALG_CHACHA20_POLY1305 \
   : (type) == PSA_KEY_TYPE_ASCON                                                       \
       ? PSA_PRIVATE_AEAD(alg) == PSA_ALG_ASCON_AEAD128                                 \
       : (type) == PSA_KEY_TYPE_AES &&                                                  \
             (PSA_PRIVATE_AEAD(alg) == PSA_ALG_CCM || PSA_PRIVATE_AEAD(alg) == PSA_ALG_GCM))
#define PSA_AEAD_TAG_LENGTH(key_type, key_bits, alg)                           \
  (!PSA_PRIVATE_AEAD_FITS(key_type, alg) || PSA_PRIVATE_NOTHING(key_bits) ? 0u \
                                                                          : PSA_PRIVATE_TAG(alg))
#define PSA_AEAD_TAG_MAX_SIZE 16u
#define PSA_AEAD_NONCE_LENGTH(key_type, alg)              \
  (!PSA_PRIVATE_AEAD_FITS(key_type, alg)            ? 0u  \
   : PSA_PRIVATE_AEAD(alg) == PSA_ALG_CCM           ? 13u \
   : PSA_PRIVATE_AEAD(alg) == PSA_ALG_ASCON_AEAD128 ? 16u \
                                                    : 12u)
#define PSA_AEAD_NONCE_MAX_SIZE 16u
#define PSA_AEAD_ENCRYPT_OUTPUT_SIZE(key_type, alg, plaintext_length) \
  (!PSA_PRIVATE_AEAD_FITS(key_type, alg) ? 0u : (size_t)(plaintext_length) + PSA_PRIVATE_TAG(alg))
#define PSA_AEAD_ENCRYPT_OUTPUT_MAX_SIZE(plaintext_length) \
  ((size_t)(plaintext_length) + PSA_AEAD_TAG_MAX_SIZE)
#define PSA_AEAD_DECRYPT_OUTPUT_SIZE(key_type, alg, ciphertext_length)                         \
  (!PSA_PRIVATE_AEAD_FITS(key_type, alg) || (size_t)(ciphertext_length) < PSA_PRIVATE_TAG(alg) \
       ? 0u                                                                                    \
       : (size_t)(ciphertext_length)-PSA_PRIVATE_TAG(alg))
#define PSA_AEAD_DECRYPT_OUTPUT_MAX_SIZE(ciphertext_length) ((size_t)(ciphertext_length))
#define PSA_AEAD_UPDATE_OUTPUT_SIZE(key_type, alg, input_length) \
  (!PSA_PRIVATE_AEAD_FITS(key_type, alg) ? 0u : (size_t)(input_length))
#define PSA_AEAD_UPDATE_OUTPUT_MAX_SIZE(input_length) ((size_t)(input_length))
#define PSA_AEAD_FINISH_OUTPUT_SIZE(key_type, alg) \
  (PSA_PRIVATE_NOTHING(key_type) + PSA_PRIVATE_NOTHING(alg))
#define PSA_AEAD_FINISH_OUTPUT_MAX_SIZE 16u
#define PSA_AEAD_VERIFY_OUTPUT_SIZE(key_type, alg) \
  (PSA_PRIVATE_NOTHING(key_type) + PSA_PRIVATE_NOTHING(alg))
#define PSA_AEAD_VERIFY_OUTPUT_MAX_SIZE 16u

// Signatures (section 10.9) and key agreement (section 10.11).
#define PSA_ECDSA_SIGNATURE_SIZE(curve_bits) (2u * PSA_PRIVATE_BYTES(curve_bits))
#define PSA_SIGN_OUTPUT_SIZE(key_type, key_bits, alg)                                      \
  (PSA_KEY_TYPE_IS_ECC(key_type) && (PSA_ALG_IS_ECDSA(alg) || (alg) == PSA_ALG_PURE_EDDSA) \
       ? PSA_ECDSA_SIGNATURE_SIZE(key_bits)                                                \
       : 0u)
#define PSA_SIGNATURE_MAX_SIZE 132u
#define PSA_RAW_KEY_AGREEMENT_OUTPUT_SIZE(key_type, key_bits) \
  (PSA_KEY_TYPE_IS_ECC_KEY_PAIR(key_type) ? PSA_PRIVATE_BYTES(key_bits) : 0u)
#define PSA_RAW_KEY_AGREEMENT_OUTPUT_MAX_SIZE 66u

// Keys (section 9): a public key of a Weierstrass curve is 04, x, y; one of RSA is RSAPublicKey.
#define PSA_EXPORT_KEY_OUTPUT_SIZE(key_type, key_bits)                                          \
  (PSA_KEY_TYPE_IS_PUBLIC_KEY(key_type) ? PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(key_type, key_bits) \
   : PSA_KEY_TYPE_IS_ECC_KEY_PAIR(key_type) || PSA_KEY_TYPE_IS_UNSTRUCTURED(key_type)           \
       ? PSA_PRIVATE_BYTES(key_bits)                                                            \
       : 0u)
#define PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(key_type, key_bits)                      \
  (PSA_KEY_TYPE_IS_RSA(key_type)    ? PSA_PRIVATE_BYTES(key_bits) + 16u            \
   : !PSA_KEY_TYPE_IS_ECC(key_type) ? 0u                                           \
   : PSA_KEY_TYPE_ECC_GET_FAMILY(key_type) == PSA_ECC_FAMILY_MONTGOMERY ||         \
           PSA_KEY_TYPE_ECC_GET_FAMILY(key_type) == PSA_ECC_FAMILY_TWISTED_EDWARDS \
       ? PSA_PRIVATE_BYTES(key_bits)                                               \
       : 2u * PSA_PRIVATE_BYTES(key_bits) + 1u)
#define PSA_EXPORT_KEY_PAIR_MAX_SIZE       66u
#define PSA_EXPORT_PUBLIC_KEY_MAX_SIZE     528u
#define PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE 528u

#endif  // PSA_CRYPTO_SIZES_H
