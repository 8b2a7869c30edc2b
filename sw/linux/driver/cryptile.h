/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

#ifndef CRYPTILE_H
#define CRYPTILE_H

#include <crypto/algapi.h>
#include <crypto/internal/aead.h>
#include <crypto/internal/hash.h>
#include <crypto/internal/skcipher.h>
#include <linux/completion.h>
#include <linux/device.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/percpu-refcount.h>
#include <linux/platform_device.h>
#include <linux/scatterlist.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "tile_alg.h"
#include "tile_job.h"
#include "tile_ring.h"

/* Above every software implementation: those of RISC-V have 300. */
#define CRYPTILE_PRIORITY 400

/* The hardware queue that the kernel has. */
#define CRYPTILE_KERNEL_QUEUE 0

#define CRYPTILE_RING_LOG2 8
#define CRYPTILE_RING BIT(CRYPTILE_RING_LOG2)

/* What a descriptor has room for. */
#define CRYPTILE_OPCODES 16

/*
 * Of what lies in a request's context: lists of pieces need 16, what is written
 * by the tile a line of the cache of its own where DMA is not coherent.
 */
#define CRYPTILE_ALIGN (CRYPTO_DMA_ALIGN > 64 ? CRYPTO_DMA_ALIGN : 64)

/* Most pieces of a request that the tile is given: 16 pages, and the ends. */
#define CRYPTILE_PIECES 20

/* Pieces that come in addition: a buffer before, or room left out amidst. */
#define CRYPTILE_CUTS 1

/*
 * Bytes of a sealed key: what it is for, IV, key in whole blocks, tag
 * (rtl/shell/tile/README.md, Key slots).
 */
#define CRYPTILE_TOKEN(key) (16 + 16 + (key) + 16)
#define CRYPTILE_TOKEN_LEAST CRYPTILE_TOKEN(16)
#define CRYPTILE_TOKEN_MOST CRYPTILE_TOKEN(TileMaxKey)

