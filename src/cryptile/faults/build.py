"""The machine of a design: its netlist as C, compiled with the parts that every design shares."""

import ctypes
import platform
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cryptile.designs.load import Design
from cryptile.errors import UsageError
from cryptile.faults import emit
from cryptile.netlist import gates, make
from cryptile.netlist.gates import Netlist
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

_FOLDER = Path(__file__).parent / "machine"
LIBRARY = "machine.so"
# Words of 512 bits are passed between parts of one compiler alone, so their ABI does not matter.
_FLAGS = [
    *tools.words("-std=gnu11 -march=native -fPIC -Wall -Wextra -Werror -Wno-psabi"),
    f"-I{_FOLDER}",
]

_INPUTS = {
    "clear_i": "CLEAR",
    "job_valid_i": "JOB_VALID",
    "job_i": "JOB",
    "key_valid_i": "KEY_VALID",
    "key_i": "KEY",
    "src_valid_i": "SRC_VALID",
    "src_i": "SRC",
    "dst_ready_i": "DST_READY",
    "done_ready_i": "DONE_READY",
}
_OUTPUTS = {
    "job_ready_o": "JOB_READY",
    "key_ready_o": "KEY_READY",
    "src_ready_o": "SRC_READY",
    "dst_valid_o": "DST_VALID",
    "dst_o": "DST",
    "done_valid_o": "DONE_VALID",
    "done_status_o": "DONE_STATUS",
}
_OPTIONAL = {"fault_corrected_o": "FAULT_CORRECTED", "fault_detected_o": "FAULT_DETECTED"}
_WIDTHS = {
    "job_i": "JOB",
    "key_i": "KEY",
    "src_i": "SRC",
    "dst_o": "DST",
    "done_status_o": "STATUS",
}


@dataclass(frozen=True)
class Machine:
    """A compiled design.

    Attributes:
        netlist: the gates.
        order: index into ``netlist.flip_flops`` of each state bit.
        layout: where ports are.
        library: the compiled machine.
        lasting: an alarm stays until what is wrong is written anew.
        key: hash of everything it was made from.
    """

    netlist: Netlist
    order: tuple[int, ...]
    layout: emit.Layout
    library: Path
    lasting: bool
    key: str

    @property
    def flops(self) -> list[str]:
        """Names of the state bits."""
        return [self.netlist.flip_flops[index].name for index in self.order]

    def open(self) -> ctypes.CDLL:
        """Load the library."""
        return ctypes.CDLL(str(self.library))


def build(design: Design, gate_faults: bool = False) -> Machine:
    """Return the machine of a design, built first if it is not there.

    Args:
        design: the design.
        gate_faults: let it take faults at gates, too, which makes it twice as large.
    """
    return compiled(design, make.netlist(design.source), gate_faults)


def compiled(design: Design, netlist: Netlist, gate_faults: bool = False) -> Machine:
    """As ``build``, of a netlist that was made from the design but may differ."""
    _check_ports(design, netlist)
    ranks = [design.rank(flop.name) for flop in netlist.flip_flops]
    order = sorted(range(len(ranks)), key=lambda index: ranks[index])
    files = sorted(_FOLDER.glob("*.[ch]"))
    settings = (
        repr((netlist.flip_flops, netlist.gates, netlist.inputs, netlist.outputs)),
        order,
        ranks,
        gate_faults,
        design.lasting,
        design.drains,
        processor(),
    )
    key = builds.digest([*files, *map(Path, (emit.__file__, gates.__file__, __file__))], settings)

    def compile_all(folder: Path) -> None:
        (folder / "design.h").write_text(_header(design, netlist, ranks))
        parts = emit.parts(netlist, design.clock, order, gate_faults)
        compile_parts(folder, parts, [file for file in files if file.suffix == ".c"])

    folder = builds.build("faults/machine", key, compile_all)
    return Machine(
        netlist,
        tuple(order),
        emit.Layout(netlist, design.clock),
        folder / LIBRARY,
        design.lasting,
        key,
    )


def compile_parts(folder: Path, parts: Sequence[str], files: Iterable[Path]) -> None:
    """Compile the C of a netlist with what runs it, in a folder that holds ``design.h``."""
    jobs: list[tuple[Path, list[str]]] = []
    for index, text in enumerate(parts):
        source = folder / f"part_{index}.c"
        source.write_text(text)
        jobs.append((source, ["-O1", "-Wno-unused-variable"]))  # a gate may lead nowhere
    jobs += [(source, ["-O2"]) for source in files]
    compiler = tools.find("gcc", "gcc")

    def one(job: tuple[Path, list[str]]) -> Path:
        source, flags = job
        output = folder / f"{source.stem}.o"
        tools.run([compiler, *_FLAGS, *flags, f"-I{folder}", "-c", source, "-o", output])
        return output

    with ThreadPoolExecutor() as pool:
        objects = list(pool.map(one, jobs))
    tools.run([compiler, "-shared", "-o", folder / LIBRARY, *objects])
    for item in objects:
        item.unlink()


@cache
def processor() -> str:
    """Name the processor, for whose instructions the machine is compiled."""
    lines = (
        Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").is_file() else []
    )
    return platform.machine() + next((line for line in lines if line.startswith("flags")), "")


def _check_ports(design: Design, netlist: Netlist) -> None:
    for port in (design.clock, design.reset, *_INPUTS):
        if port not in netlist.inputs:
            raise UsageError(f"{design.name}: the top {netlist.top} has no input {port}")
    for port in _OUTPUTS:
        if port not in netlist.outputs:
            raise UsageError(f"{design.name}: the top {netlist.top} has no output {port}")


def _header(design: Design, netlist: Netlist, ranks: list[int]) -> str:
    layout = emit.Layout(netlist, design.clock)
    count = len(netlist.gates)
    values = {
        "FLOPS": len(ranks),
        "CORE_FLOPS": ranks.count(0),
        "CHECK_FLOPS": ranks.count(0) + ranks.count(1),
        "GATES": count,
        "PART_GATES": emit.PART,
        "PARTS": -(-count // emit.PART),
        "INPUTS": len(layout.input_nets),
        "OUTPUTS": len(layout.output_nets),
        "IN_RESET": layout.inputs[design.reset][0],
        "DRAINS": int(design.drains),
    }
    values |= {f"IN_{word}": layout.inputs[port][0] for port, word in _INPUTS.items()}
    values |= {f"OUT_{word}": layout.outputs[port][0] for port, word in _OUTPUTS.items()}
    for port, word in _OPTIONAL.items():
        values[f"OUT_{word}"] = layout.outputs.get(port, (-1, 1))[0]
    ports = {**layout.inputs, **layout.outputs}
    values |= {f"{word}_WIDTH": ports[port][1] for port, word in _WIDTHS.items()}
    lines = [f"#define {name} {value}" for name, value in values.items()]
    return "\n".join(["#ifndef DESIGN_H", "#define DESIGN_H", *lines, "#endif", ""])
