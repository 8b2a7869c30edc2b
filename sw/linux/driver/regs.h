/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

/*
 * Registers of the tile, by the offsets of the generated header. Its
 * structures are packed: only offsets are taken of them.
 */
#ifndef CRYPTILE_REGS_H
#define CRYPTILE_REGS_H

#include <linux/bitfield.h>
#include <linux/io.h>
#include <linux/stddef.h>

#include "cryptile.h"
#include "gen/tile_regs.h"

#define TILE_AT(reg) offsetof(tile_t, reg)
#define QUEUE_AT(reg) offsetof(tile_queue__stride1000_t, reg)
#define WINDOW_AT(reg) offsetof(tile_queue__WINDOW__stride20_t, reg)
#define PAGE_AT(reg) offsetof(tile_page__stride1000_t, reg)

/* All events of a queue that raise its interrupt. */
#define QUEUE_EVENTS                             \
	(TILE_QUEUE__IRQ_STATUS__COMPLETION_bm | \
	 TILE_QUEUE__IRQ_STATUS__ERROR_bm |      \
	 TILE_QUEUE__IRQ_STATUS__VIOLATION_bm)

static inline u32 tile_read(const struct cryptile *tile, size_t at)
{
	return readl(tile->base + at);
}

static inline void tile_write(const struct cryptile *tile, size_t at, u32 value)
{
	writel(value, tile->base + at);
}

/* Where the user page of a queue begins, from the registers on. */
static inline size_t cryptile_page_at(const struct cryptile *tile,
				      unsigned int number)
{
	u32 stride = FIELD_GET(TILE__SIZES__PAGE_LOG2_bm,
			       tile_read(tile, TILE_AT(SIZES)));

	return TILE_AT(PAGE[0]) + ((size_t)number << stride);
}

#endif /* CRYPTILE_REGS_H */