/* What stands in the way of a job, below all errors. */
#define CRYPTILE_TO_SOFTWARE(reason) \
	(-(MAX_ERRNO + 1 + CRYPTILE_REASON_##reason))

/* A list as an enumeration, or as what debugfs names its members. */
#define CRYPTILE_NAME(name, text) name
#define CRYPTILE_TEXT(name, text) text

/*
 * Why a request went to software:
 * - shorter than the parameter min_bytes
 * - a mode or length of key that was not built
 * - a key that the tile does not take
 * - a length or IV that one job cannot have
 * - scattered over more than CRYPTILE_PIECES pieces
 * - memory that could not be mapped for DMA
 * - no room in the ring and beside it, and no leave to wait
 * - the tile is gone, suspended, or does not answer
 */
#define CRYPTILE_REASONS(REASON)                                     \
	REASON(CRYPTILE_REASON_SMALL, "software_small"),             \
		REASON(CRYPTILE_REASON_ENGINE, "software_engine"),   \
		REASON(CRYPTILE_REASON_KEY, "software_key"),         \
		REASON(CRYPTILE_REASON_LENGTH, "software_length"),   \
		REASON(CRYPTILE_REASON_PIECES, "software_pieces"),   \
		REASON(CRYPTILE_REASON_MAPPING, "software_mapping"), \
		REASON(CRYPTILE_REASON_FULL, "software_full"),       \
		REASON(CRYPTILE_REASON_CLOSED, "software_closed")

enum cryptile_reason {
	CRYPTILE_REASONS(CRYPTILE_NAME),
	CRYPTILE_REASONS_END
};

/* What the queue counts. */
#define CRYPTILE_COUNTERS(COUNTER)                                        \
	COUNTER(CRYPTILE_JOBS, "jobs"), COUNTER(CRYPTILE_BYTES, "bytes"), \
		COUNTER(CRYPTILE_POLLED, "polled"),                       \
		COUNTER(CRYPTILE_POLLED_LATE, "polled_late"),             \
		COUNTER(CRYPTILE_INTERRUPTS, "interrupts"),               \
		COUNTER(CRYPTILE_WOKEN, "woken"),                         \
		COUNTER(CRYPTILE_WAITED, "waited"),                       \
		COUNTER(CRYPTILE_FAILED, "failed"),                       \
		COUNTER(CRYPTILE_TIMEOUTS, "timeouts"),                   \
		COUNTER(CRYPTILE_RESTARTS, "restarts"),                   \
		COUNTER(CRYPTILE_VIOLATIONS, "violations")

enum cryptile_counter {
	CRYPTILE_COUNTERS(CRYPTILE_NAME),
	CRYPTILE_COUNTERS_END
};

/**
 * struct cryptile_counters - what the queue counts
 * @of: by enum cryptile_counter
 */
struct cryptile_counters {
	u64 of[CRYPTILE_COUNTERS_END];
};

/**
 * struct cryptile_hw - a hardware queue
 * @regs: its control page
 * @page: its user page, with the doorbell
 * @windows: how many it has
 * @allowed: opcodes that its jobs may have, one bit each
 * @weight: jobs that it starts while others start as many as theirs say
 */
struct cryptile_hw {
	void __iomem *regs;
	void __iomem *page;
	unsigned int windows;
	u32 allowed;
	u32 weight;
};

/**
 * struct cryptile_hw_config - how a hardware queue works
 * @entries: bus address of the ring of descriptors
 * @records: bus address of the ring of completion records
 * @ring_log2: of the number of entries
 * @max_bytes: longest message, associated data or output; 0: any
 * @piece: bytes that an entry of a list counts as at least
 * @key_mask: key slots that jobs may use, one bit each
 * @relative: addresses of jobs count from their windows
 */
struct cryptile_hw_config {
	dma_addr_t entries;
	dma_addr_t records;
	unsigned int ring_log2;
	u32 max_bytes;
	u32 piece;
	u32 key_mask;
	bool relative;
};

/* Of a key, or a sealed one, that the tile reads. */
struct cryptile_key_room {
	u64 words[16];
};

/**
 * struct cryptile_queue - the kernel's hardware queue
 * @lock: taken with interrupts off
 * @hw: its registers
 * @entries: ring of descriptors, coherent
 * @records: ring of completion records, coherent, behind @entries
 * @keys: by ring entry, the key that its job has by pointer, coherent, behind
 *	@records
 * @dma: bus address of @entries
 * @count: where the rings stand
 * @jobs: by ring entry, the job that it describes
 * @ended: by opcode, when the last job of that engine had ended, in jiffies
 * @unpolled: jobs in the ring that nobody polls for
 * @waiting: jobs that found the ring full
 * @waiting_count: how many of these were taken without backlog
 * @done: jobs that are complete, for the bottom half
 * @stopped: nothing is written to the ring until it is restarted
 * @bottom: tells requests that they are complete; in softirq
 * @watch: looks for jobs that are late, and restarts the queue
 * @watched: it will, without being told again
 * @counters: for debugfs
 */
struct cryptile_queue {
	spinlock_t lock; /* guards all that follows */
	struct cryptile_hw hw;
	tile_entry_t *entries;
	tile_completion_t *records;
	struct cryptile_key_room *keys;
	dma_addr_t dma;
	tile_counters_t count;
	struct cryptile_job *jobs[CRYPTILE_RING];
	u64 ended[CRYPTILE_OPCODES];
	unsigned int unpolled;
	struct list_head waiting;
	unsigned int waiting_count;
	struct list_head done;
	bool stopped;
	struct tasklet_struct bottom;
	struct delayed_work watch;
	bool watched;
	struct cryptile_counters counters;
};

/* Hardware queues that a tile has at most. */
#define CRYPTILE_QUEUES 8

/**
 * struct cryptile_slot - a hardware queue that a process can have
 * @hw: its registers
 * @irq: its interrupt; not of the one that processes share
 * @usable: it has an interrupt, and has always stopped when it was told to
 * @lock: guards @owner
 * @owner: whose it is; NULL: it is free
 */
struct cryptile_slot {
	struct cryptile_hw hw;
	int irq;
	bool usable;
	spinlock_t lock;
	struct cryptile_ring *owner;
};

/**
 * struct cryptile_rings - the queues of processes
 * @misc: /dev/cryptileN
 * @registered: it is there; else turns end, and none begins
 * @lock: guards @open, @accounts and who has which slot
 * @turn: at the queue that processes share; in the order in which they came,
 *	which a mutex does not keep
 * @waiting: how many wait for one
 * @open: the open files
 * @accounts: of the users who have some
 * @slots: by the number of the hardware queue
 * @opened: files that were opened, for debugfs
 * @shared: of these, those without a queue of their own
 * @batches: turns at the shared queue
 * @aborted: queues that were stopped with jobs under way
 * @violations: bursts of processes that were refused
 * @keys: that were written into slots
 */
struct cryptile_rings {
	struct miscdevice misc;
	bool registered;
	struct mutex lock;
	struct semaphore turn;
	atomic_t waiting;
	struct list_head open;
	struct list_head accounts;
	struct cryptile_slot slots[CRYPTILE_QUEUES];
	atomic64_t opened;
	atomic64_t shared;
	atomic64_t batches;
	atomic64_t aborted;
	atomic64_t violations;
	atomic64_t keys;
};

/**
 * struct cryptile_key_slots - key slots for the queues of processes
 * @mask: that the kernel may write, one bit each
 * @queues: hardware queues that may have some, one bit each
 * @of: by hardware queue, the slots that it has
 */
struct cryptile_key_slots {
	u16 mask;
	u16 queues;
	u16 of[CRYPTILE_QUEUES];
};

/**
 * struct cryptile - the tile
 * @dev: its device
 * @base: its registers
 * @irq: interrupt of the kernel's queue
 * @error_irq: that of errors; negative: there is none
 * @features: opcodes that were built in, one bit each
 * @engines: of each opcode, register ENGINE
 * @windows: of each queue
 * @open: requests are let in
 * @users: requests that hold it open; dead: closed
 * @closed: completed when it is, and none is left
 * @dead: it did not stop when it was told to; nothing opens it again
 * @phys: physical address of its registers
 * @seals: firmware has left a key in it that unwraps others
 * @kek_slot: where that one lies
 * @kek_len: its length, as the descriptor has it
 * @queue: the kernel's
 * @rings: those of processes
 * @keys: key slots of these
 * @rearm: has it tell of faults again
 * @rng: random bit generator; NULL: there is none, or it is not for the kernel
 * @fallbacks: requests that went to software, by reason
 * @debugfs: folder of the counters
 */
struct cryptile {
	struct device *dev;
	void __iomem *base;
	int irq;
	int error_irq;
	u32 features;
	u32 engines[CRYPTILE_OPCODES];
	unsigned int windows;
	int open;
	struct percpu_ref users;
	struct completion closed;
	bool dead;
	phys_addr_t phys;
	bool seals;
	u8 kek_slot;
	u8 kek_len;
	struct cryptile_queue queue;
	struct cryptile_rings rings;
	struct cryptile_key_slots keys;
	struct delayed_work rearm;
	struct cryptile_rng *rng;
	atomic64_t fallbacks[CRYPTILE_REASONS_END];
	struct dentry *debugfs;
};

/**
 * struct cryptile_area - what the tile reads of a request beside its data
 * @src: list of pieces, if there are several
 * @dst: likewise
 * @key: or a sealed one, of a job that waits for room; cleared when it is
 *	complete
 *
 * Lies in the request's context, and is mapped with what lies behind it there
 * when the tile is to see something of it.
 */
struct cryptile_area {
	tile_piece_t src[CRYPTILE_PIECES + CRYPTILE_CUTS];
	tile_piece_t dst[CRYPTILE_PIECES + CRYPTILE_CUTS];
	u8 key[CRYPTILE_TOKEN_MOST];
} __aligned(CRYPTILE_ALIGN);

/**
 * struct cryptile_mapping - memory of a request, while it is mapped
 * @sg: the scatterlist
 * @nents: how many of its entries; 0: none is mapped
 * @mapped: pieces that they have become
 * @dir: who writes and who reads
 * @address: of a single entry, which is mapped as a page
 * @len: bytes of that
 */
struct cryptile_mapping {
	struct scatterlist *sg;
	int nents;
	int mapped;
	enum dma_data_direction dir;
	dma_addr_t address;
	unsigned int len;
};

/* What is known of the pieces of a source or destination so far. */
struct cryptile_pieces {
	tile_piece_t *list;
	unsigned int count;
};

/**
 * struct cryptile_job - a job of the tile, and the request that it is for
 * @entries: the ring entries that describe it
 * @count: how many
 * @planned: the second one has no more than where the key is
 * @opcode: the engine
 * @bytes: what it reads
 * @cycles: about what the engine takes for it
 * @node: in the queue's lists
 * @told: in that of requests which leave the backlog
 * @base: the request
 * @finish: called when the job is complete, with 0 or an error, in softirq;
 *	returns what the request ends with, or -EINPROGRESS if it goes on
 * @brief: @finish may be called in an interrupt, too, with 0: it takes not long,
 *	begins no other job, and the request ends with it
 * @tile: open while the job is prepared or under way
 * @held: it is by the job, and not by RCU alone
 * @area: of the request
 * @area_len: with what lies behind it for the tile
 * @area_dma: bus address of @area
 * @mapped: @area is
 * @key: by pointer; NULL: there is none
 * @key_len: bytes of it
 * @src: mapped source
 * @dst: mapped destination, if it is another
 * @begun: in jiffies
 * @silent: its end raises no interrupt
 * @polled: somebody polls for it
 * @done: of one that is polled: it is complete
 * @backlogged: the request was told -EBUSY
 * @accepted: the request was told that it is under way: a job of it is never
 *	refused
 * @bound: another job of the request is done: likewise
 * @err: what the job ended with
 */
struct cryptile_job {
	tile_entry_t entries[2];
	unsigned int count;
	bool planned;
	u8 opcode;
	unsigned int bytes;
	unsigned int cycles;
	struct list_head node;
	struct list_head told;
	struct crypto_async_request *base;
	int (*finish)(struct cryptile_job *job, int err);
	bool brief;
	struct cryptile *tile;
	bool held;
	struct cryptile_area *area;
	size_t area_len;
	dma_addr_t area_dma;
	bool mapped;
	const u8 *key;
	unsigned int key_len;
	struct cryptile_mapping src;
	struct cryptile_mapping dst;
	u64 begun;
	bool silent;
	bool polled;
	bool done;
	bool backlogged;
	bool accepted;
	bool bound;
	int err;
};

/* The driver's part of a request's context: reqsize has room to align it. */
static inline void *cryptile_align(void *ctx)
{
	return PTR_ALIGN(ctx, CRYPTILE_ALIGN);
}

/* Whether memory is mapped, in one piece. */
static inline bool cryptile_is_piece(const struct cryptile_mapping *mapping)
{
	return mapping->nents && mapping->len;
}

/* Whether the request of a job will be told later how it ended. */
static inline bool cryptile_is_pending(int err)
{
	return err == -EINPROGRESS || err == -EBUSY;
}

/* main.c */
struct cryptile *cryptile_look(void);
void cryptile_hold(struct cryptile *tile);
void cryptile_put(struct cryptile *tile);
void cryptile_give_up(struct cryptile *tile);
void cryptile_count_fallback(enum cryptile_reason reason);
bool cryptile_has_mode(const struct cryptile *tile, unsigned int opcode,
		       unsigned int mode, bool decrypts);
bool cryptile_has(const struct cryptile *tile, const tile_alg_t *alg,
		  const tile_entry_t *entry, bool decrypts);
extern unsigned int cryptile_min_bytes;
extern unsigned int cryptile_poll_cycles;
extern unsigned int cryptile_poll_turns;
extern unsigned int cryptile_timeout_ms;

/* error.c */
int cryptile_error_init(struct cryptile *tile, struct platform_device *pdev);
void cryptile_error_open(struct cryptile *tile);
void cryptile_error_close(struct cryptile *tile);

/* hw.c */
void cryptile_hw_init(struct cryptile_hw *hw, const struct cryptile *tile,
		      unsigned int number);
void cryptile_hw_window(const struct cryptile_hw *hw, unsigned int window,
			dma_addr_t first, dma_addr_t last);
void cryptile_hw_close_windows(const struct cryptile_hw *hw);
bool cryptile_hw_enable(const struct cryptile_hw *hw,
			const struct cryptile_hw_config *config);
bool cryptile_hw_works(const struct cryptile_hw *hw);
void cryptile_hw_keys(const struct cryptile_hw *hw, u32 key_mask);
int cryptile_hw_stop(const struct cryptile_hw *hw);

/* ring.c */
void cryptile_rings_init(struct cryptile_rings *rings);
void cryptile_rings_add(struct cryptile *tile, struct platform_device *pdev);
void cryptile_rings_remove(struct cryptile *tile);
void cryptile_rings_suspend(struct cryptile *tile);
void cryptile_rings_check(struct cryptile *tile);

/* keyslots.c */
struct cryptile_ring_key;
void cryptile_keys_init(struct cryptile *tile, unsigned int queues);
int cryptile_keys_load(struct cryptile *tile, unsigned int queue,
		       struct cryptile_ring_key *key);
int cryptile_keys_forget(struct cryptile *tile, unsigned int queue,
			 unsigned int slot);
void cryptile_keys_drop(struct cryptile *tile, unsigned int queue);

/* queue.c */
int cryptile_queue_init(struct cryptile *tile);
bool cryptile_queue_open(struct cryptile *tile);
void cryptile_queue_end(struct cryptile *tile);
int cryptile_queue_close(struct cryptile *tile);
void cryptile_queue_check(struct cryptile *tile);
int cryptile_queue_run(struct cryptile_job *job, const tile_session_t *plan,
		       const tile_place_t *place);

/* key.c */

/**
 * struct cryptile_key - a key of a transform
 * @alg: what the tile does with it; NULL: there is none for such a key
 * @bytes: the key
 * @len: its length
 * @clear_len: that of the key itself, which is shorter than one that is sealed
 * @sealed: it is wrapped
 * @planned: @plans hold: IV and tag have the same lengths in all jobs, and the
 *	tile has what they take
 * @plans: what jobs have in common that encrypt, and that decrypt
 */
struct cryptile_key {
	const tile_alg_t *alg;
	u8 bytes[CRYPTILE_TOKEN_MOST];
	unsigned int len;
	unsigned int clear_len;
	bool sealed;
	bool planned;
	tile_session_t plans[2];
};

const tile_alg_t *cryptile_find(unsigned int opcode, unsigned int mode,
				unsigned int key_len);
void cryptile_set_key(struct cryptile_key *key, unsigned int opcode,
		      unsigned int mode, const u8 *bytes, unsigned int len);
int cryptile_set_hmac_key(struct cryptile_key *key, unsigned int opcode,
			  unsigned int mode, const char *hash, const u8 *bytes,
			  unsigned int len);
void cryptile_plan(struct cryptile_key *key, unsigned int iv_len,
		   unsigned int tag_len);
int cryptile_set_token(struct cryptile_key *key, unsigned int opcode,
		       unsigned int mode, const u8 *bytes, unsigned int len);

/* job.c */

/*
 * Whether a job that is mapped takes no lists, and all but its place is
 * prepared. What it has must lie in a row.
 */
static inline bool cryptile_job_is_plain(const struct cryptile_job *job,
					 const struct cryptile_key *key)
{
	return key->planned && cryptile_is_piece(&job->src) &&
	       (!job->dst.nents || job->dst.len);
}

int cryptile_job_begin(struct cryptile_job *job,
		       struct crypto_async_request *base,
		       struct cryptile_area *area, size_t area_len,
		       int (*finish)(struct cryptile_job *job, int err));
int cryptile_job_start(struct cryptile_job *job,
		       struct crypto_async_request *base,
		       struct cryptile_area *area, size_t area_len,
		       int (*finish)(struct cryptile_job *job, int err));
void cryptile_job_next(struct cryptile_job *job, bool accepted);
int cryptile_job_area(struct cryptile_job *job);
int cryptile_job_suits(const struct cryptile_key *key, unsigned int len);
int cryptile_job_map(struct cryptile_job *job, struct scatterlist *src,
		     unsigned int src_len, struct scatterlist *dst,
		     unsigned int dst_len, bool reread);
void cryptile_add(struct cryptile_pieces *pieces, dma_addr_t address,
		  unsigned int len);
void cryptile_add_mapped(struct cryptile_pieces *pieces,
			 const struct cryptile_mapping *mapping,
			 unsigned int from, unsigned int len);
dma_addr_t cryptile_address(const struct cryptile_job *job, const void *part);
int cryptile_pieces_address(struct cryptile_job *job,
			    const struct cryptile_pieces *pieces, u64 *address,
			    bool *is_list);
int cryptile_message_address(struct cryptile_job *job, unsigned int from,
			     bool in_place, tile_job_t *desc);
int cryptile_job_run(struct cryptile_job *job, const tile_alg_t *alg,
		     const struct cryptile_key *key, tile_job_t *desc);
int cryptile_job_run_plain(struct cryptile_job *job,
			   const struct cryptile_key *key, bool decrypt,
			   tile_place_t *place);
void cryptile_job_unmap(struct cryptile_job *job);
void cryptile_job_end(struct cryptile_job *job);
int cryptile_errno(unsigned int code);
bool cryptile_to_software(struct cryptile_job *job, int err);
int cryptile_refused(int err);

/* algs.c */

/**
 * struct cryptile_alg - an algorithm of the kernel, and what the tile has for it
 * @opcode: the engine
 * @mode: its mode
 * @type: CRYPTO_ALG_TYPE_...: which of the union
 * @salt: of an AEAD: bytes at the end of the key that begin the nonce; the
 *	request's IV is then also at the end of the associated data
 * @sealed: keys are wrapped, and there is no software for it
 * @key_hash: of an HMAC: what makes a long key short
 * @hmac_opcode: of an AEAD that is a cipher and an HMAC: engine of the latter
 * @hmac: its mode; 0: there is none
 * @registered: it was
 * @skcipher: for the crypto API
 * @aead: likewise
 * @ahash: likewise
 */
struct cryptile_alg {
	u8 opcode;
	u8 mode;
	u8 type;
	u8 salt;
	bool sealed;
	const char *key_hash;
	u8 hmac_opcode;
	u8 hmac;
	bool registered;
	union {
		struct skcipher_alg skcipher;
		struct aead_alg aead;
		struct ahash_alg ahash;
	};
};

int cryptile_register_algs(const struct cryptile *tile);
void cryptile_unregister_algs(void);

/* skcipher.c, aead.c, ahash.c */
extern struct cryptile_alg cryptile_skciphers[];
extern const unsigned int cryptile_skcipher_count;
void cryptile_fill_skcipher(struct skcipher_alg *alg);
extern struct cryptile_alg cryptile_aeads[];
extern const unsigned int cryptile_aead_count;
void cryptile_fill_aead(struct aead_alg *alg);
extern struct cryptile_alg cryptile_ahashes[];
extern const unsigned int cryptile_ahash_count;
void cryptile_fill_ahash(struct cryptile_alg *row);

/* rng.c */
struct cryptile_rng;
int cryptile_rng_init(struct cryptile *tile, struct platform_device *pdev);
void cryptile_rng_open(struct cryptile *tile);
void cryptile_rng_close(struct cryptile *tile);
void cryptile_rng_add(struct cryptile *tile);
void cryptile_rng_remove(struct cryptile *tile);

/* stats.c */
void cryptile_stats_add(struct cryptile *tile);

#endif /* CRYPTILE_H */
