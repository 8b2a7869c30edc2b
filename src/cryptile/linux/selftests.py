"""The kernel's own tests of what the driver registers."""

import re
from dataclasses import dataclass

from cryptile.linux import kbuild
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel

FAULTS = (
    r"BUG|Oops|Unable to handle|DMA-API: (?!preallocated|debugging)|UBSAN|unreferenced object"
    r"|ODEBUG|WARNING: (?!CPU|\S+:\d+ at)"
)
"""What the kernel says of a driver that is wrong, as a regular expression; from DMA-API on where it
looks for that: warnings but those that name a line are of locks."""

COMPLAINT = re.compile(rf"{FAULTS}|WARNING|self-tests for .* failed")
"""What it says besides, if nothing is done on purpose to make requests fail."""

LEAKS = """
leaks=/sys/kernel/debug/kmemleak
[ -e $leaks ] && { echo scan >$leaks; sleep 6; echo scan >$leaks; cat $leaks >/dev/kmsg; }
"""
"""Script: memory that nothing points to is told in the kernel's messages. It looks twice: a first
scan may take for lost what is under way."""

NO_TESTS = "cryptomgr.notests=1"
"""For the kernel's command line. Software is not tested at boot: with random messages that takes
minutes."""

TESTS_OFF = "/sys/module/cryptomgr/parameters/notests"
"""In the guest: whether what is registered from now on is tested."""

TESTED = "while grep -q larval /proc/crypto; do sleep 1; done\n"
"""Script: waits until all that is registered is tested."""

_SCRIPT = f"""
uname -r
mount -t debugfs none /sys/kernel/debug
echo 0 >{TESTS_OFF}
insmod /cryptile.ko || exit
{TESTED}
awk '/^driver/ {{driver = $3}} /^selftest/ {{print driver, $3}}' /proc/crypto | grep ^cryptile-
rmmod cryptile || exit
{LEAKS}
dmesg
"""


@dataclass(frozen=True)
class Found:
    """What came of it.

    Attributes:
        ended: whether the script came to its end: the driver was loaded, and unloaded.
        release: of the kernel.
        results: by the drivers' names: ``passed``, or ``unknown`` if its tests failed.
        complaints: lines of the kernel's messages that a driver without a fault does not cause.
        console: the guest's.
    """

    ended: bool
    release: str
    results: dict[str, str]
    complaints: list[str]
    console: str

    @property
    def is_good(self) -> bool:
        """Whether there are algorithms, all passed, nobody complained, and the driver went."""
        return self.ended and {*self.results.values()} == {"passed"} and not self.complaints


def run(kernel: Kernel, iterations: int, seconds: int) -> Found:
    """Build the driver for a kernel, boot it, load the driver, wait for the tests, unload it.

    Args:
        kernel: which.
        iterations: random messages of each kind, where the kernel has such tests.
        seconds: after which the guest is stopped.

    Raises:
        CryptileError: something is missing, does not build, or the guest does not come to its end.
    """
    driver = kbuild.driver(kernel.tree)
    result = boot(
        _SCRIPT,
        modules=kbuild.software_of(driver) if kernel.package else [],
        files={"/cryptile.ko": driver},
        command_line=[NO_TESTS, f"cryptomgr.fuzz_iterations={iterations}"],
        kernel=kernel,
        seconds=seconds,
    )
    output = result.output.decode(errors="replace")
    release, _, rest = output.partition("\n")
    return Found(
        result.status == 0,
        release,
        dict(re.findall(r"^(cryptile-\S+) (\w+)$", rest, re.MULTILINE)),
        [line for line in rest.splitlines() if COMPLAINT.search(line)],
        result.console,
    )
