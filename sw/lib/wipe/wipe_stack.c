// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "wipe/wiped.h"

#if defined(__riscv) || (defined(__x86_64__) && !defined(_WIN32))
// The arguments are where the calling convention has them.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define ROUTINE __attribute__((naked)) WORK
#endif

#if defined(__riscv)

#if __riscv_xlen == 64
#define STORE "sd"
#define WORD  "8"
#else
#define STORE "sw"
#define WORD  "4"
#endif

// Blocks of 8 words, from the stack pointer downwards: it is a multiple of 16.
ROUTINE int wipe_stack(int status, size_t bytes) {
  __asm__ volatile(
      "  sub a1, sp, a1\n"
      "  mv a2, sp\n"
      "1:\n"
      "  addi a2, a2, -8 * " WORD
      "\n"
      "  " STORE " zero, 7 * " WORD
      "(a2)\n"
      "  " STORE " zero, 6 * " WORD
      "(a2)\n"
      "  " STORE " zero, 5 * " WORD
      "(a2)\n"
      "  " STORE " zero, 4 * " WORD
      "(a2)\n"
      "  " STORE " zero, 3 * " WORD
      "(a2)\n"
      "  " STORE " zero, 2 * " WORD
      "(a2)\n"
      "  " STORE " zero, 1 * " WORD
      "(a2)\n"
      "  " STORE " zero, 0 * " WORD
      "(a2)\n"
      "  bltu a1, a2, 1b\n"
      "  li a1, 0\n"
      "  li a2, 0\n"
      "  li a3, 0\n"
      "  li a4, 0\n"
      "  li a5, 0\n"
      "  li t0, 0\n"
      "  li t1, 0\n"
      "  li t2, 0\n"
#if !defined(__riscv_32e) && !defined(__riscv_64e)
      "  li a6, 0\n"
      "  li a7, 0\n"
      "  li t3, 0\n"
      "  li t4, 0\n"
      "  li t5, 0\n"
      "  li t6, 0\n"
#endif
      "  ret\n");
}

#elif defined(__x86_64__) && !defined(_WIN32)

ROUTINE int wipe_stack(int status, size_t bytes) {
  __asm__ volatile(
      "  mov %edi, %r8d\n"
      "  lea 7(%rsi), %rcx\n"
      "  shr $3, %rcx\n"
      "  lea 0(,%rcx,8), %rax\n"
      "  mov %rsp, %rdi\n"
      "  sub %rax, %rdi\n"
      "  xor %eax, %eax\n"
      "  rep stosq\n"
      "  mov %r8d, %eax\n"
      "  xor %ecx, %ecx\n"
      "  xor %edx, %edx\n"
      "  xor %esi, %esi\n"
      "  xor %edi, %edi\n"
      "  xor %r8d, %r8d\n"
      "  xor %r9d, %r9d\n"
      "  xor %r10d, %r10d\n"
      "  xor %r11d, %r11d\n"
      "  pxor %xmm0, %xmm0\n"
      "  pxor %xmm1, %xmm1\n"
      "  pxor %xmm2, %xmm2\n"
      "  pxor %xmm3, %xmm3\n"
      "  pxor %xmm4, %xmm4\n"
      "  pxor %xmm5, %xmm5\n"
      "  pxor %xmm6, %xmm6\n"
      "  pxor %xmm7, %xmm7\n"
      "  pxor %xmm8, %xmm8\n"
      "  pxor %xmm9, %xmm9\n"
      "  pxor %xmm10, %xmm10\n"
      "  pxor %xmm11, %xmm11\n"
      "  pxor %xmm12, %xmm12\n"
      "  pxor %xmm13, %xmm13\n"
      "  pxor %xmm14, %xmm14\n"
      "  pxor %xmm15, %xmm15\n"
      "  ret\n");
}

#else

// In C an array of its own stands for what lies below; registers are left to the compiler.
WORK int wipe_stack(int status, size_t bytes) {
  unsigned char below[bytes + 64];
  volatile unsigned char *byte = below;
  for (size_t i = 0; i < sizeof below; i++) {
    byte[i] = 0;
  }
  return status;
}

#endif
