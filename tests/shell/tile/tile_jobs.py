"""Random jobs of every algorithm, placed in a queue's memory.

A job is asked for by a name of ALGORITHMS. For engines that have no method here those are the names
of the catalogue, and its families say what such a job takes.
"""

import dataclasses
import os
from itertools import pairwise

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from support.aes_keys import expanded
from support.tile_model import (
    AES,
    CBC,
    CCM,
    CHACHA,
    COPY,
    CTR,
    ECB,
    GCM,
    KECCAK,
    MODES,
    NOP,
    SG_ENTRY,
    SHA2,
    XTS,
)
from tile_bench import Job

from cryptile import catalog
from cryptile.catalog import Key
from cryptile.jobs.oracle.aes import CMAC

AES_MODES = {"ecb": ECB, "cbc": CBC, "ctr": CTR, "gcm": GCM, "ccm": CCM, "cmac": CMAC, "xts": XTS}
OTHERS = {
    name: alg
    for name, alg in catalog.algorithms().items()
    if alg.opcode.number not in (AES, SHA2, KECCAK, CHACHA)
}
_EVERY = ("nop", "copy", *AES_MODES, "sha2", "hmac", "sha3", "cshake", "kmac",
          "chacha20", "poly1305", "chacha20-poly1305", *OTHERS)  # fmt: skip
ALGORITHMS = tuple(os.environ.get("CRYPTILE_ALGORITHMS", ",".join(_EVERY)).split(","))
"""What a bench has jobs of."""
_OTHER_AEADS = {name for name, alg in OTHERS.items() if alg.family.aad == "data"}
AEADS = [name for name in ALGORITHMS if name in {"gcm", "ccm", "chacha20-poly1305", *_OTHER_AEADS}]
NAMES = {"nop": NOP, "copy": COPY, "sha2": SHA2, "hmac": SHA2}


