// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Paused jobs of the provider whose end is not the usual one, and jobs that are not paused.
//
//   provider_async_ends late             gone on with two seconds behind their end
//   provider_async_ends left             more jobs than there are areas, some never gone on with
//   provider_async_ends overtaken        others come and go, more than the ring has entries
//   provider_async_ends unload           the provider is unloaded
//   provider_async_ends fork             a child goes on with its copies, the parent with its own
//   provider_async_ends broken [SCRIPT]  the tile does not end them: the system sleeps, by a script
//                                        for the shell, the device goes, or they take too long
//   provider_async_ends alone            whose program wants to be called, that may not be paused,
//                                        or for which there is no queue
//
// Prints for each how many messages were right, and how many of them were paused.
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "async_tasks.h"

enum {
  Jobs = 4,
  Areas = 12,
  Many = 16,
  Length = 4096,
  Short = 512,  // the shortest that is paused
  Long = 1 << 16,
  Patience = 5000,
  Afterwards = 2000,
  Overtaking = 20  // of two entries each: more than the ring has
};

static task_t tasks[Many];

// One job each; long ones for engines that work side by side.
static void begin(unsigned from, unsigned to, size_t len) {
  static const char *const kNames[] = {"AES-128-CTR", "AES-256-XTS", "AES-128-CBC", "AES-256-ECB"};
  static const char *const kLong[] = {"AES-128-CTR", "ChaCha20-Poly1305", "SHA2-256", "SHA3-512"};
  for (unsigned i = from; i < to; i++) {
    task_new(&tasks[i]);
    task_set(&tasks[i], (len == Long ? kLong : kNames)[i % 4], len);
    (void)task_go_on(&tasks[i]);
  }
}

// Goes on when it is told to, until all have ended.
static void end(const char *what, unsigned from, unsigned to) {
  unsigned right = 0, paused = 0;
  for (unsigned left = 1; left != 0;) {
    left = 0;
    for (unsigned i = from; i < to; i++) {
      left += !tasks[i].ended;
    }
    uint64_t awake = left != 0 ? tasks_awake(tasks + from, to - from, Patience) : 0;
    need(left == 0 || awake != 0, "nobody is woken");
    for (unsigned i = from; i < to; i++) {
      if ((awake >> (i - from) & 1) != 0) {
        (void)task_go_on(&tasks[i]);
      }
    }
  }
  for (unsigned i = from; i < to; i++) {
    size_t files_left = 0;
    right += tasks[i].right;
    paused += tasks[i].pauses != 0;
    need(ASYNC_WAIT_CTX_get_all_fds(tasks[i].program, NULL, &files_left) && files_left == 0,
         "a file is left");
    task_free(&tasks[i]);
  }
  printf("%s: %u of %u right, %u paused\n", what, right, to - from, paused);
  fflush(stdout);
}

static void late(void) {
  begin(0, Jobs, Length);
  sleep(2);
  need(tasks_awake(tasks, Jobs, 0) == (1 << Jobs) - 1, "not all are woken");
  end("late", 0, Jobs);
}

static void left(void) {
  begin(0, Many, Length);
  end("with areas", Jobs, Many);
  begin(Jobs, Many, Length);
  end("again", Jobs, Many);
  printf("at a time: %llu\n", (unsigned long long)told("most_paused"));
}

static void overtaken(void) {
  task_t *slow = &tasks[2], *quick = &tasks[0];
  begin(2, 3, Long);
  for (unsigned i = 0; i < Overtaking; i++) {
    task_new(quick);
    task_set(quick, "AES-128-CTR", Short);
    while (!task_go_on(quick)) {
      need(tasks_awake(quick, 1, Patience) != 0, "nobody is woken");
    }
    need(quick->right && quick->pauses != 0, "a message is wrong, or was not paused");
    task_free(quick);
  }
  printf("under way: %d\n", tasks_awake(slow, 1, 0) == 0);
  end("overtaken", 2, 3);
  printf("failed: %llu\n", (unsigned long long)told("failed"));
}

static void in_child(void) {
  begin(0, Jobs, Length);
  pid_t child = fork();
  need(child >= 0, "fork");
  if (child == 0) {
    need(tasks_awake(tasks, Jobs, Patience) == (1 << Jobs) - 1, "a child is not woken");
    uint64_t failed = told("failed");
    end("child", 0, Jobs);
    printf("failed in the child: %llu\n", (unsigned long long)(told("failed") - failed));
    begin(0, Areas, Length);
    end("a child's own", 0, Areas);
    exit(0);
  }
  int status;
  need(waitpid(child, &status, 0) == child && status == 0, "a child failed");
  end("parent", 0, Jobs);
}

// Behind it software does all, then the tile again.
static void broken(const char *script, size_t len) {
  begin(0, Jobs, len);
  need(script == NULL || system(script) == 0, "the script failed");
  end("broken", 0, Jobs);
  printf("failed: %llu\n", (unsigned long long)told("failed"));
  begin(0, 1, Length);
  end("behind", 0, 1);
  uint64_t jobs = told("jobs");
  for (unsigned i = 0; i < Afterwards && told("jobs") == jobs; i++) {
    task_new(&tasks[0]);
    task_set(&tasks[0], "SHA2-256", 64);
    task_run(&tasks[0]);
    need(tasks[0].right, "a digest is wrong");
    task_free(&tasks[0]);
  }
  begin(0, Areas, Length);
  end("then", 0, Areas);
}

static int called(void *argument) {
  (void)argument;
  return 1;
}

static int unpaused(void *argument) {
  ASYNC_block_pause();
  task_run(*(task_t **)argument);
  ASYNC_unblock_pause();
  return 1;
}

static void alone(void) {
  task_new(&tasks[0]);
  need(ASYNC_WAIT_CTX_set_callback(tasks[0].program, called, NULL), "no callback");
  task_set(&tasks[0], "AES-128-CTR", Length);
  (void)task_go_on(&tasks[0]);
  end("called", 0, 1);
  begin(0, 1, Short - 1);
  end("short", 0, 1);
  task_t *task = &tasks[0];
  int result;
  task_new(task);
  task_set(task, "AES-128-CTR", Length);
  need(ASYNC_start_job(&task->job, task->program, &result, unpaused, &task, sizeof(task)) ==
           ASYNC_FINISH,
       "it was paused");
  end("not to be paused", 0, 1);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "", *script = count > 2 ? words[2] : NULL;
  unsigned before = files();
  tasks_load();
  if (strcmp(what, "late") == 0) {
    late();
  } else if (strcmp(what, "left") == 0) {
    left();
  } else if (strcmp(what, "overtaken") == 0) {
    overtaken();
  } else if (strcmp(what, "fork") == 0) {
    in_child();
  } else if (strcmp(what, "broken") == 0) {
    broken(script, script != NULL ? Length : Long);
  } else if (strcmp(what, "alone") == 0) {
    alone();
  } else if (strcmp(what, "unload") == 0) {
    begin(0, Jobs, Length);
  } else {
    return 2;
  }
  tasks_unload();
  if (strcmp(what, "unload") == 0) {
    end("unload", 0, Jobs);
  }
  if (strcmp(what, "left") != 0) {
    tasks_forget();
    printf("files left: %d\n", (int)files() - (int)before);
  }
  return 0;
}
