// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * The kernel's hardware queue. Jobs are written into its ring from the context
 * of whoever sends a request. A short job that has the ring for itself, or
 * beside others that are polled for, is waited for there and then; the others
 * tell of their end by an interrupt. Whoever only waits is woken in it; behind
 * it a bottom half works through all else that is complete, a budget at a time.
 * What does not end in time, and a queue that has stopped itself, is seen to by
 * a delayed work.
 */

#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/string.h>

#include "cryptile.h"
#include "regs.h"

/* Requests that one run of the bottom half tells about. */
#define BUDGET 64

/* Requests that are told about in the interrupt itself, at most. */
#define WAKES 4U

/*
 * Looks at a record with the queue's lock held: the time of a short job. To let
 * go of the lock and take it again would cost as much.
 */
#define LOOKS 100U

/* Jobs beside the ring that need no leave to wait. */
#define MOST_WAITING CRYPTILE_RING

static struct cryptile *tile_of(struct cryptile_queue *queue)
{
	return container_of(queue, struct cryptile, queue);
}

static u32 queue_read(const struct cryptile_queue *queue, size_t at)
{
	return readl(queue->hw.regs + at);
}

static void queue_write(struct cryptile_queue *queue, size_t at, u32 value)
{
	writel(value, queue->hw.regs + at);
}

static dma_addr_t dma_of(const struct cryptile_queue *queue, const void *part)
{
	return queue->dma + (part - (const void *)queue->entries);
}

/* All that DMA can address, as bus addresses may lie anywhere in it. */
static void open_window(struct cryptile_queue *queue)
{
	cryptile_hw_window(&queue->hw, 0, 0, dma_get_mask(tile_of(queue)->dev));
}

/* Of a queue that is not enabled: rings are empty, and it works. */
static bool enable(struct cryptile_queue *queue)
{
	/* The kernel bounds nobody's time but its own. */
	const struct cryptile *tile = tile_of(queue);
	const struct cryptile_hw_config config = {
		.entries = queue->dma,
		.records = dma_of(queue, queue->records),
		.ring_log2 = CRYPTILE_RING_LOG2,
		.key_mask = tile->seals ? BIT(tile->kek_slot) : 0,
	};

	memset(&queue->count, 0, sizeof(queue->count));
	queue->count.size = CRYPTILE_RING;
	/* A sequence number of before must not look like one to come. */
	memset(queue->records, 0, CRYPTILE_RING * sizeof(tile_completion_t));
	queue->stopped = false;
	return cryptile_hw_enable(&queue->hw, &config);
}

static void note_end(struct cryptile_queue *queue, struct cryptile_job *job,
		     int err)
{
	job->err = err;
	if (err && err != -EBADMSG)
		queue->counters.of[CRYPTILE_FAILED]++;
}

/* Of a job that is complete. */
static void settle(struct cryptile_queue *queue, struct cryptile_job *job,
		   int err)
{
	note_end(queue, job, err);
	if (job->polled) {
		/* Behind this the job is its poller's. */
		smp_store_release(&job->done, true);
	} else {
		queue->unpolled--;
		list_add_tail(&job->node, &queue->done);
	}
}

/*
 * An engine takes the queue's jobs one by one, and between them as many of each
 * other queue: how long the last one waits is for others to say. So the time
 * counts from the end of the engine's job before.
 */
static bool is_late(const struct cryptile_queue *queue,
		    const struct cryptile_job *job)
{
	u64 since = max(job->begun, queue->ended[job->opcode]);

	return time_after_eq64(get_jiffies_64(),
			       since + msecs_to_jiffies(cryptile_timeout_ms));
}

/* The number in the next record's place: that of the job, when it is there. */
static bool has_record(const struct cryptile_queue *queue)
{
	u32 finished = READ_ONCE(queue->count.finished);
	const tile_completion_t *record =
		&queue->records[finished & (CRYPTILE_RING - 1)];

	return cry_tile_sequence(READ_ONCE(record->w[0])) == finished + 1;
}

