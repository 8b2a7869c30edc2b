// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The curve P-256, for the files that all curves share (nistp/names.h).
#ifndef CRYPTILE_LIB_P256_CURVE_H
#define CRYPTILE_LIB_P256_CURVE_H

#define CURVE(name) cry_p256_##name
#define CURVE_BITS  256
#define CURVE_PAIRS 4

#if HAVE_CRY_P256_MUL_ASM
#define CURVE_HAVE_PRODUCT_ASM 1
#define CURVE_HAVE_LINEAR_ASM  1
#endif
#if HAVE_CRY_P256_MODULAR_MUL_ASM
#define CURVE_HAVE_MODULAR_PRODUCT_ASM 1
#endif

#endif  // CRYPTILE_LIB_P256_CURVE_H
