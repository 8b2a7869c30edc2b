// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The PSA Certified Crypto API (Arm IHI 0086, version 1.4) over this library: hashes,
// extendable-output functions, MACs, ciphers, AEAD, key derivation, signatures and agreement, with
// the standard's names, types, values and error codes. See the standard for what each function
// does; this header says what differs and what is left out.
//
// - Keys are volatile and live in PSA_KEY_SLOTS slots of the library: psa_import_key(),
//   psa_generate_key(), psa_copy_key(), psa_destroy_key(), psa_export_public_key(), ...
// - Lifetimes: PSA_KEY_LIFETIME_VOLATILE, and volatile keys of an engine, of the location
//   PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT: cryptile/psa_engine.h. Such a key is made there by
//   psa_generate_key() and never comes out: to import, copy, export or derive one is
//   PSA_ERROR_NOT_SUPPORTED, as are persistent keys; another location is
//   PSA_ERROR_INVALID_ARGUMENT.
// - Random numbers come from the application: cryptile_psa_set_random(). Without a source, what
//   needs random numbers returns PSA_ERROR_INSUFFICIENT_ENTROPY.
// - Algorithms: PSA_ALG_SHA_224 to SHA_512, SHA_512_224, SHA_512_256, SHA3_224 to SHA3_512;
//   PSA_ALG_HMAC of them; ASCON_HASH256; SHAKE128, SHAKE256, ASCON_XOF128, ASCON_CXOF128; AES in
//   CMAC, ECB_NO_PADDING, CBC_NO_PADDING, CBC_PKCS7, CTR and XTS; ChaCha20 as STREAM_CIPHER;
//   AES-CCM, AES-GCM, CHACHA20_POLY1305 and ASCON_AEAD128; ECDH with P-256, P-384,
//   P-521 and X25519; DETERMINISTIC_ECDSA with P-256, P-384 and P-521, ECDSA, which does the same
//   where no engine signs, and PURE_EDDSA with Ed25519; of RSA, signatures are verified:
//   RSA_PKCS1V15_SIGN, RSA_PSS and RSA_PSS_ANY_SALT; HKDF, HKDF_EXTRACT, HKDF_EXPAND and TLS12_PRF.
// - A key for ECDSA does not sign by DETERMINISTIC_ECDSA, nor the reverse; to verify, they are one.
// - Keys of RSA: RSAPublicKey in DER, of 2048 to 4096 bits with an exponent below 2^32; another
//   size is PSA_ERROR_NOT_SUPPORTED. There are no private ones.
// - Lengths of codes and tags: a policy names one, or with PSA_ALG_AT_LEAST_THIS_LENGTH_MAC and
//   PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG the least one.
// - XTS: the key has 256 or 512 bits, two different halves; the vector is the tweak; a text has 16
//   to 2^24 bytes. In parts, psa_cipher_update() writes a block when 16 bytes more have come, and
//   psa_cipher_finish() the last 16 to 31 bytes.
// - Alignment: any.
// - Aliasing: an output buffer may overlap input buffers in any way, in place among others: the
//   result is as if it did not. Objects for a length, for an identifier and for an operation
//   overlap nothing.
// - Null: a buffer of length 0 may be null; another null buffer is PSA_ERROR_INVALID_ARGUMENT.
//   Objects for a length, an identifier, attributes or an operation are never null.
// - Errors: an error with an active operation makes it fail: it is wiped, and until psa_*_abort()
//   every call returns PSA_ERROR_BAD_STATE. A setup that is refused changes nothing, nor does
//   psa_key_derivation_set_capacity() with more than there is. Calls for a
//   whole message refuse wrong lengths and short buffers before they write anything; if one fails
//   later (padding, authentication, an engine) its output is zeroed.
// - Identifiers of keys: from PSA_KEY_ID_VENDOR_MIN on. That of a destroyed key is not given again
//   before 2^30 keys have been imported.
// - Constant time: does not depend on keys and data, as far as the library's parts promise it.
// - Nothing secret stays behind a call but in the slots and in operations: see cryptile.h.
//   psa_verify_message() and psa_verify_hash() take everything for public, the message included.
// - Single-threaded: the slots are not locked.
#ifndef PSA_CRYPTO_H
#define PSA_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/aead.h"
#include "cryptile/cipher.h"
#include "cryptile/hash.h"
#include "cryptile/hmac.h"
#include "psa/crypto_sizes.h"
#include "psa/crypto_types.h"
#include "psa/crypto_values.h"

