// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Encrypt-then-MAC, as IPsec has it: a cipher in whole blocks, and HMAC of
 * associated data and ciphertext. Two jobs, one behind the other, with the request's memory mapped
 * once. Of a message that comes in the code is compared first, by the tile:
 * nothing is decrypted if it is wrong.
 */

#include <crypto/authenc.h>
#include <crypto/scatterwalk.h>

#include "aead.h"

/* Shorter tags are for software, whose rules there are none of. */
#define LEAST_TAG 4

/**
 * cryptile_authenc_setkey() - keep both keys
 * @tfm: the transform
 * @key: both, as the kernel's templates pack them, known to be right
 * @len: its length
 *
 * Return: 0 or an error.
 */
int cryptile_authenc_setkey(struct crypto_aead *tfm, const u8 *key,
			    unsigned int len)
{
	const struct cryptile_alg *row = row_of(tfm);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	struct crypto_authenc_keys keys;
	int err = crypto_authenc_extractkeys(&keys, key, len);

	if (err)
		return err;
	cryptile_set_key(&ctx->key, row->opcode, row->mode, keys.enckey,
			 keys.enckeylen);
	err = cryptile_set_hmac_key(&ctx->mac, row->hmac_opcode, row->hmac,
				    row->key_hash, keys.authkey,
				    keys.authkeylen);
	memzero_explicit(&keys, sizeof(keys));
	return err;
}

/* Bytes of the message, without the tag. */
static unsigned int message_len(struct aead_request *req)
{
	unsigned int tag = crypto_aead_authsize(crypto_aead_reqtfm(req));

	return req->cryptlen - (part_of(req)->decrypt ? tag : 0);
}

static int run_cipher(struct aead_request *req)
{
	struct aead_ctx *ctx = crypto_aead_ctx(crypto_aead_reqtfm(req));
	struct aead_part *part = part_of(req);
	struct cryptile_job *job = &part->job;
	tile_job_t desc = {
		.decrypt = part->decrypt,
		.len = message_len(req),
		.iv_len = crypto_aead_ivsize(crypto_aead_reqtfm(req)),
	};
	int err;

	err = cryptile_message_address(job, req->assoclen, req->src == req->dst,
				       &desc);
	if (err)
		return err;
	memcpy(desc.iv, req->iv, desc.iv_len);
	return cryptile_job_run(job, ctx->key.alg, &ctx->key, &desc);
}

static int run_hmac(struct aead_request *req)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	struct aead_part *part = part_of(req);
	struct cryptile_job *job = &part->job;
	struct cryptile_pieces src = { .list = part->area.common.src };
	unsigned int len = message_len(req);
	bool other = !part->decrypt && req->src != req->dst;
	tile_job_t desc = {
		.decrypt = part->decrypt,
		.len = req->assoclen + len,
		.tag = cryptile_address(job, part->area.tag),
		.tag_len = crypto_aead_authsize(tfm),
	};
	int err;

	cryptile_add_mapped(&src, &job->src, 0, req->assoclen);
	cryptile_add_mapped(&src, other ? &job->dst : &job->src, req->assoclen,
			    len);
	err = cryptile_pieces_address(job, &src, &desc.src, &desc.src_list);
	if (err)
		return err;
	return cryptile_job_run(job, ctx->mac.alg, &ctx->mac, &desc);
}

/* The half that is due: the code is compared first, or made last. */
static int run_half(struct aead_request *req)
{
	const struct aead_part *part = part_of(req);

	return part->second == part->decrypt ? run_cipher(req) : run_hmac(req);
}

static int finish(struct cryptile_job *job, int err)
{
	struct aead_request *req =
		container_of(job->base, struct aead_request, base);
	struct aead_part *part = part_of(req);
	unsigned int len = message_len(req);

	if (!err && !part->second && len) {
		part->second = true;
		/* Whoever has polled was told nothing yet. */
		cryptile_job_next(job, !job->polled);
		err = run_half(req);
		if (cryptile_is_pending(err))
			return err;
		/* Of decryption nothing has been written. This may be softirq. */
		if (part->decrypt && cryptile_to_software(job, err)) {
			req->base.flags &= ~CRYPTO_TFM_REQ_MAY_SLEEP;
			return cryptile_aead_software(req);
		}
		if (err < -MAX_ERRNO)
			err = -EIO;
	}
	cryptile_job_end(job);
	if (!err && !part->decrypt)
		scatterwalk_map_and_copy(part->area.tag, req->dst,
					 req->assoclen + len,
					 crypto_aead_authsize(
						 crypto_aead_reqtfm(req)),
					 1);
	return err;
}

/**
 * cryptile_authenc_run() - begin with a request
 * @req: the request
 *
 * Return: as cryptile_job_run().
 */
int cryptile_authenc_run(struct aead_request *req)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	struct aead_part *part = part_of(req);
	struct cryptile_job *job = &part->job;
	unsigned int tag = crypto_aead_authsize(tfm), len = message_len(req);
	unsigned int both = req->assoclen + len;
	int err;

	err = cryptile_job_suits(&ctx->key, len);
	if (!err)
		err = cryptile_job_suits(&ctx->mac, len);
	if (err)
		return err;
	if (tag < LEAST_TAG || len % crypto_aead_blocksize(tfm))
		return CRYPTILE_TO_SOFTWARE(LENGTH);
	err = cryptile_job_start(job, &req->base, &part->area.common,
				 sizeof(part->area), finish);
	if (!err)
		err = cryptile_job_area(job);
	if (!err)
		err = cryptile_job_map(job, req->src,
				       req->assoclen + req->cryptlen, req->dst,
				       part->decrypt ? both : both + tag, true);
	if (err)
		return err;
	/* The code is of the associated data here and the ciphertext there. */
	if (job->src.nents + job->dst.nents > CRYPTILE_PIECES)
		return CRYPTILE_TO_SOFTWARE(PIECES);
	if (part->decrypt)
		scatterwalk_map_and_copy(part->area.tag, req->src, both, tag,
					 0);
	/* Of an empty message there is the code alone. */
	part->second = !part->decrypt && !len;
	return run_half(req);
}
