"""Every public call of the library that has an input and an output buffer, for tests of overlap.

A :class:`Call` makes a :class:`Job` of one length; :func:`try_overlaps` runs the job with buffers
apart, then with the output at chosen distances from the input, in one piece of memory whose every
byte is checked. It works on any :class:`Env`: the library on this machine, or on a simulated core.
"""

import random
import re
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cryptile import library

OK, PARAM, AUTH = 0, -1, -10
OTHER_STATE = 1
"""Of a call that left the context in another state than it does with buffers apart."""

LENGTHS = (
    0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80, 127, 128, 129, 192, 255, 256, 257, 511, 512,
    513, 528, 768, 1024,
)  # fmt: skip
"""Around blocks, passes, and the lengths from which faster code takes over."""
FARTHEST = 600
DISTANCES = (
    *(1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 20, 24, 31, 32, 48, 63, 64, 65, 96, 128, 160, 256, 320),
    *(384, 511, 512, 576, 600),
)
"""From the input to the output, both ways: words, blocks and passes, and beside them."""


class Env(ABC):
    """Where calls are made."""

    word: int
    """Bytes of a pointer."""

    def __init__(self) -> None:
        """Nothing is placed yet."""
        self.keys: list[int] = []

    @abstractmethod
    def place(self, data: bytes | int, offset: int = 0) -> int:
        """Return the address of a new buffer, ``offset`` behind a multiple of 16."""

    @abstractmethod
    def read(self, address: int, size: int) -> bytes:
        """Return memory."""

    @abstractmethod
    def symbol(self, name: str) -> int:
        """Return the address of an object."""

    @abstractmethod
    def call(self, name: str, *arguments: int) -> int:
        """Call a function; return its status."""

    @abstractmethod
    def set_random(self) -> None:
        """Give the PSA layer a source that always makes the same bytes."""

    @abstractmethod
    def release(self) -> None:
        """Give back all buffers."""

    def free(self) -> None:
        """Give back all buffers and keys."""
        for key in self.keys:
            self.call("psa_destroy_key", key)
        self.keys.clear()
        self.release()


@dataclass(frozen=True)
class Job:
    """A call on ``source``; ``run(in, out)`` makes it and returns status and length of output."""

    source: bytes
    room: int
    run: Callable[[int, int], tuple[int, int]]
    refuses: int | None = None
    """The status if input and output share a byte; nothing may be written then."""
    fails: int | None = None
    """The status that is expected anyway; the output is all zeros then."""


@dataclass(frozen=True)
class Call:
    """A row of the table."""

    name: str
    make: Callable[[Env, random.Random, int], Job]
    lengths: tuple[int, ...] = LENGTHS
    slow: bool = False
    """Millions of instructions: on a simulated core, few tries."""


def try_overlaps(
    env: Env, call: Call, length: int, distances: Iterable[int], rng: random.Random
) -> list[str]:
    """Return what went wrong; nothing did if that is empty."""
    job = call.make(env, rng, length)
    source, target = env.place(job.source), env.place(b"\xa5" * job.room)
    status, size = job.run(source, target)
    expected = env.read(target, size)
    if status != (job.fails if job.fails is not None else OK):
        return [f"{call.name}, {length} bytes, apart: status {status}"]
    wrong = []
    for distance in distances:
        # The memory has both buffers; `start` is where the input lies in it.
        start, at = max(0, -distance), max(0, distance)
        memory = bytearray(b"\xa5" * max(start + len(job.source), at + job.room))
        memory[start : start + len(job.source)] = job.source
        base = env.place(bytes(memory), offset=rng.choice((0, 0, 4, 8, rng.randrange(16))))
        status, size = job.run(base + start, base + at)
        found = env.read(base, len(memory))
        shared = -job.room < distance < len(job.source) and job.room and job.source
        wanted = job.fails if job.fails is not None else OK
        if job.refuses is not None and shared:
            wanted = job.refuses
        elif job.fails is not None:
            zeros = min(job.room, len(job.source))
            memory[at : at + zeros] = bytes(zeros)
        else:
            memory[at : at + len(expected)] = expected
        if status != wanted or (status == OK and size != len(expected)) or found != memory:
            first = next((n for n, byte in enumerate(found) if byte != memory[n]), -1)
            wrong.append(
                f"{call.name}, {length} bytes, output {distance:+} from the input: "
                f"status {status}, first wrong byte {first - at}"
            )
    return wrong


