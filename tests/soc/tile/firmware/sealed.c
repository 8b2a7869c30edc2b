// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What firmware does with keys before a kernel starts. In machine mode it loads the root key, makes
// of it and of a number of this boot a key that wraps others, forgets the root key, seals the
// slots, and shuts their page to all below machine mode with the core's PMP. In supervisor mode a
// kernel then uses a wrapped key that it cannot know, and does not reach the page.

#include <string.h>

#include "host.h"
#include "test.h"
#include "tile.h"
#include "tile_io.h"
#include "tile_prepare.h"

enum { RingLog2 = 2, Limit = 20000, Looks = 5000, Root = 0, Wrapping = 1 };
enum { LoadFault = 5, StoreFault = 7 };
enum { SlotsPage = 0x1000, SealAt = 0x1800, QueuePage = 0x8000, UserPage = 0x10000 };
enum { PmpNapot = 3 << 3, PmpAll = 7 };

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static volatile unsigned faults;
static volatile uint32_t fault;

// AES-128 of FIPS 197, appendix C.1.
static uint8_t secret[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t text[16] = {0,    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
static const uint8_t expected[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                     0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
static const tile_slot_use_t one_key = {.opcode = TileAes,
                                        .modes = 1u << TileAesEcb,
                                        .key_len = 16,
                                        .encrypt = true,
                                        .decrypt = true,
                                        .queues = 1};
static _Alignas(16) uint8_t token[64];
static uint8_t result_of[16];

// An access that the PMP refuses is skipped.
void cry_trap_handler(uint32_t mcause, uint32_t mepc) {
  (void)mepc;
  CHECK(mcause == LoadFault || mcause == StoreFault);
  fault = mcause;
  faults++;
  CSR_WRITE("mepc", CSR_READ("mepc") + 4);
}

static bool refuses_load(uintptr_t address) {
  unsigned before = faults;
  uint32_t value = 0;
  __asm__ volatile(".option push\n.option norvc\nlw %0, 0(%1)\n.option pop"
                   : "+r"(value)
                   : "r"(address)
                   : "memory");
  return faults == before + 1 && fault == LoadFault;
}

static bool refuses_store(uintptr_t address) {
  unsigned before = faults;
  __asm__ volatile(".option push\n.option norvc\nsw zero, 0(%0)\n.option pop"
                   :
                   : "r"(address)
                   : "memory");
  return faults == before + 1 && fault == StoreFault;
}

static void open(void) {
  const tile_queue_config_t config = {.ring = entries,
                                      .completions = completions,
                                      .ring_log2 = RingLog2,
                                      .key_mask = 1u << Root | 1u << Wrapping};
  CHECK(cry_tile_open(&ring, &config) == CRYPTILE_OK);
  CHECK(cry_tile_window(0, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE, TileWindowRead | TileWindowWrite) ==
        CRYPTILE_OK);
}

// CMAC of the boot's number under the root key, which nobody can ask for later.
static void make_wrapping_key(const uint8_t boot[16], uint8_t wrapping[16]) {
  static uint8_t root[16];
  const tile_slot_use_t use = {
      .opcode = TileAes, .modes = 1u << TileAesCmac, .key_len = 16, .encrypt = true, .queues = 1};
  memcpy(root, "the root of keys", sizeof root);
  CHECK(cry_tile_slot_write(Root, &use, root, sizeof root) == CRYPTILE_OK);
  memset(root, 0, sizeof root);
  const tile_message_t message = {.key_len = 16, .in = boot, .len = 16, .tag = wrapping};
  tile_job_t job;
  CHECK(cry_tile_prepare_by_slot(cry_tile_alg("aes-128-cmac"), &message, Root, 0, &job) ==
        CRYPTILE_OK);
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_OK);
  CHECK(cry_tile_slot_clear(Root) == CRYPTILE_OK);
}

static void wrap(const uint8_t wrapping[16], const uint8_t boot[16]) {
  CHECK(cry_tile_wrapped_as(&one_key, TileAnySlot, token) == CRYPTILE_OK);
  memcpy(token + 16, boot, 16);
  const tile_message_t message = {.key = wrapping,
                                  .key_len = 16,
                                  .iv = token + 16,
                                  .iv_len = 16,
                                  .aad = token,
                                  .aad_len = 16,
                                  .in = secret,
                                  .out = token + 32,
                                  .len = sizeof secret,
                                  .tag = token + 48};
  tile_job_t job;
  CHECK(cry_tile_prepare(cry_tile_alg("aes-128-gcm"), &message, &job) == CRYPTILE_OK);
  CHECK(cry_tile_run(&ring, &job, Limit) == CRYPTILE_OK);
}

static cryptile_status_t encrypt(void) {
  const tile_job_t job = {.opcode = TileAes,
                          .mode = TileAesEcb,
                          .slot = Wrapping,
                          .unwrap_slot = TileNoSlot,
                          .token = true,
                          .key = tile_address(token),
                          .src = tile_address(text),
                          .dst = tile_address(result_of),
                          .len = sizeof text};
  tile_result_t result;
  CHECK(cry_tile_submit(&ring, &job, NULL) == CRYPTILE_OK);
  cry_tile_notify(&ring);
  for (unsigned looks = 0; !cry_tile_poll(&ring, &result); looks++)
    CHECK(looks < Looks);
  return result.status;
}

static void kernel(void) {
  CHECK(encrypt() == CRYPTILE_OK);
  CHECK(memcmp(result_of, expected, sizeof expected) == 0);
  token[0] ^= 1;  // more rights
  CHECK(encrypt() == CRYPTILE_ERR_KEY);
  token[0] ^= 1;
  token[16] ^= 1;  // of another boot
  CHECK(encrypt() == CRYPTILE_ERR_KEY);
  token[16] ^= 1;
  CHECK(faults == 0);
  for (uintptr_t at = SlotsPage; at < SlotsPage + 0x1000; at += 0x7fc) {
    CHECK(refuses_load(SOC_TILE_BASE + at));
    CHECK(refuses_store(SOC_TILE_BASE + at));
  }
  CHECK(refuses_load(SOC_TILE_BASE + SealAt));
  CHECK(!refuses_load(SOC_TILE_BASE) && !refuses_load(SOC_TILE_BASE + SlotsPage - 4));
  CHECK(!refuses_load(SOC_TILE_BASE + QueuePage) && !refuses_load(SOC_TILE_BASE + UserPage));
  CHECK(encrypt() == CRYPTILE_OK);
  cry_mcu_exit(0);
}

int main(void) {
  static uint8_t boot[16], wrapping[16];
  const tile_slot_use_t unwraps = {.opcode = TileAes,
                                   .modes = 1u << TileAesGcm,
                                   .key_len = 16,
                                   .decrypt = true,
                                   .unwrap_only = true,
                                   .queues = 1};
  CHECK(cry_host_read(boot, sizeof boot) == sizeof boot);
  forget_cached();
  open();
  make_wrapping_key(boot, wrapping);
  wrap(wrapping, boot);
  CHECK(cry_tile_slot_write(Wrapping, &unwraps, wrapping, sizeof wrapping) == CRYPTILE_OK);
  memset(wrapping, 0, sizeof wrapping);
  memset(secret, 0, sizeof secret);
  cry_tile_seal();
  CHECK(cry_tile_slot_write(Root, &one_key, secret, sizeof secret) == CRYPTILE_ERR_KEY);

  // Of two entries the first one that matches counts: the slots' page, then all that there is.
  CSR_WRITE("pmpaddr0", (SOC_TILE_BASE + SlotsPage) >> 2 | 0x1ff);
  CSR_WRITE("pmpaddr1", ~0ull >> 10);
  CSR_WRITE("pmpcfg0", PmpNapot | (PmpNapot | PmpAll) << 8);
  CSR_CLEAR("mstatus", 3 << 11);
  CSR_SET("mstatus", 1 << 11);  // to supervisor mode
  CSR_WRITE("mepc", (uintptr_t)kernel);
  __asm__ volatile("mret" : : : "memory");
  return 1;
}
