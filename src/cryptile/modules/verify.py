"""Upsets of a campaign in the RTL, one run of Verilator each: the check of the machine."""

import random
import tempfile
from pathlib import Path

import numpy as np

from cryptile.errors import UsageError
from cryptile.faults.rtl_check import REGISTERS, register_bits
from cryptile.faults.shard import Model
from cryptile.modules.campaign import Campaign, Outcome
from cryptile.modules.description import Description
from cryptile.modules.elaborate import Ports
from cryptile.modules.machine import ALARM, COMPARED, NOWHERE
from cryptile.toolchain import cache, rtl, tools

_SOURCE = Path(__file__).parent / "native/forced.cpp"
_UNSEEN = "-"


def check(found: Campaign, count: int) -> list[str]:
    """Repeat random faults of a campaign in the RTL.

    Of each, the first wrong output or alarm and its cycle are compared, and of those without one,
    if the registers at the end are as they were without a fault.

    Args:
        found: the campaign, of upsets in flip-flops.
        count: how many of its faults, at most.

    Returns:
        A sentence for each that ends otherwise.

    Raises:
        UsageError: faults of this model cannot be put into the RTL, or it does not do what the
            netlist does without a fault.
    """
    if found.question.model is Model.set:
        raise UsageError("--verify: SET faults are at gates, which the RTL has not")
    session = found.prepared.session
    rng = random.Random(found.question.seed + 3)
    chosen = sorted(rng.sample(range(found.injected), min(count, found.injected)))
    told = _in_rtl(found, chosen)
    golden = np.array([int(bit) for bit in told[0]], np.uint8).reshape(session.outputs.shape)
    parts = np.argwhere((golden != session.outputs) & (session.watched[:, None] == 1))
    if len(parts):
        cycle, channel = parts[0]
        raise UsageError(
            f"without a fault {session.machine.channels[channel]} differs between RTL and "
            f"netlist in cycle {cycle}: is there a register without reset?"
        )
    differing = []
    for failure, line in zip(chosen, told[1:], strict=True):
        mine = _mine(found, failure)
        if line != mine:
            name = found.sites.names[int(found.site[failure])]
            differing.append(
                f"{name} in cycle {int(found.cycle[failure])}: {mine!r}, in the RTL {line!r}"
            )
    return differing


def _mine(found: Campaign, failure: int) -> str:
    """Return what the netlist says, as the RTL's program prints it."""
    result = found.results[failure]
    outcome = Outcome(int(result["outcome"]))
    if outcome in (Outcome.silent, Outcome.hang):
        return f"wrong {int(result['channel'])} {int(result['seen'])}"
    if outcome is Outcome.detected:
        return f"alarm {int(result['seen'])}"
    return "differs" if outcome is Outcome.latent else "same"


def _in_rtl(found: Campaign, chosen: list[int]) -> list[str]:
    """Run the RTL without a fault and with each of some faults; a line comes back of each."""
    session, prepared = found.prepared.session, found.prepared
    netlist = session.machine.netlist
    places = register_bits(netlist)
    words = [f"{netlist.top} {prepared.vectors.cycles} {COMPARED} {ALARM}"]
    words += [_bits(session.roles), _bits(session.watched)]
    words += [_bits(row) if len(row) else _UNSEEN for row in session.inputs]
    names = dict.fromkeys(name for bits in places.values() for name, _ in bits)
    words.append(f"{len(names)}")
    words += [f"{name} {len(netlist.aliases[name])}" for name in names]
    for failure in chosen:
        members = found.sites.places[int(found.site[failure])]
        flops = [session.machine.flops[int(flop)] for flop in members if flop != NOWHERE]
        bits = [place for flop in flops for place in places[flop]]
        words.append(f"{int(found.cycle[failure])} {len(bits)}")
        words += [f"{name} {len(netlist.aliases[name])} {bit}" for name, bit in bits]
    program = _build(prepared.what, prepared.ports)
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder) / "scenario.txt"
        scenario.write_text("\n".join(words) + "\n")
        # Where $readmemh of the RTL looks for its files; slang does beside the source, too.
        home = prepared.what.source.sources.files[0].parent
        return tools.run([program, scenario], cwd=home).splitlines()


def _bits(row: object) -> str:
    return "".join(map(str, row))  # type: ignore[call-overload]


def _pins(ports: Ports) -> str:
    """Return the header that names the pins; Verilator writes two underlines in its own way."""

    def called(name: str) -> str:
        return name.replace("__", "___05F")

    lists = (("INPUTS", ports.inputs), ("OUTPUTS", ports.outputs))
    return f"#define CLOCK {called(ports.clock)}\n" + "".join(
        f"#define {word}(X) "
        + " ".join(f"X({called(name)}, {width})" for name, width in pins.items())
        + "\n"
        for word, pins in lists
    )


def _build(what: Description, ports: Ports) -> Path:
    source, verilator = what.source, tools.find("verilator")
    files = source.sources
    how = [
        *tools.words("--cc --exe --build --vpi --public-flat-rw --prefix Vdut -O3"),
        *tools.SHORT_FUNCTIONS,
        *tools.words("--x-initial fast --x-assign 0"),
        "-MAKEFLAGS",
        f"{tools.ONE_FILE} OPT_FAST=-O0",
    ]
    rtl_words: list[str | Path] = [
        *tools.words(
            "-Wno-fatal -Wno-lint -Wno-style --no-timing -DSYNTHESIS --relative-includes"
            " --top-module"
        ),
        source.top,
        *(
            f"-G{name}={rtl.literal(value, files)}"
            for name, value in sorted(source.parameters.items())
        ),
        *(f"-I{folder}" for folder in files.include_dirs),
        *files.files,
    ]

    def make(folder: Path) -> None:
        (folder / "pins.h").write_text(_pins(ports))
        command: list[str | Path] = [
            verilator,
            *how,
            *rtl_words,
            "-CFLAGS",
            f"-I{folder} -I{REGISTERS} -include {tools.COLD}",
            "--Mdir",
            folder / "obj",
            _SOURCE,
        ]
        tools.run(command, log=folder / "build.log")

    # Only the preprocessor knows what is included; its text has all of that in it.
    text = tools.run([verilator, "-E", *rtl_words])
    key = cache.digest(
        [_SOURCE, REGISTERS / "registers.h"],
        how,
        list(map(str, rtl_words)),
        text,
        tools.version("verilator"),
    )
    return cache.build("modules/forced", key, make) / "obj" / "Vdut"
