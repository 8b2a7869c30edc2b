"""What a checked machine finds: secrets that leak, accesses outside buffers, broken conventions."""

from functools import cache
from pathlib import Path

import pytest
from support.iss_builds import program

from cryptile.project import ROOT
from cryptile.sim.iss import Fault, Machine
from cryptile.sim.timing import find

ISAS = pytest.mark.parametrize("isa", ["rv32imc", "rv64imc"])

ROUTINES = """// Right and wrong routines.
#include <stdint.h>
#include <stddef.h>

uint32_t equal(const uint8_t *a, const uint8_t *b, size_t n) {
  uint32_t differ = 0;
  for (size_t i = 0; i < n; ++i)
    differ |= a[i] ^ b[i];
  return (differ - 1) >> 31;
}

uint32_t equal_early_out(const uint8_t *a, const uint8_t *b, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (a[i] != b[i])
      return 0;
  return 1;
}

static const uint8_t table[256] = {1, 2, 3};

uint32_t look_up(const uint8_t *a) {
  return table[a[0]];
}

void store_at(uint8_t *out, const uint8_t *a) {
  out[a[0] & 7] = 1;
}

uint32_t divide(const uint32_t *a, uint32_t b) {
  return b / *a;
}

uint32_t multiply(const uint32_t *a, uint32_t b) {
  return b * *a;
}

typedef uint32_t function_t(uint32_t);
uint32_t twice(uint32_t a) { return 2 * a; }
uint32_t thrice(uint32_t a) { return 3 * a; }
uint32_t dispatch(const uint32_t *a) {
  function_t *functions[2] = {twice, thrice};
  function_t *volatile pick = (function_t *)((uintptr_t)functions[0] ^
    (((uintptr_t)functions[0] ^ (uintptr_t)functions[1]) & -(uintptr_t)(*a & 1)));
  return pick(7);
}

uint32_t declassified(const uint8_t *a, const uint8_t *b, size_t n) {
  volatile uint32_t verdict = equal(a, b, n);
  register uintptr_t address __asm__("a0") = (uintptr_t)&verdict;
  register size_t size __asm__("a1") = sizeof(verdict);
  __asm__ volatile("slti x0, x0, 0x7d1" : : "r"(address), "r"(size) : "memory");
  return verdict ? 10 : 20;
}

// Bits of a secret word that do not reach the branch.
uint32_t public_part(const uint32_t *a) {
  uint32_t masked = *a & 0xff00;
  __asm__ volatile("" : "+r"(masked));
  return masked & 0xff ? 1 : 2;
}

void copy(uint8_t *out, const uint8_t *in, size_t n) {
  for (size_t i = 0; i < n; ++i)
    out[i] = in[i];
}

uint32_t load_word(const uint32_t *a) {
  return *a;
}

void store_word(uint32_t *a) {
  *a = 0;
}

unsigned long load_long(const unsigned long *a) {
  return *a;
}

uint32_t uninitialised(void) {
  uint32_t value[4];
  __asm__ volatile("" : "=m"(value[0]));
  return value[0] ? 1 : 2;
}
"""

ASSEMBLY = """
  .globl clobbers_s1, clobbers_gp, clobbers_sp, writes_frame, good, forever, loops, breaks, wild
clobbers_s1: li s1, 1
  ret
clobbers_gp: li gp, 1
  ret
clobbers_sp: addi sp, sp, -16
  ret
writes_frame: sb zero, 3(sp)
  ret
good: li t0, 1
  li a7, 2
  ret
forever: j forever
loops: li a0, 10
1: addi a0, a0, -1
  bnez a0, 1b
  ret
breaks: ebreak
wild: li t0, 64
  jr t0
"""


@cache
def routines(isa: str) -> Path:
    return program(ROUTINES, ASSEMBLY, march=isa, flags=("-O2", "-fno-tree-vectorize"))


def kinds(result) -> list[str]:
    return sorted({violation.kind for violation in result.violations})


@ISAS
def test_constant_time_code_passes(isa: str):
    machine = Machine(routines(isa), isa)
    a, b = machine.alloc(bytes(20), secret=True), machine.alloc(bytes(20), secret=True)
    result = machine.call("equal", a, b, 20)
    assert (result.value, result.violations) == (1, [])
    machine.write(b + 7, b"x")
    assert machine.call("equal", a, b, 20).value == 0


