"""The cycle-true Linux system boots, scripts start from its state, and the driver works on it."""

import re

import pytest

from cryptile.bench.console import parse
from cryptile.errors import CryptileError
from cryptile.linux import board, kbuild, lean, ring, rtl
from cryptile.project import ROOT

pytestmark = pytest.mark.soak

LEAST = re.compile(r"cycles (\d+) least (\d+) median")
TICK = board.CYCLES_A_SECOND // 100
"""Cycles from one tick of the kernel's clock to the next (``CONFIG_HZ_100``)."""

FAST_CYCLES = 20_000_000
"""A script that does next to nothing: some programs are started, at 3 million cycles each."""


@pytest.fixture(scope="module")
def driver():
    return kbuild.driver(lean.kernel())


def test_script(tmp_path):
    """Its status and its output are those of the script, and the same again."""
    data = tmp_path / "data"
    data.write_bytes(bytes(range(256)) * 17)
    ran = [rtl.run("uname -r; cat /data; exit 7", files={"/data": data}) for _ in range(2)]
    result, cycles = ran[0]
    assert (result.status, result.output) == (7, b"6.12.107\n" + data.read_bytes())
    assert cycles < FAST_CYCLES
    assert ran[1] == ran[0]


def test_a_guest_that_hangs_is_stopped():
    with pytest.raises(CryptileError, match="stopped after 1000000 cycles"):
        rtl.run("while :; do :; done", cycles=1_000_000)


def test_a_guest_that_crashes_is_told():
    with pytest.raises(CryptileError, match="crashed"):
        rtl.run("reboot -f")


def test_driver_passes_the_kernels_tests(driver):
    result, _ = rtl.run(
        "echo 0 >/sys/module/cryptomgr/parameters/notests\ninsmod /cryptile.ko\n"
        "while grep -q larval /proc/crypto; do sleep 1; done\ncat /proc/crypto; dmesg",
        files={"/cryptile.ko": driver},
        cycles=1_000_000_000,
    )
    said = result.output.decode()
    found = re.findall(
        r"^driver +: cryptile-(\S+)\n(?:.*\n){3}selftest +: (\w+)", said, re.MULTILINE
    )
    assert len(found) > 20
    assert {outcome for _, outcome in found} == {"passed"}
    assert not re.search(r"WARNING|BUG|Oops|self-tests for .* failed", said)


def test_a_short_message_in_the_kernel(driver):
    """64 bytes with the first AEAD of the driver's table, polled: faster than the kernel's own."""
    timer = kbuild.module("sw/linux/cycles", kernel=lean.kernel())
    rows = (ROOT / "sw/linux/driver/aead.c").read_text()
    name, own = re.findall(r'^\tAEAD\(\w+, \w+, "([^"]+)", "([^"]+)"', rows, re.MULTILINE)[0]
    result, _ = rtl.run(
        f"insmod /cycles.ko 'driver={name}'; rmmod cycles; insmod /cryptile.ko\n"
        f"insmod /cycles.ko driver=cryptile-{own}; dmesg",
        files={"/cycles.ko": timer, "/cryptile.ko": driver},
    )
    software, tile = (int(least) for least, _ in LEAST.findall(result.output.decode()))
    assert tile < software


def test_nobody_waits_for_a_tick(driver):
    """Through AF_ALG, polled and by interrupt: who waits is woken by the end of the job itself.

    The kernel is for one processor: its locks hold nobody off. Jobs of the random bit generator,
    which the kernel asks now and then, are none of those that can be woken for.
    """
    stats = "cat /sys/kernel/debug/*.crypto/stats"
    rounds = 16
    calls = f"aes-128-gcm aead cryptile-gcm-aes 16 12 64 {rounds}"
    result, _ = rtl.run(
        "insmod /cryptile.ko\n"
        f"alg_cycles polled {calls}; {stats}\n"
        "echo 0 >/sys/module/cryptile/parameters/poll_cycles; echo == interrupt\n"
        f"alg_cycles interrupt {calls}; {stats}",
        files={
            "/cryptile.ko": driver,
            "/bin/alg_cycles": ring.program(ROOT / "sw/linux/bench/alg_cycles.c"),
        },
    )
    text = result.output.decode()
    took = {row.params["path"]: row.value / 100 for row in parse(text) if row.metric == "cycles"}
    counted = [
        {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)$", part, re.MULTILINE)}
        for part in text.split("== interrupt\n")
    ]
    assert took["polled"] < took["interrupt"] < TICK / 10
    # And one before these.
    assert counted[0]["jobs"] == counted[0]["polled"] > rounds
    assert counted[1]["interrupts"] >= counted[1]["woken"] == rounds + 1
    assert all(part[name] == 0 for part in counted for name in ("polled_late", "failed"))
