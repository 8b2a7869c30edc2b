// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Computations in C whose every bit is to be the same on the core and on the computer that
// simulates it: bodies that attract each other, a system of equations, roots by iteration,
// conversions.
#pragma once

#include <stdint.h>
#include <string.h>

static uint64_t computation_hash = 0xcbf29ce484222325;

static void computation_take(uint64_t bits) {
  computation_hash = (computation_hash ^ bits) * 0x100000001b3;
  computation_hash ^= computation_hash >> 29;
}

static void computation_take_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  computation_take(bits);
}

static void computation_take_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  computation_take(bits);
}

static uint64_t computation_random(void) {
  static uint64_t state = 88172645463325252;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// From -1 to 1
static double computation_number(void) {
  return (double)(int64_t)computation_random() / 9223372036854775808.0;
}

static void computation_bodies(void) {
  enum { Bodies = 4, Steps = 60 };
  double at[Bodies][3], speed[Bodies][3], mass[Bodies];

  for (int i = 0; i < Bodies; i++) {
    mass[i] = 1.0 + computation_number() / 2;
    for (int k = 0; k < 3; k++) {
      at[i][k] = 3.0 * computation_number();
      speed[i][k] = computation_number() / 4;
    }
  }
  for (int step = 0; step < Steps; step++) {
    for (int i = 0; i < Bodies; i++) {
      for (int j = 0; j < Bodies; j++) {
        double apart[3], square = 0.01;
        for (int k = 0; k < 3; k++) {
          apart[k] = at[j][k] - at[i][k];
          square += apart[k] * apart[k];
        }
        for (int k = 0; k < 3; k++)
          speed[i][k] += 0.01 * mass[j] * apart[k] / (square * __builtin_sqrt(square));
      }
    }
    for (int i = 0; i < Bodies; i++) {
      for (int k = 0; k < 3; k++) {
        at[i][k] = __builtin_fma(0.01, speed[i][k], at[i][k]);
        computation_take_double(at[i][k]);
      }
    }
  }
}

static void computation_equations(void) {
  enum { Size = 8 };
  float a[Size][Size + 1];

  for (int i = 0; i < Size; i++) {
    for (int j = 0; j <= Size; j++)
      a[i][j] = (float)computation_number();
  }
  for (int i = 0; i < Size; i++) {
    int best = i;
    for (int j = i + 1; j < Size; j++) {
      if (__builtin_fabsf(a[j][i]) > __builtin_fabsf(a[best][i]))
        best = j;
    }
    for (int k = 0; k <= Size; k++) {
      const float other = a[i][k];
      a[i][k] = a[best][k];
      a[best][k] = other;
    }
    for (int j = 0; j < Size; j++) {
      const float factor = j == i ? 0.0f : a[j][i] / a[i][i];
      for (int k = i; k <= Size; k++)
        a[j][k] -= factor * a[i][k];
    }
  }
  for (int i = 0; i < Size; i++)
    computation_take_float(a[i][Size] / a[i][i]);
}

static void computation_roots(void) {
  for (int i = 0; i < 40; i++) {
    const double of = 1e-3 + 1e3 * (1.0 + computation_number());
    double cube = of;
    float square = (float)of;
    for (int turn = 0; turn < 12; turn++) {
      cube -= (cube * cube * cube - of) / (3.0 * cube * cube);
      square = 0.5f * (square + (float)of / square);
    }
    computation_take_double(cube);
    computation_take_float(square - __builtin_sqrtf((float)of));
  }
}

static void computation_conversions(void) {
  for (int i = 0; i < 100; i++) {
    const uint64_t bits = computation_random() >> (i % 64);
    const double value = (double)bits;
    computation_take_double(value);
    computation_take_float((float)bits);
    computation_take_float((float)(int32_t)bits);
    computation_take((uint64_t)(int64_t)(value / 3.0));
    computation_take((uint64_t)(int64_t)(int32_t)((float)(int32_t)(bits >> 34) / 7.0f));
    computation_take_double((double)(float)(value * 1.1));
  }
}

static uint64_t computation(void) {
  computation_bodies();
  computation_equations();
  computation_roots();
  computation_conversions();
  return computation_hash;
}
