// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * What software exports of a hash function, and the tile's saved context: the
 * same values, in another order. The engines' READMEs have the contexts.
 */

#include <crypto/sha2.h>
#include <crypto/sha3.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "cryptile.h"
#include "hashstate.h"

/* From a kernel with this flag on, software exports other structures. */
#ifndef CRYPTO_ALG_NO_FALLBACK

static_assert(sizeof(struct sha3_state) <= CRYPTILE_STATE_MOST);

#define SHA2_WORDS 8

/* Where the words a, b, ... of SHA-2's chaining value lie in the context. */
static const u8 places[SHA2_WORDS] = { 6, 4, 2, 0, 7, 5, 3, 1 };

/* Behind these, the bytes so far. */
#define SHA2_BYTES SHA2_WORDS

/* A message that claims to be longer is for software, which counts further. */
#define SHA2_MOST BIT_ULL(60)

/* Of SHA-256, a word's place in its 64 bits. */
#define UPPER 32

static u64 word_of(const u8 *context, unsigned int place)
{
	return get_unaligned_le64(context + place * sizeof(u64));
}

static void put_word(u8 *context, unsigned int place, u64 word)
{
	put_unaligned_le64(word, context + place * sizeof(u64));
}

/**
 * cryptile_state_of() - how software exports an algorithm's state
 * @row: the algorithm
 */
enum cryptile_state cryptile_state_of(const struct cryptile_alg *row)
{
	if (row->sealed || row->opcode == TileAes)
		return CRYPTILE_STATE_OWN;
	if (row->opcode == TileKeccak)
		return CRYPTILE_STATE_SHA3;
	return row->ahash.halg.base.cra_blocksize == SHA256_BLOCK_SIZE
		       ? CRYPTILE_STATE_SHA256
		       : CRYPTILE_STATE_SHA512;
}

/**
 * cryptile_state_size() - bytes of what software exports
 * @state: how
 */
unsigned int cryptile_state_size(enum cryptile_state state)
{
	switch (state) {
	case CRYPTILE_STATE_SHA256:
		return sizeof(struct sha256_state);
	case CRYPTILE_STATE_SHA512:
		return sizeof(struct sha512_state);
	case CRYPTILE_STATE_SHA3:
		return sizeof(struct sha3_state);
	default:
		return 0;
	}
}

/**
 * cryptile_state_put() - write a context over a message's state
 * @state: how software exports it
 * @to: what it has exported of the same algorithm's beginning
 * @context: what the tile has saved, behind whole blocks
 */
void cryptile_state_put(enum cryptile_state state, void *to, const u8 *context)
{
	struct sha256_state *sha256 = to;
	struct sha512_state *sha512 = to;
	struct sha3_state *sha3 = to;
	unsigned int i;

	if (state == CRYPTILE_STATE_SHA3) {
		for (i = 0; i < ARRAY_SIZE(sha3->st); i++)
			sha3->st[i] = word_of(context, i);
		return;
	}
	for (i = 0; i < SHA2_WORDS; i++) {
		u64 word = word_of(context, places[i]);

		if (state == CRYPTILE_STATE_SHA256)
			sha256->state[i] = word >> UPPER;
		else
			sha512->state[i] = word;
	}
	if (state == CRYPTILE_STATE_SHA256)
		sha256->count = word_of(context, SHA2_BYTES);
	else
		sha512->count[0] = word_of(context, SHA2_BYTES);
}

/**
 * cryptile_state_get() - make a context of a message's state
 * @state: how software exports it
 * @from: what it has exported
 * @block: bytes of the algorithm's block
 * @context: for the tile
 * @buffer: for what is not a whole block yet
 *
 * Return: bytes in @buffer; -EINVAL: no message has such a state; -EFBIG: one
 * has that is too long for the tile.
 */
int cryptile_state_get(enum cryptile_state state, const void *from,
		       unsigned int block, u8 *context, u8 *buffer)
{
	const struct sha256_state *sha256 = from;
	const struct sha512_state *sha512 = from;
	const struct sha3_state *sha3 = from;
	unsigned int i, fill;
	u64 count;

	memset(context, 0, TileContextBytes);
	if (state == CRYPTILE_STATE_SHA3) {
		fill = sha3->partial;
		/* Software believes them. */
		if (fill >= block || sha3->rsiz != block ||
		    sha3->rsizw != block / sizeof(u64))
			return -EINVAL;
		for (i = 0; i < ARRAY_SIZE(sha3->st); i++)
			put_word(context, i, sha3->st[i]);
		memcpy(buffer, sha3->buf, fill);
		return fill;
	}
	count = state == CRYPTILE_STATE_SHA256 ? sha256->count
					       : sha512->count[0];
	if (count > SHA2_MOST ||
	    (state == CRYPTILE_STATE_SHA512 && sha512->count[1]))
		return -EFBIG;
	for (i = 0; i < SHA2_WORDS; i++)
		put_word(context, places[i],
			 state == CRYPTILE_STATE_SHA256
				 ? (u64)sha256->state[i] << UPPER
				 : sha512->state[i]);
	fill = count & (block - 1);
	put_word(context, SHA2_BYTES, count - fill);
	memcpy(buffer,
	       state == CRYPTILE_STATE_SHA256 ? sha256->buf : sha512->buf,
	       fill);
	return fill;
}

#else

enum cryptile_state cryptile_state_of(const struct cryptile_alg *row)
{
	return CRYPTILE_STATE_OWN;
}

unsigned int cryptile_state_size(enum cryptile_state state)
{
	return 0;
}

void cryptile_state_put(enum cryptile_state state, void *to, const u8 *context)
{
}

int cryptile_state_get(enum cryptile_state state, const void *from,
		       unsigned int block, u8 *context, u8 *buffer)
{
	return -EINVAL;
}

#endif