/* Memory of keys is of whole words. */
static unsigned int key_words(const struct cryptile_job *job)
{
	return DIV_ROUND_UP(job->key_len, sizeof(u64));
}

/* A job that was described at a place is no more; its key is wiped there. */
static void forget(struct cryptile_queue *queue, const struct cryptile_job *job,
		   u32 at)
{
	unsigned int words = job->key ? key_words(job) : 0;
	unsigned int i;

	queue->jobs[at] = NULL;
	for (i = 0; i < words; i++)
		WRITE_ONCE(queue->keys[at].words[i], 0);
}

/* What the next record says, which is there. */
static tile_result_t read_record(const struct cryptile_queue *queue)
{
	u32 at = cry_tile_at(&queue->count, queue->count.finished);
	const tile_completion_t *record = &queue->records[at];

	/* The rest of the record was there before its number. */
	dma_rmb();
	return cry_tile_result(record->w[0], record->w[1]);
}

/* The next record, which says this of a job, needs no second look. */
static void take_record(struct cryptile_queue *queue,
			const struct cryptile_job *job,
			const tile_result_t *result)
{
	/* Those that are aborted end at once, and no engine has got on by it. */
	if (job && result->code != TileAborted)
		queue->ended[job->opcode] = get_jiffies_64();
	WRITE_ONCE(queue->count.finished, queue->count.finished + 1);
	cry_tile_was_read(&queue->count, result->index);
}

static int error_of(const struct cryptile_queue *queue,
		    const struct cryptile_job *job, const tile_result_t *result)
{
	if (result->code == TileOk)
		return 0;
	if (result->code == TileAborted && is_late(queue, job))
		return -ETIMEDOUT;
	return cryptile_errno(result->code);
}

/* Takes all records that are there. */
static void reap(struct cryptile_queue *queue)
{
	while (!cry_tile_is_idle(&queue->count) && has_record(queue)) {
		tile_result_t result = read_record(queue);
		u32 at = cry_tile_at(&queue->count, result.index);
		struct cryptile_job *job = queue->jobs[at];

		take_record(queue, job, &result);
		if (WARN_ON_ONCE(!job))
			continue;
		forget(queue, job, at);
		settle(queue, job, error_of(queue, job, &result));
	}
}

static bool has_room(struct cryptile_queue *queue, unsigned int entries)
{
	tile_counters_t *count = &queue->count;

	if (queue->stopped || cry_tile_is_full(count))
		return false;
	if (cry_tile_is_idle(count))
		return true;
	/* Read is not ended: jobs of other engines overtake a long one. */
	if (queue->jobs[cry_tile_at(count, count->tail)])
		return false;
	if (!cry_tile_has_free(count, entries))
		count->head = (u16)readl(queue->hw.page + PAGE_AT(HEAD));
	return cry_tile_has_free(count, entries);
}

static unsigned long watch_period(void)
{
	return max(msecs_to_jiffies(cryptile_timeout_ms) / 2, 1UL);
}

/* Writes a job's second entry, and its key, which belongs to the first's place. */
static void push_extension(struct cryptile_queue *queue,
			   const struct cryptile_job *job, u32 at)
{
	tile_entry_t *entry = &queue->entries[(at + 1) % CRYPTILE_RING];
	struct cryptile_key_room *room = &queue->keys[at];
	const u64 *words = (const u64 *)job->key;
	unsigned int count = job->key ? key_words(job) : 0;
	unsigned int i;
	u64 key = job->key ? TILE_ENCODE(extension_key,
					 .key_addr = dma_of(queue, room))
			   : 0;

	for (i = 0; i < count; i++)
		WRITE_ONCE(room->words[i], words[i]);
	if (job->planned) {
		*entry = (tile_entry_t) { .w[TileExtensionKey] = key };
		return;
	}
	*entry = job->entries[1];
	entry->w[TileExtensionKey] = key;
}

