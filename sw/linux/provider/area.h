// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Memory of the ring for one job on memory of the process: what the job reads is copied in, and
// what it has made is copied out. What lies in memory.h's window is read and written there instead.
#ifndef CRYPTILE_PROVIDER_AREA_H
#define CRYPTILE_PROVIDER_AREA_H

#include "device.h"

enum { AreaMostDropped = 16 };  // bytes in front of output

// All that a job reads and writes.
typedef struct {
  _Alignas(64) uint8_t key[TileMaxKey];
  uint8_t iv[TileMaxIv + 1];
  _Alignas(64) uint8_t context[TileContextBytes];
  _Alignas(64) uint8_t tag[TileMaxTag];
  _Alignas(16) tile_piece_t in_list[2];
  tile_piece_t out_list[2];
  uint8_t dropped[AreaMostDropped];
  _Alignas(64) uint8_t aad[DeviceAad];
  _Alignas(64) uint8_t message[DeviceMessage];
} area_t;

// Where a job's message is read and written, and what is described by a list.
typedef struct {
  bool in, out;            // in the window: is not copied
  bool in_list, out_list;  // behind what comes in front of it
} area_way_t;

// Whether there is room for a job.
bool area_fits(const work_t *work);

// Fills an area that lies in the ring, and describes the job.
//
// Returns as cry_ring_prepare().
CRYPTILE_MUST_CHECK cryptile_status_t area_describe(area_t *area, const cry_ring_t *ring,
                                                    const work_t *work, area_way_t *way,
                                                    tile_job_t *job);

// Takes out what a job has made. Returns how many bytes of its message were copied, in and out.
size_t area_take(const area_t *area, const work_t *work, area_way_t way);

// Wipes key and saved state of a job, or all there can be, with null.
void area_wipe(area_t *area, const work_t *work);

#endif  // CRYPTILE_PROVIDER_AREA_H
