"""What every public function leaves behind: no secret, on the stack, in registers, in memory."""

import re

import pytest
from support import left_calls
from support.left_calls import SCENES, SYMMETRIC

from cryptile import library
from cryptile.sim.iss import Fault, Machine, Secret

MULTIPLIES = [isa for isa in library.ISAS if isa != "rv32i"]
"""Public-key cryptography is not meant for an instruction set without multiplication."""
PUBLIC = {
    "cryptile_p256_verify",
    "cryptile_p384_verify",
    "cryptile_p521_verify",
    "cryptile_ed25519_verify",
    "cryptile_rsa_pkcs1_verify",
    "cryptile_rsa_pss_verify",
    "psa_verify_hash",
    "psa_verify_message",
    "cryptile_self_test",
}
"""They work on what is public alone, and leave it."""


QUICK = ("rv32i", "rv32im_zbb_zbc", "rv64im_zkn")
"""Instruction sets whose code differs most: the base alone, bit manipulation, and 64 bits with
instructions for ciphers; the others take as long each. rv32im is below, at other optimisations."""


def isas():
    """Every instruction set."""
    for isa in library.ISAS:
        yield isa if isa in QUICK else pytest.param(isa, marks=pytest.mark.soak)


@pytest.fixture(scope="module", params=isas())
def left(request):
    isa = request.param
    machine = Machine(library.build(isa).image, isa)
    return left_calls.run(machine, SCENES if isa in MULTIPLIES else SYMMETRIC)


def test_every_public_function_is_called(left):
    """A function that comes into a header without a scene fails here."""
    assert left.called <= left_calls.declared()
    if left.m.isa in MULTIPLIES:
        assert left_calls.declared() <= left.called


def test_every_public_function_does_its_work(left):
    """What a refusal leaves says little of what success leaves."""
    assert left.called & left_calls.with_status() <= left.succeeded


def test_no_secret_is_left(left):
    assert {name: count for name, count in left.left.items() if count} == {}


def test_the_whole_stack_is_wiped(left):
    """A shell whose bound is below what its work takes leaves something beyond it."""
    assert {n: count for n, count in left.dirty.items() if count and n not in PUBLIC} == {}


def test_the_headers_state_the_stack(left):
    """What is zeroized belongs to it. The ciphers' figures are in ``test_aes_stack.py``."""
    most = stated(left.m.xlen)
    assert {n: used for n, used in left.stack.items() if used > most.get(n, used)} == {}


def stated(xlen: int) -> dict[str, int]:
    """Return the bytes of stack that headers state, by function, the most where it depends."""
    found = {}
    for header in library.INCLUDE.glob("cryptile/*.h"):
        text = header.read_text()
        if header.name == "cipher.h" or (xlen == 64 and not _FOR_RV64.search(text)):
            continue
        for comment, name in re.findall(
            r"^// Stack: (.*(?:\n//.*)*)\n\w[\w ]*?[ *\n](\w+)\(", text, re.M
        ):
            narrow, _, wide = comment.partition("Returns")[0].partition("on RV64")
            numbers = re.findall(r"\b\d{2,}\b", wide if wide and xlen == 64 else narrow)
            if numbers:
                found[name] = max(map(int, numbers))
    assert len(found) >= {32: 40, 64: 20}[xlen]
    return found


_FOR_RV64 = re.compile(r"^// (?:- )?Stack: bounds .* RV64", re.M)
"""What a header says of the bounds in it, if they are not for RV32 alone."""


@pytest.mark.parametrize("optimise", ["-Os", pytest.param("-O3", marks=pytest.mark.soak)])
def test_other_optimisations(optimise):
    """The bounds have room for how other options of the compiler lay out frames."""
    machine = Machine(library.build("rv32im", optimise=optimise).image, "rv32im")
    found = left_calls.run(machine)
    assert {name: count for name, count in found.left.items() if count} == {}
    assert {n: count for n, count in found.dirty.items() if count and n not in PUBLIC} == {}


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_registers_are_cleared_before_the_stack(machine, isa):
    """An interrupt while the stack is zeroized would store them there."""
    m = machine(isa)
    secrets = [Secret(0x5A5A5A5A)] * 6
    with pytest.raises(Fault, match="instructions"):
        m.call("cry_wipe_stack", 0, 4096, *secrets, max_instructions=100)
    assert not any(m._taints[1:32])
