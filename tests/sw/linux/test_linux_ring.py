"""Queues of processes: /dev/cryptile0 and libcryptile-ring, all in one boot.

Right answers for every algorithm, alone, beside others and by turns; processes that die, forge and
flood; system calls that must be refused; and the device's going.
"""

import hashlib
import os
import re
from pathlib import Path

import pytest
import ring_vectors
from support import tile_vectors
from support.linux_kernels import SLOWER, kernels, modules

from cryptile import regs
from cryptile.catalog import algorithms_on
from cryptile.linux import kbuild, ring
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.machine import TILE_BASE
from cryptile.linux.selftests import COMPLAINT, LEAKS, NO_TESTS

GUEST = Path(__file__).parent / "guest"
PROGRAMS = (
    "ring_vectors", "ring_hold", "ring_forge", "ring_refuse", "ring_lost", "ring_keys",
    "ring_limits",
)  # fmt: skip
DEVICE = "11000000.crypto"
DRIVER = "/sys/bus/platform/drivers/cryptile"
KEY_SLOTS = 8
QUEUES = 6
"""Hardware queues for processes: the kernel has one, and one is for turns."""

AT = regs.offsets("tile")
WRITTEN_ONCE = {"ALLOWED": 2, "WEIGHT": 2, "PROCESS": 0x12345}
"""What somebody has left in the registers of a queue that the kernel is to write."""


def devmem(register, value=""):
    return f"busybox devmem {TILE_BASE + AT[register]:#x} 32 {value}"


PLACES = [f"QUEUE[{queue}].{name}" for queue in range(QUEUES + 2) for name in WRITTEN_ONCE]
LEAVE = "; ".join(
    devmem(place, hex(WRITTEN_ONCE[place.partition(".")[2]]))
    for place in PLACES
    if not place.startswith("QUEUE[0]")
)
READ = "; ".join(f"echo {place}: $({devmem(place)})" for place in ["FEATURES", *PLACES])

HASH = next(alg for alg in algorithms_on(ring_vectors.SYSTEM).values() if alg.form == "hash")
STATS = f"cat /sys/kernel/debug/{DEVICE}/stats"
INSERT = "mount -t debugfs none /sys/kernel/debug\ninsmod /cryptile.ko"
TROUBLE = re.compile(rf"{COMPLAINT.pattern}|Call Trace")
MAX_BYTES = 4096
USER_RINGS = 64
"""The module's parameter `user_rings`."""

DEATHS = 3
PARTS = {
    "own": "ring_vectors /vectors; echo $?",
    "asleep": "ring_vectors /vectors asleep; echo $?",
    "beside": "ring_vectors /vectors beside; echo $?",
    "together": "for i in 1 2 3; do ring_vectors /vectors & done; wait",
    "turns": f"ring_hold {QUEUES + 2} sh -c 'ring_vectors /vectors & ring_vectors /vectors; wait'",
    "digest": f"ring_digest {HASH.name} /data",
    "before": f"{STATS}; grep MemAvailable /proc/meminfo",
    "die": f"for i in $(seq {DEATHS}); do ring_lost die; echo $?; done",
    "forge": "ring_forge 1",
    "refuse": "ring_refuse",
    "keys": "ring_keys use",
    "keys of others": "ring_keys others",
    "keys shared": f"ring_keys share {QUEUES}",
    "keys lost": f"for i in $(seq {DEATHS}); do ring_keys lost; done",
    "after": f"{STATS}; grep MemAvailable /proc/meminfo",
    "flood": f"echo {MAX_BYTES} >/sys/module/cryptile/parameters/max_bytes; ring_lost flood",
    "interrupts": "grep crypto /proc/interrupts",
    "hold": f"ring_hold {QUEUES + 2} true; echo $?",
    "memory": "chmod 666 /dev/cryptile0; ring_limits memory",
    "limits": "ring_limits rings",
    "signals": f"ring_hold {QUEUES} ring_limits signals",
    "half": f"ring_hold {QUEUES} ring_limits half",
    "changing": f"ring_hold {QUEUES} ring_limits changing",
    "registers": f"{LEAVE}; ring_hold {QUEUES} sh -c 'ring_limits half; {READ}'",
    "stopped": "echo devices >/sys/power/pm_test; ring_lost stopped 'echo mem >/sys/power/state'",
    "keys asleep": "echo devices >/sys/power/pm_test; ring_keys sleep 'echo mem >/sys/power/state'",
    "gone": f"ring_lost gone 'echo {DEVICE} >{DRIVER}/unbind'; ls /dev/cryptile0",
    "back": f"echo {DEVICE} >{DRIVER}/bind; ring_digest {HASH.name} /data; rmmod cryptile; echo $?",
}
SLEEP = ("stopped", "keys asleep")
"""Parts in which the system sleeps."""


