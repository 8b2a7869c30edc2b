// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What users without rights have of the queues, and that they do not get more: prints a line for
// each, `name: what`. The device file is for all.
//
//   ring_limits memory       locked memory over exec() and in files that were passed on
//   ring_limits rings        open files and hardware queues of a user, and of another beside him
//   ring_limits signals      a batch by turns while signals come (the queues are held)
//   ring_limits half         a batch that ends in half a job (the queues are held)
//   ring_limits changing     batches whose entries change while they run (the queues are held)
//   ring_limits flood        others' batches by turns, until it is killed (the queues are held)
//   ring_limits wait         how long one job by turns takes, in ms, thrice (the queues are held)
//   ring_limits late         a turn that waits for too long, one that is killed, and what their
//                            users do next (all but one queue are held)
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cry_ring.h"
#include "cryptile_ring.h"

enum { First = 1001, Second };  // users
enum {
  Locked = 1 << 18,
  Most = 100,
  Flooding = 4,
  RingLog2 = 8,
  Batch = 1 << RingLog2,
  Short = 64
};
enum { Long = 3 << 19, Pause = 100000, Signals = 8, Killed = 500 };
enum { Changing = 64, Rounds = 6, ChangingBytes = 4096, TooLong = 5000 };  // milliseconds
static const char kDevice[] = "/dev/cryptile0";

static void need(bool right, const char *what) {
  if (!right) {
    fprintf(stderr, "ring_limits: %s (%s)\n", what, strerror(errno));
    exit(2);
  }
}

static const char *error_of(long result) {
  return result < 0 ? strerrorname_np(errno) : "0";
}

static void become(uid_t user) {
  struct rlimit limit = {Locked, Locked};
  need(setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && setgid(user) == 0 && setuid(user) == 0, "user");
  need(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "die with the parent");
}

// A file that exec() leaves open.
static int opened(int flags) {
  return open(kDevice, O_RDWR | flags);
}

static int set_up(int file, size_t bytes) {
  struct cryptile_ring_setup setup = {
      .version = CRYPTILE_RING_VERSION, .ring_log2 = 4, .arena_bytes = bytes};
  return ioctl(file, CRYPTILE_RING_SETUP, &setup);
}

static void show_setup(const char *name, size_t bytes) {
  int file = opened(0);
  need(file >= 0, "open");
  printf("%s: %s\n", name, error_of(set_up(file, bytes)));
  close(file);
}

// Sends a file with all that may be locked, and dies.
static void send_file(int to) {
  int file = opened(O_CLOEXEC);
  need(set_up(file, Locked / 2) == 0, "memory to pass on");
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.head), &file, sizeof(file));
  struct iovec data = {"", 1};
  struct msghdr message = {.msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof(control)};
  need(sendmsg(to, &message, 0) == 1, "send");
  _exit(0);
}

static int received_file(void) {
  int ends[2], file;
  need(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0, "socket");
  if (fork() == 0) {
    send_file(ends[1]);
  }
  wait(NULL);
  char byte, control[CMSG_SPACE(sizeof(int))];
  struct iovec data = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
  need(recvmsg(ends[0], &message, 0) == 1, "receive");
  memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(file));
  return file;
}

static void memory(void) {
  become(First);
  int file = opened(0);
  need(set_up(file, Locked / 2) == 0, "memory");
  show_setup("beside it", Locked / 2);
  fflush(stdout);
  char number[12];
  snprintf(number, sizeof(number), "%d", file);
  execl("/proc/self/exe", "ring_limits", "executed", number, NULL);
  need(false, "exec");
}

static void executed(int file) {
  show_setup("behind exec", Locked / 2);
  close(file);
  show_setup("closed", Locked / 2);
  file = received_file();
  show_setup("beside a file that was passed on", Locked / 2);
  struct cryptile_ring_arena arena = {.bytes = Locked / 4};
  printf("more in that: %s\n", error_of(ioctl(file, CRYPTILE_RING_ARENA, &arena)));
  close(file);
  show_setup("closed too", Locked / 2);
}

// Opens as many as there are, and counts those with a hardware queue.
static void open_all(const char *name) {
  int files[Most], count = 0, own = 0;
  while (count < Most && (files[count] = opened(0)) >= 0) {
    struct cryptile_ring_setup setup = {
        .version = CRYPTILE_RING_VERSION, .ring_log2 = 4, .arena_bytes = 1};
    // Beyond his memory the user has files, and no more.
    own += ioctl(files[count], CRYPTILE_RING_SETUP, &setup) == 0 &&
           (setup.flags & CRYPTILE_RING_SHARED) == 0;
    count++;
  }
  printf("%s: %d own, %d in all, then %s\n", name, own, count, error_of(-1));
  int file = opened(O_EXCL);
  printf("%s, exclusive: %s\n", name, error_of(file));
  for (int i = count / 2; i < count; i++) {
    close(files[i]);
  }
  file = opened(O_EXCL);
  printf("%s, with some closed: %s\n", name, error_of(file));
  fflush(stdout);
}

