"""The field operations as routines."""

from collections.abc import Callable

from cryptile.asm.code import SP, A, Code, Operand
from cryptile.asm.function import Function
from cryptile.asm.lib.bigint.emit import ahead, arguments, load_words, settle, store_words
from cryptile.asm.lib.curve25519 import field


def mul_core(function: Function) -> None:
    """Append r = a * b, with r, a and b in a0 to a2."""
    code = Code(function.isa)
    inputs = arguments(3)
    r, a, b = inputs
    y = load_words(code, b, field.WORDS)
    x = ahead(code, a, 0, field.WORDS)
    store_words(code, field.mul(code, x, y), r)
    settle(function, code, inputs)


def sqr_core(function: Function) -> None:
    """Append r = a^2, with r and a in a0 and a1."""
    code = Code(function.isa)
    inputs = arguments(2)
    r, a = inputs
    store_words(code, field.sqr(code, load_words(code, a, field.WORDS)), r)
    settle(function, code, inputs)


def mul(function: Function) -> None:
    """Append a call of the core."""
    function.call("cry_fe25519_mul_core")


def sqrn(function: Function) -> None:
    """Append n calls of the core, the first on a, the others on r."""
    r, n = function.reserve(4), function.reserve(4)
    loop, done = function.new_label("loop"), function.new_label("done")
    function.store(A[0], SP, r)
    function.label(loop)
    function.store(A[2], SP, n)
    function.call("cry_fe25519_sqr_core")
    function.load(SP, n, dst=A[2])
    function.load(SP, r, dst=A[0])
    function.addi(A[2], -1, dst=A[2])
    function.mv(A[0], dst=A[1])
    function.branch("bnez", A[2], to=loop)
    function.label(done)


def add(function: Function) -> None:
    """Append r = a + b, with r, a and b in a0 to a2."""
    _linear(function, field.Sum)


def sub(function: Function) -> None:
    """Append r = a - b, likewise."""
    _linear(function, field.Difference)


def _linear(
    function: Function,
    kind: Callable[[Code, Operand, Operand], field.Sum | field.Difference],
) -> None:
    code = Code(function.isa)
    inputs = arguments(3)
    r, a, b = inputs
    top = 4 * (field.WORDS - 1)
    a_top, b_top = code.load(a, top), code.load(b, top)
    result = kind(code, a_top, b_top)
    pairs = zip(ahead(code, a, 0, field.WORDS - 1), ahead(code, b, 0, field.WORDS - 1), strict=True)
    for n, (x, y) in enumerate([*pairs, (a_top, b_top)]):
        code.store(result.word(x, y), r, 4 * n)
    settle(function, code, inputs)
