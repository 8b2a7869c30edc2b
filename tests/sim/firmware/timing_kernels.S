// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Pieces of code whose cycles a core and its timing model must agree on. Each is a function
// without arguments.

  .option norelax

  .macro kernel name
  .balign 16
  .globl kernel_\name
  .type kernel_\name, @function
kernel_\name:
  .endm

  .text
  kernel empty
  ret

  .option push
  .option norvc

  kernel alu_chain
  .rept 64
  add a0, a0, a1
  xor a0, a0, a2
  .endr
  ret

  kernel alu_independent
  .rept 32
  add a0, a1, a2
  sll a3, a1, a2
  and a4, a1, a2
  sltu a5, a1, a2
  .endr
  ret

  kernel load_use
  la a0, kernel_data
  .rept 32
  lw a1, 0(a0)
  add a2, a2, a1
  .endr
  ret

  kernel load_gap
  la a0, kernel_data
  .rept 32
  lw a1, 0(a0)
  xor a3, a3, a2
  add a2, a2, a1
  .endr
  ret

  kernel load_gap2
  la a0, kernel_data
  .rept 32
  lw a1, 0(a0)
  xor a3, a3, a2
  xor a3, a3, a4
  add a2, a2, a1
  .endr
  ret

  kernel load_chain
  la a0, kernel_data
  sw a0, 0(a0)
  .rept 32
  lw a0, 0(a0)
  .endr
  ret

  kernel load_stream
  la a0, kernel_data
  .rept 16
  lw a1, 0(a0)
  lw a2, 4(a0)
  lbu a3, 8(a0)
  lhu a4, 12(a0)
  .endr
  ret

  kernel load_branch
  la a0, kernel_data
  sw zero, 4(a0)
  .rept 16
  lw a1, 4(a0)
  bnez a1, 1f
  .endr
1:
  ret

  kernel store_stream
  la a0, kernel_data
  .rept 32
  sw a1, 0(a0)
  sb a2, 4(a0)
  .endr
  ret

  kernel load_to_store
  la a0, kernel_data
  .rept 32
  lw a1, 0(a0)
  sw a1, 4(a0)
  .endr
  ret

  kernel copy
  la a0, kernel_data
  .rept 16
  lw a1, 0(a0)
  lw a2, 4(a0)
  sw a1, 8(a0)
  sw a2, 12(a0)
  .endr
  ret

  kernel mul_chain
  li a0, 3
  .rept 32
  mul a0, a0, a0
  .endr
  ret

  kernel mul_independent
  .rept 32
  mul a0, a1, a2
  mul a3, a1, a2
  .endr
  ret

  kernel mul_use
  .rept 32
  mul a0, a1, a2
  add a3, a3, a0
  .endr
  ret

  kernel mulhu_chain
  li a0, -3
  .rept 32
  mulhu a0, a0, a0
  .endr
  ret

  kernel mul_pair
  li a1, 0x12345
  .rept 32
  mul a0, a1, a2
  mulhu a3, a1, a2
  .endr
  ret

  kernel mulh_signed
  li a1, -12345
  .rept 16
  mulh a0, a1, a2
  mulhsu a3, a1, a2
  .endr
  ret

  .macro division operation, dividend, divisor
  li a1, \dividend
  li a2, \divisor
  .rept 8
  \operation a0, a1, a2
  .endr
  .endm

  kernel div_small
  division divu, 1000, 7
  ret

  kernel div_large
  division divu, 0xfedcba98, 3
  ret

  kernel div_alike
  division remu, 0xfedcba98, 0x87654321
  ret

  kernel div_signed
  division div, -1000000, 1234
  division rem, 1000000, -1234
  ret

  kernel div_zero
  division divu, 1000, 0
  ret

  kernel div_use
  li a0, -1
  li a2, 3
  .rept 8
  divu a0, a0, a2
  .endr
  ret

  kernel loop
  li a0, 64
1:
  addi a0, a0, -1
  bnez a0, 1b
  ret

  kernel loop_long
  li a0, 32
