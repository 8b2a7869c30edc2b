"""AES encryption in little code, for RV32 with compressed instructions.

Only registers x1 to x15 are used, so that RV32E can run it, and mostly those that compressed
instructions reach.
"""

from itertools import cycle

from cryptile.asm.code import RA, SP, A, S, T
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.aes.figures import cycles
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_GENERATOR = "cryptile.asm.lib.aes.small"


def _encrypt(isa: Isa, tuning: Tuning) -> str:
    symbol = "cry_aes_small_encrypt_asm"
    function = Function(
        isa,
        symbol,
        prototype=(
            f"void {symbol}(const uint32_t *round_keys, unsigned rounds, const void *in, void *out)"
        ),
        doc="SubBytes and ShiftRows by bytes through memory, MixColumns and keys by words. `in` "
        "and `out` are aligned to 4 and may be the same. NOT constant-time: a table of 256 bytes.",
        cycles=cycles(symbol),
    )
    # Keys, column, pointer to it, its rotation, sum of neighbours, scratch.
    key, x, at, turned, both, tmp = A[:6]
    top, poly = S[0], S[1]
    sbox, last_key, out = T[0], T[1], T[2]
    end = RA
    state = function.reserve(32)
    assert state == 0
    fresh = 16  # behind the state: bytes that have been through the S-box
    loop, columns, last = (function.new_label(x) for x in ("round", "column", "last"))
    function.emit("la", imm="cry_aes_small_sbox", dst=sbox)
    function.slli(x, 4, dst=x)  # rounds
    function.add(x, key, dst=last_key)
    function.mv(A[3], dst=out)
    function.li(0x80808080, dst=top)
    function.li(0x1B1B1B1B, dst=poly)
    function.addi(SP, 16, dst=end)
    for n in range(4):
        function.load(at, 4 * n, dst=x)
        function.load(key, 4 * n, dst=tmp)
        function.xor(x, tmp, dst=x)
        function.store(x, SP, 4 * n)
    function.addi(key, 16, dst=key)
    function.label(loop)
    free = cycle((x, turned, both, tmp))
    for n in range(16):
        byte = next(free)
        function.load(SP, 5 * n % 16, op="lbu", dst=byte)
        function.add(byte, sbox, dst=byte)
        function.load(byte, op="lbu", dst=byte)
        function.store(byte, SP, fresh + n, op="sb")
    function.branch("beq", key, last_key, to=last)
    function.mv(SP, dst=at)
    function.label(columns)
    function.load(at, fresh, dst=x)
    function.addi(key, 4, dst=key)  # here it fills the slot behind the load
    function.slli(x, 24, dst=turned)
    function.srli(x, 8, dst=tmp)
    function.or_(turned, tmp, dst=turned)
    function.xor(x, turned, dst=x)
    function.slli(x, 16, dst=tmp)
    function.xor(turned, tmp, dst=turned)
    function.srli(x, 16, dst=tmp)
    function.xor(turned, tmp, dst=turned)
    # Twice the sum: the top bits of bytes become 0x1b.
    function.and_(x, top, dst=both)
    function.xor(x, both, dst=x)
    function.slli(x, 1, dst=x)
    function.srli(both, 7, dst=tmp)
    function.sub(both, tmp, dst=both)
    function.and_(both, poly, dst=both)
    function.load(key, -4, dst=tmp)
    function.xor(x, both, dst=x)
    function.xor(x, turned, dst=x)
    function.xor(x, tmp, dst=x)
    function.store(x, at)
    function.addi(at, 4, dst=at)
    function.branch("bne", at, end, to=columns)
    function.branch("j", to=loop)
    function.label(last)
    function.mv(out, dst=at)
    for n in range(4):
        function.load(SP, fresh + 4 * n, dst=x)
        function.load(key, 4 * n, dst=tmp)
        function.xor(x, tmp, dst=x)
        function.store(x, at, 4 * n)
    function.ret()
    return function.render(tuning, _GENERATOR)


def _expand(isa: Isa, tuning: Tuning) -> str:
    symbol = "cry_aes_small_expand_key_asm"
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}(uint32_t *round_keys, unsigned rounds, const uint8_t *key)",
        doc="FIPS 197, section 5.2. `round_keys` is aligned to 4, `key` has any alignment; "
        "they are disjoint. NOT constant-time: a table of 256 bytes.",
        cycles=cycles(symbol),
    )
    key, left, x, y, word, phase = A[:6]
    words, rcon = S[0], S[1]
    sbox, back, size = T[0], T[1], T[2]
    copy, loop, plain, sub, count, store = (
        function.new_label(x) for x in ("copy", "loop", "plain", "sub", "count", "store")
    )
    function.emit("la", imm="cry_aes_small_sbox", dst=sbox)
    function.addi(left, -6, dst=words)
    function.slli(words, 2, dst=size)
    function.slli(left, 2, dst=left)  # words to come: 4 (rounds + 1) - words
    function.addi(left, 4, dst=left)
    function.sub(left, words, dst=left)
    function.add(key, size, dst=back)
    function.label(copy)
    function.load(x, op="lbu", dst=y)
    function.addi(x, 1, dst=x)
    function.store(y, key, op="sb")
    function.addi(key, 1, dst=key)
    function.branch("bne", key, back, to=copy)
    function.load(key, -4, dst=word)
    function.li(1, dst=rcon)
    function.li(0, dst=phase)
    function.label(loop)
    function.branch("bnez", phase, to=plain)
    function.slli(word, 24, dst=x)
    function.srli(word, 8, dst=word)
    function.or_(word, x, dst=word)
    function.label(sub)
    function.li(4, dst=x)
    function.label(count)
    function.emit("andi", word, imm=0xFF, dst=y)
    function.add(y, sbox, dst=y)
    function.load(y, op="lbu", dst=y)
    function.srli(word, 8, dst=word)
    function.slli(y, 24, dst=y)
    function.or_(word, y, dst=word)
    function.addi(x, -1, dst=x)
    function.branch("bnez", x, to=count)
    function.branch("bnez", phase, to=store)
    function.xor(word, rcon, dst=word)
    function.slli(rcon, 1, dst=rcon)
    function.srli(rcon, 8, dst=x)
    function.branch("beqz", x, to=store)
    function.li(0x1B, dst=rcon)
    function.branch("j", to=store)
    function.label(plain)
    # Only in the middle of eight words there is another S-box.
    function.addi(words, -8, dst=x)
    function.addi(phase, -4, dst=y)
    function.or_(x, y, dst=x)
    function.branch("beqz", x, to=sub)
    function.label(store)
    function.sub(key, size, dst=x)
    function.load(x, dst=x)
    function.xor(word, x, dst=word)
    function.store(word, key)
    function.addi(key, 4, dst=key)
    function.addi(phase, 1, dst=phase)
    wrap = function.new_label("wrap")
    function.branch("bne", phase, words, to=wrap)
    function.li(0, dst=phase)
    function.label(wrap)
    function.addi(left, -1, dst=left)
    function.branch("bnez", left, to=loop)
    function.ret()
    return function.render(tuning, _GENERATOR)


ROUTINES = [
    Routine(symbol, "small", lambda isa: isa.xlen == 32, write, constant_time=False)
    for symbol, write in (
        ("cry_aes_small_encrypt_asm", _encrypt),
        ("cry_aes_small_expand_key_asm", _expand),
    )
]
