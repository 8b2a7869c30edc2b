// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Memory for programs that the tile reaches: OPENSSL_malloc() of a process that was started with
// this library loaded (LD_PRELOAD, or linked), so that it comes before OpenSSL's first allocation.
//
// - Blocks of MemoryLeast bytes and more come from a window of the ring, from when the provider is
//   loaded; others, and all when there is no room or no ring, from the C library.
// - The window's blocks are described outside of it. What a block had stays when it is freed, as
//   with the C library; the kernel zeroes the window at the end.
// - A child of fork() finds its blocks where they were, in memory of its own that no tile reaches.
#ifndef CRYPTILE_PROVIDER_MEMORY_H
#define CRYPTILE_PROVIDER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { MemoryLeast = 1024 };

// Whether OpenSSL takes its memory from here.
bool memory_is_asked(void);

// Gives a window out in blocks; false: there is no memory to describe it.
bool memory_lend(void *window, size_t bytes);

// Takes the window back; false: some of its blocks are in use, and it must stay where it is.
bool memory_take_back(void);

// Whether bytes lie in the window as a whole.
bool memory_holds(const void *bytes, size_t len);

// Around fork(), in the parent before it, then in both; no other function is called between.
void memory_before_fork(void);
void memory_in_parent(void);
void memory_in_child(void);

#endif  // CRYPTILE_PROVIDER_MEMORY_H
