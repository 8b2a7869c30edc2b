"""The kernel driver on the tile: the kernel's own self-tests, and Debian's tools of AF_ALG."""

import hashlib
import random
import re

import pytest

from cryptile.linux import kbuild
from cryptile.linux.boot import boot

pytestmark = pytest.mark.xdist_group("linux")
"""One worker builds the plugin; no other waits for it."""

DATA = random.Random(16).randbytes(3001)

SCRIPT = r"""
for second in $(seq 60); do  # the kernel tests behind the module's loading
  grep -q '^selftest *: unknown' /proc/crypto || break
  sleep 1
done
cat /proc/crypto
echo '== digests'
awk '/^driver/ {driver = $3} /^module/ {module = $3}
  /^type/ && $3 == "ahash" && module == "cryptile" && driver !~ /mac/ {print driver}' /proc/crypto |
while read -r driver; do
  echo "$driver $(kcapi-dgst -c "$driver" --hex </data)"
done
echo '== interrupts'
grep crypto /proc/interrupts
echo '== dmesg'
dmesg
"""


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """What a boot with the driver left."""
    data = tmp_path_factory.mktemp("driver") / "data"
    data.write_bytes(DATA)
    module = kbuild.module("sw/linux/driver", "sw/driver/core", "sw/hal/gen", "sw/include")
    modules = [str(module), "algif_hash"]
    result = boot(SCRIPT, sets=["kcapi"], modules=modules, files={"/data": data}, seconds=600)
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
    assert {entry["type"] for entry in found.values()} == {"skcipher", "aead", "ahash"}
    assert len(found) >= 20
    assert {name for name, entry in found.items() if entry["selftest"] != "passed"} == set()
    assert "alg: " not in said["dmesg"], "the kernel tells of failed tests so"
    assert not re.search(r"BUG|WARNING|Oops|Call Trace", said["dmesg"])
    cycles = re.search(r"(\d+) cycles simulated", ended.console)
    assert int(cycles[1]) > 100_000, "the tile was at work, not software in its place"


def test_programs_use_the_tile(said):
    """Debian's tools of AF_ALG, with the driver chosen by its name, and every hash function."""
    digests = dict(line.split() for line in said["digests"].splitlines())
    assert len(digests) >= 7
    for driver, digest in digests.items():
        name = driver.removeprefix("cryptile-").replace("-", "_")
        assert digest == hashlib.new(name, DATA).hexdigest(), driver
    line, count, *_ = said["interrupts"].split()
    assert int(count) >= len(digests), f"{line} messages of this length are not polled for"
