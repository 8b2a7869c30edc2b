"""Bad input to ``cryptile crypt --soc tile``: one clear line, no output file."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cryptile.commands import crypt as command
from cryptile.crypt import tile_request
from cryptile.crypt.request import Direction, Given, Request
from cryptile.crypt.tile_algorithms import ALGORITHMS, Kind
from cryptile.errors import UsageError

app = typer.Typer()
app.command()(command.crypt)

K16, K32, IV = "00" * 16, "00" * 32, "11" * 16
GCM = ["--alg", "aes-128-gcm", "--key", K16, "--iv", "22" * 12]


def crypt(*words: object) -> str:
    """Call the command without a process of its own; return what a user is told."""
    result = CliRunner().invoke(app, [*map(str, words), "--soc", "tile"])
    assert isinstance(result.exception, UsageError), result.output
    return str(result.exception)


CASES = {
    "unknown algorithm": (["encrypt", "--alg", "des"], "'cryptile crypt --list' names them"),
    "no AES-192-XTS": (["encrypt", "--alg", "aes-192-xts"], "unknown algorithm 'aes-192-xts'"),
    "key length": (
        ["encrypt", "--alg", "aes-256-gcm", "--key", K16, "--iv", IV],
        "the key has 16 bytes; aes-256-gcm needs 32",
    ),
    "key missing": (["digest", "--alg", "hmac-sha256"], "needs --key with 1 to 1024 bytes"),
    "key too long": (
        ["digest", "--alg", "hmac-sha256", "--key", "00" * 1025],
        "the key has 1025 bytes; hmac-sha256 needs 1 to 1024",
    ),
    "key of a hash": (["digest", "--alg", "sha256", "--key", K16], "sha256 takes no key"),
    "IV length": (
        ["encrypt", "--alg", "aes-128-ccm", "--key", K16, "--iv", "00" * 14],
        "--iv has 14 bytes; aes-128-ccm needs 7 to 13",
    ),
    "IV of ECB": (
        ["encrypt", "--alg", "aes-128-ecb", "--key", K16, "--iv", IV],
        "aes-128-ecb takes no iv",
    ),
    "no hexadecimal": (["encrypt", *GCM, "--aad", "xy"], "--aad is not an even number of hexa"),
    "tag length of GCM": (
        ["encrypt", *GCM, "--length", "7"],
        "--length is 7; aes-128-gcm has 4, 8, 12, 13, 14, 15 or 16 bytes",
    ),
    "tag length of CCM": (
        ["encrypt", "--alg", "aes-128-ccm", *GCM[2:], "--length", "5"],
        "--length is 5; aes-128-ccm has 4 to 16 in steps of 2 bytes",
    ),
    "length of a cipher": (
        ["encrypt", "--alg", "aes-128-ctr", "--key", K16, "--iv", IV, "--length", "4"],
        "aes-128-ctr makes no tag",
    ),
    "AAD of XTS": (
        ["encrypt", "--alg", "aes-128-xts", "--key", K32, "--iv", IV, "--aad", "00"],
        "aes-128-xts takes no associated data",
    ),
    "long customization": (
        ["digest", "--alg", "kmac128", "--key", K16, "--aad", "00" * 256],
        "--aad has 256 bytes; 255 are the most",
    ),
    "short for XTS": (
        ["encrypt", "--alg", "aes-128-xts", "--key", K32, "--iv", IV],
        "plain.bin has 15 bytes; aes-128-xts needs 16 at least",
    ),
    "partial block": (
        ["encrypt", "--alg", "aes-128-ecb", "--key", K16, "--padding", "none"],
        "not a multiple of 16: it needs padding",
    ),
    "truncated ciphertext": (
        ["decrypt", "--alg", "aes-128-cbc", "--key", K16, "--iv", IV],
        "not a multiple of 16: it is truncated",
    ),
    "less than a tag": (["decrypt", *GCM], "15 bytes, less than the tag of 16: it is truncated"),
    "to encrypt with a hash": (
        ["encrypt", "--alg", "sha3-256"],
        "sha3-256 is a hash function: say digest, not encrypt",
    ),
    "to verify a hash": (["verify", "--alg", "sha256"], "say digest, not verify"),
    "to digest with a cipher": (["digest", *GCM], "say encrypt or decrypt, not digest"),
    "nothing to compare": (
        ["verify", "--alg", "aes-128-cmac", "--key", K16],
        "verify needs --tag",
    ),
    "long code": (
        ["verify", "--alg", "aes-128-cmac", "--key", K16, "--tag", "00" * 17],
        "--tag has 17 bytes, not 16",
    ),
    "a tag apart": (["decrypt", *GCM, "--tag", K16], "--tag is for verify"),
    "another core": (["encrypt", *GCM, "--core", "ibex"], "one core and one variant"),
    "software": (["encrypt", *GCM, "--path", "software"], "encrypts by its tile"),
}


STANDARD = {
    **{f"aes-{bits}-gcm": {4, 8, 12, 13, 14, 15, 16} for bits in (128, 192, 256)},
    **{f"aes-{bits}-ccm": {4, 6, 8, 10, 12, 14, 16} for bits in (128, 192, 256)},
    **{f"aes-{bits}-cmac": set(range(4, 17)) for bits in (128, 192, 256)},
    "chacha20-poly1305": {16},
    "poly1305": {16},
    "ascon-aead128": set(range(8, 17)),
    "hmac-sha224": set(range(4, 29)),
    "hmac-sha256": set(range(4, 33)),
    "hmac-sha384": set(range(4, 49)),
    "hmac-sha512": set(range(4, 65)),
    "hmac-sha512-224": set(range(4, 29)),
    "hmac-sha512-256": set(range(4, 33)),
    **{f"{kind}{bits}": set(range(4, 512)) for kind in ("kmac", "kmacxof") for bits in (128, 256)},
}
"""Bytes of tag: SP 800-38D and 38C, RFC 8439, 8.4 of SP 800-185, and of 800-38B, 107 and 232."""


@pytest.mark.parametrize("name", STANDARD)
def test_tag_lengths(name: str, tmp_path: Path) -> None:
    """All lengths: full by itself, another of the standard's when asked for, no other."""
    alg = ALGORITHMS[name]
    plain, output = tmp_path / "plain", tmp_path / "output"
    plain.write_bytes(bytes(600))
    key = next(bytes(size) for size in (16, 24, 32) if size in alg.keys)
    iv = next(bytes(size) for size in (0, 12, 16) if size in alg.ivs)

    def request(direction: Direction, tag: int | None, length: int | None) -> Request | None:
        try:
            return tile_request.check(
                Given(
                    direction,
                    name,
                    plain,
                    key.hex(),
                    None if alg.kind is Kind.mac else output,
                    iv.hex() or None,
                    tag=None if tag is None else "5a" * tag,
                    length=length,
                )
            )
        except UsageError as error:
            assert "--tag" in str(error) or "--length" in str(error)
            return None

    full = {"kmac128": 32, "kmacxof128": 32, "kmac256": 64, "kmacxof256": 64}.get(
        name, max(STANDARD[name])
    )
    make = Direction.digest if alg.kind is Kind.mac else Direction.encrypt
    take = Direction.verify if alg.kind is Kind.mac else Direction.decrypt
    for length in range(-1, 300):
        good = length in STANDARD[name]
        assert (request(make, None, length) is not None) == good
        if take is Direction.decrypt:
            made = request(take, None, length)
            assert (made is not None) == good and (not made or made.length == length)
            continue
        good = good and length < 256
        tag = max(length, 0)
        assert (request(take, tag, None) is not None) == (tag == full)
        assert (request(take, tag, length) is not None) == good
        assert request(take, tag + 1, length) is None
    plain_request = request(make, None, None)
    assert plain_request is not None and plain_request.length == full


