// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "chacha20/chacha20.h"
#include "overlap.h"
#include "psa/psa_key.h"
#include "wipe.h"
#include "wipe/wiped.h"
#include "xts/xts_unit.h"

enum { StreamNonceBytes = 12 };

_Static_assert(sizeof(xts_unit_t) <= PSA_XTS_STATE_BYTES, "the operation is too small");

static xts_unit_t *unit_of(psa_cipher_operation_t *operation) {
  return (xts_unit_t *)operation->ctx.xts;
}

// The bytes of an initialisation vector; 0 for ECB.
static size_t iv_bytes(psa_algorithm_t alg) {
  return alg == PSA_ALG_ECB_NO_PADDING  ? 0
         : alg == PSA_ALG_STREAM_CIPHER ? StreamNonceBytes
                                        : CRYPTILE_BLOCK_SIZE;
}

static bool is_block_alg(psa_algorithm_t alg) {
  return alg == PSA_ALG_ECB_NO_PADDING || alg == PSA_ALG_CBC_NO_PADDING ||
         alg == PSA_ALG_CBC_PKCS7 || alg == PSA_ALG_CTR;
}

static psa_status_t start(psa_cipher_operation_t *operation, const uint8_t *iv) {
  psa_status_t status = PSA_SUCCESS;
  if (operation->alg == PSA_ALG_STREAM_CIPHER) {
    cry_chacha20_init(&operation->ctx.stream, operation->key, iv, 0);
  } else if (operation->alg == PSA_ALG_XTS) {
    cry_xts_unit_start(unit_of(operation), (cryptile_direction_t)operation->direction,
                       operation->key, operation->key_length, iv);
  } else {
    cryptile_cipher_params_t params = {
        .mode = operation->alg == PSA_ALG_CTR              ? CRYPTILE_CTR
                : operation->alg == PSA_ALG_ECB_NO_PADDING ? CRYPTILE_ECB
                                                           : CRYPTILE_CBC,
        .direction = (cryptile_direction_t)operation->direction,
        .padding = operation->alg == PSA_ALG_CBC_PKCS7 ? CRYPTILE_PAD_PKCS7 : CRYPTILE_PAD_NONE,
        .key = operation->key,
        .key_len = operation->key_length,
        .iv = iv,
    };
    status = cry_psa_from_cryptile(
        cryptile_cipher_init(&operation->ctx.block, CRYPTILE_CONSTANT_TIME, &params));
  }
  wipe(operation->key, sizeof operation->key);
  operation->has_iv = true;
  return PSA_SETTLE(operation, status);
}

// Whether a key fits an algorithm: type, length, and of XTS the halves.
static bool key_fits(const psa_slot_t *slot, psa_algorithm_t alg) {
  if (alg == PSA_ALG_STREAM_CIPHER) {
    return slot->attributes.type == PSA_KEY_TYPE_CHACHA20;
  }
  return slot->attributes.type == PSA_KEY_TYPE_AES &&
         (alg == PSA_ALG_XTS ? cry_xts_key_is_good(slot->data, slot->length)
                             : slot->length <= CRYPTILE_MAX_KEY_BYTES);
}

static psa_status_t setup(psa_cipher_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg,
                          cryptile_direction_t direction) {
  const psa_slot_t *slot;
  psa_key_usage_t usage =
      direction == CRYPTILE_ENCRYPT ? PSA_KEY_USAGE_ENCRYPT : PSA_KEY_USAGE_DECRYPT;
  if (operation->phase != PSA_PHASE_INACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  psa_status_t status = cry_psa_key_get(key, usage, alg, &slot);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (!is_block_alg(alg) && alg != PSA_ALG_STREAM_CIPHER && alg != PSA_ALG_XTS) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  if (!key_fits(slot, alg)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  operation->phase = PSA_PHASE_ACTIVE;
  operation->alg = alg;
  operation->direction = (uint8_t)direction;
  operation->key_length = slot->length;
  memcpy(operation->key, slot->data, slot->length);
  return iv_bytes(alg) == 0 ? start(operation, NULL) : PSA_SUCCESS;
}

static WORK psa_status_t cipher_encrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                              psa_algorithm_t alg) {
  return setup(operation, key, alg, CRYPTILE_ENCRYPT);
}

static WORK psa_status_t cipher_decrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                              psa_algorithm_t alg) {
  return setup(operation, key, alg, CRYPTILE_DECRYPT);
}

