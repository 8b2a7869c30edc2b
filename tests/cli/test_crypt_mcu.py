"""``cryptile crypt`` on real files: the output equals OpenSSL's, byte for byte."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from support import held

from cryptile.project import ROOT

KEYS = {128: bytes(range(16)), 192: bytes(range(24)), 256: bytes(range(32))}
IV = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfffffffe")


def crypt(*words: object) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).parent / "cryptile", "crypt", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def options(alg, key=None):
    words = ["--alg", alg, "--key", (key or KEYS[int(alg[4:7])]).hex()]
    return words if alg.endswith("ecb") else [*words, "--iv", IV.hex()]


def openssl(alg, plain, output):
    words = ["openssl", "enc", f"-{alg}", "-K", KEYS[int(alg[4:7])].hex(), "-in", plain]
    words += [] if alg.endswith("ecb") else ["-iv", IV.hex()]
    subprocess.run([*words, "-out", output], check=True)
    return output.read_bytes()


def make_file(path, length):
    path.write_bytes(random.Random(length).randbytes(length))
    return path


def test_readme_states_the_cycles_of_a_file(tmp_path):
    words = ["encrypt", ROOT / "LICENSE", *options("aes-128-ctr"), "--variant", "pipelined"]
    result = crypt(*words, "-o", tmp_path / "secret", "--json", tmp_path / "records.json")
    assert result.returncode == 0, result.stderr
    assert held.compare(json.loads((tmp_path / "records.json").read_text())) == 2


CASES = [
    *((f"aes-{bits}-{mode}", "iterative", 1000) for bits in KEYS for mode in ("ecb", "cbc", "ctr")),
    ("aes-128-ctr", "pipelined", 100_003),
    ("aes-256-cbc", "pipelined", 70_000),
    ("aes-192-ecb", "serial", 1000),
    ("aes-128-cbc", "pipelined", 0),
    ("aes-128-ctr", "pipelined", 0),
    ("aes-128-cbc", "pipelined", 16_384),
    ("aes-128-ctr", "pipelined", 1),
]


@pytest.mark.parametrize(("alg", "variant", "length"), CASES)
def test_engine_equals_openssl(tmp_path, alg, variant, length):
    plain = make_file(tmp_path / "plain", length)
    secret, back = tmp_path / "secret", tmp_path / "back"
    result = crypt("encrypt", plain, *options(alg), "--variant", variant, "-o", secret)
    assert result.returncode == 0, result.stderr
    assert secret.read_bytes() == openssl(alg, plain, tmp_path / "openssl")
    assert "cycles/byte" in result.stderr
    result = crypt("decrypt", secret, *options(alg), "--variant", variant, "-o", back)
    assert result.returncode == 0, result.stderr
    assert back.read_bytes() == plain.read_bytes()


def software():
    """More than the firmware takes at once, which is 16 KiB, costs millions of cycles."""
    for impl in ("compact", "table"):
        for alg in ("aes-256-cbc", "aes-128-ctr"):
            quick = (impl, alg) == ("table", "aes-128-ctr")
            yield pytest.param(alg, impl, 17_001, marks=[] if quick else pytest.mark.soak)
            if not quick:
                yield alg, impl, 1001


@pytest.mark.parametrize(("alg", "impl", "length"), list(software()))
def test_software_equals_openssl(tmp_path, alg, impl, length):
    plain = make_file(tmp_path / "plain", length)
    secret = tmp_path / "secret"
    where = ["--path", "software", "--impl", impl, "--variant", "pipelined"]
    result = crypt("encrypt", plain, *options(alg), *where, "-o", secret)
    assert result.returncode == 0, result.stderr
    assert secret.read_bytes() == openssl(alg, plain, tmp_path / "openssl")


def test_ibex_equals_openssl(tmp_path):
    plain = make_file(tmp_path / "plain", 5000)
    secret = tmp_path / "secret"
    result = crypt("encrypt", plain, *options("aes-128-cbc"), "--core", "ibex", "-o", secret)
    assert result.returncode == 0, result.stderr
    assert secret.read_bytes() == openssl("aes-128-cbc", plain, tmp_path / "openssl")


@pytest.mark.parametrize("path", ["engine", "software"])
def test_wrong_key_leaves_no_output(tmp_path, path):
    plain = make_file(tmp_path / "plain", 100)
    secret, back = tmp_path / "secret", tmp_path / "back"
    openssl("aes-128-cbc", plain, secret)
    wrong = options("aes-128-cbc", key=b"wrong key, right")
    where = ["--path", path, "--variant", "pipelined"]
    result = crypt("decrypt", secret, *wrong, *where, "-o", back)
    assert result.returncode == 1
    assert "bad padding" in result.stderr
    assert sorted(tmp_path.iterdir()) == [plain, secret]


def test_json_is_exact(tmp_path):
    plain = make_file(tmp_path / "plain", 4096)
    outputs = []
    for _ in range(2):
        words = ["--variant", "pipelined", "--force", "--json", "-"]
        result = crypt("encrypt", plain, *options("aes-128-ctr"), *words, "-o", tmp_path / "secret")
        assert result.returncode == 0, result.stderr
        outputs.append(result.stdout)
    assert outputs[0] == outputs[1]
