// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Error detection and correction of a protected engine behind the AXI4-Stream shell: the operations
// of Zephyr's EDAC driver API, so that a Zephyr driver is one table of pointers to these.
//
// There is no scrubber to start: a protected register writes the corrected value back at every
// clock. Log and lock survive a reset that is not a power-on reset. While the shell's fault
// registers are locked, by cry_axis_edac_lock() or by the shell's pin, everything reads as nothing,
// and what would change them returns CRYPTILE_ERR_SUPPORT and does nothing. No function waits.
#ifndef CRYPTILE_HAL_AXIS_EDAC_H
#define CRYPTILE_HAL_AXIS_EDAC_H

#include <stdbool.h>
#include <stdint.h>

#include "cryptile/status.h"

// Types of errors; only one can be injected.
typedef enum { AxisEdacCorrectable = 1, AxisEdacUncorrectable = 2 } axis_edac_type_t;

// The first error since the log was cleared.
typedef struct {
  axis_edac_type_t type;
  uint8_t sites;  // a bit for each part of the engine that found it (the engine's package, site_e)
  uint8_t job;    // identifier of the job that ran
} axis_edac_entry_t;

// Called by cry_axis_edac_poll.
typedef void (*axis_edac_notify_t)(axis_edac_type_t type, void *context);

// Chooses what the next injection does. Returns CRYPTILE_OK, or CRYPTILE_ERR_PARAM for a type that
// cannot be injected.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_edac_inject_set_error_type(axis_edac_type_t type);

// Flips one stored bit once. The report comes one cycle later, also if no job runs. Returns
// CRYPTILE_OK, or CRYPTILE_ERR_SUPPORT if no type was chosen or the registers are locked.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_edac_inject_error_trigger(void);

// Gives the first error; returns false if there was none.
bool cry_axis_edac_error_log_get(axis_edac_entry_t *entry);
// Returns CRYPTILE_OK, or CRYPTILE_ERR_SUPPORT if the registers are locked.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_edac_error_log_clear(void);

// Counters; they stay at 65535.
uint32_t cry_axis_edac_errors_cor_get(void);
uint32_t cry_axis_edac_errors_uc_get(void);
// Returns CRYPTILE_OK, or CRYPTILE_ERR_SUPPORT if the registers are locked.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_edac_errors_clear(void);

// Asks for notice of every error that is not corrected, and of corrected ones when their counter
// comes to `threshold` (0: never): the shell's interrupt, whose handler calls cry_axis_edac_poll.
// NULL: no more notice, also while the registers are locked; the threshold stays. The shell's other
// interrupts stay as they are. Returns CRYPTILE_OK, or CRYPTILE_ERR_SUPPORT if the registers are
// locked and `notify` is not NULL.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_edac_notify_set(axis_edac_notify_t notify,
                                                               void *context, uint16_t threshold);
void cry_axis_edac_poll(void);

// Closes counters, log and injection until power-on reset: they help an attacker who injects
// faults.
void cry_axis_edac_lock(void);

// Known-answer test of the engine (RFC 8439, 2.8.2, sealed and opened, and opened with a wrong tag)
// in `scratch`: 256 bytes, any alignment, in memory that the DMA reaches. The engine is cleared
// with its key, then scratch is zeroed. Returns CRYPTILE_OK, CRYPTILE_ERR_FAULT for a wrong answer,
// or what cry_axis_engine_start, _wait or _clear returned: CRYPTILE_ERR_BUSY with nothing done
// while a job runs, or if a clear did not end.
CRYPTILE_MUST_CHECK cryptile_status_t cry_axis_edac_selftest(uint8_t *scratch);

#endif  // CRYPTILE_HAL_AXIS_EDAC_H