static WORK psa_status_t cipher_generate_iv(psa_cipher_operation_t *operation, uint8_t *iv,
                                            size_t iv_size, size_t *iv_length) {
  size_t length = iv_bytes(operation->alg);
  *iv_length = 0;
  if (operation->phase != PSA_PHASE_ACTIVE || operation->has_iv ||
      operation->direction == CRYPTILE_DECRYPT) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (iv_size < length) {
    return PSA_SETTLE(operation, PSA_ERROR_BUFFER_TOO_SMALL);
  }
  psa_status_t status = PSA_SETTLE(operation, psa_generate_random(iv, length));
  if (status == PSA_SUCCESS) {
    status = start(operation, iv);
  }
  *iv_length = status == PSA_SUCCESS ? length : 0;
  return status;
}

static WORK psa_status_t cipher_set_iv(psa_cipher_operation_t *operation, const uint8_t *iv,
                                       size_t iv_length) {
  if (operation->phase != PSA_PHASE_ACTIVE || operation->has_iv) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (!iv || iv_length != iv_bytes(operation->alg)) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  return start(operation, iv);
}

static psa_status_t block_update(psa_cipher_operation_t *operation, const uint8_t *input,
                                 size_t input_length, uint8_t *output, size_t output_size,
                                 size_t *output_length) {
  cryptile_status_t status = cryptile_cipher_update(&operation->ctx.block, input, input_length,
                                                    output, output_size, output_length);
  return status == CRYPTILE_ERR_LENGTH ? PSA_ERROR_BUFFER_TOO_SMALL : cry_psa_from_cryptile(status);
}

