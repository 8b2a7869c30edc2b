"""Accesses to the control path of the tile, as jobs: what each field says is in ``ports``.

Windows, permissions and keys are set up first. Then come legal and illegal accesses as they may
occur, many of them next to a bound, and now and then something is set up anew.
"""

import random
from collections.abc import Iterator
from itertools import islice

from cryptile import layout
from cryptile.jobs.job import Job

QUEUES, WINDOWS, SLOTS = 4, 4, 8
"""Of what is built by default; accesses to what a smaller one has not are illegal."""

_PAGE_BITS = 44
_ASK, _WRITE, _MASK, _UNWRAP, _COMMIT, _DROP, _TAMPER, _SEAL = range(8)
_ENABLE, _READ, _WRITABLE = 1, 2, 4
_MARKS, _MARK_BITS = 8, 7
_PROCESS_BITS = 20
_SLOT = layout.blocks()["tile_slot"]
_USE, _POLICY = _SLOT.registers["ATTRIBUTES"], _SLOT.registers["POLICY"]
_LOCK = _USE.pack(lock=1)
_WORDS = {name: offset // 4 for name, offset in _SLOT.offsets.items()}
_AAD = layout.memory()["tile_wrap_aad"]
REQUEST = {
    "target": 4, "made": 1, "token": 1, "unwrap": 1, "decrypt": 1, "in_parts": 1, "tile_nonce": 1,
    "output_made": 1, "sealing": 1, "keystream": 1, "tag_full": 1, "tag_bytes": 7,
    "key_bytes": 7, "mode": 4, "opcode": 4, "generation": 8, "slot": 4, "owner": 3,
}  # fmt: skip
"""The fields of a ``permit_req_t`` and their bits, from the lowest."""
_KEK_SLOT = SLOTS - 1
_ANY_SLOT = 255
_OF_MADE = 1 << 17
_COMMON_BITS, _ADDRESS_BITS = 6, 20
"""Of addresses: what is common to all queues stands first; blocks begin at sums of two powers."""
_EVENTS = 4
"""Corrected, detected, tampered with, soft reset done."""


def _access(mode: int, where: int, data: int, decrypt: bool = False) -> Job:
    return Job(mode, decrypt, 0, data.to_bytes(16, "little"), b"", None, out_len=where)


def control(rng: random.Random, count: int, _size: int) -> list[Job]:
    """Return accesses to the registers, ``count`` in all, with events of queues and faults."""
    return [_register(rng) for _ in range(count)]


def _register(rng: random.Random) -> Job:
    common = rng.getrandbits(_COMMON_BITS)
    block = 1 << rng.randrange(_ADDRESS_BITS) | 1 << rng.randrange(_ADDRESS_BITS)
    address = rng.choice([common, common, block]) & ~3
    strobes = rng.choice([0b1111, 0b1111, 0b1111, rng.getrandbits(4)])
    events = rng.getrandbits(_EVENTS) & rng.getrandbits(_EVENTS) & rng.getrandbits(_EVENTS)
    access = address | rng.getrandbits(32) << 20 | strobes << 52 | events << 56
    return _access(rng.randrange(2), 0, access | rng.getrandbits(32) << 96)


def guard(rng: random.Random, count: int, _size: int) -> list[Job]:
    """Return accesses to the window check, ``count`` in all."""
    return list(islice(_guard(rng), count))


def _guard(rng: random.Random) -> Iterator[Job]:
    windows: dict[tuple[int, int], tuple[int, int]] = {}

    def write(queue: int, window: int, word: int, data: int) -> Job:
        return _access(_WRITE, queue | window << 7 | word << 4, data)

    def place(queue: int, window: int) -> Iterator[Job]:
        base = rng.getrandbits(rng.choice([4, 20, 31, 33, _PAGE_BITS]))
        limit = min(base + rng.getrandbits(rng.choice([0, 3, 30, 35])), (1 << _PAGE_BITS) - 1)
        flags = _ENABLE * (rng.random() < 0.8) | rng.choice([_READ, _WRITABLE, 6, 6])
        flags |= rng.getrandbits(_MARK_BITS) << _MARKS
        words = [base & 0xFFFFFFFF, base >> 32, limit & 0xFFFFFFFF, limit >> 32, flags]
        yield write(queue, window, 4, 0)
        for word, data in enumerate(words):
            yield write(queue, window, word, data)
        windows[queue, window] = base, limit

    for queue in range(QUEUES):
        for window in range(WINDOWS):
            yield from place(queue, window)
    while True:
        queue, window = rng.randrange(QUEUES), rng.randrange(WINDOWS)
        if rng.random() < 0.02:
            yield from place(queue, window)
            continue
        base, limit = windows[queue, window]
        relative = rng.random() < 0.3
        if relative:
            offset = rng.choice([0, limit - base]) + rng.choice([-1, 0, 0, 1])
            page = window << _PAGE_BITS - 2 | offset % (1 << _PAGE_BITS - 2)
        else:
            page = rng.choice([base, limit]) + rng.choice([-1, 0, 0, 1])
        if rng.random() < 0.5:
            page ^= 1 << rng.randrange(_PAGE_BITS)
        asks = queue if rng.random() < 0.9 else rng.randrange(8)
        ring, process = rng.random() < 0.1, rng.getrandbits(_PROCESS_BITS)
        marks = ring | relative << 1 | process << 2
        asked = page % (1 << _PAGE_BITS) | marks << _PAGE_BITS
        yield _access(_ASK, asks, asked, rng.random() < 0.5)


def key_slots(rng: random.Random, count: int, _size: int) -> list[Job]:
    """Return accesses to the key slots, ``count`` in all; near the end all is wiped."""
    wiped = min(20, count // 4)
    last = [_access(_TAMPER, 0, 0), *_Slots(rng).uses(wiped)][:wiped]
    return [*islice(_key_slots(rng), count - wiped), *last]


def _key_slots(rng: random.Random) -> Iterator[Job]:
    slots = _Slots(rng)
    for queue in range(QUEUES):
        yield _access(_MASK, queue << 9, rng.getrandbits(16) | rng.getrandbits(16))
    for slot in range(SLOTS):
        yield from slots.store(slot)
    yield from slots.uses(60)
    yield _access(_SEAL, 0, 0)
    yield from slots.store(0)  # has no effect any more
    while True:
        yield from slots.unwrap(0 if rng.random() < 0.5 else rng.randrange(SLOTS - 1))
        yield from slots.uses(30)
        if rng.random() < 0.1:
            yield _access(_MASK, rng.randrange(QUEUES) << 9, rng.getrandbits(16))


def made_keys(rng: random.Random, count: int, _size: int) -> list[Job]:
    """Return accesses to the key slots, ``count`` in all, most of them to make keys there."""
    return list(islice(_made_keys(rng), count))


def _made_keys(rng: random.Random) -> Iterator[Job]:
    slots = _Slots(rng)
    for queue in range(QUEUES):
        yield _access(_MASK, queue << 9, rng.getrandbits(16) | rng.getrandbits(16))
    yield from slots.store(_KEK_SLOT)
    while True:
        slot = 0 if rng.random() < 0.8 else rng.randrange(SLOTS - 1)
        yield from slots.make(slot)
        yield from slots.uses(6)
        if rng.random() < 0.1:
            yield from slots.store(slot)
        if rng.random() < 0.2:
            yield _access(_WRITE, slot | _WORDS["ATTRIBUTES"] << 4, 0)


class _Slots:
    """Accesses to key slots, most of them as the policies want them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.policies = [{"opcode": 0, "modes": 0, "key_bytes": 16} for _ in range(SLOTS)]

    def _attributes(self, slot: int) -> int:
        rng, policy = self.rng, self.policies[slot]
        encrypt, decrypt = rng.choice([(1, 0), (0, 1), (1, 1), (1, 1)])
        return _USE.pack(
            valid=1,
            encrypt=encrypt,
            decrypt=decrypt,
            unwrap=slot == _KEK_SLOT,
            contexts=rng.random() < 0.5,
            counted=rng.random() < 0.2,
            nonce=rng.random() < 0.2,
            owners=rng.getrandbits(8) | rng.getrandbits(8),
            opcode=policy["opcode"],
        )

    def _policy(self, slot: int) -> int:
        rng = self.rng
        self.policies[slot] = {
            "opcode": rng.randrange(16),
            "modes": rng.getrandbits(16) | rng.getrandbits(16),
            "key_bytes": rng.choice([16, 16, 24, 32, 64]),
        }
        policy = {name: self.policies[slot][name] for name in ("modes", "key_bytes")}
        return _POLICY.pack(**policy, tag_bytes=rng.choice([0, 0, 16, 127]))

    def store(self, slot: int) -> Iterator[Job]:
        """Write a slot anew."""
        rng = self.rng
        for word in range(16):
            yield _access(_WRITE, slot | word << 4, rng.getrandbits(32))
        yield _access(_WRITE, slot | _WORDS["POLICY"] << 4, self._policy(slot))
        yield _access(_WRITE, slot | _WORDS["USES"] << 4, rng.randrange(100))
        yield _access(_WRITE, slot | _WORDS["ATTRIBUTES"] << 4, self._attributes(slot))

    def unwrap(self, slot: int) -> Iterator[Job]:
        """Unwrap a key; sometimes for another slot, or with a wrong tag."""
        rng = self.rng
        named = slot if rng.random() < 0.7 else rng.choice([rng.randrange(SLOTS), _ANY_SLOT])
        lock = _LOCK if rng.random() < 0.03 else 0
        yield self._use(_KEK_SLOT, slot, unwrap=True)
        policy = self._policy(slot)
        attributes = self._attributes(slot) | lock
        aad = _AAD.pack(attributes=attributes, slot=named, policy=policy, uses=rng.randrange(100))
        yield _access(_UNWRAP, 1 << 14, aad)
        for beat in range(4):
            yield _access(_UNWRAP, beat << 12, rng.getrandbits(128))
        yield from self.uses(rng.randrange(3))
        yield _access(_COMMIT if rng.random() < 0.8 else _DROP, slot, 0)

    def make(self, slot: int) -> Iterator[Job]:
        """Make a key: of nothing, or by agreement; sometimes too little comes of it."""
        rng = self.rng
        agreed = rng.random() < 0.2
        yield self._use(_KEK_SLOT, slot, unwrap=True, made=True, key_bytes=None if agreed else 0)
        policy = self._policy(slot)
        aad = _AAD.pack(
            attributes=self._attributes(slot),
            slot=_ANY_SLOT,
            policy=policy,
            uses=rng.randrange(100),
        )
        yield _access(_UNWRAP, _OF_MADE | 1 << 14, aad)
        for beat in range(1 + (rng.random() < 0.9)):
            yield _access(_UNWRAP, _OF_MADE | beat << 12, rng.getrandbits(128))
        yield from self.uses(rng.randrange(3))
        yield _access(_COMMIT if rng.random() < 0.8 else _DROP, _OF_MADE | slot, 0)

    def uses(self, count: int) -> Iterator[Job]:
        """Ask for keys."""
        rng = self.rng
        for _ in range(count):
            slot, target = (0 if rng.random() < 0.2 else rng.randrange(SLOTS) for _ in range(2))
            yield self._use(slot, target, unwrap=(slot == _KEK_SLOT) != (rng.random() < 0.1))

    def _use(
        self,
        slot: int,
        target: int,
        *,
        unwrap: bool,
        made: bool = False,
        key_bytes: int | None = None,
    ) -> Job:
        rng, policy = self.rng, self.policies[slot]
        modes = [mode for mode in range(16) if policy["modes"] >> mode & 1] or [0]
        asked = {
            "target": target,
            "made": made,
            "token": unwrap and not made and rng.random() < 0.1,
            "unwrap": unwrap,
            "decrypt": rng.getrandbits(1),
            "in_parts": rng.random() < 0.1,
            "tile_nonce": rng.random() < 0.8,
            "output_made": rng.random() < 0.5,
            "sealing": rng.random() < 0.2,
            "keystream": rng.random() < 0.1,
            "tag_full": rng.random() < 0.9,
            "tag_bytes": rng.choice([0, 0, 16]),
            "key_bytes": policy["key_bytes"] if rng.random() < 0.95 else 32,
            "mode": rng.choice(modes) if rng.random() < 0.95 else rng.randrange(16),
            "opcode": policy["opcode"] if rng.random() < 0.95 else rng.randrange(16),
            "generation": 0 if rng.random() < 0.9 else rng.randrange(1, 4),
            "slot": slot,
            "owner": rng.randrange(QUEUES),
        }
        if key_bytes is not None:
            asked["key_bytes"] = key_bytes
        ask = low = 0
        for name, width in REQUEST.items():
            ask |= int(asked[name]) << low
            low += width
        token = rng.random() < 0.05  # asks for the key that is being unwrapped
        return _access(_ASK, rng.randrange(4) << 12 | rng.getrandbits(1) << 15 | token << 16, ask)


KINDS = {
    "tile_control": control,
    "tile_guard": guard,
    "tile_key_slots": key_slots,
    "tile_made_keys": made_keys,
}
