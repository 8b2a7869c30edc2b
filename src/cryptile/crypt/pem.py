"""Keys and signatures as ``openssl`` writes them: PEM and DER, read and written, never computed.

What a key holds comes from ``cryptography``; what is computed with it, from the library.
"""

import base64
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_der_public_key,
    load_pem_private_key,
    load_pem_public_key,
)
from cryptography.utils import CryptographyDeprecationWarning

from cryptile.crypt.source import STANDARD, standard_input
from cryptile.errors import FindingError, UsageError

MAX_FILE = 16 << 10
"""Bytes of a file with a key or signature: more is taken for one that was named by mistake."""

CURVES: dict[str, ec.EllipticCurve] = {
    "p-256": ec.SECP256R1(),
    "p-384": ec.SECP384R1(),
    "p-521": ec.SECP521R1(),
}
"""The curves of the library with points of two coordinates."""

SIZES = {"p-256": 32, "p-384": 48, "p-521": 66, "x25519": 32, "ed25519": 32}
"""Bytes of a private key, and of a coordinate."""

RSA_BITS = range(2048, 4097)
"""Lengths of RSA's moduli that the library takes."""

RSA_PSS = "rsa-pss"
"""The kind of a key of RSA that is not for PKCS #1 v1.5."""

_PSS = bytes.fromhex("06092a864886f70d01010a")
"""The object identifier id-RSASSA-PSS (RFC 4055) in DER."""

RSA_EXPONENT = (1 << 32) - 1
"""The largest public exponent that it takes."""

Private = ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey | x25519.X25519PrivateKey
Public = (
    ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | x25519.X25519PublicKey | rsa.RSAPublicKey
)


class Form(StrEnum):
    """How a key that is made is written: both are PKCS #8 (RFC 5958)."""

    pem = "pem"
    der = "der"


