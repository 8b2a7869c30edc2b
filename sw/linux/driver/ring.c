// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * /dev/cryptileN: hardware queues for processes (uapi/cryptile_ring.h). The
 * kernel gives memory, opens windows onto it, and believes nothing of what the
 * process writes there: what a queue may do is the tile's to judge.
 *
 * Locks: cryptile_account.turn, cryptile_rings.turn, cryptile_rings.lock, then
 * cryptile_ring.lock; in that, the one of the key slots. A page fault takes
 * cryptile_ring.lock, so that nothing of a process is touched under it but by
 * the kernel's own address.
 */

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/dma-map-ops.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/semaphore.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "cryptile.h"
#include "regs.h"
#include "uapi/cryptile_ring.h"

static unsigned int max_bytes = SZ_64K;
module_param(max_bytes, uint, 0644);
MODULE_PARM_DESC(
	max_bytes,
	"Longest message of a process' jobs without CAP_SYS_RESOURCE (default: 65536)");

static unsigned int arena_bytes = SZ_4M;
module_param(arena_bytes, uint, 0644);
MODULE_PARM_DESC(
	arena_bytes,
	"Most bytes of a process' window without CAP_SYS_RESOURCE (default: 4194304)");

static unsigned int user_rings = 64;
module_param(user_rings, uint, 0644);
MODULE_PARM_DESC(
	user_rings,
	"Most open files of a user without CAP_SYS_RESOURCE; 0: any number (default: 64)");

/* The hardware queue at which processes take turns. */
#define SHARED_QUEUE 1

/* The first one that a process can have to itself. */
#define OWN_QUEUE 2

/* Of all windows: what CRYPTILE_RING_WINDOW() leaves room for. */
#define MOST_WINDOWS 4
#define MOST_BYTES SZ_1G

/*
 * A turn is given whole jobs of so many entries, and more when these have ended:
 * that many jobs are what can be under way when somebody else is to have a turn.
 */
#define TURN_ENTRIES 8

/* What a turn lasts when others wait; then come those who wait. */
#define TURN_MS 4

/*
 * A turn is aborted when no job of it has ended for so long. One waits for two
 * jobs of each other queue in the engine, and for as many starts as their
 * weights say. The longest jobs that can be there are those of pka521, 0.9
 * million cycles with late random bits: of six processes' queues 18 of them, and
 * its own, are 17.1 million cycles. So it holds with clocks of 20 MHz and more.
 */
#define LATE msecs_to_jiffies(1000)

/*
 * Not by turns, as one job takes up to 7.9 million cycles, and as much each of
 * those that it waits for.
 */
#define NOT_BY_TURNS BIT(TilePkaRsa)

/* Looks at a turn before the processor is given to others. */
#define TURN_LOOKS 200

#define OWN_EVENTS                               \
	(TILE_QUEUE__IRQ_STATUS__COMPLETION_bm | \
	 TILE_QUEUE__IRQ_STATUS__ERROR_bm)

/**
 * struct cryptile_memory - memory that the tile and the process see
 * @page: its first page
 * @dma: its bus address
 * @bytes: of it
 * @user: whose locked memory it counts as; NULL: of one with CAP_IPC_LOCK
 */
struct cryptile_memory {
	struct page *page;
	dma_addr_t dma;
	size_t bytes;
	struct user_struct *user;
};

/**
 * struct cryptile_account - what a user has of a tile's queues
 * @node: in cryptile_rings.accounts
 * @uid: the user
 * @rings: open files
 * @queues: of these, those with a hardware queue
 * @turn: which of the files waits for cryptile_rings.turn: so that a user with
 *	many gets no more than one with one
 * @rest: until when, in jiffies, none does; guarded by @turn
 */
struct cryptile_account {
	struct list_head node;
	kuid_t uid;
	unsigned int rings;
	unsigned int queues;
	struct semaphore turn;
	unsigned long rest;
};

/**
 * struct cryptile_batch - how far a batch of the shared queue has come
 * @entries: of the ring
 * @begun: of these, those that the tile was given
 * @ended: jobs that have records
 */
struct cryptile_batch {
	unsigned int entries;
	unsigned int begun;
	unsigned int ended;
};

/**
 * struct cryptile_ring - an open file
 * @tile: the tile
 * @slot: the hardware queue; NULL: it shares one
 * @file: itself
 * @account: of the user who has opened it
 * @node: in cryptile_rings.open
 * @wait: for events
 * @events: interrupts since the last read()
 * @failed: the queue has stopped
 * @lock: guards all that follows
 * @gone: so is the device
 * @running: the slot is enabled
 * @memory: by window
 * @windows: how many there are; 0: it was not set up
 * @config: of the queue
 * @batch: that goes on when it is run again
 */
struct cryptile_ring {
	struct cryptile *tile;
	struct cryptile_slot *slot;
	struct file *file;
	struct cryptile_account *account;
	struct list_head node;
	wait_queue_head_t wait;
	atomic64_t events;
	bool failed;
	struct mutex lock;
	bool gone;
	bool running;
	struct cryptile_memory memory[MOST_WINDOWS];
	unsigned int windows;
	struct cryptile_hw_config config;
	struct cryptile_batch batch;
};

static size_t ring_bytes(const struct cryptile_ring *ring)
{
	return sizeof(tile_entry_t) << ring->config.ring_log2;
}

