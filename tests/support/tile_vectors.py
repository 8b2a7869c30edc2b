"""Published vectors for the algorithms of the tile, in one form, from files of NIST and the RFCs.

NIST's CAVP: AES in ECB, CBC, GCM, CCM and XTS, SHA-2, SHA-3, SHAKE. NIST's examples for SP 800-38B
and SP 800-185: CMAC, cSHAKE, KMAC. RFCs: 3686 for CTR, 4231 for HMAC, 8439 for ChaCha20 and
Poly1305. The designers' known answers for SP 800-232: Ascon.
"""

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cryptography_vectors

from support import ascon_vectors, nist_aes, nist_modes, nist_sha2, rfc4231, wycheproof

_ROOT = Path(cryptography_vectors.__file__).parent
_AES = _ROOT / "ciphers/AES"
BITS = (128, 192, 256)


@dataclass(frozen=True)
class Vector:
    """What goes into an algorithm and what must come out.

    ``out`` is None when the vector says that the tag is wrong.
    """

    alg: str
    key: bytes = b""
    iv: bytes = b""
    aad: bytes = b""
    text: bytes = b""
    out: bytes | None = b""
    tag: bytes = b""

    def pack(self) -> bytes:
        """Return it as the selftest program reads it from its input."""
        parts = (self.key, self.iv, self.aad, self.text, self.out or b"", self.tag)
        head = struct.pack("<32s7I", self.alg.encode(), self.out is None, *map(len, parts))
        return head + b"".join(parts)


def files() -> dict[str, list[Vector]]:
    """Return all vectors by algorithm."""
    found: dict[str, list[Vector]] = {}
    for vector in _all():
        found.setdefault(vector.alg, []).append(vector)
    return found


def _all() -> Iterator[Vector]:
    for bits in BITS:
        yield from _modes(bits)
    for mode, found in (("gcm", nist_modes.gcm(1)), ("ccm", nist_modes.ccm(1))):
        for item in found:
            alg = f"aes-{8 * len(item.key)}-{mode}"
            ends = (item.plain, item.cipher) if item.valid else (item.cipher, None)
            yield Vector(alg, item.key, item.iv, item.aad, *ends, item.tag)
    for item in nist_modes.cmac():
        yield Vector(f"aes-{8 * len(item.key)}-cmac", item.key, text=item.plain, tag=item.tag)
    for item in nist_modes.xts(1):
        alg = f"aes-{4 * len(item.key)}-xts"
        yield Vector(alg, item.key, item.iv, b"", item.plain, item.cipher)
    yield from _hashes()
    yield from _sp800_185()
    yield from _chacha()
    yield from _ascon()


def _modes(bits: int) -> Iterator[Vector]:
    for mode in ("ECB", "CBC", "CTR"):
        paths = [*_AES.glob(f"{mode}/{mode}*{bits}.rsp"), *_AES.glob(f"{mode}/aes-{bits}-ctr.txt")]
        for path in sorted(paths):
            for _, item in nist_aes.vectors(path):
                alg = f"aes-{bits}-{mode.lower()}"
                yield Vector(
                    alg,
                    item["KEY"],
                    item.get("IV", b""),
                    b"",
                    item["PLAINTEXT"],
                    item["CIPHERTEXT"],
                )


_SHA2 = ("sha224", "sha256", "sha384", "sha512", "sha512-224", "sha512-256")


