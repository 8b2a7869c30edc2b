"""Two runs side by side as a waveform (VCD): one without a fault, and one with it."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cryptile.faults.sites import register

RUNS = ("golden", "faulty")

Signals = list[tuple[str, list[int]]]
"""Names with the columns of the trace that hold their bits, lowest first."""


def signals(
    inputs: Mapping[str, tuple[int, int]],
    flops: Sequence[str],
    outputs: Mapping[str, tuple[int, int]],
) -> Signals:
    """List what a trace of inputs, flip-flops and outputs shows.

    Args:
        inputs: first bit and width of each input.
        flops: names of the flip-flops.
        outputs: first bit and width of each output.
    """
    registers: dict[str, dict[int, int]] = {}
    before = sum(width for _, width in inputs.values())
    for index, name in enumerate(flops):
        stem, bit = register(name)
        registers.setdefault(stem, {})[bit] = before + index
    found = [(name, list(range(first, first + width))) for name, (first, width) in inputs.items()]
    found += [(name, [bits[bit] for bit in sorted(bits)]) for name, bits in registers.items()]
    behind = before + len(flops)
    found += [
        (name, list(range(behind + first, behind + first + width)))
        for name, (first, width) in outputs.items()
    ]
    return found


def vcd(top: str, shown: Signals, trace: NDArray[np.uint8], start: int) -> str:
    """Return a waveform.

    Args:
        top: what is shown.
        shown: the signals.
        trace: a byte for each bit, by cycle, run and column.
        start: the first cycle.
    """
    return "\n".join(_lines(top, shown, trace, start)) + "\n"


def _lines(top: str, shown: Signals, trace: NDArray[np.uint8], start: int) -> Iterator[str]:
    yield f"$comment {top}: cycle n stands at time n $end"
    yield "$timescale 1 ns $end"
    for run, scope in enumerate(RUNS):
        yield f"$scope module {scope} $end"
        for index, (name, columns) in enumerate(shown):
            # A viewer takes brackets for the range of bits.
            plain = name.replace("[", "_").replace("]", "")
            yield f"$var wire {len(columns)} {_code(run, index)} {plain} $end"
        yield "$upscope $end"
    yield "$enddefinitions $end"
    last: dict[tuple[int, int], bytes] = {}
    for time, row in enumerate(trace):
        yield f"#{start + time}"
        for run in range(len(RUNS)):
            for index, (_, columns) in enumerate(shown):
                value = row[run, columns].tobytes()
                if last.get((run, index)) != value:
                    last[run, index] = value
                    text = "".join(str(bit) for bit in reversed(value))
                    yield f"b{text} {_code(run, index)}"


def _code(run: int, index: int) -> str:
    return f"{'gf'[run]}{index}"
