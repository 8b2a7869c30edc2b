// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// The end of the whole simulation, QEMU's included, with one line on standard error.
#pragma once

// The message is as for printf. The exit status is 70 (EX_SOFTWARE).
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
