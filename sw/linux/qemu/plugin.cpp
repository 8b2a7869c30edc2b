// Copyright Cryptile contributors.
// SPDX-License-Identifier: GPL-2.0-only

// The tile as a device of an unmodified qemu-system-riscv64: registers in its memory map,
// interrupts at its PLIC, bursts to its memory, and a clock that follows the guest's time while the
// tile works.
//
// QEMU loads plugins before it makes the machine: the device is put in when that is done.

#include <cstdio>
#include <memory>

#include "fail.h"
#include "layouts.h"
#include "options.h"
#include "qemu.h"
#include "tile.h"

namespace {

constexpr size_t kRegionBytes = 4096;  // more than struct MemoryRegion has

class Device {
 public:
  explicit Device(const Options &options)
      : options_(options),
        tile_(options, [this](uint64_t addr, void *bytes, uint64_t length, bool write) {
          return access(addr, bytes, length, write);
        }) {
  }

  // The machine is there.
  void attach() {
    ops_.read = [](void *self, hwaddr offset, unsigned) {
      return uint64_t{static_cast<Device *>(self)->read(offset)};
    };
    ops_.write = [](void *self, hwaddr offset, uint64_t value, unsigned) {
      static_cast<Device *>(self)->write(offset, value);
    };
    ops_.endianness = kLittleEndian;
    ops_.valid.min_access_size = ops_.valid.max_access_size = sizeof(uint32_t);
    ops_.impl.min_access_size = ops_.impl.max_access_size = sizeof(uint32_t);
    memory_region_init_io(region_, nullptr, &ops_, this, "cryptile-tile", options_.registers);
    memory_region_add_subregion(get_system_memory(), options_.base, region_);
    if (options_.rbg_base != 0)
      attach_generator();
    timer_init_full(
        &timer_, nullptr, kVirtualClock, kNanoseconds, 0,
        [](void *self) { static_cast<Device *>(self)->look(); }, this);
    last_ns_ = qemu_clock_get_ns(kVirtualClock);
    check_layouts(options_, region_, region_ + kRegionBytes / 2, kRegionBytes / 2, timer_);
    plic_ = object_resolve_path_type("", "riscv.sifive.plic", nullptr);
    if (plic_ == nullptr)
      fail("the machine has no PLIC");
  }

  // Its registers are as those of the tile, at another place.
  void attach_generator() {
    rbg_ops_ = ops_;
    rbg_ops_.read = [](void *self, hwaddr offset, unsigned) {
      return uint64_t{static_cast<Device *>(self)->read_generator(offset)};
    };
    rbg_ops_.write = [](void *self, hwaddr offset, uint64_t value, unsigned) {
      static_cast<Device *>(self)->write_generator(offset, value);
    };
    memory_region_init_io(rbg_region_, nullptr, &rbg_ops_, this, "cryptile-rbg",
                          Options::rbg_registers);
    memory_region_add_subregion(get_system_memory(), options_.rbg_base, rbg_region_);
  }

  void report() const {
    fprintf(stderr,
            "cryptile tile: %llu cycles simulated, %llu registers read, %llu written, %llu errors "
            "made up\n",
            static_cast<unsigned long long>(tile_.cycles()),
            static_cast<unsigned long long>(reads_), static_cast<unsigned long long>(writes_),
            static_cast<unsigned long long>(tile_.memory().errors()));
  }

 private:
  // The tile's port reaches memory alone.
  bool access(uint64_t addr, void *bytes, uint64_t length, bool write) const {
    if (addr < options_.ram_base || length > options_.ram_size ||
        addr - options_.ram_base > options_.ram_size - length)
      return false;
    return address_space_rw(address_space_memory, addr, kUnspecified, bytes, length, write) == 0;
  }

  uint32_t read(hwaddr offset) {
    reads_++;
    catch_up();
    const uint32_t value = tile_.read(static_cast<uint32_t>(offset));
    follow();
    return value;
  }

  void write(hwaddr offset, uint64_t value) {
    writes_++;
    catch_up();
    tile_.write(static_cast<uint32_t>(offset), static_cast<uint32_t>(value));
    follow();
  }

  uint32_t read_generator(hwaddr offset) {
    catch_up();
    const uint32_t value = tile_.read_generator(static_cast<uint32_t>(offset));
    follow();
    return value;
  }

  void write_generator(hwaddr offset, uint64_t value) {
    catch_up();
    tile_.write_generator(static_cast<uint32_t>(offset), static_cast<uint32_t>(value));
    follow();
  }

  void look() {
    catch_up();
    follow();
  }

  // Simulates up to the guest's present, unless the tile sleeps.
  void catch_up() {
    const auto cycle = static_cast<int64_t>(options_.ns_per_cycle);
    int64_t missing = (qemu_clock_get_ns(kVirtualClock) - last_ns_) / cycle;
    last_ns_ += missing * cycle;
    for (; missing > 0 && !tile_.asleep(); missing--) {
      tile_.step();
      tell();
    }
  }

  // Looks again soon, while there is something to see.
  void follow() {
    tell();
    if (tile_.asleep())
      timer_del(&timer_);
    else if (!timer_pending(&timer_))
      timer_mod_ns(&timer_,
                   last_ns_ + static_cast<int64_t>(options_.quantum * options_.ns_per_cycle));
  }

  // Passes on interrupts that have changed.
  void tell() {
    const uint32_t now = tile_.interrupts();
    for (uint32_t left = now ^ told_; left != 0; left &= left - 1) {
      const int number = __builtin_ctz(left);
      qemu_set_irq(qdev_get_gpio_in(plic_, static_cast<int>(options_.irq) + number),
                   now >> number & 1);
    }
    told_ = now;
  }

  const Options options_;
  Tile tile_;
  alignas(64) uint8_t region_[kRegionBytes] = {};
  alignas(64) uint8_t rbg_region_[kRegionBytes] = {};
  MemoryRegionOps ops_ = {}, rbg_ops_ = {};
  QEMUTimer timer_ = {};
  void *plic_ = nullptr;
  int64_t last_ns_ = 0;  // the guest's time up to which the tile was simulated
  uint32_t told_ = 0;
  uint64_t reads_ = 0, writes_ = 0;
};

std::unique_ptr<Device> device;
Notifier machine_done;

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *, int argc,
                                                               char **argv) {
  check_version();
  device = std::make_unique<Device>(parse_options(argc, argv));
  machine_done.notify = [](Notifier *, void *) { device->attach(); };
  qemu_add_machine_init_done_notifier(&machine_done);
  qemu_plugin_register_atexit_cb(
      id, [](uint64_t, void *) { device->report(); }, nullptr);
  return 0;
}
}
