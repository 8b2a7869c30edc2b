// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Instructions of Zb* in chains, for cores that have them: see timing_kernels.S.

  .option norelax

  .macro kernel name
  .balign 16
  .globl kernel_\name
kernel_\name:
  .endm

  .text
  kernel rotate
  .rept 32
  rori a0, a0, 7
  ror a0, a0, a1
  rol a0, a0, a1
  .endr
  ret

  kernel carryless
  .rept 16
  clmul a0, a0, a1
  clmulh a0, a0, a1
  clmulr a0, a0, a1
  .endr
  ret

  kernel permute
  .rept 16
  xperm4 a0, a0, a1
  xperm8 a0, a0, a1
  pack a0, a0, a1
  packh a0, a0, a1
  brev8 a0, a0
  zip a0, a0
  unzip a0, a0
  orc.b a0, a0
  .endr
  ret

  kernel bits
  .rept 16
  andn a0, a0, a1
  xnor a0, a0, a1
  sh2add a0, a0, a1
  rev8 a0, a0
  clz a2, a0
  cpop a3, a0
  min a4, a0, a1
  bset a5, a0, a1
  bexti a5, a0, 3
  zext.h a2, a0
  .endr
  ret
