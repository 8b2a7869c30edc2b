// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Hash functions and MACs. A message in parts is one in the tile, too: what
 * makes whole blocks goes through it as it comes, with the state saved between
 * in the request, and what is left over waits in a buffer. At least a byte is
 * held back for the last part, as CMAC wants it. A part of more pieces than a
 * job can have takes several jobs.
 *
 * Software can take a message over before each job of it, but CMAC only until
 * the tile has begun: what the tile saves is what software exports. The tile
 * does not go between two jobs of a request.
 */

#include <crypto/scatterwalk.h>
#include <linux/string.h>

#include "cryptile.h"
#include "hashstate.h"

struct hash_ctx {
	struct cryptile_key key;
	const tile_alg_t *alg; /* NULL: not with this key */
	struct crypto_shash *software;
};

/* What the tile reads and writes of a message in parts. */
struct hash_area {
	struct cryptile_area common;
	u8 context[TileContextBytes];
	u8 buffer[TileMaxBlock];
	u8 digest[TileMaxTag];
};

/**
 * struct hash_part - the driver's part of a request
 * @job: under way
 * @is_software: software has taken the message over
 * @started: the area's context holds what went through the tile
 * @last: the job under way makes the digest
 * @final: the request wants the digest
 * @fill: bytes in the area's buffer
 * @used: bytes of the source that the job under way takes
 * @from: bytes of the source that were taken
 * @left: bytes of it that were not
 * @ahead: the source from there on, while it is mapped
 * @error: the message is lost by it
 * @area: for the tile
 * @software: in place of it
 */
struct hash_part {
	struct cryptile_job job;
	bool is_software;
	bool started;
	bool last;
	bool final;
	unsigned int fill;
	unsigned int used;
	unsigned int from;
	unsigned int left;
	struct scatterlist ahead[2];
	int error;
	union {
		struct hash_area area;
		struct shash_desc software;
	};
};

/* What export() gives where software exports no state that the tile has. */
struct hash_state {
	u8 is_software;
	u8 started;
	unsigned int fill;
	union {
		struct {
			u8 context[TileContextBytes];
			u8 buffer[TileMaxBlock];
		};
		u8 software[HASH_MAX_DESCSIZE];
	};
};

static const struct cryptile_alg *row_of(struct crypto_ahash *tfm)
{
	return container_of_const(crypto_hash_alg_common(tfm),
				  struct cryptile_alg, ahash.halg);
}

static struct hash_part *part_of(struct ahash_request *req)
{
	return cryptile_align(ahash_request_ctx(req));
}

static struct hash_ctx *ctx_of(struct ahash_request *req)
{
	return crypto_ahash_ctx(crypto_ahash_reqtfm(req));
}

static int setkey(struct crypto_ahash *tfm, const u8 *key, unsigned int len)
{
	const struct cryptile_alg *row = row_of(tfm);
	struct hash_ctx *ctx = crypto_ahash_ctx(tfm);
	int err;

	if (row->sealed) {
		err = cryptile_set_token(&ctx->key, row->opcode, row->mode, key,
					 len);
		ctx->alg = ctx->key.alg;
		return err;
	}
	/* Software knows which lengths there are. */
	err = crypto_shash_setkey(ctx->software, key, len);
	if (err)
		return err;
	if (row->key_hash)
		err = cryptile_set_hmac_key(&ctx->key, row->opcode, row->mode,
					    row->key_hash, key, len);
	else
		cryptile_set_key(&ctx->key, row->opcode, row->mode, key, len);
	ctx->alg = ctx->key.alg;
	return err;
}

static void wipe(struct hash_part *part)
{
	memzero_explicit(part->area.context, sizeof(part->area.context));
	memzero_explicit(part->area.buffer, sizeof(part->area.buffer));
	memzero_explicit(part->area.digest, sizeof(part->area.digest));
}

static int start_software(struct ahash_request *req)
{
	struct hash_part *part = part_of(req);

	part->is_software = true;
	part->software.tfm = ctx_of(req)->software;
	return crypto_shash_init(&part->software);
}

/* As software would: what the buffer has goes through it. */
static int export_as(enum cryptile_state kind, struct ahash_request *req,
		     void *out)
{
	struct hash_part *part = part_of(req);
	SHASH_DESC_ON_STACK(desc, ctx_of(req)->software);
	int err;

	desc->tfm = ctx_of(req)->software;
	err = crypto_shash_init(desc) ?: crypto_shash_export(desc, out);
	if (!err && part->started) {
		cryptile_state_put(kind, out, part->area.context);
		err = crypto_shash_import(desc, out);
	}
	err = err ?: crypto_shash_update(desc, part->area.buffer, part->fill)
		  ?: crypto_shash_export(desc, out);
	shash_desc_zero(desc);
	return err;
}

