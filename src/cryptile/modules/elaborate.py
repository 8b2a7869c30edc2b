"""What Yosys says of a module before anything is optimised: its ports, its clock, its reset."""

import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptile.errors import CryptileError, UsageError
from cryptile.modules.description import Reset
from cryptile.netlist.make import Source
from cryptile.project import BUILD, ROOT
from cryptile.toolchain import rtl, yosys

_JSON, _DESIGN = "module.json", "design.il"
_SHOW_FILES = "--show-parsed-files"
_INCLUDED = re.compile(r"^Parsing include file '(.*)'\.$", re.M)
_CLOCKED = re.compile(r"\$(dff|adff|sdff|aldff|dffsr|dffe|adffe|sdffe|sdffce|aldffe|memwr_v2)$")
_RESETS = {"ALOAD": "ALOAD_POLARITY", "ARST": "ARST_POLARITY", "SRST": "SRST_POLARITY"}
_LIKE_RESET = re.compile(r"(?i)(^|_)(a|s|n)?(rst|reset)(n|_|$)")


@dataclass(frozen=True)
class Ports:
    """The pins of a module, and what it was elaborated from.

    Attributes:
        clock: the clock.
        reset: the reset, if one was recognised.
        inputs: widths of the inputs without the clock.
        outputs: widths of the outputs.
        registers: widths of what is a register as a whole.
        files: all that slang read: the sources, and what they include from wherever it lies.
        design: hash of what slang made of them, in which is what ``$readmemh`` reads, too.
    """

    clock: str
    reset: Reset | None
    inputs: dict[str, int]
    outputs: dict[str, int]
    registers: dict[str, int]
    files: tuple[Path, ...]
    design: str


@dataclass(frozen=True)
class _Answer:
    """What came of a script: its JSON's modules, its log, and the hash of ``design.il``."""

    modules: dict[str, Any]
    log: str
    design: str


def top_of(files: rtl.FileList, parameters: dict[str, str]) -> str:
    """Return the module that no other one instantiates.

    Raises:
        UsageError: there is none, or more than one.
    """
    command = ["read_slang", "-j", "1", yosys.NO_DELAYS, "-D", "SYNTHESIS", *yosys.words(files)]
    modules = _read([" ".join(command)], [], files, parameters).modules
    tops = sorted(name for name, entry in modules.items() if "top" in entry["attributes"])
    if not tops:
        raise UsageError(
            f"{files.files[0].name}: no module that can be a top"
            + _valueless(files, declared(files), parameters)
        )
    if len(tops) > 1:
        raise UsageError(f"several modules can be the top: {', '.join(tops)}: choose with --top")
    return tops[0]


def ports(source: Source) -> Ports:
    """Return the pins of a module, its clock and its reset.

    Raises:
        UsageError: it cannot be elaborated, has no clock or several, or pins of both directions.
    """
    known = declared(source.sources)
    if known and source.top not in known:
        raise UsageError(f"there is no module {source.top}: the files have {', '.join(known)}")
    # What a synchronous reset is can be seen behind the first steps of optimisation only.
    answer = _read(
        yosys.elaborate(source, yosys.NO_DELAYS, _SHOW_FILES),
        ["opt_expr", "opt_clean", "opt_dff"],
        source.sources,
        source.parameters,
        source.top,
    )
    module = answer.modules[source.top]
    pins = module["ports"]
    if both := [name for name, pin in pins.items() if pin["direction"] == "inout"]:
        raise UsageError(f"{source.top}: {both[0]} is an inout: wrap the module without it")
    inputs = {name: len(pin["bits"]) for name, pin in pins.items() if pin["direction"] == "input"}
    outputs = {name: len(pin["bits"]) for name, pin in pins.items() if pin["direction"] == "output"}
    clock = _clock(source.top, module)
    del inputs[clock]
    included = dict.fromkeys(map(_outside, _INCLUDED.findall(answer.log)))
    files = (*source.sources.files, *included)
    return Ports(clock, _reset(module), inputs, outputs, _registers(module), files, answer.design)


def declared(files: rtl.FileList) -> list[str]:
    """List the modules that some files declare."""
    text = "\n".join(file.read_text(errors="replace") for file in files.files)
    return sorted(set(re.findall(r"^\s*module\s+(?:automatic\s+|static\s+)?(\w+)", text, re.M)))


def explained(error: CryptileError, source: Source) -> CryptileError:
    """Return what Yosys says as an error of the user: what is wrong in his files."""
    said = yosys.errors(str(error))
    if not said:
        return error
    if "not a valid top-level module" in str(error):
        missing = _valueless(source.sources, [source.top], source.parameters)
        return UsageError(f"{source.top} cannot be the top{missing}")
    place, text = said[0]
    return UsageError(f"{place}{text}" if place else f"Yosys: {text}")


