"""The tile's C software built natively, on the tile in Python; nothing here takes time.

Registers are calls from C; jobs are done when the doorbell is written, but for those of
``STUCK`` bytes, which never end: they are for time-outs. Of a record the first word is seen
first; the other is wrong until the driver's barrier between the two. A test can have a job fail:
``fault``.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptile import layout
from cryptile.library_sources import c_files
from cryptile.project import ROOT
from cryptile.toolchain import cache, tools
from support.key_slots import LONG_BYTES, KeySlots, made_bytes, made_for, makes
from support.tile_model import (
    BAD_DESCRIPTOR,
    COMPLETION,
    DESCRIPTOR,
    MODES,
    NOP,
    OK,
    OPCODES,
    SG_ENTRY,
    Descriptor,
    Memory,
    Tile,
)

WINDOW_VIOLATION, KEY_DENIED, ABORTED = 17, 18, 20
STUCK = 1 << 20
LAST_BURST = 1200
"""Of a job that hangs: behind the thousand looks after which the driver closes the windows."""
QUEUES, SLOTS = 4, 8
PAGE_LOG2 = 16
"""User pages stand further apart than those of the control."""
_SLOT_KEY, _UNWRAPPED, _MADE = 8, 16, 24
"""Addresses that stand for the key of a slot, and for one that is unwrapped or made."""
ALLOWED = layout.blocks()["tile_queue"].registers["ALLOWED"]
ALLOWED_AT = layout.blocks()["tile_queue"].offsets["ALLOWED"]
_IRQ_STATUS, _IRQ_SET, _IRQ_CLEAR = 0x24, 0x28, 0x2C
_QUIET, _IDLE, _FAILED = 1 << 5, 1 << 0, 1 << 1
_HERE = ROOT / "tests/sw/tile"
_HAL = (
    "tile", "tile_engine", "tile_jobs", "tile_message", "tile_pka", "tile_prepare", "tile_psa",
    "tile_rsa",
)  # fmt: skip
_FLAGS = [
    *tools.words(
        "-std=c11 -Wall -Wextra -Werror -g -O1 -fPIC -shared "
        "-fsanitize=undefined -fno-sanitize-recover=all"
    ),
    "-include",
    str(_HERE / "native_tile.h"),
    *(f"-I{ROOT / 'sw' / name}" for name in ("include", "lib", "driver/core", "hal", "apps")),
]


def build(sources: list[str], parts: tuple[str, ...]) -> Path:
    """Build the driver and programs of ``sw/apps``, or from here, into a shared object, once.

    ``parts`` are the folders of the library to build with.
    """
    files = [
        _HERE / "native_tile.c",
        *(ROOT / "sw/hal" / f"{name}.c" for name in _HAL),
        *sorted((ROOT / "sw/driver/core").glob("*.c")),
        *(
            next(
                path for path in (ROOT / f"sw/apps/{name}.c", _HERE / f"{name}.c") if path.exists()
            )
            for name in sources
        ),
        *c_files(parts),
    ]
    gcc = tools.find("gcc", "gcc")

    def make(folder: Path) -> None:
        tools.run([gcc, *_FLAGS, *files, "-o", folder / "tile.so"])

    headers = [*(ROOT / "sw").rglob("*.h"), _HERE / "native_tile.h"]
    key = cache.digest([*files, *sorted(headers)], _FLAGS, tools.version(gcc))
    return cache.build("native-tile", key, make) / "tile.so"


@dataclass
class Queue:
    """One queue's registers and counters."""

    registers: dict[int, int] = field(default_factory=dict)
    producer: int = 0
    consumer: int = 0
    jobs: int = 0
    stuck: list[int] = field(default_factory=list)
    """What a job that is late has written so far, and will have: at the next looks at STATUS."""
    wakes: int = 0
    """Events that were last enabled."""
    looks: int = 0
    """At STATUS, while a job hangs."""
    failed: bool = False
    """It has stopped itself: ring or records could not be reached."""

    def clear(self, register: int, bits: int) -> None:
        """Clear events, or what enables them."""
        kept = _IRQ_STATUS if register == _IRQ_STATUS else _IRQ_SET
        self.registers[kept] = self.registers.get(kept, 0) & ~bits

    def address(self, offset: int) -> int:
        """Return what two registers hold together."""
        return self.registers.get(offset, 0) | self.registers.get(offset + 4, 0) << 32