_PROTOTYPE = re.compile(r"^(?!static|typedef)\w[\w ]*?[ *\n](\w+)\(([^;{]*)\);", re.M)
_BYTES = re.compile(r"(const )?(?:uint8_t|void)\b.*[*[]", re.S)
_EMPTY = {"psa_aead_verify"}
"""Those whose output has no bytes: here an AEAD holds no message back."""


def with_both() -> set[str]:
    """Return the names of all functions that read bytes of the caller's, and write some."""
    found = set()
    for header in library.INCLUDE.rglob("*.h"):
        for name, arguments in _PROTOTYPE.findall(re.sub(r"//.*", "", header.read_text())):
            places = [_BYTES.match(argument.strip()) for argument in arguments.split(",")]
            if len({place[1] for place in places if place}) == 2:
                found.add(name)
    return found - _EMPTY


def all_calls(impls: list[str]) -> list[Call]:
    """Return the table."""
    return [*_ciphers(impls), *_streams(), *_aeads(), *_hashes(), *_curves(), *_psa()]


def _words(env: Env, *values: int) -> bytes:
    return b"".join(value.to_bytes(env.word, "little") for value in values)


def _number(env: Env, address: int) -> int:
    return int.from_bytes(env.read(address, env.word), "little")


# Block ciphers

_MODES = {"ecb": 0, "cbc": 1, "ctr": 2}


def _cipher_params(env: Env, rng: random.Random, mode: str, decrypt: bool, padding: bool) -> int:
    key = env.place(rng.randbytes(32))
    iv = env.place(rng.randbytes(14) + rng.choice((b"\x00\x00", b"\xff\xfe")))
    ints = struct.pack("<III", _MODES[mode], decrypt, padding) + bytes(4 * (env.word == 8))
    return env.place(ints + _words(env, key, 32, iv))


def _whole(length: int, mode: str) -> int:
    return length if mode == "ctr" else length // 16 * 16


def _crypt(impl: str, mode: str, decrypt: bool, padding: bool) -> Call:
    def make(env: Env, rng: random.Random, length: int) -> Job:
        params = _cipher_params(env, rng, mode, decrypt, padding)
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
            return status, _number(env, size)

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
    return env.read(target, _number(env, size))


def _update(impl: str, mode: str, decrypt: bool, padding: bool) -> Call:
    def make(env: Env, rng: random.Random, length: int) -> Job:
        params, held = _cipher_params(env, rng, mode, decrypt, padding), rng.randrange(17)
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
            written = _number(env, size)
            # What was held, and the chain, show in the rest of the message.
            rest = env.place(bytes(range(16)))
            assert env.call("cryptile_cipher_update", context, rest, 16, tail, 16, size) == OK
            last.append(env.read(tail, _number(env, size)))
            return status if last[-1] == last[0] else OTHER_STATE, written

        return Job(text, room, run)

    way = ("decrypt" if decrypt else "encrypt") + (", padded" if padding else "")
    return Call(f"cryptile_cipher_update {impl} {mode} {way}", make)


def _ciphers(impls: list[str]) -> list[Call]:
    calls = []
    for impl in impls:
        for mode in _MODES:
            for decrypt in (False, True):
                calls += [_crypt(impl, mode, decrypt, False), _update(impl, mode, decrypt, False)]
    fast = impls[-1]
    for decrypt in (False, True):
        calls += [_crypt(fast, "cbc", decrypt, True), _update(fast, "cbc", decrypt, True)]
    return calls


