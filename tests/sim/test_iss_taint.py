"""The taint of every instruction: bits that are called public do not depend on secret ones."""

import random
from functools import cache
from pathlib import Path

import iss_random
import pytest
from support.iss_builds import program

from cryptile.sim.iss import Machine, Secret

WIDTHS = pytest.mark.parametrize("xlen", [32, 64])
ISA = "im_" + "_".join(name for name in iss_random.ALL if name.startswith("z"))


@cache
def functions(xlen: int) -> tuple[Path, list[tuple[str, str]]]:
    """A function ``f<n>`` for every instruction, on a0 and a1, and some with immediates."""
    source = random.Random(5)
    text, made = [], []
    for name, template in iss_random.instructions(xlen):
        if "{1}" not in template:
            continue
        operands = iss_random.fill(source, template, xlen, ("a0", "a0", "a1"))
        label = f"f{len(made)}"
        made.append((label, f"{name} {operands}"))
        text.append(f".globl {label}\n{label}: {made[-1][1]}\nret")
    return program("\n".join(text) + "\n", march=f"rv{xlen}{ISA}"), made


def secret_mask(source: random.Random, xlen: int) -> int:
    kind = source.randrange(4)
    if kind == 0:
        return 0
    if kind == 1:
        return 1 << source.randrange(xlen)
    if kind == 2:
        return 0xFF << 8 * source.randrange(xlen // 8)
    return source.getrandbits(xlen)


@WIDTHS
def test_public_bits_do_not_depend_on_secrets(xlen: int):
    source = random.Random(6)
    elf, made = functions(xlen)
    machine = Machine(elf, f"rv{xlen}{ISA}")
    assert len(made) >= 80
    for label, text in made:
        for _ in range(60):
            values = [iss_random.value(source, xlen) for _ in range(2)]
            masks = [secret_mask(source, xlen) for _ in range(2)]
            first = machine.call(label, *map(Secret, values, masks))
            for _ in range(4):
                others = [
                    value ^ (source.getrandbits(xlen) & mask)
                    for value, mask in zip(values, masks, strict=True)
                ]
                differ = machine.call(label, *others).value ^ first.value
                assert differ & ~first.secret_bits == 0, (text, values, masks, others)


@WIDTHS
def test_public_operands_give_public_results(xlen: int):
    elf, made = functions(xlen)
    machine = Machine(elf, f"rv{xlen}{ISA}")
    for label, text in made:
        assert machine.call(label, 123, 456).secret_bits == 0, text


PRECISE = {
    # Instruction, a0 and its secret bits, a1 and its secret bits, secret bits of the result
    "and a0, a0, a1": (0xFFFF, 0xFF00, 0x0FF0, 0, 0x0F00),
    "or a0, a0, a1": (0, 0xFF00, 0x0FF0, 0, 0xF000),
    "andn a0, a0, a1": (0xFFFF, 0xFF00, 0x0FF0, 0, 0xF000),
    "ori a0, a0, 0x0f": (0, 0xFF, 0, 0, 0xF0),
    "xor a0, a0, a1": (0, 0xF0, 0, 0x0F, 0xFF),
    "sltu a0, a0, a1": (0, 0xFFFF, 9, 0, 1),
    "slli a0, a0, 4": (0, 0xFF, 0, 0, 0xFF0),
    "rori a0, a0, 4": (0, 0xFF0, 0, 0, 0xFF),
    "srl a0, a0, a1": (0, 0xFF0, 4, 0, 0xFF),
    "zext.h a0, a0": (0, 0xFF0F0, 0, 0, 0xF0F0),
    "pack a0, a0, a1": (0, 0xF0, 0, 0, 0xF0),
    "bexti a0, a0, 3": (0, 0xF7, 0, 0, 0),
    "addi a0, a0, 0": (5, 2, 0, 0, 2),
}


@WIDTHS
def test_masks_are_precise(xlen: int):
    text = "".join(
        f".globl p{i}\np{i}: {instruction}\nret\n" for i, instruction in enumerate(PRECISE)
    )
    machine = Machine(program(text, march=f"rv{xlen}{ISA}"), f"rv{xlen}{ISA}")
    for index, (a, mask_a, b, mask_b, expected) in enumerate(PRECISE.values()):
        result = machine.call(f"p{index}", Secret(a, mask_a), Secret(b, mask_b))
        assert result.secret_bits == expected, list(PRECISE)[index]


MEMORY = """
  .globl store_load, halves, look_up
look_up:
  add a0, a0, a1
  lw a0, 0(a0)
  ret
store_load:
  sw a1, 0(a0)
  lh a0, 0(a0)
  ret
halves:
  sw a1, 0(a0)
  sb zero, 1(a0)
  lw a0, 0(a0)
  ret
"""


@WIDTHS
def test_memory_keeps_taint_by_the_byte(xlen: int):
    machine = Machine(program(MEMORY, march=f"rv{xlen}im"), f"rv{xlen}im")
    buffer = machine.alloc(4)
    for mask, tainted, low, high in [
        (0x0000_0100, [1], ~0xFF, 0),
        (0x0080_0001, [0, 2], 0xFF, 0xFF00FF),
        (0x8000_0000, [3], 0, ~0xFFFFFF),
        (0, [], 0, 0),
    ]:
        result = machine.call("store_load", buffer, Secret(0, mask))
        assert [i for i in range(4) if machine.is_tainted(buffer + i, 1)] == tainted
        assert result.secret_bits == low % (1 << xlen)
        result = machine.call("halves", buffer, Secret(0, mask))
        assert result.secret_bits == high % (1 << xlen)


@WIDTHS
def test_what_comes_from_a_secret_address_is_secret(xlen: int):
    machine = Machine(program(MEMORY, march=f"rv{xlen}im"), f"rv{xlen}im", check_initialised=True)
    result = machine.call("look_up", machine.alloc(bytes(16)), Secret(4, 4))
    assert result.secret_bits == (1 << xlen) - 1
    assert [found.kind for found in result.violations] == ["load"]
    result = machine.call("look_up", machine.alloc(16), Secret(4, 4))
    assert {found.kind for found in result.violations} == {"load", "uninitialised"}
