"""Signatures, key agreement and what they need: checked, and done by the library."""

import os
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cryptile.crypt import destination, pem
from cryptile.crypt.drbg import ENTROPY_BYTES, MAX_REQUEST, Drbg
from cryptile.crypt.request import Direction
from cryptile.crypt.simulated import ERR_AUTH, ERR_KEY, ISA, MODEL, Library
from cryptile.crypt.source import STANDARD, check_readable, named
from cryptile.errors import CryptileError, FindingError, UsageError
from cryptile.records import Record
from cryptile.systems.harness import memory_file

_HASHES = ("sha224", "sha256", "sha384", "sha512")
_DIGEST = {"sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64}
_ECDSA = {f"ecdsa-{name}": name for name in _HASHES}
_PKCS1 = {f"rsa-pkcs1-{name}": name for name in _HASHES}
_PSS = {f"rsa-pss-{name}": name for name in _HASHES}
_HASHED = _ECDSA | _PKCS1 | _PSS

_BOTH, _VERIFIED = (Direction.sign, Direction.verify), (Direction.verify,)

DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    **dict.fromkeys(_ECDSA, _BOTH),
    "ed25519": (*_BOTH, Direction.keygen),
    **dict.fromkeys(_PKCS1, _VERIFIED),
    **dict.fromkeys(_PSS, _VERIFIED),
    "ecdh": (Direction.agree,),
    "x25519": (Direction.agree, Direction.keygen),
    **dict.fromkeys(pem.CURVES, (Direction.keygen,)),
    "ctr-drbg": (Direction.random,),
}
"""What can be done with each algorithm of ``--alg``."""

MAX_MESSAGE = 16 << 20
"""The longest message: the simulated core has it in its memory as a whole."""

MAX_RANDOM = 1 << 20
"""The most random bytes."""

_ED25519_SIGNATURE = 64

_TRIES = 100
"""Candidates for a private key: each is one with a chance of more than 1/2."""


@dataclass(frozen=True)
class Given:
    """What stands on the command line, not checked yet.

    Attributes: as of ``Request``; keys and signature are files.
    """

    direction: Direction
    alg: str
    source: Path
    key_file: Path | None
    signature: Path | None = None
    output: Path | None = None
    force: bool = False


