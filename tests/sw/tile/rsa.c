// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One of the driver's operations of RSA, on what a test gives; gives back its status, what it has
// written, and what is left of it in the driver's room. The result stands behind a pattern, or in
// the place of the number or of the key.
#include <string.h>

#include "tile_app.h"
#include "tile_rsa.h"

enum { Limit = 10000000, Pattern = 0xa5, RingLog2 = 2, Room = TileRsaMaxBytes + 1 };
enum { Apart, OverNumber, OverKey };  // where the result goes

static struct {
  uint64_t exponent;  // 0: the private operation
  uint32_t size;
  uint32_t where;
  uint8_t key[TILE_RSA_KEY_BYTES(TileRsaMaxBytes)];
  uint8_t number[TileRsaMaxBytes];
} given;

static tile_ring_t ring;
static tile_rsa_t rsa;

int main(void) {
  (void)tile_app_params(&given, sizeof(given));
  if (tile_app_open_ring(&ring, 0, RingLog2) != CRYPTILE_OK) {
    return 1;
  }
  cry_tile_rsa_use(&rsa, &ring, Limit);
  static uint8_t apart[Room];
  memset(apart, Pattern, sizeof(apart));
  uint8_t *out = given.where == OverNumber ? given.number
                 : given.where == OverKey  ? given.key + 1
                                           : apart;
  const int32_t status =
      given.exponent != 0
          ? cry_tile_rsa_public(&rsa, given.key, given.size, given.exponent, given.number, out)
          : cry_tile_rsa_private(&rsa, given.key, given.size, given.number, out);
  rsa.ring = NULL;
  rsa.limit = 0;
  cry_host_write(&status, sizeof(status));
  cry_host_write(out, TileRsaMaxBytes);
  cry_host_write(&rsa, sizeof(rsa));
  return 0;
}
