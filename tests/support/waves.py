"""Records ports in a simulation, cycle by cycle, as timing diagrams in WaveJSON (WaveDrom's)."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge

from cryptile import waves
from cryptile.project import BUILD, ROOT


@dataclass(frozen=True)
class Channel:
    """Names of the signals of one valid/ready channel; ``label`` names what it moves.

    A function names it by the values of the cycle. ``ready`` is empty if there is none. Signals of
    several bits are lanes that go together.
    """

    valid: str
    ready: str
    payload: str
    label: str | Callable[[dict[str, int]], str]


@dataclass
class Recorder:
    """Values of channels and further signals, sampled when all of a cycle has settled."""

    dut: object
    channels: list[Channel]
    others: list[str] = field(default_factory=list)
    cycles: list[dict[str, int]] = field(default_factory=list)

    def start(self):
        """Record from now on."""
        return cocotb.start_soon(self._run())

    async def _run(self) -> None:
        names = {
            name: None
            for item in self.channels
            for name in (item.valid, item.ready, item.payload if callable(item.label) else "")
            if name
        } | dict.fromkeys(self.others)
        while True:
            await FallingEdge(self.dut.clk_i)
            now = {name: int(getattr(self.dut, name).value) for name in names}
            self.cycles.append(now)

    def write(self, path: Path, text: str) -> None:
        """Write the diagram, one signal a line; ``text`` is its title."""
        signals = [{"name": "clk_i", "wave": "p" + "." * (len(self.cycles) - 1)}]
        for item in self.channels:
            controls = [item.valid, item.ready] if item.ready else [item.valid]
            signals += [*map(self._level, controls), self._payload(item)]
        signals += [self._level(name) for name in self.others]
        left_out = leave_out(signals)
        if left_out:
            text += f"; | is {', '.join(map(str, left_out))} cycles"
        lines = ",\n".join(f"    {json.dumps(signal)}" for signal in signals)
        title = json.dumps({"text": text})
        path.write_text(f'{{\n  "signal": [\n{lines}\n  ],\n  "head": {title}\n}}\n')

    def _level(self, name: str) -> dict[str, object]:
        values = [cycle[name] for cycle in self.cycles]
        if len(getattr(self.dut, name)) == 1:
            return {"name": name, "wave": dots(map(str, values))}
        pairs = zip([None, *values], values, strict=False)
        fresh = [before != value for before, value in pairs]
        wave = "".join("=" if new else "." for new in fresh)
        labels = [f"{value:x}" for new, value in zip(fresh, values, strict=True) if new]
        return {"name": name, "wave": wave, "data": labels}

    def _payload(self, item: Channel) -> dict[str, object]:
        wave, held = [], False
        moved: list[dict[str, int]] = []
        for cycle in self.cycles:
            valid = cycle[item.valid]
            fresh = valid and not held
            if fresh:
                moved.append(cycle)
            wave.append("=" if fresh else "." if valid else "x")
            held = bool(item.ready and valid & ~cycle[item.ready])
        if callable(item.label):
            labels = [item.label(cycle) for cycle in moved]
        elif len(moved) > 1:
            labels = [f"{item.label} {number}" for number in range(len(moved))]
        else:
            labels = [item.label]
        return {"name": item.payload, "wave": dots(wave), "data": labels}


def leave_out(signals: list[dict[str, object]], most: int = 3) -> list[int]:
    """Put a bar in place of cycles in which nothing changes; return how many each stands for.

    Of more than ``most`` such cycles one stays before the bar and one behind it.
    """
    waves_now = [str(signal["wave"]) for signal in signals]
    still = [set(column) == {"."} for column in zip(*waves_now, strict=True)]
    left_out, columns, at = [], [], 0
    for moves, run in groupby(still):
        length = len(list(run))
        if moves and length > most:
            left_out.append(length - 2)
            columns += [at, None, at + length - 1]
        else:
            columns += range(at, at + length)
        at += length
    for signal, wave in zip(signals, waves_now, strict=True):
        signal["wave"] = "".join("|" if column is None else wave[column] for column in columns)
    return left_out


def dots(values: Iterable[str]) -> str:
    """Return a wave in which what goes on is a dot."""
    wave, last = "", None
    for value in values:
        wave += "." if value == last and value != "=" else value
        last = value if value != "." else last
    return wave


@contextmanager
def compare(name: str) -> Iterator[Path]:
    """Compare what is recorded with what a document shows; where to record is given."""
    recorded, kept = BUILD / "waves" / f"{name}.json", ROOT / waves.SOURCES / f"{name}.json"
    recorded.parent.mkdir(parents=True, exist_ok=True)
    recorded.unlink(missing_ok=True)
    yield recorded
    same = kept.is_file() and kept.read_text() == recorded.read_text()
    assert same, f"if this is right: cp {recorded} {kept}; cryptile generate"
