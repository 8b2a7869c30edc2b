"""Instruction scheduling on physical registers: fills the slots behind loads and multiplications.

In-order cores stall when an instruction reads a register that a load has not yet delivered. The
scheduler keeps the order it is given, but for an instruction that would stall it first issues a
later one that is ready and independent.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptile.asm.code import SP, ZERO, Insn, Kind, Operand

_WINDOW = 48
"""How far ahead to look for an independent instruction."""


@dataclass(frozen=True)
class Tuning:
    """What the scheduler knows of a core: cycles from an instruction to the use of its result."""

    load_use: int = 2
    multiply: int = 1


def schedule(insns: Sequence[Insn], tuning: Tuning) -> list[Insn]:
    """Reorder instructions within basic blocks to avoid stalls; the meaning stays the same.

    Memory accesses are taken to be independent when they have the same unchanged base register and
    different offsets, or when exactly one of them has sp as its base (a routine never hands out
    addresses in its own frame). Loads may pass loads.
    """
    out: list[Insn] = []
    block: list[Insn] = []
    for insn in insns:
        if insn.kind is Kind.FIXED:
            out += _schedule_block(block, tuning)
            block = []
            out.append(insn)
        else:
            block.append(insn)
    return out + _schedule_block(block, tuning)


def _latency(insn: Insn, tuning: Tuning) -> int:
    if insn.kind is Kind.LOAD:
        return tuning.load_use
    if insn.op.startswith(("mul", "clmul")):
        return tuning.multiply
    return 1


_WIDTHS = {"b": 1, "h": 2, "w": 4, "d": 8}


def _overlap(first: Insn, second: Insn) -> bool:
    """Tell whether two memory accesses with unchanged bases may touch the same bytes."""
    base_a, base_b = first.srcs[-1], second.srcs[-1]
    if base_a != base_b:
        return SP not in (base_a, base_b)
    if isinstance(first.imm, str) or isinstance(second.imm, str):
        return first.imm == second.imm
    low_a, low_b = first.imm or 0, second.imm or 0
    size_a = _WIDTHS[first.op.rstrip("u")[-1]]
    size_b = _WIDTHS[second.op.rstrip("u")[-1]]
    return low_a < low_b + size_b and low_b < low_a + size_a


def _dependences(block: Sequence[Insn], tuning: Tuning) -> list[dict[int, int]]:
    """Return for each instruction the earlier ones it must follow, and at what distance."""
    before: list[dict[int, int]] = [{} for _ in block]
    writer: dict[Operand, int] = {}
    readers: dict[Operand, list[int]] = {}
    versions: dict[Operand, int] = {}
    memory: list[tuple[int, int]] = []  # index, version of the base register
    for index, insn in enumerate(block):
        for src in insn.srcs:
            if src in writer:
                origin = writer[src]
                before[index][origin] = _latency(block[origin], tuning)
        if insn.kind in (Kind.LOAD, Kind.STORE):
            version = versions.get(insn.srcs[-1], 0)
            for other, other_version in memory:
                if insn.kind is Kind.LOAD and block[other].kind is Kind.LOAD:
                    continue
                same = block[other].srcs[-1] == insn.srcs[-1] and version != other_version
                if same or _overlap(block[other], insn):
                    before[index].setdefault(other, 1)
            memory.append((index, version))
        if insn.dst is not None and insn.dst != ZERO:
            for reader in readers.get(insn.dst, ()):
                before[index].setdefault(reader, 1)
            if insn.dst in writer:
                before[index].setdefault(writer[insn.dst], 1)
            writer[insn.dst] = index
            readers[insn.dst] = []
            versions[insn.dst] = versions.get(insn.dst, 0) + 1
        for src in insn.srcs:
            readers.setdefault(src, []).append(index)
        before[index].pop(index, None)
    return before


def _schedule_block(block: Sequence[Insn], tuning: Tuning) -> list[Insn]:
    before = _dependences(block, tuning)
    issued: dict[int, int] = {}
    pending = list(range(len(block)))
    out: list[Insn] = []
    cycle = 0
    while pending:
        choice, wait = 0, _wait(before[pending[0]], issued, cycle)
        if wait:
            for position, index in enumerate(pending[1:_WINDOW], start=1):
                if _free(before[index], issued) and not _wait(before[index], issued, cycle):
                    choice, wait = position, 0
                    break
        index = pending.pop(choice)
        cycle += wait
        issued[index] = cycle
        out.append(block[index])
        cycle += 1
    return out


def _free(before: dict[int, int], issued: dict[int, int]) -> bool:
    return all(other in issued for other in before)


def _wait(before: dict[int, int], issued: dict[int, int], cycle: int) -> int:
    return max([0, *(issued[other] + distance - cycle for other, distance in before.items())])


def stalls(insns: Iterable[Insn], tuning: Tuning) -> int:
    """Count the stall cycles of straight-line code on a core with this tuning."""
    ready: dict[Operand, int] = {}
    cycle = total = 0
    for insn in insns:
        if insn.kind is Kind.FIXED:
            continue
        wait = max((ready.get(src, 0) - cycle for src in insn.srcs), default=0)
        wait = max(wait, 0)
        total += wait
        cycle += wait
        if insn.dst is not None:
            ready[insn.dst] = cycle + _latency(insn, tuning)
        cycle += 1
    return total
