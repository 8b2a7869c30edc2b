// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The host mailbox: the world outside. In simulation the harness carries commands out at once.
#ifndef CRYPTILE_HAL_HOST_H
#define CRYPTILE_HAL_HOST_H

#include <stddef.h>
#include <stdint.h>

// Fills `buffer` with the next input bytes and returns how many there were: less than `len` only at
// the end of the input.
size_t cry_host_read(void *buffer, size_t len);

// Appends bytes to the output.
void cry_host_write(const void *buffer, size_t len);

// Copies the parameter blob and returns its length, cut to `len`.
size_t cry_host_params(void *buffer, size_t len);

#endif  // CRYPTILE_HAL_HOST_H
