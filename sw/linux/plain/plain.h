/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/* Copyright Cryptile contributors. */

/* /dev/cryptile-plain: the tile, a message at a time. All numbers are the CPU's. */
#ifndef CRYPTILE_PLAIN_H
#define CRYPTILE_PLAIN_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct plain_setup - what all messages have in common
 * @alg: the algorithm's name, as `cryptile crypt --alg` spells it
 * @iv_len: bytes of the IV
 * @key: as many bytes as the algorithm has
 */
struct plain_setup {
	char alg[20];
	__u32 iv_len;
	__u8 key[64];
};

/**
 * struct plain_message - a message to encrypt or hash
 * @in: address of the message
 * @out: of room for what comes of it: output, tag or digest behind
 * @len: bytes of the message
 * @out_len: of the room; returned: that were written
 * @iv: the IV, then zeros
 */
struct plain_message {
	__u64 in;
	__u64 out;
	__u32 len;
	__u32 out_len;
	__u8 iv[16];
};

#define PLAIN_SETUP _IOW('y', 0xa0, struct plain_setup)
#define PLAIN_RUN _IOWR('y', 0xa1, struct plain_message)

#endif /* CRYPTILE_PLAIN_H */
