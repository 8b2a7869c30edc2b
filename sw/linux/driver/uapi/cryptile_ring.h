/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/* Copyright Cryptile contributors. */

/*
 * /dev/cryptileN: a queue of the crypto tile for a process.
 *
 * An open file has a hardware queue to itself. If none is free, or a user who has
 * some would take the last one, it takes turns with others at one that is kept
 * for this (CRYPTILE_RING_SHARED), or with O_EXCL is not opened (EBUSY).
 * CRYPTILE_RING_SETUP gives it memory and starts
 * the queue; mmap() shows that memory, and the queue's user page:
 *
 *   offset CRYPTILE_RING_PAGE       registers of the user page: DOORBELL, HEAD,
 *                                   STATUS, COMPLETED, VIOLATIONS; not with
 *                                   CRYPTILE_RING_SHARED
 *   offset CRYPTILE_RING_WINDOW(0)  ring of descriptors, at `records` the ring
 *                                   of completion records, from `arena` on what
 *                                   the process makes of it
 *   offset CRYPTILE_RING_WINDOW(n)  memory of CRYPTILE_RING_ARENA
 *
 * The file is opened to read and write. Mappings are MAP_SHARED. Addresses in
 * descriptors and lists are CRYPTILE_RING_ADDRESS(): the tile takes them from
 * the window's begin on, and lets the queue reach its windows and nothing else.
 * The kernel reads neither descriptors nor data. What the words of a descriptor
 * and a record are, the tile's manual says.
 *
 * poll() tells EPOLLIN when a job with the interrupt bit has ended since the
 * last read(), which takes 8 bytes: how many interrupts there were, at most one
 * between two of them. So a sleeper reads, looks at the records, and polls.
 * EPOLLERR: the queue has stopped, and CRYPTILE_RING_RESTART may help; EPOLLHUP:
 * the device is gone, and with it the memory (SIGBUS).
 *
 * Keys come with jobs, by pointer, or are in key slots of the tile
 * (CRYPTILE_RING_KEY): these are for this file's queue alone, and nobody can
 * read them, the process neither. A slot is wiped by CRYPTILE_RING_FORGET, and
 * at the end of the file, of the device, and when the system sleeps: then a job
 * with that slot and generation ends with the tile's KeyDenied.
 *
 * All numbers are the CPU's. Fields whose description begins with 0 are 0 when
 * the kernel is called: EINVAL otherwise.
 */
#ifndef CRYPTILE_RING_H
#define CRYPTILE_RING_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define CRYPTILE_RING_VERSION 1

/* In cryptile_ring_setup.flags, from the kernel: there is no doorbell. */
#define CRYPTILE_RING_SHARED 1

#define CRYPTILE_RING_LOG2_MIN 1
#define CRYPTILE_RING_LOG2_MAX 12
/* Of a shared queue, so that turns are short. */
#define CRYPTILE_RING_LOG2_SHARED 8

#define CRYPTILE_RING_PAGE 0ULL
#define CRYPTILE_RING_WINDOW(n) ((1ULL + (n)) << 32)
#define CRYPTILE_RING_ADDRESS(n, at) ((__u64)(n) << 54 | (at))

/**
 * struct cryptile_ring_setup - CRYPTILE_RING_SETUP, once for an open file
 * @version: CRYPTILE_RING_VERSION; another is EPROTONOSUPPORT, and here is then
 *	what the kernel has
 * @flags: 0; from the kernel CRYPTILE_RING_SHARED
 * @ring_log2: of the number of entries
 * @max_bytes: longest message, associated data and output of a job; 0: as the
 *	module has it; more takes CAP_SYS_RESOURCE. From the kernel, what holds
 * @arena_bytes: that the process wants beside the rings, not 0; more than the
 *	module's parameter of that name takes CAP_SYS_RESOURCE. From the kernel,
 *	all bytes of window 0
 * @records: from the kernel, where the completion records begin
 * @arena: from the kernel, where the process' own bytes begin, not 0
 * @engines: from the kernel, opcodes that jobs may have, one bit each
 * @windows: from the kernel, how many windows there may be
 * @reserved: 0
 */
struct cryptile_ring_setup {
	__u32 version;
	__u32 flags;
	__u32 ring_log2;
	__u32 max_bytes;
	__u64 arena_bytes;
	__u32 records;
	__u32 arena;
	__u32 engines;
	__u32 windows;
	__u64 reserved[2];
};

