// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * From a request to a job and back: memory is mapped, lists of pieces are
 * written, the driver core describes the job; at its end all is undone, and the
 * key is wiped from where the tile has read it.
 *
 * Whatever stands in the way before the tile is told is one of the reasons
 * (CRYPTILE_REASONS_END of them), told as a negative number below all errors:
 * the request is then for software.
 */

#include <linux/err.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "cryptile.h"
#include "regs.h"

/**
 * cryptile_to_software() - tell whether a request is for software
 * @job: what was made of it so far; is undone if it is
 * @err: what a function of this file has returned
 *
 * Return: whether it is; then it is counted, by its reason.
 */
bool cryptile_to_software(struct cryptile_job *job, int err)
{
	if (err >= -MAX_ERRNO)
		return false;
	cryptile_count_fallback(-err - (MAX_ERRNO + 1));
	cryptile_job_end(job);
	return true;
}

/**
 * cryptile_refused() - what a request ends with that software cannot do
 * @err: why it is for software
 *
 * Return: the error.
 */
int cryptile_refused(int err)
{
	switch (err) {
	case CRYPTILE_TO_SOFTWARE(CLOSED):
		return -ENODEV;
	case CRYPTILE_TO_SOFTWARE(FULL):
		return -ENOSPC;
	case CRYPTILE_TO_SOFTWARE(MAPPING):
		return -ENOMEM;
	default:
		return -EINVAL;
	}
}

/**
 * cryptile_errno() - what a status of the tile means to a request
 * @code: of a completion record
 *
 * Return: 0 or an error.
 */
int cryptile_errno(unsigned int code)
{
	switch (cry_tile_status(code)) {
	case CRYPTILE_OK:
		return 0;
	case CRYPTILE_ERR_AUTH:
		return -EBADMSG;
	case CRYPTILE_ERR_KEY:
		return -EKEYREJECTED;
	case CRYPTILE_ERR_SUPPORT:
	case CRYPTILE_ERR_PARAM:
		return -EINVAL;
	default:
		return -EIO;
	}
}

/**
 * cryptile_job_suits() - tell whether a request is for the tile
 * @key: its key; NULL: there is none
 * @len: bytes of its message
 *
 * Return: 0; or that it is for software.
 */
int cryptile_job_suits(const struct cryptile_key *key, unsigned int len)
{
	if (key && !key->alg)
		return CRYPTILE_TO_SOFTWARE(KEY);
	if (key && key->sealed)
		return 0;
	return len < cryptile_min_bytes ? CRYPTILE_TO_SOFTWARE(SMALL) : 0;
}

/**
 * cryptile_job_begin() - begin a job in a read-side section of RCU
 * @job: the job
 * @base: its request
 * @area: in the request's context
 * @area_len: bytes of it that are the tile's
 * @finish: as in struct cryptile_job
 *
 * The tile is held open by the job itself when that outlives the section: one
 * that ends while it is polled for does without.
 *
 * Return: 0; or that the request is for software.
 */
int cryptile_job_begin(struct cryptile_job *job,
		       struct crypto_async_request *base,
		       struct cryptile_area *area, size_t area_len,
		       int (*finish)(struct cryptile_job *job, int err))
{
	/* What the queue has of a job is written there, and the ring entries. */
	job->base = base;
	job->finish = finish;
	job->brief = false;
	job->backlogged = false;
	job->area = area;
	job->area_len = area_len;
	job->mapped = false;
	job->planned = false;
	job->key = NULL;
	job->src.nents = 0;
	job->src.mapped = 0;
	job->dst.nents = 0;
	job->dst.mapped = 0;
	job->accepted = false;
	job->bound = false;
	job->held = false;
	job->tile = cryptile_look();
	return job->tile ? 0 : CRYPTILE_TO_SOFTWARE(CLOSED);
}

/**
 * cryptile_job_start() - begin a job: the tile is held open
 * @job: the job
 * @base: its request
 * @area: in the request's context
 * @area_len: bytes of it that are the tile's
 * @finish: as in struct cryptile_job
 *
 * Return: 0; or that the request is for software.
 */
int cryptile_job_start(struct cryptile_job *job,
		       struct crypto_async_request *base,
		       struct cryptile_area *area, size_t area_len,
		       int (*finish)(struct cryptile_job *job, int err))
{
	int err;

	rcu_read_lock();
	err = cryptile_job_begin(job, base, area, area_len, finish);
	if (!err) {
		cryptile_hold(job->tile);
		job->held = true;
	}
	rcu_read_unlock();
	return err;
}

