// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Measurement records on the console, one a line: R <metric> <key>=<value> ... <value>
#ifndef CRYPTILE_APPS_RECORD_H
#define CRYPTILE_APPS_RECORD_H

#include "console.h"

static inline void record_begin(const char *metric) {
  cry_console_text("R ");
  cry_console_text(metric);
}

static inline void record_text(const char *key, const char *value) {
  cry_console_text(" ");
  cry_console_text(key);
  cry_console_text("=");
  cry_console_text(value);
}

static inline void record_number(const char *key, uint32_t value) {
  cry_console_text(" ");
  cry_console_text(key);
  cry_console_text("=");
  cry_console_decimal(value);
}

static inline void record_end(uint32_t value) {
  cry_console_text(" ");
  cry_console_decimal(value);
  cry_console_text("\n");
}

#endif  // CRYPTILE_APPS_RECORD_H
