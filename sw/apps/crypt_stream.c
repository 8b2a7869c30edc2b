// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Encrypts or decrypts the host's input on the stream SoC's engine, and writes the result: with a
// tag at its end, or without if the tag was right. The whole message lies in memory, so that
// nothing of it is written before the tag has been checked.
#include <string.h>

#include "axis_engine.h"
#include "cycles.h"
#include "gen/crypt_stream_params.h"
#include "host.h"
#include "record.h"

enum { TagBytes = 16, Room = CryptStreamMaxBytes + 128 };

static uint8_t *const kInput = (uint8_t *)STREAM_MEM_BASE;
static uint8_t *const kOutput = (uint8_t *)(STREAM_MEM_BASE + Room);
static uint8_t *const kAad = (uint8_t *)(STREAM_MEM_BASE + 2 * Room);

int main(void) {
  uint32_t start = soc_cycles();
  static crypt_stream_params_t params;
  if (cry_host_params(&params, sizeof(params)) != sizeof(params) ||
      params.magic != CryptStreamMagic || params.version != CryptStreamVersion ||
      params.shift_in > 63 || params.shift_out > 63 || params.aad_len > CryptStreamMaxAad ||
      params.key_bytes > sizeof(params.key) ||
      (params.tag_bytes != 0 && params.tag_bytes != TagBytes)) {
    return CryptStreamExitBadBlob;
  }
  uint8_t *in = kInput + params.shift_in;
  uint8_t *out = kOutput + params.shift_out;
  size_t len = cry_host_read(in, CryptStreamMaxBytes + TagBytes + 1);
  size_t tag = params.tag_bytes;
  if (params.decrypt != 0 && len < tag) {
    return -CRYPTILE_ERR_AUTH;
  }
  len -= params.decrypt != 0 ? tag : 0;
  if (len > CryptStreamMaxBytes) {
    return CryptStreamExitTooLong;
  }
  memcpy(kAad, params.aad, params.aad_len);
  axis_job_t job = {.mode = params.mode,
                    .decrypt = params.decrypt != 0,
                    .key = params.key,
                    .key_bytes = params.key_bytes,
                    .aad = kAad,
                    .aad_len = params.aad_len,
                    .src = in,
                    .dst = out,
                    .len = len};
  memcpy(job.iv, params.iv, sizeof(params.iv));
  if (tag != 0) {
    job.tag = (params.decrypt != 0 ? in : out) + len;
  }
  const uint32_t kLimit = 100000 + 64 * len;
  cryptile_status_t status = cry_axis_engine_start(&job);
  if (status == CRYPTILE_OK) {
    status = params.sleep != 0 ? cry_axis_engine_sleep(kLimit) : cry_axis_engine_wait(kLimit);
  }
  if (status != CRYPTILE_OK) {
    memset(out, 0, len);
    return -status;
  }
  cry_host_write(out, len + (params.decrypt != 0 ? 0 : tag));
  record_begin("crypt_cycles");
  record_end(soc_cycles() - start);
  return 0;
}
