"""What the user asked to encrypt or decrypt, checked before anything is simulated."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from cryptile import catalog
from cryptile.catalog import Kind
from cryptile.crypt import destination
from cryptile.crypt.source import check_readable, named
from cryptile.errors import UsageError

BLOCK_BYTES = 16
KEY_BYTES = {"aes-128": 16, "aes-192": 24, "aes-256": 32}
MODES = ("ecb", "cbc", "ctr")
ALGORITHMS = {
    "mcu": tuple(f"{cipher}-{mode}" for cipher in KEY_BYTES for mode in MODES),
    "stream": tuple(
        name
        for name, alg in catalog.algorithms().items()
        if alg.engine in catalog.system("stream").options["engine"].words
        and alg.family.kind in (Kind.cipher, Kind.aead)
    ),
}
"""The words for ``--alg``, as in ``openssl enc``, by system-on-chip."""

MAX_STREAM_BYTES = 4 << 20
"""The longest message of the stream SoC: it is held back as a whole until the tag is checked."""

MAX_AAD_BYTES = 64


class Direction(StrEnum):
    """Which way to go."""

    encrypt = "encrypt"
    decrypt = "decrypt"
    digest = "digest"
    verify = "verify"
    sign = "sign"
    agree = "agree"
    keygen = "keygen"
    random = "random"

    @classmethod
    def of_ciphers(cls) -> tuple["Direction", ...]:
        """Return those of ciphers, hash functions and authentication codes."""
        return cls.encrypt, cls.decrypt, cls.digest, cls.verify


class Padding(StrEnum):
    """How ECB and CBC fill the last block; ``pkcs7`` (RFC 5652, section 6.3) is OpenSSL's way."""

    pkcs7 = "pkcs7"
    none = "none"


@dataclass(frozen=True)
class Sealed:
    """A key that only the tile can open.

    Attributes:
        path: of the token, for messages.
        token: the wrapped key, as the tile's manual has it.
        wrapping_key: that firmware would have left in the simulated tile.
    """

    path: Path
    token: bytes = field(repr=False)
    wrapping_key: bytes = field(repr=False)


@dataclass(frozen=True)
class Given:
    """What stands on the command line, not checked yet: keys and such in hexadecimal.

    Attributes: as of ``Request``; ``alg`` is the word of ``--alg``, ``length`` None if not given.
    """

    direction: Direction
    alg: str
    source: Path
    key: str | None = field(default=None, repr=False)
    output: Path | None = None
    iv: str | None = None
    aad: str | None = None
    tag: str | None = field(default=None, repr=False)
    length: int | None = None
    padding: Padding = Padding.pkcs7
    force: bool = False
    sealed: Sealed | None = None


@dataclass(frozen=True)
class Request:
    """A checked request.

    Attributes:
        direction: encrypt or decrypt; on the tile also digest and verify.
        cipher: ``aes-128``, ``aes-192`` or ``aes-256``; not on the mcu the whole name.
        mode: ``ecb``, ``cbc`` or ``ctr``; not on the mcu nothing.
        key: as long as the algorithm's.
        iv: likewise; zeros for ECB, which has none.
        padding: of ECB and CBC; ``none`` for the others.
        source: the file to read.
        output: the file to make; None: what a digest makes is printed.
        aad: associated data, or the customization string of cSHAKE and KMAC.
        tag: what to compare with.
        length: bytes of tag, digest, code or output, on the tile.
        force: whether the output may be there already.
        sealed: in the place of the key, on linux.
    """

    direction: Direction
    cipher: str
    mode: str
    key: bytes = field(repr=False)
    iv: bytes
    padding: Padding
    source: Path
    output: Path | None
    aad: bytes = b""
    tag: bytes = field(default=b"", repr=False)
    length: int = 0
    force: bool = False
    sealed: Sealed | None = None

    @property
    def alg(self) -> str:
        """The algorithm as in ``--alg``."""
        return f"{self.cipher}-{self.mode}" if self.mode else self.cipher


def check(given: Given, soc: str) -> Request:
    """Check every input and return the request, for the systems but the tile.

    Args:
        given: what to check; the system has its algorithm.
        soc: the system.

    Raises:
        UsageError: one line that says what is wrong.
    """
    alg, direction = given.alg, given.direction
    if given.tag is not None or given.length is not None:
        raise UsageError("--tag and --length are for --soc tile")
    if direction not in (Direction.encrypt, Direction.decrypt):
        raise UsageError(f"{alg} on {soc} can encrypt or decrypt, not {direction}")
    if given.key is None or given.output is None:
        raise UsageError(f"{alg} needs --{'key' if given.key is None else 'output'}")
    if given.aad is not None and not _takes_aad(alg):
        raise UsageError(f"{alg} takes no associated data: leave --aad out")
    return _stream(given, given.key) if soc == "stream" else _aes(given, given.key)