/**
 * struct cryptile_ring_arena - CRYPTILE_RING_ARENA: memory in one more window
 * @bytes: wanted, not 0; from the kernel, of the window
 * @window: 0; from the kernel, number of the window
 * @reserved: 0
 */
struct cryptile_ring_arena {
	__u64 bytes;
	__u32 window;
	__u32 reserved;
};

/**
 * struct cryptile_ring_batch - CRYPTILE_RING_RUN, with CRYPTILE_RING_SHARED:
 *	works on the first entries of the ring, and returns when all jobs of them
 *	have ended. Records are written from the first place on, with numbers
 *	from 1 on. Others have turns in its midst: it may be interrupted there
 *	(EINTR), and goes on when it is called with what the kernel has left here
 * @entries: how many; whole jobs
 * @completed: 0; of one that goes on as it is. From the kernel, jobs that have
 *	records
 */
struct cryptile_ring_batch {
	__u32 entries;
	__u32 completed;
};

/* In cryptile_ring_key.flags: what the key may be used for. */
#define CRYPTILE_RING_KEY_ENCRYPT 1 /* and hash, and make tags */
#define CRYPTILE_RING_KEY_DECRYPT 2 /* and verify */
#define CRYPTILE_RING_KEY_PARTS 4 /* messages in parts */
#define CRYPTILE_RING_KEY_COUNTED 8 /* `uses` jobs and no more */

/* In cryptile_ring_key.tag_bytes: tags of any length, also short ones. */
#define CRYPTILE_RING_KEY_ANY_TAG 127

/**
 * struct cryptile_ring_key - CRYPTILE_RING_KEY: a key into a slot
 * @flags: CRYPTILE_RING_KEY_...
 * @opcode: of the engine that it is for
 * @modes: of this, one bit each
 * @key_bytes: as long as jobs take it
 * @tag_bytes: of a tag; 0: all of it; CRYPTILE_RING_KEY_ANY_TAG
 * @uses: with CRYPTILE_RING_KEY_COUNTED, else 0
 * @slot: 0; from the kernel, number of the slot
 * @generation: 0; from the kernel, which key of the slot it is, not 0
 * @reserved: 0
 * @key: @key_bytes, the rest 0; from the kernel 0
 */
struct cryptile_ring_key {
	__u32 flags;
	__u32 opcode;
	__u32 modes;
	__u32 key_bytes;
	__u32 tag_bytes;
	__u32 uses;
	__u32 slot;
	__u32 generation;
	__u64 reserved;
	__u8 key[64];
};

/*
 * Errors of open(): EBUSY (with O_EXCL), EMFILE (the user has as many as the
 *	module's parameter allows), EACCES (not to read and write).
 * Errors of all: ENODEV (the device is gone), EFAULT, ENOTTY, EINVAL.
 * SETUP: EBUSY (there was one), ENOMEM (also if the user who asks has locked more
 *	than RLIMIT_MEMLOCK then), EPERM (more than the module's parameters
 *	allow), EPROTONOSUPPORT. ARENA: ENOMEM, EPERM, ENOSPC (no window is left).
 * RUN: ETIMEDOUT (no job has ended for a second: the batch was aborted), EIO (the
 *	queue has stopped itself), EINVAL (also if the entries end in half a job:
 *	those before have ended), EINTR (a signal came: call again).
 * RESTART: aborts all jobs and begins anew: the records are 0, and the next
 *	descriptor is that of the ring's first place. ETIMEDOUT, EIO: the tile
 *	does not stop, or not start. Keys stay in their slots.
 * KEY: EOPNOTSUPP (a shared queue; firmware keeps the slots), ENOSPC (no slot is
 *	left: each queue can have one, and more while there are), EIO (the queue
 *	or the tile has stopped). FORGET, with the slot's number: ENOENT (none of
 *	this file's), EIO (it is not wiped; nobody gets it).
 */
#define CRYPTILE_RING_SETUP _IOWR('y', 0x80, struct cryptile_ring_setup)
#define CRYPTILE_RING_ARENA _IOWR('y', 0x81, struct cryptile_ring_arena)
#define CRYPTILE_RING_RUN _IOWR('y', 0x82, struct cryptile_ring_batch)
#define CRYPTILE_RING_RESTART _IO('y', 0x83)
#define CRYPTILE_RING_KEY _IOWR('y', 0x84, struct cryptile_ring_key)
#define CRYPTILE_RING_FORGET _IOW('y', 0x85, __u32)

#endif /* CRYPTILE_RING_H */
