// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "memory.h"

#include <verilated.h>
#include <verilated_sym_props.h>

#include <cstring>
#include <fstream>
#include <stdexcept>

namespace {

struct Array {
  uint32_t *words;
  uint32_t count;
};

// The array of one mcu_sram instance, or no words if there is no such instance.
Array find_array(const std::string &scope_name) {
  const VerilatedScope *scope = Verilated::threadContextp()->scopeFind(scope_name.c_str());
  if (scope == nullptr)
    return {nullptr, 0};
  const VerilatedVar *var = scope->varFind("mem");
  if (var == nullptr)
    return {nullptr, 0};
  return {static_cast<uint32_t *>(var->datap()), static_cast<uint32_t>(var->elements(1))};
}

}  // namespace

Memory::Memory(const std::string &top) {
  const Array imem = find_array(top + ".u_imem.u_sram");
  if (imem.words == nullptr)
    throw std::runtime_error("the model has no public instruction memory");
  imem_ = imem.words;
  imem_size_ = imem.count * 4;
  tcdm_size_ = 0;
  for (unsigned i = 0;; i++) {
    const Array bank = find_array(top + ".gen_bank[" + std::to_string(i) + "].u_sram");
    if (bank.words == nullptr)
      break;
    banks_.push_back(bank.words);
    tcdm_size_ += bank.count * 4;
  }
  if (banks_.empty())
    throw std::runtime_error("the model has no public TCDM banks");
}

bool Memory::contains(uint32_t addr, uint64_t size) const {
  if (addr >= kTcdmBase)
    return addr - kTcdmBase + size <= tcdm_size_;
  return addr + size <= imem_size_;
}

uint8_t &Memory::byte(uint32_t addr) const {
  uint32_t *word;
  if (addr >= kTcdmBase) {
    const uint32_t index = (addr - kTcdmBase) / 4;
    word = banks_[index % banks_.size()] + index / banks_.size();
  } else {
    word = imem_ + addr / 4;
  }
  // The model keeps words in host order, and so does the core's byte 0 = bits 7:0 on such hosts.
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian hosts only");
  return reinterpret_cast<uint8_t *>(word)[addr % 4];
}

void Memory::write(uint32_t addr, const uint8_t *data, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    byte(addr + i) = data[i];
}

void Memory::read(uint32_t addr, uint8_t *data, uint32_t size) const {
  for (uint32_t i = 0; i < size; i++)
    data[i] = byte(addr + i);
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