1:
  add a1, a1, a2
  add a1, a1, a2
  add a1, a1, a2
  add a1, a1, a2
  addi a0, a0, -1
  bnez a0, 1b
  ret

  kernel not_taken
  .rept 64
  bnez zero, 1f
  .endr
1:
  ret

  kernel taken
  .rept 32
  beqz zero, 1f
  nop
1:
  .endr
  ret

  kernel alternating
  li a0, 64
1:
  andi a1, a0, 1
  beqz a1, 2f
  add a2, a2, a1
2:
  addi a0, a0, -1
  bnez a0, 1b
  ret

  kernel jumps
  .rept 32
  j 1f
  nop
1:
  .endr
  ret

  kernel calls
  mv t0, ra
  .rept 16
  jal ra, return_here
  .endr
  jr t0

  // A jump to an address that was just computed, and with one or two instructions between.
  kernel calls_computed
  mv t0, ra
  .rept 16
  auipc t1, 0
  addi t1, t1, 16
  jr t1
  nop
  .endr
  jr t0

  kernel calls_computed_gap
  mv t0, ra
  .rept 16
  auipc t1, 0
  addi t1, t1, 20
  nop
  jr t1
  nop
  .endr
  jr t0

  kernel calls_computed_gap2
  mv t0, ra
  .rept 16
  auipc t1, 0
  addi t1, t1, 24
  nop
  nop
  jr t1
  nop
  .endr
  jr t0

  kernel calls_far
  mv t0, ra
  .rept 16
  auipc ra, 0
  jalr ra, 12(ra)
  nop
  .endr
  jr t0

  kernel calls_far_gap
  mv t0, ra
  .rept 16
  auipc ra, 0
  nop
  jalr ra, 16(ra)
  nop
  .endr
  jr t0

  kernel calls_far_other
  mv t0, ra
  .rept 16
  auipc t1, 0
  jalr ra, 12(t1)
  nop
  .endr
  jr t0

  // Returns to an address that comes from memory.
  .macro loaded_jump nops
  mv t0, ra
  la a0, kernel_data
  .rept 16
  auipc t1, 0
  addi t1, t1, 20 + 4 * \nops
  sw t1, 0(a0)
  lw t1, 0(a0)
  .rept \nops
  nop
  .endr
  jr t1
  .endr
  jr t0
  .endm

  kernel calls_loaded
  loaded_jump 0

  kernel calls_loaded_gap
  loaded_jump 1

  kernel calls_loaded_gap2
  loaded_jump 2

  // A value that is there late, and a branch on it.
  kernel mul_branch
  li a2, 0
  .rept 16
  mul a0, a1, a2
  bnez a0, 1f
  .endr
1:
  ret

  kernel mulh_jump
  .rept 16
  mulhu a0, a1, a2
  j 1f
1:
  .endr
  ret

  kernel load_jump
  la a0, kernel_data
  .rept 16
  lw a1, 0(a0)
  j 1f
1:
  .endr
  ret

  kernel store_branch
  la a0, kernel_data
  .rept 16
  sw a1, 0(a0)
  beqz zero, 1f
1:
  .endr
  ret

  .option pop

  kernel compressed
  li a0, 32
1:
  add a1, a1, a2
  xor a1, a1, a2
  add a1, a1, a2
  addi a0, a0, -1
  bnez a0, 1b
  ret

  // The loop starts with a 32-bit instruction that is not on a word boundary.
  kernel misaligned_target
  c.li a0, 31
  .option push
  .option norvc
1:
  addi a0, a0, -1
  add a1, a1, a2
  bnez a0, 1b
  .option pop
  ret

  // Jumps to such instructions.
  kernel misaligned_jumps
  .rept 16
  .balign 4
  c.j 1f
  c.nop
  c.nop
1:
  .option push
  .option norvc
  add a1, a1, a2
  .option pop
  .endr
  ret

  // Mixed lengths: 32-bit instructions across word boundaries, without jumps.
  kernel mixed_lengths
  .rept 32
  c.add a1, a2
  .option push
  .option norvc
  add a3, a1, a2
  xor a4, a1, a2
  .option pop
  .endr
  ret

  .balign 4
return_here:
  ret

  .bss
  .balign 16
  .globl kernel_data
kernel_data:
  .space 64