/*
 * Writes a job for which there is room, and tells the tile. The first entry is
 * the job's, or that of a plan at a place.
 */
static void push(struct cryptile_queue *queue, struct cryptile_job *job,
		 const tile_session_t *plan, const tile_place_t *place,
		 bool poll)
{
	tile_counters_t *count = &queue->count;
	u32 at = cry_tile_at(count, count->tail);

	if (plan)
		cry_tile_place(plan, place, &queue->entries[at]);
	else
		queue->entries[at] = job->entries[0];
	job->silent = poll;
	job->polled = poll;
	job->done = false;
	job->begun = get_jiffies_64();
	queue->jobs[at] = job;
	if (job->count == 2)
		push_extension(queue, job, at);
	if (!poll) {
		queue->entries[at].w[TileDescriptorControl] |=
			TILE_ENCODE(descriptor_control, .irq = true);
		queue->unpolled++;
	}
	if (!poll && !queue->watched) {
		queue->watched = true;
		queue_delayed_work(system_power_efficient_wq, &queue->watch,
				   watch_period());
	}
	queue->counters.of[CRYPTILE_JOBS]++;
	queue->counters.of[CRYPTILE_BYTES] += job->bytes;
	cry_tile_append(count, job->count);
	/* writel() orders it behind the entries. */
	writel(count->tail, queue->hw.page + PAGE_AT(DOORBELL));
}

/*
 * Jobs that waited go into the ring, as far as there is room; with a tile that
 * was given up, to their end. Only the bottom half does this: a request must
 * hear that it left the backlog before it hears of its end.
 */
static void push_waiting(struct cryptile_queue *queue, struct list_head *told)
{
	struct cryptile_job *job, *next;

	list_for_each_entry_safe(job, next, &queue->waiting, node) {
		bool dead = tile_of(queue)->dead;

		if (!dead && !has_room(queue, job->count))
			return;
		list_del(&job->node);
		if (job->backlogged)
			list_add_tail(&job->told, told);
		else
			queue->waiting_count--;
		if (dead) {
			job->polled = false;
			queue->unpolled++;
			settle(queue, job, -EIO);
		} else {
			push(queue, job, NULL, NULL, false);
		}
	}
}

/*
 * Queues a job that found no room; the crypto API's rules are that a request
 * waits beyond the queue's length only with leave of its owner. Others are for
 * software: IPsec would drop what is refused, and anybody may fill the queue.
 */
static int wait(struct cryptile_queue *queue, struct cryptile_job *job)
{
	bool may_backlog = job->base->flags & CRYPTO_TFM_REQ_MAY_BACKLOG;
	bool within = queue->waiting_count < MOST_WAITING || job->accepted ||
		      job->bound;

	if (!within && !may_backlog)
		return CRYPTILE_TO_SOFTWARE(FULL);
	queue->counters.of[CRYPTILE_WAITED]++;
	/* What a transform gets as its key later is not for this request. */
	if (job->key) {
		memcpy(job->area->key, job->key, key_words(job) * sizeof(u64));
		job->key = job->area->key;
	}
	job->backlogged = !within;
	if (within)
		queue->waiting_count++;
	list_add_tail(&job->node, &queue->waiting);
	return within ? -EINPROGRESS : -EBUSY;
}

/*
 * Has the bottom half run, at once unless this is one. A tasklet that a process
 * schedules otherwise is left to ksoftirqd, which waits for the processor.
 */
static void run_bottom(struct cryptile_queue *queue)
{
	local_bh_disable();
	tasklet_schedule(&queue->bottom);
	local_bh_enable();
}

/*
 * Waits for a short job. The clock is not looked at: on some cores it is a trap
 * to firmware, of the cost of a job.
 */
