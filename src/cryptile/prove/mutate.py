"""Mutants of a protected design: whatever protects is removed or weakened, one place at a time.

In the netlist, by the names of the parts of ``rtl/common``: voters, decoders, encoders, checks, and
what they report. In the RTL, by patterns, in all files that are built, those parts among them:
levels of instances, terms of expressions and statements that tell of faults or wipe,
statuses, votes, what is written back, and what keeps copies apart.
"""

import dataclasses
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.netlist.gates import ZERO, Gate, Netlist
from cryptile.netlist.make import Source, built_files, netlist
from cryptile.project import BUILD, ROOT
from cryptile.prove.schema import Edit
from cryptile.toolchain.rtl import FileList

_VOTER = re.compile(r"(.*)u_vote\.q_o")
_CHECKS = (
    "u_enc.check",
    "u_enc.gen_detect.parity",
    "u_vote.mismatch_o",
    "u_dec.single_o",
    "u_dec.wrong_o",
)
_REPORTS = re.compile(r"(.*\.)?(detected|corrected|fault)_o|fault_detected_o")
_COPY = "gen_copy[0].u_copy.copy_q"


@dataclass(frozen=True)
class Mutant:
    """One mutant.

    Attributes:
        site: a net, or a file and line.
        mutation: what was done there.
        make: synthesises it.
        inside: makes the same change in a source whose top holds the design; the second argument is
            its hierarchical name there, with a dot behind it.
        key: with site and mutation, tells it from all others of the same source; nothing if it is
            of no source.
        edit: the change of the RTL, if it puts one expression in the place of another.
    """

    site: str
    mutation: str
    make: Callable[[], Netlist]
    inside: Callable[[Source, str], Netlist] | None = None
    key: str = ""
    edit: Edit | None = None


# --- Netlist --------------------------------------------------------------------------------------


def of_netlist(plain: Netlist) -> Iterator[Mutant]:
    """Yield a mutant for everything that can be deleted.

    A voter then gives the first copy, a decoder what is stored, all others zero.
    """
    driven = {gate.output for gate in plain.gates}
    seen: set[tuple[tuple[int, int], ...]] = set()
    for name, nets in plain.aliases.items():
        replaced: dict[int, int] = {}
        mutation = "gives zero"
        if match := _VOTER.fullmatch(name):
            replaced = dict(zip(nets, plain.aliases[match[1] + _COPY], strict=True))
            mutation = "gives the first copy"
        elif name.endswith("u_dec.codeword_o"):
            stored = plain.aliases[name.removesuffix("o") + "i"]
            replaced = {a: b for a, b in zip(nets, stored, strict=True) if a != b}
            mutation = "gives what is stored"
        elif name.endswith(_CHECKS) or _REPORTS.fullmatch(name):
            replaced = dict.fromkeys(nets, ZERO)
        replaced = {net: other for net, other in replaced.items() if net in driven}
        what = tuple(sorted(replaced.items()))
        if replaced and what not in seen:
            seen.add(what)
            yield Mutant(
                name,
                mutation,
                partial(_deleted, plain, replaced),
                partial(_deleted_inside, name),
                "netlist",
            )


def _deleted_inside(name: str, source: Source, scope: str) -> Netlist:
    """Make the mutant of that name of a larger netlist.

    Raises:
        CryptileError: it is not there.
    """
    for mutant in of_netlist(netlist(source)):
        if mutant.site == scope + name:
            return mutant.make()
    raise CryptileError(f"{source.top} has no {scope}{name} to be deleted")


def _deleted(plain: Netlist, nets: dict[int, int]) -> Netlist:
    """Drive some nets by another net instead of by their gate."""
    gates = tuple(
        Gate("buf", (nets[gate.output],), gate.output) if gate.output in nets else gate
        for gate in plain.gates
    )
    return dataclasses.replace(plain, gates=gates)


# --- RTL ------------------------------------------------------------------------------------------

