/* SPDX-License-Identifier: GPL-2.0-only */
/* Copyright Cryptile contributors. */

/* What the drivers to compare with have in common: the calls of plain.h. */
#ifndef CRYPTILE_PLAIN_COMMAND_H
#define CRYPTILE_PLAIN_COMMAND_H

#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "plain.h"

#define MOST_BYTES SZ_64K

/**
 * struct plain_file - a device's file, first in the structure of a driver
 * @misc: what the kernel has of it
 * @lock: one message at a time; guards all that the calls use
 */
struct plain_file {
	struct miscdevice misc;
	struct mutex lock; /* see above */
};

/* The driver's own part of the calls. */
static int setup(struct plain_file *file, const struct plain_setup *wanted);
static int run(struct plain_file *file, struct plain_message *message);

static long command(struct file *opened, unsigned int number, unsigned long at)
{
	struct plain_file *file =
		container_of(opened->private_data, struct plain_file, misc);
	void __user *user = (void __user *)at;
	struct plain_message message;
	struct plain_setup wanted;
	int err;

	guard(mutex)(&file->lock);
	switch (number) {
	case PLAIN_SETUP:
		if (copy_from_user(&wanted, user, sizeof(wanted)))
			return -EFAULT;
		wanted.alg[sizeof(wanted.alg) - 1] = 0;
		err = setup(file, &wanted);
		memzero_explicit(&wanted, sizeof(wanted));
		return err;
	case PLAIN_RUN:
		if (copy_from_user(&message, user, sizeof(message)))
			return -EFAULT;
		err = run(file, &message);
		if (!err && copy_to_user(user, &message, sizeof(message)))
			err = -EFAULT;
		return err;
	default:
		return -ENOTTY;
	}
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = command,
};

/* The last step of a driver's probe(). */
static int register_file(struct plain_file *file, struct device *dev,
			 const char *name)
{
	mutex_init(&file->lock);
	file->misc = (struct miscdevice) { .minor = MISC_DYNAMIC_MINOR,
					   .name = name,
					   .fops = &operations,
					   .mode = 0600,
					   .parent = dev };
	return misc_register(&file->misc);
}

#endif /* CRYPTILE_PLAIN_COMMAND_H */
