"""Calling routines: instruction sets, statistics, timing models, the carry extension, errors."""

import random
from functools import cache
from pathlib import Path

import pytest
from support.iss_builds import program

from cryptile.errors import CryptileError, UsageError
from cryptile.sim.iss import Fault, Machine, Secret, run_program
from cryptile.sim.timing import MODELS, find

WIDTHS = pytest.mark.parametrize("xlen", [32, 64])

TEXT = """
  .option norelax
  .macro function name
  .globl \\name
  .type \\name, @function
\\name:
  .endm

  .option arch, +m, +zba, +zbb, +zbc, +zbs, +zbkb, +zbkx, +zicsr, +zifencei
  function uses_m
  mul a0, a0, a1
  ret
  function uses_zba
  sh1add a0, a0, a1
  ret
  function uses_zbb
  clz a0, a0
  ret
  function uses_zbkb
  brev8 a0, a0
  ret
  function uses_rotate
  ror a0, a0, a1
  ret
  function uses_zicsr
  csrr a0, cycle
  ret
  function writes_csr
  csrw mscratch, a0
  ret
  function high_register
  mv x16, a0
  ret
  function counters
  rdcycle t0
  rdinstret t1
  nop
  nop
  rdcycle a0
  rdinstret a1
  sub a0, a0, t0
  sub a1, a1, t1
  ret

  function statistics  # 2 of: loads (one narrow), stores, branches; 16 bytes of stack
  addi sp, sp, -16
  sw a0, 12(sp)
  sw a1, 0(sp)
  lw a0, 12(sp)
  lbu a1, 0(sp)
  beq zero, zero, 1f
  nop
1:
  bne zero, zero, 1b
  addi sp, sp, 16
  ret

  function below_stack
  sw a0, -40(sp)
  ret

  function moves_stack
  addi sp, sp, -32
  addi sp, sp, 32
  ret
  function fences
  fence
  fence.i
  ret
  # Overwrites the upper or lower half of an instruction that has run already.
  function modifies
  li a0, 0
  li t2, 2
1:
modified:
  addi a0, a0, 1
  add t0, a1, a2
  lhu t1, 0(a3)
  sh t1, 0(t0)
  addi t2, t2, -1
  bnez t2, 1b
  ret

  function load_use
  lw a1, 0(a0)
  addi a1, a1, 1
  ret
  function load_free
  lw a1, 0(a0)
  addi a2, a2, 1
  addi a2, a2, 1
  ret
  function load_byte_use
  lbu a1, 0(a0)
  addi a1, a1, 1
  ret
  function multiply_use
  mul a1, a1, a2
  addi a1, a1, 1
  ret
  function multiply_twice
  mul a1, a1, a2
  mul a3, a3, a2
  ret
  function multiply_thrice
  mul a1, a1, a2
  mul a3, a3, a2
  mul a4, a4, a2
  ret
  function forward_taken
  beq zero, zero, 1f
1:
  ret
  function loop
  li a1, 10
1:
  addi a1, a1, -1
  bnez a1, 1b
  ret
  function divide
  divu a0, a0, a1
  ret

  # a0 points to a, a1 to b, a2 to the sum or difference of three words each; a0 = carry
  .macro chain first, next, load, store, size
  \\load t0, 0(a0)
  \\load t1, 0(a1)
  .insn r 0x0b, \\first, 0, t0, t0, t1
  \\store t0, 0(a2)
  \\load t0, \\size(a0)
  \\load t1, \\size(a1)
  .insn r 0x0b, \\next, 0, t0, t0, t1
  \\store t0, \\size(a2)
  \\load t0, 2*\\size(a0)
  \\load t1, 2*\\size(a1)
  .insn r 0x0b, \\next, 0, t0, t0, t1
  \\store t0, 2*\\size(a2)
  .insn r 0x0b, 4, 0, a0, x0, x0
  ret
  .endm
#if __riscv_xlen == 64
  function add3
  chain 1, 0, ld, sd, 8
  function sub3
  chain 3, 2, ld, sd, 8
  function low_zeros
  ctzw a0, a0
  ret
#else
  function add3
  chain 1, 0, lw, sw, 4
  function sub3
  chain 3, 2, lw, sw, 4
#endif
  function branch_on_carry
  lw t0, 0(a0)
  .insn r 0x0b, 1, 0, t1, t0, t0
  .insn r 0x0b, 4, 0, a0, x0, x0
  bnez a0, 1f
1:
  ret

  .globl _start
_start:
  lla a1, greeting
  li a0, 1
  li a2, 6
  li a7, 64
  ecall
  li a0, 3
  li a7, 93
  ecall
  .globl bad_start
bad_start:
  li a7, 1
  ecall

  function uses_c
  .option push
  .option rvc
  c.mv a0, a1
  .option pop
  ret

  .data
  .globl counter
counter: .word 5
greeting: .ascii "hello\\n"
"""


@cache
def elf(xlen: int) -> Path:
    return program(TEXT, march=f"rv{xlen}i")