static psa_status_t stream_update(psa_cipher_operation_t *operation, const uint8_t *input,
                                  size_t input_length, uint8_t *output, size_t output_size,
                                  size_t *output_length) {
  if (output_size < input_length) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  const uint8_t *source = overlap_settle(input, output, input_length);
  if (!cry_chacha20_xor(&operation->ctx.stream, source, output, input_length)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  *output_length = input_length;
  return PSA_SUCCESS;
}

static psa_status_t xts_update(psa_cipher_operation_t *operation, const uint8_t *input,
                               size_t input_length, uint8_t *output, size_t output_size,
                               size_t *output_length) {
  xts_unit_t *unit = unit_of(operation);
  const size_t ready = cry_xts_unit_ready(unit, input_length);
  if (output_size < ready) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  if (!cry_xts_unit_update(unit, input, input_length, output)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  *output_length = ready;
  return PSA_SUCCESS;
}

static WORK psa_status_t cipher_update(psa_cipher_operation_t *operation, const uint8_t *input,
                                       size_t input_length, uint8_t *output, size_t output_size,
                                       size_t *output_length) {
  *output_length = 0;
  if (operation->phase != PSA_PHASE_ACTIVE || !operation->has_iv) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (psa_is_missing(input, input_length) || psa_is_missing(output, output_size)) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  switch (operation->alg) {
    case PSA_ALG_STREAM_CIPHER:
      return PSA_SETTLE(operation, stream_update(operation, input, input_length, output,
                                                 output_size, output_length));
    case PSA_ALG_XTS:
      return PSA_SETTLE(operation, xts_update(operation, input, input_length, output, output_size,
                                              output_length));
    default:
      return PSA_SETTLE(operation, block_update(operation, input, input_length, output, output_size,
                                                output_length));
  }
}

static psa_status_t block_finish(psa_cipher_operation_t *operation, uint8_t *output,
                                 size_t output_size, size_t *output_length) {
  bool whole = operation->alg != PSA_ALG_CBC_PKCS7;
  size_t held = cryptile_cipher_held(&operation->ctx.block);
  cryptile_status_t status =
      cryptile_cipher_final(&operation->ctx.block, output, output_size, output_length);
  // The one word of the library stands for two of the standard.
  bool room = output_size >= (operation->alg == PSA_ALG_CTR ? held : CRYPTILE_BLOCK_SIZE);
  if (status == CRYPTILE_ERR_LENGTH && !room && (!whole || operation->alg == PSA_ALG_CTR)) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  return cry_psa_from_cryptile(status);
}

static psa_status_t xts_finish(xts_unit_t *unit, uint8_t *output, size_t output_size,
                               size_t *output_length) {
  if (unit->held_bytes < CRYPTILE_XTS_MIN_BYTES) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (output_size < unit->held_bytes) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  cry_xts_unit_finish(unit, output);
  *output_length = unit->held_bytes;
  return PSA_SUCCESS;
}

static WORK psa_status_t cipher_finish(psa_cipher_operation_t *operation, uint8_t *output,
                                       size_t output_size, size_t *output_length) {
  psa_status_t status = PSA_SUCCESS;
  *output_length = 0;
  if (operation->phase != PSA_PHASE_ACTIVE || !operation->has_iv) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (psa_is_missing(output, output_size)) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  if (operation->alg == PSA_ALG_XTS) {
    status = xts_finish(unit_of(operation), output, output_size, output_length);
  } else if (operation->alg != PSA_ALG_STREAM_CIPHER) {
    status = block_finish(operation, output, output_size, output_length);
  }
  return status == PSA_SUCCESS ? psa_cipher_abort(operation) : PSA_SETTLE(operation, status);
}

psa_status_t psa_cipher_abort(psa_cipher_operation_t *operation) {
  wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

// The rest of a call in one: updates and finishes. On an error the output is zeroed.
static psa_status_t complete(psa_cipher_operation_t *operation, const uint8_t *input,
                             size_t input_length, uint8_t *output, size_t output_size,
                             size_t *output_length) {
  size_t first = 0, last = 0;
  psa_status_t status = cipher_update(operation, input, input_length, output, output_size, &first);
  if (status == PSA_SUCCESS) {
    status =
        cipher_finish(operation, first == 0 ? output : output + first, output_size - first, &last);
  }
  if (status == PSA_SUCCESS) {
    *output_length = first + last;
  } else if (output_size != 0) {
    memset(output, 0, output_size < input_length ? output_size : input_length);
  }
  return status;
}

// Whether an algorithm, but for padding, takes a text of that length.
static bool takes(psa_algorithm_t alg, size_t length) {
  switch (alg) {
    case PSA_ALG_CTR:
    case PSA_ALG_STREAM_CIPHER:
      return true;
    case PSA_ALG_XTS:
      return length >= CRYPTILE_XTS_MIN_BYTES && length <= CRYPTILE_XTS_MAX_BYTES;
    default:
      return length % CRYPTILE_BLOCK_SIZE == 0;
  }
}

// Refuses a message before anything is written: a length that is not taken, or no room for the
// result.
static psa_status_t check_encrypt(psa_algorithm_t alg, const uint8_t *input, size_t length,
                                  const uint8_t *output, size_t room) {
  size_t extra = iv_bytes(alg);
  if (psa_is_missing(input, length) || psa_is_missing(output, room)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (alg == PSA_ALG_CBC_PKCS7) {
    extra += CRYPTILE_BLOCK_SIZE - length % CRYPTILE_BLOCK_SIZE;
  } else if (!takes(alg, length)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return room >= extra && room - extra >= length ? PSA_SUCCESS : PSA_ERROR_BUFFER_TOO_SMALL;
}

// As above. With padding the text is up to a block shorter, which is known at the end only.
static psa_status_t check_decrypt(psa_algorithm_t alg, const uint8_t *input, size_t length,
                                  const uint8_t *output, size_t room) {
  size_t iv = iv_bytes(alg);
  size_t padding = alg == PSA_ALG_CBC_PKCS7 ? CRYPTILE_BLOCK_SIZE : 0;
  if (psa_is_missing(input, length) || psa_is_missing(output, room) || length < iv + padding ||
      !takes(alg, length - iv)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return room >= length - iv - padding ? PSA_SUCCESS : PSA_ERROR_BUFFER_TOO_SMALL;
}

// Takes any operation; however it ends, it is wiped.
static WORK psa_status_t cipher_encrypt(psa_cipher_operation_t *operation, psa_key_id_t key,
                                        psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *output, size_t output_size,
                                        size_t *output_length) {
  uint8_t iv[CRYPTILE_BLOCK_SIZE];  // written last: the input may lie where it goes
  size_t iv_length = 0;
  *output_length = 0;
  *operation = psa_cipher_operation_init();
  psa_status_t status = cipher_encrypt_setup(operation, key, alg);
  if (status == PSA_SUCCESS) {
    status = PSA_SETTLE(operation, check_encrypt(alg, input, input_length, output, output_size));
  }
  if (status == PSA_SUCCESS && iv_bytes(alg) != 0) {
    status = cipher_generate_iv(operation, iv, sizeof iv, &iv_length);
  }
  if (status == PSA_SUCCESS) {
    uint8_t *text = iv_length == 0 ? output : output + iv_length;
    status = complete(operation, input, input_length, text, output_size - iv_length, output_length);
  }
  if (status == PSA_SUCCESS && iv_length != 0) {
    memcpy(output, iv, iv_length);
    *output_length += iv_length;
  }
  return status;
}

// Takes any operation; however it ends, it is wiped.
static WORK psa_status_t cipher_decrypt(psa_cipher_operation_t *operation, psa_key_id_t key,
                                        psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *output, size_t output_size,
                                        size_t *output_length) {
  size_t iv_length = iv_bytes(alg);
  *output_length = 0;
  *operation = psa_cipher_operation_init();
  psa_status_t status = cipher_decrypt_setup(operation, key, alg);
  if (status == PSA_SUCCESS) {
    status = PSA_SETTLE(operation, check_decrypt(alg, input, input_length, output, output_size));
  }
  if (status == PSA_SUCCESS && iv_length != 0) {
    status = cipher_set_iv(operation, input, iv_length);
  }
  if (status == PSA_SUCCESS) {
    status = complete(operation, input + iv_length, input_length - iv_length, output, output_size,
                      output_length);
  }
  return status;
}

psa_status_t psa_cipher_encrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg) {
  return WIPED(cipher_encrypt_setup(operation, key, alg), STACK(208, 304));
}

psa_status_t psa_cipher_decrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg) {
  return WIPED(cipher_decrypt_setup(operation, key, alg), STACK(208, 304));
}

// What XTS takes beyond the other algorithms, whose own functions zeroize their stack: to prepare
// its keys, and to work on text.
enum { UnitKeyStack = STACK(448, 816), UnitTextStack = STACK(976, 1648) };

psa_status_t psa_cipher_generate_iv(psa_cipher_operation_t *operation, uint8_t *iv, size_t iv_size,
                                    size_t *iv_length) {
  const size_t more = operation->alg == PSA_ALG_XTS ? UnitKeyStack : 0;
  return WIPED(cipher_generate_iv(operation, iv, iv_size, iv_length), STACK(208, 304) + more);
}

psa_status_t psa_cipher_set_iv(psa_cipher_operation_t *operation, const uint8_t *iv,
                               size_t iv_length) {
  const size_t more = operation->alg == PSA_ALG_XTS ? UnitKeyStack : 0;
  return WIPED(cipher_set_iv(operation, iv, iv_length), STACK(176, 256) + more);
}

psa_status_t psa_cipher_update(psa_cipher_operation_t *operation, const uint8_t *input,
                               size_t input_length, uint8_t *output, size_t output_size,
                               size_t *output_length) {
  const size_t more = operation->alg == PSA_ALG_XTS ? UnitTextStack - STACK(320, 384) : 0;
  return WIPED(cipher_update(operation, input, input_length, output, output_size, output_length),
               STACK(496, 640) + more);
}

psa_status_t psa_cipher_finish(psa_cipher_operation_t *operation, uint8_t *output,
                               size_t output_size, size_t *output_length) {
  const size_t more = operation->alg == PSA_ALG_XTS ? UnitTextStack : 0;
  return WIPED(cipher_finish(operation, output, output_size, output_length),
               STACK(176, 256) + more);
}

// What a whole message takes beside the operation, which its work zeroizes.
static size_t stack_of(psa_algorithm_t alg) {
  switch (alg) {
    case PSA_ALG_XTS:
      return STACK(512, 672) + UnitTextStack;
    case PSA_ALG_STREAM_CIPHER:
      return STACK(512, 880);
    default:
      return STACK(288, 400);
  }
}

psa_status_t psa_cipher_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length) {
  psa_cipher_operation_t operation;
  return WIPED(
      cipher_encrypt(&operation, key, alg, input, input_length, output, output_size, output_length),
      stack_of(alg));
}

psa_status_t psa_cipher_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length) {
  psa_cipher_operation_t operation;
  return WIPED(
      cipher_decrypt(&operation, key, alg, input, input_length, output, output_size, output_length),
      stack_of(alg));
}
