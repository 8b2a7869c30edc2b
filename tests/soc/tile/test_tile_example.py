"""The program of ``examples/tile``, by the commands of its README."""

import re

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.project import ROOT
from cryptile.toolchain import tools

README = ROOT / "examples/tile/README.md"
ENGINE = " --set public_key=1"
ECDSA = ec.ECDSA(hashes.SHA256())

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("tile-model")


def called(folder, monkeypatch, without="", more=()):
    """Run the commands of the README, but for an option, in another folder; return the last one."""
    (shown,) = re.findall(r"^```\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)
    assert ENGINE in shown
    monkeypatch.chdir(ROOT)
    shown = shown.replace("$PWD/build", str(folder)).replace("build/", f"{folder}/")
    library, make, simulate = shown.replace(without, "").splitlines()
    assert cryptile(library).exit_code == 0
    tools.run(tools.words(make), cwd=ROOT)
    return cryptile(simulate, *more)


def cryptile(command, *more):
    program, *words = tools.words(command)
    assert program == "cryptile"
    return CliRunner().invoke(app, [*words, *more])


def test_the_tile_encrypts(tmp_path, monkeypatch):
    """With a key that nobody had. The rest of the program takes twenty times as long."""
    ended = called(tmp_path, monkeypatch, ENGINE, ["--max-cycles", "450000"])
    assert "did not end" in str(ended.exception)
    assert re.fullmatch(r"\S+ [0-9a-f]{18}\nthe library signs\n", ended.stdout)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("without", "signer"), [(ENGINE, "the library signs"), ("", "the tile signs")]
)
def test_what_is_signed_is_verified_by_others(tmp_path, monkeypatch, without, signer):
    ended = called(tmp_path, monkeypatch, without)
    assert ended.exit_code == 0, (ended.output, ended.exception)
    _, told, public, signature = ended.stdout.splitlines()
    assert told == signer
    key = ec.EllipticCurvePublicKey.from_encoded_point(
        ec.SECP256R1(), bytes.fromhex(public.removeprefix("public key "))
    )
    numbers = bytes.fromhex(signature.removeprefix("signature "))
    r, s = (int.from_bytes(part, "big") for part in (numbers[:32], numbers[32:]))
    key.verify(utils.encode_dss_signature(r, s), b"a message", ECDSA)
    with pytest.raises(InvalidSignature):
        key.verify(utils.encode_dss_signature(r, s), b"another message", ECDSA)