def _streams() -> list[Call]:
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
        _simple("cryptile_chacha20", None, chacha20),
        Call("cryptile_chacha20_update", _chacha20_update),
        _simple("cryptile_xts", None, xts, lengths=units),
        _simple("cryptile_xts_crypt", None, unit, lengths=units),
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


# Authenticated encryption

_AEADS = {
    "aes_gcm": (16, 12),
    "aes_ccm": (16, 12),
    "chacha20_poly1305": (32, 12),
    "ascon_aead128": (16, 16),
}
_TAG = 16


def _aead_params(env: Env, rng: random.Random, alg: str) -> int:
    key_len, nonce_len = _AEADS[alg]
    key, nonce = env.place(rng.randbytes(key_len)), env.place(rng.randbytes(nonce_len))
    return env.place(_words(env, key, key_len, nonce, nonce_len, _TAG))


def _aead_encrypt(alg: str, tag: str) -> Call:
    """The output, or the tag, lies on text or associated data."""

    def make(env: Env, rng: random.Random, length: int) -> Job:
        params, descriptor = _aead_params(env, rng, alg), env.symbol(f"cryptile_{alg}")
        text, aad = rng.randbytes(length), rng.randbytes(length % 50)
        texts, aads = env.place(text), env.place(aad)
        output, code = env.place(length), env.place(_TAG)

        def run(source: int, target: int) -> tuple[int, int]:
            where = {
                "text": (aads, len(aad), source, length, target, code),
                "aad": (source, length, texts, length, target, code),
                "tag on text": (aads, len(aad), source, length, output, target),
                "tag on aad": (source, length, texts, length, output, target),
                "tag on output": (aads, len(aad), texts, length, source, target),
            }[tag]
            return env.call("cryptile_aead_encrypt", descriptor, params, *where), (
                _TAG if tag.startswith("tag") else length
            )

        if tag == "tag on output":
            # The "input" is the other output, and holds already what will be written there.
            sealed = _sealed(env, alg, params, aad, text)[:length]
            return Job(sealed, _TAG, run, refuses=PARAM)
        return Job(text, _TAG if tag.startswith("tag") else length, run)

    return Call(f"cryptile_aead_encrypt {alg}, {tag}", make)


def _sealed(env: Env, alg: str, params: int, aad: bytes, text: bytes) -> bytes:
    output, code = env.place(len(text)), env.place(_TAG)
    places = env.place(aad), len(aad), env.place(text), len(text), output, code
    descriptor = env.symbol(f"cryptile_{alg}")
    assert env.call("cryptile_aead_encrypt", descriptor, params, *places) == OK
    return env.read(output, len(text)) + env.read(code, _TAG)


def _aead_decrypt(alg: str, good: bool) -> Call:
    """The tag lies behind the ciphertext, where the output may be as well."""

    def make(env: Env, rng: random.Random, length: int) -> Job:
        params, descriptor = _aead_params(env, rng, alg), env.symbol(f"cryptile_{alg}")
        aad = rng.randbytes(length % 50)
        sealed, aads = _sealed(env, alg, params, aad, rng.randbytes(length)), env.place(aad)
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
        params, descriptor = _aead_params(env, rng, alg), env.symbol(f"cryptile_{alg}")
        context, before, code = env.place(bytes(1168)), rng.randrange(20), env.place(_TAG)
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
            tags.append(env.read(code, _TAG))
            return status if tags[-1] == tags[0] else OTHER_STATE, length

        def open_(source: int, target: int) -> tuple[int, int]:
            assert env.call("cryptile_aead_init", context, descriptor, 1, params) == OK
            state_lengths()
            assert env.call("cryptile_aead_update", context, first, away, before) == OK
            status = env.call("cryptile_aead_update", context, source, target, length)
            # The right tag is that of the first try, which the library gave for buffers apart.
            if not tags:
                text = env.read(away, before) + env.read(target, length)
                tags.append(_sealed(env, alg, params, b"", text)[-_TAG:])
            code = env.place(tags[0])
            good = env.call("cryptile_aead_verify", context, code) == OK
            return status if good else OTHER_STATE, length

        return Job(rng.randbytes(length), length, open_ if decrypt else run)

    return Call(f"cryptile_aead_update {alg} {'decrypt' if decrypt else 'encrypt'}", make)