@dataclass(frozen=True)
class Request:
    """A checked request.

    Attributes:
        direction: sign, verify or agree.
        alg: the word of ``--alg``.
        kind: of the key: a curve, or ``rsa``.
        source: the message; of an agreement, the peer's public key.
        name: what a reader calls the source.
        private: the private key, to sign and agree.
        public: the signer's or the peer's public key.
        exponent: RSA's.
        signature: what to verify, as the library takes it.
        output: the file to make.
        force: whether it may be there already.
    """

    direction: Direction
    alg: str
    kind: str
    source: Path
    name: str
    private: bytes = field(default=b"", repr=False)
    public: bytes = b""
    exponent: int = 0
    signature: bytes = b""
    output: Path | None = None
    force: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a run took: bytes of the message or the output, and cycles of the library."""

    message_bytes: int
    cycles: int


def check(given: Given) -> Request:
    """Read the keys, and check every input.

    Raises:
        UsageError: one line that says what is wrong.
        FindingError: the signature is none.
    """
    direction, alg, source = given.direction, given.alg, given.source
    able = DIRECTIONS[alg]
    if direction not in able:
        raise UsageError(f"{alg} can {' or '.join(able)}, not {direction}")
    if given.key_file is None:
        whose = "the public" if direction is Direction.verify else "your private"
        raise UsageError(f"{direction} needs --key-file with {whose} key")
    _check_files(given)
    data = pem.read_file(given.key_file, "key")
    key_name = "the key" if given.key_file == STANDARD else str(given.key_file)
    name = named(source)
    if direction is Direction.verify:
        kind, public, exponent = pem.public_key(data, key_name)
        _check_kind(alg, kind, key_name)
        signature = _signature(given, kind, len(public))
        return Request(direction, alg, kind, source, name, b"", public, exponent, signature)
    kind, private = pem.private_key(data, key_name)
    _check_kind(alg, kind, key_name)
    public = b""
    if direction is Direction.agree:
        peer, public, _ = pem.public_key(pem.read_file(source, "key"), name)
        if peer != kind:
            raise UsageError(f"{name} is a key of {peer}, {key_name} of {kind}")
    return Request(
        direction, alg, kind, source, name, private, public,
        output=given.output, force=given.force,
    )  # fmt: skip


def _check_files(given: Given) -> None:
    source, output = given.source, given.output
    check_readable(source)
    if source.stat().st_size > MAX_MESSAGE:
        raise UsageError(f"{named(source)} has more than {MAX_MESSAGE} bytes")
    if given.direction is Direction.verify:
        return
    if output is None:
        raise UsageError(f"{given.direction} needs --output")
    key = [given.key_file] if given.key_file else []
    destination.check(output, source, *key, force=given.force)


def _check_kind(alg: str, kind: str, name: str) -> None:
    if alg in _ECDSA or alg == "ecdh":
        fits = kind in pem.CURVES
    elif alg in _PKCS1 or alg in _PSS:
        fits = kind == "rsa" or (kind == pem.RSA_PSS and alg in _PSS)
    else:
        fits = kind == alg
    if not fits:
        raise UsageError(f"{name} is a key of {kind}: {alg} has no use for it")


def _signature(given: Given, kind: str, key_bytes: int) -> bytes:
    """Return the signature as the library takes it.

    Raises:
        UsageError: there is none.
        FindingError: it cannot be one of this key.
    """
    if given.signature is None:
        raise UsageError("verify needs --signature with the file to check")
    data, name = pem.read_file(given.signature, "signature"), str(given.signature)
    if kind in pem.CURVES:
        return pem.ecdsa_from_der(data, pem.SIZES[kind], name)
    wanted = _ED25519_SIGNATURE if kind == "ed25519" else key_bytes
    if len(data) != wanted:
        raise FindingError(f"{name}: wrong signature: {len(data)} bytes, not {wanted}")
    return data


def run(request: Request) -> Outcome:
    """Do the work on the simulator and put the output in its place.

    Raises:
        FindingError: the signature is wrong.
        UsageError: the peer's key gives no secret; the output cannot be written.
        CryptileError: the library failed.
    """
    message = request.source.read_bytes()
    core = Library(len(message))
    if request.direction is Direction.verify:
        _verify(core, request, message)
    else:
        private = request.direction is Direction.agree
        made = _agree(core, request) if private else _sign(core, request, message)
        put(made, request.output, private=private, force=request.force)
    return Outcome(len(message), core.cycles)


def check_made(given: Given, length: int | None) -> None:
    """Check what is asked for where nothing is read: a key, or random bytes.

    Raises:
        UsageError: one line that says what is wrong.
    """
    direction, alg = given.direction, given.alg
    able = DIRECTIONS[alg]
    if direction not in able:
        raise UsageError(f"{alg} can {' or '.join(able)}, not {direction}")
    if direction is Direction.random and (length is None or not 0 < length <= MAX_RANDOM):
        raise UsageError(f"random needs --length with 1 to {MAX_RANDOM} bytes")
    if given.output is None:
        raise UsageError(f"{direction} needs --output")
    destination.check(given.output, force=given.force)


def make(given: Given, length: int | None, form: pem.Form, entropy: bytes | None = None) -> Outcome:
    """Make a private key or random bytes, and put them into their place.

    Args:
        given: what is asked for, checked.
        length: how many random bytes.
        form: of a key.
        entropy: what seeds the generator, ``drbg.ENTROPY_BYTES``; else the host's.
    """
    core = Library()
    source = Drbg(core, entropy or os.urandom(ENTROPY_BYTES), b"cryptile crypt")
    if given.direction is Direction.random:
        assert length is not None, "checked"
        sizes = [MAX_REQUEST] * (length // MAX_REQUEST) + [length % MAX_REQUEST]
        made = b"".join(source.generate(size) for size in sizes if size)
    else:
        private, public = _new_key(core, source, given.alg)
        made = pem.write_private(given.alg, private, public, form)
    put(made, given.output, private=True, force=given.force)
    return Outcome(len(made), core.cycles)


def _new_key(core: Library, source: Drbg, kind: str) -> tuple[bytes, bytes]:
    """Return a private key and its public key.

    For NIST's curves candidates are drawn until one is in range (FIPS 186-5, A.2.2).
    """
    size = pem.SIZES[kind]
    for _ in range(_TRIES):
        private = source.generate(size)
        if kind in pem.CURVES:
            bits = pem.CURVES[kind].key_size
            number = int.from_bytes(private, "big") & ((1 << bits) - 1)
            private = number.to_bytes(size, "big")
        with suppress(UsageError):
            return private, make_public(core, kind, private)
    raise CryptileError(f"{_TRIES} candidates for a private key were none")


def put(made: bytes, output: Path | None, *, private: bool, force: bool) -> None:
    """Write an output; what is private for its owner alone."""
    assert output is not None, "checked"
    mode = destination.PLAINTEXT if private else destination.OTHER
    with memory_file(made) as content:
        destination.write(output, content.path, mode=mode, force=force)


def records(request: Request, outcome: Outcome) -> list[Record]:
    """Return the run's figures."""
    return _records(request.direction, request.alg, request.kind, outcome)