def _aes(given: Given, key: str) -> Request:
    cipher, mode = given.alg.rsplit("-", 1)
    key_bytes = from_hex("key", key)
    if len(key_bytes) != KEY_BYTES[cipher]:
        raise UsageError(
            f"{called('key')} has {len(key_bytes)} bytes; {cipher} needs {KEY_BYTES[cipher]} "
            f"({2 * KEY_BYTES[cipher]} hexadecimal digits)"
        )
    request = Request(
        given.direction,
        cipher,
        mode,
        key_bytes,
        _check_iv(mode, given.iv),
        Padding.none if mode == "ctr" else given.padding,
        given.source,
        given.output,
        force=given.force,
    )
    check_files(request)
    _check_length(request, given.source.stat().st_size)
    return request


def _takes_aad(alg: str) -> bool:
    known = catalog.algorithms().get(alg)
    return known is not None and known.family.aad == "data"


def _stream(given: Given, key: str) -> Request:
    known = catalog.algorithms()[given.alg]
    request = Request(
        given.direction,
        given.alg,
        "",
        from_hex("key", key),
        from_hex("iv", given.iv or ""),
        Padding.none,
        given.source,
        given.output,
        from_hex("aad", given.aad or ""),
        force=given.force,
    )
    (iv_bytes,) = known.family.iv if isinstance(known.family.iv, tuple) else (0,)
    for name, value, wanted in (
        ("key", request.key, known.key or 0),
        ("iv", request.iv, iv_bytes),
    ):
        if len(value) != wanted:
            raise UsageError(f"{called(name)} has {len(value)} bytes; {given.alg} needs {wanted}")
    if len(request.aad) > MAX_AAD_BYTES:
        raise UsageError(f"--aad has {len(request.aad)} bytes; {MAX_AAD_BYTES} are the most")
    check_files(request)
    tag = known.mode.tag or 0 if request.direction is Direction.decrypt else 0
    _check_stream_length(request, given.source.stat().st_size, tag)
    return request


def _check_stream_length(request: Request, length: int, tag: int) -> None:
    if length < tag:
        raise UsageError(f"{named(request.source)} has {length} bytes: it is truncated")
    if length - tag > MAX_STREAM_BYTES:
        raise UsageError(
            f"{named(request.source)} has more than {MAX_STREAM_BYTES} bytes of message"
        )


def called(option: str) -> str:
    """Return what a reader calls the value of an option: a key comes from several places."""
    return "the key" if option == "key" else f"--{option}"


def from_hex(name: str, text: str) -> bytes:
    """Return the bytes of an option.

    Raises:
        UsageError: they are no hexadecimal digits.
    """
    try:
        if any(character.isspace() for character in text):
            raise ValueError
        return bytes.fromhex(text)
    except ValueError:
        raise UsageError(f"{called(name)} is not an even number of hexadecimal digits") from None


def _check_iv(mode: str, iv: str | None) -> bytes:
    if mode == "ecb":
        if iv is not None:
            raise UsageError("ECB takes no IV: leave --iv out")
        return bytes(BLOCK_BYTES)
    if iv is None:
        raise UsageError(f"{mode.upper()} needs --iv with 32 hexadecimal digits")
    value = from_hex("iv", iv)
    if len(value) != BLOCK_BYTES:
        raise UsageError(f"--iv has {len(value)} bytes; {mode.upper()} needs {BLOCK_BYTES}")
    return value


def check_files(request: Request) -> None:
    """Check that the source can be read and the output be made.

    Raises:
        UsageError: one line that says what is wrong.
    """
    source, output = request.source, request.output
    check_readable(source)
    if output is not None:
        destination.check(output, source, force=request.force)


def _check_length(request: Request, length: int) -> None:
    if request.mode == "ctr":
        return
    if request.direction is Direction.decrypt or request.padding is Padding.none:
        if length % BLOCK_BYTES:
            why = (
                "is truncated or no ciphertext of this mode"
                if request.direction is Direction.decrypt
                else "needs padding: use --padding pkcs7 or CTR"
            )
            raise UsageError(
                f"{named(request.source)} has {length} bytes, "
                f"not a multiple of {BLOCK_BYTES}: it {why}"
            )
        if length == 0 and request.padding is Padding.pkcs7:
            raise UsageError(
                f"{named(request.source)} is empty: padded ciphertext has at least 16 bytes"
            )
