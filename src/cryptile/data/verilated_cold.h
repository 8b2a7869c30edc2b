// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What runs once, such as a model's first settling, is as large as what runs in every cycle:
// optimising it takes the compiler a fifth of its time.
#pragma once

#include <verilatedos.h>

#ifdef __GNUC__
#undef VL_ATTR_COLD
#define VL_ATTR_COLD __attribute__((cold, optimize("O0")))
#endif
