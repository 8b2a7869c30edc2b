"""What the tile computes, job by job, in Python: for programs and drivers without the RTL.

It reads descriptors, keys and data through a memory and writes results there, as the tile does; it
knows nothing of time, windows and key slots. Contexts of modes that chain by one block are as in
the tile; others hold a number under which the model keeps the message so far.
"""

from collections.abc import Callable
from dataclasses import dataclass

from cryptile import catalog
from cryptile.jobs.oracle import aes, chacha20poly1305, keccak, sha2
from cryptile.jobs.oracle.aes import CBC, CCM, CTR, ECB, GCM, XTS

_STATUSES = catalog.statuses().jobs
OK, AUTH, BAD_PARAM = (_STATUSES[name].number for name in ("Ok", "AuthFailed", "BadParam"))
BAD_DESCRIPTOR, WINDOW, KEY_DENIED, BUS_ERROR, ABORTED = (
    _STATUSES[name].number
    for name in ("BadDescriptor", "WindowViolation", "KeyDenied", "BusError", "Aborted")
)
NOP, COPY, AES, SHA2, KECCAK, CHACHA = (
    engine.opcode.number for engine in catalog.engines().values() if engine.opcode
)


@dataclass(frozen=True)
class Descriptor:
    """A descriptor with its extension, taken apart."""

    words: tuple[int, ...]

    def bits(self, high: int, low: int, word: int = 0) -> int:
        """Return a field of a word."""
        return self.words[word] >> low & (1 << high - low + 1) - 1

    @property
    def opcode(self) -> int:
        """The engine."""
        return self.bits(7, 0)

    @property
    def mode(self) -> int:
        """The engine's mode."""
        return self.bits(11, 8)

    @property
    def decrypt(self) -> bool:
        """Decrypt or verify."""
        return bool(self.bits(12, 12))

    @property
    def more(self) -> bool:
        """Other parts of the message follow."""
        return bool(self.bits(15, 15))


@dataclass
class Parts:
    """What a message has had so far."""

    aad: bytes = b""
    text: bytes = b""
    iv: bytes = b""


class Memory:
    """Bytes by address."""

    def __init__(
        self, read: Callable[[int, int], bytes], write: Callable[[int, bytes], None]
    ) -> None:
        self.read, self.write = read, write