static size_t records_bytes(const struct cryptile_ring *ring)
{
	return sizeof(tile_completion_t) << ring->config.ring_log2;
}

/*
 * Counts memory as locked by the user who asks for it: a process can have
 * another image, or give the file away, and neither makes the user another.
 */
static int count_locked(struct cryptile_memory *memory)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long pages = memory->bytes >> PAGE_SHIFT;
	struct user_struct *user = current_user();
	long locked = atomic_long_read(&user->locked_vm);

	memory->user = NULL;
	if (capable(CAP_IPC_LOCK))
		return 0;
	do {
		if (locked + pages > limit)
			return -ENOMEM;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &locked,
					  locked + pages));
	memory->user = get_uid(user);
	return 0;
}

static void uncount_locked(struct cryptile_memory *memory)
{
	if (!memory->user)
		return;
	atomic_long_sub(memory->bytes >> PAGE_SHIFT, &memory->user->locked_vm);
	free_uid(memory->user);
}

/*
 * Nothing is left of what was there. Of a queue that did not stop it is the
 * tile's for ever, as bursts may still come, and no user's any more.
 */
static void drop_memory(struct cryptile_ring *ring, bool stopped)
{
	while (ring->windows) {
		struct cryptile_memory *memory = &ring->memory[--ring->windows];

		uncount_locked(memory);
		if (!stopped)
			continue;
		memset(page_address(memory->page), 0, memory->bytes);
		dma_free_pages(ring->tile->dev, memory->bytes, memory->page,
			       memory->dma, DMA_BIDIRECTIONAL);
	}
}

static int get_memory(struct cryptile_ring *ring, size_t bytes)
{
	struct cryptile_memory *memory = &ring->memory[ring->windows];
	int err;

	memory->bytes = bytes;
	err = count_locked(memory);
	if (err)
		return err;
	memory->page = dma_alloc_pages(ring->tile->dev, bytes, &memory->dma,
				       DMA_BIDIRECTIONAL,
				       GFP_USER | __GFP_NOWARN | __GFP_ACCOUNT);
	if (!memory->page) {
		uncount_locked(memory);
		return -ENOMEM;
	}
	memset(page_address(memory->page), 0, bytes);
	ring->windows++;
	return 0;
}

/* What is taken for so many bytes: pages in a row come by powers of two. */
static size_t whole(size_t bytes)
{
	return PAGE_SIZE << get_order(bytes);
}

static int may_have(size_t bytes)
{
	return bytes > READ_ONCE(arena_bytes) && !capable(CAP_SYS_RESOURCE)
		       ? -EPERM
		       : 0;
}

static void open_window(const struct cryptile_ring *ring,
			const struct cryptile_hw *hw, unsigned int window)
{
	const struct cryptile_memory *memory = &ring->memory[window];

	cryptile_hw_window(hw, window, memory->dma,
			   memory->dma + memory->bytes - 1);
}

static void clear_records(const struct cryptile_ring *ring)
{
	memset(page_address(ring->memory[0].page) + ring_bytes(ring), 0,
	       records_bytes(ring));
}

/* Of a queue that has stopped, and has no window open. */
static int start(const struct cryptile_ring *ring, const struct cryptile_hw *hw,
		 const struct cryptile_hw_config *config)
{
	unsigned int i;

	for (i = 0; i < ring->windows; i++)
		open_window(ring, hw, i);
	if (cryptile_hw_enable(hw, config))
		return 0;
	cryptile_hw_close_windows(hw);
	return -EIO;
}

static void count_violations(struct cryptile *tile,
			     const struct cryptile_hw *hw)
{
	u32 told = readl(hw->regs + QUEUE_AT(VIOLATION));

	atomic64_add(FIELD_GET(TILE_QUEUE__VIOLATION__COUNT_bm, told),
		     &tile->rings.violations);
	writel(TILE_QUEUE__VIOLATION__VALID_bm, hw->regs + QUEUE_AT(VIOLATION));
}

/* A queue that does not stop is nobody's any more, and its memory stays. */
static int stop(struct cryptile *tile, struct cryptile_slot *slot)
{
	bool idle = readl(slot->hw.regs + QUEUE_AT(STATUS)) &
		    TILE_QUEUE__STATUS__IDLE_bm;
	int err = cryptile_hw_stop(&slot->hw);

	if (!idle)
		atomic64_inc(&tile->rings.aborted);

	cryptile_hw_close_windows(&slot->hw);
	count_violations(tile, &slot->hw);
	if (err) {
		slot->usable = false;
		dev_err(tile->dev,
			"a queue is never quiet: it is used no more\n");
	}
	return err;
}

static void let_interrupt(const struct cryptile_slot *slot)
{
	writel(OWN_EVENTS, slot->hw.regs + QUEUE_AT(IRQ_ENABLE_SET));
}

/* The queue that does its jobs. */
static const struct cryptile_hw *hw_of(const struct cryptile_ring *ring)
{
	return ring->slot ? &ring->slot->hw
			  : &ring->tile->rings.slots[SHARED_QUEUE].hw;
}

static unsigned int queue_of(const struct cryptile_ring *ring)
{
	return ring->slot - ring->tile->rings.slots;
}

