"""The run without faults: what is expected, when, and states from which campaigns start."""

import ctypes
import json
from ctypes import POINTER, Structure, byref, c_int, c_uint32, c_void_p
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cryptile.errors import CryptileError
from cryptile.faults import scenario
from cryptile.faults.build import Machine
from cryptile.faults.scenario import DONE, DST, LIMBS, Abort, Scenario, Settings
from cryptile.toolchain import cache as builds

RESET_CYCLES = 2
NEVER = 2**32 - 1
DRAIN = 32
"""Cycles after the golden machine has done everything, in which others may come to rest."""

_PATIENCE = 5000
"""Cycles without a beat or a status after which a run without a fault is given up."""

_INTERVAL = 64
"""Cycles between checkpoints of short runs."""

_CHECKPOINTS = 1 << 14
"""How many checkpoints a longer run has at most."""

_HANG_GAPS, _HANG_CYCLES = 4, 64
"""A machine hangs if nothing moves for so many times the longest pause of the run without a fault,
and so many cycles: an engine that begins anew or makes a job again is slower, and no hang."""
_FILE = "golden.npz"


class StoppedError(CryptileError):
    """A design does not do its jobs without any fault."""


class CChannel(Structure):
    """``channel_script``."""

    _fields_ = [("count", c_uint32), ("limbs", c_uint32), ("items", c_void_p), ("wait", c_void_p)]


class CAbort(Structure):
    """``abort_script``."""

    _fields_ = [("position", c_uint32), ("wait", c_uint32), ("job", c_uint32)]


class CScript(Structure):
    """``script``."""

    _fields_ = [
        ("channel", CChannel * 5),
        ("job_after", c_void_p),
        ("ends", c_void_p),
        ("aborts", c_uint32),
        ("abort", POINTER(CAbort)),
    ]


class CGolden(Structure):
    """``golden``."""

    _fields_ = [
        ("fired", c_void_p * 5),
        ("mark", c_void_p),
        ("checkpoints", c_void_p),
        ("interval", c_uint32),
        ("checkpoint_count", c_uint32),
        ("complete", c_uint32),
        ("longest_gap", c_uint32),
    ]


@dataclass
class Golden:
    """A golden run.

    Attributes:
        scenario: what was done.
        fired: cycle of every item of each channel.
        marks: of each job the hash of registers and places when it was taken.
        checkpoints: states, ``interval`` cycles apart.
        complete: the cycle by which everything was done.
        longest_gap: cycles of the longest time without a handshake.
    """

    scenario: Scenario
    fired: list[NDArray[np.uint32]]
    marks: NDArray[np.uint64]
    checkpoints: NDArray[np.uint8]
    interval: int
    complete: int
    longest_gap: int

    @property
    def finish(self) -> int:
        """Cycle in which lanes are judged at last."""
        return self.complete + DRAIN

    @property
    def hang(self) -> int:
        """Cycles without any progress after which a machine hangs."""
        return _HANG_GAPS * self.longest_gap + _HANG_CYCLES

    def c_script(self) -> tuple[CScript, list[Any]]:
        """Return the script for the machine, and what must stay alive beside it."""
        return c_script(self.scenario)

    def c_golden(self) -> CGolden:
        """Return the run for the machine."""
        fired = (c_void_p * 5)(*(array.ctypes.data for array in self.fired))
        count = len(self.checkpoints)
        return CGolden(
            fired,
            self.marks.ctypes.data,
            self.checkpoints.ctypes.data,
            self.interval,
            count,
            self.complete,
            self.longest_gap,
        )


def c_script(todo: Scenario) -> tuple[CScript, list[Any]]:
    """Return a scenario for the machine, and what must stay alive beside it."""
    channels = (CChannel * 5)()
    for index, (items, wait) in enumerate(zip(todo.items, todo.waits, strict=True)):
        channels[index] = CChannel(len(items), LIMBS[index], items.ctypes.data, wait.ctypes.data)
    aborts = (CAbort * (len(todo.aborts) or 1))()
    for index, abort in enumerate(todo.aborts):
        aborts[index] = CAbort(abort.position, abort.wait, abort.job)
    script = CScript(
        channels, todo.job_after.ctypes.data, todo.ends.ctypes.data, len(todo.aborts), aborts
    )
    return script, [todo, aborts]


