"""Debian's tools of AF_ALG have the tile's RTL compute, through the driver, by the command."""

import hashlib
import random
import subprocess
import sys
from pathlib import Path

CRYPTILE = Path(sys.executable).parent / "cryptile"
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
    words = "--driver --with kcapi --module algif_hash --module crypto_user --seconds 600"
    ended = subprocess.run(
        [CRYPTILE, "linux", "boot", SCRIPT, *words.split(), "--console", "--file", f"{data}:/data"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    lines, _, interrupts = ended.stdout.partition("== interrupts\n")
    digests = dict(line.split() for line in lines.splitlines())
    assert len(digests) >= 7
    for driver, digest in digests.items():
        name = driver.removeprefix("cryptile-").replace("-", "_")
        assert digest == hashlib.new(name, DATA).hexdigest(), driver
    line, count, *_ = interrupts.split()
    assert int(count) >= len(digests), f"{line} none is polled for"
