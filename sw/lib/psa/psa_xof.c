// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "psa/psa_key.h"
#include "wipe.h"
#include "wipe/wiped.h"

static bool is_ascon(psa_algorithm_t alg) {
  return alg == PSA_ALG_ASCON_XOF128 || alg == PSA_ALG_ASCON_CXOF128;
}

psa_status_t psa_xof_setup(psa_xof_operation_t *operation, psa_algorithm_t alg) {
  cryptile_status_t status;
  if (operation->phase != PSA_PHASE_INACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  switch (alg) {
    case PSA_ALG_SHAKE128:
      status = cryptile_shake_init(&operation->ctx.shake, CRYPTILE_XOF_128);
      break;
    case PSA_ALG_SHAKE256:
      status = cryptile_shake_init(&operation->ctx.shake, CRYPTILE_XOF_256);
      break;
    case PSA_ALG_ASCON_XOF128:
      status = cryptile_ascon_xof128_init(&operation->ctx.ascon);
      break;
    case PSA_ALG_ASCON_CXOF128:
      status = CRYPTILE_OK;  // begins with the context
      break;
    default:
      return alg >> 24 == 0x0d ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
  }
  operation->alg = alg;
  operation->phase = PSA_PHASE_ACTIVE;
  operation->lacks_context = alg == PSA_ALG_ASCON_CXOF128;
  return cry_psa_from_cryptile(status);
}

static WORK psa_status_t xof_set_context(psa_xof_operation_t *operation, const uint8_t *context,
                                         size_t context_length) {
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  if (operation->alg != PSA_ALG_ASCON_CXOF128) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  if (!operation->lacks_context) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  operation->lacks_context = false;
  return PSA_SETTLE(operation, cry_psa_from_cryptile(cryptile_ascon_cxof128_init(
                                   &operation->ctx.ascon, context, context_length)));
}

static WORK psa_status_t xof_update(psa_xof_operation_t *operation, const uint8_t *input,
                                    size_t input_length) {
  if (operation->phase != PSA_PHASE_ACTIVE || operation->lacks_context) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  cryptile_status_t status =
      is_ascon(operation->alg)
          ? cryptile_ascon_xof_absorb(&operation->ctx.ascon, input, input_length)
          : cryptile_xof_absorb(&operation->ctx.shake, input, input_length);
  return PSA_SETTLE(operation, cry_psa_from_cryptile(status));
}

static WORK psa_status_t xof_output(psa_xof_operation_t *operation, uint8_t *output,
                                    size_t output_length) {
  if (operation->phase != PSA_PHASE_ACTIVE || operation->lacks_context) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  cryptile_status_t status =
      is_ascon(operation->alg)
          ? cryptile_ascon_xof_squeeze(&operation->ctx.ascon, output, output_length)
          : cryptile_xof_squeeze(&operation->ctx.shake, output, output_length);
  return PSA_SETTLE(operation, cry_psa_from_cryptile(status));
}

psa_status_t psa_xof_abort(psa_xof_operation_t *operation) {
  wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

psa_status_t psa_xof_set_context(psa_xof_operation_t *operation, const uint8_t *context,
                                 size_t context_length) {
  return WIPED(xof_set_context(operation, context, context_length), STACK(96, 160));
}

psa_status_t psa_xof_update(psa_xof_operation_t *operation, const uint8_t *input,
                            size_t input_length) {
  return WIPED(xof_update(operation, input, input_length), STACK(96, 160));
}

psa_status_t psa_xof_output(psa_xof_operation_t *operation, uint8_t *output, size_t output_length) {
  return WIPED(xof_output(operation, output, output_length), STACK(96, 160));
}
