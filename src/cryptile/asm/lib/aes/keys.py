"""Key schedules without tables: expansion, and the forms that bit-sliced code wants."""

from collections.abc import Callable
from functools import partial

from cryptile.asm.code import SP, ZERO, A, Code, Reg, T
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.aes import zkn
from cryptile.asm.lib.aes.figures import cycles
from cryptile.asm.lib.aes.gates import FORWARD, substitute
from cryptile.asm.lib.aes.planes import Planes, State
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_GENERATOR = "cryptile.asm.lib.aes.keys"


def _sub_word(planes: Planes, code: Code, args: State) -> State:
    """S-box of the four bytes of a word: plane j is the word shifted right by j.

    Three quarters of the bits are idle, but nothing has to be transposed.
    """
    word = args[0]
    bits = planes.mask(code, 0x01010101)
    p = [word if j == 0 else code.srli(word, j) for j in range(8)]
    total = planes.mask(code, 0x63636363)
    for j, plane in enumerate(substitute(code, p, FORWARD)):
        bit = code.and_(plane, bits)
        total = code.xor(total, bit if j == 0 else code.slli(bit, j))
    return [total]


def _expand(impl: str, isa: Isa, tuning: Tuning) -> str:
    """Write the expansion: S-box of a word, then four or six words, and again."""
    symbol = f"cry_aes_{impl}_expand_key_asm"
    method = "gates (cryptile.asm.lib.aes.gates)" if impl == "bitsliced" else "Zkne has it"
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}(uint32_t *round_keys, unsigned rounds, const uint8_t *key)",
        doc=f"FIPS 197, section 5.2, with the S-box as {method}. "
        "`round_keys` is aligned to 4, `key` has any alignment; they are disjoint. Constant-time.",
        cycles=cycles(symbol),
    )
    word, keys, left = Reg("ra"), Reg("s11"), Reg("s10")
    planes = Planes(function, (word, keys, left))
    back, segment, rcon, odd, first = (function.reserve(isa.word) for _ in range(5))
    copy, sub, plain, added, words, finish = (
        function.new_label(x) for x in ("copy", "sub", "plain", "added", "words", "finish")
    )
    function.mv(A[0], dst=keys)
    function.addi(A[1], -6, dst=T[1])  # words in the key
    function.slli(A[1], 2, dst=left)
    function.addi(left, 4, dst=left)
    function.sub(left, T[1], dst=left)  # words to come
    function.slli(T[1], 2, dst=T[2])
    function.store(T[2], SP, back)
    function.label(copy)
    for n in range(4):
        function.load(A[2], n, op="lbu", dst=A[3 + n])
    for n in range(1, 4):
        function.slli(A[3 + n], 8 * n, dst=A[3 + n])
        function.or_(A[3 + n], A[2 + n], dst=A[3 + n])
    function.mv(A[6], dst=word)
    function.addi(A[2], 4, dst=A[2])
    function.store(word, keys, op="sw")
    function.addi(keys, 4, dst=keys)
    function.addi(T[1], -1, dst=T[1])
    function.branch("bnez", T[1], to=copy)
    function.emit("andi", T[2], imm=8, dst=T[1])  # a segment is of 6 words with a key of 24 bytes
    function.srli(T[1], 2, dst=T[1])
    function.addi(T[1], 4, dst=T[1])
    function.store(T[1], SP, segment)
    function.emit("srli", T[2], imm=5, dst=T[1])  # 1 with a key of 32 bytes
    function.store(T[1], SP, first)
    function.li(1, dst=T[1])
    function.store(T[1], SP, rcon)
    function.store(ZERO, SP, odd)
    function.label(sub)
    function.load(SP, odd, dst=T[1])
    function.branch("bnez", T[1], to=plain)
    function.srli(word, 8, dst=T[1])
    function.slli(word, 24, dst=word)
    function.or_(word, T[1], dst=word)
    function.label(plain)
    if impl == "bitsliced":
        planes.straight([word], partial(_sub_word, planes), [word])
    else:
        zkn.sub_word(function, isa, word, T[1])
    function.load(SP, odd, dst=T[1])
    function.load(SP, first, dst=T[2])
    function.load(SP, segment, dst=T[3])
    function.branch("bnez", T[1], to=added)
    function.load(SP, rcon, dst=T[4])
    function.xor(word, T[4], dst=word)
    function.slli(T[4], 1, dst=T[5])
    function.srli(T[4], 7, dst=T[4])
    function.emit("neg", T[4], dst=T[4])
    function.emit("andi", T[4], imm=0x11B, dst=T[4])
    function.xor(T[5], T[4], dst=T[5])
    function.store(T[5], SP, rcon)
    function.label(added)
    function.xor(T[1], T[2], dst=T[1])
    function.store(T[1], SP, odd)
    function.load(SP, back, dst=T[2])
    function.sub(keys, T[2], dst=T[2])
    function.label(words)
    function.load(T[2], op="lw" if isa.xlen == 32 else "lwu", dst=T[4])
    function.addi(left, -1, dst=left)
    function.addi(T[2], 4, dst=T[2])
    function.xor(word, T[4], dst=word)
    function.store(word, keys, op="sw")
    function.addi(keys, 4, dst=keys)
    function.branch("beqz", left, to=finish)
    function.addi(T[3], -1, dst=T[3])
    function.branch("bnez", T[3], to=words)
    function.branch("j", to=sub)
    function.label(finish)
    function.ret()
    function.insns[:0] = planes.frame.stores(T[0])
    return function.render(tuning, _GENERATOR)


