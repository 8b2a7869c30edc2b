"""Driving a netlist by its engine port: one job, and what comes out of it."""

from dataclasses import dataclass, field

from cryptile.errors import CryptileError
from cryptile.jobs.job import Job
from cryptile.jobs.port import MESSAGE, TAG, bytes_of, kind_of
from cryptile.synth.activity import Simulator

_RESET, _START = 2, 8
"""Cycles of reset, and from the first one to the job: time to wipe what has no reset."""

_PATIENCE = 5000
"""Cycles without any transfer after which an engine is stuck."""


@dataclass
class Run:
    """What happened in a job.

    Attributes:
        sources: by cycle, what the simulator's sources were.
        taken: cycles in which the beats of the message were taken.
        output: bytes of message and tag.
        status: how it ended.
    """

    sources: list[list[int]] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    output: bytes = b""
    status: int = 0


def run(simulator: Simulator, job: Job) -> Run:
    """Run a job on an idle surrounding: everything is offered at once, everything is taken.

    Raises:
        CryptileError: the engine is stuck.
    """
    result = Run()
    todo = {"job": [job.word()], "key": job.transfers(), "src": list(job.beats())}
    for port in simulator.netlist.inputs:
        simulator.set(port, 0)
    last = 0
    while True:
        cycle = len(result.sources)
        if cycle - last > _PATIENCE:
            raise CryptileError(f"the netlist does nothing since cycle {last}")
        ready = cycle >= _START
        simulator.set("rst_ni", int(cycle >= _RESET))
        for name, items in todo.items():
            simulator.set(f"{name}_valid_i", int(ready and bool(items)))
            simulator.set(f"{name}_i", items[0] if ready and items else 0)
        simulator.set("dst_ready_i", 1)
        simulator.set("done_ready_i", 1)
        simulator.settle()
        result.sources.append(simulator.sources())
        for name, items in todo.items():
            if ready and items and simulator.get(f"{name}_ready_o"):
                item = items.pop(0)
                if name == "src" and kind_of(item) == MESSAGE:
                    result.taken.append(cycle)
                last = cycle
        if ready and simulator.get("dst_valid_o"):
            beat = simulator.get("dst_o")
            if kind_of(beat) in (MESSAGE, TAG):
                result.output += bytes_of(beat)
            last = cycle
        if ready and simulator.get("done_valid_o"):
            result.status = simulator.get("done_status_o")
            return result
        simulator.clock()
