// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Encrypts or decrypts the host's input to the host's output, of any length, in chunks. What to do
// is in the parameter blob, see gen/crypt_params.h. On a failure what was written is to be thrown
// away.

#include <string.h>

#include "console.h"
#include "cryptile.h"
#include "cycles.h"
#include "exit.h"
#include "gen/crypt_params.h"
#include "host.h"
#include "stream.h"

static bool valid(const crypt_params_t *params, size_t len) {
  return len == sizeof(*params) && params->magic == CryptMagic && params->version == CryptVersion &&
         params->impl <= CryptImplBitsliced && params->mode <= CRYPTILE_CTR &&
         params->direction <= CRYPTILE_DECRYPT && params->padding <= CRYPTILE_PAD_PKCS7 &&
         (params->mode != CRYPTILE_CTR || params->padding == CRYPTILE_PAD_NONE) &&
         (params->key_len == 16 || params->key_len == 24 || params->key_len == 32) &&
         params->chunk >= CRYPTILE_BLOCK_SIZE && params->chunk <= CryptMaxChunk &&
         params->chunk % CRYPTILE_BLOCK_SIZE == 0;
}

static cryptile_status_t run(const crypt_params_t *params) {
  cryptile_cipher_params_t job = {
      .mode = (cryptile_cipher_mode_t)params->mode,
      .direction = (cryptile_direction_t)params->direction,
      .padding = (cryptile_cipher_padding_t)params->padding,
      .key = params->key,
      .key_len = params->key_len,
      .iv = params->iv,
  };
  switch (params->impl) {
    case CryptImplCompact:
      return stream_software(&cryptile_aes_compact, &job, params->chunk);
    case CryptImplTable:
      return stream_software(&cryptile_aes_table, &job, params->chunk);
    case CryptImplBitsliced:
      return stream_software(&cryptile_aes_bitsliced, &job, params->chunk);
    case CryptImplEnginePoll:
      return stream_engine(cry_hwpe_wait_poll, &job, params->chunk);
    default:
      return stream_engine(cry_hwpe_wait_sleep, &job, params->chunk);
  }
}

int main(void) {
  static crypt_params_t params;
  if (!valid(&params, cry_host_params(&params, sizeof(params)))) {
    return CryptExitBadBlob;
  }
  uint32_t start = soc_cycles();
  cryptile_status_t status = run(&params);
  uint32_t cycles = soc_cycles() - start;
  memset(&params, 0, sizeof(params));
  cry_console_text("R crypt_cycles ");
  cry_console_decimal(cycles);
  cry_console_text("\n");
  return -status;
}