/* Of a job that waited, what it had of its key. */
static void forget_key(struct cryptile_job *job)
{
	if (job->key == job->area->key)
		memzero_explicit(job->area->key, sizeof(job->area->key));
	job->key = NULL;
}

/**
 * cryptile_job_next() - begin another job for a request of which one is done
 * @job: complete; what is mapped of its memory stays, and the tile held open
 * @accepted: the request was told that it is under way
 */
void cryptile_job_next(struct cryptile_job *job, bool accepted)
{
	forget_key(job);
	job->planned = false;
	job->backlogged = false;
	job->accepted = accepted;
	job->bound = true;
}

/**
 * cryptile_job_area() - map the job's area, if it is not
 * @job: the job
 *
 * Return: 0; or that the request is for software.
 */
int cryptile_job_area(struct cryptile_job *job)
{
	struct device *dev = job->tile->dev;

	if (job->mapped)
		return 0;
	job->area_dma = dma_map_single(dev, job->area, job->area_len,
				       DMA_BIDIRECTIONAL);
	job->mapped = !dma_mapping_error(dev, job->area_dma);
	return job->mapped ? 0 : CRYPTILE_TO_SOFTWARE(MAPPING);
}

static noinline int map_list(struct device *dev,
			     struct cryptile_mapping *mapping,
			     struct scatterlist *sg, unsigned int len)
{
	int nents;

	nents = sg_nents_for_len(sg, len);
	if (nents < 0)
		return nents;
	/* The area of a request has no room for more. */
	if (nents > CRYPTILE_PIECES)
		return CRYPTILE_TO_SOFTWARE(PIECES);
	if (!nents)
		return 0;
	mapping->mapped = dma_map_sg(dev, sg, nents, mapping->dir);
	if (!mapping->mapped)
		return CRYPTILE_TO_SOFTWARE(MAPPING);
	mapping->sg = sg;
	mapping->nents = nents;
	mapping->len = 0;
	return 0;
}

static __always_inline int map(struct device *dev,
			       struct cryptile_mapping *mapping,
			       struct scatterlist *sg, unsigned int len,
			       enum dma_data_direction dir)
{
	mapping->dir = dir;
	if (!len || !sg || sg->length < len)
		return map_list(dev, mapping, sg, len);
	/* Of most requests: it takes half as long. */
	mapping->address = dma_map_page(dev, sg_page(sg), sg->offset, len, dir);
	if (dma_mapping_error(dev, mapping->address))
		return CRYPTILE_TO_SOFTWARE(MAPPING);
	mapping->len = len;
	mapping->nents = 1;
	return 0;
}

static __always_inline void unmap(struct device *dev,
				  struct cryptile_mapping *mapping)
{
	if (!mapping->nents)
		return;
	if (mapping->len)
		dma_unmap_page(dev, mapping->address, mapping->len,
			       mapping->dir);
	else
		dma_unmap_sg(dev, mapping->sg, mapping->nents, mapping->dir);
	mapping->nents = 0;
}

/**
 * cryptile_job_map() - map the data of a request
 * @job: the job
 * @src: the source
 * @src_len: bytes of it
 * @dst: the destination, which may be the same; NULL: there is none
 * @dst_len: bytes of it
 * @reread: the tile reads what it has written there
 *
 * Return: 0; -EINVAL: there are fewer bytes; or that the request is for
 * software.
 */
int cryptile_job_map(struct cryptile_job *job, struct scatterlist *src,
		     unsigned int src_len, struct scatterlist *dst,
		     unsigned int dst_len, bool reread)
{
	struct device *dev = job->tile->dev;
	int err;

	if (src == dst)
		return map(dev, &job->src, src, max(src_len, dst_len),
			   DMA_BIDIRECTIONAL);
	err = map(dev, &job->src, src, src_len, DMA_TO_DEVICE);
	if (!err && dst)
		err = map(dev, &job->dst, dst, dst_len,
			  reread ? DMA_BIDIRECTIONAL : DMA_FROM_DEVICE);
	return err;
}

/**
 * cryptile_add() - add a piece to a list
 * @pieces: the list
 * @address: of the bytes
 * @len: how many
 */
void cryptile_add(struct cryptile_pieces *pieces, dma_addr_t address,
		  unsigned int len)
{
	if (!len)
		return;
	if (pieces->count) {
		tile_piece_t *before = &pieces->list[pieces->count - 1];

		if (before->address + before->len == address &&
		    before->len <= U32_MAX - len) {
			before->len += len;
			return;
		}
	}
	/* Neither requests nor cuts are more: see map(). */
	if (WARN_ON_ONCE(pieces->count == CRYPTILE_PIECES + CRYPTILE_CUTS))
		return;
	pieces->list[pieces->count++] =
		(tile_piece_t) { .address = address, .len = len };
}