def _read(
    commands: list[str],
    behind: list[str],
    files: rtl.FileList,
    parameters: dict[str, str],
    top: str = "",
) -> _Answer:
    """Elaborate, every time: only slang knows which files it reads beside those it is told.

    Args:
        commands: those that read and flatten; what they make is hashed.
        behind: further ones before the JSON is written.
        files: of the module.
        parameters: of the module.
        top: the module, if it is known.
    """
    home = BUILD / "modules"
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix=".ports-") as name:
        folder = Path(name)
        design, module = folder / _DESIGN, folder / _JSON
        script = [
            *commands,
            f"write_rtlil {yosys.relative(design)}",
            *behind,
            f"write_json {yosys.relative(module)}",
        ]
        try:
            yosys.run(script, folder, module)
        except CryptileError as error:
            raise explained(error, Source(top, files, parameters)) from error
        return _Answer(
            json.loads(module.read_text())["modules"],
            (folder / "yosys.log").read_text(errors="replace"),
            hashlib.sha256(design.read_bytes()).hexdigest(),
        )


def _outside(named: str) -> Path:
    """Return the file that has a name in the sandbox of Yosys, whose root is the checkout."""
    inside = ROOT / named.lstrip("/")
    return inside if inside.exists() else Path(named)


def _valueless(files: rtl.FileList, tops: list[str], parameters: dict[str, str]) -> str:
    """Say which parameters of modules have no value, as far as the text of the files shows it."""
    text = re.sub(r"//.*|/\*.*?\*/", "", "\n".join(f.read_text() for f in files.files))
    for top in tops:
        header = re.search(rf"\bmodule\s+{top}\b[^;(]*#\s*\((.*?)\)\s*(\(|;)", text, re.S)
        entries = header[1].split(",") if header else []
        names = [found[1] for entry in entries if (found := re.search(r"(\w+)\s*$", entry))]
        if missing := [n for n in names if n not in parameters and not n.isdigit()]:
            return f": {', '.join(missing)} of {top} has no value: give -G NAME=VALUE"
    return ""


def _clock(top: str, module: dict[str, Any]) -> str:
    names = _bit_names(module)
    found: Counter[str] = Counter()
    for cell in module["cells"].values():
        if _CLOCKED.match(cell["type"]) and "CLK" in cell["connections"]:
            (bit,) = cell["connections"]["CLK"]
            falls = int(cell["parameters"].get("CLK_POLARITY", "1"), 2) == 0
            found[("falling " if falls else "") + names.get(bit, "a net without a name")] += 1
    if not found:
        raise UsageError(f"{top}: no clock: it has no register")
    if len(found) > 1:
        told = ", ".join(f"{name} ({count})" for name, count in found.most_common())
        raise UsageError(f"{top}: its registers have several clocks: {told}; one is possible")
    (clock,) = found
    if clock not in module["ports"] or module["ports"][clock]["direction"] != "input":
        raise UsageError(f"{top}: the clock of its registers is {clock}, not the rise of an input")
    return clock


def _reset(module: dict[str, Any]) -> Reset | None:
    """Return the input that resets most registers; a synchronous one must be named like a reset."""
    names = _bit_names(module)
    found: Counter[tuple[str, bool]] = Counter()
    for cell in module["cells"].values():
        for pin, polarity in _RESETS.items():
            for bit in cell["connections"].get(pin, ()):
                name = names.get(bit, "")
                is_input = module["ports"].get(name, {}).get("direction") == "input"
                if is_input and (pin != "SRST" or _LIKE_RESET.search(name)):
                    found[name, int(cell["parameters"][polarity], 2) == 1] += 1
    if not found:
        return None
    (port, high), _ = found.most_common(1)[0]
    return Reset(port, "high" if high else "low")


def _registers(module: dict[str, Any]) -> dict[str, int]:
    """Return the names of what is a register as a whole, with their widths."""
    driven = {
        bit
        for cell in module["cells"].values()
        if _CLOCKED.match(cell["type"])
        for bit in cell["connections"].get("Q", ())
    }
    return {
        name: len(entry["bits"])
        for name, entry in module["netnames"].items()
        if not entry["hide_name"]
        and "$" not in name
        and driven.issuperset(entry["bits"])
        and name not in module["ports"]
    }


def _bit_names(module: dict[str, Any]) -> dict[int, str]:
    """Return the name of each net; a port's before others."""
    found: dict[int, str] = {}
    names: Iterable[tuple[str, dict[str, Any]]] = [
        *module["netnames"].items(),
        *module["ports"].items(),
    ]
    for name, entry in names:
        for index, bit in enumerate(entry["bits"]):
            found[bit] = name if len(entry["bits"]) == 1 else f"{name}[{index}]"
    return found