static int poll_for(struct cryptile_queue *queue, struct cryptile_job *job)
{
	unsigned int turns = READ_ONCE(cryptile_poll_turns);
	unsigned long flags;
	bool done, more;

	for (;;) {
		/* Behind this load the job is this function's. */
		while (!smp_load_acquire(&job->done) && !has_record(queue) &&
		       turns) {
			cpu_relax();
			turns--;
		}
		spin_lock_irqsave(&queue->lock, flags);
		reap(queue);
		done = job->done;
		if (done || !turns)
			break;
		/* The record was another's. */
		spin_unlock_irqrestore(&queue->lock, flags);
		turns--;
	}
	if (done) {
		queue->counters.of[CRYPTILE_POLLED]++;
	} else {
		/* Its end raises no interrupt: the watch looks for it. */
		job->polled = false;
		queue->unpolled++;
		queue->counters.of[CRYPTILE_POLLED_LATE]++;
		mod_delayed_work(system_power_efficient_wq, &queue->watch, 1);
	}
	more = !list_empty(&queue->done) || !list_empty(&queue->waiting);
	spin_unlock_irqrestore(&queue->lock, flags);
	if (more)
		run_bottom(queue);
	return done ? job->err : -EINPROGRESS;
}

/* Waits for the only job in the ring as long as a short one takes. */
static bool is_short(struct cryptile_queue *queue, struct cryptile_job *job,
		     u32 at)
{
	unsigned int looks = min(READ_ONCE(cryptile_poll_turns), LOOKS);
	tile_result_t result;

	do {
		if (!looks--)
			return false;
	} while (!has_record(queue));
	result = read_record(queue);
	take_record(queue, job, &result);
	if (WARN_ON_ONCE(cry_tile_at(&queue->count, result.index) != at)) {
		queue->stopped = true;
		return false;
	}
	forget(queue, job, at);
	note_end(queue, job, error_of(queue, job, &result));
	queue->counters.of[CRYPTILE_POLLED]++;
	return true;
}

/**
 * cryptile_queue_run() - give a job to the tile
 * @job: described, and its memory mapped
 * @plan: the job is this at @place; NULL: it is described as it stands
 * @place: of the first entry, what the plan leaves open
 *
 * Return: 0 or an error: the job is complete, and its finish() is not called;
 * -EINPROGRESS: it will be; -EBUSY: likewise, and the request waits in the
 * backlog; or that the request is for software.
 */
int cryptile_queue_run(struct cryptile_job *job, const tile_session_t *plan,
		       const tile_place_t *place)
{
	struct cryptile_queue *queue = &job->tile->queue;
	bool poll = false, alone;
	unsigned long flags;
	u32 at;
	int err = -EINPROGRESS;

	spin_lock_irqsave(&queue->lock, flags);
	if (job->tile->dead) {
		err = CRYPTILE_TO_SOFTWARE(CLOSED);
	} else if (!list_empty(&queue->waiting) ||
		   !has_room(queue, job->count)) {
		if (plan)
			cry_tile_place(plan, place, &job->entries[0]);
		err = wait(queue, job);
	} else {
		poll = job->cycles <= cryptile_poll_cycles &&
		       cryptile_poll_cycles && !queue->unpolled &&
		       !job->accepted;
		alone = poll && cry_tile_is_idle(&queue->count);
		at = cry_tile_at(&queue->count, queue->count.tail);
		push(queue, job, plan, place, poll);
		if (alone && is_short(queue, job, at)) {
			poll = false;
			err = job->err;
		}
	}
	if (cryptile_is_pending(err) && !job->held) {
		cryptile_hold(job->tile);
		job->held = true;
	}
	spin_unlock_irqrestore(&queue->lock, flags);
	return poll ? poll_for(queue, job) : err;
}

