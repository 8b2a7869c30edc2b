"""Measures the crypto tile on its system-on-chip: single and queued jobs, against software there.

What a job costs is taken apart with the tile's own measuring jobs: NOP has the queue alone, COPY
the queue and the movement of the data.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import Any

from cryptile import catalog, firmware
from cryptile.bench.cells import find
from cryptile.bench.console import Line, parse
from cryptile.bench.series import extrapolate
from cryptile.errors import CryptileError, UsageError
from cryptile.firmware import params as firmware_params
from cryptile.records import Record
from cryptile.systems import tile

MEASURING = ("nop", "copy")
RANDOM = "drbg-generate"
"""Random bytes, a program of their own."""

SHORT_KEYS = (
    "x25519", "ed25519-sign", "ed25519-sign-seed", "ed25519-verify",
    "p256-ecdh", "p256-sign", "p256-verify",
)  # fmt: skip
LONGEST_KEYS = ("p521-ecdh", "p521-sign", "p521-verify")
"""On a tile with the engine for them."""

PUBLIC_KEY = (*SHORT_KEYS, "p384-ecdh", "p384-sign", "p384-verify", *LONGEST_KEYS)
"""Public-key algorithms: another program, on a tile with these engines, too. They have no sizes."""

RSA = ("rsa2048-private", "rsa2048-public")
"""Likewise, of a third program, on a tile with the engine for them. No software does the first."""


class Impl(StrEnum):
    """The multiplier of the engines for public keys."""

    compact = "compact"
    fast = "fast"


_OPTION = {Impl.compact: 2, Impl.fast: 4}
"""The tile's option ``public_key``; ``fast`` is for short keys alone."""

ALGS = (
    *MEASURING,
    "aes-128-ecb", "aes-128-cbc", "aes-128-ctr", "aes-256-ctr", "aes-128-gcm", "aes-256-gcm",
    "aes-128-ccm", "aes-128-cmac", "aes-128-xts", "sha256", "sha512", "sha3-256", "shake128",
    "hmac-sha256", "kmac128", "chacha20", "chacha20-poly1305", "ascon-aead128", "ascon-hash256",
    RANDOM,
)  # fmt: skip
"""What is measured unless told otherwise: public-key algorithms when they are named."""

SIZES = (16, 64, 256, 1024, 4096, 16384, 65536, 1 << 20)
SOFTWARE_SIZES = (1024, 4096)
"""Software works on messages up to the last of these; longer ones go by the slope between them."""

LATENCY = tile.latency
MAX_CYCLES = 2_000_000_000


def measure(
    algs: Sequence[str] = ALGS,
    sizes: Sequence[int] = SIZES,
    *,
    impl: Impl = Impl.compact,
    software: bool = True,
    latency: int = LATENCY,
    traces: Mapping[str, Path] | None = None,
    on_step: Callable[[str], None] = lambda _: None,
    on_done: Callable[[], None] = lambda: None,
) -> list[Record]:
    """Run everything, two simulations at a time, and return records in a fixed order.

    Args:
        algs: algorithms as in ``cryptile crypt``, ``nop`` and ``copy``, ``drbg-generate``, and
            public-key algorithms.
        sizes: bytes of the messages.
        impl: the multiplier of public-key engines.
        software: measure the software library too.
        latency: of the memory, in cycles.
        traces: files for waves of the tile's jobs, by algorithm.
        on_step: told what is being done.
        on_done: called ``steps`` times.
    """
    check(algs, sizes, impl)
    systems = {alg: _system(alg, impl) for alg in algs}
    # Builds show their progress, so they come one after the other.
    models = {
        number: tile.build(trace=bool(traces), public_key=number)
        for number in sorted({number for _, number in systems.values()})
    }
    elves = {alg: firmware.build(name) for alg, (name, _) in systems.items()}
    on_step(f"measuring {', '.join(algs)}")

    def one(alg: str) -> list[Line]:
        elf, model, trace = elves[alg], models[systems[alg][1]], (traces or {}).get(alg)
        found = _run(model, elf, ["single", "queued"], alg, sizes, latency, trace)
        if software and alg not in (*MEASURING, *RSA):
            found += _run(model, elf, ["software"], alg, _software_sizes(sizes), latency)
        on_done()
        return found

    with ThreadPoolExecutor(max_workers=2) as pool:
        lines = [line for found in pool.map(one, algs) for line in found]
    records = [record for line in lines for record in _records(line, latency, impl)]
    records += _parts(records)
    records += _software(records, sizes)
    return [*records, *_speedups(records)]


def _system(alg: str, impl: Impl) -> tuple[str, int]:
    """Return the firmware that measures an algorithm, and the tile's option ``public_key``."""
    if alg in RSA:
        return "bench_tile_rsa", 3
    if alg in PUBLIC_KEY:
        return "bench_tile_public_key", 5 if alg in LONGEST_KEYS else _OPTION[impl]
    return "bench_tile_random" if alg == RANDOM else "bench_tile", 0


def steps(algs: Sequence[str]) -> int:
    """Return how often ``measure`` calls ``on_done``."""
    return len(algs)


def check(algs: Sequence[str], sizes: Sequence[int], impl: Impl = Impl.compact) -> None:
    """Refuse what cannot be measured.

    Raises:
        UsageError: an unknown algorithm, one that no engine has with this multiplier, or a size
            that the program does not take.
    """
    known = [*MEASURING, *catalog.algorithms_on("tile"), RANDOM, *PUBLIC_KEY, *RSA]
    for alg in algs:
        if alg not in known:
            raise UsageError(f"unknown algorithm {alg!r}; known: {', '.join(known)}")
        if impl is Impl.fast and alg not in SHORT_KEYS:
            raise UsageError(f"{alg}: --impl fast is for {', '.join(SHORT_KEYS)}")
    for size in sizes:
        if not 0 < size <= firmware_params.MAX_TILE_BENCH_BYTES:
            raise UsageError(f"{size} bytes: give 1 to 4 MiB")


