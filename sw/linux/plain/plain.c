// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * A plain driver, to compare with: what an engine with DMA and no queue for
 * processes asks of a system. A system call is one message; it is copied into
 * memory of the driver, one job is described and told, the caller sleeps until
 * its interrupt, and what came of it is copied back. What does not change from
 * message to message is described once.
 */

#include <linux/completion.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "command.h"
#include "cryptile.h"
#include "regs.h"

#define RING_LOG2 2
#define RING BIT(RING_LOG2)
#define ADDRESS_BITS 56
#define TIMEOUT_MS 1000

/* All that the tile reads and writes. */
struct plain_memory {
	tile_entry_t entries[RING];
	tile_completion_t records[RING];
	u8 key[TileMaxKey];
	u8 data[MOST_BYTES + TileMaxTag];
};

/**
 * struct plain - the device
 * @file: /dev/cryptile-plain
 * @tile: of the other driver's structure, registers alone
 * @hw: the hardware queue
 * @memory: coherent
 * @dma: its bus address
 * @count: where the ring stands
 * @ended: by the interrupt
 * @alg: NULL: none was chosen, or the tile does not answer
 * @iv_len: bytes of a message's IV; what a hash function's job has there is
 *	another field
 * @session: what all jobs have in common
 */
struct plain {
	struct plain_file file;
	struct cryptile tile;
	struct cryptile_hw hw;
	struct plain_memory *memory;
	dma_addr_t dma;
	tile_counters_t count;
	struct completion ended;
	const tile_alg_t *alg;
	unsigned int iv_len;
	tile_session_t session;
};

static dma_addr_t dma_of(const struct plain *plain, const void *part)
{
	return plain->dma + (part - (const void *)plain->memory);
}

static irqreturn_t interrupt(int irq, void *data)
{
	struct plain *plain = data;
	u32 events = readl(plain->hw.regs + QUEUE_AT(IRQ_STATUS));

	if (!(events & QUEUE_EVENTS))
		return IRQ_NONE;
	writel(events, plain->hw.regs + QUEUE_AT(IRQ_STATUS));
	complete(&plain->ended);
	return IRQ_HANDLED;
}

static void start(struct plain *plain)
{
	const struct cryptile_hw_config config = {
		.entries = dma_of(plain, plain->memory->entries),
		.records = dma_of(plain, plain->memory->records),
		.ring_log2 = RING_LOG2,
	};

	memset(plain->memory->records, 0, sizeof(plain->memory->records));
	plain->count = (tile_counters_t) { .size = RING };
	cryptile_hw_window(&plain->hw, 0, 0, DMA_BIT_MASK(ADDRESS_BITS));
	if (cryptile_hw_enable(&plain->hw, &config))
		writel(QUEUE_EVENTS, plain->hw.regs + QUEUE_AT(IRQ_ENABLE_SET));
}

static void stop(struct plain *plain)
{
	writel(QUEUE_EVENTS, plain->hw.regs + QUEUE_AT(IRQ_ENABLE_CLEAR));
	cryptile_hw_close_windows(&plain->hw);
	cryptile_hw_stop(&plain->hw);
	memzero_explicit(plain->memory, sizeof(*plain->memory));
	plain->alg = NULL;
}

static int setup(struct plain_file *file, const struct plain_setup *wanted)
{
	struct plain *plain = container_of(file, struct plain, file);
	struct plain_memory *memory = plain->memory;
	const tile_alg_t *alg = cry_tile_alg(wanted->alg);
	tile_job_t job = {
		.irq = true,
		.slot = TileNoSlot,
		.unwrap_slot = TileNoSlot,
		.key = dma_of(plain, memory->key),
		.iv_len = wanted->iv_len,
		.src = dma_of(plain, memory->data),
		.dst = dma_of(plain, memory->data),
		.len = 16,
		.tag = dma_of(plain, memory->data),
	};

	plain->alg = NULL;
	if (!alg || wanted->iv_len > sizeof(job.iv))
		return -EINVAL;
	job.key_bytes = alg->key_bytes;
	if (cry_tile_complete(alg, 0, &job) != CRYPTILE_OK ||
	    cry_tile_session(&plain->session, &job) != CRYPTILE_OK)
		return -EINVAL;
	memcpy(memory->key, wanted->key, sizeof(memory->key));
	plain->iv_len = wanted->iv_len;
	plain->alg = alg;
	return 0;
}

