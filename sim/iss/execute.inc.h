// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The interpreter. A file that includes this defines XLEN, CHECKED (0 or 1) and RUN, the name of
// the function; so the plain machine has no trace of taint and access rights in its loop.
#include <string.h>

#include "crypto.h"
#include "machine.h"

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#if XLEN == 64
typedef uint64_t ux;
typedef int64_t sx;
typedef unsigned __int128 wide_u;
typedef __int128 wide_s;
#define COUNT_LEADING(v)  __builtin_clzll(v)
#define COUNT_TRAILING(v) __builtin_ctzll(v)
#define COUNT_ONES(v)     __builtin_popcountll(v)
#define SWAP_BYTES(v)     __builtin_bswap64(v)
#else
typedef uint32_t ux;
typedef int32_t sx;
typedef uint64_t wide_u;
typedef int64_t wide_s;
#define COUNT_LEADING(v)  __builtin_clz(v)
#define COUNT_TRAILING(v) __builtin_ctz(v)
#define COUNT_ONES(v)     __builtin_popcount(v)
#define SWAP_BYTES(v)     __builtin_bswap32(v)
#endif

static inline ux rotate_right(ux value, ux by) {
  by &= XLEN - 1;
  return by == 0 ? value : value >> by | value << (XLEN - by);
}

static inline uint32_t rotate_right_32(uint32_t value, ux by) {
  by &= 31;
  return by == 0 ? value : value >> by | value << (32 - by);
}

static inline ux extend(uint32_t value) {
  return (ux)(sx)(int32_t)value;
}

// Taint is a mask of secret bits. These say how results depend on their operands.

// Every bit of the result depends on every secret bit.
static inline ux spread(ux taint) {
  return taint != 0 ? ~(ux)0 : 0;
}

// Carries go upward only.
static inline ux upward(ux taint) {
  return taint | (0 - taint);
}

static inline uint32_t upward_32(uint32_t taint) {
  return taint | (0 - taint);
}

static inline uint32_t spread_32(uint32_t taint) {
  return taint != 0 ? ~0u : 0;
}

// Cycles of a division that depend on its operands.
static inline int64_t division_time(const iss_timing_t *timing, uint64_t dividend, uint64_t divisor,
                                    bool has_sign, unsigned width) {
  if (divisor == 0 && timing->div_zero != 0)
    return (int64_t)timing->div_zero - timing->cycles[ISS_CLASS_DIV];
  unsigned steps = 0;
  if (timing->div_early == 1) {
    const uint64_t seen = has_sign && (int64_t)dividend < 0 ? 0 - dividend : dividend;
    steps = seen != 0 ? 64 - (unsigned)__builtin_clzll(seen) : 0;
  } else if (timing->div_early == 2) {
    // The divisor is shifted to the left end; of a negative one the complement is looked at.
    const bool negative = has_sign && (int64_t)divisor < 0;
    const uint64_t seen = negative ? ~divisor : divisor;
    steps = seen != 0 ? (unsigned)__builtin_clzll(seen) - (64 - width) : width;
    steps -= negative;
  }
  return steps * timing->div_per_bit;
}

static inline ux sha_rotate(ux value, unsigned a, unsigned b, unsigned c) {
  const uint32_t v = (uint32_t)value;
  return extend(rotate_right_32(v, a) ^ rotate_right_32(v, b) ^ rotate_right_32(v, c));
}

static inline ux sha_shift(ux value, unsigned a, unsigned b, unsigned c) {
  const uint32_t v = (uint32_t)value;
  return extend(rotate_right_32(v, a) ^ rotate_right_32(v, b) ^ v >> c);
}

#if CHECKED
#define TAINT(mask) t[d->rd] = (ux)(mask)
#define ADDRESS_OF_SECRET(kind) \
  if (UNLIKELY(t[d->rs1] != 0)) \
  violation(iss, (kind), PC, address)
#define SECRET_OPERAND(kind)                  \
  if (UNLIKELY((t[d->rs1] | t[d->rs2]) != 0)) \
  violation(iss, (kind), PC, 0)
#else
#define TAINT(mask)             (void)0
#define ADDRESS_OF_SECRET(kind) (void)0
#define SECRET_OPERAND(kind)    (void)0
#endif

#define PC  ((ux)(code_base + 2 * (uint64_t)(d - code)))
#define IMM ((ux)(sx)d->imm)

