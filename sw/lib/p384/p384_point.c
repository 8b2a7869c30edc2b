// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p384/p384_curve.h"
// The types of its constants:
#include "nistp/point.h"

static const fe_t kB = {{WORD(0x9d412dcc, 0x08118871), WORD(0x7a4c32ec, 0xf729add8),
                         WORD(0x1920022e, 0x77f2209b), WORD(0x94938ae2, 0xe3374bee),
                         WORD(0x1f022094, 0xb62b21f4), WORD(0x604fbff9, 0xcd08114b)}};

const point_t generator = {
    {{WORD(0x49c0b528, 0x3dd07566), WORD(0xa0d6ce38, 0x20e378e2), WORD(0x541b4d6e, 0x879c3afc),
      WORD(0x59a30eff, 0x64548684), WORD(0x614ede2b, 0x812ff723), WORD(0x299e1513, 0x4d3aadc2)}},
    {{WORD(0x4b03a4fe, 0x23043dad), WORD(0x7bb4a9ac, 0xa1bfa8bf), WORD(0x2e83b050, 0x8bade756),
      WORD(0x68f4ffd9, 0xc6c35219), WORD(0x3969a840, 0xdd800226), WORD(0x5a15c5e9, 0x2b78abc2)}},
    {{WORD(0x00000001, 0xffffffff), WORD(0xffffffff, 0x00000000), WORD(0x00000001, 0x00000000),
      WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000)}}};

// The same for all curves:
#include "nistp/point_impl.h"
