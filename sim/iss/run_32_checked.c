// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The interpreter for RV32, with access rights to the byte and secret taint.
#define XLEN    32
#define CHECKED 1
#define RUN     run_32_checked

#include "execute.inc.h"