@ISAS
@pytest.mark.parametrize(
    ("routine", "kind"),
    [
        ("equal_early_out", "branch"),
        ("look_up", "load"),
        ("divide", "div"),
        ("dispatch", "jump"),
    ],
)
def test_leaks_are_found(isa: str, routine: str, kind: str):
    machine = Machine(routines(isa), isa)
    a, b = (machine.alloc(b"\x03\x00\x00\x00", secret=True) for _ in range(2))
    result = machine.call(routine, a, b, 4)
    assert kinds(result) == [kind]
    found = result.violations[0]
    line = int(found.file_line.rpartition(":")[2])
    assert found.symbol.startswith(routine)
    assert found.file_line.startswith("text0.c:")
    assert routine in "".join(ROUTINES.splitlines()[line - 6 : line + 1])
    machine.taint(a, 4, secret=False)
    machine.taint(b, 4, secret=False)
    assert machine.call(routine, a, b, 4).violations == []


@ISAS
def test_secret_store_address(isa: str):
    machine = Machine(routines(isa), isa)
    out, a = machine.alloc(8), machine.alloc(b"\x03", secret=True)
    assert kinds(machine.call("store_at", out, a)) == ["store"]


@ISAS
def test_variable_time_multiply(isa: str):
    variable = find("loaduse2").but("variable", mul_variable=True)
    for timing, expected in (("loaduse2", []), (variable, ["mul"])):
        machine = Machine(routines(isa), isa, timing)
        a = machine.alloc(b"\x03\x00\x00\x00", secret=True)
        result = machine.call("multiply", a, 5)
        assert (result.value, kinds(result)) == (15, expected)


@ISAS
def test_each_instruction_is_listed_once_with_its_count(isa: str):
    machine = Machine(routines(isa), isa)
    a = machine.alloc(bytes(range(9)), secret=True)
    [found] = machine.call("equal_early_out", a, a, 9).violations
    assert found.count == 9
    assert "branch at 0x" in str(found)


@ISAS
def test_taint_follows_copies_exactly(isa: str):
    machine = Machine(routines(isa), isa)
    out, source = machine.alloc(8), machine.alloc(bytes(8))
    machine.taint(source + 2, 3)
    machine.call("copy", out, source, 8)
    assert [machine.is_tainted(out + i, 1) for i in range(8)] == [i in (2, 3, 4) for i in range(8)]
    machine.taint(source, 8, secret=False)
    machine.call("copy", out, source, 8)
    assert not machine.is_tainted(out, 8)


@ISAS
def test_declassify(isa: str):
    machine = Machine(routines(isa), isa)
    a = machine.alloc(bytes(20), secret=True)
    result = machine.call("declassified", a, a, 20)
    assert (result.value, result.violations) == (10, [])


@ISAS
def test_masked_bits_are_public(isa: str):
    machine = Machine(routines(isa), isa)
    assert machine.call("public_part", machine.alloc(bytes(4), secret=True)).violations == []


@ISAS
@pytest.mark.parametrize("offset", range(4))
def test_guard_zones_are_exact(isa: str, offset: int):
    machine = Machine(routines(isa), isa)
    source, out = machine.alloc(bytes(13), offset=offset), machine.alloc(13, offset=offset)
    assert (source % 16, out % 16) == (offset, offset)
    machine.call("copy", out, source, 13)
    for wrong, kind, address in [
        ((out, source, 14), "load", source + 13),
        ((out, source - 1, 2), "load", source - 1),
        ((out + 1, source, 13), "store", out + 13),
        ((out - 1, source, 2), "store", out - 1),
    ]:
        with pytest.raises(Fault) as caught:
            machine.call("copy", *wrong)
        assert (caught.value.kind, caught.value.address) == (kind, address)
        assert caught.value.symbol.startswith("copy")
        assert caught.value.file_line.startswith("text0.c:")


@ISAS
def test_every_byte_of_an_access_must_be_allowed(isa: str):
    machine = Machine(routines(isa), isa)
    for size in range(1, 8):
        buffer = machine.alloc(bytes(size))
        for routine, width in [("load_word", 4), ("store_word", 4), ("load_long", 8)]:
            if width == 8 and isa.startswith("rv32"):
                continue
            if size >= width:
                machine.call(routine, buffer)
                continue
            with pytest.raises(Fault) as caught:
                machine.call(routine, buffer)
            assert caught.value.address == buffer


