// SPDX-License-Identifier: GPL-2.0-only
// Copyright Cryptile contributors.

/*
 * Key slots for the queues of processes. Firmware tells which ones are the
 * kernel's to write; without, none is touched, as the page of the slots may be
 * shut.
 *
 * A slot belongs to one queue: the tile lets no other use it, and the queue's
 * KEY_MASK names no slot but its own. What a process can say of its key is what
 * the key may be used for, by its own queue alone: neither that it unwraps
 * others, which could be made for any queue, nor that it stays.
 */

#include <linux/property.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "cryptile.h"
#include "regs.h"
#include "uapi/cryptile_ring.h"

#define SLOT_AT(reg) offsetof(tile_slot__stride80_t, reg)

#define FLAGS                                                    \
	(CRYPTILE_RING_KEY_ENCRYPT | CRYPTILE_RING_KEY_DECRYPT | \
	 CRYPTILE_RING_KEY_PARTS | CRYPTILE_RING_KEY_COUNTED)

/* Slots are written one after the other, and this guards who has which. */
static DEFINE_MUTEX(lock);

static size_t slot_at(unsigned int slot)
{
	return TILE_AT(SLOT[0]) + slot * sizeof(tile_slot__stride80_t);
}

/* A slot that keeps its key is nobody's any more. */
static int wipe(struct cryptile *tile, unsigned int slot)
{
	struct cryptile_key_slots *keys = &tile->keys;
	size_t at = slot_at(slot) + SLOT_AT(ATTRIBUTES);

	lockdep_assert_held(&lock);
	tile_write(tile, at, 0);
	if (!tile_read(tile, at))
		return 0;
	keys->mask &= ~BIT(slot);
	dev_err(tile->dev, "key slot %u is not wiped: it is used no more\n",
		slot);
	return -EIO;
}

/*
 * The first slot that a queue can have; negative: none. Each queue can have
 * one, whatever others take.
 */
static int find_free(const struct cryptile_key_slots *keys, unsigned int queue)
{
	unsigned int others = 0, taken = 0, left, i;

	for (i = 0; i < CRYPTILE_QUEUES; i++) {
		taken |= keys->of[i];
		if (i != queue && (keys->queues & BIT(i)) && !keys->of[i])
			others++;
	}
	left = keys->mask & ~taken;
	if (!left || (keys->of[queue] && hweight32(left) <= others))
		return -ENOSPC;
	return __ffs(left);
}

static void write_slot(struct cryptile *tile, unsigned int slot, u32 attributes,
		       const struct cryptile_ring_key *key)
{
	size_t at = slot_at(slot);
	unsigned int i;

	for (i = 0; i < sizeof(key->key); i += sizeof(u32))
		tile_write(tile, at + SLOT_AT(KEY[0]) + i,
			   get_unaligned_le32(key->key + i));
	tile_write(tile, at + SLOT_AT(POLICY),
		   tile_slot_policy_encode((tile_slot_policy_t) {
			   .modes = key->modes,
			   .key_bytes = key->key_bytes,
			   .tag_bytes = key->tag_bytes }));
	tile_write(tile, at + SLOT_AT(USES), key->uses);
	tile_write(tile, at + SLOT_AT(ATTRIBUTES), attributes);
}

static bool is_allowed(const struct cryptile *tile,
		       const struct cryptile_ring_key *key)
{
	return !(key->flags & ~FLAGS) &&
	       (key->flags &
		(CRYPTILE_RING_KEY_ENCRYPT | CRYPTILE_RING_KEY_DECRYPT)) &&
	       key->opcode < ARRAY_SIZE(tile->engines) &&
	       (tile->features & BIT(key->opcode)) && key->modes &&
	       key->modes <= U16_MAX && key->key_bytes &&
	       key->key_bytes <= sizeof(key->key) &&
	       key->tag_bytes <= CRYPTILE_RING_KEY_ANY_TAG &&
	       (!key->uses || (key->flags & CRYPTILE_RING_KEY_COUNTED)) &&
	       !key->slot && !key->generation && !key->reserved &&
	       !memchr_inv(key->key + key->key_bytes, 0,
			   sizeof(key->key) - key->key_bytes);
}

