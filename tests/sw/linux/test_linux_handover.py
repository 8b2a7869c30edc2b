"""Messages that are handed from the kernel's software to the tile in their midst, and back: by what
hash functions export and import, in the format of software.
"""

import re

import pytest
from support.linux_kernels import SLOWER, kernels, modules

from cryptile.linux import kbuild
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import COMPLAINT, LEAKS, NO_TESTS

pytestmark = pytest.mark.xdist_group("linux")

DEVICE = "11000000.crypto"
OWN = {"cmac-aes"}
"""Software exports what the tile does not save."""

CUTS = 9
"""Lengths of a part, at and beside the ends of blocks."""

FORGED = 5
"""States of each that are changed by hand."""

SCRIPT = f"""
mount -t debugfs none /sys/kernel/debug
insmod /cryptile.ko
awk '/^name/ {{name = $3}} /^driver/ {{driver = $3}}
  /^type/ && $3 == "ahash" && driver ~ /^cryptile-/ {{print name, driver}}' /proc/crypto |
while read -r alg driver; do
  insmod /handover.ko alg="$alg" driver="$driver" && rmmod handover
done
cat /sys/kernel/debug/{DEVICE}/stats
dmesg -c
echo == unbound
for alg in sha256 'hmac(sha512)' sha3-256; do
  driver=cryptile-$(echo "$alg" | tr '(' - | tr -d ')')
  insmod /handover.ko alg="$alg" driver="$driver" device={DEVICE} && rmmod handover
done
dmesg -c
rmmod cryptile; echo removed $?
{LEAKS}dmesg
"""


@pytest.fixture(scope="module", params=kernels(pytest.mark.soak, Kernel.checked))
def output(request):
    kernel = request.param
    driver = kbuild.driver(kernel.tree)
    module = kbuild.module("tests/sw/linux/guest/handover", kernel=kernel.tree)
    ended = boot(
        SCRIPT,
        modules=modules(kernel, driver),
        files={"/cryptile.ko": driver, "/handover.ko": module},
        command_line=[NO_TESTS],
        kernel=kernel,
        seconds=600 * SLOWER[kernel],
    )
    return ended.output.decode()


def came(text):
    """By driver, digests that were right and wrong."""
    found = re.findall(r"handover: cryptile-(\S+): right (\d+), wrong (\d+)$", text, re.MULTILINE)
    return {name: (int(right), int(wrong)) for name, right, wrong in found}


def test_from_one_to_the_other(output):
    """Three parts of CUTS lengths each, in the hands of software and tile by turns, and of the tile
    alone."""
    text, _, _ = output.partition("== unbound")
    assert int(re.search(r"^jobs (\d+)$", text, re.MULTILINE)[1]) > 3000
    found = came(text)
    assert {*found.values()} == {(3 * CUTS**2, 0)}
    assert len(found) == 12
    others = re.findall(r"handover: cryptile-(\S+): its own state$", text, re.MULTILINE)
    assert {*others} == OWN


def test_forged_states(output):
    """What no message has is refused, and its request with it; where software takes a state, the
    digest is the same. None of it stops the tile.
    """
    text, _, _ = output.partition("== unbound")
    found = {
        name: tuple(map(int, counts))
        for name, *counts in re.findall(
            r"handover: cryptile-(\S+): forged: right (\d+), refused (\d+), wrong (\d+)$",
            text,
            re.MULTILINE,
        )
    }
    assert len(found) == 13
    for name, counts in found.items():
        refused = 2 if name in OWN else FORGED if "sha3-" in name else 0
        right = 0 if name in OWN else FORGED - refused
        assert counts == (right, refused, 0), name
    for counter in ("timeouts", "restarts", "violations"):
        assert f"\n{counter} 0\n" in text


def test_another_key_amidst_a_message(output):
    """One that the tile does not take ends the message with an error."""
    found = dict(re.findall(r"handover: cryptile-hmac-(\S+): another key: (-?\d+)$", output, re.M))
    assert found == {"sha224": "0", "sha256": "0", "sha384": "-22", "sha512": "-22"}


def test_device_goes_amidst_a_message(output):
    """Software goes on with what the tile had begun."""
    _, _, text = output.partition("== unbound")
    assert came(text) == dict.fromkeys(("sha256", "hmac-sha512", "sha3-256"), (3 * CUTS, 0))


def test_no_trouble(output):
    assert "removed 0\n" in output
    assert not re.search(rf"{COMPLAINT.pattern}|Call Trace", output)
