"""What the user asked to encrypt or decrypt, checked before anything is simulated."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cryptile.errors import UsageError

BLOCK_BYTES = 16
KEY_BYTES = {"aes-128": 16, "aes-192": 24, "aes-256": 32}
MODES = ("ecb", "cbc", "ctr")
ALGORITHMS = tuple(f"{cipher}-{mode}" for cipher in KEY_BYTES for mode in MODES)
"""The words for ``--alg``, as in ``openssl enc``."""


class Direction(StrEnum):
    """Which way to go."""

    encrypt = "encrypt"
    decrypt = "decrypt"


class Padding(StrEnum):
    """How ECB and CBC fill the last block; ``pkcs7`` (RFC 5652, section 6.3) is OpenSSL's way."""

    pkcs7 = "pkcs7"
    none = "none"


@dataclass(frozen=True)
class Request:
    """A checked request.

    Attributes:
        direction: encrypt or decrypt.
        cipher: ``aes-128``, ``aes-192`` or ``aes-256``.
        mode: ``ecb``, ``cbc`` or ``ctr``.
        key: 16, 24 or 32 bytes.
        iv: 16 bytes; zeros for ECB, which has none.
        padding: of ECB and CBC; ``none`` for CTR.
        source: the file to read.
        output: the file to make.
    """

    direction: Direction
    cipher: str
    mode: str
    key: bytes
    iv: bytes
    padding: Padding
    source: Path
    output: Path

    @property
    def alg(self) -> str:
        """The algorithm as in ``--alg``."""
        return f"{self.cipher}-{self.mode}"


def check(
    direction: Direction,
    alg: str,
    key: str,
    iv: str | None,
    padding: Padding,
    source: Path,
    output: Path,
    *,
    force: bool,
) -> Request:
    """Check every input and return the request.

    Raises:
        UsageError: one line that says what is wrong.
    """
    if alg not in ALGORITHMS:
        raise UsageError(f"unknown algorithm {alg!r}; known: {', '.join(ALGORITHMS)}")
    cipher, mode = alg.rsplit("-", 1)
    key_bytes = _hex("key", key)
    if len(key_bytes) != KEY_BYTES[cipher]:
        raise UsageError(
            f"--key has {len(key_bytes)} bytes; {cipher} needs {KEY_BYTES[cipher]} "
            f"({2 * KEY_BYTES[cipher]} hexadecimal digits)"
        )
    request = Request(
        direction,
        cipher,
        mode,
        key_bytes,
        _check_iv(mode, iv),
        Padding.none if mode == "ctr" else padding,
        source,
        output,
    )
    _check_files(request, force=force)
    _check_length(request, source.stat().st_size)
    return request


def _hex(name: str, text: str) -> bytes:
    try:
        if any(character.isspace() for character in text):
            raise ValueError
        return bytes.fromhex(text)
    except ValueError:
        raise UsageError(f"--{name} is not an even number of hexadecimal digits") from None


def _check_iv(mode: str, iv: str | None) -> bytes:
    if mode == "ecb":
        if iv is not None:
            raise UsageError("ECB takes no IV: leave --iv out")
        return bytes(BLOCK_BYTES)
    if iv is None:
        raise UsageError(f"{mode.upper()} needs --iv with 32 hexadecimal digits")
    value = _hex("iv", iv)
    if len(value) != BLOCK_BYTES:
        raise UsageError(f"--iv has {len(value)} bytes; {mode.upper()} needs {BLOCK_BYTES}")
    return value


def _check_files(request: Request, *, force: bool) -> None:
    source, output = request.source, request.output
    if not source.exists():
        raise UsageError(f"no such file: {source}")
    if not source.is_file():
        raise UsageError(f"not a regular file: {source}")
    try:
        source.open("rb").close()
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    if output.is_dir():
        raise UsageError(f"the output is a folder: {output}")
    if not output.parent.is_dir():
        raise UsageError(f"no such folder: {output.parent}")
    if output.exists():
        if output.samefile(source):
            raise UsageError("input and output are the same file")
        if not force:
            raise UsageError(f"{output} exists already: choose another name or add --force")


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
                f"{request.source} has {length} bytes, not a multiple of {BLOCK_BYTES}: it {why}"
            )
        if length == 0 and request.padding is Padding.pkcs7:
            raise UsageError(f"{request.source} is empty: padded ciphertext has at least 16 bytes")
