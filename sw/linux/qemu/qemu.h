// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// What of QEMU's inside the plugin uses. QEMU exports these symbols for modules of its own and
// promises nothing: layouts.h checks at the start what can be checked.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using hwaddr = uint64_t;

struct MemTxAttrs {
  unsigned bits;
};
constexpr MemTxAttrs kUnspecified = {1};

struct MemoryRegionOps {
  uint64_t (*read)(void *opaque, hwaddr offset, unsigned size);
  void (*write)(void *opaque, hwaddr offset, uint64_t value, unsigned size);
  uint32_t (*read_with_attrs)(void *, hwaddr, uint64_t *, unsigned, MemTxAttrs);
  uint32_t (*write_with_attrs)(void *, hwaddr, uint64_t, unsigned, MemTxAttrs);
  int endianness;
  struct {
    unsigned min_access_size, max_access_size;
    bool unaligned;
    bool (*accepts)(void *, hwaddr, unsigned, bool, MemTxAttrs);
  } valid;
  struct {
    unsigned min_access_size, max_access_size;
    bool unaligned;
  } impl;
};
constexpr int kLittleEndian = 2;

struct QEMUTimer {
  int64_t expire_time;
  void *timer_list;
  void (*cb)(void *opaque);
  void *opaque;
  QEMUTimer *next;
  int attributes;
  int scale;
};
constexpr int kVirtualClock = 1;
constexpr int kNanoseconds = 1;

struct Notifier {
  void (*notify)(Notifier *notifier, void *data);
  struct {
    void *next, **previous;
  } node;
};

struct VersionTriple {
  int64_t major, minor, micro;
};
struct VersionInfo {
  VersionTriple *qemu;
  char *package;
};

extern int use_icount;
extern char address_space_memory[];

VersionInfo *qmp_query_version(void **error);
void qemu_add_machine_init_done_notifier(Notifier *notifier);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*cb)(uint64_t id, void *data), void *data);

void *get_system_memory();
void memory_region_init_io(void *region, void *owner, const MemoryRegionOps *ops, void *opaque,
                           const char *name, uint64_t size);
uint64_t memory_region_size(void *region);
void memory_region_add_subregion(void *region, hwaddr offset, void *subregion);
uint32_t address_space_rw(void *space, hwaddr addr, MemTxAttrs attrs, void *bytes, hwaddr length,
                          bool write);

void *object_resolve_path_type(const char *path, const char *type, bool *ambiguous);
void *qdev_get_gpio_in(void *device, int number);
void qemu_set_irq(void *irq, int level);

int64_t qemu_clock_get_ns(int clock);
void timer_init_full(QEMUTimer *timer, void *lists, int clock, int scale, int attributes,
                     void (*cb)(void *opaque), void *opaque);
void timer_mod_ns(QEMUTimer *timer, int64_t expire_time);
void timer_del(QEMUTimer *timer);
bool timer_pending(QEMUTimer *timer);
uint64_t timer_expire_time_ns(QEMUTimer *timer);
}
