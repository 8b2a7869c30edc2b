// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_curve.h"
// The types of its constants:
#include "nistp/point.h"

static const fe_t kB = {{WORD(0x29c4bddf, 0xd89cdf62), WORD(0x78843090, 0xacf005cd),
                         WORD(0xf7212ed6, 0xe5a220ab), WORD(0x04874834, 0xdc30061d)}};

const point_t generator = {{{WORD(0x18a9143c, 0x79e730d4), WORD(0x5fedb601, 0x75ba95fc),
                             WORD(0x77622510, 0x79fb732b), WORD(0xa53755c6, 0x18905f76)}},
                           {{WORD(0xce95560a, 0xddf25357), WORD(0xba19e45c, 0x8b4ab8e4),
                             WORD(0xdd21f325, 0xd2e88688), WORD(0x25885d85, 0x8571ff18)}},
                           {{WORD(0x00000001, 0x00000000), WORD(0x00000000, 0xffffffff),
                             WORD(0xffffffff, 0xffffffff), WORD(0xfffffffe, 0x00000000)}}};

// The same for all curves:
#include "nistp/point_impl.h"