// Operands, and their taints: the masks are given in terms of ta and tb.
#if CHECKED
#define TAINTS_2                           \
  const ux ta = t[d->rs1], tb = t[d->rs2]; \
  (void)ta, (void)tb
#define TAINTS_1           \
  const ux ta = t[d->rs1]; \
  (void)ta
#else
#define TAINTS_2 (void)0
#define TAINTS_1 (void)0
#endif

// Instructions on two registers (a, b), and on a register and an immediate.
#define REGISTERS(name, value, mask)               \
  case OP_##name: {                                \
    const ux a = (ux)x[d->rs1], b = (ux)x[d->rs2]; \
    (void)a, (void)b;                              \
    TAINTS_2;                                      \
    x[d->rd] = (ux)(value);                        \
    TAINT(mask);                                   \
    break;                                         \
  }
#define IMMEDIATE(name, value, mask)   \
  case OP_##name: {                    \
    const ux a = x[d->rs1], imm = IMM; \
    (void)imm;                         \
    TAINTS_1;                          \
    x[d->rd] = (ux)(value);            \
    TAINT(mask);                       \
    break;                             \
  }
// A shift or rotate by a register: a public amount moves the mask as it moves the value.
#define BY_REGISTER(name, operation, type) \
  REGISTERS(name, operation(type a, b), tb != 0 ? spread(ta | tb) : (ux)operation(type ta, b))

#define BRANCH(name, condition)                                                   \
  case OP_##name: {                                                               \
    const ux a = x[d->rs1], b = x[d->rs2];                                        \
    SECRET_OPERAND(ISS_VIOLATION_BRANCH);                                         \
    if (condition) {                                                              \
      ++taken;                                                                    \
      cycle += d->imm < 0 ? timing->taken_backward : timing->taken_forward;       \
      target = PC + IMM;                                                          \
      goto jump;                                                                  \
    }                                                                             \
    cycle += d->imm < 0 ? timing->not_taken_backward : timing->not_taken_forward; \
    break;                                                                        \
  }

// Finds the host's place of an access.
#define PLACE(type, tag, store)                                                    \
  const ux address = x[d->rs1] + IMM;                                              \
  place_t place;                                                                   \
  const tlb_entry_t *entry = &iss->tlb[(address >> PAGE_BITS) % TLB_ENTRIES];      \
  if (LIKELY(entry->tag == address >> PAGE_BITS && address % sizeof(type) == 0)) { \
    place.memory = entry->memory + address % PAGE;                                 \
    place.shadow = CHECKED ? entry->shadow + address % PAGE : NULL;                \
  } else {                                                                         \
    place = memory_access(iss, address, sizeof(type), store);                      \
    if (place.memory == NULL)                                                      \
      goto stopped;                                                                \
  }

// The shadow bit `bit` of each of an access's bytes.
#define SHADOW(bit, type) ((bit) * (0x0101010101010101u >> (64 - 8 * sizeof(type))))

#if CHECKED
#define LOAD_SHADOW(type)                                              \
  uint64_t shadow = 0;                                                 \
  memcpy(&shadow, place.shadow, sizeof(type));                         \
  if (UNLIKELY((~shadow & SHADOW(ISS_READ, type)) != 0)) {             \
    iss->info.address = address;                                       \
    iss->info.size = sizeof(type);                                     \
    STOP(ISS_STOP_LOAD);                                               \
  }                                                                    \
  if (UNLIKELY(check_init) && (~shadow & SHADOW(ISS_INIT, type)) != 0) \
    violation(iss, ISS_VIOLATION_UNINITIALISED, PC, address);          \
  const uint64_t loaded = (shadow & SHADOW(ISS_SECRET, type)) * 0xff
#define STORE_SHADOW(type)                                                         \
  uint64_t shadow = 0;                                                             \
  memcpy(&shadow, place.shadow, sizeof(type));                                     \
  if (UNLIKELY((~shadow & SHADOW(ISS_WRITE, type)) != 0)) {                        \
    iss->info.address = address;                                                   \
    iss->info.size = sizeof(type);                                                 \
    STOP(ISS_STOP_STORE);                                                          \
  }                                                                                \
  shadow = (shadow & ~SHADOW(ISS_SECRET, type)) | SHADOW(ISS_INIT, type);          \
  if (t[d->rs2] != 0) {                                                            \
    const uint64_t mask = t[d->rs2];                                               \
    const uint64_t low = mask & 0x7f7f7f7f7f7f7f7f;                                \
    shadow |= ((low + 0x7f7f7f7f7f7f7f7f) | mask) >> 7 & SHADOW(ISS_SECRET, type); \
  }                                                                                \
  memcpy(place.shadow, &shadow, sizeof(type))