/* There is no message to go on with, until the next begins. */
static int lose(struct hash_part *part, int err)
{
	wipe(part);
	part->is_software = false;
	part->error = err;
	return err;
}

static int import_software(struct ahash_request *req, const void *in)
{
	struct hash_part *part = part_of(req);

	if (!ctx_of(req)->software)
		return -EINVAL;
	part->is_software = true;
	part->software.tfm = ctx_of(req)->software;
	return crypto_shash_import(&part->software, in);
}

/* Software takes over what went through the tile, and what is in the buffer. */
static int continue_software(struct ahash_request *req)
{
	enum cryptile_state kind =
		cryptile_state_of(row_of(crypto_ahash_reqtfm(req)));
	struct hash_part *part = part_of(req);
	u8 state[CRYPTILE_STATE_MOST];
	int err = export_as(kind, req, state);

	wipe(part);
	if (!err)
		err = import_software(req, state);
	memzero_explicit(state, sizeof(state));
	return err;
}

/* Software takes over with what is in the buffer. */
static int begin_software(struct ahash_request *req)
{
	struct hash_part *part = part_of(req);
	unsigned int fill = part->fill;
	u8 buffer[TileMaxBlock];
	int err;

	memcpy(buffer, part->area.buffer, fill);
	wipe(part);
	err = start_software(req);
	if (!err)
		err = crypto_shash_update(&part->software, buffer, fill);
	memzero_explicit(buffer, sizeof(buffer));
	return err;
}

/*
 * Of the source there is only what was not taken: final() has none, though the
 * request may still have that of an update before.
 */
static int take_over(struct ahash_request *req)
{
	struct hash_part *part = part_of(req);
	struct scatterlist *src = req->src;
	unsigned int bytes = req->nbytes;
	int err = part->started ? continue_software(req) : begin_software(req);

	if (err)
		return lose(part, err);
	req->nbytes = part->left;
	if (part->left)
		req->src = scatterwalk_ffwd(part->ahead, src, part->from);
	err = part->final ? shash_ahash_finup(req, &part->software)
			  : shash_ahash_update(req, &part->software);
	req->src = src;
	req->nbytes = bytes;
	return err;
}

/* Whether software can go on with a request. */
static bool can_take_over(struct ahash_request *req)
{
	struct hash_part *part = part_of(req);

	return !part->started ||
	       cryptile_state_of(row_of(crypto_ahash_reqtfm(req))) !=
		       CRYPTILE_STATE_OWN;
}

/* Bytes of the source, from a place on, that are no more pieces than allowed. */
static unsigned int reach(struct scatterlist *sg, unsigned int from,
			  unsigned int left)
{
	unsigned int pieces = CRYPTILE_PIECES, bytes = 0;

	for (; sg && pieces && bytes < left; sg = sg_next(sg)) {
		if (from >= sg->length) {
			from -= sg->length;
			continue;
		}
		bytes += sg->length - from;
		from = 0;
		pieces--;
	}
	return min(bytes, left);
}

/* Holds bytes of the source back for a later job. */
static void hold(struct ahash_request *req, unsigned int bytes)
{
	struct hash_part *part = part_of(req);

	scatterwalk_map_and_copy(part->area.buffer + part->fill, req->src,
				 part->from, bytes, 0);
	part->fill += bytes;
	part->from += bytes;
	part->left -= bytes;
}

static int finish(struct cryptile_job *job, int err);

/* Gives the buffer, and so many bytes of the source, to the tile. */
static int run(struct ahash_request *req, unsigned int used, bool last,
	       bool accepted)
{
	struct hash_ctx *ctx = ctx_of(req);
	struct hash_part *part = part_of(req);
	struct cryptile_job *job = &part->job;
	struct cryptile_pieces src = { .list = part->area.common.src };
	tile_job_t desc = {
		.ctx_load = part->started,
		.ctx_save = !last,
		.more = !last,
		.len = part->fill + used,
	};
	int err = 0;

	if (job->tile)
		cryptile_job_next(job, accepted);
	else
		err = cryptile_job_start(job, &req->base, &part->area.common,
					 sizeof(part->area), finish);
	if (!err)
		err = cryptile_job_area(job);
	if (err)
		return err;
	job->accepted = accepted;
	/* Of what is not the last a next job may follow. */
	job->brief = last;
	part->last = last;
	part->used = used;
	cryptile_add(&src, cryptile_address(job, part->area.buffer),
		     part->fill);
	if (used) {
		struct scatterlist *sg =
			scatterwalk_ffwd(part->ahead, req->src, part->from);

		err = cryptile_job_map(job, sg, used, NULL, 0, false);
		if (err)
			return err;
		cryptile_add_mapped(&src, &job->src, 0, used);
	}
	err = cryptile_pieces_address(job, &src, &desc.src, &desc.src_list);
	if (err)
		return err;
	if (desc.ctx_load || desc.ctx_save)
		desc.context = cryptile_address(job, part->area.context);
	if (last)
		desc.tag = cryptile_address(job, part->area.digest);
	return cryptile_job_run(job, ctx->alg,
				ctx->alg->key_bytes ? &ctx->key : NULL, &desc);
}

