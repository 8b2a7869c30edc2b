// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Registers what the tables of algorithms name and the tile was built with.
 */

#include <linux/module.h>

#include "cryptile.h"

static const struct {
	struct cryptile_alg *rows;
	const unsigned int *count;
} tables[] = {
	{ cryptile_skciphers, &cryptile_skcipher_count },
	{ cryptile_aeads, &cryptile_aead_count },
	{ cryptile_ahashes, &cryptile_ahash_count },
};

/* What all of them have. */
static void fill(const struct cryptile_alg *row, struct crypto_alg *base)
{
	base->cra_priority = CRYPTILE_PRIORITY;
	base->cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_KERN_DRIVER_ONLY |
			  (row->sealed ? 0 : CRYPTO_ALG_NEED_FALLBACK);
	base->cra_module = THIS_MODULE;
}

static int add(struct cryptile_alg *row)
{
	switch (row->type) {
	case CRYPTO_ALG_TYPE_SKCIPHER:
		fill(row, &row->skcipher.base);
		cryptile_fill_skcipher(&row->skcipher);
		return crypto_register_skcipher(&row->skcipher);
	case CRYPTO_ALG_TYPE_AEAD:
		fill(row, &row->aead.base);
		cryptile_fill_aead(&row->aead);
		return crypto_register_aead(&row->aead);
	default:
		fill(row, &row->ahash.halg.base);
		cryptile_fill_ahash(row);
		return crypto_register_ahash(&row->ahash);
	}
}

static void drop(struct cryptile_alg *row)
{
	switch (row->type) {
	case CRYPTO_ALG_TYPE_SKCIPHER:
		crypto_unregister_skcipher(&row->skcipher);
		break;
	case CRYPTO_ALG_TYPE_AEAD:
		crypto_unregister_aead(&row->aead);
		break;
	default:
		crypto_unregister_ahash(&row->ahash);
		break;
	}
}

/**
 * cryptile_unregister_algs() - undo cryptile_register_algs()
 */
void cryptile_unregister_algs(void)
{
	unsigned int table, i;

	for (table = 0; table < ARRAY_SIZE(tables); table++) {
		for (i = 0; i < *tables[table].count; i++) {
			struct cryptile_alg *row = &tables[table].rows[i];

			if (row->registered)
				drop(row);
			row->registered = false;
		}
	}
}

/**
 * cryptile_register_algs() - register what the tile has
 * @tile: open
 *
 * Return: 0; or an error, and nothing is registered.
 */
int cryptile_register_algs(const struct cryptile *tile)
{
	unsigned int table, i;

	for (table = 0; table < ARRAY_SIZE(tables); table++) {
		for (i = 0; i < *tables[table].count; i++) {
			struct cryptile_alg *row = &tables[table].rows[i];
			bool decrypts = row->type == CRYPTO_ALG_TYPE_SKCIPHER ||
					row->hmac;
			int err;

			if (!cryptile_has_mode(tile, row->opcode, row->mode,
					       decrypts) ||
			    (row->hmac &&
			     !cryptile_has_mode(tile, row->hmac_opcode,
						row->hmac, false)) ||
			    (row->sealed && !tile->seals))
				continue;
			err = add(row);
			if (err) {
				cryptile_unregister_algs();
				return err;
			}
			row->registered = true;
		}
	}
	return 0;
}