#else
#define LOAD_SHADOW(type)  (void)0
#define STORE_SHADOW(type) (void)0
#endif

#define LOAD(name, type)                                   \
  case OP_##name: {                                        \
    PLACE(type, read_tag, false)                           \
    ADDRESS_OF_SECRET(ISS_VIOLATION_LOAD);                 \
    LOAD_SHADOW(type);                                     \
    type value;                                            \
    memcpy(&value, place.memory, sizeof(value));           \
    TAINT(t[d->rs1] != 0 ? ~(ux)0 : (ux)(sx)(type)loaded); \
    x[d->rd] = (ux)(sx)value;                              \
    break;                                                 \
  }
#define STORE(name, type)                            \
  case OP_##name: {                                  \
    PLACE(type, write_tag, true)                     \
    ADDRESS_OF_SECRET(ISS_VIOLATION_STORE);          \
    STORE_SHADOW(type);                              \
    const type value = (type)x[d->rs2];              \
    memcpy(place.memory, &value, sizeof(value));     \
    if (UNLIKELY(address - stack_base < stack_span)) \
      stack_span = address - stack_base;             \
    break;                                           \
  }

#define MULTIPLY(name, value, mask)                                              \
  case OP_##name: {                                                              \
    const ux a = x[d->rs1], b = x[d->rs2];                                       \
    TAINTS_2;                                                                    \
    if (CHECKED && timing->mul_variable != 0)                                    \
      SECRET_OPERAND(ISS_VIOLATION_MUL);                                         \
    if (timing->mul_busy > 1) {                                                  \
      const uint64_t wait = ready[REG_MUL] > issue ? ready[REG_MUL] - issue : 0; \
      cycle += wait;                                                             \
      ready[d->rd] += wait;                                                      \
      ready[REG_MUL] = issue + wait + timing->mul_busy;                          \
    }                                                                            \
    if (d->class == ISS_CLASS_MULH)                                              \
      long_end = cycle;                                                          \
    x[d->rd] = (ux)(value);                                                      \
    TAINT(mask);                                                                 \
    break;                                                                       \
  }

// Divides as `type`; `has_sign` says whether it is signed and so -1 as divisor is a special case.
#define DIVIDE(name, type, has_sign, width, by_zero, by_minus_one, value)                  \
  case OP_##name: {                                                                        \
    const type a = (type)x[d->rs1], b = (type)x[d->rs2];                                   \
    TAINTS_2;                                                                              \
    SECRET_OPERAND(ISS_VIOLATION_DIV);                                                     \
    const int64_t time = division_time(timing, (uint64_t)a, (uint64_t)b, has_sign, width); \
    cycle += (uint64_t)time;                                                               \
    ready[d->rd] += (uint64_t)time;                                                        \
    long_end = cycle;                                                                      \
    const type result = b == 0                      ? (type)(by_zero)                      \
                        : has_sign && b == (type)-1 ? (type)(by_minus_one)                 \
                                                    : (type)(value);                       \
    x[d->rd] = width == 32 ? extend((uint32_t)result) : (ux)result;                        \
    TAINT(spread(ta | tb));                                                                \
    break;                                                                                 \
  }

// rd = a + b + carry, with carry out; a subtraction adds the complement, its borrow is the inverse.
#define WITH_CARRY(name, b_value, carry_in, invert)             \
  case OP_##name: {                                             \
    const ux a = x[d->rs1], b = (b_value);                      \
    const wide_u sum = (wide_u)a + b + ((carry_in) ^ (invert)); \
    x[d->rd] = (ux)sum;                                         \
    carry = (bool)(sum >> XLEN & 1) ^ (invert);                 \
    WITH_CARRY_TAINT(name);                                     \
    break;                                                      \
  }
#if CHECKED
#define WITH_CARRY_TAINT(name)                                     \
  const bool chained = OP_##name == OP_ADC || OP_##name == OP_SBB; \
  const ux in = t[d->rs1] | t[d->rs2];                             \
  const ux all = upward(in | (chained && carry_taint ? 1 : 0));    \
  carry_taint = all != 0;                                          \
  t[d->rd] = all
