"""The tile's driver and programs, natively, on the tile in Python: before any RTL is simulated."""

import ctypes
import hmac
import random
import re
import shutil
import struct
from functools import partial
from pathlib import Path

import pytest
from support import host_tile, tile_vectors

from cryptile import catalog, firmware
from cryptile.bench.console import parse
from cryptile.crypt.tile_algorithms import ALGORITHMS, Kind
from cryptile.firmware import params as firmware_params
from cryptile.jobs.oracle import keccak
from cryptile.toolchain import tools

PER_ALGORITHM, LONGEST = 12, 800
CIPHER = ("aes", "cipher")
"""Folders of the library, for the API's software beside the tile's."""


WYCHEPROOF = {
    "aes-128-gcm": 138,
    "aes-192-gcm": 138,
    "aes-256-gcm": 138,
    "aes-128-xts": 41,
    "aes-256-xts": 41,
    "kmac128": 12,
    "kmac256": 18,
    "hmac-sha256": 6,
    "hmac-sha384": 6,
}
"""Vectors of some algorithms."""

AUTH, LENGTH, PADDING, SUPPORT, PARAM, BAD_BLOB = 10, 3, 4, 9, 1, 32
OK, STATE, BUSY, TIMEOUT, BUS, FAULT, KEY = 0, 2, 5, 6, 7, 8, 11
STATUS = {1: AUTH, 2: SUPPORT, 4: FAULT, 16: PARAM, 17: BUS, 18: KEY, 19: BUS, 20: STATE, 77: FAULT}
"""What the driver says for the tile's statuses."""

LINEAR, LIST, TAG_ONLY, IN_PLACE, ROW, GAP = 0, 1, 2, 4, 8, 16
GAP_AT = 10
"""Bytes of the destination in front of the gap."""
FULL_TAG, NO_RING, NO_RECORDS, SAVES_CONTEXT = 1, 2, 4, 8
SHA256 = 3, 1
MESSAGE, TAG, TAGS, CONTEXT, AROUND, PATTERN = 100, 16, 64, 208, 32, b"\xa5"
COMPLETION, ERROR = 1, 2
"""Events of a queue."""
IRQ_STATUS, IRQ_ENABLE_SET, VIOLATION, ALLOWED, WEIGHT, PIECE = 0x24, 0x28, 0x30, 0x3C, 0x40, 0x4C
PROCESS, RELATIVE = 0x44, 0x48
HANGS = {1500: (STATE, STATE), 2500: (OK, STATE), 1 << 30: (TIMEOUT, TIMEOUT)}
"""Looks at STATUS, a thousand for each abort of the driver: what those behind the run say."""


@pytest.fixture
def selftest(tmp_path: Path) -> host_tile.Host:
    """Loaded anew for each test: at its end the tile is sealed, and what it counted stays."""
    library = host_tile.build(["selftest_tile", "selftest_tile_driver", "tile_app"], CIPHER)
    return host_tile.Host(Path(shutil.copy(library, tmp_path)))


def test_selftest(selftest: host_tile.Host) -> None:
    """Known answers of NIST, RFCs and Wycheproof: there and back, forged, in parts; the driver."""
    rng = random.Random(5)
    chosen = []
    for vectors in tile_vectors.files().values():
        short = [vector for vector in vectors if len(vector.text) <= LONGEST]
        chosen += rng.sample(short, min(PER_ALGORITHM, len(short)))
        chosen += [vector for vector in short if len(vector.key) > 64]
    others = tile_vectors.from_wycheproof()
    assert {alg: sum(vector.alg == alg for vector in others) for alg in WYCHEPROOF} == WYCHEPROOF
    chosen += others
    code, _, console = selftest.main(data=tile_vectors.stream(chosen))
    assert code == 0, console


