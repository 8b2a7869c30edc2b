// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The end of a program.
#ifndef CRYPTILE_HAL_EXIT_H
#define CRYPTILE_HAL_EXIT_H

#include <stdint.h>

// Exit codes from here on mean a trap that nobody handled: ExitTrap + mcause.
enum { ExitTrap = 64 };

// Reports the exit code and sleeps for good. Called with main's result by the start-up code.
_Noreturn void cry_mcu_exit(uint32_t code);

// Called on interrupts and exceptions with the caller-saved registers kept. The default one ends
// the program; define your own to use interrupts.
void cry_trap_handler(uint32_t mcause, uint32_t mepc);

#endif  // CRYPTILE_HAL_EXIT_H