/**
 * cryptile_add_mapped() - add a part of mapped memory to a list
 * @pieces: the list
 * @mapping: the memory
 * @from: where the part begins
 * @len: bytes of it
 */
void cryptile_add_mapped(struct cryptile_pieces *pieces,
			 const struct cryptile_mapping *mapping,
			 unsigned int from, unsigned int len)
{
	struct scatterlist *sg;
	int i;

	if (cryptile_is_piece(mapping)) {
		if (from < mapping->len)
			cryptile_add(pieces, mapping->address + from,
				     min(len, mapping->len - from));
		return;
	}
	for_each_sg(mapping->sg, sg, mapping->mapped, i) {
		unsigned int here = sg_dma_len(sg);

		if (!len)
			return;
		if (from >= here) {
			from -= here;
			continue;
		}
		here = min(here - from, len);
		cryptile_add(pieces, sg_dma_address(sg) + from, here);
		len -= here;
		from = 0;
	}
}

/**
 * cryptile_address() - bus address of something in the area of a request
 * @job: the job, whose area is mapped
 * @part: in its area
 *
 * Return: the address.
 */
dma_addr_t cryptile_address(const struct cryptile_job *job, const void *part)
{
	return job->area_dma + (part - (const void *)job->area);
}

/**
 * cryptile_pieces_address() - what a descriptor says of a list
 * @job: the job
 * @pieces: the list, complete
 * @address: where to note it
 * @is_list: set if it is one: a single piece is named without
 *
 * Return: 0; or that the request is for software.
 */
int cryptile_pieces_address(struct cryptile_job *job,
			    const struct cryptile_pieces *pieces, u64 *address,
			    bool *is_list)
{
	int err;

	*is_list = pieces->count > 1;
	*address = pieces->count ? pieces->list[0].address : 0;
	if (!*is_list)
		return 0;
	err = cryptile_job_area(job);
	if (err)
		return err;
	pieces->list[pieces->count - 1].flags = TilePieceLast;
	*address = cryptile_address(job, pieces->list);
	return 0;
}

/**
 * cryptile_message_address() - where a cipher reads its message and writes it
 * @job: the job, mapped
 * @from: first byte of the message in both mappings
 * @in_place: source and destination are the same
 * @desc: the descriptor; @desc->len is the message's length
 *
 * Return: 0; or that the request is for software.
 */
int cryptile_message_address(struct cryptile_job *job, unsigned int from,
			     bool in_place, tile_job_t *desc)
{
	struct cryptile_pieces src = { .list = job->area->src };
	struct cryptile_pieces dst = { .list = job->area->dst };
	int err;

	cryptile_add_mapped(&src, &job->src, from, desc->len);
	err = cryptile_pieces_address(job, &src, &desc->src, &desc->src_list);
	if (err)
		return err;
	desc->dst = desc->src;
	desc->dst_list = desc->src_list;
	if (in_place)
		return 0;
	cryptile_add_mapped(&dst, &job->dst, from, desc->len);
	return cryptile_pieces_address(job, &dst, &desc->dst, &desc->dst_list);
}

/* Describes a job of which all but its place is prepared. */
static int describe_by_plan(struct cryptile_job *job,
			    const struct cryptile_key *key,
			    const tile_job_t *desc)
{
	const tile_session_t *plan = &key->plans[desc->decrypt];
	tile_place_t place = {
		.src = desc->src,
		.dst = desc->dst,
		.len = desc->len,
		.aad_len = desc->aad_len,
	};

	if (!cry_tile_takes_message(key->alg->family, desc->len))
		return CRYPTILE_TO_SOFTWARE(LENGTH);
	memcpy(place.iv, desc->iv, sizeof(place.iv));
	cry_tile_place(plan, &place, &job->entries[0]);
	job->entries[0].w[TileDescriptorControl] |=
		TILE_ENCODE(descriptor_control, .src_list = desc->src_list,
			    .dst_list = desc->dst_list);
	job->count = plan->count;
	job->planned = true;
	return 0;
}