/* Of a queue that has stopped, or gets no more jobs done. */
static void drop_keys(struct cryptile_ring *ring)
{
	if (!ring->config.key_mask)
		return;
	ring->config.key_mask = 0;
	cryptile_hw_keys(&ring->slot->hw, 0);
	cryptile_keys_drop(ring->tile, queue_of(ring));
}

static int stop_own(struct cryptile_ring *ring)
{
	if (!ring->running)
		return 0;
	ring->running = false;
	writel(QUEUE_EVENTS, ring->slot->hw.regs + QUEUE_AT(IRQ_ENABLE_CLEAR));
	/* One under way must not be told to the queue that begins anew. */
	synchronize_irq(ring->slot->irq);
	return stop(ring->tile, ring->slot);
}

static int start_own(struct cryptile_ring *ring)
{
	int err;

	if (!ring->slot->usable)
		return -EIO;
	clear_records(ring);
	err = start(ring, &ring->slot->hw, &ring->config);
	if (err)
		return err;
	ring->running = true;
	WRITE_ONCE(ring->failed, false);
	atomic64_set(&ring->events, 0);
	let_interrupt(ring->slot);
	return 0;
}

/*
 * The process is told once, and again when it has read: a flood of interrupts
 * takes nobody's time.
 */
static irqreturn_t interrupt(int irq, void *data)
{
	struct cryptile_slot *slot = data;
	u32 events = readl(slot->hw.regs + QUEUE_AT(IRQ_STATUS)) & OWN_EVENTS;

	if (!events)
		return IRQ_NONE;
	writel(QUEUE_EVENTS, slot->hw.regs + QUEUE_AT(IRQ_ENABLE_CLEAR));
	guard(spinlock)(&slot->lock);
	if (slot->owner) {
		if (events & TILE_QUEUE__IRQ_STATUS__ERROR_bm)
			WRITE_ONCE(slot->owner->failed, true);
		atomic64_inc(&slot->owner->events);
		wake_up_interruptible(&slot->owner->wait);
	}
	return IRQ_HANDLED;
}

static void set_owner(struct cryptile_slot *slot, struct cryptile_ring *ring)
{
	guard(spinlock_irqsave)(&slot->lock);
	slot->owner = ring;
}

/* Of a user without rings; as long as he must wait it stays. */
static void drop_account(const struct cryptile_rings *rings,
			 struct cryptile_account *account)
{
	if (account->rings ||
	    (rings->registered && time_before(jiffies, account->rest)))
		return;
	list_del(&account->node);
	kfree(account);
}

static void drop_accounts(struct cryptile_rings *rings)
{
	struct cryptile_account *account, *next;

	list_for_each_entry_safe(account, next, &rings->accounts, node)
		drop_account(rings, account);
}

/* One more ring for who asks. */
static struct cryptile_account *open_account(struct cryptile_rings *rings)
{
	unsigned int most = READ_ONCE(user_rings) ?: UINT_MAX;
	struct cryptile_account *account;
	kuid_t uid = current_uid();

	lockdep_assert_held(&rings->lock);
	drop_accounts(rings);
	list_for_each_entry(account, &rings->accounts, node) {
		if (!uid_eq(account->uid, uid))
			continue;
		if (account->rings >= most && !capable(CAP_SYS_RESOURCE))
			return ERR_PTR(-EMFILE);
		account->rings++;
		return account;
	}
	account = kzalloc(sizeof(*account), GFP_KERNEL_ACCOUNT);
	if (!account)
		return ERR_PTR(-ENOMEM);
	account->uid = uid;
	account->rings = 1;
	account->rest = jiffies;
	sema_init(&account->turn, 1);
	list_add(&account->node, &rings->accounts);
	return account;
}

static void close_account(struct cryptile_rings *rings,
			  struct cryptile_account *account)
{
	account->rings--;
	drop_account(rings, account);
}

/* Whoever has a queue leaves the last one to somebody who has none. */
static struct cryptile_slot *free_slot(struct cryptile_rings *rings,
				       const struct cryptile_account *account)
{
	struct cryptile_slot *found = NULL;
	unsigned int i, left = 0;

	for (i = OWN_QUEUE; i < CRYPTILE_QUEUES; i++) {
		struct cryptile_slot *slot = &rings->slots[i];

		if (!slot->usable || slot->owner)
			continue;
		left++;
		found = found ?: slot;
	}
	return left == 1 && account->queues && !capable(CAP_SYS_RESOURCE)
		       ? NULL
		       : found;
}

static int add_ring(struct cryptile_ring *ring, bool exclusive)
{
	struct cryptile_rings *rings = &ring->tile->rings;

	guard(mutex)(&rings->lock);
	ring->account = open_account(rings);
	if (IS_ERR(ring->account))
		return PTR_ERR(ring->account);
	ring->slot = free_slot(rings, ring->account);
	if (ring->slot) {
		ring->account->queues++;
		set_owner(ring->slot, ring);
	} else if (exclusive || !rings->slots[SHARED_QUEUE].usable) {
		close_account(rings, ring->account);
		return -EBUSY;
	}
	list_add(&ring->node, &rings->open);
	return 0;
}

