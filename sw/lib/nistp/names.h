// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The names of one curve: what is written once for all curves has short names in the sources, and
// symbols with the curve's prefix. A file of a curve begins with the curve's header (p256_curve.h),
// which defines, before it includes this one,
//
//   CURVE(name)   the symbol: cry_p256_##name
//   CURVE_BITS    of p and of the order n
//   CURVE_PAIRS   of 32 bits that hold such a number: numbers have 64 * CURVE_PAIRS bits
//
// and may define, with assembly that has the same prototypes as the C,
//
//   CURVE_HAVE_PRODUCT_ASM, CURVE_HAVE_LINEAR_ASM                  of the field: products and
//                                                                  squares; all else
//   CURVE_HAVE_MODULAR_PRODUCT_ASM, CURVE_HAVE_MODULAR_LINEAR_ASM  the same modulo any number
#ifndef CRYPTILE_LIB_NISTP_NAMES_H
#define CRYPTILE_LIB_NISTP_NAMES_H

#define CURVE_BYTES        ((CURVE_BITS + 7) / 8)
#define CURVE_PUBLIC_BYTES (1 + 2 * CURVE_BYTES)
#define CURVE_DIGITS       ((CURVE_BITS + 3) / 4)

#define modular_mul_c    CURVE(modular_mul_c)
#define modular_sqr_c    CURVE(modular_sqr_c)
#define modular_add_c    CURVE(modular_add_c)
#define modular_sub_c    CURVE(modular_sub_c)
#define modular_mul_asm  CURVE(modular_mul_asm)
#define modular_sqr_asm  CURVE(modular_sqr_asm)
#define modular_add_asm  CURVE(modular_add_asm)
#define modular_sub_asm  CURVE(modular_sub_asm)
#define words_sub        CURVE(words_sub)
#define words_from_bytes CURVE(words_from_bytes)
#define words_to_bytes   CURVE(words_to_bytes)
#define words_are_zero   CURVE(words_are_zero)
#define words_select     CURVE(words_select)

#define fe_zero       CURVE(fe_zero)
#define fe_one        CURVE(fe_one)
#define fe_mul_c      CURVE(mul_c)
#define fe_sqr_c      CURVE(sqr_c)
#define fe_add_c      CURVE(add_c)
#define fe_sub_c      CURVE(sub_c)
#define fe_double_c   CURVE(double_c)
#define fe_triple_c   CURVE(triple_c)
#define fe_half_c     CURVE(half_c)
#define fe_mul_asm    CURVE(mul_asm)
#define fe_sqr_asm    CURVE(sqr_asm)
#define fe_add_asm    CURVE(add_asm)
#define fe_sub_asm    CURVE(sub_asm)
#define fe_double_asm CURVE(double_asm)
#define fe_triple_asm CURVE(triple_asm)
#define fe_half_asm   CURVE(half_asm)
#define fe_invert     CURVE(invert)
#define fe_from_bytes CURVE(fe_from_bytes)
#define fe_to_bytes   CURVE(fe_to_bytes)
#define fe_is_zero    CURVE(fe_is_zero)
#define fe_equal      CURVE(fe_equal)
#define fe_select     CURVE(fe_select)

#define order              CURVE(order)
#define scalar_from_bytes  CURVE(scalar_from_bytes)
#define scalar_from_number CURVE(scalar_from_number)
#define scalar_leftmost    CURVE(scalar_leftmost)
#define scalar_from_hash   CURVE(scalar_from_hash)
#define scalar_to_bytes    CURVE(scalar_to_bytes)
#define scalar_mul         CURVE(scalar_mul)
#define scalar_add         CURVE(scalar_add)
#define scalar_invert      CURVE(scalar_invert)
#define scalar_make_odd    CURVE(scalar_make_odd)

#define generator        CURVE(generator)
#define point_add        CURVE(point_add)
#define point_mul        CURVE(point_mul)
#define point_mul_add    CURVE(point_mul_add)
#define point_to_bytes   CURVE(point_to_bytes)
#define point_from_bytes CURVE(point_from_bytes)

#endif  // CRYPTILE_LIB_NISTP_NAMES_H
