// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Ciphers with a tag. The tile takes associated data, message and tag in a row,
 * as requests have them. Where the associated data ends with the IV (IPsec),
 * that is left out of the row.
 */

#include <crypto/aes.h>
#include <crypto/gcm.h>
#include <linux/module.h>
#include <linux/scatterlist.h>

#include "aead.h"

/* At the end of the associated data, of requests from IPsec. */
#define IPSEC_IV 8

/* Of CCM the length of the nonce is each request's. */
static void plan(struct crypto_aead *tfm)
{
	const struct cryptile_alg *row = row_of(tfm);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);

	if (row->hmac)
		cryptile_plan(&ctx->key, crypto_aead_ivsize(tfm), 0);
	else if (row->opcode != TileAes || row->mode != TileAesCcm)
		cryptile_plan(&ctx->key, GCM_AES_IV_SIZE,
			      crypto_aead_authsize(ctx->software));
}

static int setkey(struct crypto_aead *tfm, const u8 *key, unsigned int len)
{
	const struct cryptile_alg *row = row_of(tfm);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	int err;

	crypto_aead_clear_flags(ctx->software, CRYPTO_TFM_REQ_MASK);
	crypto_aead_set_flags(ctx->software,
			      crypto_aead_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
	/* Software knows which lengths there are: none without a salt's. */
	err = crypto_aead_setkey(ctx->software, key, len);
	if (err)
		return err;
	if (row->hmac) {
		err = cryptile_authenc_setkey(tfm, key, len);
	} else {
		len -= row->salt;
		memcpy(ctx->salt, key + len, row->salt);
		cryptile_set_key(&ctx->key, row->opcode, row->mode, key, len);
	}
	plan(tfm);
	return err;
}

/* Software knows which lengths there are. */
static int setauthsize(struct crypto_aead *tfm, unsigned int size)
{
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	int err = crypto_aead_setauthsize(ctx->software, size);

	if (!err)
		plan(tfm);
	return err;
}

/**
 * cryptile_aead_software() - compute a request in software
 * @req: the request, of which no job is under way
 *
 * Return: what it ends with.
 */
int cryptile_aead_software(struct aead_request *req)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	struct aead_request *other = &part_of(req)->software;

	aead_request_set_tfm(other, ctx->software);
	aead_request_set_callback(other, aead_request_flags(req), NULL, NULL);
	aead_request_set_crypt(other, req->src, req->dst, req->cryptlen,
			       req->iv);
	aead_request_set_ad(other, req->assoclen);
	return part_of(req)->decrypt ? crypto_aead_decrypt(other)
				     : crypto_aead_encrypt(other);
}

/*
 * Of a wrong tag the tile has wiped the plaintext before it told; of other
 * errors some may be there that no tag was checked for.
 */
static int wipe(struct aead_request *req, int err)
{
	unsigned int tag = crypto_aead_authsize(crypto_aead_reqtfm(req));

	if (err && err != -EBADMSG && part_of(req)->decrypt)
		sg_zero_buffer(req->dst, sg_nents(req->dst),
			       req->cryptlen - tag, req->assoclen);
	return err;
}

static int finish(struct cryptile_job *job, int err)
{
	cryptile_job_end(job);
	return wipe(container_of(job->base, struct aead_request, base), err);
}

/* RFC 3610: the first byte of CCM's IV tells the bytes of the length. */
static bool is_good_iv(const struct aead_request *req,
		       const struct cryptile_alg *row)
{
	return row->opcode != TileAes || row->mode != TileAesCcm ||
	       (req->iv[0] >= 1 && req->iv[0] <= 7);
}

/* The nonce as the tile's algorithm has it, from IV and salt of the kernel's. */
static void set_nonce(const struct aead_request *req,
		      const struct cryptile_alg *row,
		      const struct aead_ctx *ctx, tile_job_t *desc)
{
	if (row->opcode == TileAes && row->mode == TileAesCcm) {
		desc->iv_len = 14 - req->iv[0];
		memcpy(desc->iv, req->iv + 1, desc->iv_len);
		return;
	}
	desc->iv_len = GCM_AES_IV_SIZE;
	memcpy(desc->iv, ctx->salt, row->salt);
	memcpy(desc->iv + row->salt, req->iv, desc->iv_len - row->salt);
}

