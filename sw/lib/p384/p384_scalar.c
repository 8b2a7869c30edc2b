// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p384/p384_curve.h"
// The types of its constants:
#include "nistp/scalar.h"

const modulus_t order = {
    {WORD(0xccc52973, 0xecec196a), WORD(0x48b0a77a, 0x581a0db2), WORD(0xf4372ddf, 0xc7634d81),
     WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff)},
    {WORD(0x19b409a9, 0x2d319b24), WORD(0xdf1aa419, 0xff3d81e5), WORD(0xfcb82947, 0xbc3e483a),
     WORD(0x4aab1cc5, 0xd40d4917), WORD(0x28266895, 0x3fb05b7a), WORD(0x2b39bf21, 0x0c84ee01)},
    (word_t)0x6ed46089e88fdc45};

// The same for all curves:
#include "nistp/scalar_impl.h"
