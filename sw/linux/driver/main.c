// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * The crypto tile: its device, and the gate by which requests reach it.
 *
 * Algorithms are registered with the first tile and stay until the module goes,
 * as transforms hold references to them. The tile itself may go at any time: a
 * request holds it open while it is under way, and finds it closed afterwards,
 * when it is computed in software.
 */

#include <linux/clk.h>
#include <linux/debugfs.h>
#include <linux/interrupt.h>
#include <linux/iopoll.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pm.h>
#include <linux/property.h>

#include "cryptile.h"
#include "regs.h"

unsigned int cryptile_min_bytes;
module_param_named(min_bytes, cryptile_min_bytes, uint, 0644);
MODULE_PARM_DESC(min_bytes,
		 "Shorter requests are computed in software (default: 0)");

unsigned int cryptile_poll_cycles = 2048;
module_param_named(poll_cycles, cryptile_poll_cycles, uint, 0644);
MODULE_PARM_DESC(
	poll_cycles,
	"Requests are polled for that take an engine up to so many cycles; 0: none (default: 2048)");

unsigned int cryptile_poll_turns = 10000;
module_param_named(poll_turns, cryptile_poll_turns, uint, 0644);
MODULE_PARM_DESC(
	poll_turns,
	"Looks at the completion ring before polling ends (default: 10000)");

unsigned int cryptile_timeout_ms = 5000;
module_param_named(timeout_ms, cryptile_timeout_ms, uint, 0644);
MODULE_PARM_DESC(timeout_ms,
		 "Milliseconds after which a job is late (default: 5000)");

/* Soft reset waits for bursts alone: cycles, not milliseconds. */
#define RESET_TIMEOUT_US 100000

/* Bits of addresses on the tile's bus. */
#define ADDRESS_BITS 56

/* There is one: queues, not tiles, are what a system has several of. */
static struct cryptile the_tile;
static bool registered;
static DEFINE_MUTEX(probe_lock);

/**
 * cryptile_look() - find the tile open
 *
 * It stays so until the end of the RCU read-side section of the caller, who may
 * hold it there for longer.
 *
 * Return: the tile; NULL if it is closed.
 */
struct cryptile *cryptile_look(void)
{
	return percpu_ref_is_dying(&the_tile.users) ? NULL : &the_tile;
}

/**
 * cryptile_hold() - hold the tile open
 * @tile: that was found open in this read-side section of RCU
 */
void cryptile_hold(struct cryptile *tile)
{
	percpu_ref_get(&tile->users);
}

/**
 * cryptile_put() - let go of the tile
 * @tile: that was held
 */
void cryptile_put(struct cryptile *tile)
{
	percpu_ref_put(&tile->users);
}

static void cryptile_unused(struct percpu_ref *users)
{
	complete_all(&container_of(users, struct cryptile, users)->closed);
}

/* Lets no request in any more. */
static void cryptile_shut(struct cryptile *tile)
{
	if (xchg(&tile->open, 0))
		percpu_ref_kill(&tile->users);
}

/**
 * cryptile_give_up() - use the tile no more: it does not do what it is told
 * @tile: held open by the caller
 */
void cryptile_give_up(struct cryptile *tile)
{
	tile->dead = true;
	cryptile_shut(tile);
}

/**
 * cryptile_count_fallback() - note that a request goes to software
 * @reason: why
 */
void cryptile_count_fallback(enum cryptile_reason reason)
{
	atomic64_inc(&the_tile.fallbacks[reason]);
}

/**
 * cryptile_has_mode() - tell whether a mode of an engine was built
 * @tile: the tile
 * @opcode: the engine
 * @mode: the mode
 * @decrypts: decryption is wanted, too
 *
 * Return: whether it was.
 */
bool cryptile_has_mode(const struct cryptile *tile, unsigned int opcode,
		       unsigned int mode, bool decrypts)
{
	u32 engine = tile->engines[opcode];

	return (tile->features & BIT(opcode)) &&
	       (FIELD_GET(TILE__ENGINE__MODES_bm, engine) & BIT(mode)) &&
	       (!decrypts || (engine & TILE__ENGINE__DECRYPT_bm));
}

/**
 * cryptile_has() - tell whether what a job takes was built
 * @tile: the tile
 * @alg: what the job is
 * @entry: how it is described
 * @decrypts: it decrypts
 *
 * Return: whether it was, with the length of its key.
 */
bool cryptile_has(const struct cryptile *tile, const tile_alg_t *alg,
		  const tile_entry_t *entry, bool decrypts)
{
	u32 lens = FIELD_GET(TILE__ENGINE__KEY_LENS_bm,
			     tile->engines[alg->opcode]);
	unsigned int key_len =
		tile_descriptor_control_decode(entry->w[TileDescriptorControl])
			.key_len;

	return cryptile_has_mode(tile, alg->opcode, alg->mode, decrypts) &&
	       (!alg->key_bytes || alg->family == TileHmac ||
		(lens & BIT(key_len)));
}

