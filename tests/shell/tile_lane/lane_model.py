"""A lane's jobs: how they are packed, what they must leave in memory, and what drives them."""

import random
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from support.tile_model import ABORTED, AUTH, BAD_PARAM, CBC, CTR, ECB, OK

from cryptile.jobs.port import pack_job

sys.path.insert(0, str(Path(__file__).parents[1] / "tile"))
from tile_bench import AxiMemory

DENIED = 0x123
TAG = 16
MAX_EMPTY = 15
"""Entries of 0 bytes that a list may have in a row."""


def reversed_bits(index):
    """What the lane knows as the index of a job: all 16 bits of it change with few jobs."""
    return int(f"{index:016b}"[::-1], 2)


def marks(page):
    """AxUSER, AxCACHE, AxPROT of what goes to a page: see lane_bench.sv."""
    return page & 0x7F_FFFF, page >> 4 & 15, page >> 8 & 7


def cut(spans, *lengths):
    """Memory as one part for each length, in their order."""
    left, parts = deque(spans), []
    for length in lengths:
        part = []
        while length:
            at, size = left.popleft()
            if size > length:
                left.appendleft((at + length, size - length))
            part.append((at, min(size, length)))
            length -= part[-1][1]
        parts.append(part)
    return parts


@dataclass
class Job:
    """A job for COPY (mode None), AES or ChaCha20-Poly1305, with the memory that it touches."""

    message: bytes = b""
    mode: int | None = None
    key: bytes = bytes(16)
    key_slot: bool = True
    iv: bytes = bytes(16)
    decrypt: bool = False
    ctx_save: bool = False
    bad_param: bool = False
    queue: int = 0
    max_bytes: int = 0
    piece: int = 64
    src: int = 0
    dst: int = 0
    src_list: bool = False
    dst_list: bool = False
    aad_list: bool = False
    row: bool = False
    key_addr: int = 0
    context_addr: int = 0
    sources: list[tuple[int, int]] = field(default_factory=list)  # of the message
    targets: list[tuple[int, int]] = field(default_factory=list)
    reads: list[tuple[int, int]] = field(default_factory=list)  # all else that is read
    aead: bool = False
    aad: bytes = b""
    wrong_tag: bool = False
    more: int = 0  # bytes of message that the job claims beyond those there are
    more_aad: int = 0  # likewise
    start: int = 0
    notes: int = 0  # irq, nonce, token, made, slot: the lane hands them back
    ignored: int = 0  # fields that the engine does not look at: iv_len, key_bytes, out_len
    aad_addr: int = 0
    tag_addr: int = 0
    tags: list[tuple[int, int]] = field(default_factory=list)  # of the tag, read or written

    @property
    def key_len(self):
        return len(self.key) // 8 - 2

    def pack(self, index):
        """As ``lane_job_t``."""
        job = pack_job(
            mode=15 if self.bad_param else self.mode or 0,
            key_len=self.key_len,
            iv=self.iv,
            decrypt=self.decrypt,
            ctx_save=self.ctx_save,
            msg_len=len(self.message) + self.more,
            aad_len=len(self.aad) + self.more_aad,
            iv_len=self.ignored >> 39,
            key_bytes=self.ignored >> 32 & 0x7F,
            out_len=self.ignored & 0xFFFF_FFFF,
        )
        value = 0
        fields = (
            (self.queue, 3), (reversed_bits(index), 16), (self.start, 32), (self.notes, 9),
            (job, 251), (0, 1), (1, 4), (self.mode is not None, 1), (0, 1),
            (self.key_slot, 1), (len(self.key), 7),
            (self.aead, 1), (16, 32), (0, 3), (1, 1), (self.src_list, 1), (self.dst_list, 1),
            (self.aad_list, 1), (self.row, 1),
            (self.src, 56), (self.dst, 56), (self.aad_addr, 56), (self.tag_addr, 56),
            (self.key_addr, 56), (self.context_addr, 56), (0, 56),
            (self.max_bytes, 32), (self.piece, 16),
        )  # fmt: skip
        for part, width in fields:
            value = value << width | int(part)
        return value

    @property
    def verifies(self):
        return self.aead and self.decrypt

    @property
    def tag_made(self):
        """Bytes of tag that are written."""
        return TAG if self.aead and not self.decrypt else 0

    @property
    def verdict(self):
        if self.bad_param:
            return BAD_PARAM
        return AUTH if self.verifies and self.wrong_tag else OK

    @property
    def written(self):
        """Bytes of message and tag that are reported."""
        if self.bad_param:
            return 0
        return len(self.message) + self.tag_made

    def tag(self):
        out, nonce = self.output()[0], self.iv[:12]
        plain = out if self.decrypt else self.message
        return ChaCha20Poly1305(self.key).encrypt(nonce, plain, self.aad)[-16:]

    def output(self):
        """What comes out: message and context."""
        if self.mode is None:
            return self.message, self.iv
        if self.aead:
            start = (1).to_bytes(4, "little") + self.iv[:12]
            cipher = Cipher(algorithms.ChaCha20(self.key, start), None).encryptor()
            return cipher.update(self.message), b""
        modes_ = {ECB: modes.ECB(), CBC: modes.CBC(self.iv), CTR: modes.CTR(self.iv)}
        cipher = Cipher(algorithms.AES(self.key), modes_[self.mode])
        work = cipher.decryptor() if self.decrypt else cipher.encryptor()
        out = work.update(self.message) + work.finalize()
        context = self.iv
        if self.mode == CTR:
            blocks = (len(self.message) + 15) // 16
            context = ((int.from_bytes(self.iv, "big") + blocks) % 2**128).to_bytes(16, "big")
        elif self.mode == CBC and out:
            context = (self.message if self.decrypt else out)[-16:]
        return out, context