def peak(alg: str) -> float | None:
    """Return the bytes per cycle that the engine of an algorithm takes at best.

    None for modes whose blocks wait for one another: there the latency of the core decides.
    """
    found = _mode(alg)
    return found.block / found.cycles if found.cycles else None


def _mode(alg: str) -> catalog.Mode:
    """Return the mode of an engine that makes an algorithm, a measuring job or random bytes."""
    if alg in MEASURING:
        return catalog.engines()[alg].modes[alg]
    if alg == RANDOM:
        return catalog.engines()["random"].modes["generate"]
    return catalog.algorithms()[alg].mode


def _run(
    model: Path,
    elf: Path,
    ways: Sequence[str],
    alg: str,
    sizes: Sequence[int],
    latency: int,
    trace: Path | None = None,
) -> list[Line]:
    blob = firmware_params.bench_tile(ways=ways, algs=[alg], sizes=sizes)
    result = tile.run(model, elf, blob, max_cycles=MAX_CYCLES, latency=latency, trace=trace)
    if result.exit_code != 0:
        raise CryptileError(f"bench firmware failed ({result.exit_code}):\n{result.console}")
    return parse(result.console)


def _software_sizes(sizes: Sequence[int]) -> list[int]:
    short = [size for size in sizes if size <= SOFTWARE_SIZES[-1]]
    return sorted({*short, *SOFTWARE_SIZES} if len(short) < len(sizes) else short)


_METRICS = {
    "cycles": "cycles",
    "setup": "setup_cycles",
    "doorbell": "doorbell_cycles",
    "collect": "collect_cycles",
    "tile": "tile_cycles",
    "read": "read_cycles",
}


def _records(line: Line, latency: int, impl: Impl) -> list[Record]:
    """Turn a line of the firmware into records."""
    path, alg = line.params["path"], line.params["alg"]
    if alg in (*PUBLIC_KEY, *RSA):
        of_key = {"path": path, "alg": alg, "latency": latency}
        if path != "software":
            of_key["impl"] = impl.value
        return [_record("cycles", line.value, "cycles", of_key)]
    size = int(line.params["bytes"])
    queued = line.metric == "queued"
    params: dict[str, Any] = {
        "path": path,
        "alg": alg,
        "bytes": size,
        "queued": queued,
        "latency": latency,
    }
    if "queues" in line.params:
        params["queues"] = int(line.params["queues"])
    if path == "software":
        return [_record("cycles", line.value, "cycles", params)]
    if not queued and line.metric != "cycles":
        return [_record(_METRICS[line.metric], line.value, "cycles", params)]
    cycles = line.value / int(line.params["jobs"]) if queued else line.value
    made = [_record("cycles", cycles, "cycles", params)]
    if alg != "nop":
        made.append(_record("bytes_per_cycle", size / cycles, "bytes/cycle", params))
        if "queues" in params:
            # The core takes one block in a cycle: the share of cycles in which it does.
            mode = _mode(alg)
            busy = size / mode.block * mode.calls / cycles
            made.append(_record("core_utilisation", busy, "ratio", params))
        best = peak(alg)
        if best is not None:
            made.append(_record("utilisation", size / cycles / best, "ratio", params))
    return made


def _parts(records: list[Record]) -> list[Record]:
    """Take the doorbell-to-completion time of single jobs apart with NOP and COPY."""
    found = []
    for record in records:
        if record.metric != "doorbell_cycles" or record.params["alg"] in MEASURING:
            continue
        same = {"bytes": record.params["bytes"], "queued": False}
        nop = find(records, "doorbell_cycles", alg="nop", **same)
        copy = find(records, "doorbell_cycles", alg="copy", **same)
        if nop is None or copy is None:
            continue
        for metric, value in (
            ("queue_cycles", nop.value),
            ("move_cycles", copy.value - nop.value),
            ("compute_cycles", record.value - copy.value),
        ):
            found.append(_record(metric, value, "cycles", record.params))
    return found


def _software(records: list[Record], sizes: Sequence[int]) -> list[Record]:
    """Extrapolate to the sizes at which software was not measured."""
    found = []
    measured: dict[str, dict[int, int]] = {}
    for record in records:
        if record.params["path"] == "software" and "bytes" in record.params:
            series = measured.setdefault(record.params["alg"], {})
            series[record.params["bytes"]] = int(record.value)
    for alg, series in measured.items():
        for size in sizes:
            if size not in series:
                base = {"path": "software", "alg": alg, "bytes": size, "queued": False}
                params = {**base, "extrapolated": True}
                found.append(_record("cycles", extrapolate(series, size), "cycles", params))
    return found


def _speedups(records: list[Record]) -> list[Record]:
    """Compare jobs of every kind with software at the same algorithm and size."""
    found = []
    for record in records:
        if record.metric != "cycles" or record.params["path"] == "software":
            continue
        same = {name: record.params[name] for name in ("alg", "bytes") if name in record.params}
        base = find(records, "cycles", path="software", **same)
        if base is not None:
            params = dict(record.params)
            if base.params.get("extrapolated"):
                params["extrapolated"] = True
            found.append(_record("speedup", base.value / record.value, "ratio", params))
    return found


def _record(metric: str, value: float, unit: str, params: dict[str, Any]) -> Record:
    return Record("tile", metric, value, unit, params)
