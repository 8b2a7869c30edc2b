// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// C API of the instruction-set simulator: one machine = registers, mapped memory, a timing model.
//
// A host maps memory, writes a program into it, sets registers and pc, and calls iss_run, which
// returns why it stopped. Everything a run counts is in iss_info_t. A machine made with `checked`
// keeps a shadow byte per byte of memory: exact access rights, secret taint, initialised or not.
#ifndef CRYPTILE_ISS_H
#define CRYPTILE_ISS_H

#include <stdint.h>

// Instruction-set extensions, for iss_new. Base I, FENCE, ECALL and EBREAK are always there.
enum {
  ISS_EXT_M = 1 << 0,
  ISS_EXT_C = 1 << 1,
  ISS_EXT_ZICSR = 1 << 2,  // counters and mhartid can be read, nothing can be written
  ISS_EXT_ZIFENCEI = 1 << 3,
  ISS_EXT_ZBA = 1 << 4,
  ISS_EXT_ZBB = 1 << 5,
  ISS_EXT_ZBC = 1 << 6,
  ISS_EXT_ZBS = 1 << 7,
  ISS_EXT_ZBKB = 1 << 8,
  ISS_EXT_ZBKC = 1 << 9,
  ISS_EXT_ZBKX = 1 << 10,
  ISS_EXT_ZKND = 1 << 11,
  ISS_EXT_ZKNE = 1 << 12,
  ISS_EXT_ZKNH = 1 << 13,
  ISS_EXT_XCARRY = 1 << 14,  // add with carry, subtract with borrow: see README.md
  ISS_EXT_ZMMUL = 1 << 15,
  ISS_EXT_E = 1 << 16,  // only x0 to x15
  ISS_EXT_I = 1 << 17,  // set by iss_new
};

// Rights of memory, and with ISS_SECRET and ISS_INIT the bits of a shadow byte.
enum {
  ISS_SECRET = 1 << 0,
  ISS_READ = 1 << 1,
  ISS_WRITE = 1 << 2,
  ISS_INIT = 1 << 3,
  ISS_EXEC = 1 << 4,
};

// Classes that executed instructions are counted in. Taken branches are counted in both of the
// branch classes.
typedef enum {
  ISS_CLASS_ALU,
  ISS_CLASS_SHIFT,
  ISS_CLASS_ROTATE,
  ISS_CLASS_BITMANIP,
  ISS_CLASS_CRYPTO,
  ISS_CLASS_CARRY,
  ISS_CLASS_LOAD,
  ISS_CLASS_LOAD_NARROW,  // bytes and halfwords
  ISS_CLASS_STORE,
  ISS_CLASS_BRANCH,
  ISS_CLASS_BRANCH_TAKEN,
  ISS_CLASS_JUMP,
  ISS_CLASS_JUMP_REGISTER,
  ISS_CLASS_MUL,
  ISS_CLASS_MULH,
  ISS_CLASS_CLMUL,
  ISS_CLASS_DIV,
  ISS_CLASS_SYSTEM,
  ISS_CLASSES,
} iss_class_t;

// A single-issue in-order pipeline. An instruction issues when the one before has freed the issue
// stage and its operands are there; it holds the issue stage for its `cycles` and its result is
// there `latency` cycles after issue. Penalties add to the cycles of an instruction.
typedef struct {
  uint32_t cycles[ISS_CLASSES];   // by class; BRANCH_TAKEN is not used
  uint32_t latency[ISS_CLASSES];  // by class
  uint32_t mul_busy;              // cycles until the multiplier takes another one; 0 or 1: at once
  uint32_t mul_variable;          // 1: a multiply's time depends on its operands: taint violation
  // By the static prediction "backward taken, forward not taken" a core can differ in the four.
  uint32_t taken_forward, taken_backward, not_taken_forward, not_taken_backward;
  uint32_t misaligned_target;  // jump to a 32-bit instruction that is not on a word boundary
  uint32_t jump_operand;  // an address for JALR must be there so much earlier than other operands
  uint32_t jump_same;     // more cycles for a JALR whose link goes where its address came from
  uint32_t jump_hidden;   // cycles of a jump hidden behind a MULH or division directly before it
  uint32_t div_zero;      // all cycles of a division by zero; 0: as of any other
  // A division also takes div_per_bit cycles for every significant bit of the dividend (div_early
  // 1) or leading zero of the divisor (2), as magnitudes; 0: its time is fixed.
  uint32_t div_per_bit, div_early;
} iss_timing_t;

