"""Measures the tile under Linux, on the RTL of CVA6 and the tile: each way to it, and software.

All programs run in the booted cycle-true system, one after the other, and read the core's own
counters: cycles of the RTL, the kernel's and the caller's instructions.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptile import catalog
from cryptile.bench.console import parse
from cryptile.bench.series import extrapolate
from cryptile.catalog import Algorithm, Kind
from cryptile.errors import CryptileError, UsageError
from cryptile.linux import kbuild, lean, provider, ring, rtl
from cryptile.project import ROOT
from cryptile.records import Record
from cryptile.systems import tile
from cryptile.systems.harness import memory_file

SIZES = (16, 64, 256, 1024, 4096)
ALGS = ("aes-128-gcm", "aes-128-ctr", "chacha20-poly1305", "sha256", "sha3-256")
LONG = 5_000_000
"""The published work's file, which goes by the slope of shorter messages."""
LEAST_LONG = 1024
"""Bytes of the longest of these at least: what shorter ones differ by is not a slope."""

SOFTWARE = {
    "ring": "openssl",
    "ring-used": "openssl",
    "ring-batch": "openssl",
    "ring-stream": "openssl",
    "ring-pointer": "openssl",
    "provider": "openssl",
    "kernel": "kernel-software",
    "kernel-interrupt": "kernel-software",
    "af-alg": "openssl",
    "plain": "openssl",
    "registers": "openssl",
}
"""The ways to the tile, and the software that does the same for such a caller."""

WAYS = {
    "openssl": ("openssl", "provider"),
    "ring": ("ring", "ring-used", "ring-batch", "ring-stream", "ring-pointer"),
    "kernel": ("kernel-software", "kernel", "kernel-interrupt"),
    "af-alg": ("af-alg-software", "af-alg"),
    "plain": ("plain",),
    "registers": ("registers",),
}
"""What is measured together, and the paths of its records."""

PATHS = tuple(path for paths in WAYS.values() for path in paths)

OVER = {"plain": "over_plain", "registers": "over_registers"}
"""The drivers that queues are compared with, and the metrics of it."""

OVER_THEM = WAYS["ring"]
"""The ways that are compared with these drivers."""

REGISTERS = ("aes-128-gcm",)
"""Of the algorithms those that are measured by ``registers``."""

MANY = ("ring-batch", "ring-stream")
"""Those of many jobs, of which it is asked how busy they keep the engine."""

FOLDER = ROOT / "sw/linux/bench"
"""The programs."""

_NO_KERNELS = ("sha512-224", "sha512-256")
"""Of the tile's algorithms those that no kernel has."""

_AEADS = {"gcm": "gcm(aes)", "aead": "rfc7539(chacha20,poly1305)"}
"""Names of the kernel's AEADs by the form of ours: what ``sw/linux/cycles`` times."""

_CIPHERS = ("ecb", "cbc", "ctr", "xts")
_POLL_CYCLES = "/sys/module/cryptile/parameters/poll_cycles"

_MOST_SIZES = 16
"""What ``sw/linux/cycles`` takes at once."""

_NONCE, _BLOCK = 12, 16
_ROUNDS, _SLOW_ROUNDS, _SLOW_BYTES = 16, 4, 256
"""Calls of a message; by software of one that is longer than so many bytes."""

_TOLD = re.compile(
    r"^(\S+) (\S+) +\S+ of (\d+) bytes, \d+ times: "
    r"(cycles|instructions) \d+ least (\d+) median",
    re.M,
)
"""What the kernel's log says of requests, behind way and algorithm."""

_MOST_CYCLES = 1_000_000_000
"""Of one script: a guest that hangs ends."""


def check(algs: Sequence[str], sizes: Sequence[int], ways: Sequence[str]) -> None:
    """Refuse what cannot be measured.

    Raises:
        UsageError: an unknown algorithm or way, or a size that no program takes.
    """
    choice = known()
    for alg in algs:
        if alg not in choice:
            raise UsageError(f"no algorithm named {alg}; known: {', '.join(choice)}")
    for way in ways:
        if way not in WAYS:
            raise UsageError(f"no way named {way}; known: {', '.join(WAYS)}")
    if [*ways] == ["registers"] and not {*algs} & {*REGISTERS}:
        raise UsageError(f"registers are measured with {', '.join(REGISTERS)} alone")
    if len(sizes) > _MOST_SIZES:
        raise UsageError(f"{len(sizes)} lengths: give at most {_MOST_SIZES}")
    for size in sizes:
        if not _BLOCK <= size <= 1 << 16 or size % _BLOCK:
            raise UsageError(f"{size} bytes: give a multiple of {_BLOCK} up to 64 KiB")