static int ring_open(struct inode *inode, struct file *file)
{
	struct cryptile *tile =
		container_of(file->private_data, struct cryptile, rings.misc);
	struct cryptile_ring *ring;
	int err;

	if (!(file->f_mode & FMODE_READ) || !(file->f_mode & FMODE_WRITE))
		return -EACCES;
	ring = kzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	if (!ring)
		return -ENOMEM;
	mutex_init(&ring->lock);
	init_waitqueue_head(&ring->wait);
	ring->tile = tile;
	ring->file = file;
	err = add_ring(ring, file->f_flags & O_EXCL);
	if (err) {
		kfree(ring);
		return err;
	}
	atomic64_inc(&tile->rings.opened);
	if (!ring->slot)
		atomic64_inc(&tile->rings.shared);
	file->private_data = ring;
	return stream_open(inode, file);
}

/*
 * The file is used no more, or the device goes: nothing of it is left. Others'
 * mappings of the same inode come again by faults.
 */
static void end_ring(struct cryptile_ring *ring, bool mapped)
{
	guard(mutex)(&ring->lock);
	if (ring->gone)
		return;
	WRITE_ONCE(ring->gone, true);
	if (mapped)
		unmap_mapping_range(ring->file->f_mapping, 0, 0, 1);
	stop_own(ring);
	drop_keys(ring);
	drop_memory(ring, !ring->slot || ring->slot->usable);
	if (ring->slot) {
		set_owner(ring->slot, NULL);
		ring->account->queues--;
	}
	wake_up_interruptible_poll(&ring->wait, EPOLLERR | EPOLLHUP);
}

static int ring_release(struct inode *inode, struct file *file)
{
	struct cryptile_ring *ring = file->private_data;
	struct cryptile_rings *rings = &ring->tile->rings;

	scoped_guard(mutex, &rings->lock) {
		end_ring(ring, false);
		list_del_init(&ring->node);
		close_account(rings, ring->account);
	}
	kfree(ring);
	return 0;
}

static int setup_locked(struct cryptile_ring *ring,
			struct cryptile_ring_setup *setup, size_t bytes)
{
	struct cryptile_hw_config *config = &ring->config;
	int err;

	guard(mutex)(&ring->lock);
	if (ring->gone)
		return -ENODEV;
	if (ring->windows)
		return -EBUSY;
	config->ring_log2 = setup->ring_log2;
	config->max_bytes = setup->max_bytes;
	config->piece = TILE_QUEUE__PIECE__BYTES_reset;
	config->relative = true;
	err = get_memory(ring, bytes);
	if (err)
		return err;
	config->entries = ring->memory[0].dma;
	config->records = config->entries + ring_bytes(ring);
	setup->records = ring_bytes(ring);
	if (!ring->slot) {
		setup->flags = CRYPTILE_RING_SHARED;
		return 0;
	}
	/* What the owner before was refused is not this one's. */
	writel(TILE_QUEUE__VIOLATION__VALID_bm,
	       ring->slot->hw.regs + QUEUE_AT(VIOLATION));
	err = start_own(ring);
	if (err)
		drop_memory(ring, !stop(ring->tile, ring->slot));
	return err;
}

static int setup(struct cryptile_ring *ring, struct cryptile_ring_setup *setup)
{
	unsigned int most_log2 = ring->slot ? CRYPTILE_RING_LOG2_MAX
					    : CRYPTILE_RING_LOG2_SHARED;
	unsigned int longest = READ_ONCE(max_bytes) ?: U32_MAX;
	size_t bytes;
	int err;

	if (setup->flags || setup->reserved[0] || setup->reserved[1] ||
	    setup->ring_log2 < CRYPTILE_RING_LOG2_MIN ||
	    setup->ring_log2 > most_log2 || !setup->arena_bytes ||
	    setup->arena_bytes > MOST_BYTES)
		return -EINVAL;
	if (!setup->max_bytes)
		setup->max_bytes = longest;
	/* Nobody's turn at the shared queue is longer than the others'. */
	if (setup->max_bytes > longest &&
	    (!ring->slot || !capable(CAP_SYS_RESOURCE)))
		return -EPERM;
	setup->arena =
		PAGE_ALIGN((sizeof(tile_entry_t) + sizeof(tile_completion_t))
			   << setup->ring_log2);
	bytes = whole(setup->arena + setup->arena_bytes);
	err = may_have(bytes);
	if (err)
		return err;
	err = setup_locked(ring, setup, bytes);
	if (err)
		return err;
	setup->arena_bytes = bytes;
	setup->engines = hw_of(ring)->allowed;
	setup->windows = min(ring->tile->windows, MOST_WINDOWS);
	return 0;
}

static int arena_locked(struct cryptile_ring *ring,
			struct cryptile_ring_arena *arena)
{
	int err;

	guard(mutex)(&ring->lock);
	if (ring->gone)
		return -ENODEV;
	if (!ring->windows)
		return -EINVAL;
	if (ring->windows == min(ring->tile->windows, MOST_WINDOWS))
		return -ENOSPC;
	arena->window = ring->windows;
	err = get_memory(ring, arena->bytes);
	if (!err && ring->running)
		open_window(ring, &ring->slot->hw, arena->window);
	return err;
}

static int arena(struct cryptile_ring *ring, struct cryptile_ring_arena *arena)
{
	int err;

	if (!arena->bytes || arena->bytes > MOST_BYTES || arena->reserved ||
	    arena->window)
		return -EINVAL;
	arena->bytes = whole(arena->bytes);
	err = may_have(arena->bytes);
	if (err)
		return err;
	return arena_locked(ring, arena);
}

