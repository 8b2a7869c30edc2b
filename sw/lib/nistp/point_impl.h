// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <assert.h>

#include "nistp/point.h"
#include "wipe.h"

// Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves", EUROCRYPT
// 2016, algorithm 4 (a = -3), with its names.
void point_add(point_t *r, const point_t *a, const point_t *b) {
  fe_t t0, t1, t2, t3, t4, x3, y3, z3;
  fe_mul(&t0, &a->x, &b->x);
  fe_mul(&t1, &a->y, &b->y);
  fe_mul(&t2, &a->z, &b->z);
  fe_add(&t3, &a->x, &a->y);
  fe_add(&t4, &b->x, &b->y);
  fe_mul(&t3, &t3, &t4);
  fe_add(&t4, &t0, &t1);
  fe_sub(&t3, &t3, &t4);
  fe_add(&t4, &a->y, &a->z);
  fe_add(&x3, &b->y, &b->z);
  fe_mul(&t4, &t4, &x3);
  fe_add(&x3, &t1, &t2);
  fe_sub(&t4, &t4, &x3);
  fe_add(&x3, &a->x, &a->z);
  fe_add(&y3, &b->x, &b->z);
  fe_mul(&x3, &x3, &y3);
  fe_add(&y3, &t0, &t2);
  fe_sub(&y3, &x3, &y3);
  fe_mul(&z3, &kB, &t2);
  fe_sub(&x3, &y3, &z3);
  fe_triple(&x3, &x3);
  fe_sub(&z3, &t1, &x3);
  fe_add(&x3, &t1, &x3);
  fe_mul(&y3, &kB, &y3);
  fe_triple(&t2, &t2);
  fe_sub(&y3, &y3, &t2);
  fe_sub(&y3, &y3, &t0);
  fe_triple(&y3, &y3);
  fe_triple(&t0, &t0);
  fe_sub(&t0, &t0, &t2);
  fe_mul(&t1, &t4, &y3);
  fe_mul(&t2, &t0, &y3);
  fe_mul(&y3, &x3, &z3);
  fe_add(&r->y, &y3, &t2);
  fe_mul(&x3, &t3, &x3);
  fe_sub(&r->x, &x3, &t1);
  fe_mul(&z3, &t4, &z3);
  fe_mul(&t1, &t3, &t0);
  fe_add(&r->z, &z3, &t1);
}

// Jacobian coordinates, where doubling is cheapest: the affine point is (x / z^2, y / z^3), the
// neutral element (1 : 1 : 0).
typedef struct {
  fe_t x, y, z;
} jacobian_t;

enum { TableSize = 8, AddendWords = 5 * WORDS, kLast = CURVE_DIGITS - 1 };

// A point to be added many times, with powers of its z; also as plain words.
typedef union {
  struct {
    jacobian_t point;
    fe_t z2, z3;
  };
  word_t words[AddendWords];
} addend_t;

static_assert(sizeof(addend_t) == AddendWords * sizeof(word_t), "no padding");

static void to_jacobian(jacobian_t *r, const point_t *a) {
  fe_t square;
  word_t neutral = fe_is_zero(&a->z);
  fe_sqr(&square, &a->z);
  fe_mul(&r->x, &a->x, &a->z);
  fe_mul(&r->y, &a->y, &square);
  r->z = a->z;
  fe_select(&r->x, &fe_one, neutral);
  fe_select(&r->y, &fe_one, neutral);
}

static void from_jacobian(point_t *r, const jacobian_t *a) {
  fe_t square;
  fe_sqr(&square, &a->z);
  fe_mul(&r->x, &a->x, &a->z);
  r->y = a->y;
  fe_mul(&r->z, &a->z, &square);
}

// r = 2 r, Bernstein, Lange, Explicit-Formulas Database, dbl-2001-b, with 2 y taken first:
// g = (2 y)^2, so that y = alpha (x g - x') - g^2 / 2. On a curve of odd order no doubling is
// exceptional.
static void jacobian_double(jacobian_t *r) {
  fe_t alpha, beta, gamma, t;
  fe_sqr(&alpha, &r->z);
  fe_sub(&t, &r->x, &alpha);
  fe_add(&alpha, &r->x, &alpha);
  fe_mul(&alpha, &alpha, &t);
  fe_triple(&alpha, &alpha);
  fe_double(&gamma, &r->y);
  fe_mul(&r->z, &r->z, &gamma);
  fe_sqr(&gamma, &gamma);
  fe_mul(&beta, &r->x, &gamma);
  fe_double(&t, &beta);
  fe_sqr(&r->x, &alpha);
  fe_sub(&r->x, &r->x, &t);
  fe_sub(&beta, &beta, &r->x);
  fe_mul(&beta, &beta, &alpha);
  fe_sqr(&gamma, &gamma);
  fe_half(&gamma, &gamma);
  fe_sub(&r->y, &beta, &gamma);
}

// r = r + b; neither may be the neutral element, nor may they be equal or opposite. Explicit-
// Formulas Database, add-1998-cmo-2.
static void jacobian_add(jacobian_t *r, const addend_t *b) {
  fe_t u, s, h, difference, t;
  fe_sqr(&t, &r->z);
  fe_mul(&h, &b->point.x, &t);
  fe_mul(&t, &t, &r->z);
  fe_mul(&difference, &b->point.y, &t);
  fe_mul(&u, &r->x, &b->z2);
  fe_mul(&s, &r->y, &b->z3);
  fe_sub(&h, &h, &u);
  fe_sub(&difference, &difference, &s);
  fe_mul(&r->z, &r->z, &b->point.z);
  fe_mul(&r->z, &r->z, &h);
  fe_sqr(&t, &h);
  fe_mul(&u, &u, &t);
  fe_mul(&t, &t, &h);
  fe_mul(&s, &s, &t);
  fe_sqr(&r->x, &difference);
  fe_sub(&r->x, &r->x, &t);
  fe_sub(&r->x, &r->x, &u);
  fe_sub(&r->x, &r->x, &u);
  fe_sub(&u, &u, &r->x);
  fe_mul(&u, &u, &difference);
  fe_sub(&r->y, &u, &s);
}

