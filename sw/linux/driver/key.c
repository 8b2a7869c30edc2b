// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Keys: which algorithm of the tile a key is for.
 */

#include <crypto/internal/hash.h>
#include <crypto/utils.h>
#include <linux/bitfield.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "cryptile.h"
#include "regs.h"

/* In a token: it is for one job, not for a slot. */
#define ANY_SLOT 255

/* What wrapped keys are multiples of. */
#define BLOCK 16

/* The tile refuses these always, the kernel only if it was told to. */
static bool has_equal_halves(const tile_alg_t *alg, const u8 *bytes,
			     unsigned int len)
{
	return alg->family == TileXts &&
	       !crypto_memneq(bytes, bytes + len / 2, len / 2);
}

/**
 * cryptile_find() - the tile's algorithm of a mode, with a length of key
 * @opcode: the engine
 * @mode: its mode
 * @key_len: bytes of the key; of HMAC up to TileMaxKey; 0: none
 *
 * Return: the algorithm; NULL: there is none.
 */
const tile_alg_t *cryptile_find(unsigned int opcode, unsigned int mode,
				unsigned int key_len)
{
	unsigned int count, i;
	const tile_alg_t *algs = cry_tile_algs(&count);

	for (i = 0; i < count; i++) {
		const tile_alg_t *alg = &algs[i];
		bool any = alg->family == TileHmac;

		if (alg->opcode == opcode && alg->mode == mode &&
		    (any ? key_len <= TileMaxKey : key_len == alg->key_bytes))
			return alg;
	}
	return NULL;
}

/**
 * cryptile_set_key() - keep a key
 * @key: where
 * @opcode: the engine that it is for
 * @mode: its mode
 * @bytes: the key
 * @len: its length, which the kernel's algorithm has
 *
 * If the tile has no such key, nothing of it is kept.
 */
void cryptile_set_key(struct cryptile_key *key, unsigned int opcode,
		      unsigned int mode, const u8 *bytes, unsigned int len)
{
	memzero_explicit(key, sizeof(*key));
	key->alg = cryptile_find(opcode, mode, len);
	if (key->alg && has_equal_halves(key->alg, bytes, len))
		key->alg = NULL;
	if (!key->alg)
		return;
	memcpy(key->bytes, bytes, len);
	key->len = len;
	key->clear_len = len;
}

/**
 * cryptile_set_hmac_key() - keep a key of HMAC, of any length
 * @key: where
 * @opcode: the engine that it is for
 * @mode: its mode
 * @hash: the kernel's name of the hash function
 * @bytes: the key
 * @len: its length
 *
 * By definition of HMAC a key that is longer than a block is hashed. If the
 * tile has no such key, nothing of it is kept.
 *
 * Return: 0; or an error of the kernel's hash function.
 */
int cryptile_set_hmac_key(struct cryptile_key *key, unsigned int opcode,
			  unsigned int mode, const char *hash, const u8 *bytes,
			  unsigned int len)
{
	const tile_alg_t *alg = cryptile_find(opcode, mode, 0);
	struct crypto_shash *shash;
	u8 digest[HASH_MAX_DIGESTSIZE];
	int err;

	if (alg && len <= alg->block) {
		cryptile_set_key(key, opcode, mode, bytes, len);
		return 0;
	}
	shash = crypto_alloc_shash(hash, 0, 0);
	if (IS_ERR(shash))
		return PTR_ERR(shash);
	err = crypto_shash_tfm_digest(shash, bytes, len, digest);
	if (!err)
		cryptile_set_key(key, opcode, mode, digest,
				 crypto_shash_digestsize(shash));
	memzero_explicit(digest, sizeof(digest));
	crypto_free_shash(shash);
	return err;
}

/**
 * cryptile_plan() - prepare what all jobs with a key have in common
 * @key: the key, not sealed
 * @iv_len: bytes of all IVs
 * @tag_len: bytes of all tags; 0: the mode has none, and its jobs are no rows
 *
 * Saves a request most of what it takes to describe a job, and to ask whether the
 * tile has what it takes.
 */
void cryptile_plan(struct cryptile_key *key, unsigned int iv_len,
		   unsigned int tag_len)
{
	struct cryptile *tile;
	unsigned int i;

	key->planned = false;
	if (!key->alg)
		return;
	rcu_read_lock();
	tile = cryptile_look();
	for (i = 0; tile && i < ARRAY_SIZE(key->plans); i++) {
		tile_job_t desc = {
			.decrypt = i,
			.row = tag_len,
			.tag_len = tag_len,
			.iv_len = iv_len,
			.len = BLOCK,
			/* There is one: the queue says where. */
			.key = 1,
			.key_bytes = key->len,
			.slot = TileNoSlot,
			.unwrap_slot = TileNoSlot,
		};

		if (cry_tile_complete(key->alg, 0, &desc) != CRYPTILE_OK ||
		    cry_tile_session(&key->plans[i], &desc) != CRYPTILE_OK ||
		    !cryptile_has(tile, key->alg, &key->plans[i].entries[0],
				  i && cry_tile_makes_output(key->alg)))
			break;
	}
	key->planned = i == ARRAY_SIZE(key->plans);
	rcu_read_unlock();
}

/**
 * cryptile_set_token() - keep a sealed key
 * @key: where
 * @opcode: the engine that it is for
 * @mode: its mode
 * @bytes: the token
 * @len: its length
 *
 * Whether it is genuine, and what it may be used for, the tile finds out with
 * each job; which length its key has is said where all can read it.
 *
 * Return: 0; -EINVAL: this is no token for one job.
 */
int cryptile_set_token(struct cryptile_key *key, unsigned int opcode,
		       unsigned int mode, const u8 *bytes, unsigned int len)
{
	tile_wrap_aad_attributes_t attributes;
	tile_wrap_aad_policy_t policy;
	unsigned int key_len;

	memzero_explicit(key, sizeof(*key));
	if (len < CRYPTILE_TOKEN_LEAST || len > CRYPTILE_TOKEN_MOST)
		return -EINVAL;
	attributes = tile_wrap_aad_attributes_decode(get_unaligned_le64(
		bytes + TileWrapAadAttributes * sizeof(u64)));
	policy = tile_wrap_aad_policy_decode(
		get_unaligned_le64(bytes + TileWrapAadPolicy * sizeof(u64)));
	key_len = FIELD_GET(TILE_SLOT__POLICY__KEY_BYTES_bm, policy.policy);
	if (attributes.slot != ANY_SLOT ||
	    len != CRYPTILE_TOKEN(round_up(key_len, BLOCK)))
		return -EINVAL;
	key->alg = cryptile_find(opcode, mode, key_len);
	if (!key->alg)
		return -EINVAL;
	memcpy(key->bytes, bytes, len);
	key->len = len;
	key->clear_len = key_len;
	key->sealed = true;
	return 0;
}
