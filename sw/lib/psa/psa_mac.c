// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "psa/psa_key.h"
#include "wipe.h"
#include "wipe/wiped.h"

// Bytes of the whole code of an algorithm, whatever it is cut to; 0 if there is no such MAC.
static size_t whole_length(psa_algorithm_t alg) {
  if (psa_without_length(alg) == PSA_ALG_CMAC) {
    return CRYPTILE_CMAC_MAX_MAC;
  }
  const bool is_hmac = (psa_without_length(alg) & 0xffffff00) == (PSA_ALG_HMAC(0) & 0xffffff00);
  const cryptile_hash_alg_t *hash = is_hmac ? cry_psa_hash_alg(alg) : NULL;
  return hash ? hash->digest_size : 0;
}

static cryptile_status_t init(psa_mac_operation_t *operation, const psa_slot_t *slot,
                              psa_algorithm_t alg, bool is_cmac) {
  return is_cmac ? cryptile_cmac_init(&operation->ctx.cmac, slot->data, slot->length)
                 : cryptile_hmac_init(&operation->ctx.hmac, cry_psa_hash_alg(alg), slot->data,
                                      slot->length);
}

static cryptile_status_t update(psa_mac_operation_t *operation, const uint8_t *input,
                                size_t input_length) {
  return operation->is_cmac ? cryptile_cmac_update(&operation->ctx.cmac, input, input_length)
                            : cryptile_hmac_update(&operation->ctx.hmac, input, input_length);
}

static cryptile_status_t final(psa_mac_operation_t *operation, uint8_t *mac) {
  return operation->is_cmac ? cryptile_cmac_final(&operation->ctx.cmac, mac, operation->length)
                            : cryptile_hmac_final(&operation->ctx.hmac, mac, operation->length);
}

static cryptile_status_t verify(psa_mac_operation_t *operation, const uint8_t *mac) {
  return operation->is_cmac ? cryptile_cmac_verify(&operation->ctx.cmac, mac, operation->length)
                            : cryptile_hmac_verify(&operation->ctx.hmac, mac, operation->length);
}

static psa_status_t setup(psa_mac_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg,
                          bool verifies) {
  const psa_slot_t *slot;
  psa_key_usage_t usage = verifies ? PSA_KEY_USAGE_VERIFY_MESSAGE : PSA_KEY_USAGE_SIGN_MESSAGE;
  if (operation->phase != PSA_PHASE_INACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  psa_status_t status = cry_psa_key_get(key, usage, alg, &slot);
  if (status != PSA_SUCCESS) {
    return status;
  }
  const size_t whole = whole_length(alg);
  if (whole == 0) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  const size_t length = psa_tag_length(alg) ? psa_tag_length(alg) : whole;
  const bool is_cmac = psa_without_length(alg) == PSA_ALG_CMAC;
  if (slot->attributes.type != (is_cmac ? PSA_KEY_TYPE_AES : PSA_KEY_TYPE_HMAC) || length > whole ||
      length < 4) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  status = cry_psa_from_cryptile(init(operation, slot, alg, is_cmac));
  if (status == PSA_SUCCESS) {
    operation->phase = PSA_PHASE_ACTIVE;
    operation->length = (uint8_t)length;
    operation->is_cmac = is_cmac;
    operation->verifies = verifies;
  }
  return status;
}

static WORK psa_status_t mac_sign_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                        psa_algorithm_t alg) {
  return setup(operation, key, alg, false);
}

static WORK psa_status_t mac_verify_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                          psa_algorithm_t alg) {
  return setup(operation, key, alg, true);
}

static WORK psa_status_t mac_update(psa_mac_operation_t *operation, const uint8_t *input,
                                    size_t input_length) {
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  return PSA_SETTLE(operation, cry_psa_from_cryptile(update(operation, input, input_length)));
}

static WORK psa_status_t mac_sign_finish(psa_mac_operation_t *operation, uint8_t *mac,
                                         size_t mac_size, size_t *mac_length) {
  *mac_length = 0;
  if (operation->phase != PSA_PHASE_ACTIVE || operation->verifies) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  size_t length = operation->length;
  if (mac_size < length) {
    return PSA_SETTLE(operation, PSA_ERROR_BUFFER_TOO_SMALL);
  }
  psa_status_t status = cry_psa_from_cryptile(final(operation, mac));
  if (status != PSA_SUCCESS) {
    return PSA_SETTLE(operation, status);
  }
  *mac_length = length;
  return psa_mac_abort(operation);
}

static WORK psa_status_t mac_verify_finish(psa_mac_operation_t *operation, const uint8_t *mac,
                                           size_t mac_length) {
  if (operation->phase != PSA_PHASE_ACTIVE || !operation->verifies) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (mac_length != operation->length) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_SIGNATURE);
  }
  psa_status_t status = cry_psa_from_cryptile(verify(operation, mac));
  return status == PSA_SUCCESS ? psa_mac_abort(operation) : PSA_SETTLE(operation, status);
}

psa_status_t psa_mac_abort(psa_mac_operation_t *operation) {
  wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

static WORK psa_status_t mac_compute(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                     size_t input_length, uint8_t *mac, size_t mac_size,
                                     size_t *mac_length) {
  psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
  *mac_length = 0;
  psa_status_t status = mac_sign_setup(&operation, key, alg);
  if (status == PSA_SUCCESS) {
    status = mac_update(&operation, input, input_length);
  }
  return status == PSA_SUCCESS ? mac_sign_finish(&operation, mac, mac_size, mac_length) : status;
}

static WORK psa_status_t mac_verify(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *mac, size_t mac_length) {
  psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
  psa_status_t status = mac_verify_setup(&operation, key, alg);
  if (status == PSA_SUCCESS) {
    status = mac_update(&operation, input, input_length);
  }
  return status == PSA_SUCCESS ? mac_verify_finish(&operation, mac, mac_length) : status;
}

psa_status_t psa_mac_sign_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                psa_algorithm_t alg) {
  return WIPED(mac_sign_setup(operation, key, alg), STACK(160, 240));
}

psa_status_t psa_mac_verify_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                  psa_algorithm_t alg) {
  return WIPED(mac_verify_setup(operation, key, alg), STACK(160, 240));
}

psa_status_t psa_mac_update(psa_mac_operation_t *operation, const uint8_t *input,
                            size_t input_length) {
  return WIPED(mac_update(operation, input, input_length), STACK(112, 176));
}

psa_status_t psa_mac_sign_finish(psa_mac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length) {
  return WIPED(mac_sign_finish(operation, mac, mac_size, mac_length), STACK(128, 192));
}

psa_status_t psa_mac_verify_finish(psa_mac_operation_t *operation, const uint8_t *mac,
                                   size_t mac_length) {
  return WIPED(mac_verify_finish(operation, mac, mac_length), STACK(128, 192));
}

psa_status_t psa_mac_compute(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                             size_t input_length, uint8_t *mac, size_t mac_size,
                             size_t *mac_length) {
  return WIPED(mac_compute(key, alg, input, input_length, mac, mac_size, mac_length),
               STACK(768, 1360));
}

psa_status_t psa_mac_verify(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                            size_t input_length, const uint8_t *mac, size_t mac_length) {
  return WIPED(mac_verify(key, alg, input, input_length, mac, mac_length), STACK(768, 1360));
}
