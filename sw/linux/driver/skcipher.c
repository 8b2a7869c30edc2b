// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Ciphers without a tag.
 */

#include <crypto/aes.h>
#include <crypto/chacha.h>
#include <crypto/scatterwalk.h>
#include <crypto/xts.h>
#include <linux/unaligned.h>

#include "cryptile.h"

struct cipher_ctx {
	struct cryptile_key key;
	struct crypto_skcipher *software;
};

struct cipher_request {
	struct cryptile_job job;
	bool decrypt;
	u8 next_iv[AES_BLOCK_SIZE];
	union {
		struct cryptile_area area;
		struct skcipher_request software;
	};
};

static const struct cryptile_alg *row_of(struct crypto_skcipher *tfm)
{
	return container_of_const(crypto_skcipher_alg(tfm), struct cryptile_alg,
				  skcipher);
}

static struct cipher_request *part_of(struct skcipher_request *req)
{
	return cryptile_align(skcipher_request_ctx(req));
}

static bool is_aes(const struct cryptile_alg *row, unsigned int mode)
{
	return row->opcode == TileAes && row->mode == mode;
}

static int setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int len)
{
	const struct cryptile_alg *row = row_of(tfm);
	struct cipher_ctx *ctx = crypto_skcipher_ctx(tfm);
	int err;

	if (row->sealed)
		return cryptile_set_token(&ctx->key, row->opcode, row->mode,
					  key, len);
	if (is_aes(row, TileAesXts)) {
		err = xts_verify_key(tfm, key, len);
		if (err)
			return err;
	}
	crypto_skcipher_clear_flags(ctx->software, CRYPTO_TFM_REQ_MASK);
	crypto_skcipher_set_flags(ctx->software,
				  crypto_skcipher_get_flags(tfm) &
					  CRYPTO_TFM_REQ_MASK);
	/* Software knows which lengths there are. */
	err = crypto_skcipher_setkey(ctx->software, key, len);
	if (err)
		return err;
	cryptile_set_key(&ctx->key, row->opcode, row->mode, key, len);
	cryptile_plan(&ctx->key, crypto_skcipher_ivsize(tfm), 0);
	return 0;
}

static int to_software(struct skcipher_request *req, bool decrypt)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
	struct cipher_ctx *ctx = crypto_skcipher_ctx(tfm);
	struct skcipher_request *other = &part_of(req)->software;

	skcipher_request_set_tfm(other, ctx->software);
	skcipher_request_set_callback(other, skcipher_request_flags(req), NULL,
				      NULL);
	skcipher_request_set_crypt(other, req->src, req->dst, req->cryptlen,
				   req->iv);
	return decrypt ? crypto_skcipher_decrypt(other)
		       : crypto_skcipher_encrypt(other);
}

/* Adds to a number of 128 bits, most significant byte first. */
static void add_be128(u8 *number, u64 addend)
{
	u64 low = get_unaligned_be64(number + 8);

	put_unaligned_be64(low + addend, number + 8);
	if (low + addend < low)
		put_unaligned_be64(get_unaligned_be64(number) + 1, number);
}

/* The IV that continues the message, as far as it can be known before. */
static void prepare_next_iv(struct skcipher_request *req, bool decrypt)
{
	const struct cryptile_alg *row = row_of(crypto_skcipher_reqtfm(req));
	u8 *next = part_of(req)->next_iv;

	if (is_aes(row, TileAesCtr)) {
		memcpy(next, req->iv, AES_BLOCK_SIZE);
		add_be128(next, DIV_ROUND_UP(req->cryptlen, AES_BLOCK_SIZE));
	} else if (is_aes(row, TileAesCbc) && decrypt) {
		scatterwalk_map_and_copy(next, req->src,
					 req->cryptlen - AES_BLOCK_SIZE,
					 AES_BLOCK_SIZE, 0);
	}
}

