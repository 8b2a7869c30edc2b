"""Measures AES on the microcontroller: every engine variant and the software, in exact cycles."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from cryptile import firmware
from cryptile.bench.console import Line, parse
from cryptile.bench.series import slope
from cryptile.errors import CryptileError, UsageError
from cryptile.firmware import params as firmware_params
from cryptile.firmware.sizes import code_size
from cryptile.records import Record
from cryptile.systems import mcu, monitors

BLOCKS = (1, 4, 32, 1024)
MODES = ("ecb", "cbc", "ctr")
VARIANTS = mcu.words("variant")
SOFTWARE = ("compact", "table", "bitsliced")
BASELINE = "compact"
"""What speed-ups are over: the software that a microcontroller project would use."""

WAITS = ("poll", "sleep")
STEPS = (*VARIANTS, *SOFTWARE, "code size")
MAX_CYCLES = 200_000_000


def check(blocks: list[int]) -> None:
    """Refuse numbers of blocks that the firmware cannot measure, or that give no slope.

    Raises:
        UsageError: a bad number, or fewer than two.
    """
    most, count = firmware_params.MAX_BENCH_BLOCKS, firmware_params.MAX_BENCH_COUNTS
    if not all(1 <= number <= most for number in blocks):
        raise UsageError(f"a message has 1 to {most} blocks")
    if not 2 <= len(set(blocks)) == len(blocks) <= count:
        raise UsageError(f"2 to {count} different numbers of blocks are measured")


def measure(
    core: str,
    blocks: list[int],
    *,
    on_step: Callable[[str], None],
    on_done: Callable[[], None],
    traces: Mapping[str, Path] | None = None,
) -> list[Record]:
    """Run everything, two simulations at a time, and return records in a fixed order.

    Args:
        core: the RISC-V core.
        blocks: numbers of blocks of a message.
        on_step: told what is being done.
        on_done: called for each of ``STEPS``.
        traces: files for waves, by variant of the engine.
    """
    files = traces or {}
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = {
            pool.submit(_measure_one, core, impl, blocks, files.get(impl)): impl
            for impl in (*SOFTWARE, *VARIANTS)
        }
        on_step(f"measuring {', '.join(futures.values())}")
        results: dict[str, list[Record]] = {}
        for future in as_completed(futures):
            results[futures[future]] = future.result()
            on_step(f"measured {futures[future]}")
            on_done()
    records = [record for impl in (*VARIANTS, *SOFTWARE) for record in results[impl]]
    records += _speedups(records)
    on_step("accounting code size")
    records += _code_sizes(core)
    on_done()
    return records


def _measure_one(core: str, impl: str, blocks: list[int], trace: Path | None) -> list[Record]:
    engine = impl in VARIANTS
    impls = [f"engine-{wait}" for wait in WAITS] if engine else [impl]
    result = _run(core, impl if engine else "pipelined", impls, blocks, trace)
    lines = parse(result.console)
    cycles = _engine_cycles(result, impl, lines) if engine else _software_cycles(impl, lines)
    return [*cycles, *_per_block(cycles)]


def _run(
    core: str, variant: str, impls: list[str], blocks: list[int], trace: Path | None
) -> monitors.Result:
    blob = firmware_params.bench(impls=impls, modes=MODES, blocks=blocks)
    elf = firmware.build("bench", core=core)
    model = mcu.build(core=core, variant=variant, trace=trace is not None)
    result = mcu.run(model, elf, params=blob, max_cycles=MAX_CYCLES, trace=trace)
    if result.exit_code != 0:
        raise CryptileError(f"bench firmware failed ({result.exit_code}):\n{result.console}")
    return result


def _software_cycles(impl: str, lines: list[Line]) -> list[Record]:
    return [
        _record("cycles", line.value, "software", impl, line.params)
        for line in lines
        if line.metric == "cycles"
    ]


def _engine_cycles(result: monitors.Result, impl: str, lines: list[Line]) -> list[Record]:
    """Join the firmware's lines with the simulator's job log.

    For each number of blocks the firmware runs two driver jobs for the cycles, two for the busy
    cycles, for the first number two for the set-up, and two through the API; the second of all is
    the one that counts.
    """
    jobs = iter(result.jobs)
    records = []
    for line, group in _driver_lines(lines):
        measured = [next(jobs) for _ in range(2)][1]
        if measured.cycles is None:
            raise CryptileError("a measured job raised no event")
        records.append(_record("cycles", measured.cycles, "engine", impl, line.params))
        records.append(_record("call_cycles", line.value, "engine", impl, line.params))
        if "busy_cycles" in group:
            busy = group["busy_cycles"]
            records.append(_record("busy_cycles", busy, "engine", impl, line.params))
        for _ in range(6 if "setup_cycles" in group else 4):
            next(jobs)
    if next(jobs, None) is not None:
        raise CryptileError("the simulator logged more jobs than the bench firmware printed")
    return records


def _driver_lines(lines: list[Line]) -> Iterator[tuple[Line, dict[str, int]]]:
    """Yield each driver ``cycles`` line with the other driver metrics printed around it."""
    pending: dict[str, int] = {}
    current: Line | None = None
    for line in lines:
        if line.params["call"] != "driver":
            continue
        if line.metric == "setup_cycles":
            pending["setup_cycles"] = line.value
        elif line.metric == "cycles":
            current = line
        elif line.metric == "busy_cycles" and current is not None:
            yield current, {**pending, "busy_cycles": line.value}
            pending, current = {}, None


def _record(metric: str, value: float, path: str, impl: str, line: dict[str, str]) -> Record:
    params: dict[str, Any] = {"path": path, "impl": impl, "alg": line["alg"]}
    params["blocks"] = int(line["blocks"])
    if "wait" in line:
        params["wait"] = line["wait"]
    return Record("mcu", metric, value, "cycles", params)


def _per_block(records: list[Record]) -> list[Record]:
    """Derive the cost of a further block and of the set-up from the cycles of each series."""
    series: dict[tuple[tuple[str, Any], ...], dict[int, float]] = {}
    for record in records:
        if record.metric == "cycles":
            params = {key: value for key, value in record.params.items() if key != "blocks"}
            series.setdefault(tuple(params.items()), {})[record.params["blocks"]] = record.value
    derived = []
    for key, cycles in series.items():
        further = slope(cycles)
        longest = max(cycles)
        setup = cycles[longest] - longest * further
        derived.append(Record("mcu", "further_block", further, "cycles/block", dict(key)))
        derived.append(Record("mcu", "setup_cycles", setup, "cycles", dict(key)))
    return derived


def _speedups(records: list[Record]) -> list[Record]:
    """Compare with the baseline at the same algorithm: per further block, and for N blocks."""

    def key(record: Record) -> tuple[str, str, int | None]:
        return record.metric, record.params["alg"], record.params.get("blocks")

    compared = [item for item in records if item.metric in ("cycles", "further_block")]
    baseline = {
        key(record): record.value for record in compared if record.params["impl"] == BASELINE
    }
    return [
        Record(
            "mcu",
            "speedup",
            baseline[key(record)] / record.value,
            "ratio",
            {**record.params, "baseline": BASELINE, "of": record.metric},
        )
        for record in compared
    ]


def _code_sizes(core: str) -> list[Record]:
    records = []
    for impl in (*SOFTWARE, "engine"):
        sizes = code_size(firmware.build("size", core=core, impl=impl), impl)
        path = "engine" if impl == "engine" else "software"
        for name in VARIANTS if impl == "engine" else (impl,):
            for part, size in sizes.items():
                params = {"path": path, "impl": name, "alg": "aes-128-ecb", "part": part}
                records.append(Record("mcu", "code_bytes", size, "bytes", params))
    return records