static int cryptile_identify(struct cryptile *tile)
{
	u32 id = tile_read(tile, TILE_AT(ID));
	u32 version = tile_read(tile, TILE_AT(VERSION));
	u32 major = FIELD_GET(TILE__VERSION__MAJOR_bm, version);
	u32 sizes;
	unsigned int i;

	if (id != TILE__ID__MAGIC_reset)
		return dev_err_probe(tile->dev, -ENODEV,
				     "no tile: ID is %#x, not %#x\n", id,
				     TILE__ID__MAGIC_reset);
	if (major != TILE__VERSION__MAJOR_reset)
		return dev_err_probe(
			tile->dev, -ENODEV,
			"register map %u is not known, only %u is\n", major,
			TILE__VERSION__MAJOR_reset);
	sizes = tile_read(tile, TILE_AT(SIZES));
	tile->windows = FIELD_GET(TILE__SIZES__WINDOWS_bm, sizes);
	tile->features = tile_read(tile, TILE_AT(FEATURES));
	if (!FIELD_GET(TILE__SIZES__QUEUES_bm, sizes) || !tile->windows ||
	    !tile->features)
		return dev_err_probe(
			tile->dev, -ENODEV,
			"no queue, window or engine: SIZES %#x, FEATURES %#x\n",
			sizes, tile->features);
	for (i = 0; i < ARRAY_SIZE(tile->engines); i++)
		tile->engines[i] =
			tile_read(tile, TILE_AT(ENGINE) + i * sizeof(u32));
	return 0;
}

/* Ends all jobs of all queues, and wipes keys and what engines hold. */
static int cryptile_reset(struct cryptile *tile)
{
	void __iomem *control = tile->base + TILE_AT(CONTROL);
	u32 value;

	writel(TILE__CONTROL__RESET_bm, control);
	return readl_poll_timeout(control, value,
				  !(value & TILE__CONTROL__RESET_bm), 10,
				  RESET_TIMEOUT_US);
}

/*
 * No queue has jobs. Keys that firmware has left stay: a reset would wipe them,
 * and nobody here could bring them back.
 */
static int cryptile_empty(struct cryptile *tile)
{
	unsigned int count = FIELD_GET(TILE__SIZES__QUEUES_bm,
				       tile_read(tile, TILE_AT(SIZES)));
	unsigned int i;

	if (!tile->seals)
		return cryptile_reset(tile);
	for (i = 0; i < count; i++) {
		struct cryptile_hw hw;
		int err;

		cryptile_hw_init(&hw, tile, i);
		err = cryptile_hw_stop(&hw);
		cryptile_hw_close_windows(&hw);
		if (err)
			return err;
	}
	return 0;
}

static int cryptile_open(struct cryptile *tile)
{
	if (!cryptile_queue_open(tile))
		return -EIO;
	cryptile_error_open(tile);
	cryptile_rng_open(tile);
	reinit_completion(&tile->closed);
	percpu_ref_reinit(&tile->users);
	tile->open = 1;
	return 0;
}

/* Nothing is told of errors any more, and no random bits are made. */
static void cryptile_quiet(struct cryptile *tile)
{
	cryptile_error_close(tile);
	cryptile_rng_close(tile);
}

/*
 * No request comes any more. Those under way end, at the latest when the queue
 * finds them late.
 */
static int cryptile_close(struct cryptile *tile)
{
	unsigned long limit =
		min_t(unsigned long, MAX_SCHEDULE_TIMEOUT,
		      2 * msecs_to_jiffies(cryptile_timeout_ms) + HZ);
	int err;

	cryptile_shut(tile);
	/* It stays complete: a tile that is closed can be closed again. */
	if (!wait_for_completion_timeout(&tile->closed, limit)) {
		dev_err(tile->dev, "requests are still under way: ended\n");
		cryptile_queue_end(tile);
		wait_for_completion(&tile->closed);
	}
	cryptile_quiet(tile);
	err = cryptile_queue_close(tile);
	if (!err)
		err = cryptile_empty(tile);
	if (err)
		dev_err(tile->dev, "not idle: %pe\n", ERR_PTR(err));
	return err;
}

/* Firmware tells where it has left a key that unwraps others, if it has. */
static int cryptile_find_kek(struct cryptile *tile)
{
	u32 slots = FIELD_GET(TILE__SIZES__SLOTS_bm,
			      tile_read(tile, TILE_AT(SIZES)));
	u32 slot, bytes = 0;

	tile->seals = !device_property_read_u32(tile->dev,
						"cryptile,wrapping-slot",
						&slot);
	if (!tile->seals)
		return 0;
	device_property_read_u32(tile->dev, "cryptile,wrapping-key-bytes",
				 &bytes);
	if (slot >= slots || (bytes != 16 && bytes != 24 && bytes != 32))
		return dev_err_probe(tile->dev, -EINVAL,
				     "no key of %u bytes can be in slot %u\n",
				     bytes, slot);
	tile->kek_slot = slot;
	tile->kek_len = bytes / 8 - 2;
	return 0;
}

