// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Order between memory and the registers of devices that read and write it.
//
// `volatile` orders accesses to registers among themselves, and says nothing about memory: without
// these the compiler, or a core with a store buffer or loads ahead of time, may start a device
// before what it reads is stored, or load a result before the device is done.
// tests/sw/test_io_order.py looks for them in the compiled programs.
#ifndef CRYPTILE_HAL_IO_H
#define CRYPTILE_HAL_IO_H

// Between the last access to memory that a device is given and the store that starts the device.
static inline void io_write_barrier(void) {
  __asm__ volatile("fence rw, o" : : : "memory");
}

// Between the load that tells that a device is done and the first access to memory that it was
// given.
static inline void io_read_barrier(void) {
  __asm__ volatile("fence i, rw" : : : "memory");
}

#endif  // CRYPTILE_HAL_IO_H
