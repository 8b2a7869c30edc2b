"""What a native build leaves on the stack: known secrets are searched for behind each call.

Messages in parts are ended or dropped; what they leave in their contexts is searched too.
"""

import hashlib
import hmac as reference_hmac
import shutil
from functools import cache, partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, x25519
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed, decode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from support.aes_keys import expanded

from cryptile import library, nist_curves
from cryptile.library_sources import c_files
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

SOURCE = Path(__file__).with_name("left_on_host.c")
L = 2**252 + 27742317777372353535851937790883648493
MOST = 64
"""Bytes of what is searched for."""
COMPILERS = [name for name in ("gcc", "clang") if name == "gcc" or shutil.which(name)]


@cache
def program(compiler: str, optimise: str) -> Path:
    # Static, as the lazy binding of a shared library would put registers deep into the stack.
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-static", optimise]
    sources = [SOURCE, *c_files()]
    headers = sorted([*library.LIB.rglob("*.h"), *library.INCLUDE.rglob("*.h")])

    def make(folder: Path) -> None:
        includes = ["-I", library.INCLUDE, "-I", library.LIB]
        tools.run([compiler, *flags, *includes, *sources, "-o", folder / "left"])

    key = builds.digest([*sources, *headers], flags, tools.version(compiler))
    return builds.build("left-on-host", key, make) / "left"


def words(number: int) -> bytes:
    return number.to_bytes(32, "little")


