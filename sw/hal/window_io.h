// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Registers of an engine that is fed by stores and loads, where a program sees their addresses.
#ifndef CRYPTILE_HAL_WINDOW_IO_H
#define CRYPTILE_HAL_WINDOW_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Addresses of the two blocks of registers.
typedef struct {
  uintptr_t shell;   // regs/axis.rdl
  uintptr_t window;  // regs/window.rdl
} window_port_t;

static inline uint32_t window_shell_read(const window_port_t *port, size_t at) {
  return *(volatile uint32_t *)(port->shell + at);
}

static inline void window_shell_write(const window_port_t *port, size_t at, uint32_t value) {
  *(volatile uint32_t *)(port->shell + at) = value;
}

static inline uint64_t window_read(const window_port_t *port, size_t at) {
  return *(volatile uint64_t *)(port->window + at);
}

static inline void window_write(const window_port_t *port, size_t at, uint64_t value) {
  *(volatile uint64_t *)(port->window + at) = value;
}

#endif  // CRYPTILE_HAL_WINDOW_IO_H
