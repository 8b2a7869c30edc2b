"""Register allocation for straight-line code.

The value whose next use lies furthest ahead leaves its register first, which is optimal in the
number of reloads (Belady, "A study of replacement algorithms for virtual-storage computers", IBM
Systems Journal 5(2), 1966). What can be computed again costs no store.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cryptile.asm.code import SP, Insn, Kind, Operand, Reg, Value

_NEVER = 1 << 60


@dataclass
class Allocation:
    """Straight-line code on physical registers."""

    insns: list[Insn]
    spill_bytes: int
    spills: int
    reloads: int


@dataclass
class _State:
    word: int
    spill_offset: int
    uses: dict[Value, list[int]]
    remat: dict[Value, Insn]
    free: list[Reg]
    homes: Mapping[Value, tuple[Reg, int]]
    store_cost: int
    at: dict[Value, Reg] = field(default_factory=dict)
    at_home: set[Value] = field(default_factory=set)
    slot: dict[Value, int] = field(default_factory=dict)
    free_slots: list[int] = field(default_factory=list)
    slots: int = 0
    out: list[Insn] = field(default_factory=list)
    spills: int = 0
    reloads: int = 0

    def next_use(self, value: Value) -> int:
        uses = self.uses.get(value)
        return uses[0] if uses else _NEVER

    def take(self, busy: Iterable[Value], hint: Reg | None = None) -> Reg:
        """Return a free register, making one free if need be."""
        if hint is not None and hint in self.free:
            self.free.remove(hint)
            return hint
        if not self.free:
            self.evict(busy)
        return self.free.pop(0)  # oldest first: fewer false dependences for the scheduler

    def evict(self, busy: Iterable[Value]) -> None:
        pinned = set(busy)
        candidates = [value for value in self.at if value not in pinned]
        if not candidates:
            raise ValueError("an instruction needs more registers than there are")
        # Prefer one that need not be stored, even if it is used a little earlier.
        victim = max(
            candidates,
            key=lambda v: self.next_use(v) + self.store_cost * (v in self.remat or self.saved(v)),
        )
        reg = self.at.pop(victim)
        self.free.append(reg)
        if self.next_use(victim) == _NEVER or self.saved(victim) or victim in self.remat:
            return
        if victim in self.homes:
            self.at_home.add(victim)
        else:
            if not self.free_slots:
                self.free_slots.append(self.slots)
                self.slots += 1
            self.slot[victim] = self.free_slots.pop(0)
        base, offset = self.place(victim)
        self.out.append(Insn(self.store_op, None, (reg, base), offset, Kind.STORE))
        self.spills += 1

    def saved(self, value: Value) -> bool:
        return value in self.slot or value in self.at_home

    @property
    def store_op(self) -> str:
        return "sw" if self.word == 4 else "sd"

    def place(self, value: Value) -> tuple[Reg, int]:
        if value in self.slot:
            return SP, self.spill_offset + self.slot[value] * self.word
        return self.homes[value]

    def fetch(self, value: Value, busy: Sequence[Value]) -> Reg:
        """Bring a value into a register."""
        if value in self.at:
            return self.at[value]
        if not self.saved(value) and value not in self.remat:
            raise ValueError(f"{value!r} is used before it is defined")
        reg = self.take(busy)
        if self.saved(value):
            op = "lw" if self.word == 4 else "ld"
            base, offset = self.place(value)
            self.out.append(Insn(op, reg, (base,), offset, Kind.LOAD))
            self.reloads += 1
        else:
            origin = self.remat[value]
            srcs = [self.at[s] if isinstance(s, Value) else s for s in origin.srcs]
            self.out.append(origin.with_operands(reg, srcs))
            self.reloads += origin.kind is Kind.LOAD
        self.at[value] = reg
        return reg

    def release(self, value: Value) -> None:
        """Free what a dead value holds."""
        if value in self.at:
            self.free.append(self.at.pop(value))
        if value in self.slot:
            self.free_slots.append(self.slot.pop(value))


def allocate(
    insns: Sequence[Insn],
    pool: Sequence[Reg],
    *,
    word: int,
    inputs: Mapping[Value, Reg] | None = None,
    outputs: Mapping[Value, Reg] | None = None,
    spill_offset: int = 0,
    homes: Mapping[Value, tuple[Reg, int]] | None = None,
    ahead: int = 0,
    store_cost: int = 3,
) -> Allocation:
    """Give registers to the values of straight-line code.

    Args:
        insns: instructions without branches; each value is defined once, or is an input.
            Physical registers outside ``pool`` may be named directly. A value that is marked
            ``remat`` may only depend on physical registers.
        pool: the registers that may be used; those that hold inputs may be among them.
        word: bytes in a register.
        inputs: where values are on entry.
        outputs: where values must be at the end (registers of the pool, each at most once).
        spill_offset: first byte of the spill area, above sp.
        homes: base register and offset of memory of their own to which values are spilled, instead
            of the spill area. The memory must be unused while the value lives. Values that are
            neither defined nor inputs are in their homes on entry.
        ahead: how many instructions ahead of their use to reload values, while registers are free.
        store_cost: how many instructions later the next use of a value must be to spill it rather
            than one that is in memory already, or can be computed again.

    Returns:
        The code, and how many bytes of spill area it needs.

    Raises:
        ValueError: a value is used before its definition, or the pool is too small.
    """
    inputs, outputs = inputs or {}, outputs or {}
    uses: dict[Value, list[int]] = {}
    for index, insn in enumerate(insns):
        for src in insn.srcs:
            if isinstance(src, Value):
                uses.setdefault(src, []).append(index)
    for value in outputs:
        uses.setdefault(value, []).append(len(insns))
    remat = {insn.dst: insn for insn in insns if insn.remat and isinstance(insn.dst, Value)}
    state = _State(
        word=word,
        spill_offset=spill_offset,
        uses=uses,
        remat=remat,
        homes=homes or {},
        store_cost=store_cost,
        free=[reg for reg in pool if reg not in inputs.values()],
        at={value: reg for value, reg in inputs.items() if value in uses},
    )
    state.free += [reg for value, reg in inputs.items() if value not in uses and reg in pool]
    defined = {insn.dst for insn in insns} | set(inputs)
    state.at_home |= {value for value in state.homes if value not in defined}
    for index, insn in enumerate(insns):
        _reload(state, insn, insns[index + 1 : index + 1 + ahead])
        _place(state, index, insn, outputs)
    _settle(state, outputs)
    return Allocation(state.out, state.slots * word, state.spills, state.reloads)


def _reload(state: _State, insn: Insn, coming: Sequence[Insn]) -> None:
    """Bring in what coming instructions read, as long as that takes no register from another."""
    for later in coming:
        for src in later.srcs:
            if isinstance(src, Value) and src not in state.at and state.saved(src):
                if len(state.free) < 2:
                    return
                state.fetch(src, ())


def _place(state: _State, index: int, insn: Insn, outputs: Mapping[Value, Reg]) -> None:
    values = [src for src in insn.srcs if isinstance(src, Value)]
    if insn.remat and isinstance(insn.dst, Value) and state.next_use(insn.dst) == _NEVER:
        return
    srcs: list[Operand] = [
        state.fetch(src, values) if isinstance(src, Value) else src for src in insn.srcs
    ]
    for src in values:
        remaining = state.uses[src]
        while remaining and remaining[0] <= index:
            remaining.pop(0)
        if not remaining:
            state.release(src)
    dst: Operand | None = insn.dst
    if isinstance(dst, Value):
        if state.next_use(dst) == _NEVER:
            return  # dead code
        # Sources that live on are not busy: they may be stored and their register reused, as the
        # instruction reads before it writes - but the store must come before, so keep them.
        reg = state.take(values, outputs.get(dst))
        state.at[dst] = reg
        dst = reg
    state.out.append(insn.with_operands(dst, srcs))


def _settle(state: _State, outputs: Mapping[Value, Reg]) -> None:
    """Move the outputs to where they must be."""
    for value in outputs:
        state.fetch(value, list(outputs))
    moves = {target: state.at[value] for value, target in outputs.items()}
    pending = {target: source for target, source in moves.items() if target != source}
    while pending:
        ready = [target for target in pending if target not in pending.values()]
        if ready:
            target = ready[0]
            state.out.append(Insn("mv", target, (pending.pop(target),)))
            continue
        # A cycle: three exclusive-ors swap two registers without a third.
        target, source = next(iter(pending.items()))
        for a, b in ((target, source), (source, target), (target, source)):
            state.out.append(Insn("xor", a, (a, b)))
        del pending[target]
        pending = {t: (source if s == target else s) for t, s in pending.items()}
        pending = {t: s for t, s in pending.items() if t != s}
