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
  call cry_mcu_exit       // with main's result in a0

// Keeps the caller-saved registers around cry_trap_handler(mcause, mepc), which sees what it would see on a
// 32-bit core: the interrupt flag in bit 31.
  .section .trap, "ax"
  .balign 4
trap_entry:
  addi sp, sp, -128
  sd ra, 0(sp)
  sd t0, 8(sp)
  sd t1, 16(sp)
  sd t2, 24(sp)
  sd a0, 32(sp)
  sd a1, 40(sp)
  sd a2, 48(sp)
  sd a3, 56(sp)
  sd a4, 64(sp)
  sd a5, 72(sp)
  sd a6, 80(sp)
  sd a7, 88(sp)
  sd t3, 96(sp)
  sd t4, 104(sp)
  sd t5, 112(sp)
  sd t6, 120(sp)
  csrr a0, mcause
  srli a1, a0, 32
  or a0, a0, a1
  sext.w a0, a0
  csrr a1, mepc
  sext.w a1, a1
  call cry_trap_handler
  ld ra, 0(sp)
  ld t0, 8(sp)
  ld t1, 16(sp)
  ld t2, 24(sp)
  ld a0, 32(sp)
  ld a1, 40(sp)
  ld a2, 48(sp)
  ld a3, 56(sp)
  ld a4, 64(sp)
  ld a5, 72(sp)
  ld a6, 80(sp)
  ld a7, 88(sp)
  ld t3, 96(sp)
  ld t4, 104(sp)
  ld t5, 112(sp)
  ld t6, 120(sp)
  addi sp, sp, 128
  mret