def records_made(given: Given, outcome: Outcome) -> list[Record]:
    """Return the figures of :func:`make`."""
    return _records(given.direction, given.alg, given.alg, outcome)


def _records(direction: Direction, alg: str, kind: str, outcome: Outcome) -> list[Record]:
    params = {
        "soc": "iss",
        "core": f"model:{MODEL}",
        "path": "software",
        "impl": "library",
        "isa": ISA,
        "alg": alg,
        "key": kind,
        "direction": direction,
        "bytes": outcome.message_bytes,
    }
    return [Record("crypt", "cycles", outcome.cycles, "cycles", params)]


def symbol(kind: str, word: str) -> str:
    """Return the name of a function of a curve."""
    return f"cryptile_{kind.replace('-', '')}_{word}"


def make_public(core: Library, kind: str, private: bytes) -> bytes:
    """Compute the public key of a private one.

    Raises:
        UsageError: it is no private key.
    """
    size = pem.SIZES[kind]
    room = 1 + 2 * size if kind in pem.CURVES else size
    key = core.room(room)
    word = "public_key" if kind in pem.CURVES else "public"
    if core.call(symbol(kind, word), key, core.secret(private), may=(ERR_KEY,)) == ERR_KEY:
        raise UsageError(f"no private key of {kind}")
    return core.read(key, room)


def _digest(core: Library, name: str, message: bytes) -> tuple[int, int]:
    """Hash a message; return the addresses of hash function and digest."""
    alg, digest = core.address(f"cryptile_{name}"), core.room(_DIGEST[name])
    core.call("cryptile_hash", alg, core.public(message), len(message), digest)
    return alg, digest


def _sign(core: Library, request: Request, message: bytes) -> bytes:
    kind = request.kind
    if kind == "ed25519":
        public = core.public(make_public(core, kind, request.private))
        signature, seed = core.room(_ED25519_SIGNATURE), core.secret(request.private)
        core.call(
            "cryptile_ed25519_sign", signature, core.public(message), len(message), seed, public
        )
        return core.read(signature, _ED25519_SIGNATURE)
    size = 2 * pem.SIZES[kind]
    alg, digest = _digest(core, _HASHED[request.alg], message)
    signature = core.room(size)
    core.call(symbol(kind, "sign"), signature, core.secret(request.private), alg, digest)
    return pem.ecdsa_to_der(core.read(signature, size))


def _verify(core: Library, request: Request, message: bytes) -> None:
    kind, signature = request.kind, core.public(request.signature)
    may = (ERR_AUTH, ERR_KEY)
    public = core.public(request.public)
    if kind == "ed25519":
        status = core.call(
            "cryptile_ed25519_verify",
            signature,
            core.public(message),
            len(message),
            public,
            may=may,
        )
    elif kind.startswith("rsa"):
        alg, digest = _digest(core, _HASHED[request.alg], message)
        key = core.public(struct.pack("<QQI4x", public, len(request.public), request.exponent))
        scheme, salt = ("pkcs1", ()) if request.alg in _PKCS1 else ("pss", (_ANY_SALT,))
        status = core.call(
            f"cryptile_rsa_{scheme}_verify",
            key,
            alg,
            digest,
            *salt,
            signature,
            len(request.signature),
            may=may,
        )
    else:
        name = _HASHED[request.alg]
        _, digest = _digest(core, name, message)
        status = core.call(
            symbol(kind, "verify"), public, digest, _DIGEST[name], signature, may=may
        )
    if status == ERR_KEY:
        raise UsageError("the library refuses the public key: no point of its curve, or unsound")
    if status == ERR_AUTH:
        raise FindingError(
            f"{request.name}: wrong signature: another key, another hash function, or changed data"
        )


_ANY_SALT = (1 << 64) - 1
"""``CRYPTILE_RSA_ANY_SALT``: ``openssl`` takes the longest that there is, unless told."""


def _agree(core: Library, request: Request) -> bytes:
    size = pem.SIZES[request.kind]
    secret, private, peer = (
        core.room(size),
        core.secret(request.private),
        core.public(request.public),
    )
    function = "cryptile_x25519" if request.kind == "x25519" else symbol(request.kind, "ecdh")
    if core.call(function, secret, private, peer, may=(ERR_KEY,)) == ERR_KEY:
        raise UsageError(
            f"{request.name} gives no secret: a point of small order, or none of the curve"
        )
    return core.read(secret, size)
