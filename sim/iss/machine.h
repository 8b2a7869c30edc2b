// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The inside of a machine, shared by memory, interpreter and API.
#ifndef CRYPTILE_ISS_MACHINE_H
#define CRYPTILE_ISS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "decode.h"
#include "iss.h"

enum { PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, TLB_ENTRIES = 256 };

typedef struct {
  uint64_t base, size;  // whole pages
  uint8_t *memory;
  uint8_t *shadow;    // checked machines only
  uint8_t *rights;    // by page
  uint64_t *profile;  // by halfword, as `code`; NULL unless asked for
  insn_t *code;       // by halfword, and two empty ones; NULL until something executes here
} region_t;

// Where a page is in the host's memory; a tag of NO_PAGE does not match.
typedef struct {
  uint64_t read_tag, write_tag;
  uint8_t *memory;
  uint8_t *shadow;
} tlb_entry_t;

#define NO_PAGE UINT64_MAX

struct iss {
  uint32_t xlen, extensions;
  bool checked, allow_misaligned, check_init, profile;
  bool carry, carry_taint;
  iss_timing_t timing;
  uint64_t x[32], taint[32];
  region_t *regions;
  size_t region_count;
  iss_info_t info;
  tlb_entry_t tlb[TLB_ENTRIES];
};

typedef struct {
  uint8_t *memory;
  uint8_t *shadow;
} place_t;

// The region that holds all of a range, or NULL.
region_t *memory_region(const iss_t *iss, uint64_t address, uint64_t size);
// The place of an access that the TLB does not know; memory is NULL when the access is not allowed,
// and info says why. Rights to single bytes are not looked at.
place_t memory_access(iss_t *iss, uint64_t address, uint32_t size, bool store);
// The decoded instruction at pc, or NULL, and info says why.
insn_t *memory_fetch(iss_t *iss, uint64_t pc, region_t **region);
// Forgets decoded instructions of a range.
void memory_flush_code(region_t *region, uint64_t address, uint64_t size);
void memory_flush_all_code(iss_t *iss);
void memory_flush_tlb(iss_t *iss);

void violation(iss_t *iss, iss_violation_kind_t kind, uint64_t pc, uint64_t address);

typedef void run_t(iss_t *iss, uint64_t pc, uint64_t stop_address, uint64_t max_instructions);
run_t run_32_plain, run_32_checked, run_64_plain, run_64_checked;

#endif