_TARGET, _SOURCE, _LEFT = Reg("ra"), Reg("s11"), Reg("s10")
"""What a conversion holds beside planes: pointers, and how many rounds are left."""


def _conversion(function: Function) -> Planes:
    """Begin a conversion of round keys; its arguments are target, source and rounds."""
    planes = Planes(function, (_TARGET, _SOURCE, _LEFT))
    for reg, argument in zip((_TARGET, _SOURCE, _LEFT), A[:3], strict=True):
        function.mv(argument, dst=reg)
    return planes


def _each_round(
    planes: Planes, tuning: Tuning, build: Callable[..., State], strides: dict[Reg, int]
) -> str:
    """Write a conversion: ``build`` for each round key, behind which pointers move by ``strides``.

    It is given how many ShiftRows that key lacks (``step``), and whether it has the S-box's
    constant. The first key has neither that nor a counter; then four kinds take turns.
    """
    function = planes.function

    def convert(step: int, *, constant: bool) -> None:
        planes.straight([], partial(build, step=step, constant=constant))
        for pointer, stride in strides.items():
            function.addi(pointer, stride, dst=pointer)

    loop, done = function.new_label("loop"), function.new_label("done")
    convert(1, constant=False)
    function.label(loop)
    for step in (0, 3, 2, 1):
        convert(step, constant=True)
        function.addi(_LEFT, -1, dst=_LEFT)
        if step in (3, 1):
            function.branch("beqz", _LEFT, to=done)
    function.branch("j", to=loop)
    function.label(done)
    function.ret()
    function.insns[:0] = planes.frame.stores(T[0])
    return function.render(tuning, _GENERATOR)


def _slice(isa: Isa, tuning: Tuning) -> str:
    """Write the conversion to planes: four kinds of rounds follow one another."""
    symbol = "cry_aes_bitsliced_slice_keys_asm"
    function = Function(
        isa,
        symbol,
        prototype=(
            f"void {symbol}(aes_plane_t *sliced, const uint32_t *round_keys, unsigned rounds)"
        ),
        doc="Brings expanded keys into the layout of aes_bitsliced.h, for every round where the "
        "ShiftRows that were left out have it. Pointers are aligned to a register "
        "(`round_keys` to 4), input and output disjoint. Constant-time.",
        cycles=cycles(symbol),
    )
    planes = _conversion(function)

    def build(code: Code, _: State, *, step: int, constant: bool) -> State:
        words = [code.load(_SOURCE, 4 * c, op="lw" if isa.xlen == 32 else "lwu") for c in range(4)]
        if isa.xlen == 64:
            words = [code.or_(words[c], code.slli(words[c + 1], 32)) for c in (0, 2)]
        if constant:
            added = planes.mask(code, planes.layout.bytes(0x63))
            words = [code.xor(word, added) for word in words]
        if step % 2:
            words = planes.shift_rows(code, words, right=step == 3)
        elif step:
            words = _shift_rows_twice(planes, code, words)
        sliced = planes.pack(code, [words] * planes.layout.blocks)
        for j, plane in enumerate(sliced):
            code.store(plane, _TARGET, j * isa.word)
        return []

    return _each_round(planes, tuning, build, {_SOURCE: 16, _TARGET: 8 * isa.word})


