"""``cryptile crypt`` with keys and signatures of ``openssl``, in both directions, and bad ones."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from support import nist_drbg
from typer.testing import CliRunner, Result

from cryptile.commands import crypt as command
from cryptile.crypt import pem, public_key, simulated
from cryptile.crypt.drbg import Drbg
from cryptile.errors import CryptileError, FindingError, MissingToolError, UsageError

app = typer.Typer()
app.command()(command.crypt)

CURVES = {"p-256": "P-256", "p-384": "P-384", "p-521": "P-521"}
MESSAGE = b"what is signed" * 70


def openssl(*words: object, input: bytes | None = None) -> bytes:
    command = ["openssl", *map(str, words)]
    return subprocess.run(command, input=input, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a message, and two keys of each kind that openssl has made."""
    folder = tmp_path_factory.mktemp("keys")
    (folder / "message").write_bytes(MESSAGE)
    kinds = {
        **{kind: ["EC", "-pkeyopt", f"ec_paramgen_curve:{name}"] for kind, name in CURVES.items()},
        "x25519": ["X25519"],
        "ed25519": ["ED25519"],
        "rsa": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        "small": ["RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
        "other": ["EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"],
    }
    for kind, words in kinds.items():
        for name in (kind, f"{kind}-2"):
            private = folder / f"{name}.pem"
            openssl("genpkey", "-algorithm", *words, "-out", private)
            for form in ("pem", "der"):
                public = folder / f"{name}.pub.{form}"
                openssl("pkey", "-in", private, "-pubout", "-outform", form, "-out", public)
    return folder


def crypt(*words: object, input: bytes | None = None) -> Result:
    ended = CliRunner().invoke(app, list(map(str, words)), input=input)
    if ended.exception and not isinstance(ended.exception, (CryptileError, SystemExit)):
        raise ended.exception
    return ended


def refused(kind: type[CryptileError], *words: object, input: bytes | None = None) -> str:
    ended = crypt(*words, input=input)
    assert type(ended.exception) is kind, (ended.exception, ended.output)
    assert "\n" not in str(ended.exception)
    return str(ended.exception)


@pytest.mark.parametrize("kind", CURVES)
@pytest.mark.parametrize("name", ["sha256", "sha512"])
def test_ecdsa(made: Path, tmp_path: Path, kind: str, name: str) -> None:
    """OpenSSL takes our signature, we take its, and neither one of something else."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    message, private, public = made / "message", made / f"{kind}.pem", made / f"{kind}.pub.der"
    alg = ["--alg", f"ECDSA-{name.upper()}"]
    assert crypt("sign", message, *alg, "--key-file", private, "-o", ours).exit_code == 0
    check = ["dgst", f"-{name}", "-verify", made / f"{kind}.pub.pem", "-signature", ours, message]
    assert openssl(*check) == b"Verified OK\n"
    openssl("dgst", f"-{name}", "-sign", private, "-out", theirs, message)
    words = ["verify", message, *alg, "--key-file"]
    for signature in (ours, theirs):
        assert crypt(*words, public, "--signature", signature).exit_code == 0
    wrong = bytearray(theirs.read_bytes())
    wrong[-1] ^= 1
    theirs.write_bytes(wrong)
    assert "wrong signature" in refused(FindingError, *words, public, "--signature", theirs)
    another = made / f"{kind}-2.pub.pem"
    assert "wrong signature" in refused(FindingError, *words, another, "--signature", ours)


def test_ed25519(made: Path, tmp_path: Path) -> None:
    ours, message = tmp_path / "ours", made / "message"
    alg = ["--alg", "ed25519"]
    crypt("sign", message, *alg, "--key-file", made / "ed25519.pem", "-o", ours)
    theirs = tmp_path / "theirs"
    words = ["-rawin", "-in", message, "-inkey", made / "ed25519.pem", "-out", theirs]
    openssl("pkeyutl", "-sign", *words)
    assert ours.read_bytes() == theirs.read_bytes()  # it has no random numbers
    words = ["verify", "-", *alg, "--key-file", made / "ed25519.pub.pem", "--signature", ours]
    assert crypt(*words, input=MESSAGE).exit_code == 0
    assert "wrong signature" in refused(FindingError, *words, input=MESSAGE[:-1])
    ours.write_bytes(ours.read_bytes()[:-1])
    assert "63 bytes, not 64" in refused(FindingError, *words, input=MESSAGE)


@pytest.mark.parametrize("scheme", ["pkcs1", "pss"])
def test_rsa(made: Path, tmp_path: Path, scheme: str) -> None:
    message, signature = made / "message", tmp_path / "signature"
    padding = ["-sigopt", "rsa_padding_mode:pss"] if scheme == "pss" else []
    openssl("dgst", "-sha384", *padding, "-sign", made / "rsa.pem", "-out", signature, message)
    key = ["--key-file", made / "rsa.pub.der", "--signature", signature]
    assert crypt("verify", message, "--alg", f"rsa-{scheme}-sha384", *key).exit_code == 0
    for other in (f"rsa-{scheme}-sha256", f"rsa-{'pss' if scheme == 'pkcs1' else 'pkcs1'}-sha384"):
        assert "wrong signature" in refused(FindingError, "verify", message, "--alg", other, *key)
    alg = ["--alg", f"rsa-{scheme}-sha384"]
    small = ["--key-file", made / "small.pub.pem", "--signature", signature]
    assert "1024 bits" in refused(UsageError, "verify", message, *alg, *small)
    assert "can verify, not sign" in refused(
        UsageError, "sign", message, *alg, "--key-file", made / "rsa.pem", "-o", tmp_path / "out"
    )


PSS_KEYS = {
    "free": [],
    "bound": ["md:sha256", "mgf1_md:sha256", "saltlen:32"],
}


@pytest.fixture(scope="module")
def pss(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with keys of RSA that PSS alone may use, one of them with parameters."""
    folder = tmp_path_factory.mktemp("pss")
    for name, values in PSS_KEYS.items():
        options = [word for value in values for word in ("-pkeyopt", f"rsa_pss_keygen_{value}")]
        private = folder / f"{name}.pem"
        openssl("genpkey", "-algorithm", "RSA-PSS", *options, "-out", private)
        for form in ("pem", "der"):
            public = folder / f"{name}.pub.{form}"
            openssl("pkey", "-in", private, "-pubout", "-outform", form, "-out", public)
    return folder


@pytest.mark.parametrize("form", ["pem", "der"])
def test_keys_for_pss_alone(made: Path, pss: Path, tmp_path: Path, form: str) -> None:
    """What a key forbids is not verified with it: openssl refuses it, too."""
    message, plain, signature = made / "message", tmp_path / "plain", tmp_path / "signature"
    for name in PSS_KEYS:
        private = pss / f"{name}.pem"
        numbers = openssl("pkey", "-in", private, "-outform", "DER")
        key = serialization.load_der_private_key(numbers, None)
        pkcs8 = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        plain.write_bytes(pkcs8)  # without the restrictions
        words = ["verify", message, "--key-file", pss / f"{name}.pub.{form}"]
        words += ["--signature", signature, "--alg"]
        openssl("dgst", "-sha256", "-sign", plain, "-out", signature, message)
        why = "no use for it" if name == "free" else "parameters of its own"
        assert why in refused(UsageError, *words, "rsa-pkcs1-sha256")
        padding = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:0"]
        openssl("dgst", "-sha224", *padding, "-sign", plain, "-out", signature, message)
        if name == "free":
            assert crypt(*words, "rsa-pss-sha224").exit_code == 0
            assert "wrong signature" in refused(FindingError, *words, "rsa-pss-sha256")
        else:
            assert why in refused(UsageError, *words, "rsa-pss-sha224")


@pytest.mark.parametrize("kind", [*CURVES, "x25519"])
def test_agreement(made: Path, tmp_path: Path, kind: str) -> None:
    secret = tmp_path / "secret"
    alg = "x25519" if kind == "x25519" else "ecdh"
    words = ["agree", made / f"{kind}-2.pub.der", "--alg", alg, "-o", secret]
    assert crypt(*words, "--key-file", made / f"{kind}.pem").exit_code == 0
    peer = ["-peerkey", made / f"{kind}.pub.pem"]
    theirs = openssl("pkeyutl", "-derive", "-inkey", made / f"{kind}-2.pem", *peer)
    assert secret.read_bytes() == theirs
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_shared_secret_of_zeros(made: Path, tmp_path: Path) -> None:
    peer = x25519.X25519PublicKey.from_public_bytes(bytes(32))
    key = peer.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    words = ["agree", "-", "--alg", "x25519", "--key-file", made / "x25519.pem"]
    words += ["-o", tmp_path / "secret"]
    assert "small order" in refused(UsageError, *words, input=key)
    assert not (tmp_path / "secret").exists()


def test_bad_private_keys(made: Path, tmp_path: Path) -> None:
    """Each is refused in a line that says why, and nothing is made."""
    out, key = tmp_path / "out", made / "p-256.pem"
    text = key.read_bytes()

    def said(data: bytes, alg: str = "ecdsa-sha256") -> str:
        words = ["sign", made / "message", "--alg", alg, "--key-file", "-", "-o", out]
        return refused(UsageError, *words, input=data)

    assert "no sound private key" in said(text[:100])
    assert "no sound private key" in said(text.replace(b"-----END", b"----END"))
    assert "no sound private key" in said(b"")
    assert "no sound private key" in said(os.urandom(200))
    assert "more than 16384 bytes" in said(bytes(20_000))
    locked = openssl("pkey", "-in", key, "-aes256", "-passout", "pass:x")
    assert "is encrypted" in said(locked)
    assert "a public key" in said((made / "p-256.pub.pem").read_bytes())
    assert "key of RSA" in said((made / "rsa.pem").read_bytes())
    assert "curve secp256k1" in said((made / "other.pem").read_bytes())
    assert "key of ed25519" in said((made / "ed25519.pem").read_bytes())
    assert "key of p-256" in said(text, "ed25519")
    der = openssl("pkey", "-in", made / "x25519.pem", "-outform", "DER")
    short = der.replace(b"\x2b\x65\x6e", b"\x2b\x65\x6f")  # X448, with 32 bytes
    assert "no sound private key" in said(short)
    assert not out.exists()


def test_other_keys(made: Path, tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Of kinds that the library has not: a line, and no word of the reader of keys."""
    key, public = tmp_path / "dh", tmp_path / "dh.pub"
    openssl("genpkey", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048", "-out", key)
    openssl("pkey", "-in", key, "-pubout", "-out", public)
    words = ["sign", made / "message", "--alg", "ecdsa-sha256", "--key-file", key]
    assert "of a kind that" in refused(UsageError, *words, "-o", tmp_path / "out")
    words = ["verify", made / "message", "--alg", "ed25519", "--key-file", public]
    assert "of a kind that" in refused(UsageError, *words, "--signature", key)
    assert not recwarn.list


def test_bad_public_keys(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    mine = ["--alg", "ecdh", "--key-file", made / "p-256.pem", "-o", out]
    der = bytearray((made / "p-256-2.pub.der").read_bytes())
    der[-1] ^= 1  # off the curve
    short = openssl("pkey", "-pubin", "-in", made / "x25519.pub.pem", "-outform", "DER")
    short = short.replace(b"\x2b\x65\x6e", b"\x2b\x65\x6f")  # X448, with 32 bytes
    assert "no sound public key" in refused(UsageError, "agree", "-", *mine, input=short)
    assert "no sound public key" in refused(UsageError, "agree", "-", *mine, input=bytes(der))
    peer = made / "p-384.pub.pem"
    assert "is a key of p-384" in refused(UsageError, "agree", peer, *mine)
    assert "a private key" in refused(UsageError, "agree", made / "p-256-2.pem", *mine)
    assert not out.exists()


def test_library_checks_points_itself(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A point off the curve that the reader of keys would let through."""
    kind, point, _ = pem.public_key((made / "p-256-2.pub.der").read_bytes(), "key")
    off = point[:-1] + bytes([point[-1] ^ 1])
    monkeypatch.setattr(pem, "public_key", lambda *_: (kind, off, 0))
    words = ["agree", made / "p-256-2.pub.der", "--alg", "ecdh", "-o", "-", "-f"]
    assert "none of the curve" in refused(UsageError, *words, "--key-file", made / "p-256.pem")


def test_options(made: Path, tmp_path: Path) -> None:
    out, message = tmp_path / "out", made / "message"
    key = ["--key-file", made / "p-256.pem"]
    alg = ["--alg", "ecdsa-sha256"]
    assert "needs --output" in refused(UsageError, "sign", message, *alg, *key)
    assert "needs --key-file" in refused(UsageError, "sign", message, *alg, "-o", out)
    assert "needs --signature" in refused(
        UsageError, "verify", message, *alg, "--key-file", made / "p-256.pub.pem"
    )
    assert "takes no --iv" in refused(UsageError, "sign", message, *alg, *key, "--iv", "00")
    sign, agree = ["sign", message, *alg, *key], ["agree", made / "p-256.pub.pem", *key]
    agree += ["--alg", "ecdh"]
    for words in (sign, agree):
        said = refused(UsageError, *words, "-o", out, "--signature", tmp_path / "none")
        assert "takes no --signature" in said
    verify = ["verify", message, *alg, "--key-file", made / "p-256.pub.pem", "--signature", key[1]]
    assert "takes no --force" in refused(UsageError, *verify, "--force")
    assert "takes no --output" in refused(UsageError, *verify, "-o", out)
    assert "takes no --key:" in refused(UsageError, "sign", message, *alg, "--key", "00")
    assert "does not run on tile" in refused(
        UsageError, "sign", message, *alg, *key, "--soc", "tile"
    )
    assert "both the file and the key" in refused(
        UsageError, "sign", "-", *alg, "--key-file", "-", "-o", out
    )
    assert "no algorithm of public keys" in refused(
        UsageError, "sign", message, "--alg", "aes-128-ctr", "-o", out
    )
    assert "can agree, not sign" in refused(UsageError, "sign", message, "--alg", "ecdh", "-o", out)
    assert "needs a file" in refused(UsageError, "sign", *alg, *key, "-o", out)
    assert "say --alg" in refused(UsageError, "sign", message, *key, "-o", out)
    assert "reads no file" in refused(UsageError, "random", message, "--length", 1, "-o", out)
    assert "needs --length" in refused(UsageError, "random", "-o", out)
    assert "needs --length" in refused(UsageError, "random", "--length", 1 << 30, "-o", out)
    assert "takes no --key-file" in refused(UsageError, "keygen", "--alg", "p-256", *key)
    assert "can keygen, not sign" in refused(UsageError, "sign", message, "--alg", "p-256", *key)
    assert "can random, not keygen" in refused(UsageError, "keygen", "--alg", "ctr-drbg")
    assert "needs --output" in refused(UsageError, "keygen", "--alg", "p-256")
    out.write_bytes(b"")
    assert "exists already" in refused(UsageError, "sign", message, *alg, *key, "-o", out)
    assert "no such file" in refused(UsageError, "sign", out / "x", *alg, *key, "-o", out)


@pytest.mark.parametrize("free", ["file", "key", "signature"])
def test_standard_input_is_one_thing(made: Path, free: str) -> None:
    """Of three inputs two that are `-`: what the first has read the second would miss."""
    names = {"file": [], "key": ["--key-file"], "signature": ["--signature"]}
    words = ["verify", "--alg", "ecdsa-sha256"]
    for name, option in names.items():
        words += [*option, made / "p-256.pub.pem" if name == free else "-"]
    given = (made / "p-256.pub.pem").read_bytes()
    assert "standard input cannot be both" in refused(UsageError, *words, input=given)


def test_a_key_is_not_written_over(made: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes((made / "p-256.pem").read_bytes())
    words = ["sign", made / "message", "--alg", "ecdsa-sha256", "--key-file", key, "-o", key, "-f"]
    assert "same file" in refused(UsageError, *words)
    words = ["encrypt", made / "message", "--alg", "aes-128-ctr", "--iv", "00" * 16]
    assert "same file" in refused(UsageError, *words, "--key-file", key, "-o", key, "-f")
    assert key.read_bytes() == (made / "p-256.pem").read_bytes()


def test_a_made_key_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    for records in (tmp_path / "link" / "key", tmp_path / ".." / tmp_path.name / "key"):
        words = ["keygen", "--alg", "p-256", "-o", tmp_path / "key", "--json", records]
        assert "file of their own" in refused(UsageError, *words)
        assert not (tmp_path / "key").exists()


def test_records_that_cannot_be_written(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["sign", made / "message", "--alg", "ed25519", "--key-file", made / "ed25519.pem"]
    assert "cannot write" in refused(UsageError, *words, "-o", out, "--json", "/proc/x/y")
    assert not out.exists()


def test_names_are_not_markup(made: Path, tmp_path: Path) -> None:
    """A name with square brackets is told as it is."""
    out = tmp_path / "a[red]b[0]"
    ended = crypt("random", "--length", 3, "-o", out)
    assert f"into {out} (" in ended.output
    (tmp_path / "[").mkdir()
    assert crypt("random", "--length", 3, "-o", tmp_path / "[/x]").exit_code == 0


def test_random_to_a_device() -> None:
    assert crypt("random", "--length", 3, "-o", "/dev/null", "-f").exit_code == 0


def test_a_long_pipe(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is taken of it than could be used."""
    monkeypatch.setattr(public_key, "MAX_MESSAGE", 1 << 10)
    zeros = subprocess.Popen(["head", "-c", "50000000", "/dev/zero"], stdout=subprocess.PIPE)
    words = ["sign", f"/dev/fd/{zeros.stdout.fileno()}", "--alg", "ecdsa-sha256"]
    words += ["--key-file", made / "p-256.pem", "-o", tmp_path / "out"]
    try:
        assert "more than 1024 bytes" in refused(UsageError, *words)
        assert zeros.poll() is None
    finally:
        zeros.kill()
        zeros.wait()
        zeros.stdout.close()


@pytest.mark.parametrize("kind", [*CURVES, "x25519", "ed25519"])
def test_made_keys(made: Path, tmp_path: Path, kind: str) -> None:
    """OpenSSL finds the public key that the library has computed."""
    key = tmp_path / "key"
    form = "der" if kind == "p-384" else "pem"
    assert crypt("keygen", "--alg", kind, "--form", form, "-o", key).exit_code == 0
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    openssl("pkey", "-inform", form, "-in", key, "-check", "-noout")
    if kind != "x25519":
        alg = "ed25519" if kind == "ed25519" else "ecdsa-sha384"
        public, signature = tmp_path / "public", tmp_path / "signature"
        openssl("pkey", "-inform", form, "-in", key, "-pubout", "-out", public)
        crypt("sign", made / "message", "--alg", alg, "--key-file", key, "-o", signature)
        words = ["verify", made / "message", "--alg", alg, "--key-file", public]
        assert crypt(*words, "--signature", signature).exit_code == 0
    with pytest.raises(ValueError):
        pem.write_private(kind, b"\1" * pem.SIZES[kind], b"\4" * 133, pem.Form.pem)


def test_candidates_for_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that are no private keys are drawn again; bits above the curve's do not count."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    drawn = [bytes(32), order.to_bytes(32, "big"), b"\xff" * 32, (7).to_bytes(32, "big")]
    source = SimpleNamespace(generate=lambda _: drawn.pop(0))
    private, public = public_key._new_key(simulated.Library(), source, "p-256")
    assert int.from_bytes(private, "big") == 7 and not drawn and public[0] == 4
    source = SimpleNamespace(generate=lambda _: b"\xfe" + bytes(64) + b"\5")
    private, _ = public_key._new_key(simulated.Library(), source, "p-521")
    assert int.from_bytes(private, "big") == 5
    source = SimpleNamespace(generate=bytes)
    with pytest.raises(CryptileError, match="100 candidates"):
        public_key._new_key(simulated.Library(), source, "p-256")


def test_random(tmp_path: Path) -> None:
    """Of any length, never twice the same, and it says where the entropy comes from."""
    outs = [tmp_path / name for name in ("one", "two")]
    for out in outs:
        ended = crypt("random", "--length", 65_600, "-o", out)
        assert "seeded once with 48 bytes of this computer's os.urandom()" in ended.output
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
    one, two = (out.read_bytes() for out in outs)
    assert len(one) == len(two) == 65_600 and one != two
    assert abs(sum(byte.bit_count() for byte in one) - 4 * 65_600) < 6 * (2 * 65_600) ** 0.5
    with pytest.raises(ValueError, match="more than a request"):
        Drbg(simulated.Library(), bytes(48)).generate(65_537)


@pytest.mark.parametrize("name", nist_drbg.FILES)
def test_drbg_by_cavp(name: str) -> None:
    """NIST's vectors; those with prediction resistance by a reseed before each request."""
    core, checked = simulated.Library(), 0
    for vector in nist_drbg.vectors(name)[::7]:
        if not vector.df:
            continue
        drbg = Drbg(core, vector.entropy, vector.personalization)
        if vector.reseed:
            drbg.reseed(*vector.reseed)
        for number, additional in enumerate(vector.additional):
            if vector.predicted:
                drbg.reseed(vector.predicted[number], additional)
                additional = b""
            made_bytes = drbg.generate(len(vector.returned), additional)
        assert made_bytes == vector.returned
        checked += 1
    assert checked > 5


def test_signature_to_standard_output_and_record(made: Path, tmp_path: Path) -> None:
    """As a shell has it: through pipes; exit code 1 for a wrong one; no key in the record."""
    program = [Path(sys.executable).parent / "cryptile", "crypt"]
    key, record = made / "p-256.pem", tmp_path / "json"
    words = ["sign", "-", "--alg", "ecdsa-sha256", "--key-file", key, "-o", "-", "--json", record]
    signed = subprocess.run([*program, *words], input=MESSAGE, capture_output=True, check=True)
    assert b"signed 980 bytes into standard output" in signed.stderr
    (tmp_path / "signature").write_bytes(signed.stdout)
    words = ["verify", "-", "--alg", "ecdsa-sha256", "--key-file", made / "p-256.pub.pem"]
    words += ["--signature", tmp_path / "signature"]
    assert crypt(*words, input=MESSAGE).exit_code == 0
    other = MESSAGE + b"."
    ended = subprocess.run([*program, *words], input=other, capture_output=True, check=False)
    assert ended.returncode == 1 and b"wrong signature" in ended.stderr
    _, secret = pem.private_key(key.read_bytes(), "key")
    text = record.read_text()
    assert secret.hex() not in text and "REDACTED" in text and str(key) not in text


def test_missing_compiler(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    simulated._image.cache_clear()
    monkeypatch.setenv("PATH", "")
    words = ["agree", made / "x25519.pub.pem", "--alg", "x25519", "-o", "-", "-f"]
    refused(MissingToolError, *words, "--key-file", made / "x25519-2.pem")
    assert MissingToolError.exit_code == 3


def test_what_depends_on_a_key_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checked with a routine that is not meant for secrets: the comparison of a signature."""
    core = simulated.Library()
    monkeypatch.setattr(core._machine._image, "line_at", lambda _: "")  # reads long
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    digest, signature = core.secret(bytes(range(32))), core.secret(bytes(range(1, 65)))
    with pytest.raises(CryptileError, match="depends on a secret"):
        core.call("cryptile_p256_verify", core.public(point), digest, 32, signature, may=(-10,))
