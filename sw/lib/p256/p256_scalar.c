// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_curve.h"
// The types of its constants:
#include "nistp/scalar.h"

const modulus_t order = {{WORD(0xfc632551, 0xf3b9cac2), WORD(0xa7179e84, 0xbce6faad),
                          WORD(0xffffffff, 0xffffffff), WORD(0x00000000, 0xffffffff)},
                         {WORD(0xbe79eea2, 0x83244c95), WORD(0x49bd6fa6, 0x4699799c),
                          WORD(0x2b6bec59, 0x2845b239), WORD(0xf3d95620, 0x66e12d94)},
                         (word_t)0xccd1c8aaee00bc4f};

// The same for all curves:
#include "nistp/scalar_impl.h"
