"""PSA Crypto."""

import random
import struct
from collections.abc import Callable
from itertools import product

from support.overlap.aeads import TAG
from support.overlap.calls import LENGTHS, OK, Call, Env, Job, word_at

AES, CHACHA, ASCON, HMAC, PAIR = 0x2400, 0x2004, 0x2008, 0x1100, 0x7100
_ECDSA, _EDDSA, _ECDH = 0x06000709, 0x06000800, 0x09020000
_HMAC_SHA256, _CMAC = 0x03800009, 0x03C00200
_CIPHERS = {
    "CTR": (AES, 0x04C01000, 16),
    "ECB": (AES, 0x04404400, 0),
    "CBC": (AES, 0x04404000, 16),
    "CBC_PKCS7": (AES, 0x04404100, 16),
    "STREAM": (CHACHA, 0x04800100, 12),
    "XTS": (AES, 0x0440FF00, 16),
}
PSA_AEADS = {
    "CCM": (AES, 0x05500100, 13),
    "GCM": (AES, 0x05500200, 12),
    "CHACHA20_POLY1305": (CHACHA, 0x05100500, 12),
    "ASCON_AEAD128": (ASCON, 0x05100700, 16),
}


def import_key(env: Env, kind: int, alg: int, data: bytes) -> int:
    """Import a key for every use; return its identifier."""
    usage = 0xFF01
    attributes = (
        struct.pack("<HxxIIII", kind, usage, alg, 0, 0)
        if env.word == 4
        else struct.pack("<HxxIIxxxxQQ", kind, usage, alg, 0, 0)
    )
    key = env.place(8)
    status = env.call("psa_import_key", env.place(attributes), env.place(data), len(data), key)
    assert status == OK, status
    env.keys.append(int.from_bytes(env.read(key, 4), "little"))
    return env.keys[-1]


def _with_key(
    title: str,
    kind: int,
    alg: int,
    build: Callable[[Env, random.Random, int, int], Job],
    lengths: tuple[int, ...] = LENGTHS,
    slow: bool = False,
) -> Call:
    """A call with a key."""

    def make(env: Env, rng: random.Random, length: int) -> Job:
        env.set_random()
        key = import_key(env, kind, alg, b"\x01" + rng.randbytes(15 if kind == ASCON else 31))
        return build(env, rng, length, key)

    return Call(title, make, lengths, slow)


