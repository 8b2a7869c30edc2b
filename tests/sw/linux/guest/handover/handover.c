// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Hands a message from one implementation of a hash function to another in its
 * midst, by export and import: the digest is that of the message in one piece.
 * And has the tile's import states that no message has, or none so short, and
 * replaces the key of a message that has begun by one that the tile does not take.
 * And keeps from the tile the end of a message whose data are no more, and the
 * rest of one that takes several jobs. Tells in the kernel's log how many digests
 * were right.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <crypto/hash.h>
#include <crypto/sha2.h>
#include <crypto/sha3.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#define MOST_BYTES 1024
#define KEY_BYTES 32
#define LONG_KEY_BYTES 100 /* of HMAC-SHA-384 and -512 for software alone */
#define HANDS 2
#define CUTS 9
#define PIECES 45 /* a job takes 20 */
#define LONG_PIECE 4000
#define FILLERS 640 /* more than a ring of 256, and as many that wait */

static char *alg = "sha256";
module_param(alg, charp, 0);
MODULE_PARM_DESC(alg, "Hash function");

static char *driver = "cryptile-sha256";
module_param(driver, charp, 0);
MODULE_PARM_DESC(driver, "What the tile has for it; the other is software");

static char *device;
module_param(device, charp, 0);
MODULE_PARM_DESC(device, "Is unbound between the parts, and bound again");

static bool full;
module_param(full, bool, 0);
MODULE_PARM_DESC(
	full,
	"The ring has no room when a message ends; nothing is polled for");

static bool scattered;
module_param(scattered, bool, 0);
MODULE_PARM_DESC(scattered,
		 "Messages have more pieces than one job, and the device goes");

/* At and beside the ends of blocks. */
static const unsigned int cuts[CUTS] = {
	1, 63, 64, 65, 72, 104, 128, 136, 144
};

/* Requests that fill the ring. */
struct filler {
	struct ahash_request *req;
	struct scatterlist sg;
	u8 digest[HASH_MAX_DIGESTSIZE];
};

static struct filler *fillers;
static atomic_t filling;
static DECLARE_COMPLETION(emptied);

static u8 *text, *state;
static u8 key[KEY_BYTES];

static int key_of(struct crypto_ahash *tfm)
{
	if (!(crypto_ahash_get_flags(tfm) & CRYPTO_TFM_NEED_KEY))
		return 0;
	return crypto_ahash_setkey(tfm, key, sizeof(key));
}

static int unbind(bool unbinds)
{
	struct device *dev =
		bus_find_device_by_name(&platform_bus_type, NULL, device);
	int err = 0;

	if (!dev)
		return -ENODEV;
	if (unbinds)
		device_release_driver(dev);
	else
		err = device_attach(dev) == 1 ? 0 : -EIO;
	put_device(dev);
	return err;
}

/* A request for bytes of the message from a place on; NULL: no memory. */
static struct ahash_request *request_for(struct crypto_ahash *tfm,
					 unsigned int from, unsigned int bytes,
					 u8 *digest, struct scatterlist *sg,
					 struct crypto_wait *wait)
{
	struct ahash_request *req = ahash_request_alloc(tfm, GFP_KERNEL);

	if (!req)
		return NULL;
	sg_init_one(sg, text + from, bytes);
	ahash_request_set_callback(req, CRYPTO_TFM_REQ_MAY_SLEEP,
				   crypto_req_done, wait);
	ahash_request_set_crypt(req, sg, digest, bytes);
	return req;
}