@pytest.fixture(scope="module", params=kernels(pytest.mark.soak, Kernel.newest, Kernel.checked))
def kernel(request):
    return request.param


@pytest.fixture(scope="module")
def files(kernel, tmp_path_factory):
    """The module, the library's programs, and vectors."""
    folder = tmp_path_factory.mktemp("ring")
    data, vectors = folder / "data", folder / "vectors"
    data.write_bytes(os.urandom(3001))
    vectors.write_bytes(tile_vectors.stream(ring_vectors.vectors(16, 200)))
    driver = kbuild.driver(kernel.tree)
    programs = {f"/bin/{name}": ring.program(GUEST / f"{name}.c") for name in PROGRAMS}
    programs["/bin/ring_digest"] = ring.library() / "ring_digest"
    return {"/cryptile.ko": driver, "/data": data, "/vectors": vectors, **programs}


def run(kernel, files, parts, tile=None):
    """Boot; return what each part of the script printed, and the kernel's messages."""
    parts = {**parts, "messages": f"true {LEAKS}dmesg"}
    script = "".join(f"echo '== {name}'\n{{ {text}; }} 2>&1\n" for name, text in parts.items())
    ended = boot(
        f"{INSERT}\n{script}",
        modules=modules(kernel, files["/cryptile.ko"]),
        files=files,
        tile=tile,
        # test_linux_driver.py has the tests of the kernel; suspend needs no wait; registers of the
        # driver's are read beside it.
        command_line=[NO_TESTS, "suspend.pm_test_delay=0", "iomem=relaxed"],
        kernel=kernel,
        seconds=300 * SLOWER[kernel],
    )
    words = re.split(r"^== ([\w ]+)\n", ended.output.decode(), flags=re.MULTILINE)[1:]
    return dict(zip(words[::2], words[1::2], strict=True))


@pytest.fixture(scope="module")
def said(kernel, files):
    """What the parts say; 7.3's console, by which the host hears of it, does not come back."""
    left_out = SLEEP if kernel is Kernel.newest else ()
    return run(kernel, files, {name: text for name, text in PARTS.items() if name not in left_out})


@pytest.fixture
def asleep(said):
    """What the parts say in which the system sleeps."""
    if SLEEP[0] not in said:
        pytest.skip("this kernel is not sent to sleep")
    return said


def lines(text):
    """What a program told, by name."""
    return dict(re.findall(r"^(.+): (.+)$", text, re.MULTILINE))


def stats(text):
    return {name: int(value) for name, value in re.findall(r"^(rings_\w+) (\d+)$", text, re.M)}


EVERY = len(algorithms_on(ring_vectors.SYSTEM)) + 2
RIGHT = re.compile(rf"^(own|shared): {EVERY} vectors, \d+ jobs, 0 differ$", re.MULTILINE)


@pytest.mark.parametrize("part", ["own", "asleep", "beside"])
def test_every_algorithm(said, part):
    assert RIGHT.findall(said[part]) == ["own"], said[part]
    assert said[part].endswith("\n0\n")


def test_processes_at_once(said):
    assert RIGHT.findall(said["together"]) == ["own"] * 3


