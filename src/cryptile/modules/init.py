"""Writing the file of a module, and vectors to begin with."""

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

from cryptile.errors import UsageError
from cryptile.modules import elaborate
from cryptile.modules.copies import copies
from cryptile.modules.description import listed, source_of
from cryptile.modules.elaborate import Ports

_ALARM = re.compile(r"(?i)(alarm|detected|uncorrectable|fault|mismatch|(^|_)(ded|error|err)(_|$))")
_REPORT = re.compile(r"(?i)(corrected|correctable|(^|_)(sec|corr)(_|$))")
_DONE = re.compile(r"(?i)(^|_)(done|finished)(_|$)")
_PLAIN = re.compile(r"[A-Za-z_][\w./-]*")
_YAML_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
_RANDOM_ROWS = 200


def write(
    files: list[Path],
    top: str | None,
    parameters: dict[str, str],
    include_dirs: list[Path],
    stimuli: Path | None,
    output: Path | None,
    replace: bool = False,
) -> tuple[Path, Path]:
    """Write the file that describes a module, and random vectors if there are none.

    Args:
        files: the RTL.
        top: the module; the only one that can be it, if not given.
        parameters: of the module.
        include_dirs: folders of headers.
        stimuli: vectors that are there.
        output: the file; TOP.yaml beside the first file, if not given.
        replace: write over a file that is there.

    Returns:
        The file, and that of the vectors.

    Raises:
        UsageError: the module is not one that faults can be injected into, or a file is there.
    """
    sources = listed(files, include_dirs)
    top = top or elaborate.top_of(sources, parameters)
    ports = elaborate.ports(source_of(top, sources, parameters))
    if not ports.inputs:
        raise UsageError(f"{top}: no input but its clock: give it a reset")
    path = output or files[0].parent / f"{top}.yaml"
    vectors = stimuli or path.with_suffix(".csv")
    if stimuli and not stimuli.is_file():
        raise UsageError(f"there is no file {stimuli}")
    for file in (path, *(() if stimuli else (vectors,))):
        if file.exists() and not replace:
            raise UsageError(f"{file} is there: -f writes over it")
    names = [_from(path.parent, file) for file in (*files, *include_dirs, vectors)]
    text = _text(top, ports, names[: len(files)], names[len(files) : -1], names[-1], parameters)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(text) + "\n")
    if not stimuli:
        vectors.write_text(_random(ports))
    return path, vectors


def _from(folder: Path, file: Path) -> str:
    return os.path.relpath(file.resolve(), folder.resolve())