static int cryptile_start(struct cryptile *tile, struct platform_device *pdev)
{
	struct resource *regs;
	struct clk *clk;
	int err;

	tile->dev = &pdev->dev;
	tile->base = devm_platform_get_and_ioremap_resource(pdev, 0, &regs);
	if (IS_ERR(tile->base))
		return dev_err_probe(tile->dev, PTR_ERR(tile->base),
				     "no registers\n");
	tile->phys = regs->start;
	clk = devm_clk_get_optional_enabled(tile->dev, NULL);
	if (IS_ERR(clk))
		return dev_err_probe(tile->dev, PTR_ERR(clk), "no clock\n");
	tile->irq = platform_get_irq(pdev, 0);
	if (tile->irq < 0)
		return tile->irq;
	err = cryptile_identify(tile);
	if (err)
		return err;
	err = dma_set_mask_and_coherent(tile->dev, DMA_BIT_MASK(ADDRESS_BITS));
	if (err)
		return dev_err_probe(tile->dev, err, "no %d-bit DMA\n",
				     ADDRESS_BITS);
	err = cryptile_find_kek(tile);
	if (err)
		return err;
	err = cryptile_empty(tile);
	if (err)
		return dev_err_probe(tile->dev, err, "jobs do not end\n");
	err = cryptile_queue_init(tile);
	if (!err)
		err = cryptile_error_init(tile, pdev);
	return err ?: cryptile_rng_init(tile, pdev);
}

static int cryptile_probe(struct platform_device *pdev)
{
	struct cryptile *tile = &the_tile;
	int err;

	guard(mutex)(&probe_lock);
	if (tile->dev)
		return dev_err_probe(&pdev->dev, -EBUSY,
				     "one tile is driven already: %s\n",
				     dev_name(tile->dev));
	tile->dead = false;
	err = cryptile_start(tile, pdev);
	if (err)
		goto unused;
	platform_set_drvdata(pdev, tile);
	err = cryptile_open(tile);
	if (err) {
		dev_err_probe(&pdev->dev, err, "it is locked\n");
		goto unused;
	}
	if (!registered) {
		err = cryptile_register_algs(tile);
		if (err) {
			cryptile_close(tile);
			dev_err_probe(&pdev->dev, err, "no algorithms\n");
			goto unused;
		}
		registered = true;
	}
	cryptile_rings_add(tile, pdev);
	cryptile_rng_add(tile);
	cryptile_stats_add(tile);
	return 0;

unused:
	tile->dev = NULL;
	return err;
}

static void cryptile_remove(struct platform_device *pdev)
{
	struct cryptile *tile = platform_get_drvdata(pdev);

	guard(mutex)(&probe_lock);
	cryptile_rng_remove(tile);
	cryptile_rings_remove(tile);
	debugfs_remove(tile->debugfs);
	cryptile_close(tile);
	tile->dev = NULL;
}

/* The next kernel's memory is not for jobs of this one's. */
static void cryptile_shutdown(struct platform_device *pdev)
{
	struct cryptile *tile = platform_get_drvdata(pdev);

	cryptile_rings_remove(tile);
	cryptile_close(tile);
}

static int cryptile_suspend(struct device *dev)
{
	struct cryptile *tile = dev_get_drvdata(dev);

	cryptile_rings_suspend(tile);
	/* One that does not stop is given up, and keeps nobody awake. */
	if (tile->dead)
		cryptile_quiet(tile);
	else if (cryptile_close(tile))
		tile->dead = true;
	return 0;
}

static int cryptile_resume(struct device *dev)
{
	struct cryptile *tile = dev_get_drvdata(dev);
	int err;

	if (tile->dead)
		return 0;
	err = cryptile_empty(tile);
	if (!err)
		err = cryptile_open(tile);
	tile->dead = err;
	return err;
}

static DEFINE_SIMPLE_DEV_PM_OPS(cryptile_pm_ops, cryptile_suspend,
				cryptile_resume);

static const struct of_device_id cryptile_of_match[] = {
	{ .compatible = "cryptile,tile" }, {}
};
MODULE_DEVICE_TABLE(of, cryptile_of_match);

static struct platform_driver cryptile_driver = {
	.probe = cryptile_probe,
	.remove = cryptile_remove,
	.shutdown = cryptile_shutdown,
	.driver = {
		.name = "cryptile",
		.of_match_table = cryptile_of_match,
		.pm = pm_sleep_ptr(&cryptile_pm_ops),
	},
};

static int __init cryptile_init(void)
{
	int err = percpu_ref_init(&the_tile.users, cryptile_unused,
				  PERCPU_REF_INIT_DEAD, GFP_KERNEL);

	if (err)
		return err;
	init_completion(&the_tile.closed);
	cryptile_rings_init(&the_tile.rings);
	err = platform_driver_register(&cryptile_driver);
	if (err)
		percpu_ref_exit(&the_tile.users);
	return err;
}
module_init(cryptile_init);

static void __exit cryptile_exit(void)
{
	platform_driver_unregister(&cryptile_driver);
	if (registered)
		cryptile_unregister_algs();
	percpu_ref_exit(&the_tile.users);
}
module_exit(cryptile_exit);

MODULE_DESCRIPTION("Cryptile crypto tile");
MODULE_AUTHOR("Cryptile contributors");
MODULE_LICENSE("GPL");
