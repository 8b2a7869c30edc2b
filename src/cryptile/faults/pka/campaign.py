"""A campaign of upsets over jobs: its parts, their results, and what they are together."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from cryptile.errors import CryptileError, UsageError
from cryptile.faults.pka.build import build
from cryptile.jobs.job import Job
from cryptile.jobs.pka import CURVES, ENGINES, Engine
from cryptile.pka import programs
from cryptile.pka.builder import Image
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH576, Width
from cryptile.toolchain import tools
from cryptile.toolchain.cache import digest

_PART = 50_000
"""Upsets of a part, about: each is of another job."""

_DRAWS = 6
"""Random rows of an operation, at most."""

_OF_ROWS = 0.9
"""Share of the upsets that are of the memory of rows; the others are of registers."""


@dataclass(frozen=True)
class Operation:
    """What an engine does in a campaign: a mode of the catalogue, by its name."""

    design: str
    program: str

    @property
    def width(self) -> Width:
        """The engine's rows."""
        return WIDTHS[self.design]

    @property
    def engine(self) -> Engine:
        """The engine as jobs have it."""
        return ENGINES[self.design]

    @property
    def words(self) -> int:
        """Words of the random port that a row takes."""
        return -(-self.width.bits // 128)


WIDTHS = {"pka": WIDTH256, "pka_fast": FAST256, "pka384": WIDTH384, "pka521": WIDTH576}
"""Rows of the engines that campaigns are of, by design."""


def operation(design: str, name: str | None = None) -> Operation:
    """Return an engine's operation.

    Args:
        design: a key of ``WIDTHS``.
        name: of the mode; without one it is the signature on the engine's curve.

    Raises:
        UsageError: the engine has no such mode.
    """
    names = ENGINES[design].names
    found = name or f"{CURVES[design][0]}_sign"
    if found not in names:
        raise UsageError(f"{design} has no operation {found}; it has {', '.join(sorted(names))}")
    return Operation(design, found)


FIRST = operation("pka")


@dataclass(frozen=True)
class Case:
    """A job of an operation, and its random bits."""

    of: Operation
    job: Job
    words: tuple[int, ...]

    def setup(self) -> str:
        """Return it as ``campaign.cpp`` reads it, with the engine's programs."""
        of, image = self.of, _image(self.of.width)
        code = [[w.insn.code, w.d, w.a, w.b, w.imm] for w in image.code]
        groups: list[list[int]] = [
            [image.names["result"], image.results[of.program], of.engine.is_big_endian(of.program)],
            [image.names["error"], image.width.data],
            [len(code)], *code,
            *_rows(image.extras, of.width), *_rows(of.width.moduli, of.width),
            [len(self.words)], *(_words(value, 64, 2) for value in self.words),
            _item(self.job.word()),
        ]  # fmt: skip
        for items in (self.job.transfers(), list(self.job.beats())):
            groups += [[len(items)], *map(_item, items)]
        return "\n".join(" ".join(f"{number:x}" for number in group) for group in groups) + "\n"

    def is_right(self, result: bytes) -> bool:
        """Return whether bytes are a result of the job, with these random bits or with others."""
        return self.of.engine.gives(self.job, result)


def case(seed: int, of: Operation = FIRST) -> Case:
    """Draw a job that is accepted, and random bits."""
    rng = random.Random(seed)
    job = of.engine.valid(rng, of.program)
    words = tuple(rng.getrandbits(128) for _ in range(_DRAWS * of.words))
    return Case(of, job, words)


@cache
def _image(width: Width) -> Image:
    return programs.image(width)


def _rows(values: Sequence[int], width: Width) -> list[list[int]]:
    return [[len(values)], *(_words(value, 64, width.limbs) for value in values)]


def _words(value: int, size: int, count: int) -> list[int]:
    return [value >> size * n & (1 << size) - 1 for n in range(count)]


def _item(value: int) -> list[int]:
    count = -(-max(value.bit_length(), 1) // 32)
    return [count, *_words(value, 32, count)]


class Outcome(msgspec.Struct):
    """What became of upsets.

    Attributes:
        ends: by task, how many ended how: ``same``, ``valid`` (another result, and right),
            ``wrong``, ``none`` (no end), or ``status-N``.
        wrong: where each of those was that let a wrong result out.
        covered: upsets, of a bit and a cycle each, that those of rows stand for.
    """

    ends: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    wrong: list[str] = msgspec.field(default_factory=list)
    covered: int = 0

    @property
    def total(self) -> int:
        """How many upsets there were."""
        return sum(sum(counts.values()) for counts in self.ends.values())

    def add(self, other: "Outcome") -> None:
        """Count another's, too."""
        for task, counts in other.ends.items():
            self.ends[task] = dict(Counter(self.ends.get(task, {})) + Counter(counts))
        self.wrong += other.wrong
        self.covered += other.covered


@dataclass(frozen=True)
class Task:
    """A call of the program."""

    name: str
    seed: int
    count: int


@dataclass(frozen=True)
class Part:
    """Upsets of one job."""

    seed: int
    tasks: tuple[Task, ...]

    @property
    def key(self) -> str:
        """Tells it from all others, whatever they are of."""
        return digest([], repr(self))


@dataclass
class Campaign:
    """A campaign: so many upsets.

    Attributes:
        runs: how many.
        seed: of everything random.
        folder: where results of parts are.
        workers: parts at a time.
        of: what is done.
        program: what injects upsets (default: it is built).
    """

    runs: int
    seed: int
    folder: Path
    workers: int = 1
    of: Operation = FIRST
    program: Path = Path()

    def __post_init__(self) -> None:
        """Build the program, if none is given."""
        if self.program == Path():
            self.program = build(self.of.width)

    def parts(self, reads: int) -> list[Part]:
        """Return the parts.

        Args:
            reads: of rows, by the program.
        """
        places = reads * self.of.width.bits
        step = -(-places // min(max(round(self.runs * _OF_ROWS), 1), places))
        registers = self.runs + places // -step
        count = -(-self.runs // _PART)
        parts = []
        for n in range(count):
            seed = self.seed * 1_000_003 + n
            some = registers * (n + 1) // count - registers * n // count
            tasks = [Task("rows", n * step, step * count), Task("registers", seed, some)]
            if n == 0:
                tasks += [Task("result", 0, 0), Task("words", 0, self.runs)]
            parts.append(Part(seed, tuple(tasks)))
        return parts

    def run(self, resume: bool, on_part: Callable[[int, Outcome], None]) -> Outcome:
        """Run all parts but those that are there already.

        Args:
            resume: take those that are there from an earlier run of the same.
            on_part: is told how many parts there are, and of the outcome until now.
        """
        parts = self.parts(self.reads())
        self.folder.mkdir(parents=True, exist_ok=True)
        whole = Outcome()
        with ThreadPoolExecutor(self.workers) as pool:
            running = [pool.submit(self._part, part, resume) for part in parts]
            try:
                for future in running:
                    whole.add(future.result())
                    on_part(len(parts), whole)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return whole

    def reads(self) -> int:
        """Return how often the program reads a row."""
        size = self._call(case(self.seed, self.of), Task("registers", 0, 0), self.folder)["size"]
        return int(size[0].split()[2])

    def check(self, count: int) -> Outcome:
        """Follow some upsets by the RTL alone, too.

        Raises:
            CryptileError: an upset ends otherwise then.
        """
        made = case(self.seed, self.of)
        task = Task("check", self.seed, count)
        found = self._call(made, task, self.folder)
        if differing := found.get("differs"):
            raise CryptileError(
                f"{len(differing)} of {count} upsets end otherwise in the RTL: {differing[0]}"
            )
        return outcome_of(task, made, found)

    def _part(self, part: Part, resume: bool) -> Outcome:
        kept = self.folder / f"{digest([self.program], part.key)}.json"
        if resume and kept.is_file():
            return msgspec.json.decode(kept.read_bytes(), type=Outcome)
        made, whole = case(part.seed, self.of), Outcome()
        for task in part.tasks:
            whole.add(outcome_of(task, made, self._call(made, task, self.folder)))
        unfinished = kept.with_suffix(".part")
        unfinished.write_bytes(msgspec.json.encode(whole))
        unfinished.rename(kept)
        return whole

    def _call(self, made: Case, task: Task, folder: Path) -> dict[str, list[str]]:
        folder.mkdir(parents=True, exist_ok=True)
        setup = folder / f"{digest([], repr(made), repr(task))}.txt"
        setup.write_text(made.setup())
        words: list[str | Path] = [self.program, setup, task.name, str(task.seed), str(task.count)]
        try:
            lines = tools.run(words).splitlines()
        finally:
            setup.unlink()
        found: dict[str, list[str]] = {}
        for line in lines:
            name, _, rest = line.partition(" ")
            found.setdefault(name, []).append(rest)
        if "size" not in found:
            raise CryptileError(f"{self.program.name} printed no end: {lines[-3:]}")
        return found


def outcome_of(task: Task, made: Case, printed: dict[str, list[str]]) -> Outcome:
    """Judge what the program printed: each result that is another is checked."""
    outcome = Outcome(covered=int(printed["covered"][0]))
    counts = Counter({name: int(count) for name, count in map(str.split, printed.get("end", []))})
    del counts["other"]
    for line in printed.get("other", []):
        text, _, where = line.partition(" ")
        if made.is_right(bytes.fromhex(text)):
            counts["valid"] += 1
        else:
            counts["wrong"] += 1
            outcome.wrong.append(f"{where}: {text}")
    outcome.ends[task.name] = dict(counts)
    if outcome.total != int(printed["total"][0]):
        raise CryptileError(f"{outcome.total} upsets ended, of {printed['total'][0]}")
    return outcome