def _psa_whole(name: str, encrypt: bool) -> Call:
    kind, alg, iv = _CIPHERS[name]

    def build(env: Env, rng: random.Random, length: int, key: int) -> Job:
        exact = name in ("ECB", "CBC")
        text, size = rng.randbytes(length // 16 * 16 if exact else length), env.place(8)
        padded = len(text) // 16 * 16 + 16 if name == "CBC_PKCS7" else len(text)

        def encrypts(source: int, target: int) -> tuple[int, int]:
            room = iv + padded
            status = env.call("psa_cipher_encrypt", key, alg, source, len(text), target, room, size)
            return status, word_at(env, size)

        if encrypt:
            return Job(text, iv + padded, encrypts)
        target = env.place(iv + padded)
        assert encrypts(env.place(text), target)[0] == OK
        sealed = env.read(target, iv + padded)

        def decrypts(source: int, target: int) -> tuple[int, int]:
            status = env.call(
                "psa_cipher_decrypt", key, alg, source, len(sealed), target, len(text), size
            )
            return status, word_at(env, size)

        return Job(sealed, len(text), decrypts)

    title = f"psa_cipher_{'en' if encrypt else 'de'}crypt {name}"
    lengths = tuple(n for n in LENGTHS if n >= 16) if name == "XTS" else LENGTHS
    return _with_key(title, kind, alg, build, lengths)


def _updated(env: Env, functions: str, operation: int, *part: int) -> tuple[int, int]:
    """Update an operation, whose last argument is where the length goes, and end it."""
    status = env.call(f"{functions}_update", operation, *part)
    written = word_at(env, part[-1])
    env.call(f"{functions}_abort", operation)
    return status, written


def _psa_update(name: str, encrypt: bool) -> Call:
    kind, alg, iv = _CIPHERS[name]
    way = "encrypt" if encrypt else "decrypt"

    def build(env: Env, rng: random.Random, length: int, key: int) -> Job:
        operation, size, held = env.place(bytes(1400)), env.place(8), rng.randrange(1, 16)
        start, before = env.place(rng.randbytes(16)), env.place(rng.randbytes(held))
        room = length if name == "STREAM" else held + length
        away = env.place(16)

        def run(source: int, target: int) -> tuple[int, int]:
            assert env.call(f"psa_cipher_{way}_setup", operation, key, alg) == OK
            if iv:
                assert env.call("psa_cipher_set_iv", operation, start, iv) == OK
            assert env.call("psa_cipher_update", operation, before, held, away, 16, size) == OK
            return _updated(env, "psa_cipher", operation, source, length, target, room, size)

        return Job(rng.randbytes(length), room, run)

    return _with_key(f"psa_cipher_update {name} {way}", kind, alg, build)


def _psa_aead(name: str, encrypt: bool, what: str = "text") -> Call:
    """The output lies on the text, the associated data, or the nonce."""
    kind, alg, nonce_len = PSA_AEADS[name]

    def build(env: Env, rng: random.Random, length: int, key: int) -> Job:
        given = {
            "nonce": rng.randbytes(nonce_len),
            "aad": rng.randbytes(20),
            "text": rng.randbytes(length),
        }
        places, size = {part: env.place(data) for part, data in given.items()}, env.place(8)

        def run(way: str, room: int, where: dict[str, int], target: int) -> tuple[int, int]:
            nonce, text = (where["nonce"], nonce_len), (where["text"], len(given["text"]))
            data = (*nonce, where["aad"], 20, *text, target, room, size)
            return env.call(f"psa_aead_{way}", key, alg, *data), word_at(env, size)

        way, room = "encrypt", length + TAG
        if not encrypt:
            sealed = env.place(room)
            assert run("encrypt", room, places, sealed)[0] == OK
            given["text"], places["text"] = env.read(sealed, room), sealed
            way, room = "decrypt", length
        return Job(given[what], room, lambda a, b: run(way, room, places | {what: a}, b))

    title = f"psa_aead_{'en' if encrypt else 'de'}crypt {name}, {what}"
    return _with_key(title, kind, alg, build)


def _psa_aead_update(name: str, encrypt: bool) -> Call:
    kind, alg, nonce_len = PSA_AEADS[name]
    way = "encrypt" if encrypt else "decrypt"

    def build(env: Env, rng: random.Random, length: int, key: int) -> Job:
        nonce, size = env.place(rng.randbytes(nonce_len)), env.place(8)
        operation = env.place(bytes(1400))

        def run(source: int, target: int) -> tuple[int, int]:
            assert env.call(f"psa_aead_{way}_setup", operation, key, alg) == OK
            if name == "CCM":
                assert env.call("psa_aead_set_lengths", operation, 0, length) == OK
            assert env.call("psa_aead_set_nonce", operation, nonce, nonce_len) == OK
            return _updated(env, "psa_aead", operation, source, length, target, length, size)

        return Job(rng.randbytes(length), length, run)

    return _with_key(f"psa_aead_update {name} {way}", kind, alg, build)


def _psa_output(
    title: str,
    kind: int,
    alg: int,
    room: int,
    call: Callable[[Env, int, int, int, int, int], int],
    lengths: tuple[int, ...] = LENGTHS,
    *,
    slow: bool = False,
) -> Call:
    """What writes `room` bytes; `call(env, key, in, length, out, &size)`."""

    def build(env: Env, rng: random.Random, length: int, key: int) -> Job:
        size = env.place(8)

        def run(source: int, target: int) -> tuple[int, int]:
            status = call(env, key, source, length, target, size)
            return status, word_at(env, size)

        return Job(rng.randbytes(length), room, run)

    return _with_key(title, kind, alg, build, lengths, slow)


def psa() -> list[Call]:
    calls = []
    for name in _CIPHERS:
        for encrypt in (True, False):
            calls += [_psa_whole(name, encrypt), _psa_update(name, encrypt)]
    for name, encrypt in product(PSA_AEADS, (True, False)):
        calls += [_psa_aead(name, encrypt, what) for what in ("text", "aad", "nonce")]
        calls.append(_psa_aead_update(name, encrypt))
    p256, ed25519, x25519 = PAIR | 0x12, PAIR | 0x42, PAIR | 0x41
    sign = "psa_sign_message"
    return [
        *calls,
        _psa_output("psa_hash_compute", 0x1001, 0, 32, lambda e, k, a, n, b, s: e.call(
            "psa_hash_compute", 0x02000009, a, n, b, 32, s)),
        _psa_output("psa_mac_compute", HMAC, _HMAC_SHA256, 32, lambda e, k, a, n, b, s: e.call(
            "psa_mac_compute", k, _HMAC_SHA256, a, n, b, 32, s)),
        _psa_output("psa_mac_compute CMAC", AES, _CMAC, 16, lambda e, k, a, n, b, s: e.call(
            "psa_mac_compute", k, _CMAC, a, n, b, 16, s)),
        _psa_output(f"{sign} ECDSA", p256, _ECDSA, 64, lambda e, k, a, n, b, s: e.call(
            sign, k, _ECDSA, a, n, b, 64, s), (0, 1, 200), slow=True),
        _psa_output(f"{sign} EdDSA", ed25519, _EDDSA, 64, lambda e, k, a, n, b, s: e.call(
            sign, k, _EDDSA, a, n, b, 64, s), (0, 1, 200), slow=True),
        _psa_output("psa_sign_hash", p256, _ECDSA, 64, lambda e, k, a, n, b, s: e.call(
            "psa_sign_hash", k, _ECDSA, a, n, b, 64, s), (32,), slow=True),
        _psa_output("psa_raw_key_agreement", x25519, _ECDH, 32, lambda e, k, a, n, b, s: e.call(
            "psa_raw_key_agreement", _ECDH, k, a, n, b, 32, s), (32,), slow=True),
    ]  # fmt: skip
