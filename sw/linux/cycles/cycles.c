// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Times requests of an AEAD in the kernel, by the core's own counters: what a
 * caller pays from crypto_aead_encrypt() to its end, the result not read. Tells
 * it in the kernel's log, cycles and instructions, when it is loaded.
 *
 * The counters must count in supervisor mode, as firmware has them do.
 */

#include <asm/csr.h>
#include <crypto/aead.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/sort.h>

#define MOST_BYTES 65536
#define MOST_ROUNDS 256
#define TAG_BYTES 16
#define MOST_KEY_BYTES 32

static char *driver;
module_param(driver, charp, 0);
MODULE_PARM_DESC(driver, "Algorithm or its driver");

static unsigned int key_bytes = 16;
module_param(key_bytes, uint, 0);
MODULE_PARM_DESC(key_bytes, "Length of the key");

static unsigned int bytes = 64;
module_param(bytes, uint, 0);
MODULE_PARM_DESC(bytes, "Length of a message");

static unsigned int rounds = 32;
module_param(rounds, uint, 0);
MODULE_PARM_DESC(rounds, "Requests, one after the other");

static u32 cycles[MOST_ROUNDS];
static u32 instructions[MOST_ROUNDS];

static int compare(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static void tell(const char *name, u32 *of)
{
	sort(of, rounds, sizeof(*of), compare, NULL);
	pr_info("%s of %u bytes, %u times: %s %u least %u median\n", driver,
		bytes, rounds, name, of[0], of[rounds / 2]);
}

static int time(struct aead_request *req)
{
	DECLARE_CRYPTO_WAIT(wait);
	unsigned int i;
	int err;

	aead_request_set_callback(req, CRYPTO_TFM_REQ_MAY_SLEEP,
				  crypto_req_done, &wait);
	/* Caches and TLBs. */
	err = crypto_wait_req(crypto_aead_encrypt(req), &wait);
	if (err)
		return err;
	for (i = 0; i < rounds; i++) {
		unsigned long instret = csr_read(CSR_INSTRET);
		unsigned long cycle = csr_read(CSR_CYCLE);

		err = crypto_wait_req(crypto_aead_encrypt(req), &wait);
		cycles[i] = csr_read(CSR_CYCLE) - cycle;
		instructions[i] = csr_read(CSR_INSTRET) - instret;
		if (err)
			return err;
	}
	tell("cycles", cycles);
	tell("instructions", instructions);
	return 0;
}

static int measure(struct crypto_aead *tfm)
{
	static const u8 key[MOST_KEY_BYTES] = { 1 };
	u8 iv[16] = { 0 };
	struct aead_request *req;
	struct scatterlist sg;
	int err = -ENOMEM;
	u8 *data;

	req = aead_request_alloc(tfm, GFP_KERNEL);
	data = kzalloc(bytes + TAG_BYTES, GFP_KERNEL);
	if (!req || !data)
		goto out;
	err = crypto_aead_setkey(tfm, key, key_bytes);
	if (!err)
		err = crypto_aead_setauthsize(tfm, TAG_BYTES);
	if (err)
		goto out;
	sg_init_one(&sg, data, bytes + TAG_BYTES);
	aead_request_set_crypt(req, &sg, &sg, bytes, iv);
	aead_request_set_ad(req, 0);
	err = time(req);
out:
	kfree(data);
	aead_request_free(req);
	return err;
}

static int __init cycles_init(void)
{
	struct crypto_aead *tfm;
	int err;

	if (!driver || !bytes || bytes > MOST_BYTES || !rounds ||
	    rounds > MOST_ROUNDS || key_bytes > MOST_KEY_BYTES)
		return -EINVAL;
	tfm = crypto_alloc_aead(driver, 0, 0);
	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	err = measure(tfm);
	crypto_free_aead(tfm);
	return err;
}
module_init(cycles_init);

/* There is nothing to undo: the module can go, and be loaded again. */
static void __exit cycles_exit(void)
{
}
module_exit(cycles_exit);

MODULE_DESCRIPTION("Times an AEAD of the kernel");
MODULE_AUTHOR("Cryptile contributors");
MODULE_LICENSE("GPL");