def machine(xlen: int, extensions: str = "im_zicsr_zba_zbb_zbs_xcarry", **options) -> Machine:
    return Machine(elf(xlen), f"rv{xlen}{extensions}", **options)


@WIDTHS
@pytest.mark.parametrize(
    ("routine", "without", "with_it"),
    [
        ("uses_m", "i", "im"),
        ("uses_m", "i", "i_zmmul"),
        ("divide", "i_zmmul", "im"),
        ("uses_zba", "im_zbb", "im_zba"),
        ("uses_zbb", "im_zbkb", "im_zbb"),
        ("uses_zbkb", "im_zbb", "im_zkn"),
        ("uses_rotate", "im_zba", "im_zbkb"),
        ("uses_rotate", "im_zba", "imb"),
        ("uses_zicsr", "im", "im_zicsr"),
        ("uses_c", "im", "imc"),
        ("high_register", "em", "im"),
        ("add3", "im", "im_xcarry"),
    ],
)
def test_only_the_chosen_instructions_exist(xlen: int, routine: str, without: str, with_it: str):
    chosen = machine(xlen, with_it)
    buffers = [chosen.alloc(24) for _ in range(3)]
    chosen.call(routine, *buffers)
    with pytest.raises(Fault) as caught:
        lacking = machine(xlen, without)
        lacking.call(routine, *(lacking.alloc(24) for _ in range(3)))
    assert caught.value.kind == "illegal"
    assert caught.value.symbol.startswith(routine)
    assert "text0.S:" in caught.value.file_line


@WIDTHS
def test_csrs_cannot_be_written(xlen: int):
    with pytest.raises(Fault, match="illegal"):
        machine(xlen).call("writes_csr", 0)


def test_isa_strings():
    for isa, message in [
        ("rv32", "no instruction set"),
        ("rv128i", "no instruction set"),
        ("rv32imf", "no extension f"),
        ("rv32i_zfoo", "no extension zfoo"),
        ("rv64i", "is not a program for rv64i"),
    ]:
        with pytest.raises(UsageError, match=message):
            Machine(elf(32), isa)


@WIDTHS
def test_counters(xlen: int):
    result = machine(xlen).call("counters")
    assert (result.value, result.value1) == (4, 4)


@WIDTHS
@pytest.mark.parametrize("checked", [False, True])
def test_statistics(xlen: int, checked: bool):
    result = machine(xlen, checked=checked).call("statistics", 1, 2)
    counts = {name: count for name, count in result.counts.items() if count}
    assert counts == {
        "alu": 2,
        "load": 2,
        "load_narrow": 1,
        "store": 2,
        "branch": 2,
        "branch_taken": 1,
        "jump_register": 1,
    }
    assert (result.instructions, result.stack_bytes) == (9, 16)
    assert machine(xlen, checked=checked).call("below_stack", 0).stack_bytes == 40
    assert machine(xlen, checked=checked).call("moves_stack").stack_bytes == 32


LATENCIES = {
    # Cycles: load_use, load_free, load_byte_use, multiply_use, multiply_twice, forward_taken, loop
    "loaduse1": (3, 4, 3, 3, 3, 2, 22),
    "loaduse2": (4, 4, 4, 3, 3, 2, 22),
    "loaduse3": (5, 4, 5, 3, 3, 2, 22),
    "e31": (4, 4, 5, 7, 7, 5, 25),
}


@WIDTHS
@pytest.mark.parametrize("model", LATENCIES)
@pytest.mark.parametrize("checked", [False, True])
def test_timing_models(xlen: int, model: str, checked: bool):
    timed = machine(xlen, timing=model, checked=checked)
    word = timed.alloc(8)
    routines = (
        "load_use",
        "load_free",
        "load_byte_use",
        "multiply_use",
        "multiply_twice",
        "forward_taken",
        "loop",
    )
    assert tuple(timed.call(name, word).cycles for name in routines) == LATENCIES[model]


def test_own_timing_model():
    for latency in (1, 2, 5, 32):
        blocking = find("loaduse2").but("own", mul_latency=latency, mul_busy=latency)
        timed = machine(32, timing=blocking)
        assert timed.call("multiply_use").cycles == 2 + latency
        assert timed.call("multiply_twice").cycles == 2 + latency
        assert timed.call("multiply_thrice").cycles == 2 + 2 * latency
        pipelined = blocking.but("own", mul_busy=1)
        assert machine(32, timing=pipelined).call("multiply_twice").cycles == 3
    with pytest.raises(UsageError, match="no timing model named fast; known: loaduse1"):
        machine(32, timing="fast")
    assert all(name == model.name for name, model in MODELS.items())


def test_division_time():
    timed = machine(32, timing="e31")
    assert timed.call("divide", 1, 1).cycles + 31 == timed.call("divide", 1 << 31, 1).cycles


