// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// Refuses a QEMU whose inside is another than qemu.h says.
#pragma once

#include "options.h"
#include "qemu.h"

// Before anything of QEMU is used: its version.
void check_version();

// When the device is in the machine: what was set up with qemu.h's structs does what it should.
// `region` has `slack` bytes behind it which were zero.
void check_layouts(const Options &options, void *region, const uint8_t *slack, size_t slack_size,
                   QEMUTimer &timer);
