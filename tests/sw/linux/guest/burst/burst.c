// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Asks a driver for many decryptions at once, from a thread that nothing
 * freezes, and looks at what comes: each request ends, with the right plaintext
 * or with an error and none of it. Bottom halves are off while a round is
 * submitted: until then no request leaves the driver's ring.
 *
 * Removal ends it (rounds=0), or waits for it; the log then has the counts.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <crypto/aead.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#define MOST_COUNT 1024
#define MOST_BYTES 65536
#define TAG_BYTES 16
#define KEY_BYTES 16
#define UNTOUCHED 0xa5
#define LOST_MS 60000

static char *driver = "cryptile-gcm-aes";
module_param(driver, charp, 0);
MODULE_PARM_DESC(driver, "gcm(aes) of this driver");

static unsigned int count = 64;
module_param(count, uint, 0);
MODULE_PARM_DESC(count, "Requests of a round");

static unsigned int bytes = 4096;
module_param(bytes, uint, 0);
MODULE_PARM_DESC(bytes, "Length of a message");

static unsigned int rounds = 1;
module_param(rounds, uint, 0);
MODULE_PARM_DESC(rounds, "Rounds; 0: until removal");

static bool backlog;
module_param(backlog, bool, 0);
MODULE_PARM_DESC(backlog, "Requests may wait in the driver's backlog");

/* What came of requests; those behind @told are no ends. */
static struct {
	unsigned long right, eio, etimedout, enospc, other, wrong, dirty, lost;
	unsigned long told, busy;
} counts;

struct burst_request {
	struct aead_request *req;
	struct scatterlist src, dst;
	u8 iv[12];
	u8 *out;
	int err;
};

static struct crypto_aead *tfm;
static struct burst_request *requests;
static u8 *plain, *sealed;
static atomic_t pending;
static DECLARE_COMPLETION(round_ended);
static DECLARE_COMPLETION(all_ended);
static struct task_struct *thread;

static void let_go(void)
{
	if (atomic_dec_and_test(&pending))
		complete(&round_ended);
}

static void ended(void *data, int err)
{
	struct burst_request *request = data;

	if (err == -EINPROGRESS) {
		counts.told++;
		return;
	}
	request->err = err;
	let_go();
}

static void submit(struct burst_request *request)
{
	int err;

	memset(request->iv, 0, sizeof(request->iv));
	memset(request->out, UNTOUCHED, bytes);
	sg_init_one(&request->src, sealed, bytes + TAG_BYTES);
	sg_init_one(&request->dst, request->out, bytes);
	aead_request_set_callback(request->req,
				  backlog ? CRYPTO_TFM_REQ_MAY_BACKLOG : 0,
				  ended, request);
	aead_request_set_ad(request->req, 0);
	aead_request_set_crypt(request->req, &request->src, &request->dst,
			       bytes + TAG_BYTES, request->iv);
	atomic_inc(&pending);
	err = crypto_aead_decrypt(request->req);
	counts.busy += err == -EBUSY;
	if (err != -EINPROGRESS && !(err == -EBUSY && backlog)) {
		request->err = err;
		let_go();
	}
}

static void look_at(const struct burst_request *request)
{
	switch (request->err) {
	case 0:
		if (memcmp(request->out, plain, bytes))
			counts.wrong++;
		else
			counts.right++;
		return;
	case -EIO:
		counts.eio++;
		break;
	case -ETIMEDOUT:
		counts.etimedout++;
		break;
	case -ENOSPC:
		counts.enospc++;
		break;
	default:
		counts.other++;
	}
	if (memchr_inv(request->out, 0, bytes) &&
	    memchr_inv(request->out, UNTOUCHED, bytes))
		counts.dirty++;
}