static void rings(void) {
  enum { Users = 2 };
  static const struct {
    uid_t user;
    const char *name;
  } kUsers[Users] = {{First, "first"}, {Second, "second"}};
  pid_t children[Users];
  for (unsigned i = 0; i < Users; i++) {
    int pipes[2];
    need(pipe(pipes) == 0, "pipe");
    children[i] = fork();
    if (children[i] == 0) {
      become(kUsers[i].user);
      open_all(kUsers[i].name);
      need(write(pipes[1], "", 1) == 1, "tell");
      pause();
    }
    char byte;
    need(read(pipes[0], &byte, 1) == 1, "hear");
  }
  printf("root: %s\n", error_of(opened(0)));
  for (unsigned i = 0; i < Users; i++) {
    kill(children[i], SIGKILL);
    wait(NULL);
  }
}

static void open_shared(cry_ring_t *ring) {
  cry_ring_config_t config = {.ring_log2 = RingLog2, .arena_bytes = 1 << 14};
  need(cry_ring_open(ring, &config) == CRYPTILE_OK && ring->shared, "no shared ring");
}

static tile_job_t job_of(cry_ring_t *ring, const tile_alg_t *alg, size_t len) {
  tile_job_t job;
  tile_message_t message = {.in = cry_ring_take(ring, len),
                            .len = len,
                            .out = cry_ring_take(ring, len),
                            .tag = cry_ring_take(ring, Short)};
  need(cry_ring_prepare(ring, alg, &message, &job) == CRYPTILE_OK, "no job");
  return job;
}

static tile_job_t hashing(cry_ring_t *ring, size_t len) {
  unsigned count;
  const tile_alg_t *alg = cry_tile_algs(&count);
  while (alg->tag_bytes == 0 || alg->key_bytes != 0) {
    alg++;
  }
  return job_of(ring, alg, len);
}

static tile_job_t copying(cry_ring_t *ring, size_t len) {
  return job_of(ring, cry_tile_alg("copy"), len);
}

static void submit(cry_ring_t *ring, const tile_job_t *job, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    need(cry_ring_submit(ring, job, NULL) == CRYPTILE_OK, "submit");
  }
}

static unsigned interrupted;

static void set_timer(long microseconds) {
  struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  need(setitimer(ITIMER_REAL, &timer, NULL) == 0, "timer");
}

// On a slow system handling them is all that is done: so they end.
static void count_signal(int number) {
  (void)number;
  if (++interrupted == Signals) {
    set_timer(0);
  }
}

// The results are those of one turn, whatever came between: each job once, in its place.
static void signals(void) {
  cry_ring_t ring;
  open_shared(&ring);
  tile_job_t job = copying(&ring, ring.max_bytes);
  submit(&ring, &job, Batch);
  struct sigaction action = {.sa_handler = count_signal};  // without SA_RESTART
  need(sigaction(SIGALRM, &action, NULL) == 0, "handler");
  set_timer(100);
  cryptile_status_t status = cry_ring_notify(&ring);
  set_timer(0);
  unsigned right = 0;
  for (tile_result_t result; cry_tile_poll(&ring.queue, &result); right++) {
    need(result.status == CRYPTILE_OK && result.index == right, "result");
  }
  printf("signals: %d, %u right, %s\n", status, right, interrupted > 1 ? "several" : "none");
}

static void flood(void) {
  for (unsigned i = 0; i < Flooding; i++) {
    if (fork() != 0) {
      continue;
    }
    become(First);
    cry_ring_t ring;
    open_shared(&ring);
    tile_job_t job = hashing(&ring, ring.max_bytes);
    for (;;) {
      submit(&ring, &job, Batch);
      if (cry_ring_notify(&ring) != CRYPTILE_OK) {
        exit(1);  // the device has gone
      }
      while (cry_tile_poll(&ring.queue, NULL)) {
      }
    }
  }
  while (wait(NULL) > 0) {
  }
}

static unsigned milliseconds(const struct timespec *from) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned)((now.tv_sec - from->tv_sec) * 1000 + (now.tv_nsec - from->tv_nsec) / 1000000);
}

// One job by turns, told with how long it took.
static void show_turn(const char *name, cry_ring_t *ring, const tile_job_t *job) {
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  submit(ring, job, 1);
  cryptile_status_t status = cry_ring_notify(ring);
  printf("%s: %d in %u ms\n", name, status, milliseconds(&start));
  while (cry_tile_poll(&ring->queue, NULL)) {
  }
}

static void wait_for_turn(void) {
  become(Second);
  cry_ring_t ring;
  open_shared(&ring);
  tile_job_t job = hashing(&ring, Short);
  for (unsigned i = 0; i < 3; i++) {
    usleep(Pause);
    show_turn("waited", &ring, &job);
  }
}

// A turn of a process of its own, as a user's, which is killed if it takes so many milliseconds.
static void turn_of(uid_t user, const char *name, tile_job_t (*make)(cry_ring_t *, size_t),
                    unsigned most) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    become(user);
    cry_ring_t ring;
    open_shared(&ring);
    tile_job_t job = make(&ring, Short);
    show_turn(name, &ring, &job);
    exit(0);
  }
  if (most != 0) {
    usleep(1000 * most);
    kill(child, SIGKILL);
  }
  wait(NULL);
}