#ifdef __cplusplus
extern "C" {
#endif

// How many keys there can be at a time, and how long one may be.
#ifndef PSA_KEY_SLOTS
#define PSA_KEY_SLOTS 8
#endif
// As long as a public key of RSA with 4096 bits may be.
#define PSA_KEY_MAX_BYTES PSA_EXPORT_PUBLIC_KEY_MAX_SIZE

// Does nothing and may be called often; returns PSA_SUCCESS.
CRYPTILE_MUST_CHECK psa_status_t psa_crypto_init(void);

// Sets the source of random numbers: a function that fills `out` with `len` bytes and returns true,
// or null to take it away. When it returns false, as a generator that has stopped must, the call
// that asked returns PSA_ERROR_INSUFFICIENT_ENTROPY and zeroizes what the source had written; the
// tile's is cry_tile_random_source() of sw/hal/tile_random.h. The source zeroizes what it leaves on
// the stack and in registers: how much that is, the library does not know.
void cryptile_psa_set_random(bool (*source)(uint8_t *out, size_t len));
CRYPTILE_MUST_CHECK psa_status_t psa_generate_random(uint8_t *output, size_t output_size);

// Keys (section 9).
static inline psa_key_attributes_t psa_key_attributes_init(void) {
  const psa_key_attributes_t fresh = PSA_KEY_ATTRIBUTES_INIT;
  return fresh;
}
static inline void psa_set_key_type(psa_key_attributes_t *attributes, psa_key_type_t type) {
  attributes->type = type;
}
static inline psa_key_type_t psa_get_key_type(const psa_key_attributes_t *attributes) {
  return attributes->type;
}
static inline void psa_set_key_bits(psa_key_attributes_t *attributes, size_t bits) {
  attributes->bits = bits;
}
static inline size_t psa_get_key_bits(const psa_key_attributes_t *attributes) {
  return attributes->bits;
}
static inline void psa_set_key_usage_flags(psa_key_attributes_t *attributes,
                                           psa_key_usage_t usage) {
  attributes->usage = usage;
}
static inline psa_key_usage_t psa_get_key_usage_flags(const psa_key_attributes_t *attributes) {
  return attributes->usage;
}
static inline void psa_set_key_algorithm(psa_key_attributes_t *attributes, psa_algorithm_t alg) {
  attributes->alg = alg;
}
static inline psa_algorithm_t psa_get_key_algorithm(const psa_key_attributes_t *attributes) {
  return attributes->alg;
}
static inline void psa_set_key_lifetime(psa_key_attributes_t *attributes,
                                        psa_key_lifetime_t lifetime) {
  attributes->lifetime = lifetime;
}
static inline psa_key_lifetime_t psa_get_key_lifetime(const psa_key_attributes_t *attributes) {
  return attributes->lifetime;
}
static inline void psa_reset_key_attributes(psa_key_attributes_t *attributes) {
  *attributes = psa_key_attributes_init();
}
CRYPTILE_MUST_CHECK psa_status_t psa_import_key(const psa_key_attributes_t *attributes,
                                                const uint8_t *data, size_t data_length,
                                                psa_key_id_t *key);
CRYPTILE_MUST_CHECK psa_status_t psa_generate_key(const psa_key_attributes_t *attributes,
                                                  psa_key_id_t *key);
// Copies a key that has PSA_KEY_USAGE_COPY. The copy may be used for what both the source and the
// attributes allow; PSA_ERROR_INVALID_ARGUMENT if the attributes state another type or size, or no
// algorithm is permitted by both.
CRYPTILE_MUST_CHECK psa_status_t psa_copy_key(psa_key_id_t source_key,
                                              const psa_key_attributes_t *attributes,
                                              psa_key_id_t *target_key);
CRYPTILE_MUST_CHECK psa_status_t psa_get_key_attributes(psa_key_id_t key,
                                                        psa_key_attributes_t *attributes);
CRYPTILE_MUST_CHECK psa_status_t psa_export_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                                size_t *data_length);
CRYPTILE_MUST_CHECK psa_status_t psa_export_public_key(psa_key_id_t key, uint8_t *data,
                                                       size_t data_size, size_t *data_length);
