"""What the tile computes, job by job, in Python: for programs and drivers without the RTL.

It reads descriptors, keys and data through a memory and writes results there, as the tile does; it
knows nothing of time, windows and key slots. Contexts of modes that chain by one block are as in
the tile; others hold a number under which the model keeps the message so far.
"""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.hazmat.primitives import cmac, poly1305
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, ChaCha20Poly1305

from cryptile import catalog
from support.keccak import cshake, kmac, sponge

_STATUSES = catalog.statuses().jobs
OK, AUTH, BAD_PARAM = (_STATUSES[name].number for name in ("Ok", "AuthFailed", "BadParam"))
BAD_DESCRIPTOR, WINDOW, KEY_DENIED, BUS_ERROR, ABORTED = (
    _STATUSES[name].number
    for name in ("BadDescriptor", "WindowViolation", "KeyDenied", "BusError", "Aborted")
)
_ENGINES = catalog.engines()
_ALGORITHMS = catalog.algorithms().values()
NOP, COPY, AES, SHA2, KECCAK, CHACHA = (
    engine.opcode.number for engine in _ENGINES.values() if engine.opcode
)
_AES = _ENGINES["aes_modes"].modes
ECB, CBC, CTR, GCM, CCM, CMAC, XTS = (item.number for item in _AES.values())
_HASHLIB = {(alg.engine, alg.mode.number): alg.hashlib for alg in _ALGORITHMS if alg.hashlib}
_KECCAK = {item.number: item for item in _ENGINES["keccak"].modes.values()}


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
        if job.opcode == AES and job.mode == CBC:
            context = (parts.iv + (parts.text if job.decrypt else out))[-16:]
        elif job.opcode == AES and job.mode == CTR:
            blocks = -(-len(parts.text) // 16)
            value = int.from_bytes(parts.iv, "big") + blocks
            context = (value % (1 << 128)).to_bytes(16, "big")
        elif job.opcode == AES and job.mode == ECB:
            context = parts.iv
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
            name = _HASHLIB["sha2", job.mode]
            if job.mode & 8:
                code = hmac.new(self._key(job, job.bits(38, 32)), parts.text, name).digest()
            else:
                code = hashlib.new(name, parts.text).digest()
            return b"", code[: tag_len or None]
        if job.opcode == KECCAK:
            return b"", self._keccak(job, parts, tag_len)
        if job.opcode == CHACHA:
            done = self._chacha(job, parts)
            return done and (done[0], done[1][: tag_len or 16])
        return None

    def _aes(self, job: Descriptor, parts: Parts, tag_len: int) -> tuple[bytes, bytes] | None:
        if job.bits(17, 16) == 3:
            return None
        key_len = 16 + 8 * job.bits(17, 16)
        key = self._key(job, 2 * key_len if job.mode == XTS else key_len)
        text, iv = parts.text, parts.iv
        if job.mode == CMAC:
            code = cmac.CMAC(algorithms.AES(key))
            code.update(text)
            return b"", code.finalize()[:tag_len]
        if job.mode == CCM:
            return self._ccm(job, key, parts, tag_len)
        if (job.mode in (ECB, CBC) and len(text) % 16) or (job.mode == XTS and len(text) < 16):
            return None
        if job.mode == GCM:
            return _gcm(job.decrypt, key, parts, tag_len)
        mode = {
            ECB: modes.ECB, CBC: lambda: modes.CBC(iv), CTR: lambda: modes.CTR(iv),
            XTS: lambda: modes.XTS(iv),
        }[job.mode]()  # fmt: skip
        whole = Cipher(algorithms.AES(key), mode)
        context = whole.decryptor() if job.decrypt else whole.encryptor()
        return context.update(text) + context.finalize(), b""

    def _ccm(
        self, job: Descriptor, key: bytes, parts: Parts, tag_len: int
    ) -> tuple[bytes, bytes] | None:
        nonce = parts.iv[1 : 15 - parts.iv[0]]
        total = int.from_bytes(parts.iv[1 + len(nonce) :], "big")
        if not job.more and total != len(parts.text):
            return None
        cipher = AESCCM(key, tag_len)
        plain = parts.text
        if job.decrypt:
            counter = bytes([parts.iv[0]]) + nonce + bytes(15 - len(nonce))
            first = (int.from_bytes(counter, "big") + 1).to_bytes(16, "big")
            plain = Cipher(algorithms.AES(key), modes.CTR(first)).encryptor().update(plain)
        sealed = cipher.encrypt(nonce, plain, parts.aad)
        out = plain if job.decrypt else sealed[: len(plain)]
        return out, sealed[len(plain) :]

    def _keccak(self, job: Descriptor, parts: Parts, tag_len: int) -> bytes:
        rate, full = _KECCAK[job.mode].block, _KECCAK[job.mode].tag
        if job.mode < 4:
            return sponge(rate, 0x06, parts.text, full)[: tag_len or None]
        length = tag_len or full
        if job.mode < 6:
            return sponge(rate, 0x1F, parts.text, length)
        name, rest = _decode_string(parts.aad)
        custom, rest = _decode_string(rest)
        assert not rest
        if job.mode < 8:
            return cshake(rate, parts.text, length, name, custom)
        assert name == b"KMAC"
        key = self._key(job, job.bits(38, 32))
        return kmac(rate, key, parts.text, length, custom, job.mode >= 10)

    def _chacha(self, job: Descriptor, parts: Parts) -> tuple[bytes, bytes] | None:
        if job.bits(17, 16) != 2:
            return None
        key = self._key(job, 32)
        if job.mode == 0:
            cipher = Cipher(algorithms.ChaCha20(key, parts.iv), None).encryptor()
            return cipher.update(parts.text), b""
        if job.mode == 1:
            return b"", poly1305.Poly1305.generate_tag(key, parts.text)
        nonce = parts.iv[:12]
        plain = parts.text
        if job.decrypt:
            first = (1).to_bytes(4, "little") + nonce
            plain = Cipher(algorithms.ChaCha20(key, first), None).encryptor().update(plain)
        sealed = ChaCha20Poly1305(key).encrypt(nonce, plain, parts.aad)
        return (plain if job.decrypt else sealed[:-16]), sealed[-16:]


def _gcm(decrypt: bool, key: bytes, parts: Parts, tag_len: int) -> tuple[bytes, bytes]:
    """GCM with any length of IV; what comes out does not depend on the tag."""
    blocks = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    subkey = int.from_bytes(blocks.update(bytes(16)), "big")
    first = parts.iv + b"\0\0\0\1"
    if len(parts.iv) != 12:
        first = _ghash(subkey, _pad(parts.iv) + (8 * len(parts.iv)).to_bytes(16, "big"))
    out, counter = b"", int.from_bytes(first[12:], "big")
    for at in range(0, len(parts.text), 16):
        counter = (counter + 1) % (1 << 32)
        mask = blocks.update(first[:12] + counter.to_bytes(4, "big"))
        out += bytes(a ^ b for a, b in zip(parts.text[at : at + 16], mask, strict=False))
    sealed = parts.text if decrypt else out
    lengths = (8 * len(parts.aad)).to_bytes(8, "big") + (8 * len(sealed)).to_bytes(8, "big")
    total = _ghash(subkey, _pad(parts.aad) + _pad(sealed) + lengths)
    tag = bytes(a ^ b for a, b in zip(total, blocks.update(first), strict=True))
    return out, tag[:tag_len]


def _pad(text: bytes) -> bytes:
    return text + bytes(-len(text) % 16)


def _ghash(subkey: int, text: bytes) -> bytes:
    total = 0
    for at in range(0, len(text), 16):
        total ^= int.from_bytes(text[at : at + 16], "big")
        power, product = subkey, 0
        for bit in range(127, -1, -1):
            product ^= power if total >> bit & 1 else 0
            power = power >> 1 ^ (0xE1 << 120 if power & 1 else 0)
        total = product
    return total.to_bytes(16, "big")


def _decode_string(text: bytes) -> tuple[bytes, bytes]:
    """Take an encode_string() of SP 800-185 off the front."""
    head = 1 + text[0]
    length = int.from_bytes(text[1:head], "big") // 8
    return text[head : head + length], text[head + length :]
