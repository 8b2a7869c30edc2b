"""What a step must do: memory, contexts and keys as the headers describe them.

The functions are in ``model_lib`` and ``model_psa``, by the name of the C function. They take the
arguments resolved: a pointer to a buffer is a ``Pointer`` or None, one to a context a ``Slot``, one
to an output a ``Cell``. They return the status, or a set of statuses where more than one rule is
broken and the header does not say which counts; then the call must have the same effect for all.
"""

from dataclasses import dataclass, field

from steps import (
    AeadParams,
    At,
    Attributes,
    CipherParams,
    Ctx,
    Key,
    Name,
    NewAttributes,
    NewKey,
    RsaKey,
    Size,
    Wide,
)


class Pointer:
    """An address in a region."""

    def __init__(self, memory, region, offset):
        self.memory, self.region, self.offset = memory, region, offset

    def __add__(self, distance):
        return Pointer(self.memory, self.region, self.offset + distance)

    def read(self, size):
        end = self.offset + size
        data = self.memory.regions[self.region]
        assert end <= len(data), "the generator made a buffer too short"
        return bytes(data[self.offset : end])

    def write(self, data):
        end = self.offset + len(data)
        assert end <= len(self.memory.regions[self.region]), "the model writes beyond a buffer"
        self.memory.regions[self.region][self.offset : end] = data


class Memory:
    """The regions of a step."""

    def __init__(self, regions):
        self.regions = [bytearray(region) for region in regions]


@dataclass
class Slot:
    """A context: what the model knows about it, None if it is not in use."""

    state: object = None
    left: int | None = 0
    """How many bytes of it may be other than zero, if that is known."""
    failed: bool = False
    """An operation of PSA after an error: only to be aborted."""

    def wipe(self, left=0):
        self.state, self.left, self.failed = None, left, False

    def end(self):
        """Take it out of use; what is in it is left open."""
        self.wipe(None)

    def set(self, state):
        self.state, self.left, self.failed = state, None, False

    def fail(self):
        """End an operation of PSA by an error, if it is active: nothing secret may stay."""
        if self.state is not None:
            self.wipe(PSA_LEFT)
            self.failed = True

    def inactive(self):
        return self.state is None and not self.failed


PSA_LEFT = 3
"""Bytes of an operation that may tell that it has failed, or what it was for."""


@dataclass
class Cell:
    """An output that is no buffer: the values that it may have afterwards."""

    before: object = None
    allowed: tuple = ()

    def set(self, *values):
        self.allowed = values


@dataclass
class KeyVariable:
    """A variable for the identifier of a key."""

    key: object = None
    """The living key, or None."""
    known: bool = False
    """Whether it was ever set to an identifier, which may have died."""


@dataclass
class World:
    """All that outlives a step."""

    contexts: dict = field(default_factory=dict)
    keys: dict = field(default_factory=dict)
    store: list = field(default_factory=list)
    """The living keys, also those whose variable holds another one by now."""
    has_source: bool = False
    random: object = None

    def slot(self, context):
        return self.contexts.setdefault(context, Slot())

    def variable(self, number):
        return self.keys.setdefault(number, KeyVariable())


class Random:
    """The source of random numbers in host.c."""

    def __init__(self, seed, calls):
        self.state, self.calls = seed & 0xFFFFFFFF, calls

    def draw(self, size):
        """Return bytes, or None if the source fails."""
        if self.calls == 0:
            return None
        self.calls -= 1
        out = bytearray(size)
        for i in range(size):
            self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
            out[i] = self.state >> 24
        return bytes(out)


@dataclass
class Expected:
    """What a step must do."""

    statuses: set | None
    memory: Memory
    cells: list
    left: int | None

    def difference(self, result):
        """Return what a result has otherwise, or nothing."""
        if self.statuses is not None:
            value = (result.value & 0xFFFFFFFF ^ 0x80000000) - 0x80000000
            if value not in self.statuses:
                return f"status {value}, not {sorted(self.statuses)}"
        for number, (want, got) in enumerate(zip(self.memory.regions, result.regions, strict=True)):
            if want != got:
                at = next(i for i, (a, b) in enumerate(zip(want, got, strict=True)) if a != b)
                return (
                    f"region {number}, byte {at}: {got[at : at + 24].hex()}, "
                    f"not {want[at : at + 24].hex()}"
                )
        for number, (cell, value) in enumerate(zip(self.cells, result.outs, strict=True)):
            if cell is not None and value not in cell.allowed:
                return f"output {number}: {value}, not {cell.allowed}"
        if self.left is not None:
            left = len(result.context) - result.context.count(0)
            if left > self.left:
                return f"the context is not wiped: {left} bytes left"
        return None


def resolve(arg, world, memory, cells):
    """Make of an argument of a step what the functions of the model take."""
    match arg:
        case 0:
            return None
        case int():
            return arg
        case At(region, offset):
            return Pointer(memory, region, offset)
        case Ctx():
            return world.slot(arg)
        case Name(symbol):
            return symbol
        case Wide(value):
            return value
        case Key(number):
            return world.variable(number)
        case Size(before):
            cells.append(Cell(before))
        case NewKey(number):
            cells.append(Cell(world.variable(number)))
        case NewAttributes():
            cells.append(Cell())
        case CipherParams() | AeadParams() | RsaKey() | Attributes():
            cells.append(None)
            return type(arg)(
                *(Pointer(memory, *value) if isinstance(value, At) else value or 0 for value in arg)
            )
    return cells[-1]


def expect(world, functions, step):
    """Return what a step must do, and bring the world forward."""
    if step.function == "copy":
        to, source = step.args
        world.contexts[to] = copy_slot(world.slot(source))
        return Expected(None, Memory(()), [], None)
    if step.function == "clear":
        world.slot(step.args[0]).wipe()
        return Expected(None, Memory(()), [], None)
    memory, cells = Memory(step.regions), []
    world.random = Random(*step.random)
    args = [resolve(arg, world, memory, cells) for arg in step.args]
    statuses = functions[step.function](world, *args)
    if isinstance(statuses, int):
        statuses = {statuses}
    first = args[0] if args else None
    return Expected(statuses, memory, cells, first.left if isinstance(first, Slot) else None)


def copy_slot(slot):
    """Return a copy of a context that goes on independently."""
    return Slot(slot.state.copy() if slot.state is not None else None, slot.left)


def number(value):
    """Return an integer argument: zero looks like a null pointer."""
    return 0 if value is None else value
