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
_SLOT = layout.blocks()["tile_slot"]
_USE = _SLOT.registers["ATTRIBUTES"]
_LOCK = _USE.pack(lock=1)
_ATTRIBUTES = _SLOT.offsets["ATTRIBUTES"] // 4
_AAD = layout.memory()["tile_wrap_aad"]
_KEK_SLOT = SLOTS - 1
_COMMON_BITS, _ADDRESS_BITS = 6, 20
"""Of addresses: what is common to all queues stands first; blocks begin at sums of two powers."""
_EVENTS = 19
"""Interrupt and error of each of eight queues, corrected, detected, tampered with."""


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
        page = rng.choice(windows[queue, window]) + rng.choice([-1, 0, 0, 1])
        if rng.random() < 0.5:
            page ^= 1 << rng.randrange(_PAGE_BITS)
        asks = queue if rng.random() < 0.9 else rng.randrange(8)
        yield _access(_ASK, asks, page % (1 << _PAGE_BITS), rng.random() < 0.5)


def key_slots(rng: random.Random, count: int, _size: int) -> list[Job]:
    """Return accesses to the key slots, ``count`` in all; near the end all is wiped."""
    wiped = min(20, count // 4)
    last = [_access(_TAMPER, 0, 0), *_uses(rng, wiped)][:wiped]
    return [*islice(_key_slots(rng), count - wiped), *last]


def _key_slots(rng: random.Random) -> Iterator[Job]:
    for queue in range(QUEUES):
        yield _access(_MASK, queue << 9, rng.getrandbits(16) | rng.getrandbits(16))
    for slot in range(SLOTS):
        yield from _store(rng, slot)
    yield from _uses(rng, 60)
    yield _access(_SEAL, 0, 0)
    yield from _store(rng, 0)  # has no effect any more
    while True:
        yield from _unwrap(rng, 0 if rng.random() < 0.5 else rng.randrange(SLOTS - 1))
        yield from _uses(rng, 30)
        if rng.random() < 0.1:
            yield _access(_MASK, rng.randrange(QUEUES) << 9, rng.getrandbits(16))


def _attributes(rng: random.Random, kek: bool) -> int:
    encrypt, decrypt = rng.choice([(1, 0), (0, 1), (1, 1), (1, 1)])
    users = rng.getrandbits(24) | rng.getrandbits(24)
    return _USE.pack(
        valid=1,
        encrypt=encrypt,
        decrypt=decrypt,
        unwrap=kek,
        owners=users & 0xFF,
        opcodes=users >> 8,
    )


def _store(rng: random.Random, slot: int) -> Iterator[Job]:
    yield _access(_WRITE, slot | _ATTRIBUTES << 4, 0)
    for word in range(16):
        yield _access(_WRITE, slot | word << 4, rng.getrandbits(32))
    yield _access(_WRITE, slot | _ATTRIBUTES << 4, _attributes(rng, kek=slot == _KEK_SLOT))


def _unwrap(rng: random.Random, slot: int) -> Iterator[Job]:
    """Give a job that unwraps a key; sometimes for another slot, or with a wrong tag."""
    named = slot if rng.random() < 0.8 else rng.randrange(SLOTS)
    lock = _LOCK if rng.random() < 0.03 else 0
    aad = _AAD.pack(attributes=_attributes(rng, kek=False) | lock, slot=named)
    yield _access(_UNWRAP, 1 << 14, aad)
    for beat in range(4):
        yield _access(_UNWRAP, beat << 12, rng.getrandbits(128))
    yield from _uses(rng, rng.randrange(3))
    yield _access(_COMMIT if rng.random() < 0.8 else _DROP, slot, 0)


def _uses(rng: random.Random, count: int) -> Iterator[Job]:
    for _ in range(count):
        slot, target = (0 if rng.random() < 0.2 else rng.randrange(SLOTS) for _ in range(2))
        unwraps = (slot == _KEK_SLOT) != (rng.random() < 0.1)
        ask = target | unwraps << 4 | rng.getrandbits(1) << 5 | rng.getrandbits(4) << 6
        ask |= slot << 10 | rng.randrange(QUEUES) << 14
        yield _access(_ASK, rng.randrange(4) << 12, ask)


KINDS = {"tile_control": control, "tile_guard": guard, "tile_key_slots": key_slots}
