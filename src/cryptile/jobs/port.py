"""The bits of the engine port: ``job_t``, ``key_t`` and ``beat_t`` of ``cry_engine_pkg``."""

import random

from cryptile.catalog import statuses

BLOCK = 16
"""Bytes of a full beat."""

KEY = 32
"""Bytes of a transfer of key."""

MESSAGE, AAD, TAG, CONTEXT = range(4)
"""Kinds of beats."""

OK, AUTH_FAILED, BAD_PARAM, FAULT_CORRECTED, FAULT_DETECTED, INVALID, NO_RANDOM = (
    statuses().jobs[name].number
    for name in (
        "Ok",
        "AuthFailed",
        "BadParam",
        "FaultCorrected",
        "FaultDetected",
        "Refused",
        "NoRandom",
    )
)
"""How jobs end."""

_LAST, _KEEP, _DATA = 2, 3, 19
"""The lowest bits of the fields of a beat above its kind."""


def pack_job(
    *,
    mode: int,
    key_len: int,
    iv: bytes = b"",
    decrypt: bool = False,
    ctx_save: bool = False,
    is_final: bool = True,
    aad_len: int = 0,
    msg_len: int = 0,
    ctx_load: bool = False,
    iv_len: int = 0,
    key_bytes: int = 0,
    out_len: int = 0,
) -> int:
    """Return a ``job_t``."""
    packed = int(ctx_load)
    for value, width in (
        (iv_len, 10),
        (key_bytes, 7),
        (out_len, 32),
        (mode, 4),
        (decrypt, 1),
        (key_len, 2),
        (ctx_save, 1),
        (is_final, 1),
        (int.from_bytes(iv, "little"), 128),
        (aad_len, 32),
        (msg_len, 32),
    ):
        packed = packed << width | int(value)
    return packed


def pack_key(key: bytes) -> list[int]:
    """Return the transfers of a key."""
    return [int.from_bytes(key[i : i + KEY], "little") for i in range(0, len(key), KEY)]


def pack_beat(data: bytes, kind: int = MESSAGE, *, last: bool = True) -> int:
    """Return a ``beat_t`` of up to 16 bytes."""
    keep = (1 << len(data)) - 1
    return int.from_bytes(data, "little") << _DATA | keep << _KEEP | int(last) << _LAST | kind


def pack_beats(data: bytes, kind: int = MESSAGE) -> list[int]:
    """Return the beats of bytes of one kind."""
    return [
        pack_beat(data[at : at + BLOCK], kind, last=at + BLOCK >= len(data))
        for at in range(0, len(data), BLOCK)
    ]


def kind_of(beat: int) -> int:
    """Return what a beat is part of."""
    return beat & (1 << _LAST) - 1


def size_of(beat: int) -> int:
    """Return how many bytes of a beat are kept."""
    return (beat >> _KEEP & (1 << BLOCK) - 1).bit_count()


def bytes_of(beat: int) -> bytes:
    """Return the bytes of a beat that are kept."""
    return (beat >> _DATA).to_bytes(BLOCK, "little")[: size_of(beat)]


def with_garbage(beat: int, rng: random.Random) -> int:
    """Return a beat with anything in the bytes that are not kept."""
    size = size_of(beat)
    return beat | rng.getrandbits(8 * (BLOCK - size)) << _DATA + 8 * size