class Bench:
    """The lane with a memory, jobs going in, and reports coming out."""

    def __init__(self, dut, engine, seed):
        self.dut, self.engine = dut, engine
        self.random = random.Random(seed)
        self.memory = AxiMemory(dut, seed)
        self.shadow: dict[int, int] = {}  # bytes that must be there
        self.open: set[int] = set()  # bytes of jobs that failed
        self.next, self.roams = 1 << 40, True
        self.waiting: deque[tuple[int, Job]] = deque()
        self.reports: list[tuple[int, int, int]] = []  # index, status, bytes
        self.aborted: set[int] = set()  # indices of jobs that may overtake
        self.times: list[int] = []
        self.jobs: dict[int, Job] = {}
        self.stall = 0.0
        self.sent = 0

    async def start(self):
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        dut.valid_i.value = dut.done_ready_i.value = dut.abort_i.value = dut.tamper_i.value = 0
        dut.m_axi_rvalid_i.value = dut.m_axi_bvalid_i.value = 0
        dut.denied_page_i.value, dut.watchdog_i.value = DENIED, 0
        dut.engine_i.value = ("copy", "aes", "chacha").index(self.engine)
        dut.rst_ni.value = 0
        await ClockCycles(dut.clk_i, 3)
        dut.rst_ni.value = 1
        await ClockCycles(dut.clk_i, 2)
        cocotb.start_soon(self._take())
        self._drive()
        return self

    def _drive(self):
        self._driven = [cocotb.start_soon(task) for task in (self.memory.run(), self._send())]

    async def restart(self):
        """Reset lane and memory amid whatever they do; no job is there any more."""
        dut = self.dut
        for task in self._driven:
            task.cancel()
        self.waiting.clear()
        self.memory.restart()
        dut.valid_i.value = dut.m_axi_rvalid_i.value = dut.m_axi_bvalid_i.value = 0
        dut.rst_ni.value = 0
        await ClockCycles(dut.clk_i, 2)
        self.sent = len(self.reports)
        dut.rst_ni.value = 1
        self._drive()

    async def _send(self):
        dut = self.dut
        while True:
            if not self.waiting or self.random.random() < self.stall:
                dut.valid_i.value = 0
                await RisingEdge(dut.clk_i)
                continue
            index, job = self.waiting[0]
            dut.valid_i.value = 1
            dut.job_i.value = job.pack(index)
            # Garbage behind the key must not matter.
            key = int.from_bytes(job.key, "little") | self.random.getrandbits(128) << 256
            dut.key_i.value = key if job.key_slot else 0
            await ReadOnly()
            taken = dut.ready_o.value == 1
            await RisingEdge(dut.clk_i)
            if taken:
                self.waiting.popleft()

    async def _take(self):
        dut = self.dut
        while True:
            ready = self.random.random() >= self.stall
            dut.done_ready_i.value = ready
            await ReadOnly()
            here = ready and dut.done_valid_o.value == 1
            value = int(dut.done_o.value) if here else 0
            await RisingEdge(dut.clk_i)
            if here:
                index = reversed_bits(value >> (40 + 41) & 0xFFFF)
                job = self.jobs[index]
                assert value >> (40 + 9) & 0xFFFF_FFFF == job.start
                assert value >> 40 & 0x1FF == job.notes
                assert value >> (40 + 57) == job.queue
                self.reports.append((index, value >> 32 & 0xFF, value & 0xFFFF_FFFF))
                self.times.append(self.memory.cycle)

    def submit(self, job):
        index = self.sent & 0xFFFF
        self.sent += 1
        self.jobs[index] = job
        self.waiting.append((index, job))
        return index

    async def finish(self, limit=60_000):
        for _ in range(limit):
            if len(self.reports) == self.sent:
                await ClockCycles(self.dut.clk_i, 2)
                return
            await RisingEdge(self.dut.clk_i)
        raise AssertionError(f"{len(self.reports)} of {self.sent} jobs ended")

    # --- Memory ---------------------------------------------------------------------------------

    def place(self, length, *, offset=None, align=1):
        """An unused place for some bytes, at any offset in a word, and anywhere in memory."""
        if self.roams and self.random.randrange(8) == 0:
            self.next = self.random.getrandbits(56 - 12) << 12
        at = self.next + self.random.randrange(40)
        if align > 1:
            at = (at + align - 1) // align * align
        elif offset is not None:
            at = (at + 15) // 16 * 16 + offset
        self.next = at + length
        return at

    def load(self, address, data):
        self.memory.write(address, data)

    def spans(self, length, *, pieces):
        """Scattered memory for some bytes; pieces < 0: of about a word each."""
        if pieces < 0:
            sizes = []
            while length:
                sizes.append(min(self.random.choice((1, 15, 16, 17)), length))
                length -= sizes[-1]
            return [(self.place(size), size) for size in sizes]
        cuts = sorted(
            {self.random.randrange(1, length) for _ in range(pieces - 1)} if length > 1 else ()
        )
        sizes = [b - a for a, b in zip([0, *cuts], [*cuts, length], strict=True) if b > a]
        return [(self.place(size), size) for size in sizes]

    def write_list(self, spans, *, spare=0):
        """An SG list; the last entry may offer more than is needed, and some have no bytes."""
        entries = list(spans) or [(self.place(1), 1)]
        if spare:
            entries[-1] = (entries[-1][0], entries[-1][1] + spare)
        if self.random.random() < 0.4:
            at = self.random.randrange(len(entries))
            entries[at:at] = [(DENIED << 12, 0)] * self.random.choice((1, 2, 5, MAX_EMPTY))
        data = b""
        for number, (address, size) in enumerate(entries):
            last = number + 1 == len(entries)
            data += address.to_bytes(8, "little") + (size | last << 32).to_bytes(8, "little")
        at = self.place(len(data), align=16)
        self.load(at, data)
        return at, len(data)

    def scatter(self, job, length, pieces, *, unused=0):
        """Give a job memory for some bytes; return address, whether it is a list's, and spans."""
        if not pieces:
            at = self.place(length)
            return at, False, [(at, length)]
        spans = self.spans(length, pieces=pieces)
        at, size = self.write_list(spans, spare=self.random.choice((0, 0, 9)))
        job.reads.append((at, size if length > unused else 0))
        return at, True, spans

    def lay_out(self, job, *, src_pieces=0, dst_pieces=0, aad_pieces=0, in_place=False):
        """Give a job its places in memory; 0 pieces: no list."""
        length, ahead = len(job.message), len(job.aad) if job.row else 0
        read, made = (TAG * job.verifies, job.tag_made) if job.row else (0, 0)
        room = ahead + length + (max(read, made) if in_place else read)
        job.src, job.src_list, spans = self.scatter(job, room, src_pieces)
        aad, job.sources, tags = cut(spans, ahead, length, read)
        if in_place:
            job.dst, job.dst_list = job.src, job.src_list
        else:
            room = ahead + length + made
            job.dst, job.dst_list, spans = self.scatter(job, room, dst_pieces, unused=ahead)
        _, job.targets, job.tags = cut(spans, ahead, length, made)
        if job.row:
            job.tags = job.tags or tags
            job.aad_addr = job.src
            job.src += 0 if job.src_list else ahead
            job.dst += 0 if job.dst_list else ahead
            job.tag_addr = job.src + length
        else:
            job.aad_addr, job.aad_list, aad = self.scatter(job, len(job.aad), aad_pieces)
            job.tag_addr = self.place(TAG)
            job.tags = [(job.tag_addr, TAG)]
        self.fill(job.sources, job.message)
        # No word of a key holds anything else that is read.
        job.context_addr = self.place(16)
        job.key_addr = self.place(len(job.key) + 16)
        self.load(job.key_addr, job.key)
        if job.mode is not None and not job.key_slot:
            job.reads.append((job.key_addr, len(job.key)))
        self.fill(aad, job.aad)
        job.reads += aad
        if job.verifies:
            self.lay_out_tag(job)
            job.reads += job.tags
        return job

    def fill(self, spans, data):
        """Put data into scattered memory."""
        for address, size in spans:
            self.load(address, data[:size])
            data = data[size:]

    def lay_out_tag(self, job):
        if job.verifies:
            tag = bytearray(job.tag())
            tag[self.random.randrange(TAG)] ^= job.wrong_tag << self.random.randrange(8)
            self.fill(job.tags, tag)

    def expect(self, job, *, failed=False):
        """Note what the job must leave; of a failed one what was there before may stay too."""
        if job.bad_param:
            return
        out, context = job.output()
        if job.verdict == AUTH:
            out = bytes(len(out))
        written = [(job.targets, out)]
        if job.ctx_save:
            written.append(([(job.context_addr, len(context))], context))
        if job.tag_made:
            written.append((job.tags, job.tag()))
        for spans, data in written:
            places = [at for start, size in spans for at in range(start, start + size)]
            # Spans of a bad list may end before the data.
            self.shadow.update(zip(places, data, strict=False))
            if failed:
                self.open.update(places)

    def settle(self, job, status, count):
        """Of a message that failed before its tag was compared nothing may remain, and no more than
        was written may be erased."""
        if job.verifies and status not in (OK, BAD_PARAM, ABORTED):
            places = [at for start, size in job.targets for at in range(start, start + size)]
            self.shadow.update(dict.fromkeys(places, 0))
            assert self.memory.touched.isdisjoint(places[count:])

    def check(self):
        """Nothing was written but what must be, and all of that."""
        memory = self.memory
        for address, *found in memory.marks:
            assert tuple(found) == marks(address // 4096), hex(address)
        memory.marks.clear()
        for address in memory.touched:
            assert address in self.shadow, f"{address:#x} was written"
        for address, byte in self.shadow.items():
            if address not in self.open or address in memory.touched:
                assert memory.page(address // 4096)[address % 4096] == byte, f"{address:#x}"