/* Of a request that is mapped, and has pieces. */
static int run_pieces(struct aead_request *req, unsigned int len,
		      unsigned int out)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	const struct cryptile_alg *row = row_of(tfm);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	struct aead_part *part = part_of(req);
	struct cryptile_job *job = &part->job;
	struct cryptile_area *area = &part->area.common;
	struct cryptile_pieces src = { .list = area->src };
	struct cryptile_pieces dst = { .list = area->dst };
	unsigned int aad = req->assoclen - (row->salt ? IPSEC_IV : 0);
	bool in_place = req->src == req->dst;
	tile_job_t desc = {
		.decrypt = part->decrypt,
		.row = true,
		.len = len,
		.aad_len = aad,
		.tag_len = crypto_aead_authsize(tfm),
	};
	int err;

	set_nonce(req, row, ctx, &desc);
	cryptile_add_mapped(&src, &job->src, 0, aad);
	cryptile_add_mapped(&src, &job->src, req->assoclen,
			    in_place ? max(req->cryptlen, out) : req->cryptlen);
	err = cryptile_pieces_address(job, &src, &desc.src, &desc.src_list);
	if (err)
		return err;
	desc.dst = desc.src;
	desc.dst_list = desc.src_list;
	if (!in_place) {
		cryptile_add_mapped(&dst, &job->dst, 0, aad);
		cryptile_add_mapped(&dst, &job->dst, req->assoclen, out);
		err = cryptile_pieces_address(job, &dst, &desc.dst,
					      &desc.dst_list);
		if (err)
			return err;
	}
	return cryptile_job_run(job, ctx->key.alg, &ctx->key, &desc);
}

static int run(struct aead_request *req)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	const struct cryptile_alg *row = row_of(tfm);
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	struct aead_part *part = part_of(req);
	struct cryptile_job *job = &part->job;
	struct cryptile_area *area = &part->area.common;
	unsigned int tag = crypto_aead_authsize(tfm);
	unsigned int len = req->cryptlen - (part->decrypt ? tag : 0);
	unsigned int out = len + (part->decrypt ? 0 : tag);
	tile_place_t place = { .len = len, .aad_len = req->assoclen };
	int err;

	if (!is_good_iv(req, row))
		return -EINVAL;
	err = cryptile_job_suits(&ctx->key, len);
	if (err)
		return err;
	err = cryptile_job_begin(job, &req->base, area, sizeof(*area), finish);
	if (err)
		return err;
	job->brief = true;
	err = cryptile_job_map(job, req->src, req->assoclen + req->cryptlen,
			       req->dst, req->assoclen + out, false);
	if (err)
		return err;
	/* IPsec's IV lies amidst what else is in a row. */
	if (row->salt || !cryptile_job_is_plain(job, &ctx->key))
		return run_pieces(req, len, out);
	memcpy(place.iv, req->iv, GCM_AES_IV_SIZE);
	return cryptile_job_run_plain(job, &ctx->key, part->decrypt, &place);
}

static int crypt(struct aead_request *req, bool decrypt)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	struct aead_part *part = part_of(req);
	struct cryptile_job *job = &part->job;
	bool started = false;
	int err;

	if (decrypt && req->cryptlen < crypto_aead_authsize(tfm))
		return -EINVAL;
	if (row_of(tfm)->salt) {
		err = crypto_ipsec_check_assoclen(req->assoclen);
		if (err)
			return err;
	}
	part->decrypt = decrypt;
	job->tile = NULL;
	if (row_of(tfm)->hmac) {
		err = cryptile_authenc_run(req);
		if (cryptile_to_software(job, err))
			return cryptile_aead_software(req);
		return cryptile_is_pending(err) || !job->tile
			       ? err
			       : job->finish(job, err);
	}
	rcu_read_lock();
	err = run(req);
	/* One that is pending is no longer this function's. */
	if (!cryptile_is_pending(err)) {
		started = job->tile;
		cryptile_job_end(job);
	}
	rcu_read_unlock();
	if (cryptile_to_software(job, err))
		return cryptile_aead_software(req);
	return started ? wipe(req, err) : err;
}