static void note_violation(struct cryptile_queue *queue)
{
	u64 address = queue_read(queue, QUEUE_AT(VIOLATION_LO)) |
		      (u64)queue_read(queue, QUEUE_AT(VIOLATION_HI)) << 32;

	queue->counters.of[CRYPTILE_VIOLATIONS]++;
	dev_err_ratelimited(tile_of(queue)->dev,
			    "refused: VIOLATION %#x, address %#llx\n",
			    queue_read(queue, QUEUE_AT(VIOLATION)), address);
	queue_write(queue, QUEUE_AT(VIOLATION),
		    TILE_QUEUE__VIOLATION__VALID_bm);
}

/* Before the records are looked at: none is overlooked. */
static void clear_events(struct cryptile_queue *queue, u32 events)
{
	queue_write(queue, QUEUE_AT(IRQ_STATUS), events);
	/* The write has arrived when a read behind it is answered. */
	queue_read(queue, QUEUE_AT(IRQ_STATUS));
}

/* Tells a request that its job is complete, unless it goes on with another. */
static void end(struct cryptile_job *job)
{
	struct crypto_async_request *base = job->base;
	int err = job->finish(job, job->err);

	if (!cryptile_is_pending(err))
		crypto_request_complete(base, err);
}

/*
 * Softirq: takes what is complete, fills the ring, and tells requests. It is a
 * tasklet, as a work of system_bh_wq takes 1,500 cycles more, on CVA6.
 */
static void bottom(struct tasklet_struct *tasklet)
{
	struct cryptile_queue *queue = from_tasklet(queue, tasklet, bottom);
	struct cryptile_job *job, *next;
	unsigned int budget = BUDGET;
	LIST_HEAD(told);
	LIST_HEAD(done);
	u32 events;
	bool more;

	spin_lock_irq(&queue->lock);
	events = queue_read(queue, QUEUE_AT(IRQ_STATUS));
	clear_events(queue, events);
	if (events & TILE_QUEUE__IRQ_STATUS__ERROR_bm) {
		queue->stopped = true;
		mod_delayed_work(system_power_efficient_wq, &queue->watch, 0);
	}
	if (events & TILE_QUEUE__IRQ_STATUS__VIOLATION_bm)
		note_violation(queue);
	reap(queue);
	push_waiting(queue, &told);
	while (budget-- && !list_empty(&queue->done))
		list_move_tail(queue->done.next, &done);
	more = !list_empty(&queue->done);
	spin_unlock_irq(&queue->lock);

	list_for_each_entry_safe(job, next, &told, told)
		crypto_request_complete(job->base, -EINPROGRESS);
	list_for_each_entry_safe(job, next, &done, node)
		end(job);
	if (more)
		tasklet_schedule(&queue->bottom);
	else
		queue_write(queue, QUEUE_AT(IRQ_ENABLE_SET), QUEUE_EVENTS);
}

/*
 * Whether no more is to be done for a job than to wake somebody: that is allowed
 * anywhere. A request in the backlog hears first that it left it, of the bottom
 * half; and one that is polled for is its poller's.
 */
static bool is_slept_for(const struct cryptile_job *job)
{
	return job && job->brief && !job->polled && !job->backlogged &&
	       job->base->complete == crypto_req_done;
}

/*
 * Wakes whoever only waits for what is complete: the way by the bottom half
 * takes as long as a short job.
 *
 * Return: whether that was all there is to do.
 */
static bool wake(struct cryptile_queue *queue)
{
	struct cryptile_job *ended[WAKES];
	unsigned int count = 0, i;
	bool all;

	spin_lock(&queue->lock);
	clear_events(queue, TILE_QUEUE__IRQ_STATUS__COMPLETION_bm);
	while (count < WAKES && !cry_tile_is_idle(&queue->count) &&
	       has_record(queue)) {
		tile_result_t result = read_record(queue);
		u32 at = cry_tile_at(&queue->count, result.index);
		struct cryptile_job *job = queue->jobs[at];

		if (result.code != TileOk || !is_slept_for(job))
			break;
		take_record(queue, job, &result);
		forget(queue, job, at);
		job->err = 0;
		queue->unpolled--;
		ended[count++] = job;
	}
	queue->counters.of[CRYPTILE_WOKEN] += count;
	all = !has_record(queue) && list_empty(&queue->done) &&
	      list_empty(&queue->waiting);
	spin_unlock(&queue->lock);

	for (i = 0; i < count; i++)
		end(ended[i]);
	return all;
}

