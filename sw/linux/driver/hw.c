// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * A hardware queue by its registers: windows, start and stop. Who has it, the
 * kernel or a process, is all the same here.
 */

#include <linux/iopoll.h>

#include "cryptile.h"
#include "regs.h"

/*
 * An aborted queue is quiet within 2,000 cycles of a memory that answers in
 * 100; this is for memories that do not.
 */
#define QUIET_TIMEOUT_US 100000

/*
 * Turns of the kernel's queue, against one of each process': when all want to
 * start jobs it starts as many as they do together, as disks and networks wait
 * for it.
 */
#define KERNEL_WEIGHT (CRYPTILE_QUEUES - 1)

static size_t window_at(unsigned int window)
{
	return QUEUE_AT(WINDOW[0]) +
	       window * sizeof(tile_queue__WINDOW__stride20_t);
}

static void hw_write(const struct cryptile_hw *hw, size_t at, u32 value)
{
	writel(value, hw->regs + at);
}

/**
 * cryptile_hw_init() - find the registers of a queue
 * @hw: where to note them
 * @tile: the tile, identified
 * @number: of the queue
 */
void cryptile_hw_init(struct cryptile_hw *hw, const struct cryptile *tile,
		      unsigned int number)
{
	hw->regs = tile->base + TILE_AT(QUEUE[0]) +
		   number * sizeof(tile_queue__stride1000_t);
	hw->page = tile->base + cryptile_page_at(tile, number);
	hw->windows = tile->windows;
	hw->allowed = tile->features;
	hw->weight = number == CRYPTILE_KERNEL_QUEUE ? KERNEL_WEIGHT : 1;
}

/**
 * cryptile_hw_window() - let a queue read and write memory
 * @hw: the queue
 * @window: which of its windows
 * @first: bus address of the first byte, at the begin of a page of 4 KiB
 * @last: of the last one, at the end of one
 */
void cryptile_hw_window(const struct cryptile_hw *hw, unsigned int window,
			dma_addr_t first, dma_addr_t last)
{
	size_t at = window_at(window);

	hw_write(hw, at + WINDOW_AT(FLAGS), 0);
	hw_write(hw, at + WINDOW_AT(BASE_LO), lower_32_bits(first / SZ_4K));
	hw_write(hw, at + WINDOW_AT(BASE_HI), upper_32_bits(first / SZ_4K));
	hw_write(hw, at + WINDOW_AT(LIMIT_LO), lower_32_bits(last / SZ_4K));
	hw_write(hw, at + WINDOW_AT(LIMIT_HI), upper_32_bits(last / SZ_4K));
	hw_write(hw, at + WINDOW_AT(FLAGS),
		 TILE_QUEUE__WINDOW__FLAGS__ENABLE_bm |
			 TILE_QUEUE__WINDOW__FLAGS__READ_bm |
			 TILE_QUEUE__WINDOW__FLAGS__WRITE_bm);
}

/**
 * cryptile_hw_close_windows() - let a queue reach nothing
 * @hw: the queue
 */
void cryptile_hw_close_windows(const struct cryptile_hw *hw)
{
	unsigned int i;

	for (i = 0; i < hw->windows; i++)
		hw_write(hw, window_at(i) + WINDOW_AT(FLAGS), 0);
}

/**
 * cryptile_hw_enable() - let a queue that has stopped work
 * @hw: the queue
 * @config: how; the records are 0
 *
 * Nothing is told of events of before.
 *
 * Return: whether it works: a tile that is locked until reset enables none.
 */
bool cryptile_hw_enable(const struct cryptile_hw *hw,
			const struct cryptile_hw_config *config)
{
	u32 control = config->ring_log2 << TILE_QUEUE__CONTROL__RING_LOG2_bp;

	hw_write(hw, QUEUE_AT(RING_LO), lower_32_bits(config->entries));
	hw_write(hw, QUEUE_AT(RING_HI), upper_32_bits(config->entries));
	hw_write(hw, QUEUE_AT(COMPLETION_LO), lower_32_bits(config->records));
	hw_write(hw, QUEUE_AT(COMPLETION_HI), upper_32_bits(config->records));
	hw_write(hw, QUEUE_AT(KEY_MASK), config->key_mask);
	hw_write(hw, QUEUE_AT(COALESCE), 0);
	hw_write(hw, QUEUE_AT(MAX_BYTES), config->max_bytes);
	hw_write(hw, QUEUE_AT(PIECE), config->piece);
	hw_write(hw, QUEUE_AT(ALLOWED),
		 hw->allowed & TILE_QUEUE__ALLOWED__OPCODES_bm);
	hw_write(hw, QUEUE_AT(WEIGHT), hw->weight);
	/* What the DMA API maps is the device's, and no process'. */
	hw_write(hw, QUEUE_AT(PROCESS), 0);
	hw_write(hw, QUEUE_AT(RELATIVE), config->relative);
	hw_write(hw, QUEUE_AT(CONTROL), control);
	hw_write(hw, QUEUE_AT(IRQ_STATUS), QUEUE_EVENTS);
	hw_write(hw, QUEUE_AT(CONTROL),
		 control | TILE_QUEUE__CONTROL__ENABLE_bm);
	return cryptile_hw_works(hw);
}

/**
 * cryptile_hw_works() - tell whether a queue is enabled
 * @hw: the queue
 *
 * Return: whether it is: a tile that locks itself aborts all queues.
 */
bool cryptile_hw_works(const struct cryptile_hw *hw)
{
	return readl(hw->regs + QUEUE_AT(CONTROL)) &
	       TILE_QUEUE__CONTROL__ENABLE_bm;
}

/**
 * cryptile_hw_keys() - let a queue use key slots, from its next job on
 * @hw: the queue
 * @key_mask: one bit for each slot
 */
void cryptile_hw_keys(const struct cryptile_hw *hw, u32 key_mask)
{
	hw_write(hw, QUEUE_AT(KEY_MASK), key_mask);
}

/**
 * cryptile_hw_stop() - abort a queue and wait until it is quiet
 * @hw: the queue
 *
 * Return: 0; -ETIMEDOUT: its memory does not answer.
 */
int cryptile_hw_stop(const struct cryptile_hw *hw)
{
	u32 status;

	hw_write(hw, QUEUE_AT(CONTROL), TILE_QUEUE__CONTROL__ABORT_bm);
	return readl_poll_timeout(hw->regs + QUEUE_AT(STATUS), status,
				  status & TILE_QUEUE__STATUS__QUIET_bm, 10,
				  QUIET_TIMEOUT_US);
}
