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

/* Of ERROR_STATUS and ERROR_ENABLE. */
#define DETECTED TILE__ERROR_ENABLE__DETECTED_bm
#define FATAL                                       \
	(DETECTED | TILE__ERROR_ENABLE__TAMPER_bm | \
	 TILE__ERROR_ENABLE__WATCHDOG_bm)

/* Jiffies in which faults are told once. */
#define REARM HZ

/* Has all that wait told if the tile works no more. */
static void check(struct cryptile *tile)
{
	cryptile_queue_check(tile);
	cryptile_rings_check(tile);
}

static irqreturn_t interrupt(int irq, void *data)
{
	struct cryptile *tile = data;
	u32 status = tile_read(tile, TILE_AT(ERROR_STATUS));
	u32 enabled = tile_read(tile, TILE_AT(ERROR_ENABLE));

	if (!(status & enabled))
		return IRQ_NONE;
	/* Told once: what stays would be told for ever. */
	tile_write(tile, TILE_AT(ERROR_ENABLE), enabled & ~status);
	dev_err(tile->dev, "ERROR_STATUS %#x\n", status);
	if (status & enabled & DETECTED)
		queue_delayed_work(system_power_efficient_wq, &tile->rearm,
				   REARM);
	check(tile);
	return IRQ_HANDLED;
}

/*
 * A fault may have ended one job alone: the next one may lock the tile, and is
 * told again, but not more often than this runs.
 */
static void rearm(struct work_struct *work)
{
	struct cryptile *tile = container_of(work, struct cryptile, rearm.work);

	if (!tile->dead) {
		disable_irq(tile->error_irq);
		tile_write(tile, TILE_AT(ERROR_STATUS), DETECTED);
		tile_write(tile, TILE_AT(ERROR_ENABLE),
			   tile_read(tile, TILE_AT(ERROR_ENABLE)) | DETECTED);
		enable_irq(tile->error_irq);
	}
	/* What has locked it meanwhile was not told. */
	check(tile);
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

	INIT_DELAYED_WORK(&tile->rearm, rearm);
	tile->error_irq = platform_get_irq_byname_optional(pdev, "error");
	if (tile->error_irq == -EPROBE_DEFER)
		return tile->error_irq;
	if (tile->error_irq < 0)
		return 0;
	tile_write(tile, TILE_AT(ERROR_ENABLE), 0);
	err = devm_request_irq(tile->dev, tile->error_irq, interrupt,
			       IRQF_NO_AUTOEN, dev_name(tile->dev), tile);
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
	if (tile->error_irq < 0)
		return;
	tile_write(tile, TILE_AT(ERROR_ENABLE), FATAL);
	enable_irq(tile->error_irq);
}

/**
 * cryptile_error_close() - be told no more
 * @tile: the tile
 */
void cryptile_error_close(struct cryptile *tile)
{
	if (tile->error_irq >= 0)
		disable_irq(tile->error_irq);
	/* No interrupt queues it again. */
	cancel_delayed_work_sync(&tile->rearm);
	tile_write(tile, TILE_AT(ERROR_ENABLE), 0);
}