def bind(machine: Machine) -> ctypes.CDLL:
    """Load a machine and declare its functions."""
    library = machine.open()
    library.machine_golden.restype = c_uint32
    library.machine_golden.argtypes = [POINTER(CScript), POINTER(CGolden), c_int, c_uint32]
    library.machine_run.restype = c_int
    library.machine_run.argtypes = [c_void_p] * 5 + [c_uint32]
    return library


def golden(machine: Machine, settings: Settings) -> Golden:
    """Return the golden run of a machine, from the cache if it was made before."""

    def make(folder: Path) -> None:
        _save(_run(machine, settings), folder / _FILE)

    folder = Path(__file__).parent
    files = sorted([*folder.glob("*.py"), *(folder.parent / "jobs").rglob("*.py")])
    key = f"{machine.key}-{builds.digest(files, settings)}"
    return _load(builds.build("faults/golden", key, make) / _FILE)


def _run(machine: Machine, settings: Settings) -> Golden:
    library = bind(machine)
    first = scenario.inputs(settings)
    interval = max(_INTERVAL, first.size(scenario.SRC) // 512)
    record = _pass(machine, library, first, interval, record=True)
    dst, done = record.fired[DST], record.fired[DONE]
    # Jobs were done one by one, so the beats before each end are those of the jobs up to it.
    dst_end = np.searchsorted(dst, done[:-1], side="right").tolist()
    final = scenario.outputs(settings, first, dst_end)
    if settings.jobs == 1 and not settings.stalls:
        record.scenario = final
        record.fired[DST] = dst[: len(final.items[DST]) + 1]
        return record
    interval = max(_INTERVAL, -(-record.complete // _CHECKPOINTS))
    return _pass(machine, library, final, interval, record=False)


def _pass(
    machine: Machine, library: ctypes.CDLL, todo: Scenario, interval: int, *, record: bool
) -> Golden:
    fired = [np.full(len(items) + 1, NEVER, np.uint32) for items in todo.items]
    size = 8 * (-(-len(machine.order) // 64)) + 6 * 8
    checkpoints = np.zeros((4 * _CHECKPOINTS, size), np.uint8)
    marks = np.zeros(todo.size(scenario.JOB) + 1, np.uint64)
    run = Golden(todo, fired, marks, checkpoints, interval, 0, 0)
    script, alive = run.c_script()
    c_golden = run.c_golden()
    failed = library.machine_golden(byref(script), byref(c_golden), int(record), _PATIENCE)
    del alive
    if failed:
        what = "stopped" if record else "gave something wrong, or stopped,"
        raise StoppedError(
            f"the design {machine.netlist.top} {what} without any fault, in cycle {failed - 1}"
        )
    run.complete, run.longest_gap = c_golden.complete, c_golden.longest_gap
    run.checkpoints = checkpoints[: c_golden.checkpoint_count].copy()
    return run


def _save(run: Golden, path: Path) -> None:
    todo = run.scenario
    arrays: dict[str, Any] = {
        "checkpoints": run.checkpoints,
        "job_after": todo.job_after,
        "ends": todo.ends,
        "marks": run.marks,
        "aborts": json.dumps([asdict(abort) for abort in todo.aborts]),
        "figures": [run.interval, run.complete, run.longest_gap],
    }
    for index in range(5):
        arrays[f"items{index}"] = todo.items[index]
        arrays[f"waits{index}"] = todo.waits[index]
        arrays[f"fired{index}"] = run.fired[index]
    np.savez_compressed(path, **arrays)


def _load(path: Path) -> Golden:
    with np.load(path) as data:
        aborts = [Abort(**item) for item in json.loads(str(data["aborts"]))]
        todo = Scenario(
            [np.ascontiguousarray(data[f"items{index}"]) for index in range(5)],
            [data[f"waits{index}"] for index in range(5)],
            data["job_after"],
            data["ends"],
            aborts,
        )
        interval, complete, gap = (int(figure) for figure in data["figures"])
        fired = [data[f"fired{index}"] for index in range(5)]
        return Golden(todo, fired, data["marks"], data["checkpoints"], interval, complete, gap)
