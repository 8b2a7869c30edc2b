// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/p384.h"
#include "p384/p384_curve.h"
// The same for all curves:
#include "nistp/ecdh_impl.h"

cryptile_status_t cryptile_p384_public_key(uint8_t public_key[97], const uint8_t private_key[48]) {
  return WIPED(public_key_of(public_key, private_key), STACK(3632, 3696));
}

cryptile_status_t cryptile_p384_ecdh(uint8_t secret[48], const uint8_t private_key[48],
                                     const uint8_t peer_key[97]) {
  return WIPED(ecdh(secret, private_key, peer_key), STACK(3664, 3728));
}