@WIDTHS
@pytest.mark.parametrize("checked", [False, True])
def test_carry_extension(xlen: int, checked: bool):
    source = random.Random(1)
    size = 3 * xlen // 8
    for _ in range(50):
        a, b = (
            source.choice([0, 1, (1 << 8 * size) - 1, source.getrandbits(8 * size)])
            for _ in range(2)
        )
        for routine, expected in (("add3", a + b), ("sub3", a - b)):
            calc = machine(xlen, checked=checked)
            buffers = [calc.alloc(value.to_bytes(size, "little")) for value in (a, b)]
            out = calc.alloc(size)
            carry = calc.call(routine, *buffers, out).value
            assert int.from_bytes(calc.read(out, size), "little") == expected % (1 << 8 * size)
            assert carry == (expected >> 8 * size) & 1


@WIDTHS
def test_carry_of_a_secret_is_secret(xlen: int):
    calc = machine(xlen)
    assert calc.call("branch_on_carry", calc.alloc(bytes(4))).violations == []
    [found] = calc.call("branch_on_carry", calc.alloc(bytes(4), secret=True)).violations
    assert found.kind == "branch"


def test_low_zeros():
    assert machine(64).call("low_zeros", 1 << 40).value == 32


@WIDTHS
def test_programs(xlen: int):
    result = run_program(elf(xlen), f"rv{xlen}im")
    assert (result.exit_code, result.output) == (3, b"hello\n")
    assert result.instructions == result.cycles == 9
    with pytest.raises(Fault, match="no system call 1"):
        machine(xlen).run("bad_start")


@WIDTHS
def test_profile(xlen: int):
    profiled = machine(xlen, timing="cv32e40p", profile=True)
    cycles = profiled.call("loop").cycles + profiled.call("counters").cycles
    by_symbol, by_line = profiled.profile(), profiled.profile("line")
    assert list(by_symbol) == ["loop", "counters"]
    assert sum(by_symbol.values()) == sum(by_line.values()) == cycles
    assert by_symbol["loop"] == 1 + 10 + 9 * 3 + 1 + 2
    assert max(by_line.values()) == 9 * 3 + 1
    assert machine(xlen).profile() == {}


@WIDTHS
@pytest.mark.parametrize("checked", [False, True])
def test_code_can_change(xlen: int, checked: bool):
    # Changed before its second run, addi a0, a0, 1 is xori a0, a0, 1 or addi a0, a0, 5.
    for half, patch, expected in ((0, b"\x13\x45", 0), (2, b"\x55\x00", 6)):
        loaded = machine(xlen, checked=checked)
        copy = 0x2000_5000
        loaded.map(copy, 4096, "rwx")
        start, end = loaded.symbols["modifies"], loaded.symbols["load_use"]
        changed = copy + loaded.symbols["modified"] - start
        source = loaded.alloc(patch)
        for _ in range(2):
            loaded.write(copy, loaded.read(start, end - start))
            assert loaded.call(copy, 0, changed, half, source).value == expected
        loaded.write(changed, b"\x13\x05\x75\x00")  # addi a0, a0, 7
        assert loaded.call(copy, 0, loaded.alloc(2), 0, source).value == 14


@WIDTHS
def test_fences(xlen: int):
    assert machine(xlen, "i_zifencei").call("fences").instructions == 3
    with pytest.raises(Fault, match="illegal"):
        machine(xlen, "i").call("fences")


@WIDTHS
def test_reload(xlen: int):
    loaded = machine(xlen)
    counter = loaded.symbols["counter"]
    buffer = loaded.alloc(b"1234")
    loaded.write(counter, b"\x07")
    loaded.taint(counter, 4)
    loaded.reload()
    assert loaded.read(counter, 4) == b"\x05\0\0\0"
    assert not loaded.is_tainted(counter, 4)
    with pytest.raises(Fault, match="load fault"):
        loaded.call("load_use", buffer)
    assert loaded.alloc(b"abcd") == buffer


def test_memory_errors(tmp_path: Path):
    small = machine(32, arena_size=4096)
    with pytest.raises(CryptileError, match="arena is full"):
        small.alloc(5000)
    with pytest.raises(CryptileError, match="no memory at 0x10, 4 bytes"):
        small.read(0x10, 4)
    with pytest.raises(CryptileError, match="cannot map 16 bytes"):
        small.map(small.symbols["counter"], 16, "rw")
    small.map(0x2000_0000, 16, "rw")
    small.write(0x2000_0000, b"abcd")
    assert small.call("load_use", 0x2000_0000).instructions == 3
    with pytest.raises(Fault):
        small.call("load_use", 0x2000_0010)
    with pytest.raises(UsageError, match="no symbol nothing"):
        small.call("nothing")
    with pytest.raises(UsageError, match="at most eight"):
        small.call_abi("loop", *range(9))
    with pytest.raises(UsageError, match="too many arguments"):
        small.call("loop", *range(8 + 256 // 4 + 1))
    with pytest.raises(UsageError, match="secret ones behind the eighth"):
        small.call("loop", *range(8), Secret(1))
    with pytest.raises(UsageError, match="no such program"):
        Machine(tmp_path / "missing", "rv32i")
    (tmp_path / "text").write_text("no program")
    with pytest.raises(UsageError, match="not an ELF file"):
        Machine(tmp_path / "text", "rv32i")
    with pytest.raises(UsageError, match="not a program for RISC-V"):
        Machine(Path("/bin/sh"), "rv32i")
