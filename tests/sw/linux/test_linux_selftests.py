"""The kernel driver on the tile: the kernel's own self-tests, and Debian's tools of AF_ALG."""

import hashlib
import random
import re

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from cryptile.linux import kbuild
from cryptile.linux.boot import boot

pytestmark = pytest.mark.xdist_group("linux")
"""One worker builds the plugin; no other waits for it."""

_RANDOM = random.Random(16)
DATA, KEY, IV = (_RANDOM.randbytes(length) for length in (3001, 16, 16))

SCRIPT = f"""
for second in $(seq 60); do  # the kernel tests behind the module's loading
  grep -q '^selftest *: unknown' /proc/crypto || break
  sleep 1
done
cat /proc/crypto
echo '== digest'
kcapi-dgst -c cryptile-sha256 --hex </data
echo; echo '== encrypted'
kcapi-enc -e -c cryptile-ctr-aes --keyfd 3 --iv {IV.hex()} -i /data -o /encrypted 3</key
xxd -p /encrypted
echo '== interrupts'
grep crypto /proc/interrupts
echo '== dmesg'
dmesg
"""


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """What a boot with the driver left."""
    folder = tmp_path_factory.mktemp("driver")
    files = {}
    for name, data in (("data", DATA), ("key", KEY)):
        files[f"/{name}"] = folder / name
        files[f"/{name}"].write_bytes(data)
    module = kbuild.module("sw/linux/driver", "sw/driver/core", "sw/hal/gen", "sw/include")
    modules = [str(module), "algif_hash", "algif_skcipher", "crypto_user"]
    result = boot(SCRIPT, sets=["kcapi"], modules=modules, files=files, seconds=600)
    assert result.status == 0, result.console
    return result


@pytest.fixture(scope="module")
def said(ended):
    """What each part of the script printed; the first part has no name."""
    words = re.split(r"^== (\w+)\n", f"== crypto\n{ended.output.decode()}", flags=re.MULTILINE)
    return dict(zip(words[1::2], words[2::2], strict=True))


def test_selftests_pass(said, ended):
    entries = [
        dict(re.findall(r"^(\w+) *: (.*)$", text, re.MULTILINE))
        for text in said["crypto"].split("\n\n")
    ]
    found = {entry["driver"]: entry for entry in entries if entry.get("module") == "cryptile"}
    assert {"cbc(aes)", "xts(aes)", "gcm(aes)", "sha256", "rfc7539(chacha20,poly1305)"} <= {
        entry["name"] for entry in found.values()
    }
    assert {name for name, entry in found.items() if entry["selftest"] != "passed"} == set()
    assert "alg: " not in said["dmesg"], "the kernel tells of failed tests so"
    assert not re.search(r"BUG|WARNING|Oops|Call Trace", said["dmesg"])
    cycles = re.search(r"(\d+) cycles simulated", ended.console)
    assert int(cycles[1]) > 100_000, "the tile was at work, not software in its place"


def test_programs_use_the_tile(said):
    """Debian's tools of AF_ALG, with the driver chosen by its name."""
    assert said["digest"].strip() == hashlib.sha256(DATA).hexdigest()
    cipher = Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor()
    assert bytes.fromhex(said["encrypted"].replace("\n", "")) == cipher.update(DATA)
    line, count, *_ = said["interrupts"].split()
    assert int(count) >= 1, f"{line} the longer ones are not polled for"
