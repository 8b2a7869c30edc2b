"""AES."""

from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Prepare, Subject
from cryptile.bench.software.target import Target

_KEY = bytes(range(16))
_ROUNDS = 10
_BULK_SIZES = (256, 1536, 4096)
_SLICED_BYTES = 32 * 8 * (_ROUNDS + 1)  # the largest: 16 blocks on RV64


def _data(size: int) -> tuple[bytes, bytes]:
    return bytes(n * 7 & 0xFF for n in range(size)), bytes(size)


def _keys(target: Target, *steps: str) -> int:
    """Expand the key, then run the steps that each make another form of it; return its address."""
    address = target.place(bytes(16 * (_ROUNDS + 1)))
    target.call(steps[0], address, _ROUNDS, target.place(_KEY))
    for step in steps[1:]:
        made = target.place(bytes(_SLICED_BYTES))
        target.call(step, made, address, _ROUNDS)
        address = made
    return address


def _ecb(unit: int, *steps: str) -> Prepare:
    """``f(keys, rounds, in, out, units)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        keys = _keys(target, *steps)
        given, out = (target.place(part) for part in _data(size))
        return target.call(symbol, keys, _ROUNDS, given, out, size // unit)

    return prepare


def _ctr(unit: int, *steps: str) -> Prepare:
    """``f(keys, rounds, counter, in, out, units)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        keys = _keys(target, *steps)
        given, out = (target.place(part) for part in _data(size))
        counter = target.place(bytes(16))
        return target.call(symbol, keys, _ROUNDS, counter, given, out, size // unit)

    return prepare


def _block(*steps: str) -> Prepare:
    """``f(keys, rounds, in, out)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        keys = _keys(target, *steps)
        given, out = (target.place(part) for part in _data(16))
        return target.call(symbol, keys, _ROUNDS, given, out)

    return prepare


def _schedule(*further: str) -> Prepare:
    """Key expansion, and what follows before the first block."""

    def prepare(target: Target, symbol: str, size: int) -> tuple[int, ...]:
        words = target.place(bytes(16 * (_ROUNDS + 1)))
        calls = [target.call(symbol, words, _ROUNDS, target.place(_KEY))]
        for step in further:
            calls.append(target.call(step, target.place(bytes(_SLICED_BYTES)), words, _ROUNDS))
        return tuple(calls)

    return prepare


def _api(impl: str, mode: int) -> Prepare:
    """``cryptile_cipher_crypt()``, key set-up included."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        word = target.word
        members = (target.place(_KEY), 16, target.place(bytes(16)))
        params = bytes([mode, 0, 0, 0]) + bytes(8) + bytes(-12 % word)
        params += b"".join(item.to_bytes(word, "little") for item in members)
        given, out = (target.place(part) for part in _data(size))
        return target.call(
            symbol,
            target.address(impl),
            target.place(params),
            given,
            size,
            out,
            size,
            target.place(bytes(word)),
        )

    return prepare


_EXPAND = "cry_aes_bitsliced_expand_key_asm"
_SLICE = "cry_aes_bitsliced_slice_keys_asm"
_WIDE = "cry_aes_wide_keys_asm"
_TABLE = ("cry_aes_table_enc",)
_ECB_MODE, _CTR_MODE = 0, 2


def _bitsliced() -> list[Subject]:
    found = []
    for xlen, blocks, wide in ((32, 2, 8), (64, 4, 16)):
        found += [
            Subject("aes-128-ctr", f"bitsliced{blocks}", "cry_aes_bitsliced_ctr_asm",
                    _ctr(16 * blocks, _EXPAND, _SLICE), _BULK_SIZES, needs=(_EXPAND, _SLICE),
                    xlen=xlen),
            Subject("aes-128-ctr", f"bitsliced{wide}", "cry_aes_wide_ctr_asm",
                    _ctr(16 * wide, _EXPAND, _WIDE), _BULK_SIZES, needs=(_EXPAND, _WIDE),
                    xlen=xlen),
            Subject("aes-128-key", f"bitsliced{blocks}", _EXPAND, _schedule(_SLICE),
                    also=(_SLICE,), needs=(_SLICE,), xlen=xlen),
        ]  # fmt: skip
    return found


FAMILY = Family("aes", ("aes", "cipher"), [
    Subject("aes-128-ecb", "table", "cry_aes_table_encrypt_asm",
            _ecb(16, "cry_aes_table_expand_key"), _BULK_SIZES,
            tables=_TABLE, needs=("cry_aes_table_expand_key",)),
    Subject("aes-128-ctr", "table", "cry_aes_table_ctr_asm", _ctr(16, "cry_aes_table_expand_key"),
            _BULK_SIZES, tables=_TABLE, needs=("cry_aes_table_expand_key",)),
    Subject("aes-128-key", "table", "cry_aes_table_expand_key", _schedule()),
    *_bitsliced(),
    Subject("aes-128-ecb", "zkn", "cry_aes_zkn_encrypt_asm", _ecb(16, "cry_aes_zkn_expand_key_asm"),
            _BULK_SIZES, needs=("cry_aes_zkn_expand_key_asm",)),
    Subject("aes-128-ctr", "zkn", "cry_aes_zkn_ctr_asm", _ctr(16, "cry_aes_zkn_expand_key_asm"),
            _BULK_SIZES, needs=("cry_aes_zkn_expand_key_asm",)),
    Subject("aes-128-key", "zkn", "cry_aes_zkn_expand_key_asm", _schedule()),
    Subject("aes-128-block", "small", "cry_aes_small_encrypt_asm",
            _block("cry_aes_small_expand_key_asm"),
            also=("cry_aes_small_expand_key_asm",), tables=("cry_aes_small_sbox",),
            needs=("cry_aes_small_expand_key_asm",)),
    Subject("aes-128-block", "compact", "cry_aes_compact_encrypt",
            _block("cry_aes_compact_expand_key"),
            also=("cry_aes_compact_expand_key",), needs=("cry_aes_compact_expand_key",)),
    Subject("aes-128-block", "c", "cry_aes_table_encrypt", _block("cry_aes_table_expand_key"),
            tables=_TABLE, needs=("cry_aes_table_expand_key",)),
    *(
        Subject(alg, f"library-{impl}", "cryptile_cipher_crypt", _api(f"cryptile_aes_{impl}", mode),
                MESSAGE_SIZES, needs=(f"cryptile_aes_{impl}",))
        for impl in ("compact", "table", "bitsliced", "zkn")
        for alg, mode in (("aes-128-ecb", _ECB_MODE), ("aes-128-ctr", _CTR_MODE))
    ),
])  # fmt: skip