static int encrypt(struct aead_request *req)
{
	return crypt(req, false);
}

static int decrypt(struct aead_request *req)
{
	return crypt(req, true);
}

static int init_tfm(struct crypto_aead *tfm)
{
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);
	const char *name = crypto_tfm_alg_name(crypto_aead_tfm(tfm));
	size_t size = offsetof(struct aead_part, software) +
		      sizeof(struct aead_request);

	ctx->software =
		crypto_alloc_aead(name, 0,
				  CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->software))
		return PTR_ERR(ctx->software);
	size += crypto_aead_reqsize(ctx->software);
	crypto_aead_set_reqsize(tfm, max(size, sizeof(struct aead_part)) +
					     CRYPTILE_ALIGN);
	return 0;
}

static void exit_tfm(struct crypto_aead *tfm)
{
	struct aead_ctx *ctx = crypto_aead_ctx(tfm);

	crypto_free_aead(ctx->software);
	memzero_explicit(ctx, sizeof(*ctx));
}

/**
 * cryptile_fill_aead() - what all AEADs have
 * @alg: a row's
 */
void cryptile_fill_aead(struct aead_alg *alg)
{
	alg->base.cra_ctxsize = sizeof(struct aead_ctx);
	alg->setkey = setkey;
	alg->setauthsize = setauthsize;
	alg->encrypt = encrypt;
	alg->decrypt = decrypt;
	alg->init = init_tfm;
	alg->exit = exit_tfm;
}

#define ROW(engine, of, name, driver, block, chunk, iv, tag, ...)   \
	{                                                           \
		.type = CRYPTO_ALG_TYPE_AEAD, .opcode = (engine),   \
		.mode = (of), __VA_ARGS__,                          \
		.aead = {                                           \
			.base.cra_blocksize = (block),              \
			.maxauthsize = (tag),                       \
			.base.cra_name = (name),                    \
			.base.cra_driver_name = "cryptile-" driver, \
			.chunksize = (chunk),                       \
			.ivsize = (iv),                             \
		},                                                  \
	}

#define AEAD(engine, of, name, driver, chunk, iv, salted) \
	ROW(engine, of, name, driver, 1, chunk, iv, 16, .salt = (salted))

/* AES-CBC, then HMAC of associated data and ciphertext. */
#define AUTHENC(of, hash, tag)                                               \
	ROW(TileAes, TileAesCbc, "authenc(hmac(" hash "),cbc(aes))",         \
	    "authenc-hmac-" hash "-cbc-aes", AES_BLOCK_SIZE, AES_BLOCK_SIZE, \
	    AES_BLOCK_SIZE, tag, .hmac_opcode = TileSha2, .hmac = (of),      \
	    .key_hash = (hash))

/* Name, driver, chunk, IV, salt. */
struct cryptile_alg cryptile_aeads[] = {
	AEAD(TileAes, TileAesGcm, "gcm(aes)", "gcm-aes", 16, 12, 0),
	AEAD(TileAes, TileAesGcm, "rfc4106(gcm(aes))", "rfc4106-gcm-aes", 16,
	     IPSEC_IV, MAX_SALT),
	AEAD(TileAes, TileAesCcm, "ccm(aes)", "ccm-aes", 16, 16, 0),
	AEAD(TileChaCha20Poly1305, TileChaCha20Poly1305Chacha20Poly1305,
	     "rfc7539(chacha20,poly1305)", "rfc7539-chacha20-poly1305", 64, 12,
	     0),
	AUTHENC(TileSha2HmacSha256, "sha256", 32),
	AUTHENC(TileSha2HmacSha384, "sha384", 48),
	AUTHENC(TileSha2HmacSha512, "sha512", 64),
};

const unsigned int cryptile_aead_count = ARRAY_SIZE(cryptile_aeads);

/* Software beside all that is registered: most of it is parts of these. */
MODULE_SOFTDEP("pre: xts gcm ghash-generic ccm cmac authenc chacha20poly1305 "
	       "chacha_generic poly1305_generic");
