// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Does what a driver must not, so that a kernel that looks for it is known to:
 * takes locks in both orders, writes behind its memory, and forgets memory.
 */

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#define BYTES 40

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

static void take(struct mutex *one, struct mutex *other)
{
	mutex_lock(one);
	mutex_lock(other);
	mutex_unlock(other);
	mutex_unlock(one);
}

static int __init faulty_init(void)
{
	u8 *memory = kmalloc(BYTES, GFP_KERNEL);

	if (!memory)
		return -ENOMEM;
	/* Locks first: nobody looks at them behind a fault of memory. */
	take(&first, &second);
	take(&second, &first);
	OPTIMIZER_HIDE_VAR(memory);
	memory[BYTES] = 1;
	/* The memory is not freed, and nothing points to it from here on. */
	return 0;
}
module_init(faulty_init);

static void __exit faulty_exit(void)
{
}
module_exit(faulty_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("What a driver must not do");
