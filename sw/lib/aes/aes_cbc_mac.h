// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The chain of CBC-MAC, which CMAC and CCM are made of: X = E(X) + block for each block. It stops
// before the encryption of the last block, so that what ends a message can still be added.
#ifndef CRYPTILE_LIB_AES_CBC_MAC_H
#define CRYPTILE_LIB_AES_CBC_MAC_H

#include <stddef.h>
#include <stdint.h>

#include "aes/aes.h"

enum { AesBlock = 16 };

typedef struct {
  uint32_t chain[AesBlock / 4];
  uint8_t used;  // bytes of the block that were added; AesBlock: it is due to be encrypted
} aes_cbc_mac_t;

// Goes on with the message; any lengths.
void cry_aes_cbc_mac_add(aes_cbc_mac_t *mac, const aes_key_t *key, const uint8_t *in, size_t len);

#endif  // CRYPTILE_LIB_AES_CBC_MAC_H
