// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Many jobs of OpenSSL's at once through the provider, beside OpenSSL's own: woken by select(),
// sometimes gone on with before that, sometimes long behind it, with messages without a job
// between. Prints what was counted; says what differs on standard error.
//
//   provider_async SEED THREADS JOBS ROUNDS MOST    JOBS at once in each thread, up to MOST bytes
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "async_tasks.h"

// Milliseconds: alone less than the second behind which a job is woken anyway.
enum { MostJobs = 64, MostThreads = 8, Patience = 800, AmongOthers = 5000 };

static uint64_t seed;
static unsigned jobs, rounds, patience;
static size_t most;
static atomic_uint tasks, differ, fail, pauses, waits;

static void judge(const task_t *task) {
  tasks++;
  pauses += task->pauses;
  fail += task->fails;
  if (!task->right && !task->fails) {
    fprintf(stderr, "%s, %zu bytes%s%s%s differ\n", task->name, task->len,
            task->decrypt ? ", decrypted" : "", task->forged ? ", forged" : "",
            task->in_place ? ", in place" : "");
    differ++;
  }
}

// The first one may be late: then it is gone on with behind all others.
static void round_of(task_t *all, task_t *between, uint64_t *state) {
  unsigned left = 0;
  for (unsigned i = 0; i < jobs; i++) {
    task_draw(&all[i], state, most);
    left += !task_go_on(&all[i]);
  }
  unsigned late = draw(state, 2);
  while (left > 0) {
    unsigned any = draw(state, jobs);
    if (draw(state, 4) == 0 && !all[any].ended && any >= late) {
      left -= task_go_on(&all[any]);
      continue;
    }
    if (draw(state, 4) == 0) {
      task_draw(between, state, most);
      task_run(between);
      judge(between);
    }
    unsigned begin = left == 1 && !all[0].ended ? 0 : late;
    uint64_t awake = tasks_awake(all + begin, jobs - begin, patience);
    need(awake != 0, "nobody is woken");
    waits++;
    for (unsigned i = begin; i < jobs; i++) {
      if ((awake >> (i - begin) & 1) != 0) {
        left -= task_go_on(&all[i]);
      }
    }
  }
  for (unsigned i = 0; i < jobs; i++) {
    judge(&all[i]);
  }
}

static void *in_thread(void *argument) {
  uint64_t state = seed + (uintptr_t)argument * 1000003;
  task_t all[MostJobs], between;
  for (unsigned i = 0; i < jobs; i++) {
    task_new(&all[i]);
  }
  task_new(&between);
  for (unsigned i = 0; i < rounds; i++) {
    round_of(all, &between, &state);
  }
  for (unsigned i = 0; i < jobs; i++) {
    task_free(&all[i]);
  }
  task_free(&between);
  ASYNC_cleanup_thread();
  return NULL;
}

int main(int count, char **words) {
  need(count == 6, "usage: provider_async SEED THREADS JOBS ROUNDS MOST");
  seed = strtoull(words[1], NULL, 0);
  unsigned threads = (unsigned)atoi(words[2]);
  patience = threads == 1 ? Patience : AmongOthers;
  jobs = (unsigned)atoi(words[3]);
  rounds = (unsigned)atoi(words[4]);
  most = strtoul(words[5], NULL, 0);
  need(threads <= MostThreads && jobs <= MostJobs && most <= TaskRoom - 64, "too much");
  pthread_t other[MostThreads];
  tasks_load();
  for (uintptr_t i = 0; i < threads; i++) {
    need(pthread_create(&other[i], NULL, in_thread, (void *)i) == 0, "no thread");
  }
  for (unsigned i = 0; i < threads; i++) {
    need(pthread_join(other[i], NULL) == 0, "a thread does not end");
  }
  printf(
      "%u tasks, %u differ, %u fail, %u pauses, %u waits; %llu jobs, %llu paused, %llu at a time, "
      "%llu failed, %llu refused\n",
      tasks, differ, fail, pauses, waits, (unsigned long long)told("jobs"),
      (unsigned long long)told("paused"), (unsigned long long)told("most_paused"),
      (unsigned long long)told("failed"), (unsigned long long)told("refused"));
  tasks_unload();
  tasks_forget();
  return differ != 0;
}
