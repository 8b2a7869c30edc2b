// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_point.h"

#include <assert.h>

#include "wipe.h"

static const p256_fe_t kB = {{P256_WORD(0x29c4bddf, 0xd89cdf62), P256_WORD(0x78843090, 0xacf005cd),
                              P256_WORD(0xf7212ed6, 0xe5a220ab),
                              P256_WORD(0x04874834, 0xdc30061d)}};

const p256_point_t cry_p256_generator = {
    {{P256_WORD(0x18a9143c, 0x79e730d4), P256_WORD(0x5fedb601, 0x75ba95fc),
      P256_WORD(0x77622510, 0x79fb732b), P256_WORD(0xa53755c6, 0x18905f76)}},
    {{P256_WORD(0xce95560a, 0xddf25357), P256_WORD(0xba19e45c, 0x8b4ab8e4),
      P256_WORD(0xdd21f325, 0xd2e88688), P256_WORD(0x25885d85, 0x8571ff18)}},
    {{P256_WORD(0x00000001, 0x00000000), P256_WORD(0x00000000, 0xffffffff),
      P256_WORD(0xffffffff, 0xffffffff), P256_WORD(0xfffffffe, 0x00000000)}}};

// Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves", EUROCRYPT
// 2016, algorithm 4 (a = -3), with its names.
void cry_p256_point_add(p256_point_t *r, const p256_point_t *a, const p256_point_t *b) {
  p256_fe_t t0, t1, t2, t3, t4, x3, y3, z3;
  cry_p256_mul(&t0, &a->x, &b->x);
  cry_p256_mul(&t1, &a->y, &b->y);
  cry_p256_mul(&t2, &a->z, &b->z);
  cry_p256_add(&t3, &a->x, &a->y);
  cry_p256_add(&t4, &b->x, &b->y);
  cry_p256_mul(&t3, &t3, &t4);
  cry_p256_add(&t4, &t0, &t1);
  cry_p256_sub(&t3, &t3, &t4);
  cry_p256_add(&t4, &a->y, &a->z);
  cry_p256_add(&x3, &b->y, &b->z);
  cry_p256_mul(&t4, &t4, &x3);
  cry_p256_add(&x3, &t1, &t2);
  cry_p256_sub(&t4, &t4, &x3);
  cry_p256_add(&x3, &a->x, &a->z);
  cry_p256_add(&y3, &b->x, &b->z);
  cry_p256_mul(&x3, &x3, &y3);
  cry_p256_add(&y3, &t0, &t2);
  cry_p256_sub(&y3, &x3, &y3);
  cry_p256_mul(&z3, &kB, &t2);
  cry_p256_sub(&x3, &y3, &z3);
  cry_p256_triple(&x3, &x3);
  cry_p256_sub(&z3, &t1, &x3);
  cry_p256_add(&x3, &t1, &x3);
  cry_p256_mul(&y3, &kB, &y3);
  cry_p256_triple(&t2, &t2);
  cry_p256_sub(&y3, &y3, &t2);
  cry_p256_sub(&y3, &y3, &t0);
  cry_p256_triple(&y3, &y3);
  cry_p256_triple(&t0, &t0);
  cry_p256_sub(&t0, &t0, &t2);
  cry_p256_mul(&t1, &t4, &y3);
  cry_p256_mul(&t2, &t0, &y3);
  cry_p256_mul(&y3, &x3, &z3);
  cry_p256_add(&r->y, &y3, &t2);
  cry_p256_mul(&x3, &t3, &x3);
  cry_p256_sub(&r->x, &x3, &t1);
  cry_p256_mul(&z3, &t4, &z3);
  cry_p256_mul(&t1, &t3, &t0);
  cry_p256_add(&r->z, &z3, &t1);
}

// Jacobian coordinates, where doubling is cheapest: the affine point is (x / z^2, y / z^3), the
// neutral element (1 : 1 : 0).
typedef struct {
  p256_fe_t x, y, z;
} jacobian_t;

enum { TableSize = 8, AddendWords = 5 * P256_WORDS };

// A point to be added many times, with powers of its z; also as plain words.
typedef union {
  struct {
    jacobian_t point;
    p256_fe_t z2, z3;
  };
  p256_word_t words[AddendWords];
} addend_t;

static_assert(sizeof(addend_t) == AddendWords * sizeof(p256_word_t), "no padding");

static void to_jacobian(jacobian_t *r, const p256_point_t *a) {
  p256_fe_t square;
  p256_word_t neutral = cry_p256_fe_is_zero(&a->z);
  cry_p256_sqr(&square, &a->z);
  cry_p256_mul(&r->x, &a->x, &a->z);
  cry_p256_mul(&r->y, &a->y, &square);
  r->z = a->z;
  cry_p256_fe_select(&r->x, &cry_p256_fe_one, neutral);
  cry_p256_fe_select(&r->y, &cry_p256_fe_one, neutral);
}

