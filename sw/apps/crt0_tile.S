// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Start-up code of the tile SoC: the boot ROM jumps to the start of memory, in machine mode.
  .section .start, "ax"
  .globl start
start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, stack_top
  la t0, trap_entry
  csrw mtvec, t0
  csrw mie, zero
  la a0, bss_start
  la a1, bss_end
  j 2f
1:
  sd zero, 0(a0)
  addi a0, a0, 8
2:
  bltu a0, a1, 1b
  call main
  call mcu_exit       // with main's result in a0

// Nobody comes back from trap_handler(mcause, mepc): programs here use no interrupt handlers.
  .balign 4
trap_entry:
  csrr a0, mcause
  csrr a1, mepc
  call trap_handler
  li a0, 127
  call mcu_exit
