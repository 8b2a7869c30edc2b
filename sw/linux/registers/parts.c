// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * What this driver has of others, as it stands: objects of an external module
 * lie in its own folder.
 */

#include "tile_alg.c"
#include "window_engine.c"