#else
#define WITH_CARRY_TAINT(name) (void)0
#endif

#define STOP(reason)           \
  do {                         \
    iss->info.stop = (reason); \
    goto stopped;              \
  } while (0)

void RUN(iss_t *iss, uint64_t start, uint64_t stop_address, uint64_t max_instructions) {
  const iss_timing_t *const timing = &iss->timing;
  ux x[REGS];
  uint64_t ready[REGS] = {0};
  uint64_t count[ISS_CLASSES] = {0};
  uint64_t taken = 0;
  uint64_t cycle = 0, issue = 0;
  uint64_t long_end = UINT64_MAX;  // when the last MULH or division left the issue stage
  uint64_t left = max_instructions;
  uint64_t target = start;
  const uint64_t stack_base = iss->info.stack_base;
  uint64_t stack_span = iss->info.stack_low - stack_base;
  region_t *region = NULL;
  insn_t *d = NULL, *code = NULL;
  uint64_t code_base = 0, code_size = 0;
  const uint64_t alignment = iss->extensions & ISS_EXT_C ? 1 : 3;
  bool carry = iss->carry;
  for (unsigned i = 0; i < 32; ++i)
    x[i] = (ux)iss->x[i];
  x[0] = 0;
  x[REG_SINK] = 0;
#if CHECKED
  ux t[REGS];
  bool carry_taint = iss->carry_taint;
  const bool check_init = iss->check_init;
  uint64_t nowhere = 0, *spent = &nowhere;  // where the cycles of the instruction at issue go
  uint64_t *profile = NULL;
  uint64_t since = 0;
  for (unsigned i = 0; i < 32; ++i)
    t[i] = (ux)iss->taint[i];
  t[0] = 0;
  t[REG_SINK] = 0;
#endif

fetch:
  if (target == stop_address) {
    iss->info.stop = ISS_STOP_RETURN;
    iss->info.pc = target;
    goto done;
  }
  d = memory_fetch(iss, target, &region);
  if (d == NULL) {
    iss->info.pc = target;
    goto done;
  }
  code = region->code;
  code_base = region->base;
  code_size = region->size;
#if CHECKED
  profile = region->profile;
#endif

  for (;; d += d->halfwords) {
  dispatch:
    if (UNLIKELY(d->op == OP_NONE)) {
      target = PC;
      goto fetch;
    }
    if (UNLIKELY(left == 0))
      STOP(ISS_STOP_LIMIT);
    --left;
    ++count[d->class];
    issue = cycle;
    if (ready[d->rs1] + d->early > issue)
      issue = ready[d->rs1] + d->early;
    if (ready[d->rs2] > issue)
      issue = ready[d->rs2];
    cycle = issue + d->cycles;
    ready[d->rd] = issue + d->latency;
#if CHECKED
    if (UNLIKELY(profile != NULL)) {
      *spent += issue - since;
      spent = &profile[d - code];
      since = issue;
    }
#endif

    switch (d->op) {
#include "execute_base.inc.h"
#include "execute_bits.inc.h"
      default:
        STOP(ISS_STOP_ILLEGAL);
    }
    continue;

  jump:
    if (LIKELY(target - code_base < code_size && (target & alignment) == 0)) {
      d = code + (target - code_base) / 2;
      if (timing->misaligned_target != 0 && (target & 2) != 0) {
        if (d->op == OP_NONE && memory_fetch(iss, target, &region) == NULL) {
          iss->info.pc = target;
          goto done;
        }
        if (d->halfwords == 2)
          cycle += timing->misaligned_target;
      }
      goto dispatch;
    }
    goto fetch;
  }

stopped:
  iss->info.pc = PC;
done:
  for (unsigned i = 0; i < 32; ++i)
    iss->x[i] = x[i];
#if CHECKED
  for (unsigned i = 0; i < 32; ++i)
    iss->taint[i] = t[i];
  iss->carry_taint = carry_taint;
  *spent += cycle - since;
#endif
  iss->carry = carry;
  for (unsigned i = 0; i < ISS_CLASSES; ++i)
    iss->info.counts[i] += count[i];
  iss->info.counts[ISS_CLASS_BRANCH_TAKEN] += taken;
  iss->info.instructions += max_instructions - left;
  iss->info.cycles += cycle;
  iss->info.stack_low = stack_base + stack_span;
}
