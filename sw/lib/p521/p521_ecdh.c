// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/p521.h"
#include "p521/p521_curve.h"
// The same for all curves:
#include "nistp/ecdh_impl.h"

cryptile_status_t cryptile_p521_public_key(uint8_t public_key[133], const uint8_t private_key[66]) {
  return WIPED(public_key_of(public_key, private_key), STACK(5360, 5424));
}

cryptile_status_t cryptile_p521_ecdh(uint8_t secret[66], const uint8_t private_key[66],
                                     const uint8_t peer_key[133]) {
  return WIPED(ecdh(secret, private_key, peer_key), STACK(5392, 5456));
}