static irqreturn_t interrupt(int irq, void *data)
{
	struct cryptile_queue *queue = data;
	u32 events = queue_read(queue, QUEUE_AT(IRQ_STATUS)) & QUEUE_EVENTS;

	if (!events)
		return IRQ_NONE;
	queue->counters.of[CRYPTILE_INTERRUPTS]++;
	if (events == TILE_QUEUE__IRQ_STATUS__COMPLETION_bm && wake(queue))
		return IRQ_HANDLED;
	/* Until the bottom half has done its work. */
	queue_write(queue, QUEUE_AT(IRQ_ENABLE_CLEAR), QUEUE_EVENTS);
	tasklet_schedule(&queue->bottom);
	return IRQ_HANDLED;
}

/*
 * Ends all jobs in the ring, which nothing is written to meanwhile, and begins
 * anew. A tile that does not stop reaches nothing any more, but for bursts that
 * its windows had let pass, and is given up.
 */
static void restart(struct cryptile_queue *queue)
{
	struct cryptile *tile = tile_of(queue);
	int err = cryptile_hw_stop(&queue->hw);
	unsigned int i;

	if (err)
		cryptile_hw_close_windows(&queue->hw);
	spin_lock_irq(&queue->lock);
	reap(queue);
	for (i = 0; i < CRYPTILE_RING; i++) {
		struct cryptile_job *job = queue->jobs[i];

		if (!job)
			continue;
		forget(queue, job, i);
		settle(queue, job, is_late(queue, job) ? -ETIMEDOUT : -EIO);
	}
	queue->counters.of[CRYPTILE_RESTARTS]++;
	/* A tile that is locked until its reset enables no queue. */
	if (!err && !enable(queue))
		err = -EIO;
	if (err)
		cryptile_give_up(tile);
	spin_unlock_irq(&queue->lock);
	if (err)
		dev_err(tile->dev, "does not stop, or not start: given up\n");
}

/* Looks for jobs that are late, and for those that end without interrupt. */
static void watch(struct work_struct *work)
{
	struct cryptile_queue *queue =
		container_of(work, struct cryptile_queue, watch.work);
	struct cryptile *tile = tile_of(queue);
	unsigned int i, late = 0, silent = 0, left = 0;
	bool stopped;

	spin_lock_irq(&queue->lock);
	reap(queue);
	if (!cryptile_hw_works(&queue->hw))
		queue->stopped = true;
	for (i = 0; i < CRYPTILE_RING; i++) {
		const struct cryptile_job *job = queue->jobs[i];

		if (!job || job->polled)
			continue;
		left++;
		late += is_late(queue, job);
		silent += job->silent;
	}
	if (late)
		queue->stopped = true;
	queue->counters.of[CRYPTILE_TIMEOUTS] += late;
	stopped = queue->stopped && !tile->dead;
	queue->watched = left && !stopped;
	spin_unlock_irq(&queue->lock);

	if (stopped) {
		dev_err_ratelimited(tile->dev,
				    "%u of %u jobs are late, STATUS %#x\n",
				    late, left,
				    queue_read(queue, QUEUE_AT(STATUS)));
		restart(queue);
	} else if (silent) {
		/* Also if push() has asked for a later time meanwhile. */
		mod_delayed_work(system_power_efficient_wq, &queue->watch, 1);
	} else if (left) {
		queue_delayed_work(system_power_efficient_wq, &queue->watch,
				   watch_period());
	}
	run_bottom(queue);
}

/**
 * cryptile_queue_check() - have all requests ended if the queue works no more
 * @tile: which has had an error
 *
 * May be called in an interrupt.
 */