def measure(
    algs: Sequence[str] = ALGS,
    sizes: Sequence[int] = SIZES,
    ways: Sequence[str] = tuple(WAYS),
    *,
    latency: int | None = None,
    on_step: Callable[[str], None] = lambda _: None,
    on_done: Callable[[], None] = lambda: None,
) -> list[Record]:
    """Boot, unless its state is there, measure, and return records in a fixed order.

    Args:
        algs: algorithms.
        sizes: bytes of the messages.
        ways: of WAYS.
        latency: of the memory, in cycles; None: the system's own.
        on_step: told what is being done.
        on_done: called when a step is done.
    """
    check(algs, sizes, ways)
    on_step("building the programs")
    driver = kbuild.driver(lean.kernel())
    timer = kbuild.module("sw/linux/cycles", kernel=lean.kernel())
    files = {
        "/cryptile.ko": driver,
        "/cycles.ko": timer,
        "/bin/alg_cycles": ring.program(FOLDER / "alg_cycles.c"),
        "/bin/ring_cycles": ring.program(FOLDER / "ring_cycles.c"),
    }
    if {"plain", "registers"} & {*ways}:
        files["/bin/plain_cycles"] = ring.program(FOLDER / "plain_cycles.c", kbuild.PLAIN)
    if "plain" in ways:
        files["/cryptile_plain.ko"] = kbuild.plain(lean.kernel())
    if "registers" in ways:
        files["/cryptile_registers.ko"] = kbuild.registers(lean.kernel())
    # Without OpenSSL the guest is smaller, and boots in two thirds of the time.
    sets = ["openssl"] if "openssl" in ways else []
    if sets:
        files |= {
            "/bin/evp_cycles": provider.program(FOLDER / "evp_cycles.c"),
            **provider.files(),
        }
    on_done()
    records = []
    for script in _scripts(_chosen(algs), sizes, ways):
        on_step(f"measuring {script.names}")
        records += _run(script, sets, files, latency, on_step)
        on_done()
    records.sort(key=lambda item: (algs.index(item.params["alg"]), _place(item)))
    return [*records, *_long(records, sizes), *_speedups(records), *_utilisation(records)]


def steps(algs: Sequence[str], ways: Sequence[str]) -> int:
    """Return how often ``measure`` tells that a step is done."""
    return 1 + len(_scripts(_chosen(algs), (), ways))


def _chosen(algs: Sequence[str]) -> list[Algorithm]:
    choice = known()
    return [choice[alg] for alg in algs]


def known() -> dict[str, Algorithm]:
    """Return what can be measured, by name."""
    forms = ("ecb", "cbc", "ctr", "xts", "gcm", "aead", "hash")
    return {
        name: alg
        for name, alg in catalog.algorithms_on("tile").items()
        if alg.form in forms and (alg.form != "hash" or alg.hashlib) and name not in _NO_KERNELS
    }


@dataclass(frozen=True)
class _Script:
    """A script of the guest.

    Attributes:
        names: of what it measures.
        text: the script.
        register_io: it is for the system with an engine without DMA, which has no OpenSSL.
    """

    names: str
    text: str
    register_io: bool = False


def _run(
    script: _Script,
    sets: Sequence[str],
    files: dict[str, Path],
    latency: int | None,
    on_step: Callable[[str], None],
) -> list[Record]:
    with memory_file(provider.config(min_bytes=0).encode()) as settings:
        result, _ = rtl.run(
            script.text,
            sets=() if script.register_io else sets,
            files={**files, "/openssl.cnf": settings.path},
            cycles=_MOST_CYCLES,
            latency=latency,
            register_io=script.register_io,
            tell=lambda text: on_step(f"measuring {script.names}: {text}"),
        )
    text = result.output.decode()
    if result.status:
        raise CryptileError(f"a program of the guest failed:\n{text}{result.console}")
    waits = tile.latency if latency is None else latency
    found = []
    for line in parse(text):
        params = {
            "path": line.params["path"],
            "alg": line.params["alg"],
            "bytes": int(line.params["bytes"]),
            "batch": int(line.params["batch"]),
            "latency": waits,
        }
        found.append(_record(line.metric, line.value / 100, params))
    for path, alg, size, metric, value in _TOLD.findall(text):
        params = {"path": path, "alg": alg, "bytes": int(size), "batch": 1, "latency": waits}
        found.append(_record(metric, int(value), params))
    return found


