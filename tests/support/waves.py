"""Records ports in a simulation, cycle by cycle, as timing diagrams in WaveJSON (WaveDrom's)."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge

from cryptile import waves
from cryptile.project import BUILD, ROOT


@dataclass(frozen=True)
class Channel:
    """Names of the signals of one valid/ready channel; ``label`` names what it moves."""

    valid: str
    ready: str
    payload: str
    label: str


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
        names = [name for item in self.channels for name in (item.valid, item.ready)]
        while True:
            await FallingEdge(self.dut.clk_i)
            now = {name: int(getattr(self.dut, name).value) for name in names + self.others}
            self.cycles.append(now)

    def write(self, path: Path, text: str) -> None:
        """Write the diagram, one signal a line; ``text`` is its title."""
        signals = [{"name": "clk_i", "wave": "p" + "." * (len(self.cycles) - 1)}]
        for item in self.channels:
            signals += [self._level(item.valid), self._level(item.ready), self._payload(item)]
        signals += [self._level(name) for name in self.others]
        lines = ",\n".join(f"    {json.dumps(signal)}" for signal in signals)
        title = json.dumps({"text": text})
        path.write_text(f'{{\n  "signal": [\n{lines}\n  ],\n  "head": {title}\n}}\n')

    def _level(self, name: str) -> dict[str, object]:
        return {"name": name, "wave": dots(str(cycle[name]) for cycle in self.cycles)}

    def _payload(self, item: Channel) -> dict[str, object]:
        wave, count, held = [], 0, False
        for cycle in self.cycles:
            valid, ready = cycle[item.valid], cycle[item.ready]
            fresh = valid and not held
            if fresh:
                count += 1
            wave.append("=" if fresh else "." if valid else "x")
            held = bool(valid and not ready)
        labels = [f"{item.label} {n}" for n in range(count)] if count > 1 else [item.label]
        return {"name": item.payload, "wave": dots(wave), "data": labels}


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
