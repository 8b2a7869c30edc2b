// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "axis_edac.h"

#include <string.h>

#include "axis_engine.h"

static const uint32_t kGuard = 0x5afeu;

static axis_edac_type_t chosen;
// Exchanged while the interrupts are masked, in this order to the registers.
static volatile axis_edac_notify_t notify_user;
static void *volatile notify_context;

static bool is_locked(void) {
  return (AXIS_REG(FAULT_LOCK) & AXIS__FAULT_LOCK__LOCKED_bm) != 0;
}

cryptile_status_t cry_axis_edac_inject_set_error_type(axis_edac_type_t type) {
  if (type != AxisEdacCorrectable) {
    return CRYPTILE_ERR_PARAM;
  }
  chosen = type;
  return CRYPTILE_OK;
}

cryptile_status_t cry_axis_edac_inject_error_trigger(void) {
  if (chosen != AxisEdacCorrectable || is_locked()) {
    return CRYPTILE_ERR_SUPPORT;
  }
  AXIS_REG(FAULT_INJECT) = kGuard << AXIS__FAULT_INJECT__GUARD_bp | AXIS__FAULT_INJECT__STATE_bm;
  return CRYPTILE_OK;
}

bool cry_axis_edac_error_log_get(axis_edac_entry_t *entry) {
  uint32_t first = AXIS_REG(FAULT_FIRST);
  if ((first & AXIS__FAULT_FIRST__VALID_bm) == 0) {
    return false;
  }
  bool detected = (first & AXIS__FAULT_FIRST__DETECTED_bm) != 0;
  entry->type = detected ? AxisEdacUncorrectable : AxisEdacCorrectable;
  entry->sites = (uint8_t)((first & AXIS__FAULT_FIRST__SITES_bm) >> AXIS__FAULT_FIRST__SITES_bp);
  entry->job = (uint8_t)((first & AXIS__FAULT_FIRST__JOB_bm) >> AXIS__FAULT_FIRST__JOB_bp);
  return true;
}

static cryptile_status_t clear(uint32_t what) {
  if (is_locked()) {
    return CRYPTILE_ERR_SUPPORT;
  }
  AXIS_REG(FAULT_CLEAR) = what;
  return CRYPTILE_OK;
}

cryptile_status_t cry_axis_edac_error_log_clear(void) {
  return clear(AXIS__FAULT_CLEAR__FIRST_bm);
}

uint32_t cry_axis_edac_errors_cor_get(void) {
  return AXIS_REG(FAULTS_CORRECTED);
}

uint32_t cry_axis_edac_errors_uc_get(void) {
  return AXIS_REG(FAULTS_DETECTED);
}

cryptile_status_t cry_axis_edac_errors_clear(void) {
  return clear(AXIS__FAULT_CLEAR__CORRECTED_bm | AXIS__FAULT_CLEAR__DETECTED_bm);
}

cryptile_status_t cry_axis_edac_notify_set(axis_edac_notify_t notify, void *context,
                                           uint16_t threshold) {
  const uint32_t kIrqs = AXIS__IRQ_ENABLE__CORRECTED_bm | AXIS__IRQ_ENABLE__DETECTED_bm;
  if (notify != NULL && is_locked()) {
    return CRYPTILE_ERR_SUPPORT;
  }
  // A handler in between would call one function with the other's context. The read waits for the
  // write's effect.
  uint32_t others = AXIS_REG(IRQ_ENABLE) & ~kIrqs;
  AXIS_REG(IRQ_ENABLE) = others;
  (void)AXIS_REG(IRQ_ENABLE);
  notify_user = notify;
  notify_context = context;
  if (notify != NULL) {
    AXIS_REG(FAULT_THRESHOLD) = threshold;
    AXIS_REG(IRQ_ENABLE) = others | kIrqs;
  }
  return CRYPTILE_OK;
}