/*
 * Entries of the next whole jobs. A process that changes them meanwhile has jobs
 * cut in two, and its turn is late.
 */
static unsigned int next_entries(const struct cryptile_ring *ring)
{
	const struct cryptile_batch *batch = &ring->batch;
	const tile_entry_t *next =
		(const tile_entry_t *)page_address(ring->memory[0].page) +
		batch->begun;
	unsigned int left = batch->entries - batch->begun;
	unsigned int most = min(left, TURN_ENTRIES), count = 0;

	while (count < most) {
		u64 word = READ_ONCE(next[count].w[TileDescriptorControl]);
		unsigned int end =
			count + 1 +
			tile_descriptor_control_decode(word).extension;

		if (end > most)
			break;
		count = end;
	}
	return count;
}

/*
 * Waits for the end of the jobs that a turn was given. One that never ends makes
 * the turn late: a descriptor without its extension, or a memory that does not
 * answer.
 */
static int wait_for_jobs(const struct cryptile_rings *rings,
			 const struct cryptile_hw *hw)
{
	unsigned long limit = jiffies + LATE;
	unsigned int looks = 0;
	u32 before = 0;

	for (;;) {
		u32 status = readl(hw->regs + QUEUE_AT(STATUS));
		u32 now = readl(hw->page + PAGE_AT(COMPLETED));

		if (status & TILE_QUEUE__STATUS__ERROR_bm)
			return -EIO;
		if (status & TILE_QUEUE__STATUS__IDLE_bm)
			return 0;
		if (now != before) {
			before = now;
			limit = jiffies + LATE;
		} else if (time_after(jiffies, limit)) {
			return -ETIMEDOUT;
		}
		if (!READ_ONCE(rings->registered))
			return -ENODEV;
		if (fatal_signal_pending(current))
			return -EINTR;
		if (++looks < TURN_LOOKS)
			cpu_relax();
		else
			usleep_range(10, 50);
	}
}

/* The tile counts jobs and entries from a turn's begin on. */
static void renumber(const struct cryptile_ring *ring,
		     const struct cryptile_batch *before)
{
	tile_completion_t *records =
		page_address(ring->memory[0].page) + ring_bytes(ring);
	unsigned int i;

	for (i = before->ended; i < ring->batch.ended; i++) {
		u64 *word = &records[i].w[TileCompletionEnded];
		tile_completion_ended_t ended =
			tile_completion_ended_decode(READ_ONCE(*word));

		ended.index += before->begun;
		ended.sequence_number += before->ended;
		WRITE_ONCE(*word, tile_completion_ended_encode(ended));
	}
}

/* Whether the turn of a batch that has not ended is over. */
static bool must_give_way(struct cryptile_rings *rings, unsigned long end)
{
	return signal_pending(current) ||
	       (atomic_read(&rings->waiting) && time_after_eq(jiffies, end));
}

/* Jobs of a batch, until it ends or others are to have their turn: -EAGAIN. */
static int run_turn(struct cryptile_ring *ring)
{
	struct cryptile *tile = ring->tile;
	struct cryptile_rings *rings = &tile->rings;
	struct cryptile_slot *slot = &rings->slots[SHARED_QUEUE];
	struct cryptile_hw_config config = ring->config;
	const struct cryptile_batch before = ring->batch;
	unsigned long end = jiffies + msecs_to_jiffies(TURN_MS);
	struct cryptile_batch *batch = &ring->batch;
	int err, stopped;

	if (!slot->usable)
		return -EIO;
	config.entries += before.begun * sizeof(tile_entry_t);
	config.records += before.ended * sizeof(tile_completion_t);
	err = start(ring, &slot->hw, &config);
	if (err)
		return err;
	for (;;) {
		unsigned int entries = next_entries(ring);

		if (!entries) {
			err = batch->begun < batch->entries ? -EINVAL : 0;
			break;
		}
		batch->begun += entries;
		/* writel() orders it behind what the process has written. */
		writel(batch->begun - before.begun,
		       slot->hw.page + PAGE_AT(DOORBELL));
		err = wait_for_jobs(rings, &slot->hw);
		if (err || batch->begun == batch->entries)
			break;
		if (must_give_way(rings, end)) {
			err = -EAGAIN;
			break;
		}
		cond_resched();
	}
	batch->ended += readl(slot->hw.page + PAGE_AT(COMPLETED));
	stopped = stop(tile, slot);
	renumber(ring, &before);
	atomic64_inc(&rings->batches);
	if (stopped) {
		drop_memory(ring, false);
		return stopped;
	}
	return err;
}

/* A turn of a batch that begins, or that was interrupted and goes on. */
static int take_turn(struct cryptile_ring *ring,
		     struct cryptile_ring_batch *told)
{
	struct cryptile_batch *batch = &ring->batch;
	int err;

	guard(mutex)(&ring->lock);
	if (ring->gone || !READ_ONCE(ring->tile->rings.registered))
		return -ENODEV;
	if (!ring->windows || told->entries > BIT(ring->config.ring_log2))
		return -EINVAL;
	if (!told->completed) {
		*batch = (struct cryptile_batch) { .entries = told->entries };
		clear_records(ring);
	} else if (told->completed != batch->ended ||
		   told->entries != batch->entries) {
		return -EINVAL;
	}
	err = run_turn(ring);
	told->completed = batch->ended;
	if (err == -EAGAIN)
		return err;
	/* It goes on no more. */
	*batch = (struct cryptile_batch) {};
	atomic64_inc(&ring->events);
	return err;
}