/* What a job has done is noted; before the last one the tile stays open. */
static int settle(struct ahash_request *req, int err)
{
	struct hash_part *part = part_of(req);

	if (err || part->last)
		cryptile_job_end(&part->job);
	else
		cryptile_job_unmap(&part->job);
	if (err == -ENOSPC) {
		/* Nothing was taken: the request may come again. */
		part->fill -= part->from;
		return err;
	}
	if (err)
		return lose(part, err);
	part->started = true;
	part->fill = 0;
	part->from += part->used;
	part->left -= part->used;
	if (part->last) {
		memcpy(req->result, part->area.digest,
		       crypto_ahash_digestsize(crypto_ahash_reqtfm(req)));
		wipe(part);
	}
	return 0;
}

/* Goes on with a request until it ends, or a job is under way. */
static int proceed(struct ahash_request *req, bool accepted)
{
	struct hash_part *part = part_of(req);
	const tile_alg_t *alg = ctx_of(req)->alg;
	int err;

	if (part->error)
		return part->error;
	/* The key was replaced amidst the message, by none for the tile. */
	if (!alg)
		return settle(req, -EINVAL);
	part->last = false;
	do {
		unsigned int near, total, used;
		bool last;

		near = reach(req->src, part->from, part->left);
		/* The source ends too early. */
		if (!near && part->left)
			return settle(req, -EINVAL);
		total = part->fill + near;
		last = part->final && near == part->left;
		if (!last && total <= alg->block) {
			hold(req, near);
			if (part->left)
				continue;
			cryptile_job_end(&part->job);
			return 0;
		}
		used = near;
		if (!last)
			used = rounddown(total - 1, alg->block) - part->fill;
		err = run(req, used, last, accepted);
		if (cryptile_is_pending(err))
			return err;
		if (cryptile_to_software(&part->job, err)) {
			if (ctx_of(req)->key.sealed)
				return settle(req, cryptile_refused(err));
			if (can_take_over(req)) {
				/* This may be softirq. */
				if (accepted)
					req->base.flags &=
						~CRYPTO_TFM_REQ_MAY_SLEEP;
				return take_over(req);
			}
			err = err == CRYPTILE_TO_SOFTWARE(FULL) ? -ENOSPC
								: -EIO;
		}
		err = settle(req, err);
		if (err)
			return err;
	} while (!part->last);
	return 0;
}

static int finish(struct cryptile_job *job, int err)
{
	struct ahash_request *req = ahash_request_cast(job->base);

	err = settle(req, err);
	if (err || part_of(req)->last)
		return err;
	return proceed(req, true);
}

static int begin(struct ahash_request *req, unsigned int bytes, bool final)
{
	struct hash_part *part = part_of(req);

	part->final = final;
	part->from = 0;
	part->left = bytes;
	return proceed(req, false);
}

/* Begins a message of which so many bytes are known. */
static int init_for(struct ahash_request *req, unsigned int bytes)
{
	struct hash_ctx *ctx = ctx_of(req);
	struct hash_part *part = part_of(req);
	const struct cryptile_key *sealed = ctx->key.sealed ? &ctx->key : NULL;
	int err = ctx->alg ? cryptile_job_suits(sealed, bytes)
			   : CRYPTILE_TO_SOFTWARE(KEY);

	part->job.tile = NULL;
	part->is_software = false;
	part->error = 0;
	part->started = false;
	part->fill = 0;
	return cryptile_to_software(&part->job, err) ? start_software(req) : 0;
}

static int init(struct ahash_request *req)
{
	return init_for(req, UINT_MAX);
}

static int update(struct ahash_request *req)
{
	struct hash_part *part = part_of(req);

	return part->is_software ? shash_ahash_update(req, &part->software)
				 : begin(req, req->nbytes, false);
}