def test_none_is_free(said):
    """Whoever insists is refused, and others take turns: a system call for each batch."""
    assert said["turns"].startswith(f"{QUEUES} rings, the next one: -5\n")
    assert RIGHT.findall(said["turns"]) == ["shared"] * 2
    counted = stats(said["before"])
    assert counted["rings_shared"] == 2
    assert 2 <= counted["rings_batches"] < 40
    assert counted["rings_violations"] == 0


def test_example(said, files):
    digest, _ = said["digest"].split()
    assert digest == hashlib.new(HASH.hashlib, files["/data"].read_bytes()).hexdigest()


def aborted(said):
    """How many queues were stopped in the midst of jobs between two parts."""
    before, after = (stats(said[part])["rings_aborted"] for part in ("before", "after"))
    return after - before


def test_death_in_mid_job(kernel, said):
    """Jobs are aborted, memory comes back, and the queue is free again."""
    assert re.findall(r"^\d+$", said["die"], re.MULTILINE) == ["137"] * DEATHS
    if kernel is not Kernel.checked:  # which takes longer to look than the tile to end them
        assert aborted(said) >= DEATHS
    before, after = said["before"], said["after"]
    free = [int(re.search(r"MemAvailable: +(\d+)", text)[1]) for text in (before, after)]
    assert free[0] - free[1] < 2048 * DEATHS / 2, "each has 2 MiB of its own"
    assert said["hold"] == f"{QUEUES} rings, the next one: -5\n0\n"


OUTSIDE, DENIED, BAD = "17", "18", "16"
FORGED = {
    OUTSIDE: [
        "source is the kernel", "source is the key slots", "source in window 1",
        "source in window 3", "source behind the end", "source across the end", "source wraps",
        "destination is the kernel", "destination behind the end", "key is the kernel",
        "tag behind the end", "long IV is the kernel", "associated data is the kernel",
        "context is saved behind the end", "context is the kernel", "list is the kernel",
        "list names the kernel", "list of places in the kernel",
    ],
    DENIED: ["key slot 0", "token of slot 0"],
    BAD: ["key into slot 0", "list without end", "no such engine", "longer than MAX_BYTES"],
    "0": ["as it should be", "sealed as it should be", "works again"],
    "refused": ["doorbell over the ring's size", "doorbell far over it", "doorbell backward"],
    "none": ["half a job"],
    "untouched": ["the other's memory"],
    "yes": ["copied"],
}  # fmt: skip


def test_forged_jobs(said):
    expected = {name: status for status, names in FORGED.items() for name in names}
    assert lines(said["forge"]) == expected
    assert stats(said["after"])["rings_violations"] >= len(FORGED[OUTSIDE])


REFUSED = {
    "EACCES": ["opened to read", "opened to write", "opened by nobody", "to execute later"],
    "EPROTONOSUPPORT": ["version 2"],
    "EBUSY": ["setup again"],
    "EFAULT": ["no memory of its own", "grow"],
    "ENOMEM": ["arena of 2^29"],
    "ENOTTY": ["unknown", "another size"],
    "EPERM": ["nobody's long jobs", "nobody's large arena"],
    "0": ["setup", "setup by a child", "page", "window", "nobody's setup"],
    "Segmentation fault": ["a child's look"],
    "EINVAL": [
        "flags", "reserved", "ring of 1", "ring of 2^13", "ring of 2^64", "no arena",
        "arena of 2^63", "arena of 2^64 - 1", "arena before setup", "restart before setup",
        "map before setup", "arena of none", "arena's window", "run without turns",
        "read of 4 bytes", "page and the next", "the next page", "window and more",
        "behind the window", "page to window", "window 4", "window 2^20", "private",
        "private, to read", "to execute", "run from the window",
    ],
}  # fmt: skip


