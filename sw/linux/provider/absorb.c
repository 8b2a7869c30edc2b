// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "absorb.h"

// Wipes what there is of a message.
static void forget(absorb_t *absorb) {
  OPENSSL_cleanse(absorb->state, sizeof(absorb->state));
  OPENSSL_cleanse(absorb->waiting, absorb->fill);
  absorb->started = absorb->lost = false;
  absorb->fill = 0;
}

bool absorb_begin(absorb_t *absorb) {
  forget(absorb);
  absorb->in_software = absorb->tile == NULL;
  absorb->lost = absorb->in_software && !absorb->software->begin(absorb);
  return !absorb->lost;
}

bool absorb_to_software(absorb_t *absorb) {
  if (absorb->lost || absorb->started) {
    return false;
  }
  if (absorb->in_software) {
    return true;
  }
  absorb->in_software = absorb->software->begin(absorb) &&
                        absorb->software->update(absorb, absorb->waiting, absorb->fill);
  return absorb->in_software;
}

// What of a message may wait: a block at most once the tile has begun.
static size_t may_wait(const absorb_t *absorb) {
  size_t block = absorb->tile->block, most = absorb->provider->min_bytes;
  most = most > AbsorbWaiting ? AbsorbWaiting : most;
  return absorb->started || most < block ? block : most;
}

// A job on what waits; what it is for is filled in by the caller.
static work_t work_on(absorb_t *absorb) {
  return (work_t){.alg = absorb->tile,
                  .key = absorb->key,
                  .key_len = absorb->key_len,
                  .tag_len = absorb->tile->tag_bytes,
                  .context = absorb->state,
                  .load = absorb->started};
}

// Gives what waits, and so many bytes more, to the tile, a multiple of the block in all.
static bool give(absorb_t *absorb, const uint8_t *in, size_t len) {
  work_t work = work_on(absorb);
  work.head = absorb->waiting;
  work.head_len = absorb->fill;
  work.in = in;
  work.len = len;
  work.save = absorb->state;
  if (device_work(&work) != CRYPTILE_OK) {
    return false;
  }
  OPENSSL_cleanse(absorb->waiting, absorb->fill);
  absorb->started = true;
  absorb->fill = 0;
  return true;
}

static bool take(absorb_t *absorb, const uint8_t *in, size_t len) {
  if (!absorb->in_software && absorb->fill + len > may_wait(absorb)) {
    size_t block = absorb->tile->block, room = device_room(block);
    while (room != 0 && room >= absorb->fill && absorb->fill + len > block) {
      size_t whole = (absorb->fill + len - 1) / block * block;
      size_t part = (whole < room ? whole : room) - absorb->fill;
      if (!give(absorb, in, part)) {
        break;
      }
      in += part;
      len -= part;
    }
    if (absorb->fill + len > may_wait(absorb) && !absorb_to_software(absorb)) {
      return false;
    }
  }
  if (absorb->in_software) {
    return absorb->software->update(absorb, in, len);
  }
  if (len != 0) {
    memcpy(absorb->waiting + absorb->fill, in, len);
    absorb->fill += len;
  }
  return true;
}

bool absorb_update(absorb_t *absorb, const uint8_t *in, size_t len) {
  if (!absorb->lost && !take(absorb, in, len)) {
    forget(absorb);
    absorb->lost = true;
  }
  return !absorb->lost;
}

bool absorb_final(absorb_t *absorb, uint8_t *out, size_t len) {
  if (absorb->lost) {
    return false;
  }
  if (!absorb->in_software && (absorb->started || absorb->fill >= absorb->provider->min_bytes)) {
    work_t work = work_on(absorb);
    work.in = absorb->waiting;
    work.len = absorb->fill;
    work.tag = out;
    if (device_work(&work) == CRYPTILE_OK) {
      forget(absorb);
      return true;
    }
  }
  const bool made = absorb_to_software(absorb) && absorb->software->final(absorb, out, len);
  if (made) {
    forget(absorb);
  }
  return made;
}