def test_tags_of_all_algorithms_are_tested() -> None:
    made = {name for name, alg in ALGORITHMS.items() if alg.kind in (Kind.aead, Kind.mac)}
    assert made == set(STANDARD)


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str, tmp_path: Path) -> None:
    (direction, *words), message = CASES[name]
    plain = tmp_path / "plain.bin"
    plain.write_bytes(b"x" * (32 if name == "software" else 15))
    output = [] if direction in ("digest", "verify") else ["-o", tmp_path / "out.bin"]
    assert message in crypt(direction, plain, *words, *output)
    assert list(tmp_path.iterdir()) == [plain]


@pytest.mark.parametrize("nonce", [12, 13])
def test_messages_that_a_nonce_leaves_room_for(tmp_path: Path, nonce: int) -> None:
    """SP 800-38C, A.1: the length of the message has the bytes that the nonce has not."""
    most = (1 << 8 * (15 - nonce)) - 1
    ccm = {"alg": "aes-128-ccm", "key": K16, "iv": "00" * nonce, "output": tmp_path / "out"}
    for length in (most, most + 1):
        plain = tmp_path / "plain.bin"
        with plain.open("wb") as file:
            file.truncate(length)
        given = Given(Direction.encrypt, source=plain, **ccm)
        if length > most:
            with pytest.raises(UsageError, match=f"more than the {most} bytes of aes-128-ccm"):
                tile_request.check(given)
        else:
            assert tile_request.check(given).iv == bytes(nonce)


def test_outputs(tmp_path: Path) -> None:
    plain = tmp_path / "plain.bin"
    plain.write_bytes(bytes(32))
    assert "encrypt needs --output" in crypt("encrypt", plain, *GCM)
    words = ["--alg", "aes-128-cmac", "--key", K16, "--tag", K16, "-o", tmp_path / "out"]
    assert "verify makes no file" in crypt("verify", plain, *words)
    assert "same file" in crypt("encrypt", plain, *GCM, "-o", plain, "--force")