def test_selftest_as_it_is_built(selftest: host_tile.Host) -> None:
    """Without an input it has answers of each algorithm; this tile is without Ascon."""
    code, _, console = selftest.main()
    assert code == 0, console
    lines = [line.split() for line in console.splitlines()]
    tallies = {words[0]: words[1:] for words in lines if words[-1] in ("ok", "built")}
    assert tallies.keys() >= tile_vectors.files().keys()
    # Tags were forged, and messages interrupted.
    assert int(tallies["aes-128-gcm"][2]) >= 4 and int(tallies["aes-256-xts"][1]) >= 2


@pytest.fixture(scope="module")
def crypt() -> host_tile.Host:
    return host_tile.Host(host_tile.build(["crypt_tile", "tile_app"], CIPHER))


def example(rng: random.Random, name: str) -> dict[str, object]:
    """Return parameters of an algorithm that its table allows."""
    alg = ALGORITHMS[name]
    tag = rng.choice([size for size in range(1, 129) if size in alg.tags] or [0])
    return {
        "alg": name,
        "key": rng.randbytes(rng.choice([size for size in range(65) if size in alg.keys])),
        "iv": rng.randbytes(rng.choice([size for size in range(140) if size in alg.ivs])),
        "aad": rng.randbytes(rng.randrange(min(alg.aad, 200) + 1)),
        "length": tag,
        "shifts": (rng.randrange(64), rng.randrange(64)),
    }


@pytest.mark.parametrize("name", ALGORITHMS)
def test_crypt(crypt: host_tile.Host, name: str) -> None:
    """Each algorithm of the command's table is one of the driver's, with the same lengths."""
    rng, alg = random.Random(name), ALGORITHMS[name]
    for size in (alg.least, 33, 48, 1000):
        options, text = example(rng, name), rng.randbytes(size - size % alg.block)
        tag = int(str(options["length"]))
        code, sealed, console = crypt.main(firmware_params.crypt_tile(**options), text)
        out = len(text) if alg.kind in (Kind.cipher, Kind.aead) else 0
        assert (code, len(sealed)) == (0, out + tag)
        assert console.startswith("R crypt_cycles ")
        if alg.kind in (Kind.hash, Kind.xof):
            continue
        given = {"tag": sealed} if alg.kind is Kind.mac else {}
        back = firmware_params.crypt_tile(**options, **given, decrypt=True)
        data = text if alg.kind is Kind.mac else sealed
        expected = b"" if alg.kind is Kind.mac else text
        assert crypt.main(back, data)[:2] == (0, expected)
        if tag and data:
            forged = bytearray(data)
            forged[-1] ^= 1
            assert crypt.main(back, bytes(forged))[:2] == (AUTH, b"")


