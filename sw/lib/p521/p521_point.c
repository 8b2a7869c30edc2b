// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p521/p521_curve.h"
// The types of its constants:
#include "nistp/point.h"

static const fe_t kB = {
    {WORD(0xae586387, 0x8014654f), WORD(0xea35a81f, 0x78f7a28f), WORD(0xc41e961a, 0x839ab9ef),
     WORD(0x5e9dd8df, 0xbd8b2960), WORD(0xa8f63f49, 0xf0ab0c9c), WORD(0xc8c77884, 0xf9dc5a44),
     WORD(0x2dccd98a, 0x77516d39), WORD(0xd05b42a0, 0x0fc94d10), WORD(0x0000004d, 0x00000000)}};

const point_t generator = {
    {{WORD(0x81adc101, 0xb331a163), WORD(0x18e172de, 0x4dfcbf3f), WORD(0xe0c2b521, 0x6f19a459),
      WORD(0x93d17fd4, 0x947f0ee0), WORD(0x3bf7f3ac, 0xdd50a5af), WORD(0xb035a69e, 0x90fc1457),
      WORD(0x9c829fda, 0x214e3240), WORD(0xb311cada, 0xe6cf1f65), WORD(0x00000074, 0x00000000)}},
    {{WORD(0x5a9e268e, 0x28460e4a), WORD(0x3b4fe8b3, 0x20445f4a), WORD(0x43513961, 0xb09a9e38),
      WORD(0x809fd683, 0x2062a85c), WORD(0x4caf7a13, 0x164bf739), WORD(0x8b939f33, 0x340bd7de),
      WORD(0x24abcda2, 0xeccc7aa2), WORD(0xda163e8d, 0x022e452f), WORD(0x000001e0, 0x00000000)}},
    {{WORD(0x00000000, 0x00800000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000),
      WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000),
      WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000)}}};

// The same for all curves:
#include "nistp/point_impl.h"