def _aeads() -> list[Call]:
    calls = []
    for alg in _AEADS:
        tags = ("text", "aad", "tag on text", "tag on aad", "tag on output")
        calls += [_aead_encrypt(alg, tag) for tag in tags]
        calls += [_aead_decrypt(alg, good) for good in (True, False)]
        calls += [_aead_update(alg, decrypt) for decrypt in (False, True)]
    return calls


# Hashes, codes, key derivation, extendable output


def _simple(
    name: str,
    room: int | None,
    arguments: Callable[[Env, random.Random, int, int, int], list[int]],
    *,
    title: str = "",
    lengths: tuple[int, ...] = LENGTHS,
    slow: bool = False,
    refuses: int | None = None,
    first: bytes = b"",
) -> Call:
    """A call whose output has `room` bytes, or, for None, as many as the input has.

    The input is random behind the `first` bytes.
    """

    def make(env: Env, rng: random.Random, length: int) -> Job:
        seed, size = rng.random(), length if room is None else room

        def run(source: int, target: int) -> tuple[int, int]:
            values = arguments(env, random.Random(seed), source, length, target)
            return env.call(name, *values), size

        data = first[:length] + rng.randbytes(max(0, length - len(first)))
        return Job(data, size, run, refuses)

    return Call(title or name, make, lengths, slow)


def _hashes() -> list[Call]:
    def alg(env: Env, name: str = "sha256") -> int:
        return env.symbol(f"cryptile_{name}")

    def salt(env: Env, rng: random.Random) -> tuple[int, int]:
        return env.place(rng.randbytes(40)), 40

    digests = {"sha256": 32, "sha512": 64, "sha3_256": 32, "ascon_hash256": 32}
    calls = [
        _simple(
            "cryptile_hash",
            size,
            lambda env, rng, a, n, b, name=name: [alg(env, name), a, n, b],
            title=f"cryptile_hash {name}",
        )
        for name, size in digests.items()
    ]

    def drbg(env: Env, rng: random.Random) -> int:
        ctx = env.place(bytes(56))
        assert env.call("cryptile_drbg_init", ctx, env.place(rng.randbytes(48)), 48, 0, 0) == OK
        return ctx

    derive = "cryptile_hkdf"
    return [
        *calls,
        _simple("cryptile_hmac", 32, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, b, 32], title="cryptile_hmac, message"),
        _simple("cryptile_hmac", 32, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), b, 32], title="cryptile_hmac, key"),
        _simple("cryptile_cmac", 16, lambda env, rng, a, n, b: [
            env.place(rng.randbytes(16)), 16, a, n, b, 16], title="cryptile_cmac, message"),
        _simple("cryptile_cmac", 16, lambda env, rng, a, n, b: [
            a, n, *salt(env, rng), b, 16], title="cryptile_cmac, key", lengths=(16, 24, 32)),
        _simple("cryptile_drbg_generate", 200, lambda env, rng, a, n, b: [
            drbg(env, rng), b, 200, a, n]),
        _simple("cryptile_shake", 200, lambda env, rng, a, n, b: [168, a, n, b, 200]),
        _simple("cryptile_hkdf_extract", 32, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), b], title="cryptile_hkdf_extract, salt"),
        _simple("cryptile_hkdf_extract", 32, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, b], title="cryptile_hkdf_extract, key material"),
        _simple("cryptile_hkdf_expand", 100, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), b, 100], title="cryptile_hkdf_expand, key",
            lengths=(32, 64, 200)),
        _simple("cryptile_hkdf_expand", 100, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, b, 100], title="cryptile_hkdf_expand, info",
            refuses=PARAM),
        _simple(derive, 100, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), *salt(env, rng), b, 100], title="cryptile_hkdf, salt"),
        _simple(derive, 100, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, *salt(env, rng), b, 100], title="cryptile_hkdf, key"),
        _simple(derive, 100, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), *salt(env, rng), a, n, b, 100], title="cryptile_hkdf, info",
            refuses=PARAM),
    ]  # fmt: skip


