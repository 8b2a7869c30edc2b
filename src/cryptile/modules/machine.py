"""The machine of a module: its netlist as C, run by vectors."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cryptile.faults import build as common
from cryptile.faults import emit
from cryptile.modules.netlist import Built
from cryptile.netlist.gates import Netlist
from cryptile.toolchain import cache

Bits = NDArray[np.uint8]
"""A row of bits, a byte each, for every cycle."""

NOWHERE = 0xFFFF_FFFF
IGNORED, COMPARED, ALARM, REPORT = range(4)
RESULT = np.dtype([("seen", np.uint32), ("channel", np.uint32), ("outcome", np.uint8)], align=True)

_FOLDER = Path(__file__).parent / "native"


class _Stimuli(ctypes.Structure):
    _fields_ = (
        ("cycles", ctypes.c_uint32),
        ("inputs", ctypes.c_void_p),
        ("watched", ctypes.c_void_p),
    )


class _Golden(ctypes.Structure):
    _fields_ = (
        ("states", ctypes.c_void_p),
        ("outputs", ctypes.c_void_p),
        ("roles", ctypes.c_void_p),
        ("done", ctypes.c_uint32),
        ("last_done", ctypes.c_uint32),
    )


class _Faults(ctypes.Structure):
    _fields_ = (
        ("width", ctypes.c_uint32),
        ("at_gates", ctypes.c_uint32),
        ("places", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class Machine:
    """A compiled module; state bits are in the order of the netlist's flip-flops.

    Attributes:
        built: the netlist and its start.
        layout: where ports are.
        library: the compiled machine.
    """

    built: Built
    layout: emit.Layout
    library: Path

    @property
    def netlist(self) -> Netlist:
        """The gates."""
        return self.built.netlist

    @property
    def flops(self) -> list[str]:
        """Names of the state bits."""
        return [flop.name for flop in self.netlist.flip_flops]

    @cached_property
    def channels(self) -> list[str]:
        """Names of the bits of all outputs."""
        return [
            name if width == 1 else f"{name}[{bit}]"
            for name, (_, width) in self.layout.outputs.items()
            for bit in range(width)
        ]


def build(built: Built, clock: str, gate_faults: bool = False) -> Machine:
    """Return the machine of a netlist, compiled first if it is not there."""
    netlist = built.netlist
    files = sorted(_FOLDER.glob("*.[ch]"))
    shared = Path(common.__file__).parent / "machine"
    inputs = [*files, shared / "step.h", shared / "lanes.h", Path(emit.__file__), Path(__file__)]
    nets = (netlist.flip_flops, netlist.gates, netlist.inputs, netlist.outputs)
    key = cache.digest(inputs, repr(nets), clock, gate_faults, common.processor())
    layout = emit.Layout(netlist, clock)

    def compile_all(folder: Path) -> None:
        gates = len(netlist.gates)
        values = {
            "FLOPS": len(netlist.flip_flops),
            "GATES": gates,
            "PART_GATES": emit.PART,
            "PARTS": -(-gates // emit.PART),
            "INPUTS": len(layout.input_nets),
            "OUTPUTS": len(layout.output_nets),
        }
        lines = [f"#define {name} {value}" for name, value in values.items()]
        (folder / "design.h").write_text(
            "\n".join(["#ifndef DESIGN_H", "#define DESIGN_H", *lines, "#endif", ""])
        )
        order = range(len(netlist.flip_flops))
        parts = emit.parts(netlist, clock, order, gate_faults)
        common.compile_parts(folder, parts, [file for file in files if file.suffix == ".c"])

    folder = cache.build("modules/machine", key, compile_all)
    return Machine(built, layout, folder / common.LIBRARY)


@dataclass(frozen=True)
class Sites:
    """Where faults are: flip-flops of each site, filled up with ``NOWHERE``, or a gate."""

    places: NDArray[np.uint32]
    at_gates: bool
    names: list[str]


@dataclass
class Session:
    """A machine under vectors: the run without a fault, and runs with one.

    Attributes:
        machine: the module.
        inputs: the vectors, bit by bit as ``layout`` has them.
        watched: of each cycle, if outputs are looked at.
        roles: what is looked at in each bit of the outputs.
        done: the bit of the outputs that tells the end of work, if one does.
        states: of the run without a fault, one more than cycles.
        outputs: of the run without a fault.
    """

    machine: Machine
    inputs: Bits
    watched: NDArray[np.uint8]
    roles: Bits
    done: int | None
    states: Bits = field(init=False)
    outputs: Bits = field(init=False)

    def __post_init__(self) -> None:
        """Run without a fault."""
        cycles, flops = len(self.inputs), len(self.machine.flops)
        self._library = ctypes.CDLL(str(self.machine.library))
        self._inputs = _packed(self.inputs)
        self._stimuli = _Stimuli(cycles, _at(self._inputs), _at(self.watched))
        starts = self.machine.built.starts
        start = _packed(
            np.array([[flop.q in starts for flop in self.machine.netlist.flip_flops]], np.uint8)
        )
        self._states = np.zeros((cycles + 1, -(-flops // 8)), np.uint8)
        self._outputs = np.zeros((cycles, -(-len(self.roles) // 8)), np.uint8)
        self._call(
            "vectors_golden",
            ctypes.byref(self._stimuli),
            *(ctypes.c_void_p(_at(item)) for item in (start, self._states, self._outputs)),
        )
        self.states = _unpacked(self._states, flops)
        self.outputs = _unpacked(self._outputs, len(self.roles))
        last = NOWHERE
        if self.done is not None:
            up = np.nonzero(self.outputs[:, self.done] & self.watched)[0]
            last = int(up[-1]) if len(up) else NOWHERE
        done = NOWHERE if self.done is None or last == NOWHERE else self.done
        self._roles = np.ascontiguousarray(self.roles)
        self._golden = _Golden(_at(self._states), _at(self._outputs), _at(self._roles), done, last)

    def run(
        self,
        sites: Sites,
        cycle: NDArray[np.uint32],
        site: NDArray[np.uint32],
        known: NDArray[np.void] | None = None,
    ) -> NDArray[np.void]:
        """Run faults that are sorted by cycle.

        Args:
            sites: where they can be.
            cycle: of each.
            site: of each.
            known: results of all single upsets of later cycles, by cycle and flip-flop.
        """
        found = np.zeros(len(cycle), RESULT)
        cycle, site = (np.ascontiguousarray(item, np.uint32) for item in (cycle, site))
        self._call(
            "vectors_run",
            ctypes.byref(self._stimuli),
            ctypes.byref(self._golden),
            ctypes.byref(_faults(sites)),
            ctypes.c_uint32(len(cycle)),
            ctypes.c_void_p(_at(cycle)),
            ctypes.c_void_p(_at(site)),
            ctypes.c_void_p(None if known is None else _at(known)),
            ctypes.c_void_p(_at(found)),
        )
        return found

    def trace(self, sites: Sites, site: int, cycle: int, end: int) -> tuple[Bits, Bits]:
        """Return states and outputs of the cycles from a fault on."""
        states = np.zeros((end - cycle, self._states.shape[1]), np.uint8)
        outputs = np.zeros((end - cycle, self._outputs.shape[1]), np.uint8)
        self._call(
            "vectors_trace",
            ctypes.byref(self._stimuli),
            ctypes.byref(self._golden),
            ctypes.byref(_faults(sites)),
            *(ctypes.c_uint32(number) for number in (site, cycle, end)),
            *(ctypes.c_void_p(_at(item)) for item in (states, outputs)),
        )
        return (
            _unpacked(states, self.states.shape[1]),
            _unpacked(outputs, len(self.roles)),
        )

    def _call(self, function: str, *arguments: object) -> None:
        if getattr(self._library, function)(*arguments):
            raise MemoryError


def bits_of(
    values: Mapping[str, Sequence[int]], layout: Mapping[str, tuple[int, int]], cycles: int
) -> Bits:
    """Return numbers by port and cycle as rows of bits."""
    found = np.zeros((cycles, sum(width for _, width in layout.values())), np.uint8)
    for name, (first, width) in layout.items():
        for cycle, value in enumerate(values[name]):
            for bit in range(width):
                found[cycle, first + bit] = value >> bit & 1
    return found


def _faults(sites: Sites) -> _Faults:
    return _Faults(sites.places.shape[1], int(sites.at_gates), _at(sites.places))


def _at(array: NDArray[np.generic]) -> int:
    return array.ctypes.data


def _packed(bits: Bits) -> Bits:
    return np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little"))


def _unpacked(packed: Bits, count: int) -> Bits:
    return np.unpackbits(packed, axis=1, count=count, bitorder="little")
