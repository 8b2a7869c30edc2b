"""The kernel's driver of the tile: builds without a warning, passes the kernel's tests, agrees with
the kernel's software, and loses no request when the tile fails or goes."""

import re
from pathlib import Path

import pytest

from cryptile.linux.boot import boot
from cryptile.linux.kbuild import module
from cryptile.project import ROOT
from cryptile.toolchain import tools

pytestmark = pytest.mark.xdist_group("linux")

FOLDER = "sw/linux/driver"
DEVICE = "11000000.crypto"
WAY = ["algif_hash", "algif_skcipher", "algif_aead"]
"""From a process to the kernel's algorithms."""

TROUBLE = re.compile(r"WARNING|BUG|Oops|Call Trace|Unable to handle|self-tests for .* failed")
TESTED = "while grep -q larval /proc/crypto; do sleep 1; done\n"
STATS = f"cat /sys/kernel/debug/{DEVICE}/stats\n"


@pytest.fixture(scope="module")
def driver():
    return module(FOLDER, "sw/driver/core", "sw/hal/gen", "sw/include")


@pytest.fixture(scope="module")
def compare(tmp_path_factory):
    """The program that asks the driver and software the same."""
    program = tmp_path_factory.mktemp("guest") / "crypto_compare"
    tools.run([
        tools.find("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"), "-O2", "-static",
        "-std=gnu11", "-Wall", "-Wextra", "-Werror",
        Path(__file__).parent / "guest/crypto_compare.c", "-o", program,
    ])  # fmt: skip
    return program


def run(driver, script, files=None, tile=None):
    """Boot with the driver at hand; return the result, its output and the kernel's messages."""
    mount = "mount -t debugfs none /sys/kernel/debug\n"
    software = re.search(rb"\0softdep=pre: ([^\0]+)", driver.read_bytes())
    assert software
    parts = f"{mount}{script}\necho == messages; dmesg"
    result = boot(
        parts,
        modules=[*software[1].decode().split(), *WAY],
        files={"/cryptile.ko": driver, **(files or {})},
        tile=tile,
    )
    output, _, messages = result.output.decode().partition("== messages\n")
    return output, messages


def stats(output):
    """The last counters that a script printed."""
    return {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)$", output, re.MULTILINE)}


def rows():
    """How many algorithms the driver's tables have."""
    tables = (
        (ROOT / FOLDER / name).read_text().partition("struct cryptile_alg cryptile_")[2]
        for name in ("skcipher.c", "aead.c", "ahash.c")
    )
    return sum(len(re.findall(r"^\t[A-Z]+\(Tile", table, re.MULTILINE)) for table in tables)


def test_no_warning(driver):
    log = next(folder / "build.log" for folder in driver.parents if (folder / "build.log").exists())
    assert "warning" not in log.read_text().lower()


def test_agrees_with_software(driver, compare):
    """All algorithms pass the kernel's tests; random requests give what software gives; the device
    goes and comes while transforms are alive, and the module goes without a trace."""
    output, messages = run(
        driver,
        "crypto_compare /cryptile.ko cryptile- 3 3000 15; echo compared $?\n"
        f"{TESTED}{STATS}cat /proc/crypto\n"
        f"echo {DEVICE} >/sys/bus/platform/drivers/cryptile/unbind; echo unbound $?\n"
        f"echo {DEVICE} >/sys/bus/platform/drivers/cryptile/bind; echo bound $?\n"
        "rmmod cryptile; echo removed $?; grep -c cryptile /proc/crypto",
        {"/bin/crypto_compare": compare},
    )
    drivers = re.findall(
        r"^driver +: cryptile-(\S+)\n(?:.*\n){3}selftest +: (\w+)", output, re.MULTILINE
    )
    assert len(drivers) == rows() > 20
    assert {result for _, result in drivers} == {"passed"}
    assert len(re.findall(r"^cryptile-\S+ 3 requests .* 0 differ$", output, re.MULTILINE)) == rows()
    for done in ("compared 0", "unbound 0", "bound 0", "removed 0"):
        assert done in output
    assert output.endswith("\n0\n")
    assert not TROUBLE.search(messages)
    counted = stats(output)
    assert counted["jobs"] > 1000
    assert counted["polled"] > 1000
    assert [counted[name] for name in ("failed", "timeouts", "restarts", "violations")] == [0] * 4


@pytest.mark.soak
@pytest.mark.parametrize(
    ("parameters", "most", "least"),
    [("poll_bytes=0", "polled", "interrupts"), ("poll_turns=0", "interrupts", "polled_late")],
    ids=["interrupt", "late"],
)
def test_ways_to_the_end(driver, parameters, most, least):
    """Without polling all is told by interrupts; polling that ends too early loses nothing."""
    output, messages = run(
        driver,
        f"insmod /cryptile.ko {parameters}\n{TESTED}{STATS}grep -c unknown /proc/crypto",
    )
    counted = stats(output)
    assert not TROUBLE.search(messages)
    assert counted[least] > counted[most]
    assert counted["failed"] == 0


@pytest.mark.soak
@pytest.mark.parametrize(
    ("tile", "counter"),
    [
        ({"errors_per_million": 1_000_000}, "restarts"),
        ({"errors_per_million": 20_000}, "failed"),
    ],
    ids=["no memory", "errors"],
)
def test_failures(driver, tile, counter):
    """Every request ends, with an error: none holds the module."""
    output, messages = run(
        driver,
        f"insmod /cryptile.ko\n{TESTED}{STATS}rmmod cryptile; echo removed $?",
        tile=tile,
    )
    assert stats(output)[counter] > 0
    assert "removed 0" in output
    assert not re.search(r"BUG|Oops|Unable to handle|queue.c|still under way", messages)
