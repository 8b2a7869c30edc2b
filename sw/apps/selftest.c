// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "selftest.h"

#include <stddef.h>

#include "console.h"

static const char *current;
static const char *current_subject;
static bool current_good;
static unsigned failures;

static void finish(void) {
  if (current != NULL) {
    cry_console_text(current_good ? "ok   " : "FAIL ");
    cry_console_text(current_subject);
    cry_console_text(" ");
    cry_console_text(current);
    cry_console_text("\n");
    failures += !current_good;
  }
  current = NULL;
}

void test_begin(const char *name, const char *subject) {
  finish();
  current = name;
  current_subject = subject;
  current_good = true;
}

void test_check(bool good, int line) {
  if (!good) {
    current_good = false;
    cry_console_text("     line ");
    cry_console_decimal((uint32_t)line);
    cry_console_text("\n");
  }
}

int main(void) {
  test_api(&cryptile_aes_compact);
  test_api(&cryptile_aes_table);
  test_api(&cryptile_aes_engine_poll);
  test_api(&cryptile_aes_engine_sleep);
  test_engine();
  finish();
  cry_console_text(failures == 0 ? "selftest passed\n" : "selftest failed\n");
  return failures == 0 ? 0 : 1;
}