static void give_next_iv(struct skcipher_request *req, bool decrypt)
{
	const struct cryptile_alg *row = row_of(crypto_skcipher_reqtfm(req));

	if (is_aes(row, TileAesCbc) && !decrypt)
		scatterwalk_map_and_copy(req->iv, req->dst,
					 req->cryptlen - AES_BLOCK_SIZE,
					 AES_BLOCK_SIZE, 0);
	else if (is_aes(row, TileAesCtr) || is_aes(row, TileAesCbc))
		memcpy(req->iv, part_of(req)->next_iv, AES_BLOCK_SIZE);
}

static int finish(struct cryptile_job *job, int err)
{
	struct skcipher_request *req = skcipher_request_cast(job->base);

	cryptile_job_end(job);
	if (!err)
		give_next_iv(req, part_of(req)->decrypt);
	return err;
}

/* The engine ends where the RFC's counter of 32 bits does; software goes on. */
static bool counter_passes(const struct skcipher_request *req)
{
	u64 blocks = DIV_ROUND_UP(req->cryptlen, CHACHA_BLOCK_SIZE);

	return get_unaligned_le32(req->iv) + blocks > U32_MAX;
}

static int run(struct skcipher_request *req, bool decrypt)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
	struct cipher_ctx *ctx = crypto_skcipher_ctx(tfm);
	struct cipher_request *part = part_of(req);
	struct cryptile_job *job = &part->job;
	tile_job_t desc = { .decrypt = decrypt, .len = req->cryptlen };
	int err;

	job->tile = NULL;
	err = cryptile_job_suits(&ctx->key, req->cryptlen);
	if (err)
		return err;
	if (ctx->key.alg->opcode == TileChaCha20Poly1305 && counter_passes(req))
		return CRYPTILE_TO_SOFTWARE(LENGTH);
	err = cryptile_job_begin(job, &req->base, &part->area,
				 sizeof(part->area), finish);
	if (err)
		return err;
	job->brief = true;
	err = cryptile_job_map(job, req->src, req->cryptlen, req->dst,
			       req->cryptlen, false);
	if (err)
		return err;
	prepare_next_iv(req, decrypt);
	part->decrypt = decrypt;
	if (cryptile_job_is_plain(job, &ctx->key)) {
		tile_place_t place = { .len = req->cryptlen };

		memcpy(place.iv, req->iv, crypto_skcipher_ivsize(tfm));
		return cryptile_job_run_plain(job, &ctx->key, decrypt, &place);
	}
	err = cryptile_message_address(job, 0, req->src == req->dst, &desc);
	if (err)
		return err;
	desc.iv_len = crypto_skcipher_ivsize(tfm);
	memcpy(desc.iv, req->iv, desc.iv_len);
	return cryptile_job_run(job, ctx->key.alg, &ctx->key, &desc);
}

static int crypt(struct skcipher_request *req, bool decrypt)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
	const struct cryptile_alg *row = row_of(tfm);
	struct cryptile_job *job = &part_of(req)->job;
	int err;

	if (is_aes(row, TileAesXts) && req->cryptlen < XTS_BLOCK_SIZE)
		return -EINVAL;
	if (!is_aes(row, TileAesXts) &&
	    req->cryptlen % crypto_skcipher_blocksize(tfm))
		return -EINVAL;
	if (!req->cryptlen)
		return 0;
	rcu_read_lock();
	err = run(req, decrypt);
	/* One that is pending is no longer this function's. */
	if (!cryptile_is_pending(err))
		cryptile_job_end(job);
	rcu_read_unlock();
	if (cryptile_to_software(job, err))
		return row->sealed ? cryptile_refused(err)
				   : to_software(req, decrypt);
	if (!err)
		give_next_iv(req, decrypt);
	return err;
}

static int encrypt(struct skcipher_request *req)
{
	return crypt(req, false);
}

static int decrypt(struct skcipher_request *req)
{
	return crypt(req, true);
}