// A key of an engine stays if the engine fails to destroy it, whose status this returns then.
CRYPTILE_MUST_CHECK psa_status_t psa_destroy_key(psa_key_id_t key);

// Hashes (section 10.2).
CRYPTILE_MUST_CHECK psa_status_t psa_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                                  size_t input_length, uint8_t *hash,
                                                  size_t hash_size, size_t *hash_length);
CRYPTILE_MUST_CHECK psa_status_t psa_hash_compare(psa_algorithm_t alg, const uint8_t *input,
                                                  size_t input_length, const uint8_t *hash,
                                                  size_t hash_length);
static inline psa_hash_operation_t psa_hash_operation_init(void) {
  const psa_hash_operation_t fresh = PSA_HASH_OPERATION_INIT;
  return fresh;
}
CRYPTILE_MUST_CHECK psa_status_t psa_hash_setup(psa_hash_operation_t *operation,
                                                psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_hash_update(psa_hash_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);
CRYPTILE_MUST_CHECK psa_status_t psa_hash_finish(psa_hash_operation_t *operation, uint8_t *hash,
                                                 size_t hash_size, size_t *hash_length);
CRYPTILE_MUST_CHECK psa_status_t psa_hash_verify(psa_hash_operation_t *operation,
                                                 const uint8_t *hash, size_t hash_length);
psa_status_t psa_hash_abort(psa_hash_operation_t *operation);
CRYPTILE_MUST_CHECK psa_status_t psa_hash_clone(const psa_hash_operation_t *source,
                                                psa_hash_operation_t *target);

// Extendable-output functions (section 10.3). The context of PSA_ALG_ASCON_CXOF128, of up to 256
// bytes, must be set, even if it is empty.
static inline psa_xof_operation_t psa_xof_operation_init(void) {
  const psa_xof_operation_t fresh = PSA_XOF_OPERATION_INIT;
  return fresh;
}
CRYPTILE_MUST_CHECK psa_status_t psa_xof_setup(psa_xof_operation_t *operation, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_xof_set_context(psa_xof_operation_t *operation,
                                                     const uint8_t *context, size_t context_length);
CRYPTILE_MUST_CHECK psa_status_t psa_xof_update(psa_xof_operation_t *operation,
                                                const uint8_t *input, size_t input_length);
CRYPTILE_MUST_CHECK psa_status_t psa_xof_output(psa_xof_operation_t *operation, uint8_t *output,
                                                size_t output_length);
psa_status_t psa_xof_abort(psa_xof_operation_t *operation);

// Message authentication codes (section 10.4).
CRYPTILE_MUST_CHECK psa_status_t psa_mac_compute(psa_key_id_t key, psa_algorithm_t alg,
                                                 const uint8_t *input, size_t input_length,
                                                 uint8_t *mac, size_t mac_size, size_t *mac_length);
CRYPTILE_MUST_CHECK psa_status_t psa_mac_verify(psa_key_id_t key, psa_algorithm_t alg,
                                                const uint8_t *input, size_t input_length,
                                                const uint8_t *mac, size_t mac_length);
static inline psa_mac_operation_t psa_mac_operation_init(void) {
  const psa_mac_operation_t fresh = PSA_MAC_OPERATION_INIT;
  return fresh;
}
CRYPTILE_MUST_CHECK psa_status_t psa_mac_sign_setup(psa_mac_operation_t *operation,
                                                    psa_key_id_t key, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_mac_verify_setup(psa_mac_operation_t *operation,
                                                      psa_key_id_t key, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_mac_update(psa_mac_operation_t *operation,
                                                const uint8_t *input, size_t input_length);
CRYPTILE_MUST_CHECK psa_status_t psa_mac_sign_finish(psa_mac_operation_t *operation, uint8_t *mac,
                                                     size_t mac_size, size_t *mac_length);
CRYPTILE_MUST_CHECK psa_status_t psa_mac_verify_finish(psa_mac_operation_t *operation,
                                                       const uint8_t *mac, size_t mac_length);
psa_status_t psa_mac_abort(psa_mac_operation_t *operation);

// Unauthenticated ciphers (section 10.5).
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_encrypt(psa_key_id_t key, psa_algorithm_t alg,
                                                    const uint8_t *input, size_t input_length,
                                                    uint8_t *output, size_t output_size,
                                                    size_t *output_length);
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_decrypt(psa_key_id_t key, psa_algorithm_t alg,
                                                    const uint8_t *input, size_t input_length,
                                                    uint8_t *output, size_t output_size,
                                                    size_t *output_length);
static inline psa_cipher_operation_t psa_cipher_operation_init(void) {
  const psa_cipher_operation_t fresh = PSA_CIPHER_OPERATION_INIT;
  return fresh;
}
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_encrypt_setup(psa_cipher_operation_t *operation,
                                                          psa_key_id_t key, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_decrypt_setup(psa_cipher_operation_t *operation,
                                                          psa_key_id_t key, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_generate_iv(psa_cipher_operation_t *operation,
                                                        uint8_t *iv, size_t iv_size,
                                                        size_t *iv_length);
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_set_iv(psa_cipher_operation_t *operation,
                                                   const uint8_t *iv, size_t iv_length);
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_update(psa_cipher_operation_t *operation,
                                                   const uint8_t *input, size_t input_length,
                                                   uint8_t *output, size_t output_size,
                                                   size_t *output_length);
CRYPTILE_MUST_CHECK psa_status_t psa_cipher_finish(psa_cipher_operation_t *operation,
                                                   uint8_t *output, size_t output_size,
                                                   size_t *output_length);
psa_status_t psa_cipher_abort(psa_cipher_operation_t *operation);

// Authenticated encryption (section 10.6). In the parts of a decryption, psa_aead_update() gives
// out plaintext that is not authenticated yet.
CRYPTILE_MUST_CHECK psa_status_t psa_aead_encrypt(psa_key_id_t key, psa_algorithm_t alg,
                                                  const uint8_t *nonce, size_t nonce_length,
                                                  const uint8_t *additional_data,
                                                  size_t additional_data_length,
                                                  const uint8_t *plaintext, size_t plaintext_length,
                                                  uint8_t *ciphertext, size_t ciphertext_size,
                                                  size_t *ciphertext_length);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_decrypt(
    psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length,
    const uint8_t *additional_data, size_t additional_data_length, const uint8_t *ciphertext,
    size_t ciphertext_length, uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length);
static inline psa_aead_operation_t psa_aead_operation_init(void) {
  const psa_aead_operation_t fresh = PSA_AEAD_OPERATION_INIT;
  return fresh;
}
CRYPTILE_MUST_CHECK psa_status_t psa_aead_encrypt_setup(psa_aead_operation_t *operation,
                                                        psa_key_id_t key, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_decrypt_setup(psa_aead_operation_t *operation,
                                                        psa_key_id_t key, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_set_lengths(psa_aead_operation_t *operation,
                                                      size_t ad_length, size_t plaintext_length);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_generate_nonce(psa_aead_operation_t *operation,
                                                         uint8_t *nonce, size_t nonce_size,
                                                         size_t *nonce_length);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_set_nonce(psa_aead_operation_t *operation,
                                                    const uint8_t *nonce, size_t nonce_length);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_update_ad(psa_aead_operation_t *operation,
                                                    const uint8_t *input, size_t input_length);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_update(psa_aead_operation_t *operation,
                                                 const uint8_t *input, size_t input_length,
                                                 uint8_t *output, size_t output_size,
                                                 size_t *output_length);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_finish(psa_aead_operation_t *operation,
                                                 uint8_t *ciphertext, size_t ciphertext_size,
                                                 size_t *ciphertext_length, uint8_t *tag,
                                                 size_t tag_size, size_t *tag_length);
CRYPTILE_MUST_CHECK psa_status_t psa_aead_verify(psa_aead_operation_t *operation,
                                                 uint8_t *plaintext, size_t plaintext_size,
                                                 size_t *plaintext_length, const uint8_t *tag,
                                                 size_t tag_length);
psa_status_t psa_aead_abort(psa_aead_operation_t *operation);

// Signatures (section 10.9). ECDSA signatures are r, s.
CRYPTILE_MUST_CHECK psa_status_t psa_sign_message(psa_key_id_t key, psa_algorithm_t alg,
                                                  const uint8_t *input, size_t input_length,
                                                  uint8_t *signature, size_t signature_size,
                                                  size_t *signature_length);
CRYPTILE_MUST_CHECK psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg,
                                                    const uint8_t *input, size_t input_length,
                                                    const uint8_t *signature,
                                                    size_t signature_length);
CRYPTILE_MUST_CHECK psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg,
                                               const uint8_t *hash, size_t hash_length,
                                               uint8_t *signature, size_t signature_size,
                                               size_t *signature_length);
CRYPTILE_MUST_CHECK psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg,
                                                 const uint8_t *hash, size_t hash_length,
                                                 const uint8_t *signature, size_t signature_length);

// Key derivation (section 10.7): PSA_ALG_HKDF, HKDF_EXTRACT, HKDF_EXPAND and TLS12_PRF with the
// hash functions of HMAC; with PSA_ALG_KEY_AGREEMENT, their secret comes from an agreement.
//
// - What is kept until the output begins has PSA_KEY_DERIVATION_MAX_INFO bytes at most, else
//   PSA_ERROR_INSUFFICIENT_MEMORY: the info of HKDF; label and seed of TLS 1.2, together.
// - After PSA_ERROR_INSUFFICIENT_DATA the operation is active, with capacity 0, and the output is
//   zeroed.
static inline psa_key_derivation_operation_t psa_key_derivation_operation_init(void) {
  const psa_key_derivation_operation_t fresh = PSA_KEY_DERIVATION_OPERATION_INIT;
  return fresh;
}
// A name stands on the line of its type.
// clang-format off
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_setup(
    psa_key_derivation_operation_t *operation, psa_algorithm_t alg);
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_get_capacity(
    const psa_key_derivation_operation_t *operation, size_t *capacity);
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_set_capacity(
    psa_key_derivation_operation_t *operation, size_t capacity);
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_input_bytes(
    psa_key_derivation_operation_t *operation, psa_key_derivation_step_t step, const uint8_t *data,
    size_t data_length);
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_input_key(
    psa_key_derivation_operation_t *operation, psa_key_derivation_step_t step, psa_key_id_t key);
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_key_agreement(
    psa_key_derivation_operation_t *operation, psa_key_derivation_step_t step,
    psa_key_id_t private_key, const uint8_t *peer_key, size_t peer_key_length);
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_output_bytes(
    psa_key_derivation_operation_t *operation, uint8_t *output, size_t output_length);
CRYPTILE_MUST_CHECK psa_status_t psa_key_derivation_output_key(
    const psa_key_attributes_t *attributes, psa_key_derivation_operation_t *operation,
    psa_key_id_t *key);
psa_status_t psa_key_derivation_abort(psa_key_derivation_operation_t *operation);
// clang-format on

// Key agreement (section 10.11): the shared secret as bytes, or as a new key.
CRYPTILE_MUST_CHECK psa_status_t psa_raw_key_agreement(psa_algorithm_t alg,
                                                       psa_key_id_t private_key,
                                                       const uint8_t *peer_key,
                                                       size_t peer_key_length, uint8_t *output,
                                                       size_t output_size, size_t *output_length);
CRYPTILE_MUST_CHECK psa_status_t psa_key_agreement(psa_key_id_t private_key,
                                                   const uint8_t *peer_key, size_t peer_key_length,
                                                   psa_algorithm_t alg,
                                                   const psa_key_attributes_t *attributes,
                                                   psa_key_id_t *key);

#ifdef __cplusplus
}
#endif

#endif  // PSA_CRYPTO_H
