// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Random bytes for the kernel: jobs of the tile, from the random bit generator
 * beside it (rtl/engine/rbg), which is run from here. Its state is asked for
 * before a job and behind it: what came shortly before an alarm is not used.
 * Nothing here ends an alarm, as that would hide a source that breaks.
 */

#include <linux/hw_random.h>
#include <linux/iopoll.h>
#include <linux/string.h>

#include "cryptile.h"
#include "gen/rbg_regs.h"
#include "regs.h"

#define RBG_AT(reg) offsetof(rbg_t, reg)

/* Bytes of one job: what the core asks for at once. */
#define MOST_BYTES 64

/* The start-up tests and a seed take 313,000 cycles. */
#define SEED_TIMEOUT_US 1000000

/* State of the source: it is off. */
#define SOURCE_OFF 0

/*
 * Bits of entropy that the kernel counts, of 1024. No source has been measured
 * and validated: whoever has done so says more in rng_quality.
 */
#define QUALITY 1

/* What the tile writes, and what a job wants to have. */
struct rng_memory {
	struct cryptile_area area;
	u8 bytes[MOST_BYTES];
};

/**
 * struct cryptile_rng - the generator
 * @hwrng: for the kernel's core, which asks once at a time
 * @dev: the tile's device
 * @regs: the generator's registers
 * @registered: the core has it
 * @memory: coherent
 * @dma: bus address of @memory
 * @base: a request that only the queue knows
 * @job: for it
 */
struct cryptile_rng {
	struct hwrng hwrng;
	struct device *dev;
	void __iomem *regs;
	bool registered;
	struct rng_memory *memory;
	dma_addr_t dma;
	struct crypto_async_request base;
	struct cryptile_job job;
};

/* 0: it has a seed; -EAGAIN: it will have one; else it gives nothing. */
static int check(struct cryptile_rng *rng)
{
	u32 status = readl(rng->regs + RBG_AT(STATUS));

	if (status & (RBG__STATUS__ALARM_bm | RBG__STATUS__DRBG_ALARM_bm)) {
		dev_err_ratelimited(rng->dev,
				    "random bits: alarm, STATUS %#x\n", status);
		return -EIO;
	}
	if (FIELD_GET(RBG__STATUS__SOURCE_bm, status) == SOURCE_OFF)
		return -ENODEV;
	return status & RBG__STATUS__SEEDED_bm ? 0 : -EAGAIN;
}

static int finish(struct cryptile_job *job, int err)
{
	cryptile_job_end(job);
	return err;
}

/* Has the tile write so many bytes. */
static int generate(struct cryptile_rng *rng, unsigned int len)
{
	DECLARE_CRYPTO_WAIT(wait);
	struct cryptile_job *job = &rng->job;
	const tile_job_t desc = {
		.opcode = TileRandom,
		.slot = TileNoSlot,
		.unwrap_slot = TileNoSlot,
		.tag = rng->dma + offsetof(struct rng_memory, bytes),
		.tag_len = len,
	};
	int err;

	rng->base.complete = crypto_req_done;
	rng->base.data = &wait;
	rng->base.flags = CRYPTO_TFM_REQ_MAY_BACKLOG | CRYPTO_TFM_REQ_MAY_SLEEP;
	err = cryptile_job_start(job, &rng->base, &rng->memory->area, 0,
				 finish);
	if (err)
		return -ENODEV;
	job->count = cry_tile_describe(&desc, job->entries);
	job->bytes = len;
	job->cycles = len;
	err = job->count ? cryptile_queue_run(job, NULL, NULL) : -EINVAL;
	if (cryptile_is_pending(err))
		return crypto_wait_req(err, &wait);
	return finish(job, err < -MAX_ERRNO ? -ENODEV : err);
}

static int read(struct hwrng *hwrng, void *data, size_t max, bool wait)
{
	struct cryptile_rng *rng =
		container_of(hwrng, struct cryptile_rng, hwrng);
	unsigned int len = min_t(size_t, max, MOST_BYTES);
	int err = check(rng);

	if (err == -EAGAIN && wait) {
		read_poll_timeout(check, err, err != -EAGAIN, 1000,
				  SEED_TIMEOUT_US, false, rng);
		if (err == -EAGAIN)
			err = -ETIMEDOUT;
	}
	if (err)
		return err == -EAGAIN ? 0 : err;
	err = generate(rng, len);
	if (!err)
		err = check(rng);
	if (!err)
		memcpy(data, rng->memory->bytes, len);
	memzero_explicit(rng->memory->bytes, len);
	return err ?: len;
}

/**
 * cryptile_rng_init() - find the generator
 * @tile: identified
 * @pdev: its device
 *
 * Return: 0, also if there is none; or an error.
 */
int cryptile_rng_init(struct cryptile *tile, struct platform_device *pdev)
{
	struct resource *regs =
		platform_get_resource_byname(pdev, IORESOURCE_MEM, "rbg");
	struct cryptile_rng *rng;

	tile->rng = NULL;
	if (!regs || !(tile->features & BIT(TileRandom)))
		return 0;
	rng = devm_kzalloc(tile->dev, sizeof(*rng), GFP_KERNEL);
	if (!rng)
		return -ENOMEM;
	rng->dev = tile->dev;
	rng->regs = devm_ioremap_resource(tile->dev, regs);
	if (IS_ERR(rng->regs))
		return dev_err_probe(tile->dev, PTR_ERR(rng->regs),
				     "no registers of the generator\n");
	rng->memory = dmam_alloc_coherent(tile->dev, sizeof(*rng->memory),
					  &rng->dma, GFP_KERNEL);
	if (!rng->memory)
		return -ENOMEM;
	rng->hwrng.name = dev_name(tile->dev);
	rng->hwrng.read = read;
	rng->hwrng.quality = QUALITY;
	tile->rng = rng;
	return 0;
}

/**
 * cryptile_rng_open() - let the generator run; it is tested and seeded
 * @tile: of which it may have none
 */
void cryptile_rng_open(struct cryptile *tile)
{
	if (tile->rng)
		writel(RBG__CONTROL__ENABLE_bm,
		       tile->rng->regs + RBG_AT(CONTROL));
}

/**
 * cryptile_rng_close() - stop the generator: its seed is wiped
 * @tile: of which it may have none
 */
void cryptile_rng_close(struct cryptile *tile)
{
	if (tile->rng)
		writel(0, tile->rng->regs + RBG_AT(CONTROL));
}

/**
 * cryptile_rng_add() - give the generator to the kernel, if there is one
 * @tile: open
 */
void cryptile_rng_add(struct cryptile *tile)
{
	struct cryptile_rng *rng = tile->rng;
	int err;

	if (!rng)
		return;
	err = hwrng_register(&rng->hwrng);
	rng->registered = !err;
	if (err)
		dev_warn(tile->dev, "no random bits: %pe\n", ERR_PTR(err));
}

/**
 * cryptile_rng_remove() - take it back; nobody reads any more
 * @tile: open
 */
void cryptile_rng_remove(struct cryptile *tile)
{
	struct cryptile_rng *rng = tile->rng;

	if (rng && rng->registered)
		hwrng_unregister(&rng->hwrng);
	if (rng)
		rng->registered = false;
}
