// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

#include "layouts.h"

#include <algorithm>

#include "fail.h"
#include "tile_regs.h"

namespace {

constexpr int kMajor = 7, kMinor = 2;

bool reaches(hwaddr addr, void *bytes, hwaddr length) {
  return address_space_rw(address_space_memory, addr, kUnspecified, bytes, length, false) == 0;
}

}  // namespace

void check_version() {
  void *error = nullptr;
  const VersionInfo *const info = qmp_query_version(&error);
  if (info == nullptr || info->qemu->major != kMajor || info->qemu->minor != kMinor)
    fail("the plugin is for QEMU %d.%d", kMajor, kMinor);
}

void check_layouts(const Options &options, void *region, const uint8_t *slack, size_t slack_size,
                   QEMUTimer &timer) {
  if (use_icount == 0)
    fail("QEMU needs -icount: without it the guest's time is not the tile's");
  if (memory_region_size(region) != options.registers ||
      !std::all_of(slack, slack + slack_size, [](uint8_t byte) { return byte == 0; }))
    fail("struct MemoryRegion of this QEMU is larger than the plugin expects");
  // Through QEMU, to the plugin's own functions and back: MemoryRegionOps is as expected.
  uint32_t id = 0;
  if (!reaches(options.base + offsetof(tile_t, ID), &id, sizeof id) || id != TILE__ID__MAGIC_reset)
    fail("QEMU does not reach the tile's registers: struct MemoryRegionOps is another");
  const int64_t later = qemu_clock_get_ns(kVirtualClock) + 1000000;
  timer_mod_ns(&timer, later);
  if (!timer_pending(&timer) || timer_expire_time_ns(&timer) != static_cast<uint64_t>(later) ||
      timer.expire_time != later)
    fail("struct QEMUTimer of this QEMU is another");
  timer_del(&timer);
  if (timer_pending(&timer))
    fail("QEMU does not stop a timer");
  uint8_t word[16];
  const hwaddr end = options.ram_base + options.ram_size;
  if (!reaches(options.ram_base, word, sizeof word) ||
      !reaches(end - sizeof word, word, sizeof word) || reaches(end, word, sizeof word))
    fail("the guest's memory is not where ram_base and ram_size say");
}