def _text(
    top: str,
    ports: Ports,
    files: list[str],
    include_dirs: list[str],
    vectors: str,
    parameters: dict[str, str],
) -> Iterator[str]:
    reset = ports.reset
    found = copies(ports.registers)
    roles = _roles(ports)
    yield f"# {top}, for `cryptile faults run` and `cryptile prove`; docs/modules.md has all words."
    yield "# Written by `cryptile faults init`: read it, and change what is not so."
    yield "module:"
    yield f"  top: {_word(top)}"
    yield f"  files: {_list(files)}  # from the folder of this file"
    if include_dirs:
        yield f"  include_dirs: {_list(include_dirs)}"
    if parameters:
        pairs = ", ".join(f"{_word(name)}: {_word(value)}" for name, value in parameters.items())
        yield f"  parameters: {{{pairs}}}"
    yield f"  clock: {_word(ports.clock)}  # of all registers, at its rise"
    if reset:
        yield "  # cycles: how long it resets if the vectors say nothing of it"
        yield (
            f"  reset: {{port: {_word(reset.port)}, active: {reset.active}, "
            f"cycles: {reset.cycles}}}"
        )
    else:
        yield "  # No reset was found: registers begin with what the RTL gives them, or with zero."
        yield "  # reset: {port: rst_n, active: low, cycles: 2}"
    if found:
        yield "  # Copies, by their names. Synthesis merges equal registers and would leave one;"
        yield "  # what is named here stays, as it has to in your own flow (dont_touch, keep, ...)."
        yield f"  keep: {_list(sorted({name for names in found for name in names}))}"
    else:
        yield "  # keep: [copy_*_q]  # registers that synthesis neither merges nor removes"
    yield "stimuli:"
    yield f"  file: {_word(vectors)}  # CSV with a column for each input, or VCD of any simulator"
    yield "  # scope: tb.dut  # the instance in a VCD, if several fit"
    yield "  check: true  # outputs that the file holds, too, must be those of the netlist"
    yield "  tail: 0  # further cycles with the last inputs, in which nothing is injected"
    yield "outputs:"
    yield f"  compare: {_list(roles['compare'])}  # in every cycle"
    if roles["alarm"]:
        yield "  # What it tells of is detected. Found by its name:"
        yield f"  alarm: {_word(roles['alarm'][0])}"
    else:
        yield "  # alarm: fault_o  # what it tells of is detected"
    if roles["report"]:
        yield "  # Not compared: they tell of what was corrected. Found by their names:"
        yield f"  report: {_list(roles['report'])}"
    else:
        yield "  # report: [corrected_o]  # not compared: they tell of what was corrected"
    yield "  # ignore: [debug_o]  # nobody looks at them; every output is named in one of the lists"
    if roles["done"]:
        yield "  # If an upset keeps it away, that is a hang. Found by its name:"
        yield f"  done: {_word(roles['done'][0])}"
    else:
        yield "  # done: done_o  # if an upset keeps it away, that is a hang"
    yield "limits:"
    yield "  exhaustive: 10000000  # up to so many faults all are injected; of more,"
    yield "  sample: 100000        # so many are drawn"
    yield "# For `cryptile prove`: which registers protect one another. With groups that are none"
    yield "# the proof fails."
    if found:
        yield "protection:"
        yield "  copies:  # bit by bit the same"
        yield from (f"    - {_list(list(names))}" for names in found)
    else:
        yield "# protection:"
        yield "#   copies: [[a_q, b_q, c_q]]  # bit by bit the same"


def _roles(ports: Ports) -> dict[str, list[str]]:
    """Say what outputs are, by their names."""
    bits = [name for name, width in ports.outputs.items() if width == 1]
    report = [name for name in ports.outputs if _REPORT.search(name)]
    alarms = [name for name in bits if _ALARM.search(name) and name not in report]
    done = [name for name in bits if _DONE.search(name)]
    alarm = alarms if len(alarms) == 1 else []
    compare = [name for name in ports.outputs if name not in (*report, *alarm)]
    if not compare:
        raise UsageError("no output is left to compare: " + ", ".join(ports.outputs or ["none"]))
    return {
        "compare": compare,
        "alarm": alarm,
        "report": report,
        "done": done if len(done) == 1 else [],
    }


def _random(ports: Ports) -> str:
    """Return random vectors, the same every time: a beginning, no test."""
    rng = random.Random(1)
    names = [name for name in ports.inputs if not ports.reset or name != ports.reset.port]
    if not names and ports.reset:  # nothing but the reset: it is released in the third row
        names, on = [ports.reset.port], int(ports.reset.active == "high")
        rows = [[on] if row < ports.reset.cycles else [1 - on] for row in range(_RANDOM_ROWS)]
    else:
        rows = [
            [rng.getrandbits(ports.inputs[name]) for name in names] for _ in range(_RANDOM_ROWS)
        ]
    head = "# Random, from seed 1: put what your design does in its place."
    body = [",".join(f"0x{value:x}" for value in row) for row in rows]
    return "\n".join([head, ",".join(names), *body]) + "\n"


def _word(text: str) -> str:
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS
    return text if is_plain else json.dumps(text)


def _list(words: list[str]) -> str:
    return "[" + ", ".join(map(_word, words)) + "]"
