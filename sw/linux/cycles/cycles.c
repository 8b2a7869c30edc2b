// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Times requests of an AEAD in the kernel, by the core's own counters: what a
 * caller pays from crypto_aead_encrypt() to its end, the result not read. Tells
 * it in the kernel's log, cycles and instructions, when it is loaded. Messages
 * of several lengths are timed one after the other: bytes=16,64 rounds=32,8.
 *
 * The counters must count in supervisor mode, as firmware has them do.
 */

#include <asm/csr.h>
#include <crypto/aead.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/sort.h>

#define MOST_LENGTHS 16
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

static unsigned int bytes[MOST_LENGTHS] = { 64 };
static unsigned int lengths = 1;
module_param_array(bytes, uint, &lengths, 0);
MODULE_PARM_DESC(bytes, "Lengths of messages");

static unsigned int rounds[MOST_LENGTHS] = { 32 };
static unsigned int round_counts = 1;
module_param_array(rounds, uint, &round_counts, 0);
MODULE_PARM_DESC(rounds, "Requests of each length, one after the other");

static u32 cycles[MOST_ROUNDS];
static u32 instructions[MOST_ROUNDS];

static int compare(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static void tell(const char *name, u32 *of, unsigned int len, unsigned int n)
{
	sort(of, n, sizeof(*of), compare, NULL);
	pr_info("%s of %u bytes, %u times: %s %u least %u median\n", driver,
		len, n, name, of[0], of[n / 2]);
}

static int time(struct aead_request *req, unsigned int n)
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
	for (i = 0; i < n; i++) {
		unsigned long instret = csr_read(CSR_INSTRET);
		unsigned long cycle = csr_read(CSR_CYCLE);

		err = crypto_wait_req(crypto_aead_encrypt(req), &wait);
		cycles[i] = csr_read(CSR_CYCLE) - cycle;
		instructions[i] = csr_read(CSR_INSTRET) - instret;
		if (err)
			return err;
	}
	return 0;
}

static int measure(struct crypto_aead *tfm, unsigned int len, unsigned int n)
{
	u8 iv[16] = { 0 };
	struct aead_request *req;
	struct scatterlist sg;
	int err = -ENOMEM;
	u8 *data;

	req = aead_request_alloc(tfm, GFP_KERNEL);
	data = kzalloc(len + TAG_BYTES, GFP_KERNEL);
	if (!req || !data)
		goto out;
	sg_init_one(&sg, data, len + TAG_BYTES);
	aead_request_set_crypt(req, &sg, &sg, len, iv);
	aead_request_set_ad(req, 0);
	err = time(req, n);
	if (err)
		goto out;
	tell("cycles", cycles, len, n);
	tell("instructions", instructions, len, n);
out:
	kfree(data);
	aead_request_free(req);
	return err;
}

static bool can_be_measured(void)
{
	unsigned int i;

	if (!driver || lengths != round_counts || key_bytes > MOST_KEY_BYTES)
		return false;
	for (i = 0; i < lengths; i++)
		if (!bytes[i] || bytes[i] > MOST_BYTES || !rounds[i] ||
		    rounds[i] > MOST_ROUNDS)
			return false;
	return true;
}

static int __init cycles_init(void)
{
	static const u8 key[MOST_KEY_BYTES] = { 1 };
	struct crypto_aead *tfm;
	unsigned int i;
	int err;

	if (!can_be_measured())
		return -EINVAL;
	tfm = crypto_alloc_aead(driver, 0, 0);
	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	err = crypto_aead_setkey(tfm, key, key_bytes);
	if (!err)
		err = crypto_aead_setauthsize(tfm, TAG_BYTES);
	for (i = 0; i < lengths && !err; i++)
		err = measure(tfm, bytes[i], rounds[i]);
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
