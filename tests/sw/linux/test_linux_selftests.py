"""The kernel driver on the tile's RTL: the kernel's own self-tests of what it registers."""

import re

import pytest

from cryptile.linux import kbuild
from cryptile.linux.boot import boot


SCRIPT = """
for second in $(seq 60); do  # the kernel tests behind the module's loading
  grep -q '^selftest *: unknown' /proc/crypto || break
  sleep 1
done
cat /proc/crypto
echo '== dmesg'
dmesg
"""


@pytest.fixture(scope="module")
def registered():
    """Entries of /proc/crypto by the names of the drivers, and the kernel's messages."""
    module = kbuild.module("sw/linux/driver", "sw/driver/core", "sw/hal/gen", "sw/include")
    ended = boot(SCRIPT, modules=[str(module)], seconds=600)
    assert ended.status == 0, ended.console
    entries, _, messages = ended.output.decode().partition("== dmesg\n")
    found = {}
    for text in entries.split("\n\n"):
        fields = dict(re.findall(r"^(\w+) *: (.*)$", text, re.MULTILINE))
        if fields.get("module") == "cryptile":
            found[fields["driver"]] = fields
    return found, messages


def test_selftests_pass(registered):
    found, messages = registered
    assert {"cbc(aes)", "xts(aes)", "gcm(aes)", "sha256", "rfc7539(chacha20,poly1305)"} <= {
        fields["name"] for fields in found.values()
    }
    assert {name for name, fields in found.items() if fields["selftest"] != "passed"} == set()
    assert "alg: " not in messages, "the kernel tells of failed tests so"
    assert not re.search(r"BUG|WARNING|Oops|Call Trace", messages)
