// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p521/p521_curve.h"
// The types of its constants:
#include "nistp/scalar.h"

const modulus_t order = {
    {WORD(0x91386409, 0xbb6fb71e), WORD(0x899c47ae, 0x3bb5c9b8), WORD(0xf709a5d0, 0x7fcc0148),
     WORD(0xbf2f966b, 0x51868783), WORD(0xfffffffa, 0xffffffff), WORD(0xffffffff, 0xffffffff),
     WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff), WORD(0x000001ff, 0x00000000)},
    {WORD(0xcf15dd04, 0x137cd04d), WORD(0xe5547ea3, 0xf707badc), WORD(0x794573ff, 0x12a78d38),
     WORD(0x57f75e06, 0xd3721ef5), WORD(0x2e49c7db, 0xdd6e23d8), WORD(0xb7756e3e, 0xcff3d142),
     WORD(0xa8e567bc, 0x5bcc6d61), WORD(0x492d0d45, 0x2d8e03d1), WORD(0x0000003d, 0x00000000)},
    (word_t)0x1d2f5ccd79a995c7};

// The same for all curves:
#include "nistp/scalar_impl.h"
