"""Measures the stream SoC: an engine behind DMA against software, in exact cycles."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cryptile import firmware
from cryptile.bench.console import parse
from cryptile.bench.series import extrapolate
from cryptile.errors import CryptileError, UsageError
from cryptile.firmware import params as firmware_params
from cryptile.records import Record
from cryptile.systems import monitors, stream

VARIANTS = stream.words("variant", engine="chacha20poly1305")
SIZES = (64, 256, 1024, 4096, 16384, 65536, 1 << 20)
MEGABYTE = 1 << 20
SOFTWARE = ("asm", "c")
SOFTWARE_MAX = 4096
"""The longest message that software encrypts in RTL unless told to; others go by the slope."""

CLOCK_MHZ = 50.0
"""The clock at which times are stated, unless told otherwise."""

BLOCK = 64
MAX_CYCLES = 400_000_000

ALGS = ("chacha20", "chacha20-poly1305", "aes-128-ctr")


def steps(variants: Sequence[str], *, aes: bool) -> list[str]:
    """Return what ``measure`` does, one entry for each call of ``on_done``."""
    return [*variants, *(["aes"] if aes else []), "software"]


def measure(
    variants: Sequence[str] = VARIANTS,
    sizes: Sequence[int] = SIZES,
    *,
    protect: str = "none",
    aes: bool = False,
    full: bool = False,
    clock_mhz: float = CLOCK_MHZ,
    latency: int = stream.latency,
    traces: Mapping[str, Path] | None = None,
    on_step: Callable[[str], None] = lambda _: None,
    on_done: Callable[[], None] = lambda: None,
) -> list[Record]:
    """Run everything and return records in a fixed order.

    Args:
        variants: of ChaCha20-Poly1305.
        sizes: bytes of the messages, multiples of 64.
        protect: protection of ChaCha20-Poly1305 against upsets.
        aes: measure the pipelined AES engine in counter mode too.
        full: let software encrypt the long messages in RTL too, which takes minutes.
        clock_mhz: for the times.
        latency: of the memory, in cycles.
        traces: files for waves, by variant; ``aes`` for AES.
        on_step: told what is being done.
        on_done: called when a step is done.
    """
    check(variants, sizes)
    engines: list[tuple[str, str, str, Sequence[str]]] = [
        ("chacha20poly1305", variant, protect, ALGS[:2]) for variant in variants
    ]
    engines += [("aes", "pipelined", "none", ALGS[2:])] if aes else []
    records = []
    model: Path | None = None
    for engine, variant, level, algs in engines:
        on_step(f"measuring {engine} {variant}")
        trace = (traces or {}).get("aes" if engine == "aes" else variant)
        model = stream.build(engine, variant, protect=level, trace=trace is not None)
        result = _run(model, ["poll"], algs, sizes, latency, trace)
        records += _engine(result, variant, level, latency)
        on_done()
    on_step("measuring software")
    model = model or stream.build()
    records += _software(model, sizes, latency, full=full)
    on_done()
    return [*records, *_times(records, clock_mhz), *_speedups(records)]


def check(variants: Sequence[str], sizes: Sequence[int]) -> None:
    """Refuse what cannot be measured.

    Raises:
        UsageError: an unknown variant or a size that the program does not take.
    """
    for variant in variants:
        if variant not in VARIANTS:
            raise UsageError(f"no variant named {variant}; known: {', '.join(VARIANTS)}")
    for size in sizes:
        if size <= 0 or size % BLOCK or size > firmware_params.MAX_STREAM_BYTES:
            raise UsageError(f"{size} bytes: give a multiple of {BLOCK} up to 4 MiB")


def _run(
    model: Path,
    ways: Sequence[str],
    algs: Sequence[str],
    sizes: Sequence[int],
    latency: int,
    trace: Path | None = None,
) -> monitors.Result:
    blob = firmware_params.bench_stream(ways=ways, algs=algs, sizes=sizes)
    elf = firmware.build("bench_stream")
    result = stream.run(
        model, elf, params=blob, max_cycles=MAX_CYCLES, latency=latency, trace=trace
    )
    if result.exit_code != 0:
        raise CryptileError(f"bench firmware failed ({result.exit_code}):\n{result.console}")
    return result


def _engine(result: monitors.Result, impl: str, protect: str, latency: int) -> list[Record]:
    """Join the firmware's lines with the packets that the simulator saw, one for each."""
    lines = parse(result.console)
    if len(lines) != result.packets_finished:
        raise CryptileError("the simulator saw other packets than the bench firmware printed")
    records = []
    for line, packet in zip(lines, result.packets, strict=True):
        size = int(line.params["bytes"])
        params = _params("engine", impl, line.params["alg"], size, latency) | {"protect": protect}
        moving = packet.last_out - packet.first_in + 1
        beats = max(packet.beats_in, packet.beats_out)
        records += [
            *_cycles(line.value, params),
            _record("stream_cycles_per_block", moving * BLOCK / size, "cycles/64 B", params),
            _record("dma_efficiency", moving / line.value, "ratio", params),
            _record("bus_use", beats / moving, "ratio", params),
        ]
    return records


def _software(model: Path, sizes: Sequence[int], latency: int, *, full: bool) -> list[Record]:
    short = [size for size in sizes if full or size <= SOFTWARE_MAX]
    long = [size for size in sizes if size not in short]
    if long:
        short = sorted({*short, SOFTWARE_MAX // 4, SOFTWARE_MAX})
    result = _run(model, SOFTWARE, ALGS[:2], short, latency)
    measured: dict[tuple[str, str], dict[int, int]] = {}
    for line in parse(result.console):
        series = measured.setdefault((line.params["alg"], line.params["way"]), {})
        series[int(line.params["bytes"])] = line.value
    records = []
    for (alg, impl), cycles in measured.items():
        for size in sizes:
            params = _params("software", impl, alg, size, latency)
            if size in cycles:
                records += _cycles(cycles[size], params)
            else:
                value = extrapolate(cycles, size)
                records += _cycles(value, {**params, "extrapolated": True})
    return records


def _params(path: str, impl: str, alg: str, size: int, latency: int) -> dict[str, Any]:
    return {"path": path, "impl": impl, "alg": alg, "bytes": size, "latency": latency}


def _cycles(value: float, params: dict[str, Any]) -> list[Record]:
    size = params["bytes"]
    return [
        _record("cycles", value, "cycles", params),
        _record("cycles_per_block", value * BLOCK / size, "cycles/64 B", params),
        _record("bytes_per_cycle", size / value, "bytes/cycle", params),
    ]


def _times(records: list[Record], clock_mhz: float) -> list[Record]:
    return [
        _record("time", item.value / clock_mhz / 1000, "ms", {**item.params, "mhz": clock_mhz})
        for item in records
        if item.metric == "cycles"
    ]


def _speedups(records: list[Record]) -> list[Record]:
    """Compare each engine with each software at the same algorithm and size."""
    cycles = [item for item in records if item.metric == "cycles"]
    speedups = []
    for item in cycles:
        for base in cycles:
            same = all(item.params[key] == base.params[key] for key in ("alg", "bytes"))
            if same and item.params["path"] == "engine" and base.params["path"] == "software":
                params = {**item.params, "baseline": base.params["impl"]}
                if base.params.get("extrapolated"):
                    params["extrapolated"] = True
                speedups.append(_record("speedup", base.value / item.value, "ratio", params))
    return speedups


def _record(metric: str, value: float, unit: str, params: dict[str, Any]) -> Record:
    return Record("stream", metric, value, unit, params)