@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_padding(crypt: host_tile.Host, mode: str) -> None:
    options = {"alg": f"aes-192-{mode}", "key": bytes(24), "iv": bytes(16 if mode == "cbc" else 0)}
    for size in (0, 1, 15, 16, 17, 100):
        text = random.Random(size).randbytes(size)
        code, sealed, _ = crypt.main(firmware_params.crypt_tile(**options, pkcs7=True), text)
        assert (code, len(sealed)) == (0, size // 16 * 16 + 16)
        back = firmware_params.crypt_tile(**options, pkcs7=True, decrypt=True)
        assert crypt.main(back, sealed)[:2] == (0, text)
        assert crypt.main(back, sealed[:-1])[:2] == (LENGTH, b"")
    code, sealed, _ = crypt.main(firmware_params.crypt_tile(**options), bytes(32))
    assert crypt.main(back, sealed)[:2] == (PADDING, b"")
    assert crypt.main(back, b"")[:2] == (LENGTH, b"")


@pytest.mark.parametrize("name", [name for name, alg in ALGORITHMS.items() if alg.tag])
def test_tag_lengths(crypt: host_tile.Host, name: str) -> None:
    """The driver has the lengths that the command has, and no other."""
    options = example(random.Random(name), name)
    for length in range(1, 80):
        blob = firmware_params.crypt_tile(**{**options, "length": length})
        wanted = (0, length) if length in ALGORITHMS[name].tags else (PARAM, 0)
        code, sealed, _ = crypt.main(blob)
        assert (code, len(sealed)) == wanted


@pytest.fixture(scope="module")
def failing() -> host_tile.Host:
    return host_tile.Host(host_tile.build(["failing_job", "tile_app"], CIPHER))


def outcome(
    host: host_tile.Host,
    kind: int,
    *,
    decrypt: bool = False,
    irq: bool = False,
    flags: int = 0,
    before: int = 0,
    engine: tuple[int, int] = SHA256,
) -> tuple[list[int], bytes]:
    """Run the job; return the statuses, and message and tag, around which nothing is touched."""
    code, made, _ = host.main(struct.pack("<7I", kind, decrypt, irq, flags, before, *engine))
    assert code == 0
    texts, at = [], 32
    for size in (MESSAGE, TAGS, CONTEXT):
        text, at = made[at : at + size + 2 * AROUND], at + size + 2 * AROUND
        assert text[:AROUND] == text[-AROUND:] == PATTERN * AROUND
        texts.append(text[AROUND:-AROUND])
    assert len(made) == at
    assert texts[2] == (bytes(CONTEXT) if flags & SAVES_CONTEXT else PATTERN * CONTEXT)
    statuses = struct.unpack("<8i", made[:32])
    assert statuses[3] == 1  # no result is always ready
    return [-status for at, status in enumerate(statuses) if at != 3], texts[0] + texts[1]


def zeroized(kind: int, written: int, *, decrypt: bool, tag_len: int = TAG) -> bytes:
    """Return what must be there when so many bytes of a job that failed were written."""
    message = 0 if kind == TAG_ONLY else min(written, MESSAGE)
    tag = 0 if decrypt and kind != TAG_ONLY else min(written - message, tag_len)
    return (bytes(message) + PATTERN * (MESSAGE - message)) + (bytes(tag) + PATTERN * (TAGS - tag))


KINDS = [
    (LINEAR, False),
    (LINEAR, True),
    (LIST, False),
    (LIST, True),
    (IN_PLACE, True),
    (ROW, False),
    (ROW, True),
    (TAG_ONLY, False),
]


def bytes_made(kind: int, *, decrypt: bool) -> int:
    return TAG if kind == TAG_ONLY else MESSAGE if decrypt else MESSAGE + TAG


@pytest.mark.parametrize(("kind", "decrypt"), KINDS)
def test_nothing_stays_of_a_job_that_failed(
    failing: host_tile.Host, kind: int, decrypt: bool
) -> None:
    """Every status, at every length of what was written: that is zeroized, and nothing else."""
    ends = bytes_made(kind, decrypt=decrypt)
    for code, wanted in STATUS.items():
        for written in sorted({0, 1, 15, 43, 44, min(ends, 99), ends}):
            failing.fault = host_tile.Fault(code, (min(written, ends),))
            flags = SAVES_CONTEXT * (written % 3 == 0)
            statuses, made = outcome(
                failing, kind, decrypt=decrypt, irq=bool(written & 1), flags=flags
            )
            assert made == zeroized(kind, min(written, ends), decrypt=decrypt), (code, written)
            # The queue goes on.
            assert statuses == [wanted, OK, 0, STATE, OK, OK, STATE]
    failing.fault = None
    statuses, made = outcome(failing, LINEAR)
    assert statuses[0] == OK and PATTERN * 8 not in made[: MESSAGE + TAG]
    assert made[MESSAGE + TAG :] == PATTERN * (TAGS - TAG)


@pytest.mark.parametrize(("kind", "decrypt"), KINDS)
@pytest.mark.parametrize("irq", [False, True])
def test_nothing_stays_of_a_job_that_is_late(
    failing: host_tile.Host, kind: int, decrypt: bool, irq: bool
) -> None:
    """The tile goes on to write while its queue is stopped: that is zeroized too."""
    ends = bytes_made(kind, decrypt=decrypt)
    for written in ((0,), (0, 0, 7), (5, 6, 10), (1, ends - 1, ends), (ends,)):
        failing.fault = host_tile.Fault(None, written)
        statuses, made = outcome(failing, kind, decrypt=decrypt, irq=irq)
        assert made == zeroized(kind, written[-1], decrypt=decrypt)
        assert statuses == [TIMEOUT, OK, 0, STATE, STATE, STATE, STATE]


@pytest.mark.parametrize(("kind", "decrypt"), KINDS)
@pytest.mark.parametrize("hangs", HANGS)
def test_nothing_stays_of_a_job_that_hangs(
    failing: host_tile.Host, kind: int, decrypt: bool, hangs: int
) -> None:
    """A tile that does not stop reaches nothing any more; what it wrote until then is zeroized."""
    failing.fault = host_tile.Fault(None, (3, bytes_made(kind, decrypt=decrypt)), hangs=hangs)
    statuses, made = outcome(failing, kind, decrypt=decrypt, flags=SAVES_CONTEXT)
    assert made == zeroized(kind, MESSAGE + TAG, decrypt=decrypt)
    assert statuses == [TIMEOUT, OK, 0, STATE, STATE, *HANGS[hangs]]
    assert not any(failing.queues[0].registers[0x90 + 0x20 * n] for n in (0, 2))
    failing.queues[0].stuck.clear()


@pytest.mark.parametrize(("kind", "decrypt"), KINDS)
def test_nothing_stays_of_a_job_without_record(
    failing: host_tile.Host, kind: int, decrypt: bool
) -> None:
    """The job was done, but its record could not be written; or it was not begun at all."""
    for fault in (None, host_tile.Fault(19, (5,)), host_tile.Fault(None, (5, 6, 7))):
        for flags, written in ((NO_RECORDS, MESSAGE + TAG), (NO_RING, 0)):
            failing.fault = fault
            statuses, made = outcome(failing, kind, decrypt=decrypt, flags=flags)
            assert made == zeroized(kind, written, decrypt=decrypt), (fault, flags)
            assert statuses == [TIMEOUT, OK, 0, STATE, STATE, STATE, STATE]


def test_nothing_is_zeroized_behind_the_end_of_a_list(failing: host_tile.Host) -> None:
    """The tile goes no further than 15 entries of no bytes, nor does the driver."""
    for flags in (0, NO_RECORDS):
        failing.fault = host_tile.Fault(16, (GAP_AT,))
        _, made = outcome(failing, GAP, flags=flags)
        assert made[:MESSAGE] == bytes(GAP_AT) + PATTERN * (MESSAGE - GAP_AT)


def test_nobody_sleeps_for_a_queue_that_has_stopped_itself(failing: host_tile.Host) -> None:
    dozed = ctypes.c_uint.in_dll(failing.lib, "native_dozed")
    for flags in (NO_RING, NO_RECORDS):
        failing.fault, failing.state_reads, dozed.value = None, 0, 0
        statuses, _ = outcome(failing, LINEAR, irq=True, flags=flags)
        assert (statuses[0], dozed.value, failing.state_reads) == (TIMEOUT, 0, 1)
        assert failing.queues[0].wakes == COMPLETION | ERROR


def test_marks_of_a_window(failing: host_tile.Host) -> None:
    """AxCACHE and AxPROT of its bursts are those that its flags name."""
    failing.fault = None
    outcome(failing, LINEAR)
    flags = [failing.queues[0].registers[0x90 + 0x20 * n] for n in (0, 2)]
    assert flags == [7 | 10 << 8 | 5 << 12, 7]


TAGGED = {name: alg for name, alg in ALGORITHMS.items() if alg.tag}


@pytest.mark.parametrize("name", TAGGED)
def test_tags_whose_length_is_not_said(
    failing: host_tile.Host, crypt: host_tile.Host, name: str
) -> None:
    """All that was written of the full tag is zeroized, and no byte behind it."""
    crypt.jobs.clear()
    crypt.main(firmware_params.crypt_tile(**example(random.Random(name), name)), bytes(16))
    engine = crypt.jobs[-1].opcode, crypt.jobs[-1].mode
    full = TAGGED[name].tag
    for written in (1, full - 1, full):
        failing.fault = host_tile.Fault(19, (written,))
        _, made = outcome(failing, TAG_ONLY, flags=FULL_TAG, engine=engine)
        assert made == zeroized(TAG_ONLY, written, decrypt=False, tag_len=full)
    failing.fault = host_tile.Fault(19, (full,))
    _, made = outcome(failing, TAG_ONLY, flags=FULL_TAG | NO_RECORDS, engine=engine)
    assert made == zeroized(TAG_ONLY, full, decrypt=False, tag_len=full)


@pytest.mark.parametrize("before", [1, 2, 3])
@pytest.mark.parametrize("code", [0, 1, 19])
def test_a_job_is_run_alone(failing: host_tile.Host, before: int, code: int) -> None:
    """A result that was not taken is not another job's: whether it is there, late or not begun."""
    failing.fault = host_tile.Fault(None if before == 3 else code, (5,))
    code, made, _ = failing.main(struct.pack("<7I", LINEAR, 0, 0, 0, before, *SHA256))
    assert code == 0 and struct.unpack("<i", made[:4]) == (-BUSY,)
    written = 0 if before == 1 else 5
    assert made[32 + AROUND :][:MESSAGE] == b"\x5a" * written + PATTERN * (MESSAGE - written)
    failing.fault = None
    failing.queues[0].stuck.clear()


def test_fences_in_the_compiled_driver() -> None:
    """A record's first word is loaded before the other; the doorbell is stored behind all else."""
    elf = firmware.build("selftest_tile")
    objdump = tools.find("riscv64-unknown-elf-objdump", "binutils-riscv64-unknown-elf")
    listing = tools.run([objdump, "-d", "--no-show-raw-insn", elf])

    def code(name: str) -> list[str]:
        text = listing.split(f"<{name}>:\n")[1].split("\n\n")[0]
        lines = [line.split(":\t") for line in text.splitlines()]
        return [line[1].replace("\t", " ") for line in lines if len(line) > 1]  # "..." is padding

    def places(name: str, pattern: str) -> list[int]:
        return [at for at, line in enumerate(code(name)) if re.fullmatch(pattern, line)]

    (number,) = places("cry_tile_poll", r"ld \w+,0\((\w+)\)")
    record = code("cry_tile_poll")[number][-3:-1]
    (rest,) = places("cry_tile_poll", rf"ld \w+,8\({record}\)")
    # This core's loads are in order: see tile_acquire().
    assert number < rest
    for name, of_ring in (("cry_tile_notify", []), ("cry_tile_start", ["sh", "sw"])):
        (fence,) = places(name, "fence")
        end = next(at for at in places(name, "ret") if at > fence)
        stores = [code(name)[at] for at in places(name, "s[bhwd] .*") if fence < at < end]
        # The doorbell, then the driver's own counts; the ring's entries are in front of the fence.
        assert [store.split()[0] for store in stores] == ["sw", *of_ring]
    # What is left of a former owner's records is gone from memory before the queue is enabled.
    (gone,) = places("cry_tile_open", "jal .* <memset>")
    (fence,) = places("cry_tile_open", "fence")
    later = [at for at in places("cry_tile_open", "s[bhwd] .*") if at > fence]
    assert gone < fence
    assert later
    assert all(code("cry_tile_open")[at].startswith("sw ") for at in later)


def test_open_leaves_nothing_of_the_former_owner(crypt: host_tile.Host) -> None:
    """Windows, key slots, limits, coalescing, events and violations of the queue; no other's."""
    for queue in crypt.queues[:2]:
        queue.registers = {offset: 0xFFFFFFFF for offset in (0x14, 0x18, 0x1C)}
        queue.registers |= {0x90 + 0x20 * n: 7 for n in range(4)}
        queue.registers |= {IRQ_STATUS: 7, IRQ_ENABLE_SET: 7, VIOLATION: 0, ALLOWED: 1, WEIGHT: 9}
        queue.registers |= {PROCESS: 5, RELATIVE: 1, PIECE: 0}
    assert crypt.main(firmware_params.crypt_tile(alg="sha256"), b"abc")[0] == 0
    own, other = (queue.registers for queue in crypt.queues[:2])
    assert [own[0x90 + 0x20 * n] for n in range(4)] == [7, 0, 0, 0]  # the program's own
    assert (own[0x14], own[0x18], own[0x1C]) == (0xFFFFFFFF, 0, 0)  # as it asked for
    assert (own[IRQ_STATUS], own[IRQ_ENABLE_SET]) == (0, 0)
    assert (other[IRQ_STATUS], other[IRQ_ENABLE_SET]) == (7, 7)
    assert own[VIOLATION] == 1  # which forgets it
    assert (own[ALLOWED], own[WEIGHT], own[PROCESS], own[RELATIVE]) == (0xFFFF, 0, 0, 0)
    assert (own[PIECE], other[PIECE]) == (64, 0)
    assert (other[VIOLATION], other[ALLOWED], other[WEIGHT]) == (0, 1, 9)
    assert all(other[0x90 + 0x20 * n] == 7 for n in range(4))


GCM = {"alg": "aes-128-gcm", "key": bytes(16), "iv": bytes(12)}
CCM = {**GCM, "alg": "aes-128-ccm"}
CTR = {"alg": "aes-128-ctr", "key": bytes(16), "iv": bytes(16)}
REFUSED = {
    "key length": ({**CTR, "key": bytes(24)}, 16, PARAM),
    "IV length": ({**CTR, "iv": bytes(12)}, 16, PARAM),
    "nonce of CCM": ({**CCM, "iv": bytes(14)}, 16, PARAM),
    "no IV for GCM": ({**GCM, "iv": b""}, 16, PARAM),
    "tag of GCM": ({**GCM, "length": 7}, 1, PARAM),
    "tag of CCM": ({**CCM, "length": 5}, 1, PARAM),
    "long digest": ({"alg": "sha256", "length": 33}, 1, PARAM),
    "key of a hash": ({"alg": "sha256", "key": bytes(16)}, 1, PARAM),
    "AAD of CTR": ({**CTR, "aad": b"x"}, 1, PARAM),
    "short for XTS": ({"alg": "aes-128-xts", "key": bytes(32), "iv": bytes(16)}, 15, LENGTH),
    "partial block": ({"alg": "aes-128-ecb", "key": bytes(16)}, 17, LENGTH),
    "long for CCM": ({**CCM, "iv": bytes(13)}, 65536, LENGTH),
    "padding of CTR": ({**CTR, "pkcs7": True}, 1, BAD_BLOB),
    "AES-192-XTS": ({"alg": "aes-192-xts", "key": bytes(48), "iv": bytes(16)}, 16, BAD_BLOB),
    "a short tag": ({**GCM, "decrypt": True}, 15, AUTH),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(crypt: host_tile.Host, name: str) -> None:
    options, size, wanted = REFUSED[name]
    blob = firmware_params.crypt_tile(**options)
    assert crypt.main(blob, bytes(size))[:2] == (wanted, b"")
    assert crypt.main(blob[:-1], bytes(size))[:2] == (BAD_BLOB, b"")


KMACS = {
    "kmac128": partial(keccak.kmac, 168),
    "kmac256": partial(keccak.kmac, 136),
    "kmacxof128": partial(keccak.kmac, 168, xof=True),
    "kmacxof256": partial(keccak.kmac, 136, xof=True),
}


def test_long_keys(crypt: host_tile.Host) -> None:
    """Keys of all lengths around those of the engines and of the blocks of the hashes."""
    rng = random.Random(8)
    for size in (64, 65, 127, 128, 129, 135, 136, 137, 168, 1024):
        key, text = rng.randbytes(size), rng.randbytes(rng.randrange(300))
        for name in ("sha224", "sha256", "sha384", "sha512"):
            code = hmac.new(key, text, name).digest()[:20]
            options = {"alg": f"hmac-{name}", "key": key, "length": 20}
            assert crypt.main(firmware_params.crypt_tile(**options), text)[:2] == (0, code)
            forged = code[:-1] + bytes([code[-1] ^ 1])
            for tag, wanted in ((code, 0), (forged, AUTH)):
                verify = firmware_params.crypt_tile(**options, tag=tag, decrypt=True)
                assert crypt.main(verify, text)[:2] == (wanted, b"")
        for name, reference in KMACS.items():
            for text, length in ((b"", 255), (rng.randbytes(200), 64)):
                code = reference(key, text, length, b"custom")
                options = {"alg": name, "key": key, "aad": b"custom", "length": length}
                assert crypt.main(firmware_params.crypt_tile(**options), text)[:2] == (0, code)
                for tag, wanted in ((code, 0), (b"x" + code[1:], AUTH)):
                    verify = firmware_params.crypt_tile(**options, tag=tag, decrypt=True)
                    assert crypt.main(verify, text)[:2] == (wanted, b"")


def test_descriptors(crypt: host_tile.Host) -> None:
    """Fields are where they belong; a job without key takes one entry, one with a key two."""
    crypt.jobs.clear()
    options = {"alg": "aes-256-gcm", "key": bytes(32), "iv": bytes(12), "aad": b"abc", "length": 12}
    crypt.main(firmware_params.crypt_tile(**options, decrypt=True), bytes(30))
    (job,) = crypt.jobs
    assert (job.opcode, job.mode, job.decrypt, job.more) == (2, 3, True, False)
    assert (job["key_len"], job["key_slot"], job["extension"], job["iv_len"]) == (2, 0, 1, 0)
    assert (job["msg_len"], job["aad_len"], job["tag_len"]) == (18, 3, 12)
    assert job["tag_addr"] == job["src_addr"] + 18
    crypt.main(firmware_params.crypt_tile(alg="sha512"), bytes(30))
    job = crypt.jobs[-1]
    others = job.fields.keys() - {"src_addr", "aad_addr", "tag_addr", "msg_len", "tag_len"}
    assert {name: job[name] for name in others if job[name]} == {"opcode": 3, "mode": 3}


def test_bench() -> None:
    """It measures what it was told to; what the tile and the library answer is the same."""
    parts = catalog.firmware().programs["bench_tile"].library
    bench = host_tile.Host(host_tile.build(["bench_tile", "tile_software", "tile_app"], parts))
    algs = ["nop", *ALGORITHMS]
    blob = firmware_params.bench_tile(ways=["single", "queued", "software"], algs=algs, sizes=[80])
    code, _, console = bench.main(blob)
    assert code == 0, console
    lines = parse(console)
    for alg in algs:
        metrics = {
            (line.params["path"], line.metric)
            for line in lines
            if line.params["alg"] == alg and line.params["path"] != "software"
        }
        alone = {"cycles", "setup", "doorbell", "collect", "tile", "queued"}
        serial = alg.rpartition("-")[2] in ("cbc", "ccm", "cmac")
        call = {"cycles", "setup", "tile"}
        assert metrics == (
            {("engine", metric) for metric in alone}
            | {("session", metric) for metric in call}
            | {("used", metric) for metric in (*call, "read")}
            | ({("queues", "queued")} if serial else set())
        )
    software = {line.params["alg"] for line in lines if line.params["path"] == "software"}
    assert software >= {
        "aes-192-cbc",
        "aes-256-gcm",
        "hmac-sha384",
        "shake256",
        "chacha20",
        "ascon-cxof128",
    }
    assert bench.head_reads == 0  # results tell which entries are free
    assert bench.main(blob[:-1])[0] == BAD_BLOB
