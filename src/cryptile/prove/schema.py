"""A design that holds many of its mutants, each behind a switch: synthesised once for all of them.

Synthesis of one mutant of a large design takes longer than its proof. So each change of the RTL
that puts one expression in the place of another becomes a choice between both, and what chooses
comes from a box without inside. In the netlist that is an input: a mutant is the netlist in which
it is 1 and those of all others are 0.

Such a netlist is not quite what synthesis makes of the mutant: flip-flops that it would have merged
stay apart. So nothing follows from a proof of it that holds. If the proof fails, and holds with all
switches off, then the mutant is killed; if both are the same function nothing was changed.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.netlist import gates
from cryptile.netlist.fold import folded
from cryptile.netlist.gates import ONE, ZERO, Netlist
from cryptile.netlist.make import Source, script
from cryptile.project import BUILD
from cryptile.toolchain import cache, rtl, yosys


@dataclass(frozen=True, order=True)
class Edit:
    """A change of a file: what stands from the first place to before the last becomes ``text``."""

    file: Path
    first: int
    last: int
    text: str


_BOX, _PORT, _ON = "cry_mutant_switches", "on_o", "cry_mutant_on"
_BOX_RTL = f"""\
(* blackbox *)
module {_BOX}_{{width}} (
  output logic [{{width}}-1:0] {_PORT}
);
endmodule
"""
_HEAD = re.compile(r"^module\s.*?^\);", re.MULTILINE | re.DOTALL)
SOURCE_ERROR = re.compile(r"^(\S+):(\d+): ERROR(?:: (.*))?", re.MULTILINE)
"""What Yosys says of a place in a source that it does not take."""

_MAPPED, _SWITCHED = "netlist.json", "switched.json"
_MOST_TRIES = 20


class Schema:
    """The netlist of a design with all its switches."""

    def __init__(self, source: Source, edits: Sequence[Edit], plain: Netlist) -> None:
        """Synthesise it; a change that is no expression, or one of a constant, has no switch.

        Args:
            source: the design.
            edits: changes of its files.
            plain: its netlist.

        Raises:
            CryptileError: what is left cannot be synthesised.
        """
        self._keep = [flop.name for flop in plain.flip_flops]
        todo = list(_switchable(edits))
        for _ in range(_MOST_TRIES):
            try:
                self._netlist = self._made(source, todo)
                break
            except CryptileError as error:
                wrong = _wrong(todo, str(error))
                if not wrong:
                    raise
                todo = [edit for edit in todo if edit not in wrong]
        else:
            raise CryptileError(f"{source.top}: too many changes are of constants")
        self._switches = self._nets(todo)
        self.off = self._with(())

    def __contains__(self, edit: Edit) -> bool:
        """Say whether a change has a switch."""
        return edit in self._switches

    def is_built(self, edit: Edit) -> bool:
        """Say whether anything in the netlist depends on a switch."""
        return any(net in self._netlist.readers for net in self._switches[edit])

    def netlist(self, edit: Edit) -> Netlist:
        """Return the netlist with one switch on."""
        return self._with(self._switches[edit])

    def _with(self, on: Sequence[int]) -> Netlist:
        known = {net: ZERO for nets in self._switches.values() for net in nets}
        return folded(self._netlist, known | dict.fromkeys(on, ONE), self._keep)

    def _made(self, source: Source, edits: Sequence[Edit]) -> Netlist:
        """Return the netlist with switches as inputs, a port for each file and instance."""
        texts = {file: _with_switches(file, edits) for file in {edit.file for edit in edits}}
        key = cache.digest([], *sorted((file.name, text) for file, text in texts.items()))
        folder = BUILD / "prove" / "schemas" / key
        folder.mkdir(parents=True, exist_ok=True)
        widths = sorted({sum(edit.file == file for edit in edits) for file in texts})
        box = folder / f"{_BOX}.sv"
        box.write_text("".join(_BOX_RTL.format(width=width) for width in widths))
        for file, text in texts.items():
            (folder / file.name).write_text(text)
        files = [folder / file.name if file in texts else file for file in source.sources.files]
        folders = [*source.sources.include_dirs, *{file.parent for file in texts}]
        changed = replace(source, sources=rtl.FileList([*files, box], folders))

        def make(work: Path) -> None:
            yosys.run(script(changed, work), work, work / _MAPPED)
            design = json.loads((work / _MAPPED).read_text())
            _open_boxes(design["modules"][source.top])
            (work / _SWITCHED).write_text(json.dumps(design))

        key = cache.digest(
            changed.sources.inputs, script(changed, Path("/")), yosys.version(), _BOX
        )
        scope = rtl.top(source.top, source.sources, source.parameters).scope
        return gates.read(
            cache.build("prove/schemas", f"{key}-netlist", make) / _SWITCHED, source.top, scope
        )

    def _nets(self, edits: Sequence[Edit]) -> dict[Edit, list[int]]:
        """Return the inputs of each change, one for each time that its module is built."""
        found: dict[Edit, list[int]] = {}
        for file in {edit.file for edit in edits}:
            ports = [
                nets
                for name, nets in self._netlist.inputs.items()
                if name.endswith(_instance(file))
            ]
            for place, edit in enumerate(edit for edit in edits if edit.file == file):
                found[edit] = [nets[place] for nets in ports]
        return found


def _instance(file: Path) -> str:
    return f"u_switches_{file.stem}"


def _switchable(edits: Sequence[Edit]) -> Iterator[Edit]:
    """Yield the changes of expressions, each within, around or apart from all before it."""
    taken: list[Edit] = []
    for edit in sorted(set(edits), key=lambda edit: (edit.file, edit.first, -edit.last, edit.text)):
        before = edit.file.read_text()[edit.first : edit.last]
        crosses = any(
            other.file == edit.file and other.first < edit.first < other.last < edit.last
            for other in taken
        )
        if edit.text and "//" not in before and not crosses:
            taken.append(edit)
            yield edit


def _with_switches(file: Path, edits: Sequence[Edit]) -> str:
    """Return the text of a file with a switch for each change; lines stay where they are."""
    text = file.read_text()
    own = [edit for edit in edits if edit.file == file]
    number = {edit: place for place, edit in enumerate(own)}

    def written(first: int, last: int, inside: Sequence[Edit]) -> str:
        pieces, place, waiting = [], first, list(inside)
        while waiting:
            edit = waiting.pop(0)
            within = [other for other in waiting if other.last <= edit.last]
            waiting = waiting[len(within) :]
            old = written(edit.first, edit.last, within)
            chosen = f"({_ON}[{number[edit]}] ? {edit.text} : ({old}))"
            pieces += [text[place : edit.first], chosen]
            place = edit.last
        return "".join([*pieces, text[place:last]])

    head = _HEAD.search(text)
    if head is None or any(edit.first < head.end() for edit in own):
        raise CryptileError(f"{file}: no module, or changes of its head")
    declared = (
        f" logic [{len(own) - 1}:0] {_ON}; {_BOX}_{len(own)} {_instance(file)} (.{_PORT}({_ON}));"
    )
    return text[: head.end()] + declared + written(head.end(), len(text), own)


def _wrong(edits: Sequence[Edit], told: str) -> set[Edit]:
    """Return the changes on the lines that Yosys does not take."""
    lines = {(Path(name).name, int(line)) for name, line, _ in SOURCE_ERROR.findall(told)}
    wrong = set()
    for edit in edits:
        text = edit.file.read_text()
        first, last = (text.count("\n", 0, place) + 1 for place in (edit.first, edit.last))
        if any((edit.file.name, line) in lines for line in range(first, last + 1)):
            wrong.add(edit)
    return wrong


def _open_boxes(module: dict[str, Mapping[str, object]]) -> None:
    """Make inputs of what the boxes of a module in the JSON of Yosys give."""
    cells, ports = dict(module["cells"]), dict(module["ports"])
    for name, cell in module["cells"].items():
        assert isinstance(cell, dict)
        if str(cell["type"]).startswith(_BOX):
            ports[name] = {"direction": "input", "bits": cell["connections"][_PORT]}
            del cells[name]
    module |= {"cells": cells, "ports": ports}