/* A part of the message, by a request that has a state, or begins. */
static int part(struct crypto_ahash *tfm, unsigned int from, unsigned int to,
		bool last, u8 *digest)
{
	DECLARE_CRYPTO_WAIT(wait);
	struct scatterlist sg;
	struct ahash_request *req =
		request_for(tfm, from, to - from, digest, &sg, &wait);
	bool goes = device && from && last;
	int err;

	if (!req)
		return -ENOMEM;
	err = from ? crypto_ahash_import(req, state) : crypto_ahash_init(req);
	if (!err && goes)
		err = unbind(true);
	if (!err)
		err = crypto_wait_req(last ? crypto_ahash_finup(req)
					   : crypto_ahash_update(req),
				      &wait);
	if (goes && unbind(false))
		err = -EIO;
	if (!err && !last)
		err = crypto_ahash_export(req, state);
	ahash_request_free(req);
	return err;
}

/* The message in three parts, each by the next hand. */
static int hand_over(struct crypto_ahash *hands[HANDS], unsigned int first,
		     unsigned int a, unsigned int b, unsigned int bytes,
		     u8 *digest)
{
	int err = part(hands[first], 0, a, false, digest);

	if (!err)
		err = part(hands[!first], a, b, false, digest);
	if (!err)
		err = part(hands[first], b, bytes, true, digest);
	return err;
}

static int try(struct crypto_ahash *hands[HANDS])
{
	u8 whole[HASH_MAX_DIGESTSIZE], digest[HASH_MAX_DIGESTSIZE];
	unsigned int i, j, first, right = 0, wrong = 0;
	struct crypto_ahash *tile[HANDS] = { hands[1], hands[1] };
	int err;

	for (i = 0; i < CUTS; i++) {
		for (j = 0; j < CUTS; j++) {
			unsigned int a = cuts[i], b = a + cuts[j];
			/* Also nothing, and a whole number of blocks. */
			unsigned int bytes = b + cuts[(i + j) % 3] - 1;

			/* The device does not come in an instant. */
			if (device && i != j)
				continue;
			err = part(hands[0], 0, bytes, true, whole);
			for (first = 0; first < 3 && !err; first++) {
				err = hand_over(first < 2 ? hands : tile,
						first & 1, a, b, bytes, digest);
				if (!err &&
				    !memcmp(whole, digest,
					    crypto_ahash_digestsize(hands[0])))
					right++;
				else if (!err)
					wrong++;
			}
			if (err)
				pr_info("%s: %d at %u, %u\n", driver, err, a,
					b);
		}
	}
	pr_info("%s: right %u, wrong %u\n", driver, right, wrong);
	return 0;
}

static void let_go(void)
{
	if (atomic_dec_and_test(&filling))
		complete(&emptied);
}

static void filler_ended(void *data, int err)
{
	if (err != -EINPROGRESS)
		let_go();
}

static void free_fillers(void)
{
	unsigned int i;

	for (i = 0; fillers && i < FILLERS; i++)
		ahash_request_free(fillers[i].req);
	kfree(fillers);
}

static int make_fillers(struct crypto_ahash *tfm)
{
	unsigned int i;

	fillers = kcalloc(FILLERS, sizeof(*fillers), GFP_KERNEL);
	if (!fillers)
		return -ENOMEM;
	for (i = 0; i < FILLERS; i++) {
		struct filler *filler = &fillers[i];

		filler->req = ahash_request_alloc(tfm, GFP_KERNEL);
		if (!filler->req)
			return -ENOMEM;
		sg_init_one(&filler->sg, text, 1);
		ahash_request_set_callback(filler->req, 0, filler_ended, NULL);
		ahash_request_set_crypt(filler->req, &filler->sg,
					filler->digest, 1);
	}
	return 0;
}

/*
 * Asks until software has done one: there is no room, and none until bottom
 * halves are on again.
 */
static int fill_up(void)
{
	int err = -EINPROGRESS;
	unsigned int i;

	reinit_completion(&emptied);
	atomic_set(&filling, 1);
	local_bh_disable();
	for (i = 0; i < FILLERS && err == -EINPROGRESS; i++) {
		atomic_inc(&filling);
		err = crypto_ahash_digest(fillers[i].req);
		if (err != -EINPROGRESS)
			let_go();
	}
	return err;
}

