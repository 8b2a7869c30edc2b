// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Several builds of the library in one program on 64-bit Linux: which one runs is chosen at start
// by what all cores of the machine have.
//
// The choice is made by a constructor of priority 101, before other constructors and main(). Until
// then, and where the kernel cannot tell, the first build runs. cryptile_aes_bitsliced stands for
// the best constant-time AES of the chosen build.
#ifndef CRYPTILE_DISPATCH_H
#define CRYPTILE_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A question to the kernel and its answer (Documentation/arch/riscv/hwprobe.rst). A key that it
// does not know becomes -1.
typedef struct {
  int64_t key;
  uint64_t value;
} cryptile_hwprobe_t;

// Asks the kernel about all online cores: the system call riscv_hwprobe. Returns 0, or a negative
// error number; Linux before 6.4 has -ENOSYS. A program may define this function itself, to
// restrict the choice.
long cryptile_dispatch_hwprobe(cryptile_hwprobe_t *pairs, size_t count);

// Makes the choice: of the builds that run here, the last. Only for programs whose start-up code
// runs no constructors; to be called before any other function, from one thread.
void cryptile_dispatch_init(void);

// The instruction set of the chosen build.
const char *cryptile_dispatch_name(void);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_DISPATCH_H