@ISAS
def test_rights(isa: str):
    machine = Machine(routines(isa), isa)
    constant = machine.alloc(bytes(4), writable=False)
    buffer = machine.alloc(bytes(4))
    machine.call("copy", buffer, constant, 4)
    for target in (constant, machine.symbols["table"], machine.symbols["copy"], 0, 0x5000_0000):
        with pytest.raises(Fault, match="store fault"):
            machine.call("copy", target, buffer, 4)


@ISAS
def test_misaligned_accesses(isa: str):
    machine = Machine(routines(isa), isa)
    a = machine.alloc(b"12345678", offset=3)
    with pytest.raises(Fault) as caught:
        machine.call("load_word", a)
    assert (caught.value.kind, caught.value.address) == ("misaligned-load", a)
    machine = Machine(routines(isa), isa, allow_misaligned=True)
    result = machine.call("load_word", machine.alloc(b"12345678", offset=3))
    assert (result.value & 0xFFFFFFFF, result.misaligned) == (0x34333231, 1)


@ISAS
def test_uninitialised_memory(isa: str):
    assert Machine(routines(isa), isa).call("uninitialised").violations == []
    machine = Machine(routines(isa), isa, check_initialised=True)
    assert kinds(machine.call("uninitialised")) == ["uninitialised"]
    buffer, source = machine.alloc(4), machine.alloc(bytes(4))
    assert kinds(machine.call("load_word", buffer)) == ["uninitialised"]
    machine.call("copy", buffer, source, 4)
    assert machine.call("load_word", buffer).violations == []


@ISAS
@pytest.mark.parametrize("seed", range(3))
def test_calling_convention(isa: str, seed: int):
    machine = Machine(routines(isa), isa)
    machine.call_abi("good", seed=seed)
    for routine, message in [
        ("clobbers_s1", "s1 was"),
        ("clobbers_gp", "gp was"),
        ("clobbers_sp", "sp was"),
        ("writes_frame", "stack frame has changed"),
    ]:
        with pytest.raises(Fault, match=message) as caught:
            machine.call_abi(routine, seed=seed)
        assert (caught.value.kind, caught.value.symbol) == ("abi", routine)


def test_table_aes_is_found_leaking():
    sources = ("aes/aes_table.c", "../hal/mem.c")
    elf = program(
        march="rv32im",
        sources=tuple((ROOT / "sw/lib" / name).resolve() for name in sources),
        flags=(
            "-O2",
            "-ffunction-sections",
            "-fdata-sections",
            "-fno-tree-loop-distribute-patterns",
            "-Wl,--gc-sections",
            "-Wl,-e,cry_aes_table_encrypt",
            "-Wl,-u,cry_aes_table_expand_key",
            f"-I{ROOT / 'sw/include'}",
            f"-I{ROOT / 'sw/lib'}",
        ),
        headers=tuple(sorted((ROOT / "sw").rglob("*.h"))),
    )
    machine = Machine(elf, "rv32im")
    key = machine.alloc(bytes.fromhex("000102030405060708090a0b0c0d0e0f"), secret=True)
    block = machine.alloc(bytes.fromhex("00112233445566778899aabbccddeeff"))
    round_keys = machine.alloc(4 * 44)
    machine.call_abi("cry_aes_table_expand_key", round_keys, 10, key)
    assert machine.is_tainted(round_keys + 160, 16)
    result = machine.call_abi("cry_aes_table_encrypt", round_keys, 10, block, block)
    assert machine.read(block, 16).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
    assert kinds(result) == ["load"]
    assert all("aes_table.c:" in violation.file_line for violation in result.violations)
    machine.taint(round_keys, 4 * 44, secret=False)
    machine.taint(block, 16, secret=False)
    assert machine.call("cry_aes_table_encrypt", round_keys, 10, block, block).violations == []


@ISAS
def test_other_faults(isa: str):
    machine = Machine(routines(isa), isa)
    for routine, kind in [("breaks", "ebreak"), ("wild", "fetch"), ("forever", "timeout")]:
        with pytest.raises(Fault) as caught:
            machine.call(routine, max_instructions=1000)
        assert caught.value.kind == kind
    assert machine.call("loops").value == 0
