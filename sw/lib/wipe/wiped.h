// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Nothing secret stays behind a public function: it is a shell around the one that does the work,
//
//   cryptile_status_t cryptile_x25519(...) {
//     return WIPED(x25519(...), STACK(688, 768));
//   }
//
// and, the work done, zeroizes the stack that it had, what the compiler spilled included, and the
// registers that it need not preserve. The work is marked WORK and never becomes part of its shell.
// Functions inside the library call the work of others, not their shells: that would cost time.
//
// Shells may not have secrets in variables of their own, but what the work zeroizes before it ends.
//
// An interrupt during the work saves registers, which may hold secrets, below the stack pointer. If
// its handler shares the stack, what it saves may lie below the bound and stay: give handlers a
// stack of their own, or let them zeroize what they have saved.
#ifndef CRYPTILE_LIB_WIPED_H
#define CRYPTILE_LIB_WIPED_H

#include <stddef.h>

#if defined(__clang__)
#define WORK __attribute__((noinline))
#else
#define WORK __attribute__((noipa))
#endif

// The bytes of stack of a function with all that it calls, on RV32 and RV64 at -O2. Elsewhere
// frames may be larger. The tests compare the bounds for RISC-V with what each function uses.
#if !defined(__riscv)
#define STACK(rv32, rv64) ((size_t)(2 * (rv64) + 512))
#elif __riscv_xlen == 64
#define STACK(rv32, rv64) ((size_t)(rv64))
#else
#define STACK(rv32, rv64) ((size_t)(rv32))
#endif

#define WIPED(work, bytes) (cry_wipe_stack((work), (bytes)))

// Zeroizes at least `bytes` bytes below the caller's stack pointer, and all registers that a
// function need not preserve but the one with the result: `status`, which it returns.
//
// Not zeroized: on RISC-V the registers of F, D and V, which the library does not use itself; on
// x86-64 the upper halves of vector registers unless it is built with AVX, and those of AVX-512
// unless it is built with that; on other processors, and on Windows, any register.
//
// Constant time. Stack: 0 bytes, but what it zeroizes, rounded up to 64 bytes, must be there.
int cry_wipe_stack(int status, size_t bytes);

#endif  // CRYPTILE_LIB_WIPED_H
