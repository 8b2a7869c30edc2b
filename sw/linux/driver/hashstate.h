/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

#ifndef CRYPTILE_HASHSTATE_H
#define CRYPTILE_HASHSTATE_H

#include <linux/types.h>

struct cryptile_alg;

/**
 * enum cryptile_state - how a message in parts is exported
 * @CRYPTILE_STATE_OWN: the driver's own way
 * @CRYPTILE_STATE_SHA256: as software does with SHA-224 and SHA-256
 * @CRYPTILE_STATE_SHA512: with SHA-384 and SHA-512
 * @CRYPTILE_STATE_SHA3: with SHA-3
 */
enum cryptile_state {
	CRYPTILE_STATE_OWN,
	CRYPTILE_STATE_SHA256,
	CRYPTILE_STATE_SHA512,
	CRYPTILE_STATE_SHA3,
};

/* Bytes of the longest state that software exports of those. */
#define CRYPTILE_STATE_MOST 360

enum cryptile_state cryptile_state_of(const struct cryptile_alg *row);
unsigned int cryptile_state_size(enum cryptile_state state);
void cryptile_state_put(enum cryptile_state state, void *to, const u8 *context);
int cryptile_state_get(enum cryptile_state state, const void *from,
		       unsigned int block, u8 *context, u8 *buffer);

#endif /* CRYPTILE_HASHSTATE_H */