# Curves

_POINTS = {
    name: ec.derive_private_key(1, curve)
    .public_key()
    .public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    for name, curve in (
        ("p256", ec.SECP256R1()),
        ("p384", ec.SECP384R1()),
        ("p521", ec.SECP521R1()),
    )
}
"""The generators."""


def _curves() -> list[Call]:
    def secret(env: Env, rng: random.Random, size: int = 32) -> int:
        return env.place(b"\x01" + rng.randbytes(size - 1))

    def sha256(env: Env) -> int:
        return env.symbol("cryptile_sha256")

    short, message = (32,), (0, 1, 64, 200)
    key = "cryptile_ed25519_sign"
    rows = [
        ("cryptile_x25519_public", "secret", 32, short, lambda e, r, a, n, b: [b, a]),
        ("cryptile_x25519", "secret", 32, short, lambda e, r, a, n, b: [b, a, secret(e, r)]),
        ("cryptile_x25519", "peer", 32, short, lambda e, r, a, n, b: [b, secret(e, r), a]),
        ("cryptile_ed25519_public", "seed", 32, short, lambda e, r, a, n, b: [b, a]),
        (key, "message", 64, message, lambda e, r, a, n, b: [b, a, n, secret(e, r), secret(e, r)]),
        (key, "seed", 64, short, lambda e, r, a, n, b: [b, secret(e, r), 32, a, secret(e, r)]),
        (key, "public key", 64, short, lambda e, r, a, n, b: [b, secret(e, r), 9, secret(e, r), a]),
    ]
    for curve, size in (("p256", 32), ("p384", 48), ("p521", 66)):
        sign, sizes = f"cryptile_{curve}_sign", (size,)
        rows += [
            (f"cryptile_{curve}_public_key", "private key", 1 + 2 * size, sizes,
             lambda e, r, a, n, b: [b, a]),
            (sign, "private key", 2 * size, sizes,
             lambda e, r, a, n, b: [b, a, sha256(e), secret(e, r)]),
            (sign, "digest", 2 * size, short,
             lambda e, r, a, n, b, size=size: [b, secret(e, r, size), sha256(e), a]),
        ]  # fmt: skip
    calls = [
        _simple(
            name, room, arguments, title=f"{name}, {what}", lengths=lengths, slow=True, first=b"\1"
        )
        for name, what, room, lengths, arguments in rows
    ]

    return [
        *calls,
        *(_ecdh(curve, "private key") for curve in _POINTS),
        _ecdh("p256", "peer"),
    ]


def _ecdh(curve: str, what: str) -> Call:
    size = len(_POINTS[curve]) // 2

    def make(env: Env, rng: random.Random, length: int) -> Job:
        private, peer = b"\x01" + rng.randbytes(size - 1), _POINTS[curve]
        keys = [env.place(private), env.place(peer)]

        def run(source: int, target: int) -> tuple[int, int]:
            inputs = [source, keys[1]] if what == "private key" else [keys[0], source]
            return env.call(f"cryptile_{curve}_ecdh", target, *inputs), size

        return Job(private if what == "private key" else peer, size, run)

    length = size if what == "private key" else 1 + 2 * size
    return Call(f"cryptile_{curve}_ecdh, {what}", make, (length,), True)


# PSA

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
_PSA_AEADS = {
    "CCM": (AES, 0x05500100, 13),
    "GCM": (AES, 0x05500200, 12),
    "CHACHA20_POLY1305": (CHACHA, 0x05100500, 12),
    "ASCON_AEAD128": (ASCON, 0x05100700, 16),
}


