// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "wipe/wiped.h"

#if defined(__x86_64__) && defined(__LP64__) && !defined(__CYGWIN__)
#define X86_64_SYSV 1  // the calling convention that the routine below is for
#endif

#if defined(__riscv) || defined(X86_64_SYSV)
// The arguments are where the calling convention has them.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define ROUTINE __attribute__((naked)) WORK
#endif

// Registers first: an interrupt while the stack is zeroized would store them on it once more. Then
// blocks of 8 words, from the stack pointer downwards.
#if defined(__riscv)

#if __riscv_xlen == 64
#define STORE "sd"
#define WORD  "8"
#else
#define STORE "sw"
#define WORD  "4"
#endif

ROUTINE int cry_wipe_stack(int status, size_t bytes) {
  __asm__ volatile(
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
      "  ret\n");
}

#elif defined(X86_64_SYSV)

ROUTINE int cry_wipe_stack(int status, size_t bytes) {
  __asm__ volatile(
      "  mov %edi, %eax\n"
      "  xor %edx, %edx\n"
      "  xor %r8d, %r8d\n"
      "  xor %r9d, %r9d\n"
      "  xor %r10d, %r10d\n"
      "  xor %r11d, %r11d\n"
#if defined(__AVX512F__)
      "  .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
      "  vpxorq %zmm\\n, %zmm\\n, %zmm\\n\n"
      "  .endr\n"
      "  .irp n, 0, 1, 2, 3, 4, 5, 6, 7\n"
      "  kxorw %k\\n, %k\\n, %k\\n\n"
      "  .endr\n"
#endif
#if defined(__AVX__)
      "  vzeroall\n"
#else
      "  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
      "  pxor %xmm\\n, %xmm\\n\n"
      "  .endr\n"
#endif
      "  mov %rsp, %rdi\n"
      "  mov %rsp, %rcx\n"
      "  sub %rsi, %rcx\n"
      "  xor %esi, %esi\n"
      "1:\n"
      "  sub $64, %rdi\n"
      "  mov %rsi, 56(%rdi)\n"
      "  mov %rsi, 48(%rdi)\n"
      "  mov %rsi, 40(%rdi)\n"
      "  mov %rsi, 32(%rdi)\n"
      "  mov %rsi, 24(%rdi)\n"
      "  mov %rsi, 16(%rdi)\n"
      "  mov %rsi, 8(%rdi)\n"
      "  mov %rsi, 0(%rdi)\n"
      "  cmp %rdi, %rcx\n"
      "  jb 1b\n"
      "  xor %ecx, %ecx\n"
      "  xor %edi, %edi\n"
      "  ret\n");
}

#else

// In C an array of its own stands for what lies below; registers are left to the compiler.
WORK int cry_wipe_stack(int status, size_t bytes) {
  unsigned char below[bytes + 64];
  volatile unsigned char *byte = below;
  for (size_t i = 0; i < sizeof below; i++) {
    byte[i] = 0;
  }
  return status;
}

#endif
