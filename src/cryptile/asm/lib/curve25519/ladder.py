"""Montgomery's ladder, with all its state between two steps in the frame.

The state is the double and the sum that the last step made. A step doubles one of the two and adds
both; the sum's formula is symmetric in them up to a sign that is squared away, so only the point to
double is selected, between A and C, and B and D.

On RV32 a step calls the products, which take all registers. On RV64, where an element has four
words, it is one piece of straight-line code: most results meet the next operation in registers.
"""

from cryptile.asm.code import SP, ZERO, A, Code, Operand, Reg
from cryptile.asm.function import Function
from cryptile.asm.lib.bigint.emit import load_words, settle, store_words
from cryptile.asm.lib.curve25519 import field

_A24 = 121665


class _Frame:
    """Offsets above sp."""

    def __init__(self, function: Function) -> None:
        names = ["x1", "x2", "z2", "x3", "z3"]
        if function.isa.xlen == 32:
            names += ["a", "b", "c", "d", "p", "q"]
        self._places = {name: function.reserve(field.BYTES) for name in names}
        self.size = function.frame
        self.xz, self.k, self.position, self.bit = (
            function.reserve(function.isa.word) for _ in range(4)
        )

    def __getitem__(self, name: str) -> int:
        return self._places[name]


def ladder(function: Function) -> None:
    """Append the ladder; xz, x and k in a0 to a2."""
    f, frame = function, _Frame(function)
    _start(f, frame)
    loop = f.new_label("step")
    f.label(loop)
    mask = _next_mask(f, frame)
    if f.isa.xlen == 32:
        _step_by_calls(f, frame, mask)
    else:
        _step_inlined(f, frame, mask)
    f.load(SP, frame.position, dst=A[0])
    f.addi(A[0], -1, dst=A[0])
    f.store(A[0], SP, frame.position)
    f.branch("bgez", A[0], to=loop)
    _finish(f, frame)


