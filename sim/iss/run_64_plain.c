// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The interpreter for RV64, without checks to the byte.
#define XLEN    64
#define CHECKED 0
#define RUN     run_64_plain

#include "execute.inc.h"
