// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Driver of an engine on AXI4-Stream with its scatter-gather DMA.
//
// One job at a time. Data may have any alignment; it must lie in the memory that the DMA reaches,
// and be left alone until the job is over. The driver keeps its descriptors at the end of that
// memory.
//
//   status = cry_axis_engine_start(&job);
//   if (status == CRYPTILE_OK) status = cry_axis_engine_wait(limit);
#ifndef CRYPTILE_HAL_AXIS_ENGINE_H
#define CRYPTILE_HAL_AXIS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"
#include "gen/axis_regs.h"
#include "gen/dma_regs.h"
#include "gen/engines.h"

// Another system than the stream SoC defines STREAM_DMA_BASE, STREAM_AXIS_BASE, STREAM_MEM_BASE and
// STREAM_MEM_SIZE before.
#ifndef STREAM_DMA_BASE
#include "gen/stream_map.h"
#endif

// The last bytes of the memory behind the DMA (STREAM_MEM_BASE, STREAM_MEM_SIZE) belong to the
// driver.
#define AXIS_ENGINE_RESERVED 256u

// The generated structs are packed, so the compiler would access their members by bytes: only their
// offsets are used.
#define DMA_REG(reg)  (*(volatile uint32_t *)(STREAM_DMA_BASE + offsetof(dma_t, reg)))
#define AXIS_REG(reg) (*(volatile uint32_t *)(STREAM_AXIS_BASE + offsetof(axis_t, reg)))

typedef struct {
  uint32_t mode;  // the engine's
  bool decrypt;
  const uint32_t *key;  // aligned to 4; NULL: the key of the job before, which must be as long
  uint32_t key_bytes;   // 16, 24 or 32
  uint32_t iv[4];       // as the engine's mode wants it; little-endian words
  const uint8_t *aad;
  uint32_t aad_len;
  const uint8_t *src;
  uint8_t *dst;
  uint32_t len;
  uint8_t *tag;  // 16 bytes: written, or compared on decryption; NULL in modes without one
} axis_job_t;

// Gives a job to the engine and the DMA. Returns CRYPTILE_OK, or with nothing done
// CRYPTILE_ERR_BUSY if a job runs, was not waited for, or is still being cleared,
// CRYPTILE_ERR_PARAM for a wrong `key_bytes`, and CRYPTILE_ERR_KEY if `key` is NULL and the engine
// has no key of this length: none since reset, since cry_axis_engine_clear(), or since a wait that
// cleared.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_engine_start(const axis_job_t *job);

// Waits for the job by reading registers. Returns what became of it: CRYPTILE_OK, _ERR_AUTH,
// _ERR_SUPPORT, _ERR_FAULT, _ERR_BUS, _ERR_TIMEOUT after `limit` cycles, or _ERR_STATE if there is
// no result: no job was started, or it was waited for before. After the last three everything was
// cleared; _ERR_BUSY instead of them: that clear did not end. After _ERR_AUTH the message has been
// written nevertheless, and after any other than CRYPTILE_OK a part of it may have been,
// unauthentic: the caller must drop it.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_engine_wait(uint32_t limit);

// The same asleep, until the interrupt. Uses the timer for the limit, and leaves the masks of
// events and interrupts as they were. With mstatus.MIE = 0 no handler is needed.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_engine_sleep(uint32_t limit);

// Stops DMA and engine, wipes the engine and its key, and makes both ready for a new job. Returns
// CRYPTILE_OK when the last access to memory is over, or CRYPTILE_ERR_BUSY after 65536 cycles: all
// is held in clear, and memory that does not answer may still be written, so leave it alone and
// call this again.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_engine_clear(void);

#endif  // CRYPTILE_HAL_AXIS_ENGINE_H