def size(rng):
    """Mostly short, often at the edges of blocks."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice((0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129))
    return rng.randrange(600) if kind == 1 else rng.randrange(160)


def words(rng, length):
    """Cuts of some bytes into pieces of about a word, or of none."""
    at, found = 0, []
    while at < length:
        found.append(at)
        at += rng.choice((0, 1, 15, 16, 17))
    return found


def pieces(queue, rng, at, length):
    """An SG list for a buffer: the same bytes in several pieces, in their order."""
    number = rng.randrange(4) if length > 1 else 0
    cuts = sorted({rng.randrange(1, length) for _ in range(number)})
    edges = [0, *(cuts if rng.randrange(3) else words(rng, length)), length]
    spans = [(at + a, b - a) for a, b in pairwise(edges)] or [(at, length)]
    data = bytearray()
    for number, (address, span) in enumerate(spans):
        last = number + 1 == len(spans)
        data += SG_ENTRY.encode(address=queue.name(address), length=span, last=last)
    return queue.place(bytes(data), 16)


def derived(key):
    """The round keys that AES makes of a key of 16 bytes."""
    return expanded(key)


def make_token(kek, iv, secret, aad):
    """A key as a token: wrapped under another, with what it may be used for."""
    return aad + iv + AESGCM(kek).encrypt(iv, secret, aad)


def gcm_row(queue, rng, *, aad=20, length=50, **more):
    """A row of GCM, with room for what it makes."""
    whole = queue.place(rng.randbytes(aad + length + 16), 16, 3)
    key, out = queue.place(rng.randbytes(16)), queue.place(bytes(aad + length + 16), 16, 5)
    return Job(
        AES,
        GCM,
        row=1,
        key=key,
        iv=rng.randbytes(12) + bytes(4),
        src=whole,
        dst=out,
        length=length,
        aad_len=aad,
        **more,
    )


class Maker:
    """Makes jobs for a queue."""

    def __init__(self, queue, rng):
        self.queue, self.rng = queue, rng

    def bytes(self, length):
        """Random bytes at a random place."""
        return self.queue.place(self.rng.randbytes(length), 16, self.rng.randrange(16))

    @staticmethod
    def makes_output(job):
        """Whether the message comes out again."""
        return MODES[job.opcode, job.mode].output

    def room(self, length):
        return self.bytes(length)

    def job(self, name, *, decrypt=None):
        """A job of an algorithm. Half of those that verify have the right tag."""
        rng = self.rng
        if name in OTHERS:
            job = self._other(OTHERS[name])
        else:
            job = getattr(self, "_" + name.replace("-", "_"), self._plain)(name)
        job.irq = rng.randrange(2)
        wants = rng.randrange(2) if decrypt is None else decrypt
        if wants and MODES[job.opcode, job.mode].key is not Key.none:
            job = self._reverse(job, name)
        if job.length and rng.randrange(4) == 0:
            job.src, job.src_list = pieces(self.queue, rng, job.src, job.length), 1
        if job.length and job.dst and rng.randrange(4) == 0:
            job.dst, job.dst_list = pieces(self.queue, rng, job.dst, job.length), 1
        return job

    def spread(self, job):
        """The same job with its data as Linux has it: an AEAD's in a row, or associated data in a
        list."""
        mode, rng = MODES[job.opcode, job.mode], self.rng
        if not job.aad_len and not (mode.output and mode.tag):
            return job
        read = self.queue.bench.memory.read
        if job.src_list or job.dst_list or not (mode.output and mode.tag) or rng.randrange(3) == 0:
            if job.aad_len:
                job.aad, job.aad_list = pieces(self.queue, rng, job.aad, job.aad_len), 1
            return job
        tag = job.tag_len or mode.tag
        source = read(job.aad, job.aad_len) + read(job.src, job.length)
        source += read(job.tag, tag) if job.decrypt else b""
        room = len(source) + (0 if job.decrypt else tag)
        in_place = rng.randrange(3) == 0
        job.row, job.aad, job.tag = 1, 0, 0
        job.src = self.queue.place(source + bytes(room - len(source)), 16, rng.randrange(16))
        job.dst = job.src if in_place else self.bytes(job.aad_len + job.length + tag)
        length = len(source)
        if in_place and rng.randrange(2):
            job.src = job.dst = pieces(self.queue, rng, job.src, room)
            job.src_list = job.dst_list = 1
            return job
        if rng.randrange(2):
            job.src, job.src_list = pieces(self.queue, rng, job.src, length), 1
        if rng.randrange(2):
            length = job.aad_len + job.length + (0 if job.decrypt else tag)
            job.dst, job.dst_list = pieces(self.queue, rng, job.dst, length), 1
        return job

    def _reverse(self, job, name):
        """The job that takes what this one makes."""
        _, changed = self.queue.bench.expect(job)
        back = dataclasses.replace(job, decrypt=1)
        if job.dst:
            out = bytes(changed[job.dst + at] for at in range(job.length)) if job.length else b""
            back.src, back.dst = self.queue.place(out, 16, self.rng.randrange(16)), job.src
        if job.tag:
            tag = bytearray()
            while job.tag + len(tag) in changed:
                tag.append(changed[job.tag + len(tag)])
            if self.rng.randrange(2):
                tag[self.rng.randrange(len(tag))] ^= 1 << self.rng.randrange(8)
            back.tag = self.queue.place(bytes(tag), 16, self.rng.randrange(16))
        if name == "chacha20":
            back.decrypt = 0  # one direction
        return back

    def message(self, job, length):
        """Give a job a message and room for what comes of it."""
        job.length, job.src, job.dst = length, self.bytes(length), self.room(length)
        return job

    def _plain(self, name):
        job = Job(opcode=NAMES.get(name, NOP))
        return self.message(job, size(self.rng)) if name == "copy" else job

    def _aes(self, name, length):
        rng = self.rng
        job = Job(AES, AES_MODES[name], key_len=rng.randrange(3), iv=rng.randbytes(16))
        job.key = self.bytes((16 + 8 * job.key_len) * (2 if name == "xts" else 1))
        return self.message(job, length)

    def _ecb(self, name):
        return self._aes(name, size(self.rng) & ~15)

    _cbc = _ecb

    def _ctr(self, name):
        return self._aes(name, size(self.rng))

    def _xts(self, name):
        job = self._aes(name, 16 + size(self.rng))
        if job.key_len == 1:
            job.key_len = 2
            job.key = self.bytes(64)
        return job

    def _tag(self, job, lengths):
        job.tag_len = self.rng.choice((0, *lengths))
        job.tag = self.room(job.tag_len or 64)
        return job

    def _aad(self, job):
        job.aad_len = size(self.rng)
        job.aad = self.bytes(job.aad_len)
        return job

    def _gcm(self, name):
        job = self._aad(self._tag(self._aes(name, size(self.rng)), (4, 8, 12, 13, 15)))
        if self.rng.randrange(3) == 0:
            job.iv_len = self.rng.randrange(8, 80)
            job.long_iv = self.bytes(job.iv_len)
        return job

    def _ccm(self, name):
        job = self._aad(self._tag(self._aes(name, size(self.rng)), (4, 6, 8, 14)))
        octets = self.rng.randrange(2, 9)
        nonce = self.rng.randbytes(15 - octets)
        job.iv = bytes([octets - 1]) + nonce + job.length.to_bytes(octets, "big")
        return job

    def _cmac(self, name):
        job = self._tag(self._aes(name, size(self.rng)), (4, 8, 12))
        job.dst = 0
        return job

    def _hash(self, opcode, mode):
        job = self.message(Job(opcode, mode), size(self.rng))
        job.dst = 0
        return job

    def _sha2(self, _):
        return self._tag(self._hash(SHA2, self.rng.randrange(6)), (16, 20))

    def _mac_key(self, job):
        job.key_bytes = self.rng.choice((0, 1, 16, 31, 32, 33, 63, 64))
        job.key = self.bytes(job.key_bytes)
        return job

    def _hmac(self, _):
        return self._mac_key(self._tag(self._hash(SHA2, 8 + self.rng.randrange(6)), (16, 20)))

    def _sha3(self, _):
        job = self._tag(self._hash(KECCAK, self.rng.randrange(6)), (16, 20))
        if job.mode >= 4:
            self._output(job)
        return job

    def _output(self, job):
        length = self.rng.randrange(1, 500)
        job.iv = length.to_bytes(4, "little") + bytes(12)
        job.tag_len, job.tag = 0, self.room(length)

    def _strings(self, job, function):
        custom = self.rng.randbytes(self.rng.randrange(20))
        encoded = b"".join(b"\x01" + bytes([8 * len(text)]) + text for text in (function, custom))
        job.aad_len, job.aad = len(encoded), self.bytes(len(encoded))
        self.queue.bench.memory.write(job.aad, encoded)
        return job

    def _cshake(self, _):
        job = self._strings(self._hash(KECCAK, 6 + self.rng.randrange(2)), b"name")
        self._output(job)
        return job

    def _kmac(self, _):
        job = self._strings(self._hash(KECCAK, 8 + self.rng.randrange(4)), b"KMAC")
        self._output(job)
        return self._mac_key(job)

    def _chacha20(self, _):
        job = Job(CHACHA, 0, key_len=2, iv=self.rng.randbytes(16), key=self.bytes(32))
        job.iv = self.rng.randrange(1000).to_bytes(4, "little") + job.iv[4:]
        return self.message(job, size(self.rng))

    def _poly1305(self, _):
        job = self._hash(CHACHA, 1)
        job.key_len, job.key = 2, self.bytes(32)
        return self._tag(job, (4, 12))

    def _chacha20_poly1305(self, _):
        job = Job(CHACHA, 2, key_len=2, iv=self.rng.randbytes(16), key=self.bytes(32))
        return self._aad(self._tag(self.message(job, size(self.rng)), (4, 12)))

    def _other(self, alg):
        """A job of an algorithm as its family in the catalogue says."""
        rng, family = self.rng, alg.family
        job = Job(alg.opcode.number, alg.mode.number)
        if alg.mode.iv:
            job.iv = rng.randbytes(16)
        if alg.key:
            job.key = self.bytes(alg.key)
        if alg.mode.key is Key.sized:
            job.key_len = alg.key // 8 - 2
        self.message(job, size(rng) // family.whole * family.whole)
        if not alg.mode.output:
            job.dst = 0
        if family.aad:
            job.aad_len = rng.randrange(257) if family.aad == "custom" else size(rng)
            job.aad = self.bytes(job.aad_len)
        if family.kind == "xof":
            self._output(job)
        elif alg.mode.tag:
            self._tag(job, (alg.mode.tag // 2, alg.mode.tag - 4))
        return job
