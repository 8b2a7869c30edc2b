// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * What this driver has of the other one, and the driver core, as they stand:
 * objects of an external module lie in its own folder.
 */

#include "hw.c"
#include "tile_alg.c"
#include "tile_job.c"