@dataclass(frozen=True)
class Fault:
    """How the next job fails: with a status, None: never, after so many bytes of message and tag.

    ``written`` are the bytes there when the time is up, and later, while the queue is stopped. A
    job that ``hangs`` for so many looks at STATUS does not mind that: it writes all the bytes again
    whenever a window is closed, and at the look of its last burst.
    """

    status: int | None
    written: tuple[int, ...]
    hangs: int = 0


class Host:
    """A loaded program, and the tile it talks to."""

    def __init__(self, library: Path) -> None:
        self.lib = ctypes.CDLL(str(library))
        self.jobs: list[Descriptor] = []
        self.head_reads = self.state_reads = 0
        self.engines = 0x3F  # as FEATURES tells
        self.queues = [Queue() for _ in range(QUEUES)]
        self._slots = KeySlots(SLOTS, LONG_BYTES)
        self._key = self._unwrapped = self._made = b""
        self.fault: Fault | None = None
        self._hidden: list[tuple[int, bytes]] = []
        self._keys = 0
        self._tile = Tile(Memory(self._read_memory, self._write_memory))
        read = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64)
        write = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint32)
        acquire = ctypes.CFUNCTYPE(None)
        self._hooks = (
            read(self._guard(self.read)),
            write(self._guard(self.write)),
            acquire(self._guard(self._show)),
        )
        ctypes.c_void_p.in_dll(self.lib, "native_read").value = _address(self._hooks[0])
        ctypes.c_void_p.in_dll(self.lib, "native_write").value = _address(self._hooks[1])
        ctypes.c_void_p.in_dll(self.lib, "native_acquire").value = _address(self._hooks[2])

    def main(self, params: bytes = b"", data: bytes = b"") -> tuple[int, bytes, str]:
        """Run the program; return its exit code, its output and what it printed."""
        for name in ("native_output_len", "native_console_len"):
            ctypes.c_size_t.in_dll(self.lib, name).value = 0
        self._given = [ctypes.create_string_buffer(text, len(text) or 1) for text in (params, data)]
        for name, buffer, text in zip(
            ("native_params", "native_input"), self._given, (params, data), strict=True
        ):
            ctypes.c_void_p.in_dll(self.lib, name).value = ctypes.addressof(buffer)
            ctypes.c_size_t.in_dll(self.lib, f"{name}_len").value = len(text)
        self._errors: list[Exception] = []
        code = int(self.lib.main())
        if self._errors:
            raise self._errors[0]
        output = self._block("native_output")
        return code, output, self._block("native_console").decode()

    def _guard(self, hook: Callable[..., Any]) -> Callable[..., Any]:
        """Keep an exception for ``main``: C cannot pass it on."""

        def guarded(*words: int) -> Any:
            try:
                return hook(*words)
            except Exception as error:
                self._errors.append(error)
                return 0

        return guarded

    def _block(self, name: str) -> bytes:
        start = ctypes.addressof(ctypes.c_char.in_dll(self.lib, name))
        return ctypes.string_at(start, ctypes.c_size_t.in_dll(self.lib, f"{name}_len").value)

    # Registers

    def read(self, offset: int) -> int:
        """Read a register."""
        if offset == 0x08:
            return self.engines
        if offset == 0x0C:
            return QUEUES | SLOTS << 8 | 4 << 16 | PAGE_LOG2 << 19
        if offset == 0x1800:
            return int(self._slots.sealed)
        if 0x1000 <= offset < 0x1800:
            return self._slots.read(*divmod(offset - 0x1000, 0x80))
        if 0x8000 <= offset < 0x10000:
            queue = self.queues[offset - 0x8000 >> 12]
            if offset % 0x1000 == 0x20:
                return _QUIET * self._quiet(queue)
            return queue.registers.get(offset % 0x1000, 0)
        if offset >= 0x10000:
            queue = self.queues[offset - 0x10000 >> PAGE_LOG2]
            if offset % (1 << PAGE_LOG2) == 4:
                self.head_reads += 1
                return queue.consumer
            if offset % (1 << PAGE_LOG2) == 8:
                self.state_reads += 1
                return _FAILED * queue.failed + _IDLE * (not queue.stuck)
        raise AssertionError(f"read of {offset:#x}")

    def write(self, offset: int, value: int) -> None:
        """Write a register."""
        if offset == 0x1800:
            self._slots.sealed = True
        elif 0x1000 <= offset < 0x1800:
            self._slots.write(*divmod(offset - 0x1000, 0x80), value)
        elif 0x8000 <= offset < 0x10000:
            queue, register = self.queues[offset - 0x8000 >> 12], offset % 0x1000
            if register in (_IRQ_STATUS, _IRQ_CLEAR):
                queue.clear(register, value)
            else:
                queue.registers[register] = value
            if register == _IRQ_SET:
                queue.wakes = value
            if register == 0x10 and value & 1:
                queue.producer = queue.consumer = queue.jobs = 0
                queue.failed = False
            if register in range(0x90, 0x100, 0x20) and not value and self._hangs(queue):
                self._make(self.jobs[-1], 0, queue.stuck[-1])
        else:
            assert offset >= 0x10000, f"write of {offset:#x}"
            number = offset - 0x10000 >> PAGE_LOG2
            self.queues[number].producer = value
            self._work(number, self.queues[number])

    # Jobs

    def _read_memory(self, at: int, length: int) -> bytes:
        if at == _SLOT_KEY:
            return self._key[:length]
        return ctypes.string_at(at, length) if length else b""

    def _write_memory(self, at: int, data: bytes) -> None:
        if at == _UNWRAPPED:
            self._unwrapped = data
        elif at == _MADE:
            self._made = data
        elif data:
            ctypes.memmove(at, data, len(data))

    def _work(self, number: int, queue: Queue) -> None:
        size = 1 << (queue.registers[0x10] >> 8 & 15)
        ring = queue.address(0x00)
        while queue.consumer != queue.producer and not queue.stuck and not queue.failed:
            index = queue.consumer
            if not self._inside(queue, ring + 64 * (index % size), 64):
                queue.failed = True
                return
            entries = [ctypes.string_at(ring + 64 * ((index + n) % size), 64) for n in (0, 1)]
            extended = DESCRIPTOR.decode(entries[0])["extension"]
            job = Descriptor.read(b"".join(entries[: 1 + extended]))
            queue.consumer = (index + 1 + extended) % 65536
            self.jobs.append(job)
            if self.fault or job["msg_len"] == STUCK:
                fault = self.fault or Fault(None, (0,))
                self._make(job, 0, fault.written[0])
                queue.stuck = list(fault.written)
                if fault.status is None:
                    queue.looks = 0
                    return
                status, count = fault.status, queue.stuck.pop()
                self.fault = None
            else:
                status, count = self._one(number, queue, job)
            self._record(queue, status, index, count)

    def _record(self, queue: Queue, status: int, index: int, count: int) -> None:
        """Write a record, whose second word is seen when the driver has looked at the first.

        The job is done also if its record is refused.
        """
        size = 1 << (queue.registers[0x10] >> 8 & 15)
        at = queue.address(0x08) + 16 * (queue.jobs % size)
        queue.jobs += 1
        if not self._inside(queue, at, 16):
            queue.failed = True
            return
        record = COMPLETION.encode(
            status=status, index=index, bytes=count, sequence_number=queue.jobs
        )
        ctypes.memmove(at, record[:8] + b"\xff" * 8, 16)
        self._hidden.append((at + 8, record[8:]))

    def _show(self) -> None:
        for at, second in self._hidden:
            ctypes.memmove(at, second, 8)
        self._hidden.clear()

    def _quiet(self, queue: Queue) -> bool:
        """Tell whether a queue is, when it is stopped: a job that is late goes on for some time."""
        if self._hangs(queue):
            queue.looks += 1
            if queue.looks == LAST_BURST:
                self._make(self.jobs[-1], 0, queue.stuck[-1])
            if self.fault and queue.looks < self.fault.hangs:
                return False
            del queue.stuck[:-1]
        if len(queue.stuck) > 1:
            self._make(self.jobs[-1], *queue.stuck[:2])
            del queue.stuck[0]
            return False
        if queue.stuck:
            self._record(queue, ABORTED, queue.consumer - 1, queue.stuck.pop())
        return True

    def _hangs(self, queue: Queue) -> bool:
        return bool(self.fault and self.fault.hangs and queue.stuck)

    def _make(self, job: Descriptor, start: int, end: int) -> None:
        """Write some of the bytes of a job's message and tag, in the place of true ones."""
        at, length = job["dst_addr"], job["msg_len"] if job["dst_addr"] else 0
        skip = job["aad_len"] if job["row"] else 0
        length += skip + (job.tag_bytes if job["row"] and not job.decrypt else 0)
        places = list(range(at, at + length))
        if job["dst_list"]:
            places.clear()
            while len(places) < length:
                entry = SG_ENTRY.decode(ctypes.string_at(at, 16))
                places += range(entry["address"], entry["address"] + entry["length"])
                at += 16
        tag = job["tag_addr"]
        for place in [*places[skip:length], *range(tag, tag + 64)][start:end]:
            ctypes.memset(place, 0x5A, 1)

    def _one(self, number: int, queue: Queue, job: Descriptor) -> tuple[int, int]:
        if job.opcode not in OPCODES.values() or (job["row"] and job["aad_list"]):
            return BAD_DESCRIPTOR, 0
        to_memory = job.opcode != NOP and not job["dst_list"] and not job["unwrap"]
        if to_memory and not self._inside(queue, job["dst_addr"], job["msg_len"]):
            return WINDOW_VIOLATION, 0
        mask = queue.registers.get(0x14, 0)
        mode = MODES.get((job.opcode, job.mode))
        if mode and mode.once and not job["unwrap"]:
            return BAD_DESCRIPTOR, 0
        if makes(job):
            return self._make_key(number, queue, mask, job)
        if job["token"]:
            key = self._slots.token(number, mask, job, self._read_memory)
            if key is None:
                return KEY_DENIED, 0
            self._key = key
            job = Descriptor(job.fields | {"key_addr": _SLOT_KEY})
        elif job["key_slot"]:
            if not self._slots.allowed(number, mask, job):
                return KEY_DENIED, 0
            self._key = bytes(self._slots.slots[job["slot"]].key)
            nonce = self._slots.begin(job) or job["iv"].to_bytes(16, "little")
            made = {"key_addr": _SLOT_KEY, "iv": int.from_bytes(nonce, "little")}
            job = Descriptor(job.fields | made)
        if job["unwrap"]:
            aad = self._read_memory(job["aad_addr"], 16)
            status, count = self._tile.run(Descriptor(job.fields | {"dst_addr": _UNWRAPPED}))
            if status == OK and not self._slots.commit(number, mask, job, aad, self._unwrapped):
                return KEY_DENIED, 0
            return status, count
        return self._tile.run(job)

    def _make_key(self, number: int, queue: Queue, mask: int, job: Descriptor) -> tuple[int, int]:
        """Do a job whose result is a key, or begins with one."""
        if made_for(job) is None:
            return BAD_DESCRIPTOR, 0
        if not ALLOWED.unpack(queue.registers.get(ALLOWED_AT, 0))["make_keys"]:
            return KEY_DENIED, 0
        if not self._slots.allowed(number, mask, job):
            return KEY_DENIED, 0
        over = self._slots.slots[job["target"]].generation
        self._made = b""
        if job["key_slot"]:
            self._key = bytes(self._slots.slots[job["slot"]].key)
            self._slots.begin(job)
        to_slot = {"tag_addr": _MADE, "key_addr": _SLOT_KEY}
        status, _ = self._tile.run(Descriptor(job.fields | to_slot))
        size = made_bytes(job)
        key, rest = self._made[:size], self._made[size:]
        self._write_memory(job["tag_addr"], rest)
        if status == OK and not self._slots.make(number, mask, job, over, key):
            status = KEY_DENIED
        return status, len(rest)

    def _inside(self, queue: Queue, at: int, length: int) -> bool:
        first, last = at >> 12, at + max(length, 1) - 1 >> 12
        return not length or any(
            queue.registers.get(base + 0x10, 0) & 7 == 7
            and queue.address(base) <= first
            and last <= queue.address(base + 8)
            for base in range(0x80, 0x100, 0x20)
        )


def _address(hook: object) -> int | None:
    return ctypes.cast(hook, ctypes.c_void_p).value  # type: ignore[arg-type]
