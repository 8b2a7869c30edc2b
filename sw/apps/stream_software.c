// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "gen/crypt_params.h"
#include "host.h"
#include "stream.h"

cryptile_status_t stream_software(const cryptile_cipher_impl_t *impl,
                                  const cryptile_cipher_params_t *params, size_t chunk) {
  // Input lands one block in, so that output in place has room before it for a held block.
  static uint32_t buffer[(CRYPTILE_BLOCK_SIZE + CryptMaxChunk) / 4];
  static cryptile_cipher_ctx_t ctx;
  uint8_t *in = (uint8_t *)buffer + CRYPTILE_BLOCK_SIZE;
  size_t got;
  size_t out_len;
  cryptile_status_t status = cryptile_cipher_init(&ctx, impl, params);
  if (status != CRYPTILE_OK) {
    return status;
  }
  do {
    got = cry_host_read(in, chunk);
    uint8_t *out = in - cryptile_cipher_held(&ctx);
    status = cryptile_cipher_update(&ctx, in, got, out, sizeof(buffer), &out_len);
    if (status != CRYPTILE_OK) {
      return status;
    }
    cry_host_write(out, out_len);
  } while (got == chunk);
  status = cryptile_cipher_final(&ctx, in, CRYPTILE_BLOCK_SIZE, &out_len);
  if (status == CRYPTILE_OK) {
    cry_host_write(in, out_len);
  }
  return status;
}
