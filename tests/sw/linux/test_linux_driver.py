"""The kernel's driver of the tile: builds without a warning, passes the kernel's tests, agrees with
the kernel's software, and loses no request when the tile fails or goes."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from support import testmgr
from support.linux_kernels import SLOWER, kernels, modules

from cryptile.linux import kbuild, ring, selftests
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import COMPLAINT, FAULTS, LEAKS, NO_TESTS, TESTED, TESTS_OFF
from cryptile.project import ROOT

FOLDER = "sw/linux/driver"
DEVICE = "11000000.crypto"
WAY = ["algif_hash", "algif_skcipher", "algif_aead"]
"""From a process to the kernel's algorithms."""

STATS = f"cat /sys/kernel/debug/{DEVICE}/stats\n"


@pytest.fixture(scope="module", params=kernels(pytest.mark.soak, Kernel.newest, Kernel.checked))
def kernel(request):
    return request.param


@pytest.fixture(scope="module")
def tree(kernel):
    return kernel.tree


@pytest.fixture(scope="module")
def driver(tree):
    return kbuild.driver(tree)


@pytest.fixture(scope="module")
def run(kernel, driver):
    """Boot with the driver at hand; return a script's output and the kernel's messages."""

    def run(script, files=None, tile=None, command_line=(), seconds=300):
        if NO_TESTS not in command_line and not kernel.package:
            script = f"echo 0 >{TESTS_OFF}\n{script}"
            command_line = [NO_TESTS, "cryptomgr.fuzz_iterations=10"]  # of software at boot
        result = boot(
            f"mount -t debugfs none /sys/kernel/debug\n{script}\n{LEAKS}echo == messages; dmesg",
            modules=modules(kernel, driver, *WAY),
            files={"/cryptile.ko": driver, **(files or {})},
            tile=tile,
            command_line=command_line,
            kernel=kernel,
            seconds=seconds * SLOWER[kernel],
        )
        output, _, messages = result.output.decode().partition("== messages\n")
        return output, messages

    return run


@pytest.fixture(scope="module")
def compare(tmp_path_factory):
    """The program that asks the driver and software the same."""
    program = tmp_path_factory.mktemp("guest") / "crypto_compare"
    return ring.alone(Path(__file__).parent / "guest/crypto_compare.c", program)


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