def _place(item: Record) -> int:
    return PATHS.index(item.params["path"])


def _scripts(algs: Sequence[Algorithm], sizes: Sequence[int], ways: Sequence[str]) -> list[_Script]:
    """Return the scripts.

    The guest's way to a script and OpenSSL's beginning take tens of millions of cycles: once each
    for all algorithms.
    """
    own = [way for way in ways if way not in ("openssl", "registers")]
    scripts = []
    if own:
        lines = [*_kernels_own(algs, sizes, own), *_by_the_driver(algs, sizes, own)]
        scripts.append(_Script(", ".join(own), "\n".join(["set -e", *lines])))
    by_registers = [alg for alg in algs if alg.name in REGISTERS]
    if "registers" in ways and by_registers:
        insert = ["set -e", "insmod /cryptile_registers.ko"]
        lines = [*insert, *_messages("registers", by_registers, sizes)]
        scripts.append(_Script("registers", "\n".join(lines), register_io=True))
    if "openssl" in ways:
        words = _words(sizes, slow=False)
        kinds = " ".join(
            f"{'digest' if alg.form == 'hash' else 'cipher'} {alg.name}" for alg in algs
        )
        with_provider = f"evp_cycles provider cryptile {words} -- {kinds}"
        scripts.append(
            _Script(
                "OpenSSL",
                "\n".join(
                    [
                        "set -e",
                        f"evp_cycles openssl default {_words(sizes, slow=True)} -- {kinds}",
                        "insmod /cryptile.ko",
                        f"OPENSSL_CONF=/openssl.cnf {with_provider}",
                    ]
                ),
            )
        )
    return scripts


def _kernels_own(algs: Sequence[Algorithm], sizes: Sequence[int], ways: Sequence[str]) -> list[str]:
    """Return the lines for the kernel's software and the plain driver.

    Before the tile's driver: it has better algorithms of the same names, and the plain one drives
    the tile alone.
    """
    lines = []
    for alg in algs:
        if "kernel" in ways and alg.form in _AEADS:
            lines += _time_kernel("kernel-software", alg, sizes)
        if "af-alg" in ways:
            lines.append(time_socket("af-alg-software", alg, _words(sizes, slow=True)))
    if "plain" in ways:
        lines.append("insmod /cryptile_plain.ko")
        lines += _messages("plain", algs, sizes)
        lines.append("rmmod cryptile_plain")
    return lines


def _messages(path: str, algs: Sequence[Algorithm], sizes: Sequence[int]) -> list[str]:
    """Return the lines that time messages through a driver to compare with."""
    words = _words(sizes, slow=False)
    return [f"plain_cycles {path} {alg.name} {iv_bytes(alg)} {words}" for alg in algs]


def _by_the_driver(
    algs: Sequence[Algorithm], sizes: Sequence[int], ways: Sequence[str]
) -> list[str]:
    """Return the lines for what the tile's driver serves; the last of them take its polling."""
    if {*ways} <= {"plain"}:
        return []
    words = _words(sizes, slow=False)
    lines, by_interrupt = ["insmod /cryptile.ko"], []
    for alg in algs:
        if "ring" in ways:
            lines.append(f"ring_cycles {alg.name} {iv_bytes(alg)} {words}")
        if "af-alg" in ways:
            lines.append(time_socket("af-alg", alg, words))
        if "kernel" in ways and alg.form in _AEADS:
            lines += _time_kernel("kernel", alg, sizes)
            by_interrupt += _time_kernel("kernel-interrupt", alg, sizes)
    return [*lines, f"echo 0 >{_POLL_CYCLES}", *by_interrupt]


def _kernel_name(alg: Algorithm, path: str) -> str:
    """Return what the kernel calls an algorithm, or the tile's driver of it."""
    name = _AEADS.get(alg.form) or (f"{alg.form}(aes)" if alg.form in _CIPHERS else alg.name)
    if path in SOFTWARE:
        return f"cryptile-{name.replace('(', '-').replace(')', '').replace(',', '-')}"
    return name


