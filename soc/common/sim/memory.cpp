// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "memory.h"

#include <verilated.h>
#include <verilated_sym_props.h>

#include <fstream>
#include <stdexcept>

namespace {

const VerilatedVar *find_array(const std::string &instance) {
  const VerilatedScope *scope = Verilated::threadContextp()->scopeFind(instance.c_str());
  return scope == nullptr ? nullptr : scope->varFind("mem");
}

}  // namespace

bool Memory::exists(const std::string &instance) {
  return find_array(instance) != nullptr;
}

void Memory::add(uint32_t base, const std::vector<std::string> &instances) {
  Region region = {base, 0, 0, {}};
  for (const std::string &instance : instances) {
    const VerilatedVar *var = find_array(instance);
    if (var == nullptr)
      throw std::runtime_error("the model has no public memory " + instance);
    region.word = var->entSize();
    region.size += static_cast<uint64_t>(var->elements(1)) * region.word;
    region.arrays.push_back(static_cast<uint8_t *>(var->datap()));
  }
  regions_.push_back(region);
}

void Memory::add(uint32_t base, uint8_t *data, uint64_t size) {
  regions_.push_back({base, size, 1, {data}});
}

const Memory::Region *Memory::find(uint32_t addr, uint64_t size) const {
  for (const Region &region : regions_) {
    if (addr >= region.base && addr - region.base + size <= region.size)
      return &region;
  }
  return nullptr;
}

bool Memory::contains(uint32_t addr, uint64_t size) const {
  return find(addr, size) != nullptr;
}

uint8_t &Memory::byte(const Region &region, uint32_t addr) {
  // The model keeps words in host order, and so does the core's byte 0 = bits 7:0 on such hosts.
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian hosts only");
  const uint32_t index = (addr - region.base) / region.word;
  const size_t arrays = region.arrays.size();
  return region
      .arrays[index % arrays][index / arrays * region.word + (addr - region.base) % region.word];
}

void Memory::write(uint32_t addr, const uint8_t *data, uint32_t size) {
  const Region *region = find(addr, size);
  for (uint32_t i = 0; i < size; i++)
    byte(*region, addr + i) = data[i];
}

void Memory::read(uint32_t addr, uint8_t *data, uint32_t size) const {
  const Region *region = find(addr, size);
  for (uint32_t i = 0; i < size; i++)
    data[i] = byte(*region, addr + i);
}

void Memory::load(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot open " + path);
  uint32_t header[2];
  while (file.read(reinterpret_cast<char *>(header), sizeof header)) {
    const uint32_t addr = header[0];
    const uint32_t size = header[1];
    if (!contains(addr, size))
      throw std::runtime_error("the program does not fit into memory");
    std::vector<uint8_t> data(size);
    if (!file.read(reinterpret_cast<char *>(data.data()), size)) {
      throw std::runtime_error("the program image is cut short");
    }
    write(addr, data.data(), size);
  }
}