/* A user whose turn was aborted has none for as long as that one was. */
static int rest(const struct cryptile_account *account)
{
	long left = account->rest - jiffies;

	while (left > 0) {
		left = schedule_timeout_interruptible(left);
		if (signal_pending(current))
			return -EINTR;
	}
	return 0;
}

static int begin_turn(struct cryptile_rings *rings,
		      struct cryptile_account *account)
{
	int err;

	atomic_inc(&rings->waiting);
	err = down_interruptible(&account->turn);
	if (!err) {
		err = rest(account) ?: down_interruptible(&rings->turn);
		if (err)
			up(&account->turn);
	}
	atomic_dec(&rings->waiting);
	return err ? -ERESTARTSYS : 0;
}

static void end_turn(struct cryptile_rings *rings,
		     struct cryptile_account *account)
{
	up(&rings->turn);
	up(&account->turn);
}

/* Signals, and the freezer's, come between turns, and it goes on behind them. */
static int run(struct cryptile_ring *ring, struct cryptile_ring_batch *batch)
{
	struct cryptile_rings *rings = &ring->tile->rings;
	struct cryptile_account *account = ring->account;
	int err;

	if (ring->slot)
		return -EINVAL;
	do {
		unsigned long begun;

		err = begin_turn(rings, account);
		if (err)
			return err;
		begun = jiffies;
		err = take_turn(ring, batch);
		if (err == -ETIMEDOUT || err == -EINTR)
			account->rest = jiffies + min(jiffies - begun, LATE);
		end_turn(rings, account);
	} while (err == -EAGAIN && !signal_pending(current));
	return err == -EAGAIN ? -ERESTARTSYS : err;
}

static int restart(struct cryptile_ring *ring)
{
	int err;

	guard(mutex)(&ring->lock);
	if (ring->gone)
		return -ENODEV;
	if (!ring->windows)
		return -EINVAL;
	if (!ring->slot)
		return 0;
	err = stop_own(ring);
	return err ?: start_own(ring);
}

static int load_key(struct cryptile_ring *ring, struct cryptile_ring_key *key)
{
	int err;

	guard(mutex)(&ring->lock);
	if (ring->gone)
		return -ENODEV;
	if (!ring->windows)
		return -EINVAL;
	if (!ring->slot)
		return -EOPNOTSUPP;
	if (!ring->running)
		return -EIO;
	err = cryptile_keys_load(ring->tile, queue_of(ring), key);
	if (err)
		return err;
	ring->config.key_mask |= BIT(key->slot);
	cryptile_hw_keys(&ring->slot->hw, ring->config.key_mask);
	return 0;
}

static int forget_key(struct cryptile_ring *ring, u32 slot)
{
	guard(mutex)(&ring->lock);
	if (ring->gone)
		return -ENODEV;
	if (slot >= BITS_PER_TYPE(ring->config.key_mask) ||
	    !(ring->config.key_mask & BIT(slot)))
		return -ENOENT;
	ring->config.key_mask &= ~BIT(slot);
	cryptile_hw_keys(&ring->slot->hw, ring->config.key_mask);
	return cryptile_keys_forget(ring->tile, queue_of(ring), slot);
}

/* Nothing of the key stays here, and it does not go back. */
static long key_ioctl(struct cryptile_ring *ring, void __user *user)
{
	struct cryptile_ring_key key;
	int err = -EFAULT;

	if (!copy_from_user(&key, user, sizeof(key)))
		err = load_key(ring, &key);
	memzero_explicit(key.key, sizeof(key.key));
	if (!err && copy_to_user(user, &key, sizeof(key))) {
		forget_key(ring, key.slot);
		err = -EFAULT;
	}
	return err;
}

static long ring_ioctl(struct file *file, unsigned int command,
		       unsigned long argument)
{
	struct cryptile_ring *ring = file->private_data;
	void __user *user = (void __user *)argument;
	union {
		struct cryptile_ring_setup setup;
		struct cryptile_ring_arena arena;
		struct cryptile_ring_batch batch;
		u32 slot;
	} all;
	int err;

	switch (command) {
	case CRYPTILE_RING_RESTART:
		return restart(ring);
	case CRYPTILE_RING_KEY:
		return key_ioctl(ring, user);
	case CRYPTILE_RING_FORGET:
		return get_user(all.slot, (u32 __user *)user)
			       ?: forget_key(ring, all.slot);
	case CRYPTILE_RING_SETUP:
	case CRYPTILE_RING_ARENA:
	case CRYPTILE_RING_RUN:
		break;
	default:
		return -ENOTTY;
	}
	if (copy_from_user(&all, user, _IOC_SIZE(command)))
		return -EFAULT;
	switch (command) {
	case CRYPTILE_RING_SETUP:
		err = all.setup.version == CRYPTILE_RING_VERSION
			      ? setup(ring, &all.setup)
			      : -EPROTONOSUPPORT;
		all.setup.version = CRYPTILE_RING_VERSION;
		break;
	case CRYPTILE_RING_ARENA:
		err = arena(ring, &all.arena);
		break;
	default:
		err = run(ring, &all.batch);
		break;
	}
	if (copy_to_user(user, &all, _IOC_SIZE(command)))
		return -EFAULT;
	return err;
}