def read_file(path: Path, what: str) -> bytes:
    """Return a short file, or standard input.

    Raises:
        UsageError: it cannot be read, or is too long for what it should be.
    """
    try:
        if path == STANDARD:
            data = standard_input().read(MAX_FILE + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > MAX_FILE:
        raise UsageError(f"{path} has more than {MAX_FILE} bytes: no {what} is that long")
    return data


def private_key(data: bytes, name: str) -> tuple[str, bytes]:
    """Return a private key's kind, and its number (big-endian) or secret.

    Args:
        data: PEM or DER: PKCS #8, or the older form of RFC 5915.
        name: what to call the file.

    Raises:
        UsageError: it holds no private key that the library could use.
    """
    if b"PUBLIC KEY-----" in data:
        raise UsageError(f"{name} holds a public key: the private one is needed")
    load = load_pem_private_key if _is_pem(data) else load_der_private_key
    try:
        with _reading(name, "private"):
            key = load(data, None)
    except TypeError:
        raise UsageError(
            f"{name} is encrypted: pipe the key in, openssl pkey -in FILE | ... --key-file -"
        ) from None
    if isinstance(key, rsa.RSAPrivateKey):
        raise UsageError(f"{name} is a key of RSA, with which the library only verifies")
    if isinstance(key, ec.EllipticCurvePrivateKey):
        kind = _curve(key.curve, name)
        return kind, key.private_numbers().private_value.to_bytes(SIZES[kind], "big")
    if isinstance(key, x25519.X25519PrivateKey):
        return "x25519", key.private_bytes_raw()
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return "ed25519", key.private_bytes_raw()
    raise _other(name)


def public_key(data: bytes, name: str) -> tuple[str, bytes, int]:
    """Return a public key's kind, its bytes as the library takes them, and RSA's exponent.

    Args:
        data: PEM or DER: SubjectPublicKeyInfo (RFC 5280), or that of PKCS #1.
        name: what to call the file.

    Raises:
        UsageError: it holds no public key that the library could use.
    """
    if b"PRIVATE KEY-----" in data:
        raise UsageError(f"{name} holds a private key: the public one is needed, alone")
    load = load_pem_public_key if _is_pem(data) else load_der_public_key
    with _reading(name, "public"):
        key = load(data)
        der = _contents(data)
    if isinstance(key, ec.EllipticCurvePublicKey):
        point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return _curve(key.curve, name), point, 0
    if isinstance(key, x25519.X25519PublicKey):
        return "x25519", key.public_bytes_raw(), 0
    if isinstance(key, ed25519.Ed25519PublicKey):
        return "ed25519", key.public_bytes_raw(), 0
    if isinstance(key, rsa.RSAPublicKey):
        if key.key_size not in RSA_BITS:
            raise UsageError(f"{name} has a modulus of {key.key_size} bits, not 2048 to 4096")
        numbers = key.public_numbers()
        if numbers.e > RSA_EXPONENT:
            raise UsageError(f"{name} has a public exponent of more than 32 bits")
        return _rsa_kind(der, name), numbers.n.to_bytes(-(-key.key_size // 8), "big"), numbers.e
    raise _other(name)


def write_private(kind: str, secret: bytes, public: bytes, form: Form) -> bytes:
    """Return a private key in PKCS #8; its public key is the one that is given, and is checked.

    Raises:
        ValueError: they do not belong together.
    """
    key: Private
    if kind in CURVES:
        x, y = (
            int.from_bytes(part, "big")
            for part in (public[1 : 1 + SIZES[kind]], public[1 + SIZES[kind] :])
        )
        numbers = ec.EllipticCurvePublicNumbers(x, y, CURVES[kind])
        value = int.from_bytes(secret, "big")
        key = ec.EllipticCurvePrivateNumbers(value, numbers).private_key()
    elif kind == "x25519":
        key = x25519.X25519PrivateKey.from_private_bytes(secret)
    else:
        key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)
    if kind not in CURVES and key.public_key().public_bytes_raw() != public:  # type: ignore[union-attr]
        raise ValueError("the public key is another one's")
    encoding = Encoding.PEM if form is Form.pem else Encoding.DER
    return key.private_bytes(encoding, PrivateFormat.PKCS8, NoEncryption())


def ecdsa_to_der(signature: bytes) -> bytes:
    """Return r, s as a SEQUENCE of two INTEGERs (RFC 3279, section 2.2.3)."""
    half = len(signature) // 2
    return encode_dss_signature(
        int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")
    )


def ecdsa_from_der(data: bytes, size: int, name: str) -> bytes:
    """Return r, s of ``size`` bytes each.

    Raises:
        FindingError: it is no signature of the kind.
    """
    try:
        return b"".join(number.to_bytes(size, "big") for number in decode_dss_signature(data))
    except (ValueError, OverflowError):
        raise FindingError(f"{name}: wrong signature: no ECDSA signature in DER") from None


def _is_pem(data: bytes) -> bool:
    return b"-----BEGIN " in data


def _contents(data: bytes) -> bytes:
    """Return what is in all the blocks of PEM, or DER as it is."""
    blocks = re.findall(rb"-----BEGIN [^-]*-----(.*?)-----END ", data, re.S)
    return b"".join(map(base64.b64decode, blocks)) if _is_pem(data) else data


@contextmanager
def _reading(name: str, what: str) -> Iterator[None]:
    """Say in one line what the reader of keys raises, and nothing of what it warns of.

    Raises:
        UsageError: it can make nothing of the key.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CryptographyDeprecationWarning)
            yield
    except (ValueError, UnsupportedAlgorithm, InternalError):
        raise UsageError(f"{name} holds no sound {what} key, in PEM or DER") from None


def _rsa_kind(der: bytes, name: str) -> str:
    """Return the kind of a key of RSA.

    Raises:
        UsageError: it is for PSS with some parameters alone (RFC 4055, section 3.1).
    """
    if _PSS not in der:
        return "rsa"
    if b"\x30" + bytes([len(_PSS)]) + _PSS not in der:
        raise UsageError(f"{name} is for RSA-PSS with parameters of its own: not supported")
    return RSA_PSS


def _curve(curve: ec.EllipticCurve, name: str) -> str:
    for kind, known in CURVES.items():
        if curve.name == known.name:
            return kind
    raise UsageError(f"{name} is a key of the curve {curve.name}, not of {', '.join(CURVES)}")


def _other(name: str) -> UsageError:
    return UsageError(f"{name} is a key of a kind that the library has not")
