// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The RTL of the public-key engine during a job, with what stands around it on the engine port:
// one job, taken and given without stalls. Its whole state can be kept and given back.
#ifndef ENGINE_H
#define ENGINE_H

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "Vpka.h"
#include "machine.h"

using Item = std::vector<uint32_t>;

// The job: items of the engine port, as words of 32 bits.
struct Job {
  Item job;
  std::vector<Item> key, message;
};

// What a register is to a program.
enum class Part {
  kValue,  // values that programs work on
  kFrame,  // how the job is taken and its result given
  kWay     // which instructions are carried out, and how
};

struct Register {
  std::string name;
  uint8_t *data;
  unsigned bits, bytes;  // bytes: that it takes in the model
  Part part;
};

// What has come out.
struct Heard {
  std::vector<uint8_t> bytes;
  bool done = false;
  unsigned status = 0;
  bool operator==(const Heard &) const = default;
};

class Engine {
 public:
  Engine(const Setup &setup, const Job &job);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  // State of the model and of what is around it.
  struct Kept {
    std::vector<uint8_t> model;
    std::array<unsigned, 4> taken;  // job, parts of the key, beats, random words
    Heard heard;
  };
  Kept keep() const;
  void give_back(const Kept &kept);
  bool equals(const Kept &kept) const;

  // A cycle has two halves: what stands on all wires before its edge, and the edge.
  void settle();
  void edge();

  static void flip(const Register &reg, unsigned bit);
  void flip_row(unsigned copy, unsigned row, unsigned bit);

  // All registers of a part, to be compared and put in.
  std::vector<uint8_t> part(Part which) const;
  void put_part(Part which, const std::vector<uint8_t> &bytes);
  // Rows and flag as a program left them.
  void put_rows(const State &state);

  bool idle() const;         // no job has been taken
  bool runs() const;         // a program, and no random bits are waited for
  bool drained() const;      // and no multiplication is on its way
  unsigned pending() const;  // multiplications that have not come to their last limb
  State state() const;       // of the program: what has not issued is still to be done

  // Wires, behind settle.
  bool issues() const {
    return *wires_.issue;
  }
  bool ending() const {
    return *wires_.ending;
  }  // a last row is written in the next cycle
  bool multiplied() const {
    return *wires_.valid;
  }
  bool writes() const {
    return *wires_.write;
  }
  unsigned written_row() const {
    return *wires_.row;
  }
  Row written() const;

  const Heard &heard() const {
    return heard_;
  }
  const std::vector<Register> &registers() const {
    return registers_;
  }

 private:
  const Register &find(const std::string &name) const;
  const uint8_t *wire(const std::string &name) const;
  void collect();

  const Setup &setup_;
  const Job &job_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vpka> dut_;
  std::vector<Register> registers_;
  std::array<unsigned, 4> taken_ = {};
  Heard heard_;

  struct {
    const uint8_t *issue, *ending, *valid, *write, *row;
    const Row *data;
  } wires_;
  struct {
    const Register *state, *waits, *steps, *carry, *digit, *negative, *modulus, *pc, *loops, *calls;
    const Register *looping, *calling, *pending, *busy;
    std::array<const Register *, 3> tags;
    std::array<const Register *, 4> held;  // with `fast`: b and v; odd, taken
    const Register *parity;                // but with `fast`
  } regs_;
  std::array<Row *, 2> rows_ = {};
};

#endif