def _unslice(isa: Isa, tuning: Tuning) -> str:
    """Write the way back from planes."""
    symbol = "cry_aes_bitsliced_unslice_keys_asm"
    function = Function(
        isa,
        symbol,
        prototype=(
            f"void {symbol}(uint32_t *round_keys, const aes_plane_t *sliced, unsigned rounds)"
        ),
        doc="The inverse of cry_aes_bitsliced_slice_keys_asm(). Pointers are aligned to a "
        "register, input and output disjoint. Constant-time.",
        cycles=cycles(symbol),
    )
    planes = _conversion(function)

    def build(code: Code, _: State, *, step: int, constant: bool) -> State:
        words = planes.unpack(code, [code.load(_SOURCE, j * isa.word) for j in range(8)])[0]
        if step % 2:
            words = planes.shift_rows(code, words, right=step == 1)
        elif step:
            words = _shift_rows_twice(planes, code, words)
        for n, word in enumerate(words):
            if constant:
                word = code.xor(word, planes.mask(code, planes.layout.bytes(0x63)))
            code.store(word, _TARGET, n * isa.word)
        return []

    return _each_round(planes, tuning, build, {_TARGET: 16, _SOURCE: 8 * isa.word})


def _shift_rows_twice(planes: Planes, code: Code, words: State) -> State:
    """Carry out ShiftRows twice on a block: rows 1 and 3 exchange columns 0 and 2, 1 and 3."""
    odd = planes.layout.bytes(0) | sum(0xFF00FF00 << n for n in range(0, planes.isa.xlen, 32))
    half = len(words) // 2
    out = list(words)
    for n in range(half):
        out[n], out[n + half] = planes.exchange(code, words[n], words[n + half], 0, odd)
    return out


def _wide(isa: Isa, tuning: Tuning) -> str:
    """Write the conversion to rows."""
    symbol = "cry_aes_wide_keys_asm"
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}(aes_plane_t *wide, const uint32_t *round_keys, unsigned rounds)",
        doc="Brings expanded keys into the layout of aes_wide.h. Pointers are aligned to a "
        "register (`round_keys` to 4), input and output disjoint. Constant-time.",
        cycles=cycles(symbol),
    )
    planes = Planes(function, A[:3])
    field = isa.xlen // 4
    loop, enter = function.new_label("loop"), function.new_label("enter")

    def load(code: Code) -> State:
        """Load a round key: words of columns, two to a register on RV64."""
        if isa.xlen == 32:
            return [code.load(A[1], 4 * c) for c in range(4)]
        w = [code.load(A[1], 4 * c, op="lwu") for c in range(4)]
        return [code.or_(w[c], code.slli(w[c + 1], 32)) for c in (0, 2)]

    def rows(code: Code, words: State) -> State:
        if isa.xlen == 32:
            return planes.transpose_bytes(code, words)
        # Bring together the bytes of a row, each into a field of its own.
        out: State = []
        low = planes.mask(code, 0x000000FF000000FF)
        for r in range(4):
            ends = [code.and_(word if r == 0 else code.srli(word, 8 * r), low) for word in words]
            # Fields 0 and 2 of each hold columns 0, 1 and 2, 3: move them to 0, 1 and 2, 3.
            near = [code.or_(word, code.srli(word, 16)) for word in ends]
            near = [code.and_(word, planes.mask(code, 0x00FF00FF)) for word in near]
            out.append(code.or_(near[0], code.slli(near[1], 32)))
        return out

    def build(code: Code, _: State, *, constant: bool) -> State:
        ones = planes.mask(code, sum(1 << field * c for c in range(4)))
        words = load(code)
        if constant:
            words = [code.xor(w, planes.mask(code, planes.layout.bytes(0x63))) for w in words]
        for r, row in enumerate(rows(code, words)):
            for j in range(8):
                bits = code.and_(row if j == 0 else code.srli(row, j), ones)
                word = code.sub(code.slli(bits, field), bits)
                code.store(word, A[0], (8 * r + j) * isa.word)
        return []

    planes.straight([], partial(build, constant=False))
    function.branch("j", to=enter)
    function.label(loop)
    planes.straight([], partial(build, constant=True))
    function.addi(A[2], -1, dst=A[2])
    function.label(enter)
    function.addi(A[0], 32 * isa.word, dst=A[0])
    function.addi(A[1], 16, dst=A[1])
    function.branch("bnez", A[2], to=loop)
    function.ret()
    function.insns[:0] = planes.frame.stores(T[0])
    return function.render(tuning, _GENERATOR)


_WRITERS: dict[str, Callable[[Isa, Tuning], str]] = {
    "cry_aes_bitsliced_expand_key_asm": partial(_expand, "bitsliced"),
    "cry_aes_bitsliced_slice_keys_asm": _slice,
    "cry_aes_bitsliced_unslice_keys_asm": _unslice,
    "cry_aes_wide_keys_asm": _wide,
}

ROUTINES = [
    *(Routine(symbol, "bitsliced", lambda _: True, w) for symbol, w in _WRITERS.items()),
    Routine("cry_aes_zkn_expand_key_asm", "zkn", zkn.supports, partial(_expand, "zkn")),
]
