"""Random bytes from the tile: the kernel's driver, on RTL of tile and generator, with simulated
oscillators.
"""

import re

import pytest
from support.linux_kernels import SLOWER, kernels, modules

from cryptile.linux import kbuild
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import COMPLAINT, LEAKS, NO_TESTS

DEVICE = "11000000.crypto"
RBG_BASE = 0x1110_0000
ASKED, BLOCK = 512, 16
REBIND = "\n".join(
    f"echo {DEVICE} >/sys/bus/platform/drivers/cryptile/{way}" for way in ("unbind", "bind")
)
READ = f"echo bytes: $(dd if=/dev/hwrng bs={ASKED} count=1 iflag=fullblock | od -An -v -tx1)\n"


@pytest.fixture(params=kernels(pytest.mark.soak, Kernel.newest, Kernel.checked))
def kernel(request):
    return request.param


def run(kernel, script, **tile):
    """Boot with driver and generator; return what the script says, and the kernel."""
    driver = kbuild.driver(kernel.tree)
    ended = boot(
        "mount -t debugfs none /sys/kernel/debug\n"
        f"insmod /cryptile.ko\n{script}{LEAKS}echo == messages; dmesg",
        modules=modules(kernel, driver),
        files={"/cryptile.ko": driver},
        tile={"rbg_base": RBG_BASE, **tile},
        command_line=[NO_TESTS],
        kernel=kernel,
        seconds=300 * SLOWER[kernel],
    )
    said, _, messages = ended.output.decode().partition("== messages\n")
    return said, messages


def test_random_bytes(kernel):
    """No block twice, also when the device goes and comes, which seeds the generator anew."""
    current = "cat /sys/class/misc/hw_random/rng_current\n"
    said, messages = run(kernel, f"{current}{READ}{READ}{REBIND}\n{READ}rmmod cryptile; {current}")
    assert said.startswith(f"{DEVICE}\n")
    assert said.endswith("\nnone\n")
    found = [
        bytes.fromhex(text) for text in re.findall("^bytes: ([0-9a-f ]+)$", said, re.MULTILINE)
    ]
    assert [len(text) for text in found] == [ASKED] * 3
    blocks = [text[at : at + BLOCK] for text in found for at in range(0, ASKED, BLOCK)]
    assert len(set(blocks)) == len(blocks)
    ones = sum(byte.bit_count() for text in found for byte in text)
    assert abs(ones / (3 * ASKED * 8) - 0.5) < 0.03  # 7 standard deviations
    assert not re.search(rf"{COMPLAINT.pattern}|Call Trace|alarm", messages)


def test_alarm(kernel):
    """Of a source with a lane that stands still there is nothing; nobody ends its alarm."""
    said, messages = run(kernel, f"sleep 1\n{READ}{REBIND}\nsleep 1\n{READ}", rbg_fail=1)
    assert re.findall("^bytes: *$", said, re.MULTILINE) == ["bytes:"] * 2, said
    assert len(re.findall(f"cryptile {DEVICE}: random bits: alarm", messages)) >= 2
