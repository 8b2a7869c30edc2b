// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "equal.h"
#include "psa/psa_key.h"
#include "wipe.h"
#include "wipe/wiped.h"

const cryptile_hash_alg_t *cry_psa_hash_alg(psa_algorithm_t alg) {
  switch (0x02000000 | (alg & 0xff)) {
    case PSA_ALG_SHA_224:
      return &cryptile_sha224;
    case PSA_ALG_SHA_256:
      return &cryptile_sha256;
    case PSA_ALG_SHA_384:
      return &cryptile_sha384;
    case PSA_ALG_SHA_512:
      return &cryptile_sha512;
    case PSA_ALG_SHA_512_224:
      return &cryptile_sha512_224;
    case PSA_ALG_SHA_512_256:
      return &cryptile_sha512_256;
    case PSA_ALG_SHA3_224:
      return &cryptile_sha3_224;
    case PSA_ALG_SHA3_256:
      return &cryptile_sha3_256;
    case PSA_ALG_SHA3_384:
      return &cryptile_sha3_384;
    case PSA_ALG_SHA3_512:
      return &cryptile_sha3_512;
    default:
      return NULL;
  }
}

// Ascon-Hash256 stands alone: HMAC, and what builds on it, is not defined with it.
static const cryptile_hash_alg_t *hash_alg(psa_algorithm_t alg) {
  if (alg == PSA_ALG_ASCON_HASH256) {
    return &cryptile_ascon_hash256;
  }
  return (alg & 0xffffff00) == 0x02000000 ? cry_psa_hash_alg(alg) : NULL;
}

psa_status_t psa_hash_setup(psa_hash_operation_t *operation, psa_algorithm_t alg) {
  const cryptile_hash_alg_t *found = hash_alg(alg);
  if (operation->phase != PSA_PHASE_INACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  if (!found) {
    return alg >> 24 == 2 ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
  }
  operation->phase = PSA_PHASE_ACTIVE;
  return cry_psa_from_cryptile(cryptile_hash_init(&operation->ctx, found));
}

static WORK psa_status_t hash_update(psa_hash_operation_t *operation, const uint8_t *input,
                                     size_t input_length) {
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  return PSA_SETTLE(
      operation, cry_psa_from_cryptile(cryptile_hash_update(&operation->ctx, input, input_length)));
}

static WORK psa_status_t hash_finish(psa_hash_operation_t *operation, uint8_t *hash,
                                     size_t hash_size, size_t *hash_length) {
  *hash_length = 0;
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  size_t length = operation->ctx.alg->digest_size;
  if (hash_size < length) {
    return PSA_SETTLE(operation, PSA_ERROR_BUFFER_TOO_SMALL);
  }
  psa_status_t status = cry_psa_from_cryptile(cryptile_hash_final(&operation->ctx, hash));
  if (status != PSA_SUCCESS) {
    return PSA_SETTLE(operation, status);
  }
  *hash_length = length;
  return psa_hash_abort(operation);
}

static WORK psa_status_t hash_verify(psa_hash_operation_t *operation, const uint8_t *hash,
                                     size_t hash_length) {
  uint8_t found[CRYPTILE_HASH_MAX_DIGEST];
  size_t length;
  if (psa_is_missing(hash, hash_length) && operation->phase == PSA_PHASE_ACTIVE) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  psa_status_t status = hash_finish(operation, found, sizeof found, &length);
  if (status == PSA_SUCCESS && (length != hash_length || !equal(found, hash, length))) {
    operation->phase = PSA_PHASE_FAILED;
    status = PSA_ERROR_INVALID_SIGNATURE;
  }
  return status;
}

static WORK psa_status_t hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                      size_t input_length, uint8_t *hash, size_t hash_size,
                                      size_t *hash_length) {
  psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
  *hash_length = 0;
  psa_status_t status = psa_hash_setup(&operation, alg);
  if (status == PSA_SUCCESS) {
    status = hash_update(&operation, input, input_length);
  }
  return status == PSA_SUCCESS ? hash_finish(&operation, hash, hash_size, hash_length) : status;
}

static WORK psa_status_t hash_compare(psa_algorithm_t alg, const uint8_t *input,
                                      size_t input_length, const uint8_t *hash,
                                      size_t hash_length) {
  psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
  psa_status_t status = psa_hash_setup(&operation, alg);
  if (status == PSA_SUCCESS) {
    status = hash_update(&operation, input, input_length);
  }
  return status == PSA_SUCCESS ? hash_verify(&operation, hash, hash_length) : status;
}

psa_status_t psa_hash_abort(psa_hash_operation_t *operation) {
  wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

static WORK psa_status_t hash_clone(const psa_hash_operation_t *source,
                                    psa_hash_operation_t *target) {
  if (source->phase != PSA_PHASE_ACTIVE || target->phase != PSA_PHASE_INACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  *target = *source;
  return PSA_SUCCESS;
}

psa_status_t psa_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              uint8_t *hash, size_t hash_size, size_t *hash_length) {
  return WIPED(hash_compute(alg, input, input_length, hash, hash_size, hash_length),
               STACK(384, 464));
}

psa_status_t psa_hash_compare(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              const uint8_t *hash, size_t hash_length) {
  return WIPED(hash_compare(alg, input, input_length, hash, hash_length), STACK(464, 576));
}

psa_status_t psa_hash_update(psa_hash_operation_t *operation, const uint8_t *input,
                             size_t input_length) {
  return WIPED(hash_update(operation, input, input_length), STACK(96, 160));
}

psa_status_t psa_hash_finish(psa_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                             size_t *hash_length) {
  return WIPED(hash_finish(operation, hash, hash_size, hash_length), STACK(112, 176));
}

psa_status_t psa_hash_verify(psa_hash_operation_t *operation, const uint8_t *hash,
                             size_t hash_length) {
  return WIPED(hash_verify(operation, hash, hash_length), STACK(224, 304));
}

psa_status_t psa_hash_clone(const psa_hash_operation_t *source, psa_hash_operation_t *target) {
  return WIPED(hash_clone(source, target), STACK(64, 96));
}
