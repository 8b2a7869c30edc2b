"""Debian's tools of AF_ALG have the tile's RTL compute, through the kernel's driver."""

import hashlib
import random

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
echo 0 >/sys/module/cryptile/parameters/poll_cycles
awk '/^driver/ {driver = $3} /^module/ {module = $3}
  /^type/ && $3 == "ahash" && module == "cryptile" && driver !~ /mac/ {print driver}' /proc/crypto |
while read -r driver; do
  echo "$driver $(kcapi-dgst -c "$driver" --hex </data)"
done
echo '== interrupts'
grep crypto /proc/interrupts
"""


def test_programs_use_the_tile(tmp_path):
    """The driver is chosen by its name; every hash function that it registers."""
    data = tmp_path / "data"
    data.write_bytes(DATA)
    module = kbuild.driver()
    modules = [str(module), "algif_hash", "crypto_user"]
    ended = boot(SCRIPT, sets=["kcapi"], modules=modules, files={"/data": data}, seconds=600)
    assert ended.status == 0, ended.console
    lines, _, interrupts = ended.output.decode().partition("== interrupts\n")
    digests = dict(line.split() for line in lines.splitlines())
    assert len(digests) >= 7
    for driver, digest in digests.items():
        name = driver.removeprefix("cryptile-").replace("-", "_")
        assert digest == hashlib.new(name, DATA).hexdigest(), driver
    line, count, *_ = interrupts.split()
    assert int(count) >= len(digests), f"{line} none is polled for"
