"""The field operations as routines."""

from collections.abc import Callable
from typing import cast

from cryptile.asm.code import SP, A, Code, Operand, Reg, Value
from cryptile.asm.function import Function
from cryptile.asm.lib.bigint.emit import ahead, arguments, load_words, settle, store_words
from cryptile.asm.lib.curve25519 import field


def mul_core(function: Function) -> None:
    """Append r = a * b, with r, a and b in a0 to a2."""
    code, count = Code(function.isa), field.words_of(function.isa)
    inputs = arguments(3)
    r, a, b = inputs
    y = load_words(code, b, count)
    x = ahead(code, a, 0, count)
    store_words(code, field.mul(code, x, y), r)
    settle(function, code, inputs)


def sqr_core(function: Function) -> None:
    """Append r = a^2, with r and a in a0 and a1."""
    code = Code(function.isa)
    inputs = arguments(2)
    r, a = inputs
    store_words(code, field.sqr(code, load_words(code, a, field.words_of(code.isa))), r)
    settle(function, code, inputs)


def mul(function: Function) -> None:
    """Append r = a * b, with r, a and b in a0 to a2; on RV32 by a call of the core."""
    if function.isa.xlen == 32:
        function.call("cry_fe25519_mul_core")
    else:
        mul_core(function)


def sqrn(function: Function) -> None:
    """Append r = a^(2^n), with r, a and n in a0 to a2."""
    if function.isa.xlen == 32:
        _sqrn_by_calls(function)
    else:
        _sqrn_in_registers(function)


def _sqrn_by_calls(function: Function) -> None:
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


def _sqrn_in_registers(function: Function) -> None:
    """Append a loop with the element in registers."""
    loop = function.new_label("loop")
    element = A[3:7]
    for n, reg in enumerate(element):
        function.load(A[1], function.isa.word * n, dst=reg)
    function.label(loop)
    code = Code(function.isa)
    inputs: dict[Value, Reg] = {Value(str(reg)): reg for reg in element}
    result = cast(list[Value], field.sqr(code, list(inputs)))
    settle(function, code, inputs, dict(zip(result, element, strict=True)), fixed=[A[0], A[2]])
    function.addi(A[2], -1, dst=A[2])
    function.branch("bnez", A[2], to=loop)
    store_words(function, element, A[0])


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
    code, last = Code(function.isa), field.words_of(function.isa) - 1
    inputs = arguments(3)
    r, a, b = inputs
    top = code.isa.word * last
    a_top, b_top = code.load(a, top), code.load(b, top)
    result = kind(code, a_top, b_top)
    pairs = zip(ahead(code, a, 0, last), ahead(code, b, 0, last), strict=True)
    for n, (x, y) in enumerate([*pairs, (a_top, b_top)]):
        code.store(result.word(x, y), r, code.isa.word * n)
    settle(function, code, inputs)