static int finup(struct ahash_request *req)
{
	struct hash_part *part = part_of(req);

	return part->is_software ? shash_ahash_finup(req, &part->software)
				 : begin(req, req->nbytes, true);
}

static int final(struct ahash_request *req)
{
	struct hash_part *part = part_of(req);

	return part->is_software
		       ? crypto_shash_final(&part->software, req->result)
		       : begin(req, 0, true);
}

static int digest(struct ahash_request *req)
{
	int err = init_for(req, req->nbytes);

	return err ? err : finup(req);
}

static int export_own(struct ahash_request *req, struct hash_state *state)
{
	struct hash_part *part = part_of(req);

	state->is_software = part->is_software;
	if (part->is_software)
		return crypto_shash_export(&part->software, state->software);
	state->started = part->started;
	state->fill = part->fill;
	memcpy(state->context, part->area.context, sizeof(state->context));
	memcpy(state->buffer, part->area.buffer, part->fill);
	return 0;
}

static int export(struct ahash_request *req, void *out)
{
	struct crypto_ahash *tfm = crypto_ahash_reqtfm(req);
	enum cryptile_state kind = cryptile_state_of(row_of(tfm));
	struct hash_part *part = part_of(req);

	memset(out, 0, crypto_ahash_statesize(tfm));
	if (!part->is_software && part->error)
		return part->error;
	if (kind == CRYPTILE_STATE_OWN)
		return export_own(req, out);
	return part->is_software ? crypto_shash_export(&part->software, out)
				 : export_as(kind, req, out);
}

/* Whoever has exported it, the message goes on in the tile if that can. */
static int import_as(enum cryptile_state kind, struct ahash_request *req,
		     const void *in)
{
	struct hash_part *part = part_of(req);
	int fill = cryptile_state_get(kind, in,
				      crypto_ahash_blocksize(
					      crypto_ahash_reqtfm(req)),
				      part->area.context, part->area.buffer);

	if (fill == -EINVAL)
		return fill;
	if (fill < 0 || !ctx_of(req)->alg) {
		wipe(part);
		return import_software(req, in);
	}
	part->started = true;
	part->fill = fill;
	return 0;
}

static int import_own(struct ahash_request *req, const struct hash_state *state)
{
	const tile_alg_t *alg = ctx_of(req)->alg;
	struct hash_part *part = part_of(req);

	if (state->is_software)
		return import_software(req, state->software);
	if (!alg || state->fill > alg->block)
		return -EINVAL;
	part->started = state->started;
	part->fill = state->fill;
	memcpy(part->area.context, state->context, sizeof(state->context));
	memcpy(part->area.buffer, state->buffer, part->fill);
	return 0;
}

static int import(struct ahash_request *req, const void *in)
{
	enum cryptile_state kind =
		cryptile_state_of(row_of(crypto_ahash_reqtfm(req)));
	struct hash_part *part = part_of(req);
	int err;

	part->job.tile = NULL;
	part->is_software = false;
	part->error = 0;
	err = kind == CRYPTILE_STATE_OWN ? import_own(req, in)
					 : import_as(kind, req, in);
	return err ? lose(part, err) : 0;
}

static int init_tfm(struct crypto_ahash *tfm)
{
	const struct cryptile_alg *row = row_of(tfm);
	struct hash_ctx *ctx = crypto_ahash_ctx(tfm);
	const char *name = crypto_tfm_alg_name(crypto_ahash_tfm(tfm));
	size_t size = offsetof(struct hash_part, software) +
		      sizeof(struct shash_desc);

	if (row->sealed) {
		crypto_ahash_set_reqsize(tfm, sizeof(struct hash_part) +
						      CRYPTILE_ALIGN);
		return 0;
	}
	ctx->software = crypto_alloc_shash(name, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->software))
		return PTR_ERR(ctx->software);
	if (cryptile_state_of(row) == CRYPTILE_STATE_OWN
		    ? crypto_shash_statesize(ctx->software) >
			      sizeof_field(struct hash_state, software)
		    : crypto_shash_statesize(ctx->software) !=
			      crypto_ahash_statesize(tfm)) {
		crypto_free_shash(ctx->software);
		return -EINVAL;
	}
	ctx->alg = cryptile_find(row->opcode, row->mode, 0);
	size += crypto_shash_descsize(ctx->software);
	crypto_ahash_set_reqsize(tfm, max(size, sizeof(struct hash_part)) +
					      CRYPTILE_ALIGN);
	return 0;
}