static int init_tfm(struct crypto_skcipher *tfm)
{
	struct cipher_ctx *ctx = crypto_skcipher_ctx(tfm);
	const char *name = crypto_tfm_alg_name(crypto_skcipher_tfm(tfm));
	size_t size = offsetof(struct cipher_request, software) +
		      sizeof(struct skcipher_request);

	if (row_of(tfm)->sealed) {
		crypto_skcipher_set_reqsize(tfm, sizeof(struct cipher_request) +
							 CRYPTILE_ALIGN);
		return 0;
	}
	ctx->software = crypto_alloc_skcipher(name, 0,
					      CRYPTO_ALG_ASYNC |
						      CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->software))
		return PTR_ERR(ctx->software);
	size += crypto_skcipher_reqsize(ctx->software);
	crypto_skcipher_set_reqsize(tfm,
				    max(size, sizeof(struct cipher_request)) +
					    CRYPTILE_ALIGN);
	return 0;
}

static void exit_tfm(struct crypto_skcipher *tfm)
{
	struct cipher_ctx *ctx = crypto_skcipher_ctx(tfm);

	crypto_free_skcipher(ctx->software);
	memzero_explicit(&ctx->key, sizeof(ctx->key));
}

/**
 * cryptile_fill_skcipher() - what all ciphers have
 * @alg: a row's
 */
void cryptile_fill_skcipher(struct skcipher_alg *alg)
{
	alg->base.cra_ctxsize = sizeof(struct cipher_ctx);
	alg->setkey = setkey;
	alg->encrypt = encrypt;
	alg->decrypt = decrypt;
	alg->init = init_tfm;
	alg->exit = exit_tfm;
}

#define ROW(engine, of, wrapped, name, driver, block, chunk, iv, least, most) \
	{                                                                     \
		.type = CRYPTO_ALG_TYPE_SKCIPHER, .opcode = (engine),         \
		.mode = (of), .sealed = (wrapped),                            \
		.skcipher = {                                                 \
			.base.cra_name = (name),                              \
			.base.cra_driver_name = "cryptile-" driver,           \
			.base.cra_blocksize = (block),                        \
			.chunksize = (chunk),                                 \
			.ivsize = (iv),                                       \
			.min_keysize = (least),                               \
			.max_keysize = (most),                                \
		},                                                            \
	}

#define CIPHER(engine, of, name, driver, block, chunk, iv, least, most) \
	ROW(engine, of, false, name, driver, block, chunk, iv, least, most)

/* Of AES, with a key that nobody but the tile has. */
#define SEALED(name, driver, of, block, iv)                 \
	ROW(TileAes, of, true, name, driver, block, 16, iv, \
	    CRYPTILE_TOKEN_LEAST, CRYPTILE_TOKEN_MOST)

/* Name, driver, block, chunk, IV, shortest and longest key. */
struct cryptile_alg cryptile_skciphers[] = {
	CIPHER(TileAes, TileAesEcb, "ecb(aes)", "ecb-aes", 16, 16, 0, 16, 32),
	CIPHER(TileAes, TileAesCbc, "cbc(aes)", "cbc-aes", 16, 16, 16, 16, 32),
	CIPHER(TileAes, TileAesCtr, "ctr(aes)", "ctr-aes", 1, 16, 16, 16, 32),
	CIPHER(TileAes, TileAesXts, "xts(aes)", "xts-aes", 16, 16, 16, 32, 64),
	CIPHER(TileChaCha20Poly1305, TileChaCha20Poly1305Chacha20, "chacha20",
	       "chacha20", 1, 64, 16, 32, 32),
	SEALED("ecb(paes)", "ecb-paes", TileAesEcb, 16, 0),
	SEALED("cbc(paes)", "cbc-paes", TileAesCbc, 16, 16),
	SEALED("ctr(paes)", "ctr-paes", TileAesCtr, 1, 16),
	SEALED("xts(paes)", "xts-paes", TileAesXts, 16, 16),
};

const unsigned int cryptile_skcipher_count = ARRAY_SIZE(cryptile_skciphers);