static void from_jacobian(p256_point_t *r, const jacobian_t *a) {
  p256_fe_t square;
  cry_p256_sqr(&square, &a->z);
  cry_p256_mul(&r->x, &a->x, &a->z);
  r->y = a->y;
  cry_p256_mul(&r->z, &a->z, &square);
}

// r = 2 r, Bernstein, Lange, Explicit-Formulas Database, dbl-2001-b, with 2 y taken first:
// g = (2 y)^2, so that y = alpha (x g - x') - g^2 / 2. On a curve of odd order no doubling is
// exceptional.
static void jacobian_double(jacobian_t *r) {
  p256_fe_t alpha, beta, gamma, t;
  cry_p256_sqr(&alpha, &r->z);
  cry_p256_sub(&t, &r->x, &alpha);
  cry_p256_add(&alpha, &r->x, &alpha);
  cry_p256_mul(&alpha, &alpha, &t);
  cry_p256_triple(&alpha, &alpha);
  cry_p256_double(&gamma, &r->y);
  cry_p256_mul(&r->z, &r->z, &gamma);
  cry_p256_sqr(&gamma, &gamma);
  cry_p256_mul(&beta, &r->x, &gamma);
  cry_p256_double(&t, &beta);
  cry_p256_sqr(&r->x, &alpha);
  cry_p256_sub(&r->x, &r->x, &t);
  cry_p256_sub(&beta, &beta, &r->x);
  cry_p256_mul(&beta, &beta, &alpha);
  cry_p256_sqr(&gamma, &gamma);
  cry_p256_half(&gamma, &gamma);
  cry_p256_sub(&r->y, &beta, &gamma);
}

// r = r + b; neither may be the neutral element, nor may they be equal or opposite. Explicit-
// Formulas Database, add-1998-cmo-2.
static void jacobian_add(jacobian_t *r, const addend_t *b) {
  p256_fe_t u, s, h, difference, t;
  cry_p256_sqr(&t, &r->z);
  cry_p256_mul(&h, &b->point.x, &t);
  cry_p256_mul(&t, &t, &r->z);
  cry_p256_mul(&difference, &b->point.y, &t);
  cry_p256_mul(&u, &r->x, &b->z2);
  cry_p256_mul(&s, &r->y, &b->z3);
  cry_p256_sub(&h, &h, &u);
  cry_p256_sub(&difference, &difference, &s);
  cry_p256_mul(&r->z, &r->z, &b->point.z);
  cry_p256_mul(&r->z, &r->z, &h);
  cry_p256_sqr(&t, &h);
  cry_p256_mul(&u, &u, &t);
  cry_p256_mul(&t, &t, &h);
  cry_p256_mul(&s, &s, &t);
  cry_p256_sqr(&r->x, &difference);
  cry_p256_sub(&r->x, &r->x, &t);
  cry_p256_sub(&r->x, &r->x, &u);
  cry_p256_sub(&r->x, &r->x, &u);
  cry_p256_sub(&u, &u, &r->x);
  cry_p256_mul(&u, &u, &difference);
  cry_p256_sub(&r->y, &u, &s);
}

static void make_addend(addend_t *r, const jacobian_t *a) {
  r->point = *a;
  cry_p256_sqr(&r->z2, &a->z);
  cry_p256_mul(&r->z3, &r->z2, &a->z);
}

// Odd multiples a, 3a, ... 15a: no two that are added here are equal or opposite.
static void odd_multiples(addend_t table[TableSize], const p256_point_t *a) {
  jacobian_t multiple;
  addend_t twice;
  to_jacobian(&multiple, a);
  make_addend(&table[0], &multiple);
  jacobian_double(&multiple);
  make_addend(&twice, &multiple);
  multiple = table[0].point;
  for (int i = 1; i < TableSize; i++) {
    jacobian_add(&multiple, &twice);
    make_addend(&table[i], &multiple);
  }
}

// An odd scalar is a sum of 64 odd digits d_i 16^i, -15 <= d_i <= 15 (Joye, Tunstall, "Exponent
// recoding and regular exponentiation algorithms", AFRICACRYPT 2009): for i < 63,
// d_i = 2 * (bits 4i+1 to 4i+4 of k) - 15. Returns d_i times the table's point, read without a
// secret address, and negated where `negate` is all ones.
static void pick(addend_t *r, const addend_t table[TableSize], const p256_scalar_t *odd, int i,
                 p256_word_t negate) {
  enum { kDigits = P256_WORD_BITS / 4 };
  p256_word_t low = odd->w[i / kDigits] >> (4 * (i % kDigits) + 1);
  p256_word_t high = i % kDigits == kDigits - 1 && i < 63 ? odd->w[i / kDigits + 1] << 3 : 0;
  p256_word_t bits = (low | high) & 15;
  // The last digit has no borrow to give: its sign is plus.
  p256_word_t positive = 0u - (bits >> 3 | (p256_word_t)(i == 63));
  p256_word_t index = i == 63 ? bits : (bits ^ ~positive) & 7;
  p256_word_t masks[TableSize];
  for (p256_word_t j = 0; j < TableSize; j++) {
    masks[j] = 0u - (((index ^ j) - 1) >> (P256_WORD_BITS - 1));
  }
  for (int w = 0; w < AddendWords; w++) {
    p256_word_t word = 0;
#pragma GCC unroll 8
    for (int j = 0; j < TableSize; j++) {
      word |= table[j].words[w] & masks[j];
    }
    r->words[w] = word;
  }
  p256_fe_t negative;
  cry_p256_sub(&negative, &cry_p256_fe_zero, &r->point.y);
  cry_p256_fe_select(&r->point.y, &negative, ~positive ^ negate);
}