static void exit_tfm(struct crypto_ahash *tfm)
{
	struct hash_ctx *ctx = crypto_ahash_ctx(tfm);

	crypto_free_shash(ctx->software);
	memzero_explicit(&ctx->key, sizeof(ctx->key));
}

/**
 * cryptile_fill_ahash() - what all hash functions and MACs have
 * @row: theirs, with the flags of all algorithms
 */
void cryptile_fill_ahash(struct cryptile_alg *row)
{
	struct ahash_alg *alg = &row->ahash;
	enum cryptile_state kind = cryptile_state_of(row);

	alg->halg.base.cra_ctxsize = sizeof(struct hash_ctx);
	alg->halg.statesize = kind == CRYPTILE_STATE_OWN
				      ? sizeof(struct hash_state)
				      : cryptile_state_size(kind);
	alg->init = init;
	alg->update = update;
	alg->final = final;
	alg->finup = finup;
	alg->digest = digest;
	alg->export = export;
	alg->import = import;
	alg->init_tfm = init_tfm;
	alg->exit_tfm = exit_tfm;
#ifdef CRYPTO_ALG_NO_FALLBACK
	/*
	 * A kernel with this flag puts a synchronous function beside each
	 * other one, with the same exported state. There is none for phmac,
	 * and that of cmac(aes) exports no such state.
	 */
	if (row->sealed || row->opcode == TileAes) {
		alg->halg.base.cra_flags &= ~CRYPTO_ALG_NEED_FALLBACK;
		alg->halg.base.cra_flags |= CRYPTO_ALG_NO_FALLBACK;
	}
#endif
}

#define ROW(engine, of, wrapped, name, driver, block, bytes, keyed, short_by) \
	{                                                                     \
		.type = CRYPTO_ALG_TYPE_AHASH, .opcode = (engine),            \
		.mode = (of), .sealed = (wrapped), .key_hash = (short_by),    \
		.ahash = {                                                    \
			.setkey = (keyed),                                    \
			.halg.digestsize = (bytes),                           \
			.halg.base.cra_name = (name),                         \
			.halg.base.cra_driver_name = "cryptile-" driver,      \
			.halg.base.cra_blocksize = (block),                   \
		},                                                            \
	}
#define HASH(engine, of, name, driver, block, bytes, keyed, short_by) \
	ROW(engine, of, false, name, driver, block, bytes, keyed, short_by)
#define PLAIN(engine, of, name, block, bytes) \
	HASH(engine, of, name, name, block, bytes, NULL, NULL)
#define HMAC(of, name, block, bytes)                                     \
	HASH(TileSha2, of, "hmac(" name ")", "hmac-" name, block, bytes, \
	     setkey, name)

/* With a key that nobody but the tile has. */
#define SEALED(name, of, block, bytes)                                   \
	ROW(TileSha2, of, true, "phmac(" name ")", "phmac-" name, block, \
	    bytes, setkey, NULL)

/* Name, block, digest. */
struct cryptile_alg cryptile_ahashes[] = {
	PLAIN(TileSha2, TileSha2Sha224, "sha224", 64, 28),
	PLAIN(TileSha2, TileSha2Sha256, "sha256", 64, 32),
	PLAIN(TileSha2, TileSha2Sha384, "sha384", 128, 48),
	PLAIN(TileSha2, TileSha2Sha512, "sha512", 128, 64),
	PLAIN(TileKeccak, TileKeccakSha3_224, "sha3-224", 144, 28),
	PLAIN(TileKeccak, TileKeccakSha3_256, "sha3-256", 136, 32),
	PLAIN(TileKeccak, TileKeccakSha3_384, "sha3-384", 104, 48),
	PLAIN(TileKeccak, TileKeccakSha3_512, "sha3-512", 72, 64),
	HMAC(TileSha2HmacSha224, "sha224", 64, 28),
	HMAC(TileSha2HmacSha256, "sha256", 64, 32),
	HMAC(TileSha2HmacSha384, "sha384", 128, 48),
	HMAC(TileSha2HmacSha512, "sha512", 128, 64),
	HASH(TileAes, TileAesCmac, "cmac(aes)", "cmac-aes", 16, 16, setkey,
	     NULL),
	SEALED("sha224", TileSha2HmacSha224, 64, 28),
	SEALED("sha256", TileSha2HmacSha256, 64, 32),
	SEALED("sha384", TileSha2HmacSha384, 128, 48),
	SEALED("sha512", TileSha2HmacSha512, 128, 64),
};

const unsigned int cryptile_ahash_count = ARRAY_SIZE(cryptile_ahashes);
