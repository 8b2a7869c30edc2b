"""Jobs for the AES engine of all modes."""

import random
from dataclasses import replace

from cryptile.catalog import engines
from cryptile.jobs.job import Job
from cryptile.jobs.oracle import aes_parts
from cryptile.jobs.oracle.aes import (
    CBC,
    CCM,
    CMAC,
    CTR,
    ECB,
    GCM,
    TAGGED,
    XTS,
    crypt,
    next_iv,
)
from cryptile.jobs.outcome import REFUSED, Outcome, judged
from cryptile.jobs.port import BLOCK, KEY, OK

_TAGS = {
    GCM: (4, 8, *range(12, BLOCK + 1)),
    CCM: range(4, BLOCK + 1, 2),
    CMAC: range(1, BLOCK + 1),
}
"""Bytes of tags that the engine makes."""

_CONTEXT_BEATS = {item.number: item.context for item in engines()["aes_modes"].modes.values()}


def aes_modes(rng: random.Random, count: int, size: int) -> list[Job]:
    """One long message in CTR, or short ones in every mode, key length and direction, and in parts.

    All of 16 bytes or more, as XTS wants.
    """
    if count == 1:
        return [Job(CTR, False, 0, rng.randbytes(16), rng.randbytes(size), rng.randbytes(32))]
    return [_random_job(rng, max(size, BLOCK)) for _ in range(count)]


