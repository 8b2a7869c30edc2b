"""What the user asked the crypto tile to do, checked before anything is simulated."""

from collections.abc import Container

from cryptile import catalog
from cryptile.catalog import Kind
from cryptile.crypt.request import (
    Direction,
    Given,
    Padding,
    Request,
    called,
    check_files,
    from_hex,
)
from cryptile.crypt.source import named
from cryptile.crypt.tile_algorithms import ALGORITHMS, MAX_VERIFIED, Algorithm
from cryptile.errors import UsageError

BLOCK_BYTES = 16
_WORDS = {
    Kind.cipher: (Direction.encrypt, Direction.decrypt),
    Kind.aead: (Direction.encrypt, Direction.decrypt),
    Kind.hash: (Direction.digest,),
    Kind.xof: (Direction.digest,),
    Kind.mac: (Direction.digest, Direction.verify),
}
"""Which directions there are for what."""

_NOUNS = {
    Kind.cipher: "a cipher",
    Kind.aead: "an authenticated cipher",
    Kind.hash: "a hash function",
    Kind.xof: "an extendable-output function",
    Kind.mac: "a message authentication code",
}


def check(given: Given) -> Request:
    """Check every input, for an algorithm of the tile, and return the request.

    Raises:
        UsageError: one line that says what is wrong.
    """
    alg, direction = given.alg, given.direction
    known = ALGORITHMS[alg]
    if direction not in _WORDS[known.kind]:
        words = " or ".join(_WORDS[known.kind])
        raise UsageError(f"{alg} is {_NOUNS[known.kind]}: say {words}, not {direction}")
    size = _length(given.length, known)
    request = Request(
        direction,
        alg,
        "",
        b"" if given.sealed else _bytes("key", given.key, known.keys, known),
        _bytes("iv", given.iv, known.ivs, known),
        given.padding if known.block > 1 else Padding.none,
        given.source,
        given.output,
        _aad(given.aad, known),
        _tag(given.tag, direction, size),
        size,
        given.force,
        given.sealed,
    )
    if direction is Direction.verify and given.output is not None:
        raise UsageError("verify makes no file: leave --output out")
    if direction in (Direction.encrypt, Direction.decrypt) and given.output is None:
        raise UsageError(f"{direction} needs --output")
    check_files(request)
    _check_length(request, known, given.source.stat().st_size)
    return request


def _bytes(name: str, text: str | None, lengths: Container[int], alg: Algorithm) -> bytes:
    if text is None:
        if 0 not in lengths:
            raise UsageError(f"{alg.name} needs --{name} with {_say(lengths)} bytes")
        return b""
    if lengths == (0,):
        raise UsageError(f"{alg.name} takes no {name}: leave --{name} out")
    value = from_hex(name, text)
    if len(value) not in lengths:
        raise UsageError(f"{called(name)} has {len(value)} bytes; {alg.name} needs {_say(lengths)}")
    return value


def _aad(text: str | None, alg: Algorithm) -> bytes:
    if text is None:
        return b""
    if not alg.aad:
        raise UsageError(f"{alg.name} takes no associated data: leave --aad out")
    value = from_hex("aad", text)
    if len(value) > alg.aad:
        raise UsageError(f"--aad has {len(value)} bytes; {alg.aad} are the most")
    return value


def _tag(text: str | None, direction: Direction, length: int) -> bytes:
    if direction is not Direction.verify:
        if text is not None:
            raise UsageError("--tag is for verify; the tag of a file stands behind its ciphertext")
        return b""
    if text is None:
        raise UsageError("verify needs --tag with the code to compare with")
    value = from_hex("tag", text)
    if len(value) != length:
        raise UsageError(
            f"--tag has {len(value)} bytes, not {length}: a code is full unless --length is given"
        )
    if length > MAX_VERIFIED:
        raise UsageError(f"--tag has {length} bytes; {MAX_VERIFIED} are the most")
    return value


def _length(length: int | None, alg: Algorithm) -> int:
    if length is None:
        return alg.tag
    if not alg.tag:
        raise UsageError(f"{alg.name} makes no tag: leave --length out")
    if length not in alg.tags:
        raise UsageError(f"--length is {length}; {alg.name} has {_say(alg.tags)} bytes")
    return length


def _say(lengths: Container[int]) -> str:
    """Name lengths for a reader."""
    if isinstance(lengths, range):
        step = "" if lengths.step == 1 else f" in steps of {lengths.step}"
        return f"{lengths[0]} to {lengths[-1]}{step}"
    assert isinstance(lengths, tuple)
    *first, last = map(str, lengths)
    return f"{', '.join(first)} or {last}" if first else last


def _most(request: Request, alg: Algorithm) -> int:
    """Return how long a message can be: CCM's block has room for nonce and length together."""
    if catalog.algorithms()[alg.name].form != "ccm":
        return alg.most
    return min(alg.most, (1 << 8 * (BLOCK_BYTES - 1 - len(request.iv))) - 1)


def _check_length(request: Request, alg: Algorithm, length: int) -> None:
    decrypt = request.direction is Direction.decrypt
    behind = request.length if decrypt else 0
    if length < behind:
        raise UsageError(
            f"{named(request.source)} has {length} bytes, "
            f"less than the tag of {behind}: it is truncated"
        )
    most = _most(request, alg)
    if length - behind > most:
        raise UsageError(f"{named(request.source)} has more than the {most} bytes of {alg.name}")
    if length < alg.least:
        raise UsageError(
            f"{named(request.source)} has {length} bytes; {alg.name} needs {alg.least} at least"
        )
    padded = request.padding is Padding.pkcs7
    if length % alg.block and (decrypt or not padded):
        why = "is truncated" if decrypt else "needs padding: use --padding pkcs7"
        raise UsageError(
            f"{named(request.source)} has {length} bytes, not a multiple of {BLOCK_BYTES}: it {why}"
        )
    if decrypt and padded and length == 0:
        raise UsageError(
            f"{named(request.source)} is empty: padded ciphertext has at least 16 bytes"
        )
