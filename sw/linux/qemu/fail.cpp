// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

#include "fail.h"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>

void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("cryptile tile: ", stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  fflush(nullptr);
  // Not exit(): QEMU's other threads wait for locks that this one holds.
  _exit(70);
}