/* Interrupts go on when they were told, and before the records are looked at. */
static s64 take_events(struct cryptile_ring *ring)
{
	s64 events;

	guard(mutex)(&ring->lock);
	if (ring->gone)
		return -ENODEV;
	events = atomic64_xchg(&ring->events, 0);
	if (ring->running && events) {
		void __iomem *regs = ring->slot->hw.regs;

		writel(TILE_QUEUE__IRQ_STATUS__COMPLETION_bm,
		       regs + QUEUE_AT(IRQ_STATUS));
		/* A queue that has stopped has no more to tell. */
		writel(READ_ONCE(ring->failed)
			       ? TILE_QUEUE__IRQ_STATUS__COMPLETION_bm
			       : OWN_EVENTS,
		       regs + QUEUE_AT(IRQ_ENABLE_SET));
	}
	return events;
}

static bool has_news(struct cryptile_ring *ring)
{
	return atomic64_read(&ring->events) || READ_ONCE(ring->gone) ||
	       READ_ONCE(ring->failed);
}

static ssize_t ring_read(struct file *file, char __user *buffer, size_t size,
			 loff_t *at)
{
	struct cryptile_ring *ring = file->private_data;
	s64 events;

	if (size < sizeof(events))
		return -EINVAL;
	for (;;) {
		events = take_events(ring);
		if (events < 0)
			return events;
		if (events)
			break;
		if (READ_ONCE(ring->failed))
			return -EIO;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(ring->wait, has_news(ring)))
			return -ERESTARTSYS;
	}
	return copy_to_user(buffer, &events, sizeof(events)) ? -EFAULT
							     : sizeof(events);
}

static __poll_t ring_poll(struct file *file, poll_table *table)
{
	struct cryptile_ring *ring = file->private_data;
	__poll_t events = 0;

	poll_wait(file, &ring->wait, table);
	if (atomic64_read(&ring->events))
		events |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(ring->failed))
		events |= EPOLLERR;
	if (READ_ONCE(ring->gone))
		events |= EPOLLERR | EPOLLHUP;
	return events;
}

/* Where an offset of the file lies: in the user page (-1) or in a window. */
static int area_of(pgoff_t page, pgoff_t *at)
{
	*at = page & (BIT(32 - PAGE_SHIFT) - 1);
	return (int)min_t(pgoff_t, page >> (32 - PAGE_SHIFT),
			  MOST_WINDOWS + 1) -
	       1;
}

/* The page's number; 0: there is none. */
static unsigned long find_page(struct cryptile_ring *ring, pgoff_t page)
{
	const struct cryptile_memory *memory;
	pgoff_t at;
	int area = area_of(page, &at);

	lockdep_assert_held(&ring->lock);
	if (ring->gone || !ring->windows)
		return 0;
	if (area < 0) {
		return ring->slot && !at
			       ? PHYS_PFN(ring->tile->phys +
					  cryptile_page_at(ring->tile,
							   queue_of(ring)))
			       : 0;
	}
	memory = &ring->memory[area];
	return area < ring->windows && at < memory->bytes >> PAGE_SHIFT
		       ? page_to_pfn(memory->page) + at
		       : 0;
}

static vm_fault_t ring_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct cryptile_ring *ring = vma->vm_private_data;
	unsigned long pfn;

	guard(mutex)(&ring->lock);
	pfn = find_page(ring, vmf->pgoff);
	return pfn ? vmf_insert_pfn(vma, vmf->address, pfn) : VM_FAULT_SIGBUS;
}

static const struct vm_operations_struct ring_vm_ops = {
	.fault = ring_fault,
};

/* Pages come by faults, which find out whether the device is still there. */
static int ring_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct cryptile_ring *ring = file->private_data;
	pgoff_t last = vma->vm_pgoff + vma_pages(vma) - 1;
	pgoff_t at;
	int area = area_of(vma->vm_pgoff, &at);

	if (!(vma->vm_flags & VM_SHARED) || (vma->vm_flags & VM_EXEC) ||
	    area != area_of(last, &at))
		return -EINVAL;
	scoped_guard(mutex, &ring->lock) {
		if (!find_page(ring, vma->vm_pgoff) || !find_page(ring, last))
			return ring->gone ? -ENODEV : -EINVAL;
	}
	if (area < 0)
		vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	vm_flags_mod(vma,
		     VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP |
			     VM_DONTCOPY,
		     VM_MAYEXEC);
	vma->vm_private_data = ring;
	vma->vm_ops = &ring_vm_ops;
	return 0;
}

static const struct file_operations ring_fops = {
	.owner = THIS_MODULE,
	.open = ring_open,
	.release = ring_release,
	.unlocked_ioctl = ring_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.read = ring_read,
	.poll = ring_poll,
	.mmap = ring_mmap,
};

/* Whether the tile can give a process a queue, and nothing else with it. */
static bool can_share_out(const struct cryptile *tile)
{
	u32 sizes = tile_read(tile, TILE_AT(SIZES));

	return FIELD_GET(TILE__SIZES__PAGE_LOG2_bm, sizes) >= PAGE_SHIFT &&
	       FIELD_GET(TILE__SIZES__QUEUES_bm, sizes) > SHARED_QUEUE &&
	       dev_is_dma_coherent(tile->dev);
}