class Tile:
    """The engines, and the messages that are being worked on in parts."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._saved: dict[bytes, Parts] = {}

    def run(self, job: Descriptor) -> tuple[int, int]:
        """Do a job; return its status and the bytes written."""
        memory = self.memory
        source, target, aad_at = job.words[1], job.words[2], job.words[6]
        length, aad_len = job.bits(31, 0, 3), job.bits(63, 32, 3)
        text = self._gather(source, length, bool(job.bits(19, 19)))
        if job.opcode == NOP:
            return OK, 0
        if job.opcode == COPY:
            self._scatter(target, text, bool(job.bits(20, 20)))
            return OK, length
        parts, skip = self._parts(job), 0
        if parts is not None:
            skip = len(parts.text)
        else:
            parts = Parts(iv=self._iv(job))
        parts = Parts(parts.aad + memory.read(aad_at, aad_len), parts.text + text, parts.iv)
        tag_at, tag_len = job.bits(55, 0, 7), job.bits(63, 56, 7)
        if job.opcode == KECCAK and job.bits(31, 0, 4):
            tag_len = job.bits(31, 0, 4)
        done = self._compute(job, parts, tag_len)
        if done is None:
            return BAD_PARAM, 0
        out, tag = done
        fresh = out[skip:]
        self._scatter(target, fresh, bool(job.bits(20, 20)))
        if job.bits(14, 14):
            self._save(job, parts, out)
            return OK, len(fresh)
        if job.more or not tag:
            return OK, len(fresh)
        if job.decrypt:
            if memory.read(tag_at, len(tag)) == tag:
                return OK, len(fresh)
            if not job.bits(39, 39):
                self._scatter(target, bytes(len(fresh)), bool(job.bits(20, 20)))
            return AUTH, len(fresh)
        memory.write(tag_at, tag)
        return OK, len(fresh) + len(tag)

    def _gather(self, at: int, length: int, listed: bool) -> bytes:
        if not listed:
            return self.memory.read(at, length)
        found = b""
        while len(found) < length:
            entry = self.memory.read(at, 16)
            found += self.memory.read(
                int.from_bytes(entry[:8], "little"), int.from_bytes(entry[8:12], "little")
            )
            at += 16
        return found[:length]

    def _scatter(self, at: int, data: bytes, listed: bool) -> None:
        if not listed:
            self.memory.write(at, data)
            return
        while data:
            entry = self.memory.read(at, 16)
            room = int.from_bytes(entry[8:12], "little")
            self.memory.write(int.from_bytes(entry[:8], "little"), data[:room])
            data, at = data[room:], at + 16

    def _iv(self, job: Descriptor) -> bytes:
        short = b"".join(word.to_bytes(8, "little") for word in job.words[4:6])
        length = job.bits(57, 48)
        if job.opcode == AES and job.mode == GCM:
            return self.memory.read(job.words[10], length) if length not in (0, 12) else short[:12]
        return short

    def _parts(self, job: Descriptor) -> Parts | None:
        if not job.bits(13, 13):
            return None
        context = self.memory.read(job.words[9], 16)
        if job.opcode == AES and job.mode in (ECB, CBC, CTR):
            return Parts(iv=context)
        return self._saved[context]

    def _save(self, job: Descriptor, parts: Parts, out: bytes) -> None:
        if job.opcode == AES and job.mode in (ECB, CBC, CTR):
            ciphertext = parts.text if job.decrypt else out
            context = aes.next_iv(job.mode, b"", parts.iv, ciphertext)
        else:
            context = len(self._saved).to_bytes(16, "little")
            self._saved[context] = parts
        self.memory.write(job.words[9], context)

    def _key(self, job: Descriptor, length: int) -> bytes:
        return self.memory.read(job.words[8], length)

    def _compute(self, job: Descriptor, parts: Parts, tag_len: int) -> tuple[bytes, bytes] | None:
        """Return output of the whole message so far, and the tag; None for a bad parameter."""
        if job.opcode == AES:
            return self._aes(job, parts, tag_len or 16)
        if job.opcode == SHA2:
            key = self._key(job, job.bits(38, 32)) if job.mode & sha2.HMAC else None
            return b"", sha2.digest(job.mode & ~sha2.HMAC, parts.text, key)[: tag_len or None]
        if job.opcode == KECCAK:
            return b"", self._keccak(job, parts, tag_len)
        if job.opcode == CHACHA:
            return self._chacha(job, parts, tag_len or 16)
        return None

    def _aes(self, job: Descriptor, parts: Parts, tag_len: int) -> tuple[bytes, bytes] | None:
        if job.bits(17, 16) == 3:
            return None
        key_len = 16 + 8 * job.bits(17, 16)
        key = self._key(job, 2 * key_len if job.mode == XTS else key_len)
        text, iv = parts.text, parts.iv
        if (job.mode in (ECB, CBC) and len(text) % 16) or (job.mode == XTS and len(text) < 16):
            return None
        if job.mode == CCM:
            nonce = iv[1 : 15 - iv[0]]
            if not job.more and int.from_bytes(iv[1 + len(nonce) :], "big") != len(text):
                return None
            iv = nonce
        return aes.crypt(job.mode, key, iv, text, parts.aad, decrypt=job.decrypt, tag_len=tag_len)

    def _keccak(self, job: Descriptor, parts: Parts, tag_len: int) -> bytes:
        key = b""
        if job.mode >= keccak.KMAC128:
            key = self._key(job, job.bits(38, 32))
        return keccak.digest(job.mode, parts.text, tag_len or keccak.FULL[job.mode], parts.aad, key)

    def _chacha(self, job: Descriptor, parts: Parts, tag_len: int) -> tuple[bytes, bytes] | None:
        if job.bits(17, 16) != 2:
            return None
        out, tag = chacha20poly1305.crypt(
            job.mode, self._key(job, 32), parts.iv, parts.text, parts.aad, decrypt=job.decrypt
        )
        return out, tag[:tag_len]
