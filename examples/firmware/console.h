// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The console of an example, and where it begins.
#ifndef EXAMPLES_FIRMWARE_CONSOLE_H
#define EXAMPLES_FIRMWARE_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

// Prints text.
void print(const char *text);

// Prints a name and bytes in hexadecimal, on a line.
void print_bytes(const char *name, const uint8_t *data, size_t length);

// What an example does; it returns the exit code.
int example(void);

#endif  // EXAMPLES_FIRMWARE_CONSOLE_H