static void empty(void)
{
	local_bh_enable();
	let_go();
	wait_for_completion(&emptied);
}

/*
 * A message by update and final of one request, which the tile does not have the
 * end of. What the update had is freed by then.
 */
static int final_elsewhere(struct crypto_ahash *tfm, unsigned int bytes,
			   u8 *digest)
{
	DECLARE_CRYPTO_WAIT(wait);
	u8 *copy = kmemdup(text, bytes, GFP_KERNEL);
	struct scatterlist sg;
	struct ahash_request *req =
		request_for(tfm, 0, bytes, digest, &sg, &wait);
	int err = -ENOMEM;

	if (!req || !copy)
		goto no_memory;
	sg_init_one(&sg, copy, bytes);
	err = crypto_ahash_init(req)
		      ?: crypto_wait_req(crypto_ahash_update(req), &wait);
	kfree(copy);
	copy = NULL;
	if (!err && device) {
		err = unbind(true) ?: crypto_ahash_final(req);
	} else if (!err) {
		err = fill_up() ?: crypto_ahash_final(req);
		empty();
	}
	err = crypto_wait_req(err, &wait);
	if (device && unbind(false))
		err = -EIO;
no_memory:
	kfree(copy);
	ahash_request_free(req);
	return err;
}

static int try_final(struct crypto_ahash *hands[HANDS])
{
	u8 whole[HASH_MAX_DIGESTSIZE], digest[HASH_MAX_DIGESTSIZE];
	unsigned int i, right = 0, wrong = 0;
	int err = full ? make_fillers(hands[1]) : 0;

	/* To fill the ring takes its time. */
	for (i = 0; i < CUTS && !err; i += full ? CUTS / 2 : 1) {
		err = part(hands[0], 0, cuts[i], true, whole)
			      ?: final_elsewhere(hands[1], cuts[i], digest);
		if (!err &&
		    !memcmp(whole, digest, crypto_ahash_digestsize(hands[0])))
			right++;
		else if (!err)
			wrong++;
	}
	free_fillers();
	pr_info("%s: final: right %u, wrong %u\n", driver, right, wrong);
	return err;
}

/* A digest of scattered bytes; the device goes before, or in the first job. */
static int digest_scattered(struct crypto_ahash *tfm, struct scatterlist *sgs,
			    unsigned int bytes, bool goes, bool before,
			    u8 *digest)
{
	DECLARE_CRYPTO_WAIT(wait);
	struct ahash_request *req = ahash_request_alloc(tfm, GFP_KERNEL);
	int err = 0, gone = 0;

	if (!req)
		return -ENOMEM;
	ahash_request_set_callback(req, CRYPTO_TFM_REQ_MAY_SLEEP,
				   crypto_req_done, &wait);
	ahash_request_set_crypt(req, sgs, digest, bytes);
	if (goes && before)
		gone = unbind(true);
	err = crypto_ahash_digest(req);
	if (goes && !before)
		gone = unbind(true);
	err = crypto_wait_req(err, &wait);
	if (goes)
		gone = gone ?: unbind(false);
	ahash_request_free(req);
	return err ?: gone;
}

static int try_scattered(struct crypto_ahash *hands[HANDS], unsigned int piece)
{
	u8 whole[HASH_MAX_DIGESTSIZE], digest[HASH_MAX_DIGESTSIZE];
	static struct scatterlist sgs[PIECES];
	unsigned int i, bytes = PIECES * piece;
	u8 *data = kmalloc(bytes, GFP_KERNEL);
	int err;

	if (!data)
		return -ENOMEM;
	get_random_bytes(data, bytes);
	sg_init_table(sgs, PIECES);
	for (i = 0; i < PIECES; i++)
		sg_set_buf(&sgs[i], data + i * piece, piece);
	err = digest_scattered(hands[0], sgs, bytes, false, false, whole)
		      ?: digest_scattered(hands[1], sgs, bytes, true,
					  piece != LONG_PIECE, digest);
	pr_info("%s: pieces of %u: %d, %s\n", driver, piece, err,
		!err && !memcmp(whole, digest,
				crypto_ahash_digestsize(hands[0]))
			? "right"
			: "wrong");
	kfree(data);
	return 0;
}

