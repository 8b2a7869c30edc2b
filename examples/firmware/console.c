// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// By the system calls write and exit of RISC-V Linux, which `cryptile run` and QEMU have: on a board,
// replace put() by its UART, and _start by its start-up code.

#include "console.h"

__asm__(
    ".globl _start\n"
    "_start:\n"
    "  .option push\n  .option norelax\n  lla gp, __global_pointer$\n  .option pop\n"
    "  call example\n  li a7, 93\n  ecall\n");

static void put(const char *data, size_t length) {
  register long fd __asm__("a0") = 1;
  register const char *from __asm__("a1") = data;
  register size_t count __asm__("a2") = length;
  register long call __asm__("a7") = 64;
  __asm__ volatile("ecall" : "+r"(fd) : "r"(from), "r"(count), "r"(call) : "memory");
}

void print(const char *text) {
  size_t length = 0;
  while (text[length] != '\0') {
    length++;
  }
  put(text, length);
}

void print_bytes(const char *name, const uint8_t *data, size_t length) {
  print(name);
  print(" ");
  for (size_t i = 0; i < length; i++) {
    const char digits[2] = {"0123456789abcdef"[data[i] >> 4], "0123456789abcdef"[data[i] & 15]};
    put(digits, sizeof digits);
  }
  print("\n");
}
