// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE), or at your choice under the GNU General Public License, version 2 (see
// sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only

// The only names that the core takes from where it is built: integers of a width, and bool. It uses
// no other header, no library, and no address but those that it is told.
#ifndef CRYPTILE_DRIVER_TILE_TYPES_H
#define CRYPTILE_DRIVER_TILE_TYPES_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
#endif

#endif  // CRYPTILE_DRIVER_TILE_TYPES_H
