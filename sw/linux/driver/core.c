// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * The driver core, which all ports of the tile's driver share. It is compiled
 * here as it stands: objects of an external module lie in its own folder.
 */

#include "tile_alg.c"
#include "tile_job.c"