/**
 * struct forgery - what is changed of a state that the tile's driver exported
 * @at: first byte of it
 * @bytes: how many
 * @value: becomes theirs
 */
struct forgery {
	unsigned int at, bytes;
	u64 value;
};

#define FORGERIES 5

#define FORGE(type, member, to)                                           \
	{                                                                 \
		.at = offsetof(struct type, member),                      \
		.bytes = sizeof_field(struct type, member), .value = (to) \
	}

/* Software makes a digest of these: the same. */
static const struct forgery of_sha256[FORGERIES] = {
	FORGE(sha256_state, count, U64_MAX),
	FORGE(sha256_state, count, 1ULL << 60),
	FORGE(sha256_state, count, (1ULL << 61) - 1),
	FORGE(sha256_state, count, 1ULL << 61),
	FORGE(sha256_state, count, 0),
};

static const struct forgery of_sha512[FORGERIES] = {
	FORGE(sha512_state, count[0], U64_MAX),
	FORGE(sha512_state, count[0], (1ULL << 60) - 1),
	FORGE(sha512_state, count[0], 1ULL << 63),
	FORGE(sha512_state, count[1], 1),
	FORGE(sha512_state, count[1], U64_MAX),
};

/* Software would write beyond its buffer. */
static const struct forgery of_sha3[FORGERIES] = {
	FORGE(sha3_state, partial, U32_MAX),
	FORGE(sha3_state, partial, SHA3_224_BLOCK_SIZE),
	FORGE(sha3_state, rsiz, 0),
	FORGE(sha3_state, rsiz, U32_MAX),
	FORGE(sha3_state, rsizw, U32_MAX),
};

/* The driver's own: whether the tile has begun, and bytes that wait. */
static const struct forgery of_own[FORGERIES] = {
	{ .at = 1, .bytes = 1, .value = 0 },
	{ .at = 1, .bytes = 1, .value = U8_MAX },
	{ .at = 4, .bytes = 4, .value = 0 },
	{ .at = 4, .bytes = 4, .value = 17 },
	{ .at = 4, .bytes = 4, .value = U32_MAX },
};

/* Ends the message, even if its state was not taken. */
static int end(struct crypto_ahash *tfm, unsigned int bytes, u8 *digest,
	       int *imported)
{
	DECLARE_CRYPTO_WAIT(wait);
	struct scatterlist sg;
	struct ahash_request *req =
		request_for(tfm, 0, bytes, digest, &sg, &wait);
	int err;

	if (!req)
		return -ENOMEM;
	*imported = crypto_ahash_import(req, state);
	err = crypto_wait_req(crypto_ahash_finup(req), &wait);
	ahash_request_free(req);
	return err;
}

static int forge(struct crypto_ahash *hands[HANDS])
{
	bool is_own = crypto_ahash_statesize(hands[0]) !=
		      crypto_ahash_statesize(hands[1]);
	/* Of its own the driver holds a byte back: not of these. */
	unsigned int bytes = is_own ? 0 : MOST_BYTES;
	const struct forgery *forgery = of_own;
	unsigned int i, right = 0, refused = 0, wrong = 0;
	u8 digests[HANDS][HASH_MAX_DIGESTSIZE];
	int errs[HANDS], imported[HANDS];

	if (!is_own && strstr(alg, "sha3-"))
		forgery = of_sha3;
	else if (!is_own)
		forgery = crypto_ahash_blocksize(hands[1]) == SHA256_BLOCK_SIZE
				  ? of_sha256
				  : of_sha512;
	for (i = 0; i < FORGERIES; i++, forgery++) {
		int err = part(hands[1], 0, 3 * SHA3_224_BLOCK_SIZE + i, false,
			       NULL);

		if (err)
			return err;
		memcpy(state + forgery->at, &forgery->value, forgery->bytes);
		errs[1] = end(hands[1], bytes, digests[1], &imported[1]);
		if (imported[1]) {
			if (imported[1] == -EINVAL && errs[1] == -EINVAL)
				refused++;
			else
				wrong++;
			continue;
		}
		if (is_own)
			continue;
		errs[0] = end(hands[0], bytes, digests[0], &imported[0]);
		if (errs[0] || errs[1] || imported[0] ||
		    memcmp(digests[0], digests[1],
			   crypto_ahash_digestsize(hands[1])))
			wrong++;
		else
			right++;
	}
	pr_info("%s: forged: right %u, refused %u, wrong %u\n", driver, right,
		refused, wrong);
	return 0;
}

