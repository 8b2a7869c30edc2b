"""What the tile computes, job by job, in Python: for programs and drivers without the RTL.

It reads descriptors, keys and data through a memory and writes results there, as the tile does; it
knows nothing of time, windows and key slots. Four engines it computes itself, whole messages at a
time: contexts of their modes that chain by one block are as in the tile; others hold a number under
which the model keeps the message so far. Other engines are what `cryptile.jobs` says of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from cryptile import catalog, layout
from cryptile.jobs import found, port
from cryptile.jobs.job import Job
from cryptile.jobs.oracle import aes, chacha20poly1305, keccak, sha2
from cryptile.jobs.oracle.aes import CBC, CCM, CTR, ECB, GCM, XTS

_STATUSES = catalog.statuses().jobs
OK, AUTH, BAD_PARAM, REFUSED, NO_RANDOM = (
    _STATUSES[name].number for name in ("Ok", "AuthFailed", "BadParam", "Refused", "NoRandom")
)
BAD_DESCRIPTOR, WINDOW, KEY_DENIED, BUS_ERROR, ABORTED = (
    _STATUSES[name].number
    for name in ("BadDescriptor", "WindowViolation", "KeyDenied", "BusError", "Aborted")
)
OPCODES = {
    name: engine.opcode.number for name, engine in catalog.engines().items() if engine.opcode
}
"""By engine."""
NOP, COPY, AES, SHA2, KECCAK, CHACHA = (
    OPCODES[name] for name in ("nop", "copy", "aes_modes", "sha2", "keccak", "chacha20poly1305")
)
MODES = {
    (engine.opcode.number, item.number): item
    for engine in catalog.engines().values()
    if engine.opcode
    for item in engine.modes.values()
}
"""What the catalogue says of each mode, by opcode and number."""

DEFAULT_MODES = {
    (engine.opcode.number, item.number): item
    for engine in catalog.engines().values()
    if engine.opcode and not engine.opcode.random
    for item in engine.modes.values()
}
"""Those of the engines that a tile has if nothing else is said."""


def find(**wanted: object) -> tuple[int, int]:
    """Return opcode and number of the first mode that the catalogue says all this of."""
    return next(
        at
        for at, mode in DEFAULT_MODES.items()
        if at[0] != NOP and all(getattr(mode, name) == value for name, value in wanted.items())
    )


DESCRIPTOR, EXTENSION, OUTPUT, SG_ENTRY, COMPLETION, WRAP_AAD = (
    layout.memory()[f"tile_{name}"]
    for name in ("descriptor", "extension", "output", "sg_entry", "completion", "wrap_aad")
)


@dataclass(frozen=True)
class Descriptor:
    """A descriptor with its extension, taken apart."""

    fields: dict[str, int]

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Take one or two entries of a ring apart."""
        return cls(DESCRIPTOR.decode(data[:64]) | EXTENSION.decode(data[64:]))

    def __getitem__(self, name: str) -> int:
        return self.fields[name]

    @property
    def opcode(self) -> int:
        """The engine."""
        return self["opcode"]

    @property
    def mode(self) -> int:
        """The engine's mode."""
        return self["mode"]

    @property
    def decrypt(self) -> bool:
        """Decrypt or verify."""
        return bool(self["decrypt"])

    @property
    def more(self) -> bool:
        """Other parts of the message follow."""
        return bool(self["more"])

    @property
    def output_len(self) -> int:
        """Bytes of output, of modes with ``long_tag``."""
        return OUTPUT.unpack(self["iv"])["output_len"]

    @property
    def out_len(self) -> int:
        """Bytes of tag or output that are asked for; 0: all."""
        mode = MODES.get((self.opcode, self.mode))
        return (mode and mode.long_tag and self.output_len) or self["tag_len"]

    @property
    def tag_bytes(self) -> int:
        """Bytes of tag or output; 0: the mode has none."""
        mode = MODES.get((self.opcode, self.mode))
        return (self.out_len or mode.tag or 0) if mode else 0


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
        aad, text, given = self._sections(job)
        if job.opcode == NOP:
            return OK, 0
        if job.opcode == COPY:
            self._write(job, text)
            return OK, len(text)
        if job.opcode not in (AES, SHA2, KECCAK, CHACHA):
            return self._by_port(job, aad, text, given)
        parts, skip = self._parts(job), 0
        if parts is not None:
            skip = len(parts.text)
        else:
            parts = Parts(iv=self._iv(job))
        parts = Parts(parts.aad + aad, parts.text + text, parts.iv)
        done = self._compute(job, parts, job.out_len)
        if done is None:
            return BAD_PARAM, 0
        out, tag = done
        fresh = out[skip:]
        self._write(job, fresh)
        if job["ctx_save"]:
            self._save(job, parts, out)
            return OK, len(fresh)
        if job.more or not tag:
            return OK, len(fresh)
        if job.decrypt:
            if given == tag:
                return OK, len(fresh)
            if not job["unwrap"]:
                self._write(job, bytes(len(fresh)))
            return AUTH, len(fresh)
        self._write(job, fresh, tag)
        return OK, len(fresh) + len(tag)

    def _sections(self, job: Descriptor) -> tuple[bytes, bytes, bytes]:
        """Read associated data, message, and the tag if it is to be compared."""
        source, length, aad_len = job["src_addr"], job["msg_len"], job["aad_len"]
        tag_len = job.tag_bytes if job.decrypt and not job.more else 0
        if job["row"]:
            data = self._gather(source, aad_len + length + tag_len, bool(job["src_list"]))
            return data[:aad_len], data[aad_len:][:length], data[aad_len + length :]
        return (
            self._gather(job["aad_addr"], aad_len, bool(job["aad_list"])),
            self._gather(source, length, bool(job["src_list"])),
            self.memory.read(job["tag_addr"], tag_len),
        )

    def _write(self, job: Descriptor, message: bytes, tag: bytes = b"") -> None:
        """Write a message, and the tag behind it or in its own place."""
        row = bool(job["row"])
        skip = job["aad_len"] if row else 0
        data = message + tag if row else message
        self._scatter(job["dst_addr"], data, bool(job["dst_list"]), skip)
        if not row:
            self.memory.write(job["tag_addr"], tag)

    def _by_port(self, job: Descriptor, aad: bytes, text: bytes, given: bytes) -> tuple[int, int]:
        """Do a job of an engine that `cryptile.jobs` computes as it stands on its port."""
        (name,) = (name for name, number in OPCODES.items() if number == job.opcode)
        mode, select = MODES.get((job.opcode, job.mode)), catalog.engines()[name].select
        if mode is None:
            return BAD_PARAM, 0
        sized = mode.key is catalog.Key.sized
        key_len = 16 + 8 * job["key_len"] if sized else 32
        if mode.key is catalog.Key.bytes:
            key_len = job["key_bytes"]
        if sized and select and key_len not in select.keys:
            return BAD_PARAM, 0
        outcome = found.outcomes()[name](
            Job(
                mode=job.mode,
                decrypt=job.decrypt,
                key_len=job["key_len"],
                iv=job["iv"].to_bytes(16, "little"),
                message=text,
                key=None if mode.key is catalog.Key.none else self._key(job, key_len),
                aad=aad,
                tag=given or None,
                ctx_save=bool(job["ctx_save"]),
                is_final=not job.more,
                out_len=job.out_len,
                context=self.memory.read(job["context_addr"], 16 * mode.context)
                if job["ctx_load"]
                else b"",
            )
        )
        failed = outcome.status == port.AUTH_FAILED
        out = bytes(len(outcome.message)) if failed else outcome.message
        self._write(job, out, outcome.tag)
        self.memory.write(job["context_addr"], outcome.context)
        return outcome.status, len(outcome.message) + len(outcome.tag)

    def _gather(self, at: int, length: int, listed: bool) -> bytes:
        if not listed:
            return self.memory.read(at, length)
        found = b""
        while len(found) < length:
            entry = SG_ENTRY.decode(self.memory.read(at, 16))
            found += self.memory.read(entry["address"], entry["length"])
            at += 16
        return found[:length]

    def _scatter(self, at: int, data: bytes, listed: bool, skip: int) -> None:
        if not listed:
            self.memory.write(at + skip, data)
            return
        while data:
            entry = SG_ENTRY.decode(self.memory.read(at, 16))
            over = min(skip, entry["length"])
            room = entry["length"] - over
            self.memory.write(entry["address"] + over, data[:room])
            data, skip, at = data[room:], skip - over, at + 16

    def _iv(self, job: Descriptor) -> bytes:
        short = job["iv"].to_bytes(16, "little")
        length = job["iv_len"]
        if job.opcode == AES and job.mode == GCM:
            return self.memory.read(job["iv_addr"], length) if length not in (0, 12) else short[:12]
        return short

    def _parts(self, job: Descriptor) -> Parts | None:
        if not job["ctx_load"]:
            return None
        context = self.memory.read(job["context_addr"], 16)
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
        self.memory.write(job["context_addr"], context)

    def _key(self, job: Descriptor, length: int) -> bytes:
        return self.memory.read(job["key_addr"], length)

    def _compute(self, job: Descriptor, parts: Parts, tag_len: int) -> tuple[bytes, bytes] | None:
        """Return output of the whole message so far, and the tag; None for a bad parameter."""
        if job.opcode == AES:
            return self._aes(job, parts, tag_len or 16)
        if job.opcode == SHA2:
            key = self._key(job, job["key_bytes"]) if job.mode & sha2.HMAC else None
            return b"", sha2.digest(job.mode & ~sha2.HMAC, parts.text, key)[: tag_len or None]
        if job.opcode == KECCAK:
            return b"", self._keccak(job, parts, tag_len)
        if job.opcode == CHACHA:
            return self._chacha(job, parts, tag_len or 16)
        return None

    def _aes(self, job: Descriptor, parts: Parts, tag_len: int) -> tuple[bytes, bytes] | None:
        if job["key_len"] == 3:
            return None
        key_len = 16 + 8 * job["key_len"]
        key = self._key(job, 2 * key_len if job.mode == XTS else key_len)
        text, iv = parts.text, parts.iv
        if (job.mode in (ECB, CBC) and len(text) % 16) or (job.mode == XTS and len(text) < 16):
            return None
        if job.mode == XTS and key[:key_len] == key[key_len:]:
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
            key = self._key(job, job["key_bytes"])
        return keccak.digest(job.mode, parts.text, tag_len or keccak.FULL[job.mode], parts.aad, key)

    def _chacha(self, job: Descriptor, parts: Parts, tag_len: int) -> tuple[bytes, bytes] | None:
        if job["key_len"] != 2:
            return None
        out, tag = chacha20poly1305.crypt(
            job.mode, self._key(job, 32), parts.iv, parts.text, parts.aad, decrypt=job.decrypt
        )
        return out, tag[:tag_len]
