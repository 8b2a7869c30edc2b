// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Health tests of one sample of one lane: what is known of the lane so far, and the sample, make
// what is known then, and failures. Combinational; cry_entropy_tests stores the records.
//
// Repetition count and adaptive proportion are those of NIST SP 800-90B, 4.4.1 and 4.4.2. They do
// not see a lane that is locked to a tone, whose ones and zeros are balanced and whose runs are
// short; the lags do: how often a sample equals, or differs from, the k-th one before it. Before k
// samples were seen it is compared with zeros, which is a guess like any other.
//
// A source with min-entropy H for each sample, given all samples before it, is guessed by any rule
// with probability 2^-H at most. So one cut-off holds for every rule, and for its opposite: a
// window fails from its Cutoff-th right guess on, or at its end with Cutoff wrong ones.
module cry_entropy_health #(
  parameter int unsigned Window    = 1024,  // samples of a window, at least 2
  parameter int unsigned RctCutoff = 81,    // equal samples in a row that fail, at least 2
  parameter int unsigned Cutoff    = 810,   // right or wrong guesses that fail, over half of Window
  parameter int unsigned Lags      = 4,     // lags that are tested, at least 1
  // Bits of a count, of a run, of a record. A count of Window may wrap to zero with the last
  // sample: both fail, and the next window begins with none.
  localparam int unsigned CountWidth  = $clog2(Window),
  localparam int unsigned RunWidth    = $clog2(RctCutoff + 1),
  localparam int unsigned RecordWidth = (Lags + 2) * CountWidth + RunWidth + Lags + 1
) (
  input  logic [RecordWidth-1:0] record_i,  // zero before the first sample
  input  logic                   first_i,   // the sample is the first of a window
  input  logic                   last_i,    // it is the last of a window
  input  logic                   bit_i,     // the sample
  input  logic                   next_i,    // the next lane's sample
  input  logic                   paired_i,  // there is a next lane

  output logic [RecordWidth-1:0]  record_o,  // with the sample
  output cry_entropy_pkg::fails_t fails_o    // tests that fail with it
);

  typedef struct packed {
    logic [Lags-1:0]                 past;   // bit k-1: the k-th sample back
    logic [RunWidth-1:0]             run;    // equal samples so far, kept across windows
    logic                            first;  // sample that began the window
    logic [Lags+1:0][CountWidth-1:0] count;  // right guesses: lags, adaptive proportion, pair
  } record_t;

  record_t was, is;
  assign was      = record_i;
  assign record_o = is;

  // Guesses of each rule. The first sample of a window counts itself (4.4.2). Beyond the standard a
  // window with too few like it fails, too: a bias shows even if it begins with the rarer value.
  logic [Lags+1:0] hit, fail;
  assign hit[Lags-1:0] = was.past ~^ {Lags{bit_i}};
  assign hit[Lags]     = first_i || (bit_i == was.first);
  assign hit[Lags+1]   = bit_i == next_i;

  always_comb begin
    is.past  = Lags'({was.past, bit_i});
    is.first = first_i ? bit_i : was.first;
    is.run   = RunWidth'(1);
    if ((was.run != '0) && (bit_i == was.past[0])) begin
      is.run = (was.run == RunWidth'(RctCutoff)) ? was.run : was.run + 1'b1;
    end
    for (int unsigned k = 0; k < Lags + 2; k++) begin
      is.count[k] = (first_i ? '0 : was.count[k]) + CountWidth'(hit[k]);
      fail[k]     = (is.count[k] >= CountWidth'(Cutoff)) ||
                    (last_i && (is.count[k] <= CountWidth'(Window - Cutoff)));
    end
  end

  assign fails_o = '{
    known: 1'b0,
    pair: fail[Lags+1] && paired_i,
    lag:  |fail[Lags-1:0],
    apt:  fail[Lags],
    rct:  is.run == RunWidth'(RctCutoff)
  };

endmodule
