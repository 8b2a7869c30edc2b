"""Keys, nonces, initialization vectors and tweaks that the output lies on."""

import random
from collections.abc import Callable

from support.overlap.aeads import AEADS, TAG, aead_params, seal
from support.overlap.calls import OK, Call, Env, simple
from support.overlap.ciphers import MODES, NO_IV, cipher_params

_TEXTS = (16, 64, 80, 256, 528)


def _on(
    what: str,
    size: int,
    name: str,
    arguments: Callable[[Env, random.Random, int, int, int], list[int]],
    lengths: tuple[int, ...] = _TEXTS,
    room: int | None = None,
) -> Call:
    """A call that has an input of `size` bytes beside its text."""
    title = f"{name}, {what}"
    return simple(name, room, arguments, title=title, lengths=lengths, size=size)


def _on_cipher(impl: str, mode: str, what: str) -> Call:
    def arguments(env: Env, rng: random.Random, a: int, n: int, b: int) -> list[int]:
        text = env.place(rng.randbytes(n))
        params = cipher_params(env, rng, mode, rng.random() < 0.5, **{what: a})
        return [env.symbol(f"cryptile_aes_{impl}"), params, text, n, b, n, env.place(8)]

    size = 32 if what == "key" else 16
    return _on(f"{what} of {impl} {mode}", size, "cryptile_cipher_crypt", arguments)


def _on_aead(alg: str, what: str) -> list[Call]:
    size = AEADS[alg][what == "nonce"]

    def sealing(env: Env, rng: random.Random, a: int, n: int, b: int) -> list[int]:
        text, params = env.place(rng.randbytes(n)), aead_params(env, rng, alg, **{what: a})
        descriptor = env.symbol(f"cryptile_{alg}")
        return [descriptor, params, env.place(20), 20, text, n, b, env.place(TAG)]

    def tagging(env: Env, rng: random.Random, a: int, n: int, b: int) -> list[int]:
        text, params = env.place(rng.randbytes(n)), aead_params(env, rng, alg, **{what: a})
        return [env.symbol(f"cryptile_{alg}"), params, env.place(20), 20, text, n, env.place(n), b]

    def opening(env: Env, rng: random.Random, a: int, n: int, b: int) -> list[int]:
        params, text = aead_params(env, rng, alg, **{what: a}), rng.randbytes(n)
        sealed = env.place(seal(env, alg, params, b"", text))
        return [env.symbol(f"cryptile_{alg}"), params, 0, 0, sealed, n, sealed + n, b]

    encrypt, title = "cryptile_aead_encrypt", f"{what} of {alg}"
    return [
        _on(title, size, encrypt, sealing),
        _on(f"tag on {title}", size, encrypt, tagging, (0, 33), TAG),
        _on(title, size, "cryptile_aead_decrypt", opening),
    ]


def on_keys(impls: list[str]) -> list[Call]:
    def stream(key: bool) -> Callable[[Env, random.Random, int, int, int], list[int]]:
        def arguments(env: Env, rng: random.Random, a: int, n: int, b: int) -> list[int]:
            other, text = env.place(rng.randbytes(12 if key else 32)), env.place(rng.randbytes(n))
            return [a, other, 7, text, b, n] if key else [other, a, 7, text, b, n]

        return arguments

    def xts(key: bool) -> Callable[[Env, random.Random, int, int, int], list[int]]:
        def arguments(env: Env, rng: random.Random, a: int, n: int, b: int) -> list[int]:
            other, text = env.place(rng.randbytes(16 if key else 64)), env.place(rng.randbytes(n))
            keys = [a, 64, other] if key else [other, 64, a]
            return [rng.randrange(2), *keys, text, b, n]

        return arguments

    def unit(env: Env, rng: random.Random, a: int, n: int, b: int) -> list[int]:
        context, key = env.place(bytes(2048)), env.place(rng.randbytes(64))
        assert env.call("cryptile_xts_init", context, rng.randrange(2), key, 64) == OK
        return [context, a, env.place(rng.randbytes(n)), b, n]

    modes = [(mode, what) for mode in MODES for what in ("key", "iv") if (mode, what) != NO_IV]
    return [
        *(_on_cipher(impl, mode, what) for impl in impls for mode, what in modes),
        _on("key", 32, "cryptile_chacha20", stream(key=True)),
        _on("nonce", 12, "cryptile_chacha20", stream(key=False)),
        _on("key", 64, "cryptile_xts", xts(key=True)),
        _on("tweak", 16, "cryptile_xts", xts(key=False)),
        _on("tweak", 16, "cryptile_xts_crypt", unit),
        *(call for alg in AEADS for what in ("key", "nonce") for call in _on_aead(alg, what)),
    ]
