// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The API: making machines, the host's access to memory, and runs.
#include <stdlib.h>
#include <string.h>

#include "crypto.h"
#include "machine.h"

iss_t *iss_new(uint32_t xlen, uint32_t extensions, uint32_t checked, const iss_timing_t *timing) {
  iss_t *iss = calloc(1, sizeof(*iss));
  if (iss == NULL)
    return NULL;
  iss->xlen = xlen;
  iss->extensions = extensions | ISS_EXT_I;
  iss->checked = checked != 0;
  iss->timing = *timing;
  memory_flush_tlb(iss);
  crypto_init();
  return iss;
}

void iss_free(iss_t *iss) {
  for (size_t i = 0; i < iss->region_count; ++i) {
    free(iss->regions[i].memory);
    free(iss->regions[i].shadow);
    free(iss->regions[i].rights);
    free(iss->regions[i].profile);
    free(iss->regions[i].code);
  }
  free(iss->regions);
  free(iss);
}

void iss_options(iss_t *iss, uint32_t allow_misaligned, uint32_t check_init) {
  iss->allow_misaligned = allow_misaligned != 0;
  iss->check_init = check_init != 0;
}

int iss_map(iss_t *iss, uint64_t address, uint64_t size) {
  const uint64_t mask = PAGE - 1;
  region_t region = {.base = address & ~mask};
  region.size = ((address + size + mask) & ~mask) - region.base;
  for (size_t i = 0; i < iss->region_count; ++i) {
    const region_t *other = &iss->regions[i];
    if (region.base - other->base < other->size || other->base - region.base < region.size)
      return -1;
  }
  region_t *regions = realloc(iss->regions, (iss->region_count + 1) * sizeof(region_t));
  if (regions == NULL)
    return -1;
  iss->regions = regions;
  region.memory = calloc(1, region.size);
  region.shadow = iss->checked ? calloc(1, region.size) : NULL;
  region.rights = calloc(1, region.size >> PAGE_BITS);
  if (region.memory == NULL || region.rights == NULL || (iss->checked && region.shadow == NULL)) {
    free(region.memory);
    free(region.shadow);
    free(region.rights);
    return -1;
  }
  iss->regions[iss->region_count++] = region;
  return 0;
}

int iss_protect(iss_t *iss, uint64_t address, uint64_t size, uint32_t rights) {
  region_t *region = memory_region(iss, address, size);
  if (region == NULL)
    return -1;
  if (size == 0)
    return 0;
  const uint64_t offset = address - region->base;
  for (uint64_t page = offset >> PAGE_BITS; page <= (offset + size - 1) >> PAGE_BITS; ++page)
    region->rights[page] |= (uint8_t)rights;
  if (region->shadow != NULL) {
    for (uint64_t i = offset; i < offset + size; ++i)
      region->shadow[i] = (uint8_t)((region->shadow[i] & (ISS_SECRET | ISS_INIT)) |
                                    (rights & (ISS_READ | ISS_WRITE)));
  }
  memory_flush_tlb(iss);
  memory_flush_code(region, address, size);
  return 0;
}

int iss_read(const iss_t *iss, uint64_t address, uint8_t *data, uint64_t size) {
  const region_t *region = memory_region(iss, address, size);
  if (region == NULL)
    return -1;
  memcpy(data, region->memory + (address - region->base), size);
  return 0;
}

int iss_write(iss_t *iss, uint64_t address, const uint8_t *data, uint64_t size) {
  region_t *region = memory_region(iss, address, size);
  if (region == NULL)
    return -1;
  const uint64_t offset = address - region->base;
  memcpy(region->memory + offset, data, size);
  if (region->shadow != NULL)
    for (uint64_t i = offset; i < offset + size; ++i)
      region->shadow[i] |= ISS_INIT;
  memory_flush_code(region, address, size);
  return 0;
}

// Sets or clears bits of the shadow.
static int mark(iss_t *iss, uint64_t address, uint64_t size, uint8_t set, uint8_t clear) {
  region_t *region = memory_region(iss, address, size);
  if (region == NULL)
    return -1;
  if (region->shadow == NULL)
    return 0;
  uint8_t *shadow = region->shadow + (address - region->base);
  for (uint64_t i = 0; i < size; ++i)
    shadow[i] = (uint8_t)((shadow[i] | set) & ~clear);
  return 0;
}

int iss_taint(iss_t *iss, uint64_t address, uint64_t size, uint32_t secret) {
  return secret ? mark(iss, address, size, ISS_SECRET, 0) : mark(iss, address, size, 0, ISS_SECRET);
}

int iss_forget(iss_t *iss, uint64_t address, uint64_t size) {
  return mark(iss, address, size, 0, ISS_INIT);
}

int iss_is_tainted(const iss_t *iss, uint64_t address, uint64_t size) {
  const region_t *region = memory_region(iss, address, size);
  if (region == NULL)
    return -1;
  for (uint64_t i = 0; region->shadow != NULL && i < size; ++i)
    if ((region->shadow[address - region->base + i] & ISS_SECRET) != 0)
      return 1;
  return 0;
}

void iss_profile(iss_t *iss) {
  iss->profile = true;
}

int iss_read_profile(const iss_t *iss, uint64_t address, uint64_t *cycles, uint64_t count) {
  const region_t *region = memory_region(iss, address, 2 * count);
  if (region == NULL)
    return -1;
  if (region->profile == NULL)
    memset(cycles, 0, count * sizeof(*cycles));
  else
    memcpy(cycles, region->profile + (address - region->base) / 2, count * sizeof(*cycles));
  return 0;
}

uint64_t *iss_registers(iss_t *iss) {
  return iss->x;
}

uint64_t *iss_taints(iss_t *iss) {
  return iss->taint;
}

iss_info_t *iss_info(iss_t *iss) {
  return &iss->info;
}

void iss_reset_info(iss_t *iss) {
  memset(&iss->info, 0, offsetof(iss_info_t, violation));
}

void violation(iss_t *iss, iss_violation_kind_t kind, uint64_t pc, uint64_t address) {
  iss_info_t *info = &iss->info;
  for (uint32_t i = 0; i < info->violations; ++i) {
    iss_violation_t *old = &info->violation[i];
    if (old->pc == pc && old->kind == kind) {
      ++old->count;
      return;
    }
  }
  if (info->violations == ISS_MAX_VIOLATIONS)
    return;
  info->violation[info->violations++] =
      (iss_violation_t){.pc = pc, .address = address, .count = 1, .kind = kind};
}

void iss_run(iss_t *iss, uint64_t pc, uint64_t stop_address, uint64_t max_instructions) {
  run_t *run = iss->xlen == 64 ? (iss->checked ? run_64_checked : run_64_plain)
                               : (iss->checked ? run_32_checked : run_32_plain);
  run(iss, pc, stop_address, max_instructions);
}
