"""Faults in the RTL, one run each, by Verilator: the check of the quick way.

The registers of the netlist have the names of the RTL, so the same fault can be put into both. The
handshakes of the run without faults must be the same in every cycle, too.
"""

import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cryptile.designs.load import Design
from cryptile.errors import CryptileError, UsageError
from cryptile.faults import scenario
from cryptile.faults.campaign import Campaign
from cryptile.faults.golden import NEVER, Golden
from cryptile.faults.shard import NONE, Model, Part, Verdict, repeats, run
from cryptile.netlist.gates import Netlist
from cryptile.toolchain import cache as builds
from cryptile.toolchain import rtl, tools

REGISTERS = Path(__file__).parent / "injector"
"""Where the header is by which the RTL's registers are reached."""


@dataclass(frozen=True)
class Disagreement:
    """A fault of which netlist and RTL say different things."""

    site: str
    cycle: int
    netlist: str
    rtl: str


def check(what: Campaign, count: int, work: Path) -> list[Disagreement]:
    """Inject random faults of a campaign into the RTL and compare the classes.

    Args:
        what: the campaign, of upsets in flip-flops.
        count: number of faults.
        work: folder for files.

    Raises:
        UsageError: faults of this model cannot be put into the RTL.
        CryptileError: without any fault the RTL does not do what the netlist does.
    """
    if what.sites.model not in (Model.seu, Model.mbu):
        raise UsageError(f"--verify: {what.sites.model} faults have no place in the RTL")
    rng = random.Random(what.question.seed + 3)
    places = len(what.sites.targets)
    faults = sorted(
        (rng.randrange(what.first, what.end), rng.randrange(places)) for _ in range(count)
    )
    got = _in_netlist(what, faults)
    handshakes, classes = _in_rtl(what, faults, work)
    _compare_golden(what.golden, handshakes)
    return [
        Disagreement(what.sites.names[site], cycle, mine, other)
        for (cycle, site), mine, other in zip(faults, got, classes, strict=True)
        if mine != other and not _same_flag(mine, other)
    ]


def _same_flag(netlist: str, rtl: str) -> bool:
    """Whether both say that there was a flag; the plain way cannot tell whether it was false."""
    flags = ("corrected", "detected", "false_alarm")
    return netlist == "false_alarm" and rtl in flags


def _in_netlist(what: Campaign, faults: list[tuple[int, int]]) -> list[str]:
    table = np.array(faults, np.uint32).reshape(-1, 2)
    events = (np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1]))
    part = Part(what.first, what.end, True, events, 1, NEVER, is_first=True)
    outcome = run(what.machine, what.golden, what.sites, part).outcome
    return [Verdict(number).name for number in outcome]


def _in_rtl(
    what: Campaign, faults: list[tuple[int, int]], work: Path
) -> tuple[list[tuple[int, int, int]], list[str]]:
    work.mkdir(parents=True, exist_ok=True)
    places = register_bits(what.machine.netlist)
    widths = {name: len(nets) for name, nets in what.machine.netlist.aliases.items()}
    names = dict.fromkeys(name for some in places.values() for name, _ in some)
    registers = [f"{name} {widths[name]}" for name in names]
    again = repeats(what.machine, what.sites.model)
    (work / "scenario.txt").write_text(_scenario(what.golden, registers, again, what.design.drains))
    lines = []
    for cycle, site in faults:
        flops = [int(flop) for flop in what.sites.targets[site] if flop != NONE]
        bits = [place for flop in flops for place in places[what.machine.flops[flop]]]
        lines.append(
            f"{cycle} {len(bits)} " + " ".join(f"{name} {widths[name]} {bit}" for name, bit in bits)
        )
    (work / "faults.txt").write_text("\n".join(lines) + "\n")
    program = build(what.design, what.machine.netlist)
    output = tools.run([program, work / "scenario.txt", work / "faults.txt"]).splitlines()
    end = next(index for index, line in enumerate(output) if line.startswith("golden"))
    handshakes = [tuple(map(int, line.split())) for line in output[:end]]
    return [(c, p, t) for c, p, t in handshakes], output[end + 1 :]


def register_bits(netlist: Netlist) -> dict[str, list[tuple[str, int]]]:
    """Return, by name of flip-flop, every variable of the RTL that has its value, and the bit."""
    flops = {flop.q: flop.name for flop in netlist.flip_flops}
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, nets in netlist.aliases.items():
        for bit, net in enumerate(nets):
            if net in flops:
                found[flops[net]].append((name, bit))
    return found


def _compare_golden(golden: Golden, handshakes: list[tuple[int, int, int]]) -> None:
    for channel, position, cycle in handshakes:
        mine = golden.fired[channel][position]
        # An item that is offered again after an abort is known by its last time.
        if mine != cycle and not golden.scenario.aborts:
            name = scenario.CHANNELS[channel]
            raise CryptileError(
                f"without any fault item {position} of {name} comes in cycle {cycle} in the RTL, "
                f"but in cycle {mine} in the netlist"
            )
    if not handshakes:
        raise CryptileError("the RTL does nothing")


def _scenario(golden: Golden, registers: list[str], again: bool, drains: bool) -> str:
    todo = golden.scenario
    lines = []
    for items, waits in zip(todo.items, todo.waits, strict=True):
        words = items.view("<u4")
        lines.append(f"{len(items)} {words.shape[1]}")
        lines += [" ".join(map(str, row)) for row in words.tolist()]
        lines.append(" ".join(map(str, waits.tolist())))
    lines.append(" ".join(map(str, todo.job_after.tolist())))
    lines += [" ".join(map(str, row)) for row in todo.ends.tolist()]
    lines.append(str(len(todo.aborts)))
    lines += [f"{abort.position} {abort.wait} {abort.job}" for abort in todo.aborts]
    lines.append(f"{golden.finish} {golden.hang} {int(again)} {int(drains)} {len(registers)}")
    return "\n".join([*lines, *registers]) + "\n"


def build(design: Design, netlist: Netlist) -> Path:
    """Return the program that injects faults into the RTL of a design."""
    source = REGISTERS / "injector.cpp"
    files = design.source.sources
    top = rtl.top(design.source.top, files, design.source.parameters)
    flags = [f'-DSCOPE=\\"{top.module}.{top.scope}\\"']
    if "fault_corrected_o" in netlist.outputs:
        flags.append("-DHAS_FAULT_OUTPUTS")
    options = [
        *tools.words("--cc --exe --build --vpi --public-flat-rw --prefix Vdut -O3"),
        *tools.SHORT_FUNCTIONS,
        *tools.words("--x-initial fast -Wno-fatal -Wno-lint -Wno-style -DSYNTHESIS"),
        "--top-module",
        top.module,
        "-CFLAGS",
        " ".join([*flags, f"-I{REGISTERS}", f"-include {tools.COLD}"]),
        *(f"-D{macro}" for macro in top.defines),
        *(
            f"-G{name}={rtl.literal(value, files)}"
            for name, value in sorted(top.parameters.items())
        ),
        *(f"-I{folder}" for folder in files.include_dirs),
        "-MAKEFLAGS",
        f"{tools.ONE_FILE} OPT_FAST=-O0",
    ]

    def make(folder: Path) -> None:
        command: list[str | Path] = [
            tools.find("verilator"),
            *options,
            "-j",
            "2",
            "--Mdir",
            folder / "obj",
        ]
        tools.run([*command, *files.files, source], log=folder / "build.log")

    key = builds.digest(
        [*files.inputs, source, REGISTERS / "registers.h"], options, tools.version("verilator")
    )
    return builds.build("faults/injector", key, make) / "obj" / "Vdut"
