/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

#ifndef CRYPTILE_AEAD_H
#define CRYPTILE_AEAD_H

#include "cryptile.h"

#define MAX_SALT 4

/**
 * struct aead_ctx - a transform
 * @key: of the cipher
 * @mac: of the HMAC beside it, if there is one
 * @salt: begin of all nonces
 * @software: for what is not for the tile
 */
struct aead_ctx {
	struct cryptile_key key;
	struct cryptile_key mac;
	u8 salt[MAX_SALT];
	struct crypto_aead *software;
};

/* What the tile reads and writes beside lists of pieces. */
struct aead_area {
	struct cryptile_area common;
	u8 tag[TileMaxTag];
};

/**
 * struct aead_part - the driver's part of a request
 * @job: under way
 * @decrypt: and verify
 * @second: of cipher and HMAC, the latter half is under way
 * @area: for the tile
 * @software: in place of it
 */
struct aead_part {
	struct cryptile_job job;
	bool decrypt;
	bool second;
	union {
		struct aead_area area;
		struct aead_request software;
	};
};

static inline const struct cryptile_alg *row_of(struct crypto_aead *tfm)
{
	return container_of_const(crypto_aead_alg(tfm), struct cryptile_alg,
				  aead);
}

static inline struct aead_part *part_of(struct aead_request *req)
{
	return cryptile_align(aead_request_ctx(req));
}

/* aead.c */
int cryptile_aead_software(struct aead_request *req);

/* authenc.c */
int cryptile_authenc_setkey(struct crypto_aead *tfm, const u8 *key,
			    unsigned int len);
int cryptile_authenc_run(struct aead_request *req);

#endif /* CRYPTILE_AEAD_H */
