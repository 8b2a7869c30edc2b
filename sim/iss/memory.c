// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Mapped memory: regions, the way to them through a small TLB, and decoded instructions.
#include <stdlib.h>
#include <string.h>

#include "machine.h"

region_t *memory_region(const iss_t *iss, uint64_t address, uint64_t size) {
  for (size_t i = 0; i < iss->region_count; ++i) {
    region_t *region = &iss->regions[i];
    const uint64_t offset = address - region->base;
    if (offset < region->size && size <= region->size - offset)
      return region;
  }
  return NULL;
}

void memory_flush_tlb(iss_t *iss) {
  for (size_t i = 0; i < TLB_ENTRIES; ++i)
    iss->tlb[i] = (tlb_entry_t){.read_tag = NO_PAGE, .write_tag = NO_PAGE};
}

void memory_flush_code(region_t *region, uint64_t address, uint64_t size) {
  if (region->code == NULL)
    return;
  const uint64_t end = (address - region->base + size + 1) / 2;
  uint64_t i = (address - region->base) / 2;
  if (i > 0)
    --i;  // a 32-bit instruction may reach into the range
  for (; i < end; ++i)
    region->code[i].op = OP_NONE;
}

void memory_flush_all_code(iss_t *iss) {
  for (size_t i = 0; i < iss->region_count; ++i)
    memory_flush_code(&iss->regions[i], iss->regions[i].base, iss->regions[i].size);
}

place_t memory_access(iss_t *iss, uint64_t address, uint32_t size, bool store) {
  const place_t nowhere = {NULL, NULL};
  iss->info.address = address;
  iss->info.size = size;
  region_t *region = memory_region(iss, address, size);
  const uint8_t wanted = store ? ISS_WRITE : ISS_READ;
  if (region != NULL) {
    const uint64_t last = (address + size - 1 - region->base) >> PAGE_BITS;
    const uint64_t first = (address - region->base) >> PAGE_BITS;
    if ((region->rights[first] & region->rights[last] & wanted) == 0)
      region = NULL;
  }
  if (region == NULL) {
    iss->info.stop = store ? ISS_STOP_STORE : ISS_STOP_LOAD;
    return nowhere;
  }
  const uint64_t offset = address - region->base;
  const place_t place = {region->memory + offset,
                         region->shadow != NULL ? region->shadow + offset : NULL};
  if ((address & (size - 1)) != 0) {
    if (!iss->allow_misaligned) {
      iss->info.stop = store ? ISS_STOP_STORE_MISALIGNED : ISS_STOP_LOAD_MISALIGNED;
      return nowhere;
    }
    ++iss->info.misaligned;
  } else {
    const uint64_t page = address >> PAGE_BITS;
    const uint8_t rights = region->rights[offset >> PAGE_BITS];
    const uint64_t start = offset & ~(uint64_t)(PAGE - 1);
    tlb_entry_t *entry = &iss->tlb[page % TLB_ENTRIES];
    entry->memory = region->memory + start;
    entry->shadow = region->shadow != NULL ? region->shadow + start : NULL;
    entry->read_tag = rights & ISS_READ ? page : NO_PAGE;
    // Stores to code come here every time, to forget what was decoded.
    entry->write_tag = rights & ISS_WRITE && !(rights & ISS_EXEC) ? page : NO_PAGE;
  }
  if (store)
    memory_flush_code(region, address, size);
  return place;
}

insn_t *memory_fetch(iss_t *iss, uint64_t pc, region_t **region) {
  if ((pc & (iss->extensions & ISS_EXT_C ? 1 : 3)) != 0) {
    iss->info.stop = ISS_STOP_FETCH_MISALIGNED;
    return NULL;
  }
  iss->info.stop = ISS_STOP_FETCH;
  region_t *found = memory_region(iss, pc, 2);
  if (found == NULL)
    return NULL;
  const uint64_t offset = pc - found->base;
  if ((found->rights[offset >> PAGE_BITS] & ISS_EXEC) == 0)
    return NULL;
  if (found->code == NULL) {
    found->code = calloc(found->size / 2 + 2, sizeof(insn_t));
    if (found->code == NULL)
      return NULL;
  }
  if (iss->profile && found->profile == NULL)
    found->profile = calloc(found->size / 2, sizeof(uint64_t));
  uint16_t low, high = 0;
  memcpy(&low, found->memory + offset, 2);
  if ((low & 3) == 3) {
    if (found->size - offset < 4 || (found->rights[(offset + 2) >> PAGE_BITS] & ISS_EXEC) == 0)
      return NULL;
    memcpy(&high, found->memory + offset + 2, 2);
  }
  insn_t *insn = &found->code[offset / 2];
  const uint32_t encoding = (uint32_t)high << 16 | low;
  if (insn->op == OP_NONE &&
      decode(encoding, iss->xlen, iss->extensions, &iss->timing, insn) != 0) {
    insn->op = OP_NONE;
    iss->info.stop = ISS_STOP_ILLEGAL;
    iss->info.encoding = encoding;
    return NULL;
  }
  *region = found;
  return insn;
}