static int describe(struct cryptile_job *job, const tile_alg_t *alg,
		    const struct cryptile_key *key, tile_job_t *desc)
{
	desc->slot = TileNoSlot;
	desc->unwrap_slot = TileNoSlot;
	if (key) {
		/* There is one: where, the queue says when it has a place. */
		desc->key = job->tile->queue.dma;
		desc->key_bytes = key->clear_len;
	}
	if (key && key->sealed) {
		desc->token = true;
		desc->slot = job->tile->kek_slot;
		desc->kek_len = job->tile->kek_len;
	}
	if (cry_tile_complete(alg, 0, desc) != CRYPTILE_OK)
		return CRYPTILE_TO_SOFTWARE(LENGTH);
	job->count = cry_tile_describe(desc, job->entries);
	return job->count ? 0 : CRYPTILE_TO_SOFTWARE(LENGTH);
}

/* Where the engine has no figure, a byte takes about a cycle. */
static void set_engine(struct cryptile_job *job, const tile_alg_t *alg,
		       unsigned int bytes)
{
	static const u16 cycles_of_kib[][16] = TILE_CYCLES_OF_KIB;
	u64 cycles = 0;

	if (alg->opcode < ARRAY_SIZE(cycles_of_kib))
		cycles = cycles_of_kib[alg->opcode][alg->mode];
	job->opcode = alg->opcode;
	job->bytes = bytes;
	job->cycles = cycles ? bytes * cycles >> 10 : bytes;
}

/**
 * cryptile_job_run() - describe a job and give it to the tile
 * @job: its memory is mapped and its lists are written
 * @alg: what the tile is to do
 * @key: with this key; NULL: there is none
 * @desc: what cry_tile_complete() wants, but for the key
 *
 * Return: as cryptile_queue_run(); or that the request is for software.
 */
int cryptile_job_run(struct cryptile_job *job, const tile_alg_t *alg,
		     const struct cryptile_key *key, tile_job_t *desc)
{
	struct device *dev = job->tile->dev;
	/* To compare a code is no decryption. */
	bool decrypts = desc->decrypt && cry_tile_makes_output(alg);
	int err;

	if (key) {
		job->key = key->bytes;
		job->key_len = key->len;
	}
	err = key && key->planned ? describe_by_plan(job, key, desc)
				  : describe(job, alg, key, desc);
	if (err)
		return err;
	/* Of a plan it was asked when it was made. */
	if (!job->planned &&
	    !cryptile_has(job->tile, alg, &job->entries[0], decrypts))
		return CRYPTILE_TO_SOFTWARE(ENGINE);
	set_engine(job, alg, desc->len + desc->aad_len);
	if (job->mapped)
		dma_sync_single_for_device(dev, job->area_dma, job->area_len,
					   DMA_BIDIRECTIONAL);
	return cryptile_queue_run(job, NULL, NULL);
}

/**
 * cryptile_job_run_plain() - give the tile a job that takes no lists
 * @job: of which cryptile_job_is_plain() holds
 * @key: with a plan
 * @decrypt: or verify
 * @place: but for the addresses
 *
 * Most requests: they are described where the tile reads them, at once.
 *
 * Return: as cryptile_job_run().
 */
int cryptile_job_run_plain(struct cryptile_job *job,
			   const struct cryptile_key *key, bool decrypt,
			   tile_place_t *place)
{
	const tile_session_t *plan = &key->plans[decrypt];

	if (!cry_tile_takes_message(key->alg->family, place->len))
		return CRYPTILE_TO_SOFTWARE(LENGTH);
	place->src = job->src.address;
	place->dst = job->dst.nents ? job->dst.address : job->src.address;
	job->key = key->bytes;
	job->key_len = key->len;
	job->count = plan->count;
	job->planned = true;
	set_engine(job, key->alg, place->len + place->aad_len);
	return cryptile_queue_run(job, plan, place);
}

/**
 * cryptile_job_unmap() - unmap what a job has read and written
 * @job: complete; the tile stays held open
 */
void cryptile_job_unmap(struct cryptile_job *job)
{
	unmap(job->tile->dev, &job->dst);
	unmap(job->tile->dev, &job->src);
	if (job->mapped)
		dma_unmap_single(job->tile->dev, job->area_dma, job->area_len,
				 DMA_BIDIRECTIONAL);
	job->mapped = false;
}

/**
 * cryptile_job_end() - undo what was made for a job, and let go of the tile
 * @job: complete, or not begun
 */
void cryptile_job_end(struct cryptile_job *job)
{
	if (!job->tile)
		return;
	cryptile_job_unmap(job);
	forget_key(job);
	if (job->held)
		cryptile_put(job->tile);
	job->tile = NULL;
}