/* False: requests have not come back, and their memory is not ours. */
static bool round_of(void)
{
	unsigned int i;

	reinit_completion(&round_ended);
	atomic_set(&pending, 1);
	local_bh_disable();
	for (i = 0; i < count; i++)
		submit(&requests[i]);
	local_bh_enable();
	let_go();
	if (!wait_for_completion_timeout(&round_ended,
					 msecs_to_jiffies(LOST_MS))) {
		counts.lost += atomic_read(&pending);
		return false;
	}
	for (i = 0; i < count; i++)
		look_at(&requests[i]);
	return true;
}

static int run(void *unused)
{
	unsigned int done = 0;

	while (!kthread_should_stop() && (!rounds || done < rounds)) {
		if (!round_of())
			break;
		done++;
		schedule_timeout_interruptible(1);
	}
	complete(&all_ended);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	return 0;
}

/* The ciphertext, by software. */
static int seal(const u8 *key)
{
	struct crypto_aead *software =
		crypto_alloc_aead("gcm(aes)", 0,
				  CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK);
	struct aead_request *req = NULL;
	struct scatterlist sg;
	u8 iv[12] = { 0 };
	int err;

	if (IS_ERR(software))
		return PTR_ERR(software);
	err = crypto_aead_setkey(software, key, KEY_BYTES);
	if (!err)
		req = aead_request_alloc(software, GFP_KERNEL);
	if (!err && !req)
		err = -ENOMEM;
	if (!err) {
		memcpy(sealed, plain, bytes);
		sg_init_one(&sg, sealed, bytes + TAG_BYTES);
		aead_request_set_ad(req, 0);
		aead_request_set_crypt(req, &sg, &sg, bytes, iv);
		err = crypto_aead_encrypt(req);
	}
	aead_request_free(req);
	crypto_free_aead(software);
	return err;
}

static int prepare(void)
{
	static const u8 key[KEY_BYTES] = { 1, 2, 3 };
	unsigned int i;
	int err;

	plain = kmalloc(bytes, GFP_KERNEL);
	sealed = kmalloc(bytes + TAG_BYTES, GFP_KERNEL);
	requests = kcalloc(count, sizeof(*requests), GFP_KERNEL);
	if (!plain || !sealed || !requests)
		return -ENOMEM;
	for (i = 0; i < bytes; i++)
		plain[i] = i * 167 + 1;
	for (i = 0; i < count; i++) {
		requests[i].out = kmalloc(bytes, GFP_KERNEL);
		requests[i].req = aead_request_alloc(tfm, GFP_KERNEL);
		if (!requests[i].out || !requests[i].req)
			return -ENOMEM;
	}
	err = crypto_aead_setkey(tfm, key, sizeof(key));
	return err ?: seal(key);
}

static void free_all(void)
{
	unsigned int i;

	for (i = 0; requests && i < count; i++) {
		kfree(requests[i].out);
		aead_request_free(requests[i].req);
	}
	kfree(requests);
	kfree(sealed);
	kfree(plain);
	crypto_free_aead(tfm);
}

static int __init burst_init(void)
{
	int err;

	if (!count || count > MOST_COUNT || !bytes || bytes > MOST_BYTES)
		return -EINVAL;
	tfm = crypto_alloc_aead(driver, 0, 0);
	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	err = prepare();
	if (!err) {
		thread = kthread_run(run, NULL, "burst");
		err = PTR_ERR_OR_ZERO(thread);
	}
	if (err)
		free_all();
	return err;
}
module_init(burst_init);

static void __exit burst_exit(void)
{
	if (rounds)
		wait_for_completion(&all_ended);
	kthread_stop(thread);
	pr_info("right %lu, EIO %lu, ETIMEDOUT %lu, ENOSPC %lu, other %lu, "
		"wrong %lu, dirty %lu, lost %lu, told %lu, busy %lu\n",
		counts.right, counts.eio, counts.etimedout, counts.enospc,
		counts.other, counts.wrong, counts.dirty, counts.lost,
		counts.told, counts.busy);
	if (!counts.lost)
		free_all();
}
module_exit(burst_exit);

MODULE_DESCRIPTION("Many requests at once for a driver of the crypto API");
MODULE_AUTHOR("Cryptile contributors");
MODULE_LICENSE("GPL");
