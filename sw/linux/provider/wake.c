// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "wake.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { OneSecond = 1000000000 };

bool wake_open(wake_t *wake, int ring_file) {
  struct epoll_event readable = {.events = EPOLLIN};
  wake->file = epoll_create1(EPOLL_CLOEXEC);
  wake->alarm = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  bool open = wake->file >= 0 && wake->alarm >= 0 &&
              epoll_ctl(wake->file, EPOLL_CTL_ADD, wake->alarm, &readable) == 0 &&
              epoll_ctl(wake->file, EPOLL_CTL_ADD, ring_file, &readable) == 0;
  if (!open) {
    wake_close(wake);
  }
  return open;
}

void wake_after(const wake_t *wake, uint32_t nanoseconds) {
  struct itimerspec alarm = {
      .it_value = {.tv_sec = nanoseconds / OneSecond, .tv_nsec = nanoseconds % OneSecond}};
  alarm.it_value.tv_nsec += nanoseconds == 0;  // 0 would be never
  (void)timerfd_settime(wake->alarm, 0, &alarm, NULL);
}

void wake_in_child(const wake_t *wake) {
  int told = eventfd(1, EFD_CLOEXEC);
  if (told >= 0) {
    (void)dup3(told, wake->file, O_CLOEXEC);
    close(told);
  }
}

void wake_close(const wake_t *wake) {
  if (wake->file >= 0) {
    close(wake->file);
  }
  if (wake->alarm >= 0) {
    close(wake->alarm);
  }
}