def _step_inlined(f: Function, frame: _Frame, mask: Reg) -> None:
    code = Code(f.isa)
    count = field.words_of(f.isa)

    def load(name: str) -> list[Operand]:
        return load_words(code, SP, count, first=frame[name] // f.isa.word)

    def store(name: str, words: list[Operand]) -> None:
        store_words(code, words, SP, first=frame[name] // f.isa.word)

    def select(this: list[Operand], other: list[Operand]) -> list[Operand]:
        pairs = zip(this, other, strict=True)
        return [code.xor(x, code.and_(code.xor(x, y), mask)) for x, y in pairs]

    x1, x2, z2, x3, z3 = map(load, ("x1", "x2", "z2", "x3", "z3"))
    a, b = field.add(code, x2, z2), field.sub(code, x2, z2)
    c, d = field.add(code, x3, z3), field.sub(code, x3, z3)
    p, q = select(a, c), select(b, d)
    da, cb = field.mul(code, d, a), field.mul(code, c, b)
    store("x3", field.sqr(code, field.add(code, da, cb)))
    store("z3", field.mul(code, x1, field.sqr(code, field.sub(code, da, cb))))
    p, q = field.sqr(code, p), field.sqr(code, q)
    store("x2", field.mul(code, p, q))
    e = field.sub(code, p, q)
    store("z2", field.mul(code, e, field.fold(code, e, _A24, p)))
    settle(f, code, {}, fixed=[mask])


def _step_by_calls(f: Function, frame: _Frame, mask: Reg) -> None:
    _sums(f, frame, mask)
    _call(f, frame, "mul", "x3", "d", "a")
    _call(f, frame, "mul", "z3", "c", "b")
    _sum_and_difference(f, frame)
    _call(f, frame, "sqr", "x3", "a")
    _call(f, frame, "sqr", "z3", "b")
    _call(f, frame, "mul", "z3", "z3", "x1")
    _call(f, frame, "sqr", "p", "p")
    _call(f, frame, "sqr", "q", "q")
    _call(f, frame, "mul", "x2", "p", "q")
    _difference_and_fold(f, frame)
    _call(f, frame, "mul", "z2", "q", "b")


def _start(f: Function, frame: _Frame) -> None:
    f.store(A[0], SP, frame.xz)
    f.store(A[2], SP, frame.k)
    for at in range(0, field.BYTES, f.isa.word):
        f.load(A[1], at, dst=A[3])
        f.store(A[3], SP, frame["x1"] + at)
        f.store(A[3], SP, frame["x3"] + at)
    one = f.li(1, dst=A[4])
    for name, lowest in (("x2", one), ("z2", ZERO), ("z3", one)):
        words = [lowest, *[ZERO] * (field.words_of(f.isa) - 1)]
        store_words(f, words, SP, first=frame[name] // f.isa.word)
    f.li(254, dst=A[4])
    f.store(A[4], SP, frame.position)
    f.store(ZERO, SP, frame.bit)


def _next_mask(f: Function, frame: _Frame) -> Reg:
    """Return all ones if this bit differs from the one before: the sum is what is to double."""
    position, byte, last, mask = A[1:5]
    f.load(SP, frame.position, dst=position)
    f.load(SP, frame.k, dst=byte)
    f.srli(position, 3, dst=mask)
    f.add(byte, mask, dst=byte)
    f.load(byte, op="lbu", dst=byte)
    f.load(SP, frame.bit, dst=last)
    f.emit("andi", position, imm=7, dst=position)
    f.emit("srl", byte, position, dst=byte)
    f.emit("andi", byte, imm=1, dst=byte)
    f.xor(byte, last, dst=mask)
    f.emit("neg", mask, dst=mask)
    f.store(byte, SP, frame.bit)
    return mask


def _sums(f: Function, frame: _Frame, mask: Reg) -> None:
    """Compute A = X2 + Z2, B = X2 - Z2, C = X3 + Z3, D = X3 - Z3; P and Q = A and B, or C and D."""
    code = Code(f.isa)
    names = ("x2", "z2", "x3", "z3")

    def load(n: int) -> list[Operand]:
        return [code.load(SP, frame[name] + 4 * n) for name in names]

    count = field.words_of(f.isa)
    top = load(count - 1)
    sums = [kind(code, *pair) for pair in (top[:2], top[2:]) for kind in _BOTH]
    for n in range(count):
        words = top if n == count - 1 else load(n)
        a, b = (part.word(*words[:2]) for part in sums[:2])
        c, d = (part.word(*words[2:]) for part in sums[2:])
        p = code.xor(a, code.and_(code.xor(a, c), mask))
        q = code.xor(b, code.and_(code.xor(b, d), mask))
        for name, word in zip("abcdpq", (a, b, c, d, p, q), strict=True):
            code.store(word, SP, frame[name] + 4 * n)
    settle(f, code, {}, fixed=[mask])


_BOTH = (field.Sum, field.Difference)


def _sum_and_difference(f: Function, frame: _Frame) -> None:
    """Compute A = X3 + Z3, B = X3 - Z3."""
    code = Code(f.isa)

    def load(n: int) -> list[Operand]:
        return [code.load(SP, frame[name] + 4 * n) for name in ("x3", "z3")]

    count = field.words_of(f.isa)
    top = load(count - 1)
    results = [kind(code, *top) for kind in _BOTH]
    for n in range(count):
        words = top if n == count - 1 else load(n)
        for name, result in zip("ab", results, strict=True):
            code.store(result.word(*words), SP, frame[name] + 4 * n)
    settle(f, code, {})


def _difference_and_fold(f: Function, frame: _Frame) -> None:
    """Compute Q = E = P - Q, B = P + 121665 E."""
    code, count = Code(f.isa), field.words_of(f.isa)
    p = [code.load(SP, frame["p"] + 4 * n, remat=True) for n in range(count)]
    q = [code.load(SP, frame["q"] + 4 * n) for n in range(count)]
    difference = field.Difference(code, p[-1], q[-1])
    e = []
    for n, pair in enumerate(zip(p, q, strict=True)):
        e.append(difference.word(*pair))
        code.store(e[-1], SP, frame["q"] + 4 * n)
    store_words(code, field.fold(code, e, _A24, p), SP, first=frame["b"] // 4)
    settle(f, code, {})


def _call(f: Function, frame: _Frame, name: str, *operands: str) -> None:
    for reg, operand in zip(A, operands, strict=False):
        f.addi(SP, frame[operand], dst=reg)
    f.call(f"cry_fe25519_{name}_core")


def _finish(f: Function, frame: _Frame) -> None:
    """Write the result and wipe the frame."""
    f.load(SP, frame.xz, dst=A[0])
    for n, at in enumerate(range(0, 2 * field.BYTES, f.isa.word)):
        f.load(SP, frame["x2"] + at, dst=A[1 + n % 4])
        f.store(A[1 + n % 4], A[0], at)
    for offset in range(0, frame.size, f.isa.word):
        f.store(ZERO, SP, offset)
    f.store(ZERO, SP, frame.bit)