_FAULTY = (
    r"fault|detect|correct|wrong|alarm|broken|(?<!token_)failed|wipe|kill|owed|_due\b|settled|noted|"
    r"StFault"
)
_WORDS = (
    ("rtl/common/cry_vote3.sv", re.compile(r"q_o|mismatch")),
    ("rtl/common/", re.compile(_FAULTY + r"|mismatch|flip|syndrome|single_o|double_o")),
    (
        "rtl/engine/lockstep/cry_engine_lockstep.sv",
        re.compile(_FAULTY + r"|differ|repair|trusted|equal_|any_full|hold|quiet|clear"),
    ),
    ("", re.compile(_FAULTY)),
)
"""What tells of faults or wipes, by what the name of a file contains."""

_LEVEL = re.compile(r"\.Protect\s*\(\s*(\w+)\s*\)")
_CLEAR = re.compile(r"\.clear_i\s*\(\s*(\w*wipe\w*)\s*\)")
_STATUS = re.compile(r"(?<![=!]=)\s(StatusFaultDetected|StatusFaultCorrected)\b")
_ASSIGN = re.compile(r"(?:assign\s+)?([\w.\[\]'-]+)\s*=(?!=)\s*([^;]+);")
_CONSTANT = re.compile(r"'[01]|\d*'\w+|\w*St[A-Z]\w*")
_CONNECTED = re.compile(r"\.(\w+)\s*\(")
_IF = re.compile(r"\bif \(([^\n]+)\) (?=[\w{])")
_KEEP = re.compile(r"\(\* keep \*\)")
_BACK = re.compile(r"(?<=: )(voted|right)\b")
_VOTE = re.compile(r"(?<!automatic logic )\b(majority|unequal)\(")

_LEVEL_CHANGE = "level of an instance"
"""What is done to a parameter, which is no expression of the logic."""

_STORED = {"voted": "copies[0]", "right": "stored"}
"""What a register of ``rtl/common`` holds, by the name of what it is written back as."""

_Change = tuple[int, int, str, str]
"""First and last place in the text, what comes there, and what that means."""


def of_rtl(source: Source, level: str) -> Iterator[Mutant]:
    """Yield a mutant for every place in the RTL of a design that tells of faults or wipes."""
    for file in built_files(source):
        if file.name.endswith("_pkg.sv") or file.parent.name == "gen":
            continue
        text = file.read_text()
        about = next(words for part, words in _WORDS if part in str(file))
        comments = [match.span() for match in re.finditer(r"//[^\n]*", text)]
        seen = set()
        for edit in _edits(text, level, about):
            first, last, new, meaning = edit
            if any(low <= first < high for low, high in comments) or (first, last, new) in seen:
                continue
            seen.add((first, last, new))
            changed = text[:first] + new + text[last:]
            line = text.count("\n", 0, first) + 1
            try:
                name = str(file.relative_to(ROOT))
            except ValueError:
                name = file.name
            yield Mutant(
                f"{name}:{line}",
                meaning,
                partial(_rewritten, file, changed, source),
                partial(_rewritten, file, changed),
                hashlib.sha256(changed.encode()).hexdigest(),
                None if meaning.startswith(_LEVEL_CHANGE) else Edit(file, first, last, new),
            )


