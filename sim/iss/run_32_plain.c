// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The interpreter for RV32, without checks to the byte.
#define XLEN    32
#define CHECKED 0
#define RUN     run_32_plain

#include "execute.inc.h"