def time_socket(path: str, alg: Algorithm, words: str) -> str:
    """Return the line that times messages through AF_ALG.

    Args:
        path: ``af-alg`` or ``af-alg-software``.
        alg: the algorithm.
        words: bytes and rounds, as the program has them.
    """
    kind = "aead" if alg.form in _AEADS else "skcipher" if alg.form in _CIPHERS else "hash"
    key = 0 if alg.form == "hash" else alg.key
    name = _kernel_name(alg, path)
    return f"alg_cycles {path} {alg.name} {kind} '{name}' {key} {iv_bytes(alg)} {words}"


def _time_kernel(path: str, alg: Algorithm, sizes: Sequence[int]) -> list[str]:
    slow = path == "kernel-software"
    rounds = ",".join(str(_rounds(size, slow=slow)) for size in sizes)
    lengths, name = ",".join(map(str, sizes)), _kernel_name(alg, path)
    return [
        f"insmod /cycles.ko 'driver={name}' key_bytes={alg.key} bytes={lengths} rounds={rounds}",
        f"rmmod cycles; dmesg -c | sed -n '/times/s/^[^]]*]/{path} {alg.name}/p'",
    ]


def _rounds(size: int, *, slow: bool) -> int:
    return _SLOW_ROUNDS if slow and size > _SLOW_BYTES else _ROUNDS


def _words(sizes: Sequence[int], *, slow: bool) -> str:
    return " ".join(f"{size} {_rounds(size, slow=slow)}" for size in sizes)


def iv_bytes(alg: Algorithm) -> int:
    """Return the length of an algorithm's IV, as programs have it."""
    if not alg.mode.iv:
        return 0
    return _NONCE if alg.family.kind is Kind.aead else _BLOCK


def _long(records: list[Record], sizes: Sequence[int]) -> list[Record]:
    """Return the cycles of the published file, by the slope of the two longest messages."""
    if len(sizes) < 2 or max(sizes) < LEAST_LONG:
        return []
    series: dict[tuple[str, str], dict[int, Record]] = {}
    for item in records:
        if item.metric == "cycles":
            key = (item.params["path"], item.params["alg"])
            series.setdefault(key, {})[item.params["bytes"]] = item
    found = []
    for rows in series.values():
        params = next(iter(rows.values())).params | {"bytes": LONG, "extrapolated": True}
        value = extrapolate({size: item.value for size, item in rows.items()}, LONG)
        found.append(_record("cycles", value, params))
    return [*found, *_speedups(found)]


def _speedups(records: list[Record]) -> list[Record]:
    """Compare ways to the tile with software, and queues with other drivers, too."""
    cycles = {
        (item.params["path"], item.params["alg"], item.params["bytes"]): item
        for item in records
        if item.metric == "cycles"
    }
    found = []
    for (path, alg, size), item in cycles.items():
        base = cycles.get((SOFTWARE.get(path, ""), alg, size))
        if base is not None:
            params = {**item.params, "baseline": base.params["path"]}
            found.append(Record("linux", "speedup", base.value / item.value, "ratio", params))
        for other, metric in OVER.items() if path in OVER_THEM else ():
            driver = cycles.get((other, alg, size))
            if driver is not None:
                params = {**item.params, "baseline": other}
                found.append(Record("linux", metric, driver.value / item.value, "ratio", params))
    return found


def _padded(alg: Algorithm, size: int) -> int:
    """Return the bytes of a message, with those of a hash's padding that there are at least.

    FIPS 180-4, 5.1; FIPS 202, B.2.
    """
    if alg.engine == "sha2":
        return size + 1 + alg.mode.block // 8
    return size + 1 if alg.engine == "keccak" else size


def _utilisation(records: list[Record]) -> list[Record]:
    """Return the share of the time in which an engine takes blocks, where it has such a figure.

    Those of a hash's padding are among them.
    """
    choice, found = known(), []
    for item in records:
        alg = choice[item.params["alg"]]
        mode = alg.mode
        if item.metric == "cycles" and item.params["path"] in MANY and mode.cycles:
            busy = -(-_padded(alg, item.params["bytes"]) // mode.block) * mode.cycles
            found.append(Record("linux", "utilisation", busy / item.value, "ratio", item.params))
    return found


def _record(metric: str, value: float, params: dict[str, object]) -> Record:
    return Record("linux", metric, value, metric, params)