def test_system_calls_that_are_refused(said):
    told = re.findall(r"^(.+): (.+)$", said["refuse"], re.MULTILINE)
    expected = {name: error for error, names in REFUSED.items() for name in names}
    assert {name: error for name, error in told if name in expected} == expected
    assert [error for name, error in told if name == "one more arena"] == ["0"] * 3 + ["ENOSPC"]
    nobody = [error for name, error in told if name.startswith("nobody's")]
    assert nobody == ["EPERM", "EPERM", "ENOMEM", "0", "0", "ENOMEM"]


KEYS = {
    "0": ["by pointer", "by slot", "decrypted", "after a restart", "to encrypt", "the second of 2",
          "the first key", "forget", "the key now", "as it should be"],
    "1": ["the same", "the slot again"],
    DENIED: ["another mode", "another length", "another generation", "a short tag", "a part",
             "unwrapped into its own slot", "it unwraps a token", "to encrypt, not decrypt",
             "the third of 2", "forgotten", "forgotten, any", "the key before"],
    "-1": ["forget again", "forget none"],
    "EINVAL": ["no right", "a flag more", "opcode 16", "opcode 2^32 - 1", "no mode", "mode 16",
               "no key", "key of 65", "more than the key", "tag of 128", "uses that do not count",
               "this slot", "this generation", "reserved"],
    "EFAULT": ["nowhere", "forget nowhere"],
    "16 of 16": ["not to be written"],
}  # fmt: skip


def test_what_keys_in_slots_can_be_used_for(said):
    expected = {name: status for status, names in KEYS.items() for name in names}
    assert lines(said["keys"]) == expected


def test_keys_of_another_queue(said):
    """Nobody but its queue can use a key, nor wipe it, and a queue that is opened has none."""
    assert lines(said["keys of others"]) == {
        "the owner": "0",
        "jobs of another": "0",
        "forgotten by another": "-1",
        "another's own": "1",
        "the owner still": "0",
        "closed and opened": "0",
    }
    assert lines(said["keys lost"]) == {"left by who was here": "0", "own": "0"}


def test_keys_are_shared_out(said):
    """The first one takes what it can, and there is one left for each other queue."""
    told = lines(said["keys shared"])
    assert told.pop("by turns") == "-9"
    keys = [int(text.split()[0]) for text in told.values()]
    assert all(text.endswith("keys, then -5") for text in told.values())
    assert len(keys) == QUEUES and sum(keys) == KEY_SLOTS and min(keys) == 1


def test_keys_do_not_outlive_sleep(asleep):
    told = lines(asleep["keys asleep"])
    assert told == {
        "before": "0", "stopped": "-8", "restart": "0", "keys after": "0", "loaded again": "0",
    }  # fmt: skip


def test_flood(said):
    """A queue waits for the jobs in the engine's eight places and for one of each other queue; the
    kernel has no more interrupts than their owners have read.
    """
    found = re.fullmatch(r"max_bytes (\d+), alone (\d+), beside (\d+), left (\d+)\n", said["flood"])
    assert found
    longest, alone, beside, left = map(int, found.groups())
    assert longest == MAX_BYTES
    assert alone < 300
    assert beside <= (8 + 3) * (MAX_BYTES + 200) + 400
    assert left > 0
    counts = re.findall(r"^ *\d+: +(\d+)", said["interrupts"], re.MULTILINE)
    asleep = 2 * 53  # of the parts that sleep: at most one for a result
    rings = int(stats(said["after"])["rings_opened"]) + 4
    assert sum(map(int, counts)) <= rings + 3 * asleep


def test_locked_memory_is_the_users(said):
    """Another image of a process has no more of it, and neither has one who keeps another's file;
    it comes back with the file."""
    assert lines(said["memory"]) == {
        "beside it": "ENOMEM",
        "behind exec": "ENOMEM",
        "closed": "0",
        "beside a file that was passed on": "ENOMEM",
        "more in that": "ENOMEM",
        "closed too": "0",
    }


