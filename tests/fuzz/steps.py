"""A step of a sequence: one call with all its data, in a form that a model and a machine can read.

Arguments are integers (0 is a null pointer too) or one of the types here. A key is a variable that
an earlier step has set, so a step means something also when steps before it are taken out.
"""

from typing import NamedTuple

CONTEXTS = (
    "cipher", "chacha20", "xts", "aead", "hash", "hmac", "cmac", "xof", "kmac", "ascon",
    "drbg",
    "psa_hash", "psa_xof", "psa_mac", "psa_cipher", "psa_aead",
    "psa_derivation",
)  # fmt: skip
COPIES = 3
"""Contexts of each kind."""
KEYS = 10
"""Variables for identifiers of keys."""


class At(NamedTuple):
    """A pointer into a region of the step."""

    region: int
    offset: int


class Ctx(NamedTuple):
    """A pointer to a context, which lives as long as the sequence."""

    kind: str
    number: int


class Name(NamedTuple):
    """The address of a symbol."""

    symbol: str


class Wide(NamedTuple):
    """A number of 64 bits, which takes two registers of 32."""

    value: int


class Key(NamedTuple):
    """The identifier in a variable; 0 as long as nothing has set it."""

    number: int


class Size(NamedTuple):
    """A pointer to a size_t for output, which holds a value before."""

    before: int


class NewKey(NamedTuple):
    """A pointer to a key identifier for output, which goes into a variable."""

    number: int


class NewAttributes(NamedTuple):
    """A pointer to attributes for output."""


class CipherParams(NamedTuple):
    """A pointer to a cryptile_cipher_params_t."""

    mode: int
    direction: int
    padding: int
    key: At | int
    key_len: int
    iv: At | int


class AeadParams(NamedTuple):
    """A pointer to a cryptile_aead_params_t."""

    key: At | int
    key_len: int
    nonce: At | int
    nonce_len: int
    tag_len: int


class RsaKey(NamedTuple):
    """A pointer to a cryptile_rsa_public_key_t."""

    modulus: At | int
    modulus_len: int
    exponent: int


class Attributes(NamedTuple):
    """A pointer to a psa_key_attributes_t."""

    type: int
    usage: int
    alg: int
    bits: int
    lifetime: int = 0


class Step(NamedTuple):
    """A call. ``copy`` and ``clear`` are no functions: they copy and zero contexts."""

    function: str
    args: tuple
    regions: tuple[bytes, ...] = ()
    random: tuple[int, int] = (0, 9)
    """Seed of the source of random numbers, and how many calls of it work."""

    def __str__(self):
        regions = [
            region.hex() if len(region) <= 96 else f"{region[:40].hex()}... ({len(region)} bytes)"
            for region in self.regions
        ]
        return f"{self.function}{self.args} regions={regions} random={self.random}"


class Result(NamedTuple):
    """What a machine did."""

    value: int
    regions: tuple[bytes, ...]
    outs: list
    """Of the pointers to outputs, in the order of the arguments."""
    context: bytes
    """The context that is the first argument."""


LAYOUTS = {
    CipherParams: "iiipwp",
    AeadParams: "pwpww",
    RsaKey: "pwi",
    Attributes: "hiiwi",
}
_SIZES = {"h": 2, "i": 4}


def pack(kind, values, word):
    """Return a struct as the C compiler lays it out, for words (and pointers) of so many bytes."""
    data = b""
    for letter, value in zip(LAYOUTS[kind], values, strict=True):
        size = _SIZES.get(letter, word)
        data += bytes(-len(data) % size)
        data += (value & (1 << 8 * size) - 1).to_bytes(size, "little")
    return data + bytes(-len(data) % (word if "w" in LAYOUTS[kind] else 4))


def unpack(kind, data, word):
    """Read such a struct."""
    values, at = [], 0
    for letter in LAYOUTS[kind]:
        size = _SIZES.get(letter, word)
        at += -at % size
        values.append(int.from_bytes(data[at : at + size], "little"))
        at += size
    return tuple(values)
