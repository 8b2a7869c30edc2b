// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "area.h"

#include <openssl/crypto.h>
#include <string.h>

#include "memory.h"

// Bytes that the tile counts each piece of a process' list as, at least (PIECE); the shortest
// message for which a list is better than a copy.
enum { Piece = 64, LeastListed = 256 };

// No sum of these overflows.
bool area_fits(const work_t *work) {
  return work->key_len <= TileMaxKey && work->iv_len <= TileMaxIv && work->aad_len <= DeviceAad &&
         work->tag_len <= TileMaxTag && work->head_len <= DeviceMessage &&
         work->fill <= DeviceMessage && work->len <= DeviceMessage &&
         work->head_len + work->len + work->fill <= DeviceMessage;
}

static void copy(uint8_t *to, const uint8_t *from, size_t len) {
  if (len != 0) {
    memcpy(to, from, len);
  }
}

// A message that begins with other bytes is a list; one that is longer by fill is copied, as it is
// short. Where input and output overlap otherwise than in place all input is read first.
static area_way_t choose(const cry_ring_t *ring, const work_t *work) {
  uintptr_t in = (uintptr_t)work->in, out = (uintptr_t)work->out;
  bool overlap = work->out != NULL && in != out && in < out + work->len && out < in + work->len;
  bool listed = work->head_len != 0;
  bool fitting =
      work->fill == 0 &&
      (!listed || (work->len >= LeastListed && work->len + 2 * Piece <= ring->max_bytes));
  area_way_t way = {0};
  if (fitting && !overlap) {
    way.in = memory_holds(work->in, work->len);
    way.out = memory_holds(work->out, work->len) && work->head_len <= AreaMostDropped;
    way.in_list = way.in && listed;
    way.out_list = way.out && listed;
  }
  return way;
}

static uint64_t list(const cry_ring_t *ring, tile_piece_t pieces[2], const uint8_t *head,
                     size_t head_len, const uint8_t *rest, size_t rest_len) {
  pieces[0] = (tile_piece_t){.address = cry_ring_address(ring, head), .len = (uint32_t)head_len};
  pieces[1] = (tile_piece_t){
      .address = cry_ring_address(ring, rest), .len = (uint32_t)rest_len, .flags = TilePieceLast};
  return cry_ring_address(ring, pieces);
}

cryptile_status_t area_describe(area_t *area, const cry_ring_t *ring, const work_t *work,
                                area_way_t *way, tile_job_t *job) {
  *way = choose(ring, work);
  size_t head = work->head_len, len = head + work->len + work->fill;
  tile_message_t message = {.decrypt = work->decrypt,
                            .key = work->key != NULL ? area->key : NULL,
                            .key_len = work->key_len,
                            .iv = area->iv,
                            .iv_len = work->iv_len,
                            .aad = area->aad,
                            .aad_len = work->aad_len,
                            .in = way->in && !way->in_list ? work->in : area->message,
                            .out = way->out && !way->out_list ? work->out : area->message,
                            .len = len,
                            .total = work->total,
                            .tag = area->tag,
                            .tag_len = work->tag_len};
  copy(area->key, work->key, work->key_len);
  copy(area->iv, work->iv, work->iv_len);
  copy(area->aad, work->aad, work->aad_len);
  copy(area->message, work->head, head);
  if (!way->in) {
    copy(area->message + head, work->in, work->len);
  }
  if (work->fill != 0) {
    memset(area->message + head + work->len, 0, work->fill);
  }
  if (work->decrypt) {
    copy(area->tag, work->tag, work->tag != NULL ? work->tag_len : 0);
  }
  cryptile_status_t status = cry_ring_prepare(ring, work->alg, &message, job);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (way->in_list) {
    job->src_list = true;
    job->src = list(ring, area->in_list, area->message, head, work->in, work->len);
  }
  if (way->out_list) {
    job->dst_list = true;
    job->dst = list(ring, area->out_list, area->dropped, head, work->out, work->len);
  }
  job->ctx_load = work->load;
  job->ctx_save = job->more = work->save != NULL;
  if (work->load || work->save != NULL) {
    job->context = cry_ring_address(ring, area->context);
  }
  if (work->load) {
    copy(area->context, work->context, TileContextBytes);
  }
  if (job->more) {
    job->tag = 0;  // its length stays: CCM begins with it
  }
  return CRYPTILE_OK;
}

size_t area_take(const area_t *area, const work_t *work, area_way_t way) {
  bool back = work->out != NULL && !way.out;
  copy(work->out, area->message + work->head_len, back ? work->len : 0);
  copy(work->save, area->context, work->save != NULL ? TileContextBytes : 0);
  if (work->tag != NULL && !work->decrypt) {
    copy(work->tag, area->tag, work->tag_len);
  }
  return (way.in ? 0 : work->len) + (back ? work->len : 0);
}

void area_wipe(area_t *area, const work_t *work) {
  const bool all = work == NULL;
  OPENSSL_cleanse(area->key, all ? sizeof(area->key) : work->key_len);
  if (all || work->head_len != 0) {
    OPENSSL_cleanse(area->dropped, sizeof(area->dropped));
  }
  if (all || work->load || work->save != NULL) {
    OPENSSL_cleanse(area->context, sizeof(area->context));
  }
}