static void make_addend(addend_t *r, const jacobian_t *a) {
  r->point = *a;
  fe_sqr(&r->z2, &a->z);
  fe_mul(&r->z3, &r->z2, &a->z);
}

// Odd multiples a, 3a, ... 15a: no two that are added here are equal or opposite.
static void odd_multiples(addend_t table[TableSize], const point_t *a) {
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

// An odd scalar is a sum of CURVE_DIGITS odd digits d_i 16^i, -15 <= d_i <= 15 (Joye, Tunstall,
// "Exponent recoding and regular exponentiation algorithms", AFRICACRYPT 2009): but for the last,
// d_i = 2 * (bits 4i+1 to 4i+4 of k) - 15. Returns d_i times the table's point, read without a
// secret address, and negated where `negate` is all ones.
static void pick(addend_t *r, const addend_t table[TableSize], const scalar_t *odd, int i,
                 word_t negate) {
  enum { kDigits = WORD_BITS / 4 };
  word_t low = odd->w[i / kDigits] >> (4 * (i % kDigits) + 1);
  word_t high = i % kDigits == kDigits - 1 && i < kLast ? odd->w[i / kDigits + 1] << 3 : 0;
  word_t bits = (low | high) & 15;
  // The last digit has no borrow to give: its sign is plus.
  word_t positive = 0u - (bits >> 3 | (word_t)(i == kLast));
  word_t index = i == kLast ? bits : (bits ^ ~positive) & 7;
  word_t masks[TableSize];
  for (word_t j = 0; j < TableSize; j++) {
    masks[j] = 0u - (((index ^ j) - 1) >> (WORD_BITS - 1));
  }
  for (int w = 0; w < AddendWords; w++) {
    word_t word = 0;
#pragma GCC unroll 8
    for (int j = 0; j < TableSize; j++) {
      word |= table[j].words[w] & masks[j];
    }
    r->words[w] = word;
  }
  fe_t negative;
  fe_sub(&negative, &fe_zero, &r->point.y);
  fe_select(&r->point.y, &negative, ~positive ^ negate);
}

static void double4(jacobian_t *r) {
  for (int i = 0; i < 4; i++) {
    jacobian_double(r);
  }
}

// r = r + b, complete.
static void add_complete(point_t *r, const addend_t *b) {
  point_t right;
  from_jacobian(&right, &b->point);
  point_add(r, r, &right);
}

// With k odd and less than n, the sum before the digit of weight 16^i is 16 s with s odd and
// s < n / 16^i, so for i > 0 no addition is exceptional: 16 s = +-d_i would need s < 1, or 16 s +
// 15 to reach n. The last one may be (k = n - 2 doubles), so it is complete.
void point_mul(point_t *r, const scalar_t *k, const point_t *a) {
  addend_t table[TableSize], addend;
  jacobian_t sum;
  scalar_t odd;
  word_t negate = scalar_make_odd(&odd, k);
  odd_multiples(table, a);
  pick(&addend, table, &odd, kLast, negate);
  sum = addend.point;
  for (int i = kLast - 1; i > 0; i--) {
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
void point_mul_add(point_t *r, const scalar_t *k, const scalar_t *l, const point_t *a) {
  addend_t table_k[TableSize], table_l[TableSize], addend;
  jacobian_t sum;
  scalar_t odd_k, odd_l;
  word_t negate_k = scalar_make_odd(&odd_k, k);
  word_t negate_l = scalar_make_odd(&odd_l, l);
  odd_multiples(table_k, &generator);
  odd_multiples(table_l, a);
  *r = (point_t){fe_zero, fe_one, fe_zero};
  for (int i = kLast; i >= 0; i--) {
    to_jacobian(&sum, r);
    double4(&sum);
    from_jacobian(r, &sum);
    pick(&addend, table_k, &odd_k, i, negate_k);
    add_complete(r, &addend);
    pick(&addend, table_l, &odd_l, i, negate_l);
    add_complete(r, &addend);
  }
}

bool point_to_bytes(uint8_t x[CURVE_BYTES], uint8_t y[CURVE_BYTES], const point_t *a) {
  fe_t inverse, t;
  fe_invert(&inverse, &a->z);
  fe_mul(&t, &a->x, &inverse);
  fe_to_bytes(x, &t);
  if (y) {
    fe_mul(&t, &a->y, &inverse);
    fe_to_bytes(y, &t);
  }
  return !fe_is_zero(&a->z);
}

// y^2 = x^3 - 3 x + b
static word_t on_curve(const fe_t *x, const fe_t *y) {
  fe_t left, right, three_x;
  fe_sqr(&left, y);
  fe_sqr(&right, x);
  fe_mul(&right, &right, x);
  fe_triple(&three_x, x);
  fe_sub(&right, &right, &three_x);
  fe_add(&right, &right, &kB);
  return fe_equal(&left, &right);
}

bool point_from_bytes(point_t *r, const uint8_t bytes[CURVE_PUBLIC_BYTES]) {
  bool good = bytes[0] == 4;
  good &= fe_from_bytes(&r->x, bytes + 1);
  good &= fe_from_bytes(&r->y, bytes + 1 + CURVE_BYTES);
  good &= on_curve(&r->x, &r->y) != 0;
  r->z = fe_one;
  return good;
}