static int rekey(struct crypto_ahash *tfm)
{
	u8 digest[HASH_MAX_DIGESTSIZE];
	DECLARE_CRYPTO_WAIT(wait);
	struct scatterlist sg;
	struct ahash_request *req =
		request_for(tfm, 0, MOST_BYTES, digest, &sg, &wait);
	int err;

	if (!req)
		return -ENOMEM;
	err = crypto_ahash_init(req)
		      ?: crypto_ahash_setkey(tfm, text, LONG_KEY_BYTES);
	if (!err)
		pr_info("%s: another key: %d\n", driver,
			crypto_wait_req(crypto_ahash_finup(req), &wait));
	ahash_request_free(req);
	return err ?: crypto_ahash_setkey(tfm, key, sizeof(key));
}

static int run(struct crypto_ahash *hands[HANDS])
{
	int err;

	if (scattered)
		return try_scattered(hands, 3)
			       ?: try_scattered(hands, LONG_PIECE);
	if (full)
		return try_final(hands);
	if (device)
		return try_final(hands) ?: try(hands);
	err = forge(hands);
	if (!err && strstr(alg, "hmac("))
		err = rekey(hands[1]);
	if (err)
		return err;
	if (crypto_ahash_statesize(hands[0]) ==
	    crypto_ahash_statesize(hands[1]))
		return try(hands);
	pr_info("%s: its own state\n", driver);
	return 0;
}

static int __init handover_init(void)
{
	struct crypto_ahash *hands[HANDS];
	int err = -ENOMEM;

	text = kmalloc(MOST_BYTES, GFP_KERNEL);
	if (!text)
		return err;
	get_random_bytes(text, MOST_BYTES);
	get_random_bytes(key, sizeof(key));
	/* The tile's are those that need others beside them. */
	hands[0] = crypto_alloc_ahash(alg, 0, CRYPTO_ALG_NEED_FALLBACK);
	hands[1] = crypto_alloc_ahash(driver, 0, 0);
	err = PTR_ERR_OR_ZERO(hands[0]) ?: PTR_ERR_OR_ZERO(hands[1]);
	if (!err)
		err = key_of(hands[0]) ?: key_of(hands[1]);
	if (!err)
		state = kmalloc(crypto_ahash_statesize(hands[1]), GFP_KERNEL);
	if (!err && !state)
		err = -ENOMEM;
	if (!err)
		err = run(hands);
	if (err)
		pr_info("%s: %d\n", driver, err);
	if (!IS_ERR(hands[0]))
		crypto_free_ahash(hands[0]);
	if (!IS_ERR(hands[1]))
		crypto_free_ahash(hands[1]);
	kfree(state);
	kfree(text);
	return err;
}
module_init(handover_init);

/* There is nothing to undo: the module can go, and be loaded again. */
static void __exit handover_exit(void)
{
}
module_exit(handover_exit);

MODULE_DESCRIPTION("Hands messages from one hash function to another");
MODULE_AUTHOR("Cryptile contributors");
MODULE_LICENSE("GPL");