def test_limits_of_a_user(said):
    """One leaves a hardware queue to another, who leaves him his files."""
    assert lines(said["limits"]) == {
        "first": f"{QUEUES - 1} own, {USER_RINGS} in all, then EMFILE",
        "first, exclusive": "EMFILE",
        "first, with some closed": "EBUSY",
        "second": f"1 own, {USER_RINGS} in all, then EMFILE",
        "second, exclusive": "EMFILE",
        "second, with some closed": "EBUSY",
        "root": "0",
    }


def test_signals_come_between_turns(said):
    assert lines(said["signals"])["signals"] == "0, 256 right, several"


def test_half_a_job_by_turns(said):
    told = lines(said["half"])
    assert told.pop(f"{QUEUES} rings, the next one") == "-5"
    assert told == {
        "half a job": "-1, 2 results",
        "goes on behind its end": "EINVAL",
        "goes on with others": "EINVAL",
        "longer than the ring": "EINVAL",
        "of none": "0",
    }


def test_entries_that_change_while_they_run(said):
    told = lines(said["changing"])
    assert told["changed meanwhile"] == "some wrong, each ends"
    assert told["as it should be"] == "0"


def test_registers_are_written_at_each_opening(said):
    """Whatever stood in them: what jobs may be, turns, and whose bursts are."""
    told = {
        name: int(value, 16) for name, value in lines(said["registers"]).items() if "x" in value
    }
    every = told.pop("FEATURES")
    assert told == {
        f"QUEUE[{queue}].{name}": value
        for queue in range(QUEUES + 2)
        for name, value in {
            "ALLOWED": every,  # this tile has no opcode that is not by turns
            "WEIGHT": 1 if queue else QUEUES + 1,
            "PROCESS": 0,
        }.items()
    }
    assert every not in (0, WRITTEN_ONCE["ALLOWED"])


def test_suspend(asleep):
    """Memory stays; the process finds out, restarts its queue, and goes on."""
    told = lines(asleep["stopped"])
    state = -8, -6, 0, 0
    assert [int(told[name]) for name in ("asleep", "awake", "restart", "run")] == [*state]
    assert (told["memory"], told["poll"]) == ("there", "err")
    assert (told["event"], told["event behind it"]) == ("-8", "0")


def test_device_goes(said):
    """So does the memory, from under the process; and all comes back."""
    told = lines(said["gone"])
    assert told["memory before"] == "there"
    assert told["memory"] == told["page"] == "Bus error"
    assert (told["poll"], told["restart"], told["arena"]) == ("err hup", "-2", "-2")
    assert (told["event"], told["closed"]) == ("-2", "file -1, event -2")
    assert "No such file" in said["gone"]
    assert said["back"].split()[1:] == ["/data", "0"]


def test_no_trouble(said):
    assert not TROUBLE.search(said["messages"])


@pytest.mark.soak
def test_tamper(kernel, files):
    """A tile that has locked itself tells those who sleep, and starts no queue any more."""
    again = f"echo {DEVICE} >{DRIVER}/unbind; echo {DEVICE} >{DRIVER}/bind"
    parts = {
        "locked": "ring_lost stopped 'while ring_vectors /vectors >/dev/null; do :; done' 2>&1",
        "again": f"{again}; ls /dev/cryptile0",
    }
    said = run(kernel, files, parts, tile={"tamper_at": 60_000})
    told = lines(said["locked"])
    assert (told["memory"], told["poll"]) == ("there", "err")
    assert [int(told[name]) for name in ("asleep", "awake", "restart")] == [-8, -6, -8]
    assert int(told["run"]) != 0
    assert "No such file" in said["again"]
    assert not TROUBLE.search(said["messages"])


def test_tamper_behind_a_fault(kernel, files):
    """Who sleeps in poll() for a queue without a job is told that the tile has locked itself, also
    behind a fault with which it went on."""
    busy = "while ring_vectors /vectors >/dev/null; do :; done"
    parts = {"told": f"ring_lost told '{busy}' 2>/dev/null"}
    said = run(kernel, files, parts, tile={"faults_from": 20_000, "tamper_at": 200_000})
    assert lines(said["told"]) == {"poll": "err"}
    # Once a second: more often where the tampering is late, by the guest's time.
    assert "ERROR_STATUS 0x20000\n" in said["messages"], "not told before the tampering"
    assert not TROUBLE.search(said["messages"])