static int add_slot(struct cryptile *tile, struct platform_device *pdev,
		    unsigned int number)
{
	struct cryptile_slot *slot = &tile->rings.slots[number];
	char name[16];
	int irq, err;

	cryptile_hw_init(&slot->hw, tile, number);
	spin_lock_init(&slot->lock);
	if (number == SHARED_QUEUE) {
		slot->hw.allowed &= ~NOT_BY_TURNS;
	} else {
		snprintf(name, sizeof(name), "queue%u", number);
		irq = platform_get_irq_byname_optional(pdev, name);
		if (irq < 0)
			return irq;
		err = devm_request_irq(tile->dev, irq, interrupt, 0,
				       dev_name(tile->dev), slot);
		if (err)
			return err;
		slot->irq = irq;
	}
	/* The error interrupt takes no lock that is not there. */
	smp_store_release(&slot->usable, true);
	return 0;
}

/**
 * cryptile_rings_init() - before there is a tile
 * @rings: of the tile to come
 */
void cryptile_rings_init(struct cryptile_rings *rings)
{
	mutex_init(&rings->lock);
	sema_init(&rings->turn, 1);
	INIT_LIST_HEAD(&rings->open);
	INIT_LIST_HEAD(&rings->accounts);
}

/**
 * cryptile_rings_add() - let processes have queues
 * @tile: reset, and open
 * @pdev: its device
 *
 * A tile that cannot, or a device file that cannot be made, is the kernel's
 * alone.
 */
void cryptile_rings_add(struct cryptile *tile, struct platform_device *pdev)
{
	struct cryptile_rings *rings = &tile->rings;
	unsigned int count = FIELD_GET(TILE__SIZES__QUEUES_bm,
				       tile_read(tile, TILE_AT(SIZES)));
	unsigned int i, queues = 0;
	int err;

	memset(rings->slots, 0, sizeof(rings->slots));
	if (!can_share_out(tile))
		return;
	for (i = SHARED_QUEUE; i < min(count, CRYPTILE_QUEUES); i++) {
		err = add_slot(tile, pdev, i);
		if (err)
			dev_warn(tile->dev, "queue %u is not used: %pe\n", i,
				 ERR_PTR(err));
		else if (i >= OWN_QUEUE)
			queues |= BIT(i);
	}
	cryptile_keys_init(tile, queues);
	rings->misc = (struct miscdevice) {
		.minor = MISC_DYNAMIC_MINOR,
		.name = "cryptile0",
		.fops = &ring_fops,
		.parent = tile->dev,
		.mode = 0600,
	};
	rings->registered = true;
	err = misc_register(&rings->misc);
	if (!err)
		return;
	rings->registered = false;
	dev_warn(tile->dev, "no queues for processes: %pe\n", ERR_PTR(err));
}

/**
 * cryptile_rings_remove() - take all queues back
 * @tile: whose registers can still be reached
 *
 * Files stay open, and are of no use: memory is gone from the processes.
 */
void cryptile_rings_remove(struct cryptile *tile)
{
	struct cryptile_rings *rings = &tile->rings;
	struct cryptile_ring *ring, *next;
	unsigned int i;

	if (!rings->registered)
		return;
	WRITE_ONCE(rings->registered, false);
	misc_deregister(&rings->misc);
	guard(mutex)(&rings->lock);
	list_for_each_entry_safe(ring, next, &rings->open, node) {
		end_ring(ring, true);
		list_del_init(&ring->node);
	}
	drop_accounts(rings);
	for (i = 0; i < CRYPTILE_QUEUES; i++)
		WRITE_ONCE(rings->slots[i].usable, false);
}

/**
 * cryptile_rings_suspend() - stop all queues
 * @tile: the tile
 *
 * Processes have their memory, and find out that they must restart. None has a
 * turn: they are frozen, at the latest behind the jobs that it was given.
 */
void cryptile_rings_suspend(struct cryptile *tile)
{
	struct cryptile_rings *rings = &tile->rings;
	struct cryptile_ring *ring;

	if (!rings->registered)
		return;
	guard(mutex)(&rings->lock);
	list_for_each_entry(ring, &rings->open, node) {
		bool runs;

		guard(mutex)(&ring->lock);
		runs = ring->running;
		stop_own(ring);
		/* The tile is reset, or loses its power. */
		drop_keys(ring);
		if (!runs)
			continue;
		WRITE_ONCE(ring->failed, true);
		wake_up_interruptible_poll(&ring->wait, EPOLLERR);
	}
}

/**
 * cryptile_rings_check() - tell processes whose queues work no more
 * @tile: which has had an error
 *
 * May be called in an interrupt.
 */
void cryptile_rings_check(struct cryptile *tile)
{
	unsigned int i;

	for (i = OWN_QUEUE; i < CRYPTILE_QUEUES; i++) {
		struct cryptile_slot *slot = &tile->rings.slots[i];

		/* One that cannot be had has no owner, and may have no lock. */
		if (!smp_load_acquire(&slot->usable) ||
		    cryptile_hw_works(&slot->hw))
			continue;
		guard(spinlock_irqsave)(&slot->lock);
		if (!slot->owner)
			continue;
		WRITE_ONCE(slot->owner->failed, true);
		wake_up_interruptible_poll(&slot->owner->wait, EPOLLERR);
	}
}
