// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Counters in debugfs: <device>/stats.
 */

#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "cryptile.h"

static const char *const names[] = { CRYPTILE_COUNTERS(CRYPTILE_TEXT) };
static const char *const reasons[] = { CRYPTILE_REASONS(CRYPTILE_TEXT) };

static int stats_show(struct seq_file *file, void *unused)
{
	struct cryptile *tile = file->private;
	struct cryptile_counters counters;
	unsigned int i;

	spin_lock_irq(&tile->queue.lock);
	counters = tile->queue.counters;
	spin_unlock_irq(&tile->queue.lock);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		seq_printf(file, "%s %llu\n", names[i], counters.of[i]);
	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		seq_printf(file, "%s %lld\n", reasons[i],
			   atomic64_read(&tile->fallbacks[i]));
	seq_printf(file, "rings_opened %lld\nrings_shared %lld\n",
		   atomic64_read(&tile->rings.opened),
		   atomic64_read(&tile->rings.shared));
	seq_printf(file,
		   "rings_batches %lld\nrings_aborted %lld\n"
		   "rings_violations %lld\nrings_keys %lld\n",
		   atomic64_read(&tile->rings.batches),
		   atomic64_read(&tile->rings.aborted),
		   atomic64_read(&tile->rings.violations),
		   atomic64_read(&tile->rings.keys));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/**
 * cryptile_stats_add() - show the counters
 * @tile: the tile; its driver removes the folder
 */
void cryptile_stats_add(struct cryptile *tile)
{
	tile->debugfs = debugfs_create_dir(dev_name(tile->dev), NULL);
	debugfs_create_file("stats", 0444, tile->debugfs, tile, &stats_fops);
}