// The first waits behind a job of another queue, in the same engine, and so does the killed one.
static void late(void) {
  cry_ring_t own;
  cry_ring_config_t config = {
      .ring_log2 = 4, .arena_bytes = 2 * Long + Short, .max_bytes = Long, .exclusive = true};
  need(cry_ring_open(&own, &config) == CRYPTILE_OK, "no ring");
  tile_job_t job = hashing(&own, Long);
  submit(&own, &job, 1);
  need(cry_ring_notify(&own) == CRYPTILE_OK, "notify");
  turn_of(First, "late", hashing, 0);
  turn_of(Second, "another's", copying, 0);
  turn_of(First, "the same user's", copying, 0);
  while (!cry_tile_poll(&own.queue, NULL)) {
    usleep(Pause);
  }
  submit(&own, &job, 1);
  need(cry_ring_notify(&own) == CRYPTILE_OK, "notify");
  turn_of(Second, "killed", hashing, Killed);
  turn_of(First, "another's behind it", copying, 0);
  turn_of(Second, "the killed one's user's", copying, 0);
}

// A batch whose last entry wants one more; and some that go on with what was not.
static void half(void) {
  cry_ring_t ring;
  open_shared(&ring);
  tile_job_t job = copying(&ring, Short);
  submit(&ring, &job, 3);
  ring.queue.entries[2].w[TileDescriptorControl] ^=
      tile_descriptor_control_encode((tile_descriptor_control_t){.extension = true});
  cryptile_status_t status = cry_ring_notify(&ring);
  unsigned results = 0;
  while (cry_tile_poll(&ring.queue, NULL)) {
    results++;
  }
  printf("half a job: %d, %u results\n", status, results);
  static const struct {
    const char *name;
    struct cryptile_ring_batch batch;
  } kForged[] = {{"goes on behind its end", {.entries = 3, .completed = 2}},
                 {"goes on with others", {.entries = 2, .completed = 2}},
                 {"longer than the ring", {.entries = Batch + 1}},
                 {"of none", {.entries = 0}}};
  for (unsigned i = 0; i < sizeof(kForged) / sizeof(kForged[0]); i++) {
    struct cryptile_ring_batch batch = kForged[i].batch;
    printf("%s: %s\n", kForged[i].name, error_of(ioctl(ring.file, CRYPTILE_RING_RUN, &batch)));
  }
}

static atomic_bool changes;

// Has jobs of a ring want one more entry, or not, at random.
static void *change(void *argument) {
  const tile_ring_t *queue = argument;
  const uint64_t extension =
      tile_descriptor_control_encode((tile_descriptor_control_t){.extension = true});
  unsigned seed = 1;
  while (atomic_load(&changes)) {
    for (unsigned i = 0; i < Changing; i++) {
      volatile uint64_t *word = &queue->entries[i].w[TileDescriptorControl];
      *word = rand_r(&seed) % 4 == 0 ? *word | extension : *word & ~extension;
    }
    usleep(1);
  }
  return NULL;
}

// Neither the kernel nor the tile waits for what is never told. Each batch ends, well or not;
// behind them all is as before.
static void changing(void) {
  cry_ring_t ring;
  open_shared(&ring);
  tile_job_t job = hashing(&ring, ChangingBytes);
  pthread_t thread;
  changes = true;
  need(pthread_create(&thread, NULL, change, &ring.queue) == 0, "thread");
  unsigned longest = 0, wrong = 0;
  for (unsigned i = 0; i < Rounds; i++) {
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    submit(&ring, &job, Changing);
    unsigned right = 0;
    bool ended = cry_ring_notify(&ring) == CRYPTILE_OK;
    for (tile_result_t result; cry_tile_poll(&ring.queue, &result);) {
      right += result.status == CRYPTILE_OK;
    }
    unsigned took = milliseconds(&start);
    longest = took > longest ? took : longest;
    wrong += !ended || right != Changing;
    need(cry_ring_restart(&ring) == CRYPTILE_OK, "restart");
  }
  changes = false;
  pthread_join(thread, NULL);
  printf("changed meanwhile: %s wrong, %s\n", wrong != 0 ? "some" : "none",
         longest < TooLong ? "each ends" : "too long");
  submit(&ring, &job, Changing);
  printf("as it should be: %d\n", cry_ring_notify(&ring));
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  static const struct {
    const char *name;
    void (*run)(void);
  } kRuns[] = {{"memory", memory}, {"rings", rings},        {"signals", signals},
               {"flood", flood},   {"wait", wait_for_turn}, {"late", late},
               {"half", half},     {"changing", changing}};
  if (strcmp(what, "executed") == 0 && count == 3) {
    executed(atoi(words[2]));
  }
  for (unsigned i = 0; i < sizeof(kRuns) / sizeof(kRuns[0]); i++) {
    if (strcmp(what, kRuns[i].name) == 0) {
      kRuns[i].run();
    }
  }
  return 0;
}
