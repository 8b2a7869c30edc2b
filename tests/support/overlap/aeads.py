"""Authenticated encryption."""

import random

from support.overlap.calls import AUTH, OK, OTHER_STATE, PARAM, Call, Env, Job, words

AEADS = {
    "aes_gcm": (16, 12),
    "aes_ccm": (16, 12),
    "chacha20_poly1305": (32, 12),
    "ascon_aead128": (16, 16),
}
TAG = 16


def aead_params(
    env: Env, rng: random.Random, alg: str, key: int | None = None, nonce: int | None = None
) -> int:
    key_len, nonce_len = AEADS[alg]
    key = key or env.place(rng.randbytes(key_len))
    nonce = nonce or env.place(rng.randbytes(nonce_len))
    return env.place(words(env, key, key_len, nonce, nonce_len, TAG))


def _aead_encrypt(alg: str, tag: str) -> Call:
    """The output, or the tag, lies on text or associated data."""

    def make(env: Env, rng: random.Random, length: int) -> Job:
        params, descriptor = aead_params(env, rng, alg), env.symbol(f"cryptile_{alg}")
        text, aad = rng.randbytes(length), rng.randbytes(length % 50)
        texts, aads = env.place(text), env.place(aad)
        output, code, others = env.place(length), env.place(TAG), []
        other, size = ((output, length), TAG) if tag.startswith("tag") else ((code, TAG), length)

        def run(source: int, target: int) -> tuple[int, int]:
            where = {
                "text": (aads, len(aad), source, length, target, code),
                "aad": (source, length, texts, length, target, code),
                "tag on text": (aads, len(aad), source, length, output, target),
                "tag on aad": (source, length, texts, length, output, target),
                "tag on output": (aads, len(aad), texts, length, source, target),
            }[tag]
            status = env.call("cryptile_aead_encrypt", descriptor, params, *where)
            others.append(env.read(*other))
            return status if others[-1] == others[0] else OTHER_STATE, size

        if tag == "tag on output":
            # The "input" is the other output, and holds already what will be written there.
            sealed = seal(env, alg, params, aad, text)[:length]
            return Job(sealed, TAG, run, refuses=PARAM)
        return Job(text, size, run)

    return Call(f"cryptile_aead_encrypt {alg}, {tag}", make)


def seal(env: Env, alg: str, params: int, aad: bytes, text: bytes) -> bytes:
    output, code = env.place(len(text)), env.place(TAG)
    places = env.place(aad), len(aad), env.place(text), len(text), output, code
    descriptor = env.symbol(f"cryptile_{alg}")
    assert env.call("cryptile_aead_encrypt", descriptor, params, *places) == OK
    return env.read(output, len(text)) + env.read(code, TAG)


def _aead_decrypt(alg: str, good: bool) -> Call:
    """The tag lies behind the ciphertext, where the output may be as well."""

    def make(env: Env, rng: random.Random, length: int) -> Job:
        params, descriptor = aead_params(env, rng, alg), env.symbol(f"cryptile_{alg}")
        aad = rng.randbytes(length % 50)
        sealed, aads = seal(env, alg, params, aad, rng.randbytes(length)), env.place(aad)
        if not good:
            sealed = sealed[:-1] + bytes([sealed[-1] ^ 0x80])

        def run(source: int, target: int) -> tuple[int, int]:
            return env.call(
                "cryptile_aead_decrypt",
                descriptor,
                params,
                aads,
                len(aad),
                source,
                length,
                source + length,
                target,
            ), length

        return Job(sealed, length, run, fails=None if good else AUTH)

    return Call(f"cryptile_aead_decrypt {alg}{'' if good else ', forged'}", make)


def _aead_update(alg: str, decrypt: bool) -> Call:
    def make(env: Env, rng: random.Random, length: int) -> Job:
        params, descriptor = aead_params(env, rng, alg), env.symbol(f"cryptile_{alg}")
        context, before, code = env.place(bytes(1168)), rng.randrange(20), env.place(TAG)
        first, away, tags = env.place(rng.randbytes(before)), env.place(before), []

        def state_lengths() -> None:
            lengths = (0, before + length) if env.word == 8 else (0, 0, before + length, 0)
            assert env.call("cryptile_aead_set_lengths", context, *lengths) == OK

        def run(source: int, target: int) -> tuple[int, int]:
            assert env.call("cryptile_aead_init", context, descriptor, 0, params) == OK
            state_lengths()
            assert env.call("cryptile_aead_update", context, first, away, before) == OK
            status = env.call("cryptile_aead_update", context, source, target, length)
            assert env.call("cryptile_aead_finish", context, code) == OK
            tags.append(env.read(code, TAG))
            return status if tags[-1] == tags[0] else OTHER_STATE, length

        def open_(source: int, target: int) -> tuple[int, int]:
            assert env.call("cryptile_aead_init", context, descriptor, 1, params) == OK
            state_lengths()
            assert env.call("cryptile_aead_update", context, first, away, before) == OK
            status = env.call("cryptile_aead_update", context, source, target, length)
            # The right tag is that of the first try, which the library gave for buffers apart.
            if not tags:
                text = env.read(away, before) + env.read(target, length)
                tags.append(seal(env, alg, params, b"", text)[-TAG:])
            code = env.place(tags[0])
            good = env.call("cryptile_aead_verify", context, code) == OK
            return status if good else OTHER_STATE, length

        return Job(rng.randbytes(length), length, open_ if decrypt else run)

    return Call(f"cryptile_aead_update {alg} {'decrypt' if decrypt else 'encrypt'}", make)


def aeads() -> list[Call]:
    calls = []
    for alg in AEADS:
        tags = ("text", "aad", "tag on text", "tag on aad", "tag on output")
        calls += [_aead_encrypt(alg, tag) for tag in tags]
        calls += [_aead_decrypt(alg, good) for good in (True, False)]
        calls += [_aead_update(alg, decrypt) for decrypt in (False, True)]
    return calls