static void double4(jacobian_t *r) {
  for (int i = 0; i < 4; i++) {
    jacobian_double(r);
  }
}

// r = r + b, complete.
static void add_complete(p256_point_t *r, const addend_t *b) {
  p256_point_t right;
  from_jacobian(&right, &b->point);
  cry_p256_point_add(r, r, &right);
}

// With k odd and less than n, the sum before the digit of weight 16^i is 16 s with s odd and
// s < n / 16^i, so for i > 0 no addition is exceptional: 16 s = +-d_i would need s < 1, or 16 s +
// 15 to reach n. The last one may be (k = n - 2 doubles), so it is complete.
void cry_p256_point_mul(p256_point_t *r, const p256_scalar_t *k, const p256_point_t *a) {
  addend_t table[TableSize], addend;
  jacobian_t sum;
  p256_scalar_t odd;
  p256_word_t negate = cry_p256_scalar_make_odd(&odd, k);
  odd_multiples(table, a);
  pick(&addend, table, &odd, 63, negate);
  sum = addend.point;
  for (int i = 62; i > 0; i--) {
    double4(&sum);
    pick(&addend, table, &odd, i, negate);
    jacobian_add(&sum, &addend);
  }
  double4(&sum);
  pick(&addend, table, &odd, 0, negate);
  from_jacobian(r, &sum);
  add_complete(r, &addend);
  wipe(&odd, sizeof odd);
  wipe(&addend, sizeof addend);
  wipe(&sum, sizeof sum);
}

// Here sums of multiples of two points meet, so that every addition is complete.
void cry_p256_point_mul_add(p256_point_t *r, const p256_scalar_t *k, const p256_scalar_t *l,
                            const p256_point_t *a) {
  addend_t table_k[TableSize], table_l[TableSize], addend;
  jacobian_t sum;
  p256_scalar_t odd_k, odd_l;
  p256_word_t negate_k = cry_p256_scalar_make_odd(&odd_k, k);
  p256_word_t negate_l = cry_p256_scalar_make_odd(&odd_l, l);
  odd_multiples(table_k, &cry_p256_generator);
  odd_multiples(table_l, a);
  *r = (p256_point_t){cry_p256_fe_zero, cry_p256_fe_one, cry_p256_fe_zero};
  for (int i = 63; i >= 0; i--) {
    to_jacobian(&sum, r);
    double4(&sum);
    from_jacobian(r, &sum);
    pick(&addend, table_k, &odd_k, i, negate_k);
    add_complete(r, &addend);
    pick(&addend, table_l, &odd_l, i, negate_l);
    add_complete(r, &addend);
  }
}

bool cry_p256_point_to_bytes(uint8_t x[32], uint8_t y[32], const p256_point_t *a) {
  p256_fe_t inverse, t;
  cry_p256_invert(&inverse, &a->z);
  cry_p256_mul(&t, &a->x, &inverse);
  cry_p256_fe_to_bytes(x, &t);
  if (y) {
    cry_p256_mul(&t, &a->y, &inverse);
    cry_p256_fe_to_bytes(y, &t);
  }
  return !cry_p256_fe_is_zero(&a->z);
}

// y^2 = x^3 - 3 x + b
static p256_word_t on_curve(const p256_fe_t *x, const p256_fe_t *y) {
  p256_fe_t left, right, three_x;
  cry_p256_sqr(&left, y);
  cry_p256_sqr(&right, x);
  cry_p256_mul(&right, &right, x);
  cry_p256_triple(&three_x, x);
  cry_p256_sub(&right, &right, &three_x);
  cry_p256_add(&right, &right, &kB);
  return cry_p256_fe_equal(&left, &right);
}

bool cry_p256_point_from_bytes(p256_point_t *r, const uint8_t bytes[65]) {
  bool good = bytes[0] == 4;
  good &= cry_p256_fe_from_bytes(&r->x, bytes + 1);
  good &= cry_p256_fe_from_bytes(&r->y, bytes + 33);
  good &= on_curve(&r->x, &r->y) != 0;
  r->z = cry_p256_fe_one;
  return good;
}