def test_agrees_with_software(run, kernel, compare):
    """All algorithms pass the kernel's tests; random requests give what software gives; the device
    goes and comes while transforms are alive, and the module goes without a trace."""
    is_seen = kernel is not Kernel.newest  # from 7.3 on a process has software alone
    compared = "crypto_compare /cryptile.ko cryptile- 3 3000 15; echo compared $?"
    # The checked kernel's tests take longer than the program waits.
    again = f"rmmod cryptile; echo 0 >{TESTS_OFF}; insmod /cryptile.ko"
    begin = {
        Kernel.debian: compared,
        Kernel.newest: "insmod /cryptile.ko",
        Kernel.checked: f"echo 1 >{TESTS_OFF}; {compared}; {again}",
    }[kernel]
    output, messages = run(
        f"{begin}\n"
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
    agreed = re.findall(r"^cryptile-\S+ 3 requests .* 0 differ$", output, re.MULTILINE)
    assert len(agreed) == (rows() if is_seen else 0)
    for done in (*(["compared 0"] if is_seen else []), "unbound 0", "bound 0", "removed 0"):
        assert done in output
    assert output.endswith("\n0\n")
    assert not COMPLAINT.search(messages)
    counted = stats(output)
    assert counted["jobs"] > 1000
    assert counted["polled"] > 1000
    assert [counted[name] for name in ("failed", "timeouts", "restarts", "violations")] == [0] * 4


@pytest.mark.soak
@pytest.mark.parametrize(
    ("parameters", "most", "least"),
    [("poll_cycles=0", "polled", "interrupts"), ("poll_turns=0", "interrupts", "polled_late")],
    ids=["interrupt", "late"],
)
def test_ways_to_the_end(run, kernel, parameters, most, least):
    """Without polling all is told by interrupts; polling that ends too early loses nothing.

    With random messages more are beside a late one: these are told by interrupts, too.
    """
    if kernel is Kernel.checked and least == "polled_late":
        most = "polled"
    output, messages = run(
        f"insmod /cryptile.ko {parameters}\n{TESTED}{STATS}grep -c unknown /proc/crypto",
        # Or a kernel with checks finds each job done at once.
        tile={"ns_per_cycle": 1000 if kernel is Kernel.checked else 100},
    )
    counted = stats(output)
    assert not COMPLAINT.search(messages)
    assert counted[least] > counted[most]
    if least == "interrupts":
        assert counted["woken"] > counted["polled"], "the tests' callers wait, one at a time"
    assert counted["failed"] == 0


def test_what_is_polled(run, tree):
    """By the engine's time, not the message's length: 16 KiB of GCM are, 64 KiB are not."""

    def time(size):
        words = f"driver=cryptile-gcm-aes bytes={size} key_bytes=16 rounds=16"
        return f"insmod /cycles.ko {words}; rmmod cycles\n{STATS}echo == next\n"

    output, _ = run(
        f"insmod /cryptile.ko\n{STATS}echo == next\n{time(1 << 14)}{time(1 << 16)}",
        {"/cycles.ko": kbuild.module("sw/linux/cycles", kernel=tree)},
        command_line=[NO_TESTS],
    )
    before, short, long = (stats(part) for part in output.split("== next\n")[:3])
    assert short["polled"] - before["polled"] >= 16
    assert short["interrupts"] == before["interrupts"]
    assert long["polled"] == short["polled"]
    assert long["interrupts"] - short["interrupts"] >= 16
    assert long["woken"] - short["woken"] >= 16, "who only waits is woken in the interrupt"


@pytest.mark.soak
@pytest.mark.parametrize(
    ("tile", "counter"),
    [
        ({"errors_per_million": 1_000_000}, "restarts"),
        ({"errors_per_million": 20_000}, "failed"),
    ],
    ids=["no memory", "errors"],
)
def test_failures(run, tile, counter):
    """Every request ends, with an error: none holds the module."""
    output, messages = run(
        f"insmod /cryptile.ko\n{TESTED}{STATS}rmmod cryptile; echo removed $?",
        tile=tile,
    )
    assert stats(output)[counter] > 0
    assert "removed 0" in output
    assert not re.search(rf"{FAULTS}|queue.c|still under way", messages)


FUZZ = r"""
awk '/^name/ {name = $3} /^driver/ {print name, $3}' /proc/crypto | grep ' cryptile-' |
while read -r alg driver; do
  insmod /fuzz.ko alg="$alg" driver="$driver" fuzz_iterations=ITERATIONS; rmmod fuzz
done
dmesg | sed -n 's/.*] fuzz: //p'
"""


@pytest.mark.parametrize("iterations", [10, pytest.param(100, marks=pytest.mark.soak)])
def test_kernels_tests_with_random_messages(run, kernel, driver, iterations):
    """Those that Debian's kernel is built without: pieces and alignments by chance, and the same
    as the kernel's generic software.
    """
    if not kernel.package:
        pytest.skip("they are among this kernel's own tests")
    files = {"/fuzz.ko": kbuild.module("tests/sw/linux/guest/fuzz", files=testmgr.sources())}
    output, messages = run(
        f"insmod /cryptile.ko\n{TESTED}{FUZZ.replace('ITERATIONS', str(iterations))}",
        {**files, "/cryptile.ko": driver},
        seconds=600 * iterations,
    )
    results = dict(re.findall(r"^(cryptile-\S+): (-?\d+)$", output, re.MULTILINE))
    without = re.findall(r"^no tests of (cryptile-\S+)$", output, re.MULTILINE)
    assert set(results.values()) == {"0"}, results
    assert len(results) + len(without) == rows()
    assert len(without) == 1, "the kernel has no vectors for it"
    assert not COMPLAINT.search(messages)


@pytest.mark.soak
@pytest.mark.parametrize(("tested", "iterations"), [(Kernel.newest, 100), (Kernel.checked, 20)])
def test_more_random_messages(tested, iterations):
    """On kernels that have these tests, with more than elsewhere in this file.

    Who asks for software waits a minute for its tests, in which checks leave time for so many.
    """
    found = selftests.run(tested, iterations, seconds=60_000)
    assert len(found.results) == rows()
    assert found.is_good, found


BAD = ("other", "wrong", "dirty", "lost")
"""What must not come of a request."""

DETECTED, TAMPER = 1 << 17, 1 << 18
"""Of ERROR_STATUS: regs/tile.rdl."""

LONGEST = 2_147_483_148
"""Milliseconds of which twice, and a second, are no more in 32 bits."""

DRIVER = "/sys/bus/platform/drivers/cryptile"
REBIND = "\n".join(f"echo {DEVICE} >{DRIVER}/{way}" for way in ("unbind", "bind"))
PARAMETERS = "/sys/module/cryptile/parameters"


def burst(name, arguments, meanwhile="true"):
    """Script for many requests at once, in the kernel, and for what happens meanwhile."""
    return (
        f"echo '== {name}'; insmod /burst.ko {arguments}; {meanwhile}\n"
        f"rmmod burst; dmesg | grep 'burst: right' | tail -n 1; {STATS}"
    )


def bursts(output):
    """Of each burst what came of its requests, and the driver's counters behind it."""
    words = re.split(r"^== (\w+)\n", output, flags=re.MULTILINE)[1:]
    return {
        name: ({key: int(n) for key, n in re.findall(r"(\w+) (\d+)[,\n]", text)}, stats(text))
        for name, text in zip(words[::2], words[1::2], strict=True)
    }


@pytest.fixture(scope="module")
def burst_module(tree):
    return kbuild.module("tests/sw/linux/guest/burst", kernel=tree)


RING, WAITING, ENTRIES = 256, 256, 2
"""Entries of the ring, requests that may wait beside it, and entries of a job with a key."""


def test_under_load(run, kernel, burst_module):
    """A full ring, jobs that are late, and a device that goes, comes and sleeps amidst requests:
    each ends, rightly or with an error and no plaintext.
    """
    count, long = 400, 65536
    goes = ["unbind", "suspend"]
    if kernel is Kernel.newest:
        # The console by which the host hears of the guest does not come back there.
        goes.remove("suspend")
    rebind = f"{REBIND}\nsleep 0.01\n".replace("unbind\n", "unbind\nsleep 0.01\n") * 4
    sleep = "echo devices >/sys/power/pm_test\n" + "echo mem >/sys/power/state; sleep 0.01\n" * 3
    ways = {"unbind": rebind, "suspend": sleep}
    output, messages = run(
        "insmod /cryptile.ko poll_cycles=0\n"
        + burst("full", f"count={count} bytes=64")
        + burst("backlog", f"count={count} bytes=64 backlog=1")
        + f"echo 40 >{PARAMETERS}/timeout_ms; sleep 3\n"  # until the driver looks again
        + burst("long", f"count=64 bytes={long}")
        + f"echo 1 >{PARAMETERS}/timeout_ms; sleep 1\n"
        + burst("late", f"count=6 bytes={long} rounds=2")
        + f"echo 5000 >{PARAMETERS}/timeout_ms\n"
        + "".join(burst(name, "count=8 rounds=0", ways[name]) for name in goes)
        + f"echo {LONGEST} >{PARAMETERS}/timeout_ms\n"
        + burst("patient", "count=8 rounds=0", rebind),
        {"/burst.ko": burst_module},
        tile={"ns_per_cycle": 1000},  # slow beside the guest
        command_line=[NO_TESTS, "suspend.pm_test_delay=0"],
    )
    came = bursts(output)
    found = [[counts[key] for key in BAD] for counts, _ in came.values()]
    assert found == [[0] * 4] * (5 + len(goes)), output
    ring = RING // ENTRIES + WAITING
    full, counted = came["full"]
    assert (full["right"], full["ENOSPC"], full["EIO"]) == (count, 0, 0)
    assert counted["software_full"] == count - ring
    backlog, counted = came["backlog"]
    assert (backlog["right"], backlog["told"], backlog["busy"]) == (
        count,
        count - ring,
        count - ring,
    )
    assert counted["software_full"] == count - ring
    # Each takes 4 ms, and all of them longer than a job may be late.
    in_turn, counted = came["long"]
    assert (in_turn["right"], counted["timeouts"]) == (64, 0)
    late, counted = came["late"]
    assert late["right"] + late["ETIMEDOUT"] + late["EIO"] == 2 * 6
    if kernel is not Kernel.checked:  # which asks for less than the tile does meanwhile
        assert late["ETIMEDOUT"] > 0
        assert counted["timeouts"] > 0
        assert counted["restarts"] > 0
    before = counted["software_closed"]
    for name in [*goes, "patient"]:
        counts, counted = came[name]
        assert counts["right"] > 5 * 8
        assert [counts[error] for error in ("EIO", "ETIMEDOUT", "ENOSPC")] == [0, 0, 0]
        assert counted["software_closed"] > before, "nothing was asked meanwhile"
        before = counted["software_closed"]
    assert [counted[name] for name in ("failed", "timeouts", "restarts")] == [0] * 3
    # Their callbacks are for the bottom half alone.
    assert came["backlog"][1]["interrupts"] > 0
    assert {counted["woken"] for _, counted in came.values()} == {0}
    assert not re.search(rf"{FAULTS}|Call Trace|still under way", messages)


def test_tamper(run, burst_module):
    """A tile that was tampered with locks itself, until it loses power: requests under way end at
    once, software goes on, and it cannot be bound again.
    """
    wait = f"until grep -q 'restarts [1-9]' /sys/kernel/debug/{DEVICE}/stats; do sleep 0.1; done"
    output, messages = run(
        "insmod /cryptile.ko poll_cycles=0\n"
        + burst("tamper", "count=32 rounds=0", f"{wait}; sleep 0.1")
        + f"{REBIND}; echo bound $?\n"
        + burst("again", "count=32"),
        {"/burst.ko": burst_module},
        tile={"ns_per_cycle": 1000, "tamper_at": 30_000},
        command_line=[NO_TESTS],
    )
    came = bursts(output)
    counts, counted = came["tamper"]
    assert counts["EIO"] > 0
    assert [counts[key] for key in ("other", "wrong", "dirty", "lost", "ETIMEDOUT")] == [0] * 5
    assert counted["software_closed"] > 0
    assert "given up" in messages
    assert "bound 1\n" in output
    assert "it is locked" in messages
    assert came["again"][0]["right"] == 32
    assert not re.search(rf"{FAULTS}|Call Trace|still under way", messages)


def test_tamper_after_a_fault(run, kernel, burst_module):
    """A fault with which the tile goes on hides no tampering behind it, and is told no more than
    once a second, though it is there in each cycle.
    """
    seconds = 4
    ended = f"until grep -q 'restarts [1-9]' /sys/kernel/debug/{DEVICE}/stats; do sleep 0.1; done"
    output, messages = run(
        # The driver itself would look for late jobs in half a minute.
        "insmod /cryptile.ko poll_cycles=0 timeout_ms=60000\n"
        + burst("faults", "count=32 rounds=0", "sleep 0.1")
        + f"sleep {seconds}; grep error /proc/interrupts\n"
        + burst("tamper", "count=32 rounds=0", ended),
        {"/burst.ko": burst_module},
        tile={"ns_per_cycle": 1000, "faults_from": 10_000, "tamper_at": 600_000},
        command_line=[NO_TESTS],
    )
    came = bursts(output)
    faults, counted = came["faults"]
    assert faults["right"] > 0
    assert [faults[key] for key in BAD] == [0] * len(BAD)
    assert counted["restarts"] == 0
    tamper, _ = came["tamper"]
    assert tamper["EIO"] > 0
    assert [tamper[key] for key in BAD] == [0] * len(BAD)
    told = re.findall(r"^\[ *([\d.]+)\] .*ERROR_STATUS (\w+)$", messages, re.MULTILINE)
    times = [float(time) for time, _ in told]
    statuses = [int(status, 16) for _, status in told]
    assert statuses == [DETECTED] * (len(told) - 1) + [DETECTED | TAMPER]
    assert len(told) - 1 >= seconds
    if kernel is not Kernel.checked:  # with which all that the guest does takes longer
        assert len(told) - 1 <= seconds + 3
    assert min(later - time for time, later in pairwise(times[:-1])) > 0.9
    (given_up,) = re.findall(r"^\[ *([\d.]+)\] .*given up$", messages, re.MULTILINE)
    assert float(given_up) - times[-1] < 1


@pytest.mark.soak
def test_what_looks_for_faults_finds_them():
    """A module with three faults: each is told of."""
    faulty = kbuild.module("tests/sw/linux/guest/faulty", kernel=Kernel.checked.tree)
    script = f"mount -t debugfs none /sys/kernel/debug; insmod /faulty.ko\n{LEAKS}dmesg"
    messages = boot(
        script,
        files={"/faulty.ko": faulty},
        kernel=Kernel.checked,
        command_line=[NO_TESTS],
        seconds=900,
    ).output.decode()
    found = ("BUG: KASAN: slab-out-of-bounds", "possible circular locking", "unreferenced object")
    assert [text for text in found if text not in messages] == []
    assert len(COMPLAINT.findall(messages)) >= len(found)
