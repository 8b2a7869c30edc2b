// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Errors that no queue has made: the tile was tampered with, has seen an upset,
 * or its memory does not answer. If it has locked itself no job ends any more:
 * whoever waits is told at once.
 */

#include <linux/interrupt.h>

#include "cryptile.h"
#include "regs.h"

#define FATAL                                                              \
	(TILE__ERROR_ENABLE__DETECTED_bm | TILE__ERROR_ENABLE__TAMPER_bm | \
	 TILE__ERROR_ENABLE__WATCHDOG_bm)

static irqreturn_t interrupt(int irq, void *data)
{
	struct cryptile *tile = data;
	u32 status = tile_read(tile, TILE_AT(ERROR_STATUS));

	if (!(status & FATAL))
		return IRQ_NONE;
	/* Told once: an upset that stays would be told for ever. */
	tile_write(tile, TILE_AT(ERROR_ENABLE), 0);
	dev_err(tile->dev, "ERROR_STATUS %#x\n", status);
	cryptile_queue_check(tile);
	cryptile_rings_check(tile);
	return IRQ_HANDLED;
}

/**
 * cryptile_error_init() - get the interrupt of errors, if there is one
 * @tile: reset
 * @pdev: its device
 *
 * Without, jobs that do not end are found late.
 *
 * Return: 0 or an error.
 */
int cryptile_error_init(struct cryptile *tile, struct platform_device *pdev)
{
	int err;

	tile->error_irq = platform_get_irq_byname_optional(pdev, "error");
	if (tile->error_irq == -EPROBE_DEFER)
		return tile->error_irq;
	if (tile->error_irq < 0)
		return 0;
	tile_write(tile, TILE_AT(ERROR_ENABLE), 0);
	err = devm_request_irq(tile->dev, tile->error_irq, interrupt, 0,
			       dev_name(tile->dev), tile);
	if (err)
		return dev_err_probe(tile->dev, err, "no error interrupt\n");
	return 0;
}

/**
 * cryptile_error_open() - be told of errors
 * @tile: without jobs
 *
 * Those of before are forgotten: a tile that is locked enables no queue.
 */
void cryptile_error_open(struct cryptile *tile)
{
	tile_write(tile, TILE_AT(ERROR_STATUS), FATAL);
	if (tile->error_irq >= 0)
		tile_write(tile, TILE_AT(ERROR_ENABLE), FATAL);
}

/**
 * cryptile_error_close() - be told no more
 * @tile: the tile
 */
void cryptile_error_close(struct cryptile *tile)
{
	tile_write(tile, TILE_AT(ERROR_ENABLE), 0);
	if (tile->error_irq >= 0)
		synchronize_irq(tile->error_irq);
}
