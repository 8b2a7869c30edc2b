// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Registers of a verilated design by their names: reading them, and flipping their bits.
#ifndef REGISTERS_H
#define REGISTERS_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <istream>
#include <string>
#include <vector>

#include "vpi_user.h"

struct Variable {
  std::string name;
  uint32_t width;
};

struct Bit {
  Variable variable;
  uint32_t bit;
};

inline uint32_t number(std::istream &in) {
  uint32_t value;
  if (!(in >> value)) {
    std::fprintf(stderr, "bad input\n");
    std::exit(2);
  }
  return value;
}

// A variable by name, or null: what the RTL keeps as an array is flat after synthesis. The scope
// has a dot behind it.
inline vpiHandle handle(const std::string &scope, const Variable &variable) {
  std::string full = scope + variable.name;
  vpiHandle found = vpi_handle_by_name(full.data(), nullptr);
  if (!found || vpi_get(vpiType, found) != vpiReg)
    return nullptr;
  return vpi_get(vpiSize, found) == static_cast<PLI_INT32>(variable.width) ? found : nullptr;
}

inline std::vector<uint32_t> value_of(vpiHandle h) {
  s_vpi_value value;
  value.format = vpiVectorVal;
  vpi_get_value(h, &value);
  std::vector<uint32_t> words;
  for (int i = 0; i < (vpi_get(vpiSize, h) + 31) / 32; i++) {
    words.push_back(static_cast<uint32_t>(value.value.vector[i].aval));
  }
  return words;
}

inline bool flip(const std::string &scope, const Bit &bit) {
  vpiHandle h = handle(scope, bit.variable);
  if (!h)
    return false;
  std::vector<s_vpi_vecval> words;
  for (uint32_t word : value_of(h))
    words.push_back({word, 0});
  words[bit.bit / 32].aval ^= 1U << bit.bit % 32;
  s_vpi_value value;
  value.format = vpiVectorVal;
  value.value.vector = words.data();
  vpi_put_value(h, &value, nullptr, vpiNoDelay);
  return true;
}

#endif