/**
 * cryptile_keys_load() - write a key of a process into a slot
 * @tile: the tile
 * @queue: the process' hardware queue
 * @key: the key and what it is for; then also where it is
 *
 * The queue's KEY_MASK is the caller's to write.
 *
 * Return: 0; -EOPNOTSUPP: the kernel has no slots; -EINVAL: no such use;
 * -ENOSPC: no slot is left; -EIO: the tile does not take it.
 */
int cryptile_keys_load(struct cryptile *tile, unsigned int queue,
		       struct cryptile_ring_key *key)
{
	struct cryptile_key_slots *keys = &tile->keys;
	u32 attributes;
	int slot;

	guard(mutex)(&lock);
	if (!keys->mask)
		return -EOPNOTSUPP;
	if (!is_allowed(tile, key))
		return -EINVAL;
	slot = find_free(keys, queue);
	if (slot < 0)
		return slot;
	attributes = tile_slot_attributes_encode((tile_slot_attributes_t) {
		.valid = true,
		.encrypt = key->flags & CRYPTILE_RING_KEY_ENCRYPT,
		.decrypt = key->flags & CRYPTILE_RING_KEY_DECRYPT,
		.contexts = key->flags & CRYPTILE_RING_KEY_PARTS,
		.counted = key->flags & CRYPTILE_RING_KEY_COUNTED,
		.owners = BIT(queue),
		.opcode = key->opcode });
	write_slot(tile, slot, attributes, key);
	if (tile_read(tile, slot_at(slot) + SLOT_AT(ATTRIBUTES)) !=
	    attributes) {
		wipe(tile, slot);
		return -EIO;
	}
	keys->of[queue] |= BIT(slot);
	key->slot = slot;
	key->generation = tile_read(tile, slot_at(slot) + SLOT_AT(GENERATION));
	atomic64_inc(&tile->rings.keys);
	return 0;
}

/**
 * cryptile_keys_forget() - wipe a key of a process
 * @tile: the tile
 * @queue: its hardware queue, whose KEY_MASK names the slot no more
 * @slot: where the key is
 *
 * Return: 0; -ENOENT: the queue has no such slot; -EIO: it is not wiped.
 */
int cryptile_keys_forget(struct cryptile *tile, unsigned int queue,
			 unsigned int slot)
{
	struct cryptile_key_slots *keys = &tile->keys;

	guard(mutex)(&lock);
	if (slot >= BITS_PER_TYPE(keys->of[0]) ||
	    !(keys->of[queue] & BIT(slot)))
		return -ENOENT;
	keys->of[queue] &= ~BIT(slot);
	return wipe(tile, slot);
}

/**
 * cryptile_keys_drop() - wipe all keys of a queue
 * @tile: the tile
 * @queue: which has stopped, or whose KEY_MASK is 0
 */
void cryptile_keys_drop(struct cryptile *tile, unsigned int queue)
{
	struct cryptile_key_slots *keys = &tile->keys;
	unsigned long slots;
	unsigned int slot;

	guard(mutex)(&lock);
	slots = keys->of[queue];
	keys->of[queue] = 0;
	for_each_set_bit(slot, &slots, BITS_PER_TYPE(keys->of[0]))
		wipe(tile, slot);
}

/**
 * cryptile_keys_init() - find out which slots the kernel may write
 * @tile: reset, without queues of processes
 * @queues: hardware queues that may have slots, one bit each
 *
 * A wrapping key of firmware's needs SEAL, and then registers write no slot.
 */
void cryptile_keys_init(struct cryptile *tile, unsigned int queues)
{
	struct cryptile_key_slots *keys = &tile->keys;
	u32 slots = FIELD_GET(TILE__SIZES__SLOTS_bm,
			      tile_read(tile, TILE_AT(SIZES)));
	u32 mask = 0;

	device_property_read_u32(tile->dev, "cryptile,key-slots", &mask);
	guard(mutex)(&lock);
	*keys = (struct cryptile_key_slots) { .queues = queues };
	if (!mask || tile->seals)
		return;
	if (tile_read(tile, TILE_AT(SEAL)) & TILE__SEAL__SEAL_bm) {
		dev_warn(tile->dev, "key slots are sealed: none is used\n");
		return;
	}
	keys->mask = mask & GENMASK(slots - 1, 0);
}
