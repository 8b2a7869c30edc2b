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

DEVICE = "11000000.crypto"
OWN = {"cmac-aes"}
"""Software exports what the tile does not save."""

CUTS = 9
"""Lengths of a part, at and beside the ends of blocks."""

FULL = 3
"""Of these, those for which the ring is filled."""

FORGED = 5
"""States of each that are changed by hand."""

SOME = ("sha256", "hmac(sha512)", "sha3-256")
CMAC = "cmac(aes)"


def hand_over(arguments, *algs):
    """Return a script that loads the module for each of some algorithms."""
    return "\n".join(
        f"insmod /handover.ko alg='{alg}' driver=cryptile-{driver_of(alg)} {arguments} && "
        "rmmod handover"
        for alg in algs or SOME
    )


def driver_of(alg):
    return alg.replace("(", "-").replace(")", "")


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
{hand_over("device=" + DEVICE)}
dmesg -c
echo == full
echo 0 >/sys/module/cryptile/parameters/poll_cycles
{hand_over("full=1")}
cat /sys/kernel/debug/{DEVICE}/stats
dmesg -c
echo == end
rmmod cryptile; echo removed $?
{LEAKS}dmesg
"""

SCATTERED = f"""
mount -t debugfs none /sys/kernel/debug
insmod /cryptile.ko
{hand_over("scattered=1 device=" + DEVICE, *SOME, CMAC)}
cat /sys/kernel/debug/{DEVICE}/stats
rmmod cryptile; echo removed $?
{LEAKS}dmesg
"""


@pytest.fixture(scope="module", params=kernels(pytest.mark.soak, Kernel.checked))
def run(request):
    """Boot with driver and module at hand; return what a script prints."""
    kernel = request.param
    driver = kbuild.driver(kernel.tree)
    module = kbuild.module("tests/sw/linux/guest/handover", kernel=kernel.tree)

    def run(script, **tile):
        ended = boot(
            script,
            modules=modules(kernel, driver),
            files={"/cryptile.ko": driver, "/handover.ko": module},
            tile=tile,
            command_line=[NO_TESTS],
            kernel=kernel,
            seconds=600 * SLOWER[kernel],
        )
        output = ended.output.decode()
        assert "removed 0\n" in output
        assert not re.search(rf"{COMPLAINT.pattern}|Call Trace", output)
        return output

    return run


@pytest.fixture(scope="module")
def said(run):
    """What the parts of the script say."""
    words = re.split(r"^== (\w+)\n", "== before\n" + run(SCRIPT), flags=re.MULTILINE)[1:]
    return dict(zip(words[::2], words[1::2], strict=True))


@pytest.fixture(scope="module")
def output(said):
    return said["before"]


def came(text, what=""):
    """By driver, digests that were right and wrong."""
    found = re.findall(
        rf"handover: cryptile-(\S+): {what}right (\d+), wrong (\d+)$", text, re.MULTILINE
    )
    return {name: (int(right), int(wrong)) for name, right, wrong in found}


def test_from_one_to_the_other(output):
    """Three parts of CUTS lengths each, in the hands of software and tile by turns, and of the tile
    alone."""
    assert int(re.search(r"^jobs (\d+)$", output, re.MULTILINE)[1]) > 3000
    found = came(output)
    assert {*found.values()} == {(3 * CUTS**2, 0)}
    assert len(found) == 12
    others = re.findall(r"handover: cryptile-(\S+): its own state$", output, re.MULTILINE)
    assert {*others} == OWN


def test_forged_states(output):
    """What no message has is refused, and its request with it; where software takes a state, the
    digest is the same. None of it stops the tile.
    """
    found = {
        name: tuple(map(int, counts))
        for name, *counts in re.findall(
            r"handover: cryptile-(\S+): forged: right (\d+), refused (\d+), wrong (\d+)$",
            output,
            re.MULTILINE,
        )
    }
    assert len(found) == 13
    for name, counts in found.items():
        refused = 2 if name in OWN else FORGED if "sha3-" in name else 0
        right = 0 if name in OWN else FORGED - refused
        assert counts == (right, refused, 0), name
    for counter in ("timeouts", "restarts", "violations"):
        assert f"\n{counter} 0\n" in output


def test_another_key_amidst_a_message(output):
    """One that the tile does not take ends the message with an error."""
    found = dict(re.findall(r"handover: cryptile-hmac-(\S+): another key: (-?\d+)$", output, re.M))
    assert found == {"sha224": "0", "sha256": "0", "sha384": "-22", "sha512": "-22"}


def test_device_goes_amidst_a_message(said):
    """Software goes on with what the tile had begun."""
    drivers = map(driver_of, SOME)
    assert came(said["unbound"]) == dict.fromkeys(drivers, (3 * CUTS, 0))


def test_request_ends_elsewhere_with_its_data_gone(said):
    """Software makes the digest of what an update had, for which a request has no memory any more:
    the device has gone, or its ring is full.
    """
    drivers = [*map(driver_of, SOME)]
    for part, cuts in ("unbound", CUTS), ("full", FULL):
        assert came(said[part], "final: ") == dict.fromkeys(drivers, (cuts, 0)), part
    # The filling one that found no room, and the end.
    assert f"\nsoftware_full {2 * len(drivers) * FULL}\n" in said["full"]


def test_device_goes_amidst_a_request(run):
    """What a request has begun in the tile it ends there, in several jobs; what it has not,
    software does."""
    # A cycle of 1 us: the first job takes longer than to begin with the unbinding.
    text = run(SCATTERED, ns_per_cycle=1000)
    found = re.findall(r"handover: cryptile-(\S+): pieces of (\d+): (.*)$", text, re.MULTILINE)
    algs = [*SOME, CMAC]
    assert found == [(driver_of(alg), size, "0, right") for alg in algs for size in ("3", "4000")]
    assert f"\nsoftware_closed {len(algs)}\n" in text