/* Gives the tile the only job, and sleeps until it has ended. */
static int work(struct plain *plain, const tile_place_t *place)
{
	struct plain_memory *memory = plain->memory;
	tile_counters_t *count = &plain->count;
	u32 at = cry_tile_at(count, count->tail);
	const tile_completion_t *record =
		&memory->records[cry_tile_at(count, count->finished)];

	reinit_completion(&plain->ended);
	cry_tile_place(&plain->session, place, &memory->entries[at]);
	if (plain->session.count == 2)
		memory->entries[(at + 1) % RING] = plain->session.entries[1];
	cry_tile_append(count, plain->session.count);
	/* writel() orders it behind the entries. */
	writel(count->tail, plain->hw.page + PAGE_AT(DOORBELL));
	if (!wait_for_completion_timeout(&plain->ended,
					 msecs_to_jiffies(TIMEOUT_MS)) ||
	    cry_tile_sequence(READ_ONCE(record->w[0])) != ++count->finished)
		return -ETIMEDOUT;
	/* The rest of the record was there before its number. */
	dma_rmb();
	return cry_tile_result(record->w[0], record->w[1]).status ? -EIO : 0;
}

static int run(struct plain_file *file, struct plain_message *message)
{
	struct plain *plain = container_of(file, struct plain, file);
	const tile_alg_t *alg = plain->alg;
	u8 *data = plain->memory->data;
	tile_place_t place = { .len = message->len };
	u32 made;
	int err;

	if (!alg)
		return -ENODEV;
	made = cry_tile_makes_output(alg) ? message->len : 0;
	if (message->len > MOST_BYTES ||
	    message->out_len < made + alg->tag_bytes)
		return -EINVAL;
	message->out_len = made + alg->tag_bytes;
	place.src = dma_of(plain, data);
	place.dst = made ? place.src : 0;
	place.tag = alg->tag_bytes ? dma_of(plain, data + message->len) : 0;
	memcpy(place.iv, message->iv, plain->iv_len);
	if (copy_from_user(data, u64_to_user_ptr(message->in), message->len))
		return -EFAULT;
	err = work(plain, &place);
	if (err) {
		/* Nothing is written later; it wants another PLAIN_SETUP. */
		stop(plain);
		start(plain);
		return err;
	}
	if (copy_to_user(u64_to_user_ptr(message->out),
			 data + message->len - made, message->out_len))
		return -EFAULT;
	return 0;
}

static int probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct plain *plain = devm_kzalloc(dev, sizeof(*plain), GFP_KERNEL);
	int irq, err;

	if (!plain)
		return -ENOMEM;
	init_completion(&plain->ended);
	plain->tile.base = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(plain->tile.base))
		return PTR_ERR(plain->tile.base);
	if (tile_read(&plain->tile, TILE_AT(ID)) != TILE__ID__MAGIC_reset)
		return -ENODEV;
	plain->tile.windows = 1;
	plain->tile.features = tile_read(&plain->tile, TILE_AT(FEATURES));
	cryptile_hw_init(&plain->hw, &plain->tile, CRYPTILE_KERNEL_QUEUE);
	err = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(ADDRESS_BITS));
	if (err)
		return err;
	plain->memory = dmam_alloc_coherent(dev, sizeof(*plain->memory),
					    &plain->dma, GFP_KERNEL);
	if (!plain->memory)
		return -ENOMEM;
	err = cryptile_hw_stop(&plain->hw);
	if (err)
		return err;
	irq = platform_get_irq(pdev, 0);
	if (irq < 0)
		return irq;
	err = devm_request_irq(dev, irq, interrupt, 0, dev_name(dev), plain);
	if (err)
		return err;
	platform_set_drvdata(pdev, plain);
	start(plain);
	err = register_file(&plain->file, dev, "cryptile-plain");
	if (err)
		stop(plain);
	return err;
}

static void remove(struct platform_device *pdev)
{
	struct plain *plain = platform_get_drvdata(pdev);

	misc_deregister(&plain->file.misc);
	stop(plain);
}

static const struct of_device_id of_match[] = {
	{ .compatible = "cryptile,tile" }, {}
};
MODULE_DEVICE_TABLE(of, of_match);

static struct platform_driver plain_driver = {
	.probe = probe,
	.remove = remove,
	.driver = {
		.name = "cryptile-plain",
		.of_match_table = of_match,
		/* Open files hold the module, and the device stays. */
		.suppress_bind_attrs = true,
	},
};
module_platform_driver(plain_driver);

MODULE_DESCRIPTION("Cryptile crypto tile, a message at a time, for comparison");
MODULE_AUTHOR("Cryptile contributors");
MODULE_LICENSE("GPL");
