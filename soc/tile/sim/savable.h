// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Saving and restoring the model's unpacked structures (those of register blocks), which Verilator
// leaves out. Every file of the model includes it.
#pragma once

#define MODEL_IS_SAVABLE 1

#include <verilated_save.h>

#include <type_traits>

template <typename T, typename = std::enable_if_t<std::is_class_v<T>>>
VerilatedSerialize &operator<<(VerilatedSerialize &file, T &value) {
  static_assert(std::is_trivially_copyable_v<T>, "bytes are not all of this state");
  return file.write(&value, sizeof value);
}

template <typename T, typename = std::enable_if_t<std::is_class_v<T>>>
VerilatedDeserialize &operator>>(VerilatedDeserialize &file, T &value) {
  static_assert(std::is_trivially_copyable_v<T>, "bytes are not all of this state");
  return file.read(&value, sizeof value);
}