FLOODED = f"ring_hold {QUEUES} sh -c 'ring_limits flood & sleep 0.3; {{}}; kill $!; wait'"


@pytest.mark.soak
def test_turns_of_users(kernel, files):
    """One who floods the shared queue keeps others waiting for some jobs, not for batches; neither
    sleep nor unbinding waits for more; and whose turn was late gives way.

    With a cycle of 1 us a batch takes more than a second, and eight jobs some 35 ms.
    """
    prepare = f"echo {MAX_BYTES} >/sys/module/cryptile/parameters/max_bytes"
    clock = "read up idle </proc/uptime; echo $up"
    sleep = (
        "echo 500 >/sys/power/pm_freeze_timeout; echo devices >/sys/power/pm_test; "
        "echo mem >/sys/power/state; echo slept $?"
    )
    parts = {
        "fair": f"chmod 666 /dev/cryptile0; {prepare}; {FLOODED.format('ring_limits wait')}",
        "late": f"echo 0 >/sys/module/cryptile/parameters/max_bytes; "
        f"ring_hold {QUEUES - 2} ring_limits late; {prepare}",
        "asleep": FLOODED.format(sleep),
        "gone": FLOODED.format(f"{clock}; echo {DEVICE} >{DRIVER}/unbind; {clock}; wait; {clock}"),
    }
    if kernel is Kernel.newest:
        del parts["asleep"]
    said = run(kernel, files, parts, tile={"ns_per_cycle": 1000})
    turns = {
        part: [
            (name, int(status), int(ms))
            for name, status, ms in re.findall(r"^(.+): (-?\d+) in (\d+) ms$", said[part], re.M)
        ]
        for part in ("fair", "late")
    }
    assert [turn[:2] for turn in turns["fair"]] == [("waited", 0)] * 3
    assert max(ms for *_, ms in turns["fair"]) < 100
    late, another, same, beside, killed = (ms for *_, ms in turns["late"])
    assert [turn[:2] for turn in turns["late"]] == [
        ("late", -6), ("another's", 0), ("the same user's", 0),
        ("another's behind it", 0), ("the killed one's user's", 0),
    ]  # fmt: skip
    assert 1000 <= late < 1200 and another < 100 and 500 < same < 1200
    assert beside < 100 and 250 < killed < 1200
    if "asleep" in parts:
        assert "slept 0" in said["asleep"]
    begun, unbound, ended = map(float, re.findall(r"^[\d.]+$", said["gone"], re.MULTILINE))
    most = 0.6 if kernel is Kernel.checked else 0.3
    assert unbound - begun < most and ended - unbound < most
    assert not TROUBLE.search(said["messages"])


@pytest.mark.soak
def test_death_with_a_slow_tile(kernel, files):
    parts = {name: PARTS[name] for name in ("before", "die", "after")}
    said = run(kernel, files, parts, tile={"ns_per_cycle": 1000})
    assert aborted(said) == DEATHS
    assert not TROUBLE.search(said["messages"])


@pytest.mark.soak
def test_noise(kernel, files):
    """Random descriptors, with errors of the bus, beside processes that want right answers."""
    seeds = "for seed in $(seq 2 21); do ring_forge $seed | tail -n 3; done"
    right = "while [ -d /proc/$! ]; do ring_vectors /vectors; done"
    # A queue with half a job is at work as long as its process does not go on.
    said = run(
        kernel, files, {"noise": f"{{ {seeds}; }} & {right}"}, tile={"most_still": 1_000_000_000}
    )
    assert said["noise"].count("the other's memory: untouched\n") == 20
    assert said["noise"].count("works again: 0\ncopied: yes\n") == 20
    assert set(re.findall(r"(\d+) differ", said["noise"])) == {"0"}
    assert not TROUBLE.search(said["messages"])