def _random_job(rng: random.Random, size: int) -> Job:
    mode = rng.choice([ECB, CBC, CTR, GCM, GCM, CCM, CCM, CMAC, XTS, XTS])
    key_len = rng.choice([0, 2]) if mode == XTS else rng.choice([0, 1, 2])
    if rng.random() < 0.03:
        return Job(rng.randrange(7, 16), False, key_len, bytes(16), b"", None, refused=True)
    context = b""
    if rng.random() < 0.2:
        context = rng.randbytes(BLOCK * _CONTEXT_BEATS[mode])
    more = rng.random() < 0.2
    length = rng.randint(BLOCK if mode == XTS else 0, size)
    if mode in (ECB, CBC) or more:
        length -= length % BLOCK
    if mode == CMAC and context:
        length = max(length, BLOCK if more else 1)
    message, decrypt = rng.randbytes(length), rng.random() < 0.5
    key = rng.randbytes(64 if mode == XTS else 32)
    if mode not in (GCM, CCM, CMAC):
        return Job(
            mode,
            decrypt,
            key_len,
            rng.randbytes(16),
            message,
            key if message else None,
            ctx_save=more,
            is_final=rng.random() < 0.5,
            context=context,
        )
    if mode == CMAC:
        job: Job = Job(mode, decrypt, key_len, bytes(16), message, key, context=context)
    elif mode == CCM:
        job = _ccm(rng, decrypt, key_len, message, key, context)
    else:
        job = _gcm(rng, decrypt, key_len, message, key, context)
    if mode in (GCM, CCM) and (mode == GCM or not context) and rng.random() < 0.6:
        job = replace(job, aad=rng.randbytes(rng.randint(1, size)))
    if more:
        if not message:
            job = replace(job, aad=job.aad[: len(job.aad) // BLOCK * BLOCK])
        return replace(job, ctx_save=True, is_final=False)
    job = replace(job, out_len=rng.choice([0, rng.choice(_TAGS[mode])]))
    if decrypt:
        tag = bytearray(rng.randbytes(16) if context else _whole(job)[0])[: job.out_len or BLOCK]
        if rng.random() < 0.3:
            tag[rng.randrange(len(tag))] ^= 1 << rng.randrange(8)
        job = replace(job, tag=bytes(tag))
    return job


def _gcm(
    rng: random.Random, decrypt: bool, key_len: int, message: bytes, key: bytes, context: bytes
) -> Job:
    if context or rng.random() < 0.7:
        iv = rng.randbytes(12) + bytes(4)
        return Job(GCM, decrypt, key_len, iv, message, key, context=context)
    long_iv = rng.randbytes(rng.choice([8, 16, 20]))
    return Job(GCM, decrypt, key_len, bytes(16), message, key, long_iv=long_iv)


def _ccm(
    rng: random.Random, decrypt: bool, key_len: int, message: bytes, key: bytes, context: bytes
) -> Job:
    # The field of the length must hold it.
    width = max(rng.randint(2, 8), -(-len(message).bit_length() // 8))
    iv = bytes([width - 1]) + rng.randbytes(15 - width) + len(message).to_bytes(width, "big")
    return Job(CCM, decrypt, key_len, iv, message, key, context=context)


def _whole(job: Job) -> tuple[bytes, bytes]:
    """Return tag and message of a whole message in a mode with a tag."""
    key, tag_len = (job.key or b"")[: 16 + 8 * job.key_len], job.out_len or BLOCK
    message, tag = crypt(
        job.mode, key, _nonce(job), job.message, job.aad, decrypt=job.decrypt, tag_len=tag_len
    )
    return tag, message


def aes_modes_outcome(job: Job) -> Outcome:
    """Return what a job gives."""
    if job.refused:
        return REFUSED
    size, both = 16 + 8 * job.key_len, job.key or b""
    key = both[:size]
    if job.mode == XTS:
        return _xts_outcome(job, key, both[KEY : KEY + size])
    if job.mode not in TAGGED:
        iv = job.context or job.iv
        message, _ = crypt(job.mode, key, iv, job.message, decrypt=job.decrypt)
        sealed = job.message if job.decrypt else message
        context = next_iv(job.mode, key, iv, sealed) if job.ctx_save else b""
        return Outcome(OK, message, context=context)
    if job.context or job.ctx_save:
        message, end = _part(job, key)
        if job.ctx_save:
            return Outcome(OK, message, context=end)
        return judged(job, end[: job.out_len or BLOCK], message)
    return judged(job, *_whole(job))


def _xts_outcome(job: Job, key: bytes, tweak_key: bytes) -> Outcome:
    if job.context:
        message, after = aes_parts.xts(key, job.context, job.message, decrypt=job.decrypt)
    else:
        both = key + tweak_key
        message, _ = crypt(XTS, both, job.iv, job.message, decrypt=job.decrypt)
        after = next_iv(XTS, both, job.iv, job.message)
    return Outcome(OK, message, context=after if job.ctx_save else b"")


def _part(job: Job, key: bytes) -> tuple[bytes, bytes]:
    """Return message, and tag or context, of a part of a message in a mode with a tag."""
    ends, data = not job.ctx_save, job.message
    if job.mode == GCM:
        context = job.context or aes_parts.gcm_begin(key, _nonce(job))
        return aes_parts.gcm(key, context, data, job.aad, decrypt=job.decrypt, ends=ends)
    if job.mode == CCM:
        context = job.context or aes_parts.ccm_begin(key, job.iv, job.aad, job.out_len or BLOCK)
        return aes_parts.ccm(key, context, data, decrypt=job.decrypt, ends=ends)
    return b"", aes_parts.cmac(key, job.context or bytes(BLOCK), data, ends=ends)


def _nonce(job: Job) -> bytes:
    """Return the nonce of GCM or CCM."""
    return job.iv[1 : 15 - job.iv[0]] if job.mode == CCM else job.long_iv or job.iv[:12]


def _measured_gcm(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, nonce, message = rng.randbytes(16), rng.randbytes(12), rng.randbytes(size)
    return Job(GCM, False, 0, nonce, message, key), b"".join(crypt(GCM, key, nonce, message))


KINDS = {"aes_modes": aes_modes}
OUTCOMES = {"aes_modes": aes_modes_outcome}
MEASURED = {"aes-128-gcm": (_measured_gcm, 4)}
