// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Text output.
#ifndef CRYPTILE_HAL_CONSOLE_H
#define CRYPTILE_HAL_CONSOLE_H

#include <stdint.h>

void cry_console_text(const char *text);
void cry_console_decimal(uint32_t value);
void cry_console_hex(uint32_t value);

#endif  // CRYPTILE_HAL_CONSOLE_H