def _rewritten(file: Path, text: str, source: Source, _scope: str = "") -> Netlist:
    """Return the netlist of a source in which one file has another text."""
    folder = BUILD / "prove" / "mutants" / hashlib.sha256(text.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    other = folder / file.name
    if not (other.is_file() and other.read_text() == text):  # one that was cut off is no mutant
        other.write_text(text)
    files = [other if item == file else item for item in source.sources.files]
    folders = [*source.sources.include_dirs, file.parent]
    return netlist(dataclasses.replace(source, sources=FileList(files, folders)))


def _edits(text: str, level: str, about: re.Pattern[str]) -> Iterator[_Change]:
    for match in _LEVEL.finditer(text):
        weaker = ["None", "Detect"] if level == "correct" else ["None"]
        for word in weaker:
            yield (
                *match.span(1),
                f"cry_protect_pkg::Protect{word}",
                f"{_LEVEL_CHANGE}: {word}",
            )
    for match in _CLEAR.finditer(text):
        yield *match.span(1), "clear_i", f"{match[1]} does not clear a part"
    for match in _STATUS.finditer(text):
        yield *match.span(1), "StatusOk", f"{match[1]}: StatusOk"
    for match in _KEEP.finditer(text):
        yield *match.span(), "", "copies may be merged"
    for match in _BACK.finditer(text):
        yield *match.span(), _STORED[match[1]], f"{match[1]}: what is stored is kept"
    for match in _IF.finditer(text):
        if text.startswith("begin :", match.end()):
            continue  # a generated block
        statement = text[match.end() : text.find(";", match.end())]
        if about.search(match[1]) or about.search(statement):
            yield *match.span(1), "1'b0", f"never: if ({match[1]})"
    for match in _VOTE.finditer(text):
        last = _closing(text, match.end())
        votes = text[match.end() : last]
        new = f"{votes}[0]" if match[1] == "majority" else "1'b0"
        yield match.start(), last + 1, new, f"{match[1]}({votes}): {new}"
    for match in _ASSIGN.finditer(text):
        if about.search(match[0]):
            tells = bool(about.search(match[1]))
            yield from _dropped_terms(match[2], match.start(2), about, tells)
            alone = len(list(_terms(match[2]))) == 1 and not _CONSTANT.fullmatch(match[2])
            if tells and alone and match[0].startswith("assign"):
                yield *match.span(2), "'0", f"zero: {match[1]}"
    for match in _CONNECTED.finditer(text):
        inside = text[match.end() : _closing(text, match.end())]
        yield from _dropped_terms(inside, match.end(), about, bool(about.search(match[1])))


def _dropped_terms(text: str, start: int, about: re.Pattern[str], tells: bool) -> Iterator[_Change]:
    """Drop the terms of a sum or product one by one, in parentheses too.

    Args:
        text: the expression.
        start: its place in the file.
        about: what tells of faults or wipes.
        tells: all terms count; otherwise only those whose words tell.
    """
    for first, last, inner in _terms(text):
        term = text[first:last]
        if inner and (tells or about.search(term)):
            neutral = "1'b0" if inner == "|" else "1'b1"
            yield start + first, start + last, neutral, f"dropped: {' '.join(term.split())}"
        for match in re.finditer(r"\(", term):
            if match.start() == len(term) - len(term.lstrip("!~ (")) - 1:
                inside = first + match.end()
                close = _closing(text, inside)
                yield from _dropped_terms(text[inside:close], start + inside, about, tells)


def _closing(text: str, place: int) -> int:
    depth = 1
    for index in range(place, len(text)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if not depth:
            return index
    return len(text)


def _terms(text: str) -> Iterable[tuple[int, int, str]]:
    """List the terms between ``|`` or ``&``, with that sign; no sign for a single one."""
    depth, cuts, chosen = 0, [], False
    for index, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        chosen |= letter == "?" and not depth
        binary = text[:index].rstrip()[-1:] not in ("", "|", "&", "(", "?", ":", "{", ",", "~", "^")
        if not depth and letter in "|&" and binary:
            cuts.append((index, letter))
    if chosen:
        return [(0, len(text), "")]
    ors = [index for index, letter in cuts if letter == "|"]
    sign = "|" if ors else "&"
    at = ors or [index for index, _ in cuts]
    bounds = [-1, *at, len(text)]
    found = []
    for low, high in pairwise(bounds):
        piece = text[low + 1 : high]
        first = low + 1 + len(piece) - len(piece.lstrip("|& \n"))
        last = low + 1 + len(piece.rstrip("|& \n"))
        if first < last:
            found.append((first, last, sign if at else ""))
    return found