def _hashes() -> Iterator[Vector]:
    for alg in (*_SHA2, *(f"sha3-{bits}" for bits in (224, 256, 384, 512))):
        for kind in ("Short", "Long"):
            for text, digest in nist_sha2.messages(alg.replace("-", "_"), kind):
                yield Vector(alg, text=text, tag=digest)
    for bits in (128, 256):
        folder = _ROOT / "hashes/SHAKE"
        for kind in ("ShortMsg", "LongMsg"):
            for item in _fields(folder / f"SHAKE{bits}{kind}.rsp"):
                text = item["msg"][: int(item["len"]) // 8]
                yield Vector(f"shake{bits}", text=text, tag=item["output"])
        for item in _fields(folder / f"SHAKE{bits}VariableOut.rsp"):
            yield Vector(f"shake{bits}", text=item["msg"], tag=item["output"])
    for bits in (224, 256, 384, 512):
        for key, text, code in rfc4231.vectors(f"sha{bits}"):
            yield Vector(f"hmac-sha{bits}", key, text=text, tag=code)


_KEY = bytes(range(0x40, 0x60))
_SHORT, _LONG = bytes(range(4)), bytes(range(200))
_TAGGED = b"My Tagged Application"
_SP800_185 = (
    ("cshake128", b"", b"Email Signature", _SHORT,
     "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"),
    ("cshake128", b"", b"Email Signature", _LONG,
     "c5221d50e4f822d96a2e8881a961420f294b7b24fe3d2094baed2c6524cc166b"),
    ("cshake256", b"", b"Email Signature", _SHORT,
     "d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd1"
     "64020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c"),
    ("cshake256", b"", b"Email Signature", _LONG,
     "07dc27b11e51fbac75bc7b3c1d983e8b4b85fb1defaf218912ac864302730917"
     "27f42b17ed1df63e8ec118f04b23633c1dfb1574c8fb55cb45da8e25afb092bb"),
    ("kmac128", _KEY, b"", _SHORT,
     "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
    ("kmac128", _KEY, _TAGGED, _SHORT,
     "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"),
    ("kmac128", _KEY, _TAGGED, _LONG,
     "1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230"),
    ("kmac256", _KEY, _TAGGED, _SHORT,
     "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
     "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd"),
    ("kmac256", _KEY, b"", _LONG,
     "75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691"
     "589d27cf5e15369cbbff8b9a4c2eb17800855d0235ff635da82533ec6b759b69"),
    ("kmac256", _KEY, _TAGGED, _LONG,
     "b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d9"
     "70fbacfde50033aea585f1a2708510c32d07880801bd182898fe476876fc8965"),
    ("kmacxof128", _KEY, b"", _SHORT,
     "cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35"),
    ("kmacxof128", _KEY, _TAGGED, _SHORT,
     "31a44527b4ed9f5c6101d11de6d26f0620aa5c341def41299657fe9df1a3b16c"),
    ("kmacxof128", _KEY, _TAGGED, _LONG,
     "47026c7cd793084aa0283c253ef658490c0db61438b8326fe9bddf281b83ae0f"),
    ("kmacxof256", _KEY, _TAGGED, _SHORT,
     "1755133f1534752aad0748f2c706fb5c784512cab835cd15676b16c0c6647fa9"
     "6faa7af634a0bf8ff6df39374fa00fad9a39e322a7c92065a64eb1fb0801eb2b"),
    ("kmacxof256", _KEY, b"", _LONG,
     "ff7b171f1e8a2b24683eed37830ee797538ba8dc563f6da1e667391a75edc02c"
     "a633079f81ce12a25f45615ec89972031d18337331d24ceb8f8ca8e6a19fd98b"),
    ("kmacxof256", _KEY, _TAGGED, _LONG,
     "d5be731c954ed7732846bb59dbe3a8e30f83e77a4bff4459f2f1c2b4ecebb8ce"
     "67ba01c62e8ab8578d2d499bd1bb276768781190020a306a97de281dcc30305d"),
)  # fmt: skip


def _sp800_185() -> Iterator[Vector]:
    for alg, key, custom, text, answer in _SP800_185:
        yield Vector(alg, key, aad=custom, text=text, tag=bytes.fromhex(answer))


def _chacha() -> Iterator[Vector]:
    for item in _fields(_ROOT / "ciphers/ChaCha20/rfc7539.txt"):
        iv = struct.pack("<I", int(item["initial_block_counter"])) + item["nonce"]
        yield Vector("chacha20", item["key"], iv, b"", item["plaintext"], item["ciphertext"])
    for item in _fields(_ROOT / "poly1305/rfc7539.txt"):
        yield Vector("poly1305", item["key"], text=item["msg"], tag=item["tag"])
    for item in _fields(_ROOT / "ciphers/ChaCha20Poly1305/openssl.txt"):
        if len(item["iv"]) == 12 and len(item["tag"]) == 16:
            wrong = b"CIPHERFINAL_ERROR" in item.values()
            text = item["ciphertext" if wrong else "plaintext"]
            out = None if wrong else item["ciphertext"]
            yield Vector(
                "chacha20-poly1305", item["key"], item["iv"], item["aad"], text, out, item["tag"]
            )


def _ascon() -> Iterator[Vector]:
    for key, nonce, aad, text, out in ascon_vectors.aead128():
        yield Vector("ascon-aead128", key, nonce, aad, text, out[:-16], out[-16:])
    for text, digest in ascon_vectors.hash256():
        yield Vector("ascon-hash256", text=text, tag=digest)
    for text, output in ascon_vectors.xof128():
        yield Vector("ascon-xof128", text=text, tag=output)
    for text, custom, output in ascon_vectors.cxof128():
        yield Vector("ascon-cxof128", aad=custom, text=text, tag=output)


_NUMBERS = {"len", "initial_block_counter"}


def _fields(path: Path) -> Iterator[dict[str, bytes]]:
    """Yield the fields of each vector, in lower case: a blank line ends a vector.

    Numbers stay text.
    """
    fields: dict[str, bytes] = {}
    for raw in [*path.read_text().splitlines(), ""]:
        line = raw.strip()
        if line.startswith("#"):
            continue
        for name, value in _pairs(line):
            fields[name] = value
        if not line:
            if fields.keys() & {"output", "tag", "ciphertext"}:
                yield fields
            fields = {}


def _pairs(line: str) -> Iterator[tuple[str, bytes]]:
    for part in line.strip("[]").replace(":", "=", 1).split(","):
        name, equals, value = (text.strip() for text in part.partition("="))
        if not equals:
            continue
        name = name.lower()
        if name in _NUMBERS:
            yield name, value.encode()
        else:
            try:
                yield name, bytes.fromhex(value.strip('"'))
            except ValueError:
                yield name, value.encode()


_KMAC = {bits: f"kmac{bits}_no_customization_test.json" for bits in (128, 256)}
_HMAC = {name: f"hmac_{name.replace('-', '_')}_test.json" for name in _SHA2}


def from_wycheproof() -> list[Vector]:
    """Return the vectors of Wycheproof that no other test of the tile's engines has.

    GMAC, which is GCM without a message, XTS, and the long keys of HMAC and KMAC.
    """
    found = []
    for test in _tests("aes_gmac_test.json"):
        alg, wrong = f"aes-{8 * len(test['key'])}-gcm", test["wrong"]
        out = None if wrong else b""
        found.append(Vector(alg, test["key"], test["iv"], test["msg"], b"", out, test["tag"]))
    for test in _tests("aes_xts_test.json"):
        if len(test["key"]) != 48:  # AES-192-XTS is not in IEEE 1619
            alg, tweak = f"aes-{4 * len(test['key'])}-xts", test["iv"].ljust(16, b"\0")
            found.append(Vector(alg, test["key"], tweak, b"", test["msg"], test["ct"]))
    macs = {f"kmac{bits}": name for bits, name in _KMAC.items()}
    macs |= {f"hmac-{sha2}": name for sha2, name in _HMAC.items()}
    for alg, name in macs.items():
        for test in _tests(name):
            if len(test["key"]) > 64:
                out = None if test["wrong"] else b""
                found.append(Vector(alg, test["key"], text=test["msg"], out=out, tag=test["tag"]))
    return found


def _tests(name: str) -> Iterator[dict[str, bytes]]:
    for group in wycheproof.load(name)["testGroups"]:
        for test in group["tests"]:
            names = test.keys() & {"key", "iv", "msg", "ct", "tag"}
            fields = {name: bytes.fromhex(test[name]) for name in names}
            yield {**fields, "wrong": b"wrong" if test["result"] == "invalid" else b""}


def stream(vectors: Iterable[Vector]) -> bytes:
    """Return vectors as the selftest program's input."""
    return b"".join(vector.pack() for vector in vectors)
