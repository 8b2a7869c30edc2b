// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the firmware prints, by LiteX' UART.
#ifndef CRYPTILE_EXAMPLES_LITEX_CONSOLE_H
#define CRYPTILE_EXAMPLES_LITEX_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

void console_text(const char *s);
void console_hex(const uint8_t *data, size_t len);  // and a new line
void console_number(uint32_t value);                // and a new line
void console_end(void);                             // tells the simulation that nothing follows

#endif  // CRYPTILE_EXAMPLES_LITEX_CONSOLE_H
