// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// uint32_t measure(void (*kernel)(void)): calls a function, returns what mcycle counted meanwhile.

  .option norelax
  .text
  .balign 16
  .globl measure
measure:
  addi sp, sp, -16
  sw ra, 12(sp)
  sw s0, 8(sp)
  mv t6, a0
  csrr s0, mcycle
  jalr ra, t6
  csrr a0, mcycle
  sub a0, a0, s0
  lw ra, 12(sp)
  lw s0, 8(sp)
  addi sp, sp, 16
  ret
