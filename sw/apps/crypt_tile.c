// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Runs one algorithm of the tile over the host's input and writes what comes of it: the message,
// then the tag; or the digest. The whole message lies in memory, so that nothing of it is written
// before a tag was found right.
#include <string.h>

#include "cipher/pkcs7.h"
#include "cycles.h"
#include "gen/crypt_tile_params.h"
#include "record.h"
#include "tile_app.h"
#include "tile_message.h"

enum { Block = 16, Room = CryptTileMaxBytes + 4096 };

static uint8_t *const kInput = (uint8_t *)SOC_HEAP_BASE;
static uint8_t *const kOutput = (uint8_t *)SOC_HEAP_BASE + Room;
static uint8_t *const kTag = (uint8_t *)SOC_HEAP_BASE + 2 * Room;

static crypt_tile_params_t params;
static tile_scratch_t scratch;

static bool valid(const tile_alg_t *alg) {
  return alg != NULL && params.magic == CryptTileMagic && params.version == CryptTileVersion &&
         params.shift_in < 64 && params.shift_out < 64 && params.key_len <= sizeof(params.key) &&
         params.iv_len <= sizeof(params.iv) && params.aad_len <= sizeof(params.aad) &&
         params.tag_len <= CryptTileMaxOutput &&
         (params.tag_apart == 0 || params.tag_len <= sizeof(params.tag)) &&
         (params.pkcs7 == 0 || alg->family == TileEcb || alg->family == TileCbc);
}

// Takes the tag off the end of the input.
static bool split_tag(tile_message_t *message, uint8_t *in, size_t tag_len) {
  if (message->len < tag_len) {
    return false;
  }
  message->len -= tag_len;
  message->tag = in + message->len;
  return true;
}

static cryptile_status_t work(const tile_alg_t *alg, const tile_message_t *message) {
  tile_ring_t ring;
  size_t bytes = message->len + message->aad_len + message->key_len + message->tag_len;
  cryptile_status_t status = tile_app_open(&ring, 0);
  return status == CRYPTILE_OK
             ? cry_tile_run_message(&ring, alg, message, tile_app_limit(bytes), params.sleep != 0)
             : status;
}

int main(void) {
  uint32_t start = soc_cycles();
  if (tile_app_params(&params, sizeof(params)) != sizeof(params)) {
    return CryptTileExitBadBlob;
  }
  params.alg[sizeof(params.alg) - 1] = 0;
  const tile_alg_t *alg = cry_tile_alg(params.alg);
  if (!valid(alg)) {
    return CryptTileExitBadBlob;
  }
  bool decrypt = params.decrypt != 0;
  size_t tag_len = params.tag_len != 0 ? params.tag_len : alg->tag_bytes;
  uint8_t *in = kInput + params.shift_in;
  tile_message_t message = {.decrypt = decrypt,
                            .key = params.key,
                            .key_len = params.key_len,
                            .iv = params.iv,
                            .iv_len = params.iv_len,
                            .aad = params.aad,
                            .aad_len = params.aad_len,
                            .in = in,
                            .out = kOutput + params.shift_out,
                            .len = tile_app_read(in, CryptTileMaxBytes + CryptTileMaxTag + 1),
                            .tag = params.tag_apart != 0 ? params.tag : kTag,
                            .tag_len = tag_len,
                            .scratch = &scratch};
  if (decrypt && params.tag_apart == 0 && tag_len != 0 && !split_tag(&message, in, tag_len)) {
    return -CRYPTILE_ERR_AUTH;
  }
  if (message.len > CryptTileMaxBytes) {
    return CryptTileExitTooLong;
  }
  if (params.pkcs7 != 0 && !decrypt) {
    size_t used = message.len % Block;
    cry_pkcs7_pad(in + message.len - used, used);
    message.len += Block - used;
  }
  if (params.pkcs7 != 0 && decrypt && message.len == 0) {
    return -CRYPTILE_ERR_LENGTH;
  }
  cryptile_status_t status = work(alg, &message);
  size_t pad = 0;
  if (status == CRYPTILE_OK && params.pkcs7 != 0 && decrypt) {
    pad = cry_pkcs7_check(message.out + message.len - Block);
    status = pad != 0 ? CRYPTILE_OK : CRYPTILE_ERR_PADDING;
  }
  if (status != CRYPTILE_OK) {
    return -status;
  }
  if (cry_tile_makes_output(alg)) {
    tile_app_write(message.out, message.len - pad);
  }
  if (!decrypt && tag_len != 0) {
    tile_app_write(kTag, tag_len);
  }
  record_begin("crypt_cycles");
  record_end(soc_cycles() - start);
  return 0;
}