void cry_axis_edac_poll(void) {
  uint32_t conditions =
      AXIS_REG(IRQ_STATUS) & (AXIS__IRQ_STATUS__CORRECTED_bm | AXIS__IRQ_STATUS__DETECTED_bm);
  AXIS_REG(IRQ_STATUS) = conditions;
  axis_edac_notify_t notify = notify_user;
  void *context = notify_context;
  if (notify == NULL) {
    return;
  }
  if ((conditions & AXIS__IRQ_STATUS__DETECTED_bm) != 0) {
    notify(AxisEdacUncorrectable, context);
  }
  if ((conditions & AXIS__IRQ_STATUS__CORRECTED_bm) != 0) {
    notify(AxisEdacCorrectable, context);
  }
}

void cry_axis_edac_lock(void) {
  AXIS_REG(FAULT_LOCK) = AXIS__FAULT_LOCK__LOCK_bm;
}

// --- Known answers: RFC 8439, section 2.8.2 ------------------------------------------------------

static const char kText[] =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    "sunscreen would be it.";
enum { TextBytes = sizeof(kText) - 1, AadBytes = 12, TagBytes = 16, Limit = 20000 };

static const uint32_t kKey[8] = {0x83828180u, 0x87868584u, 0x8b8a8988u, 0x8f8e8d8cu,
                                 0x93929190u, 0x97969594u, 0x9b9a9998u, 0x9f9e9d9cu};
static const uint32_t kNonce[4] = {0x00000007u, 0x43424140u, 0x47464544u, 0};
static const uint8_t kAad[AadBytes] = {0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1,
                                       0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7};
static const uint8_t kTag[TagBytes] = {0x1a, 0xe1, 0x0b, 0x59, 0x4f, 0x09, 0xe2, 0x6a,
                                       0x7e, 0x90, 0x2e, 0xcb, 0xd0, 0x60, 0x06, 0x91};

typedef struct {
  uint8_t text[TextBytes];
  uint8_t aad[AadBytes];
  uint8_t tag[TagBytes];
} scratch_t;
_Static_assert(sizeof(scratch_t) <= 256, "what the header asks for");

static cryptile_status_t start(scratch_t *s, bool decrypt) {
  axis_job_t job = {.mode = ModeChaCha20Poly1305Chacha20Poly1305,
                    .decrypt = decrypt,
                    .key = kKey,
                    .key_bytes = sizeof(kKey),
                    .aad = s->aad,
                    .aad_len = AadBytes,
                    .src = s->text,
                    .dst = s->text,
                    .len = TextBytes,
                    .tag = s->tag};
  memcpy(job.iv, kNonce, sizeof(kNonce));
  return cry_axis_engine_start(&job);
}

static cryptile_status_t open(scratch_t *s) {
  cryptile_status_t status = start(s, true);
  return status == CRYPTILE_OK ? cry_axis_engine_wait(Limit) : status;
}

// Once sealing has been started.
static cryptile_status_t seal_and_open(scratch_t *s) {
  cryptile_status_t status = cry_axis_engine_wait(Limit);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (memcmp(s->tag, kTag, TagBytes) != 0 || s->text[0] != 0xd3 || s->text[TextBytes - 1] != 0x16) {
    return CRYPTILE_ERR_FAULT;
  }
  status = open(s);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (memcmp(s->text, kText, TextBytes) != 0) {
    return CRYPTILE_ERR_FAULT;
  }
  // A tag that cannot be right must not be taken for one.
  s->tag[3] ^= 0x10;
  status = open(s);
  return status == CRYPTILE_ERR_AUTH ? CRYPTILE_OK : CRYPTILE_ERR_FAULT;
}

cryptile_status_t cry_axis_edac_selftest(uint8_t *scratch) {
  scratch_t *s = (scratch_t *)scratch;
  memcpy(s->text, kText, TextBytes);
  memcpy(s->aad, kAad, AadBytes);
  cryptile_status_t status = start(s, false);
  // A job that keeps this one from starting is another's, and goes on.
  if (status == CRYPTILE_OK) {
    status = seal_and_open(s);
    cryptile_status_t cleared = cry_axis_engine_clear();
    status = status == CRYPTILE_OK ? cleared : status;
  }
  memset(scratch, 0, sizeof(scratch_t));
  return status;
}
