// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Messages for the provider within jobs of OpenSSL's, and what OpenSSL's own makes of them.
#ifndef CRYPTILE_TESTS_ASYNC_TASKS_H
#define CRYPTILE_TESTS_ASYNC_TASKS_H

#include <openssl/async.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TaskRoom = (1 << 16) + 64, TaskTag = 12 };

typedef struct {
  const char *name;
  bool decrypt, forged, in_place;
  size_t len, cut;
  uint8_t key[64], iv[16], tag[TaskTag];
  uint8_t *text, *out, *wanted;  // OpenSSL's memory of TaskRoom bytes
  size_t wanted_len;
  ASYNC_JOB *job;
  ASYNC_WAIT_CTX *program;
  unsigned pauses;
  bool ended, right, fails;
} task_t;

// Ends the program with a message if something is not so.
void need(bool right, const char *what);

uint32_t draw(uint64_t *state, uint32_t below);

void task_new(task_t *task);
void task_free(task_t *task);

// A message of up to `most` bytes, or of as many with a name given.
void task_draw(task_t *task, uint64_t *state, size_t most);
void task_set(task_t *task, const char *name, size_t len);

// Has the provider compute it, without a job.
void task_run(task_t *task);

// Begins its job, or goes on. True: it has ended.
bool task_go_on(task_t *task);

// The one file of a paused job.
int task_file(const task_t *task);

// Which of the paused jobs may go on, a bit each, within some milliseconds.
uint64_t tasks_awake(const task_t *tasks, unsigned count, int milliseconds);

// Of the provider, by the name of a parameter.
uint64_t told(const char *name);
void tasks_load(void);
void tasks_unload(void);
void tasks_forget(void);  // it ends, as all that used it has

// Open files of this process.
unsigned files(void);

#endif  // CRYPTILE_TESTS_ASYNC_TASKS_H
