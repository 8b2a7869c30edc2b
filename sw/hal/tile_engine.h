// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The tile behind cryptile.h: AES in ECB, CBC and CTR.
#ifndef CRYPTILE_HAL_TILE_ENGINE_H
#define CRYPTILE_HAL_TILE_ENGINE_H

#include "cryptile/cipher.h"
#include "tile.h"

// Jobs of these implementations go through this queue, which must be open and empty. They take up
// to 768 bytes of stack more than the functions of cipher.h say.
void cry_tile_engine_use(tile_ring_t *ring);

// Waiting by reading memory. Constant-time: the engine's latency depends on lengths alone.
extern const cryptile_cipher_impl_t cryptile_aes_tile_poll;

// The core asleep (wfi) until the queue's interrupt. Constant-time as above.
extern const cryptile_cipher_impl_t cryptile_aes_tile_sleep;

#endif  // CRYPTILE_HAL_TILE_ENGINE_H