class Curve:
    """One of SP 800-186, 3.2.1; ``radix`` is Montgomery's of the library's numbers on this host."""

    def __init__(self, curve: ec.EllipticCurve, order: int) -> None:
        self.curve, self.order, self.size = curve, order, -(-curve.key_size // 8)
        self.radix = 1 << 64 * -(-curve.key_size // 64)

    def point(self, private: int) -> bytes:
        key = ec.derive_private_key(private, self.curve).public_key()
        return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


CURVES = {
    "p256": Curve(ec.SECP256R1(), nist_curves.P256.n),
    "p384": Curve(ec.SECP384R1(), nist_curves.P384.n),
    "p521": Curve(ec.SECP521R1(), nist_curves.P521.n),
}


def nonce(curve: Curve, private: int, digest: bytes) -> int:
    """Return the nonce of RFC 6979, section 3.2, with SHA-256."""

    def mac(key: bytes, data: bytes) -> bytes:
        return reference_hmac.digest(key, data, "sha256")

    seed = b"".join(
        number.to_bytes(curve.size, "big")
        for number in (private, int.from_bytes(digest, "big") % curve.order)
    )
    key, value, made = bytes(32), b"\x01" * 32, b""
    for tag in (b"\x00", b"\x01"):
        key = mac(key, value + tag + seed)
        value = mac(key, value)
    while 8 * len(made) < curve.curve.key_size:
        value = mac(key, value)
        made += value
    return int.from_bytes(made, "big") >> 8 * len(made) - curve.curve.key_size


PRIVATE = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
KEY = PRIVATE.to_bytes(32, "big")
DIGEST = hashlib.sha256(b"sample").digest()
TEXT = bytes(i * 31 & 0xFF for i in range(1000))
IV = bytes(range(100, 116))


def sign(curve: Curve) -> tuple[list[bytes], list[bytes]]:
    key, order = KEY.rjust(curve.size, b"\1"), curve.order
    private = int.from_bytes(key, "big")
    k = nonce(curve, private, DIGEST)
    way = ec.ECDSA(Prehashed(hashes.SHA256()), deterministic_signing=True)
    signature = ec.derive_private_key(private, curve.curve).sign(DIGEST, way)
    x = int.from_bytes(curve.point(k)[1 : 1 + curve.size], "big")
    assert decode_dss_signature(signature)[0] == x % order
    inverse = pow(k, -1, order)
    numbers = [private, k, order - k, inverse]
    numbers += [n * curve.radix % order for n in (k, k * k, inverse)]
    needles = [key, k.to_bytes(curve.size, "big")]
    needles += [number.to_bytes(curve.size, "little") for number in numbers]
    return [key, DIGEST], [needle[:MOST] for needle in needles]


def ecdh(curve: Curve) -> tuple[list[bytes], list[bytes]]:
    key = KEY.rjust(curve.size, b"\1")
    return [key, curve.point(1)], forms(key[-32:])


def drbg() -> tuple[list[bytes], list[bytes]]:
    return [KEY + IV, TEXT[:40]], [*forms(KEY), *forms(IV), *forms(TEXT[:32])]


def clamped(secret: bytes) -> int:
    data = bytearray(secret[:32])
    data[0] &= 248
    data[31] = data[31] & 127 | 64
    return int.from_bytes(data, "little")


def ed25519_sign() -> tuple[list[bytes], list[bytes]]:
    key = ed25519.Ed25519PrivateKey.from_private_bytes(KEY)
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    signature = key.sign(TEXT[:100])
    digest = hashlib.sha512(KEY).digest()
    a = clamped(digest)
    r = int.from_bytes(hashlib.sha512(digest[32:] + TEXT[:100]).digest(), "little") % L
    data = signature[:32] + public + TEXT[:100]
    k = int.from_bytes(hashlib.sha512(data).digest(), "little") % L
    numbers = [a, a % L, r, k * a % L, (a << 256) % L]
    return [KEY, public, TEXT[:100]], [KEY, digest[32:], *map(words, numbers)]


def x25519_shared() -> tuple[list[bytes], list[bytes]]:
    peer = b"\x09" + bytes(31)
    key = x25519.X25519PrivateKey.from_private_bytes(KEY)
    shared = key.exchange(x25519.X25519PublicKey.from_public_bytes(peer))
    return [KEY, peer], [KEY, shared, words(clamped(KEY))]


def ecb(key: bytes, block: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def forms(data: bytes) -> list[bytes]:
    """Return a value as it is, with its words turned, and turned as a whole."""
    turned = b"".join(data[i : i + 4][::-1] for i in range(0, len(data), 4))
    return [data, turned, data[::-1]]


def aes(inputs: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    keys = [KEY[:16], *expanded(KEY[:16])]
    return inputs, [form for key in keys for form in forms(key)[:2]]


def gcm() -> tuple[list[bytes], list[bytes]]:
    inputs, needles = aes([KEY[:16], IV[:12], TEXT])
    stream = [ecb(KEY[:16], IV[:12] + n.to_bytes(4, "big")) for n in (1, 2, 40, 64)]
    return inputs, needles + forms(ecb(KEY[:16], bytes(16))) + stream


def ccm() -> tuple[list[bytes], list[bytes]]:
    inputs, needles = aes([KEY[:16], IV[:12], TEXT])
    counters = [bytes([2]) + IV[:12] + n.to_bytes(3, "big") for n in (0, 1, 2, 40, 62)]
    return inputs, needles + [ecb(KEY[:16], counter) for counter in counters]


def cmac() -> tuple[list[bytes], list[bytes]]:
    inputs, needles = aes([KEY[:16], TEXT])
    subkey = ecb(KEY[:16], bytes(16))
    doubled = int.from_bytes(subkey, "big") << 1
    doubled ^= (doubled >> 128) * (1 << 128 | 0x87)
    return inputs, needles + forms(subkey) + forms(doubled.to_bytes(16, "big"))


def xts() -> tuple[list[bytes], list[bytes]]:
    inputs, needles = aes([KEY, IV, TEXT])
    of_tweak = [form for key in expanded(KEY[16:]) for form in forms(key)[:2]]
    return inputs, needles + of_tweak + forms(ecb(KEY[16:], IV))


def chacha() -> tuple[list[bytes], list[bytes]]:
    nonce_of = bytes(4) + IV[:12]
    stream = Cipher(algorithms.ChaCha20(KEY, nonce_of), None).encryptor().update(bytes(64 * 17))
    r = bytearray(stream[:16])
    blocks = [stream[64 * n + 16 * i :][:16] for n in (1, 8, 16) for i in range(4)]
    for i in (3, 7, 11, 15):
        r[i] &= 15
    for i in (4, 8, 12):
        r[i] &= 252
    return [KEY, IV[:12], TEXT], [KEY[:16], KEY[16:], bytes(r), stream[16:32], *blocks]


def hmac_of(block: int) -> tuple[list[bytes], list[bytes]]:
    pads = [bytes(byte ^ change for byte in KEY) for change in (0x36, 0x5C)]
    wide = [b"".join(pad[i : i + 8][::-1] for i in range(0, 32, 8)) for pad in pads]
    inner = hashlib.sha256(pads[0] + b"\x36" * (block - 32) + TEXT).digest()
    needles = [form for pad in pads for form in forms(pad)] + wide + forms(inner)
    return [KEY, TEXT], [KEY, *needles]


OPERATIONS = {
    **{f"{name}_sign": partial(sign, curve) for name, curve in CURVES.items()},
    **{
        f"{name}_{word}": partial(ecdh, curve)
        for name, curve in CURVES.items()
        for word in ("public_key", "ecdh")
    },
    "ed25519_sign": ed25519_sign,
    "ed25519_public": lambda: ([KEY], ed25519_sign()[1]),
    "x25519": x25519_shared,
    "x25519_public": lambda: ([KEY], [KEY, words(clamped(KEY)), words(clamped(KEY) % L)]),
    "hmac": lambda: hmac_of(64),
    "hmac_sha512": lambda: hmac_of(128),
    "hmac_sha3": lambda: hmac_of(136),
    "hash": lambda: ([TEXT], [TEXT[i : i + 16] for i in range(0, 984, 8)]),
    "shake": lambda: ([KEY], forms(KEY)),
    "hkdf": lambda: ([KEY], forms(reference_hmac.digest(bytes(32), KEY, "sha256"))),
    "gcm": gcm,
    "ccm": ccm,
    "cmac": cmac,
    "xts": xts,
    "chacha20": lambda: (chacha()[0], [KEY[:16], KEY[16:], *chacha()[1][4:]]),
    "chacha": chacha,
    "ascon": lambda: ([KEY[:16], IV, TEXT], [KEY[:16], KEY[:8], KEY[8:16]]),
    "aes_ctr": lambda: aes([KEY[:16], IV, TEXT]),
    "aes_table_cbc": lambda: aes([KEY[:16], IV, TEXT[:992]]),
    "aes_compact": lambda: aes([KEY[:16], IV, TEXT[:992]]),
    "drbg_stream": drbg,
}
IN_PARTS = (
    "hash", "hmac", "hmac_sha512", "hmac_sha3", "shake", "gcm", "ccm", "cmac", "xts", "chacha20",
    "chacha", "ascon", "aes_ctr", "aes_table_cbc", "aes_compact",
)  # fmt: skip
OPERATIONS |= {
    f"{name}_{end}": OPERATIONS[name] for name in IN_PARTS for end in ("stream", "abort")
}


def results(compiler: str, optimise: str) -> dict[str, tuple[int, int]]:
    """Return how many secrets were found, and the bytes that were not wiped, by operation."""
    found = {}
    for name, make in OPERATIONS.items():
        inputs, needles = make()
        command = [name, *[data.hex() for data in inputs], ":", *[data.hex() for data in needles]]
        status, _, *counts = tools.run([program(compiler, optimise), *command]).split()
        assert status == "0", name
        assert len(counts) == len(needles) + 1
        found[name] = (sum(map(int, counts[:-1])), int(counts[-1]))
    return found


@pytest.mark.parametrize("optimise", ["-O2", "-O3"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_secret_is_found(compiler, optimise):
    assert {n: r for n, r in results(compiler, optimise).items() if r != (0, 0)} == {}
