// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// One clock cycle of a design in all lanes of a group: what is written for each netlist.
#ifndef STEP_H
#define STEP_H

#include "lanes.h"

// From inputs and state to the next state and the outputs. Where `faulty` of a part of the netlist
// is set, `f` says what happens to the output of each gate; without faults at gates both are null.
void design_step(const word *restrict in, const word *restrict s, word *restrict n,
                 word *restrict out, const site_fault *f, const uint8_t *faulty);

#endif