void cryptile_queue_check(struct cryptile *tile)
{
	mod_delayed_work(system_power_efficient_wq, &tile->queue.watch, 0);
}

/**
 * cryptile_queue_init() - get memory and interrupt of the kernel's queue
 * @tile: reset, its interrupt known
 *
 * Return: 0 or an error.
 */
int cryptile_queue_init(struct cryptile *tile)
{
	struct cryptile_queue *queue = &tile->queue;
	size_t size = CRYPTILE_RING *
		      (sizeof(*queue->entries) + sizeof(*queue->records) +
		       sizeof(*queue->keys));
	int err;

	memset(queue, 0, sizeof(*queue));
	spin_lock_init(&queue->lock);
	INIT_LIST_HEAD(&queue->waiting);
	INIT_LIST_HEAD(&queue->done);
	tasklet_setup(&queue->bottom, bottom);
	INIT_DELAYED_WORK(&queue->watch, watch);
	cryptile_hw_init(&queue->hw, tile, CRYPTILE_KERNEL_QUEUE);
	queue->entries =
		dmam_alloc_coherent(tile->dev, size, &queue->dma, GFP_KERNEL);
	if (!queue->entries)
		return -ENOMEM;
	queue->records = (tile_completion_t *)(queue->entries + CRYPTILE_RING);
	queue->keys =
		(struct cryptile_key_room *)(queue->records + CRYPTILE_RING);
	BUILD_BUG_ON(sizeof(*queue->keys) < CRYPTILE_TOKEN_MOST);
	err = devm_request_irq(tile->dev, tile->irq, interrupt, IRQF_NO_AUTOEN,
			       dev_name(tile->dev), queue);
	if (err)
		return dev_err_probe(tile->dev, err, "no interrupt\n");
	return 0;
}

/**
 * cryptile_queue_open() - let the queue work
 * @tile: without jobs
 *
 * Return: whether it does: a tile that is locked enables none.
 */
bool cryptile_queue_open(struct cryptile *tile)
{
	struct cryptile_queue *queue = &tile->queue;
	bool works;

	open_window(queue);
	spin_lock_irq(&queue->lock);
	works = enable(queue);
	spin_unlock_irq(&queue->lock);
	if (!works) {
		cryptile_hw_close_windows(&queue->hw);
		return false;
	}
	queue_write(queue, QUEUE_AT(IRQ_ENABLE_SET), QUEUE_EVENTS);
	enable_irq(tile->irq);
	return true;
}

/**
 * cryptile_queue_end() - end all requests, and use the tile no more
 * @tile: lets no request in any more
 */
void cryptile_queue_end(struct cryptile *tile)
{
	struct cryptile_queue *queue = &tile->queue;

	spin_lock_irq(&queue->lock);
	tile->dead = true;
	queue->stopped = true;
	spin_unlock_irq(&queue->lock);
	cancel_delayed_work_sync(&queue->watch);
	restart(queue);
	run_bottom(queue);
}

/**
 * cryptile_queue_close() - let the queue work no more
 * @tile: no request holds it open
 *
 * Return: 0; -ETIMEDOUT: its memory does not answer.
 */
int cryptile_queue_close(struct cryptile *tile)
{
	struct cryptile_queue *queue = &tile->queue;

	disable_irq(tile->irq);
	/* The bottom half may wake the watch, and the watch the bottom half. */
	spin_lock_irq(&queue->lock);
	queue->stopped = false;
	queue->watched = false;
	spin_unlock_irq(&queue->lock);
	cancel_delayed_work_sync(&queue->watch);
	tasklet_kill(&queue->bottom);
	cancel_delayed_work_sync(&queue->watch);
	tasklet_kill(&queue->bottom);
	queue_write(queue, QUEUE_AT(IRQ_ENABLE_CLEAR), QUEUE_EVENTS);
	cryptile_hw_close_windows(&queue->hw);
	return cryptile_hw_stop(&queue->hw);
}