def import_key(env: Env, kind: int, alg: int, data: bytes) -> int:
    """Import a key for every use; return its identifier."""
    usage = 0xFF01
    attributes = (
        struct.pack("<HxxIII", kind, usage, alg, 0)
        if env.word == 4
        else struct.pack("<HxxIIxxxxQ", kind, usage, alg, 0)
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
            return status, _number(env, size)

        if encrypt:
            return Job(text, iv + padded, encrypts)
        target = env.place(iv + padded)
        assert encrypts(env.place(text), target)[0] == OK
        sealed = env.read(target, iv + padded)

        def decrypts(source: int, target: int) -> tuple[int, int]:
            status = env.call(
                "psa_cipher_decrypt", key, alg, source, len(sealed), target, len(text), size
            )
            return status, _number(env, size)

        return Job(sealed, len(text), decrypts)

    title = f"psa_cipher_{'en' if encrypt else 'de'}crypt {name}"
    lengths = tuple(n for n in LENGTHS if n >= 16) if name == "XTS" else LENGTHS
    return _with_key(title, kind, alg, build, lengths)


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
            status = env.call("psa_cipher_update", operation, source, length, target, room, size)
            written = _number(env, size)
            env.call("psa_cipher_abort", operation)
            return status, written

        return Job(rng.randbytes(length), room, run)

    return _with_key(f"psa_cipher_update {name} {way}", kind, alg, build)


def _psa_aead(name: str, encrypt: bool) -> Call:
    kind, alg, nonce_len = _PSA_AEADS[name]

    def build(env: Env, rng: random.Random, length: int, key: int) -> Job:
        nonce, size, text = env.place(rng.randbytes(nonce_len)), env.place(8), rng.randbytes(length)
        aad = env.place(rng.randbytes(20))

        def encrypts(source: int, target: int) -> tuple[int, int]:
            status = env.call(
                "psa_aead_encrypt",
                key,
                alg,
                nonce,
                nonce_len,
                aad,
                20,
                source,
                length,
                target,
                length + _TAG,
                size,
            )
            return status, _number(env, size)

        if encrypt:
            return Job(text, length + _TAG, encrypts)
        target = env.place(length + _TAG)
        assert encrypts(env.place(text), target)[0] == OK

        def decrypts(source: int, target: int) -> tuple[int, int]:
            status = env.call(
                "psa_aead_decrypt",
                key,
                alg,
                nonce,
                nonce_len,
                aad,
                20,
                source,
                length + _TAG,
                target,
                length,
                size,
            )
            return status, _number(env, size)

        return Job(env.read(target, length + _TAG), length, decrypts)

    return _with_key(f"psa_aead_{'en' if encrypt else 'de'}crypt {name}", kind, alg, build)


def _psa_aead_update(name: str) -> Call:
    kind, alg, nonce_len = _PSA_AEADS[name]

    def build(env: Env, rng: random.Random, length: int, key: int) -> Job:
        nonce, size = env.place(rng.randbytes(nonce_len)), env.place(8)
        operation = env.place(bytes(1400))

        def run(source: int, target: int) -> tuple[int, int]:
            assert env.call("psa_aead_encrypt_setup", operation, key, alg) == OK
            if name == "CCM":
                assert env.call("psa_aead_set_lengths", operation, 0, length) == OK
            assert env.call("psa_aead_set_nonce", operation, nonce, nonce_len) == OK
            status = env.call("psa_aead_update", operation, source, length, target, length, size)
            written = _number(env, size)
            env.call("psa_aead_abort", operation)
            return status, written

        return Job(rng.randbytes(length), length, run)

    return _with_key(f"psa_aead_update {name}", kind, alg, build)


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
            return status, _number(env, size)

        return Job(rng.randbytes(length), room, run)

    return _with_key(title, kind, alg, build, lengths, slow)


def _psa() -> list[Call]:
    calls = []
    for name in _CIPHERS:
        for encrypt in (True, False):
            calls += [_psa_whole(name, encrypt), _psa_update(name, encrypt)]
    for name in _PSA_AEADS:
        calls += [*(_psa_aead(name, encrypt) for encrypt in (True, False)), _psa_aead_update(name)]
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
