"""Comments in generated assembly: they follow their instructions and change nothing else."""

import re

import pytest

from cryptile.asm import routines
from cryptile.asm.code import Code, Reg
from cryptile.asm.isa import Isa
from cryptile.asm.schedule import Tuning, schedule
from cryptile.project import ROOT

FOLDERS = sorted(
    {path.stem for path in (ROOT / "src/cryptile/asm/lib").glob("[a-z]*")} - {"bigint"}
)
"""All but plain sums and products."""


def program(*, commented: bool) -> list[str]:
    """A load whose use would stall, so that what follows moves before it."""
    code = Code(Isa.parse("rv32im"))
    a, b, c = Reg("a0"), Reg("a1"), Reg("a2")
    code.load(a, 0, dst=b)
    if commented:
        code.step("use it")
    code.addi(b, 1, dst=b)
    if commented:
        code.step("count")
    code.addi(c, 1, dst=c)
    return [str(insn) for insn in schedule(code.insns, Tuning())]


def test_a_comment_moves_with_its_instruction() -> None:
    lines = program(commented=True)
    assert [line.split() for line in lines[1:]] == [
        ["addi", "a2,", "a2,", "1", "#", "count"],
        ["addi", "a1,", "a1,", "1", "#", "use", "it"],
    ]
    assert [re.sub(r" +#.*", "", line) for line in lines] == program(commented=False)


@pytest.mark.parametrize("folder", FOLDERS)
def test_routines_name_their_steps(folder: str) -> None:
    for name in ("rv32im", "rv64im"):
        isa = Isa.parse(name)
        found = [item.generate(isa, Tuning()) for item in routines.supported(isa, [folder])]
        assert not found or any(re.search(r"^  \w+ .*  # \w", text, re.M) for text in found)
