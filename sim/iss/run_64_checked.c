// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The interpreter for RV64, with access rights to the byte and secret taint.
#define XLEN    64
#define CHECKED 1
#define RUN     run_64_checked

#include "execute.inc.h"