typedef enum {
  ISS_STOP_RETURN,  // pc reached the stop address
  ISS_STOP_LIMIT,   // the bound on instructions was reached
  ISS_STOP_ECALL,   // pc is behind the ECALL
  ISS_STOP_EBREAK,
  ISS_STOP_ILLEGAL,  // info.encoding
  ISS_STOP_FETCH,    // no executable memory at pc
  ISS_STOP_FETCH_MISALIGNED,
  ISS_STOP_LOAD,  // info.address, info.size
  ISS_STOP_STORE,
  ISS_STOP_LOAD_MISALIGNED,
  ISS_STOP_STORE_MISALIGNED,
} iss_stop_t;

// How an instruction depended on a secret, or on memory that was never written.
typedef enum {
  ISS_VIOLATION_BRANCH,
  ISS_VIOLATION_JUMP,
  ISS_VIOLATION_LOAD,
  ISS_VIOLATION_STORE,
  ISS_VIOLATION_DIV,
  ISS_VIOLATION_MUL,
  ISS_VIOLATION_UNINITIALISED,
} iss_violation_kind_t;

typedef struct {
  uint64_t pc;
  uint64_t address;  // of the first access, if it is one
  uint64_t count;    // how often this instruction did it
  uint32_t kind;
  uint32_t pad;
} iss_violation_t;

#define ISS_MAX_VIOLATIONS 256

typedef struct {
  uint64_t pc;
  uint64_t address;       // of the access that stopped the run
  uint64_t instructions;  // since iss_reset_info
  uint64_t cycles;
  uint64_t misaligned;  // misaligned accesses that were allowed
  uint64_t stack_base;  // lowest address of the stack, set by the host
  uint64_t stack_low;   // lowest sp or stored-to address in the stack; host sets the start
  uint64_t counts[ISS_CLASSES];
  uint32_t stop;
  uint32_t size;
  uint32_t encoding;
  uint32_t violations;  // entries of the list; when it is full, further ones are dropped
  iss_violation_t violation[ISS_MAX_VIOLATIONS];
} iss_info_t;

typedef struct iss iss_t;

// xlen 32 or 64. NULL if there is no memory.
iss_t *iss_new(uint32_t xlen, uint32_t extensions, uint32_t checked, const iss_timing_t *timing);
void iss_free(iss_t *iss);

// Options: misaligned accesses work, and are counted; reads of uninitialised memory are violations.
void iss_options(iss_t *iss, uint32_t allow_misaligned, uint32_t check_init);

// Memory is mapped in whole pages of 4 KiB, zeroed, without rights. 0, or -1 when it overlaps.
int iss_map(iss_t *iss, uint64_t address, uint64_t size);
// Gives a range its rights: exact to the byte in a checked machine, else added to those of the
// pages. ISS_EXEC goes by the page. -1 if the range is not mapped; the same for all that follow.
int iss_protect(iss_t *iss, uint64_t address, uint64_t size, uint32_t rights);
// The host's own access, without regard to rights. A write leaves the taint as it is.
int iss_read(const iss_t *iss, uint64_t address, uint8_t *data, uint64_t size);
int iss_write(iss_t *iss, uint64_t address, const uint8_t *data, uint64_t size);
// Marks a range secret or public; does nothing in a machine that is not checked.
int iss_taint(iss_t *iss, uint64_t address, uint64_t size, uint32_t secret);
// 1 if a byte of the range is secret, 0 if none.
int iss_is_tainted(const iss_t *iss, uint64_t address, uint64_t size);
// Marks a range as never written.
int iss_forget(iss_t *iss, uint64_t address, uint64_t size);

// Lets a checked machine count cycles by instruction: from its issue to the next one's.
void iss_profile(iss_t *iss);
// The cycles counted for `count` halfwords from an address.
int iss_read_profile(const iss_t *iss, uint64_t address, uint64_t *cycles, uint64_t count);

uint64_t *iss_registers(iss_t *iss);  // x0 to x31, zero-extended on RV32
uint64_t *iss_taints(iss_t *iss);     // a bit per register bit, 1 = secret
iss_info_t *iss_info(iss_t *iss);
void iss_reset_info(iss_t *iss);

// Runs from pc until it reaches `stop_address`, or something stops it.
void iss_run(iss_t *iss, uint64_t pc, uint64_t stop_address, uint64_t max_instructions);

#endif
