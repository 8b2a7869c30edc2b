// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/p256.h"
#include "p256/p256_curve.h"
// The same for all curves:
#include "nistp/ecdh_impl.h"

cryptile_status_t cryptile_p256_public_key(uint8_t public_key[65], const uint8_t private_key[32]) {
  return WIPED(public_key_of(public_key, private_key), STACK(2592, 2800));
}

cryptile_status_t cryptile_p256_ecdh(uint8_t secret[32], const uint8_t private_key[32],
                                     const uint8_t peer_key[65]) {
  return WIPED(ecdh(secret, private_key, peer_key), STACK(2592, 2800));
}
