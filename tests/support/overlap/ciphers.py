"""Block ciphers, stream ciphers, and data units of XTS."""

import random
import struct

from support.overlap.calls import LENGTHS, OK, OTHER_STATE, Call, Env, Job, simple, word_at, words

MODES = {"ecb": 0, "cbc": 1, "ctr": 2}
NO_IV = ("ecb", "iv")


def cipher_params(
    env: Env,
    rng: random.Random,
    mode: str,
    decrypt: bool,
    padding: bool = False,
    key: int | None = None,
    iv: int | None = None,
) -> int:
    key = key or env.place(rng.randbytes(32))
    iv = iv or env.place(rng.randbytes(14) + rng.choice((b"\x00\x00", b"\xff\xfe")))
    ints = struct.pack("<III", MODES[mode], decrypt, padding) + bytes(4 * (env.word == 8))
    return env.place(ints + words(env, key, 32, iv))


def _whole(length: int, mode: str) -> int:
    return length if mode == "ctr" else length // 16 * 16


def _crypt(impl: str, mode: str, decrypt: bool, padding: bool) -> Call:
    def make(env: Env, rng: random.Random, length: int) -> Job:
        params = cipher_params(env, rng, mode, decrypt, padding)
        address, size = env.symbol(f"cryptile_aes_{impl}"), env.place(8)
        if padding and decrypt:
            text = _padded(env, address, params, rng.randbytes(length))
        else:
            text = rng.randbytes(length if padding else _whole(length, mode))
        room = length // 16 * 16 + 16 if padding and not decrypt else len(text)

        def run(source: int, target: int) -> tuple[int, int]:
            status = env.call(
                "cryptile_cipher_crypt", address, params, source, len(text), target, room, size
            )
            return status, word_at(env, size)

        return Job(text, room, run)

    way = ("decrypt" if decrypt else "encrypt") + (", padded" if padding else "")
    return Call(f"cryptile_cipher_crypt {impl} {mode} {way}", make)


def _padded(env: Env, address: int, params: int, text: bytes) -> bytes:
    """Encrypt by the library, with padding."""
    fields = bytearray(env.read(params, 12 + 4 * (env.word == 8) + 3 * env.word))
    fields[4] = 0
    room, size = len(text) + 16, env.place(8)
    target = env.place(room)
    arguments = env.place(bytes(fields)), env.place(text), len(text), target, room, size
    assert env.call("cryptile_cipher_crypt", address, *arguments) == OK
    return env.read(target, word_at(env, size))


def _update(impl: str, mode: str, decrypt: bool, padding: bool) -> Call:
    def make(env: Env, rng: random.Random, length: int) -> Job:
        params, held = cipher_params(env, rng, mode, decrypt, padding), rng.randrange(17)
        held = min(held, 16 if padding and decrypt else 15)
        address, size = env.symbol(f"cryptile_aes_{impl}"), env.place(8)
        context = env.place(bytes(1024))
        before, text = env.place(rng.randbytes(held)), rng.randbytes(length)
        room, nowhere, tail = held + length, env.place(16), env.place(16)
        last = []

        def run(source: int, target: int) -> tuple[int, int]:
            assert env.call("cryptile_cipher_init", context, address, params) == OK
            assert env.call("cryptile_cipher_update", context, before, held, nowhere, 0, size) == OK
            status = env.call("cryptile_cipher_update", context, source, length, target, room, size)
            written = word_at(env, size)
            # What was held, and the chain, show in the rest of the message.
            rest = env.place(bytes(range(16)))
            assert env.call("cryptile_cipher_update", context, rest, 16, tail, 16, size) == OK
            last.append(env.read(tail, word_at(env, size)))
            return status if last[-1] == last[0] else OTHER_STATE, written

        return Job(text, room, run)

    way = ("decrypt" if decrypt else "encrypt") + (", padded" if padding else "")
    return Call(f"cryptile_cipher_update {impl} {mode} {way}", make)


def ciphers(impls: list[str]) -> list[Call]:
    calls = []
    for impl in impls:
        for mode in MODES:
            for decrypt in (False, True):
                calls += [_crypt(impl, mode, decrypt, False), _update(impl, mode, decrypt, False)]
    fast = impls[-1]
    for decrypt in (False, True):
        calls += [_crypt(fast, "cbc", decrypt, True), _update(fast, "cbc", decrypt, True)]
    return calls


def streams() -> list[Call]:
    """ChaCha20, and data units of XTS, which have 16 bytes at least."""

    def chacha20(env: Env, rng: random.Random, source: int, length: int, target: int) -> list[int]:
        key, nonce = env.place(rng.randbytes(32)), env.place(rng.randbytes(12))
        return [key, nonce, 7, source, target, length]

    def xts(env: Env, rng: random.Random, source: int, length: int, target: int) -> list[int]:
        key, tweak = env.place(rng.randbytes(64)), env.place(rng.randbytes(16))
        return [rng.randrange(2), key, 64, tweak, source, target, length]

    def unit(env: Env, rng: random.Random, source: int, length: int, target: int) -> list[int]:
        context, key = env.place(bytes(2048)), env.place(rng.randbytes(64))
        assert env.call("cryptile_xts_init", context, rng.randrange(2), key, 64) == OK
        return [context, env.place(rng.randbytes(16)), source, target, length]

    units = tuple(length for length in LENGTHS if length >= 16)
    return [
        simple("cryptile_chacha20", None, chacha20),
        Call("cryptile_chacha20_update", _chacha20_update),
        simple("cryptile_xts", None, xts, lengths=units),
        simple("cryptile_xts_crypt", None, unit, lengths=units),
    ]


def _chacha20_update(env: Env, rng: random.Random, length: int) -> Job:
    """In the midst of a block, and of a message."""
    key, nonce = env.place(rng.randbytes(32)), env.place(rng.randbytes(12))
    context, used, tails = env.place(bytes(256)), rng.randrange(64), []
    away = env.place(64)

    def run(source: int, target: int) -> tuple[int, int]:
        assert env.call("cryptile_chacha20_init", context, key, nonce, 7) == OK
        assert env.call("cryptile_chacha20_update", context, away, away, used) == OK
        status = env.call("cryptile_chacha20_update", context, source, target, length)
        # What is left of the key stream shows in the rest of the message.
        tail = env.place(bytes(64))
        assert env.call("cryptile_chacha20_update", context, tail, tail, 64) == OK
        tails.append(env.read(tail, 64))
        return status if tails[-1] == tails[0] else OTHER_STATE, length

    return Job(rng.randbytes(length), length, run)
