"""Upsets of a private operation: no wrong result leaves.

They are followed by the instructions (``rsa_upsets.cpp``, with the machine of the campaigns), and
jumps in the simulator.
"""

import random
from functools import cache
from pathlib import Path

import pytest
from support import pka, pka_rsa
from support.pka_rsa import some_key

from cryptile.faults.pka.build import FOLDER
from cryptile.pka.isa import WIDTH512, Word
from cryptile.pka.machine import Machine, ProgramError
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

B, BITS = WIDTH512.bits, 2048
NAME = pka_rsa.program(BITS, "private")
MESSAGE = 0xACE << 1900 | 5
IMAGE = pka.image(WIDTH512)

KINDS = ("reads", "rows", "counter", "state", "words")


@cache
def program() -> Path:
    """Return the program that injects upsets, built first if it is not there."""
    sources = [Path(__file__).with_name("rsa_upsets.cpp"), FOLDER / "machine.cpp"]
    options = tools.words("-std=c++20 -O2 -Wall -Wextra -Werror -DPKA_LANES=1")
    options = [*options, f"-DPKA_ROW_BITS={B}"]

    def make(folder: Path) -> None:
        command: list[str | Path] = ["g++", *options, f"-I{FOLDER}", "-o", folder / "upsets"]
        tools.run([*command, *sources], log=folder / "build.log")

    key = builds.digest([*sources, FOLDER / "machine.h"], options, tools.version("g++"))
    return builds.build("pka-rsa-upsets", key, make) / "upsets"


def limbs(value: int, count: int = WIDTH512.limbs) -> list[int]:
    return [value >> 64 * n & (1 << 64) - 1 for n in range(count)]


def setup(bits: int) -> str:
    """Return a private operation as ``rsa_upsets.cpp`` reads it."""
    key, rng = some_key(bits), random.Random(bits)
    rows = IMAGE.constants | {
        IMAGE.names[name]: value for name, value in pka_rsa.rows(key.inputs(MESSAGE), bits).items()
    }
    entry = pka_rsa.program(bits, "private")
    draws = [limbs(rng.getrandbits(128), 2) for _ in range(8)]
    groups: list[list[int]] = [
        [IMAGE.names["result"], bits // B, IMAGE.width.data, IMAGE.entries[entry]],
        [len(IMAGE.code)], *([w.insn.code, w.d, w.a, w.b, w.imm] for w in IMAGE.code),
        [len(IMAGE.extras)], *map(limbs, IMAGE.extras),
        [len(draws)], *draws,
        [len(rows)], *([row, *limbs(value)] for row, value in rows.items()),
    ]  # fmt: skip
    return "\n".join(" ".join(f"{number:x}" for number in group) for group in groups)


def check(folder: Path, kind: str, count: int, last: int = 0, bits: int = BITS) -> None:
    """Inject upsets, of the ``last`` instructions if that is not zero."""
    path = folder / "setup.txt"
    path.write_text(setup(bits))

    def run(count: int, first: int) -> list[list[str]]:
        words: list[str | Path] = [program(), path, kind, "16", str(count), str(first)]
        return [line.split() for line in tools.run(words).splitlines()]

    (found,) = run(0, 0)
    assert found[0] == "length"
    lines = run(count, int(found[1]) - last if last else 0)
    ends = {line[1]: int(line[2]) for line in lines if line[0] == "end"}
    assert ends["right"] and ends["refused"]
    wrong = [line for line in lines if line[0] == "at"]
    if kind == "counter":
        # Who comes right in front of the program's end is not found.
        assert len(wrong) <= count / 1000
    else:
        assert not wrong


@pytest.mark.parametrize("kind", KINDS)
def test_upsets(kind, tmp_path):
    check(tmp_path, kind, 100)


@pytest.mark.parametrize("kind", KINDS)
def test_upsets_behind_the_powers(kind, tmp_path):
    check(tmp_path, kind, 500, last=8000)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_upsets_long(kind, tmp_path):
    check(tmp_path, kind, 10_000)
    check(tmp_path, kind, 50_000, last=8000)
    check(tmp_path, kind, 200, bits=4096)


def test_any_jump():
    """From in front of the public operation to each instruction: nothing comes out."""
    rng = random.Random(1)
    rows = pka_rsa.rows(some_key(BITS).inputs(MESSAGE), BITS)
    machine = pka.started(rows, iter(lambda: rng.getrandbits(B), -1), WIDTH512)
    entry = IMAGE.entries[NAME]
    calls = [n for n in range(entry, len(IMAGE.code)) if IMAGE.code[n].name == "call"]
    last = next(n for n in calls if IMAGE.code[n].target == IMAGE.entries["prepare4"])
    kept: dict[int, int] = {}

    def watch(cycle: int, word: Word, clock: object) -> None:
        if machine.pc == last:
            kept.update(machine.rows)

    machine.watch = watch
    assert not machine.run(entry).flag
    assert kept[IMAGE.names["signature"]] == some_key(BITS).private(MESSAGE) & WIDTH512.most
    ended = 0
    for address in range(len(IMAGE.code)):
        draws = iter(lambda: rng.getrandbits(B), -1)
        other = Machine(IMAGE.code, dict(kept), draws, IMAGE.extras, width=WIDTH512)
        try:
            outcome = other.run(address, limit=200)
        except ProgramError:
            continue
        ended += 1
        found = [other.rows.get(IMAGE.names["result"] + n, 0) for n in range(8)]
        assert outcome.flag or not any(found), f"jump to {address}"
    assert ended > 100
