"""Rounds of the permutation Ascon-p (NIST SP 800-232, section 3) in single-assignment form.

A lane of 64 bits is one word, or two: lower and upper bits, or where a rotate of a word is one
instruction even and odd bits, as then a rotate of a lane is two of words. With a carry-less
multiply lower and upper bits are better, unless there is Zbkb to convert quickly: the two halves of
a product with a sum of powers of two are the parts that rotates bring to the two words.

Between rounds some lanes are complemented, see :func:`hidden`: the S-box then needs one complement,
without an and-not instruction, or none.
"""

from collections.abc import Mapping, Sequence

from cryptile.asm.code import Code, Operand
from cryptile.asm.isa import Isa

Lane = list[Operand]

CONSTANTS = tuple(0xF0 - 0x0F * number for number in range(12))
_TURNS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))


def hidden(isa: Isa) -> tuple[int, ...]:
    """Return the lanes that are complemented before and after each round."""
    return (2,) if isa.rotates else (2, 4)


def multiplies(isa: Isa) -> bool:
    """Whether lanes are rotated by carry-less products."""
    return isa.xlen == 32 and isa.carryless and "zbkb" not in isa


def interleaves(isa: Isa) -> bool:
    """Whether lanes are kept as even and odd bits."""
    return isa.xlen == 32 and isa.rotates and not multiplies(isa)


def powers(isa: Isa) -> dict[int, int]:
    """Return the factors of lanes that are rotated by carry-less products."""
    turns = {number: turn for number, turn in enumerate(_TURNS) if turn[0] // 32 == turn[1] // 32}
    if not multiplies(isa):
        return {}
    return {number: sum(1 << 32 - n % 32 for n in turn) for number, turn in turns.items()}


def constant_words(isa: Isa, constant: int) -> list[int]:
    """Return what a round adds to the words of lane 2.

    With and-not, the S-box wants lane 2 as it is, but leaves it complemented.
    """
    if interleaves(isa):
        words = [sum((constant >> 2 * n + odd & 1) << n for n in range(4)) for odd in range(2)]
    elif isa.rotates and isa.xlen == 32:
        words = [constant, 0]
    else:
        words = [constant]
    return [~word for word in words] if isa.rotates else words


def round_(
    code: Code,
    state: Sequence[Lane],
    constant: Sequence[int | Operand],
    order: Sequence[int],
    factors: Mapping[int, Operand],
) -> list[Lane]:
    """Emit one round.

    Args:
        code: where to.
        state: the lanes.
        constant: a number or a register for each word of lane 2 that it concerns.
        order: of the lanes in the linear layer.
        factors: registers with :func:`powers`.
    """
    lanes = [list(lane) for lane in state]
    code.step("round: constant, then S-box")
    for half, part in enumerate(constant):
        word = lanes[2][half]
        if isinstance(part, int):
            lanes[2][half] = code.emit("xori", word, imm=part)
        else:
            lanes[2][half] = code.xor(word, part)
    substitute = _substitute if code.isa.rotates else _substitute_without_and_not
    halves = [substitute(code, words) for words in zip(*lanes, strict=True)]
    mixed = [list(lane) for lane in zip(*halves, strict=True)]
    code.step("linear layer")
    diffused = {
        number: _multiply(code, mixed[number], factors[number], swap=_TURNS[number][0] >= 32)
        if number in factors
        else _diffuse(code, mixed[number], *_TURNS[number])
        for number in order
    }
    return [diffused[number] for number in range(5)]


def _substitute(code: Code, x: Sequence[Operand]) -> list[Operand]:
    """Return the S-box (figure 3 there) of one word of each lane, lane 2 complemented."""
    y0, y2, y4 = code.xor(x[0], x[4]), code.xor(x[2], x[1]), code.xor(x[4], x[3])
    y = [y0, x[1], y2, x[3], y4]
    z = [code.xor(y[n], code.andn(y[(n + 2) % 5], y[(n + 1) % 5])) for n in range(5)]
    return [code.xor(z[0], z[4]), code.xor(z[1], z[0]), z[2], code.xor(z[3], z[2]), z[4]]


def _substitute_without_and_not(code: Code, x: Sequence[Operand]) -> list[Operand]:
    """Return the same with lanes 2 and 4 complemented, before and after.

    Then ~a & b is ``a | b`` or ``a & b`` of what is there, but for z3 = x3 ^ (~y4 & y0), which is
    x4 ^ (y4 | y0); and only lane 0 comes out complemented. As the S-box has no fixed point, no set
    of complemented lanes does without a complement.
    """
    y0, y2, y4 = code.xor(x[0], x[4]), code.xor(x[2], x[1]), code.xor(x[4], x[3])
    z0 = code.xor(y0, code.or_(x[1], y2))
    z1 = code.xor(x[1], code.and_(y2, x[3]))
    z2 = code.xor(y2, code.or_(x[3], y4))
    z3 = code.xor(x[4], code.and_(y4, y0))
    z4 = code.xor(y4, code.and_(y0, x[1]))
    return [code.not_(code.xor(z0, z4)), code.xor(z1, z0), z2, code.xor(z3, z2), z4]


def _diffuse(code: Code, lane: Lane, first: int, second: int) -> Lane:
    """Return the lane added to itself rotated right twice."""
    if len(lane) == 1:
        return [_add_rotated(code, _add_rotated(code, lane[0], lane[0], first), lane[0], second)]
    result = list(lane)
    for turn in (first, second):
        for half in range(2):
            if interleaves(code.isa):
                by, swap = divmod(turn, 2)
                source, by = lane[half ^ swap], by + (swap & half)
                result[half] = _add_rotated(code, result[half], source, by)
            else:
                near, far = lane[half ^ (turn // 32)], lane[half ^ 1 ^ (turn // 32)]
                low = code.xor(result[half], code.srli(near, turn % 32))
                result[half] = code.xor(low, code.slli(far, 32 - turn % 32))
    return result


def _multiply(code: Code, lane: Lane, factor: Operand, swap: bool) -> Lane:
    """Return the same by carry-less products; ``swap``: both rotates are by 32 bits or more."""
    result = []
    for half in range(2):
        near, far = lane[half ^ swap], lane[half ^ 1 ^ swap]
        low = code.xor(lane[half], code.emit("clmulh", near, factor))
        result.append(code.xor(low, code.emit("clmul", far, factor)))
    return result


def _add_rotated(code: Code, to: Operand, word: Operand, turn: int) -> Operand:
    if code.isa.rotates or turn % code.isa.xlen == 0:
        return code.xor(to, code.rotr(word, turn))
    return code.xor(code.xor(to, code.srli(word, turn)), code.slli(word, code.isa.xlen - turn))
