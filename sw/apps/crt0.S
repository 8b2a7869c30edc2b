// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Vectors and start-up code. Vector table at 0x0 (32 entries of 4 bytes), reset at 0x80: the addresses
// of both CV32E40P and Ibex.

  .section .vectors, "ax"
  .option push
  .option norvc
  .rept 32
  j trap_entry
  .endr
  .globl reset
reset:
  j start
  .option pop

  .text
start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, stack_top
  csrwi mtvec, 1          // vectored, table at 0x0
  csrwi 0x320, 0          // mcountinhibit: some cores start with the counters stopped
  la a0, bss_start
  la a1, bss_end
  j 2f
1:
  sw zero, 0(a0)
  addi a0, a0, 4
2:
  bltu a0, a1, 1b
  call main
  call cry_mcu_exit           // with main's result in a0

// Keeps the caller-saved registers around cry_trap_handler(mcause, mepc).
  .section .text.trap_entry, "ax"
trap_entry:
  addi sp, sp, -64
  sw ra, 0(sp)
  sw t0, 4(sp)
  sw t1, 8(sp)
  sw t2, 12(sp)
  sw a0, 16(sp)
  sw a1, 20(sp)
  sw a2, 24(sp)
  sw a3, 28(sp)
  sw a4, 32(sp)
  sw a5, 36(sp)
  sw a6, 40(sp)
  sw a7, 44(sp)
  sw t3, 48(sp)
  sw t4, 52(sp)
  sw t5, 56(sp)
  sw t6, 60(sp)
  csrr a0, mcause
  csrr a1, mepc
  call cry_trap_handler
  lw ra, 0(sp)
  lw t0, 4(sp)
  lw t1, 8(sp)
  lw t2, 12(sp)
  lw a0, 16(sp)
  lw a1, 20(sp)
  lw a2, 24(sp)
  lw a3, 28(sp)
  lw a4, 32(sp)
  lw a5, 36(sp)
  lw a6, 40(sp)
  lw a7, 44(sp)
  lw t3, 48(sp)
  lw t4, 52(sp)
  lw t5, 56(sp)
  lw t6, 60(sp)
  addi sp, sp, 64
  mret
