"""Asynchronous jobs of OpenSSL through the provider: paused, woken, abandoned."""

import re

import pytest
from provider_boot import GUEST, SLEEP, run
from support.linux_kernels import SLOWER

from cryptile.linux import provider, ring
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import COMPLAINT, LEAKS

AREAS = 12
"""Jobs that the provider has paused at a time, at most."""
QUEUES = 6
DEVICE = "11000000.crypto"
UNBIND = f"echo {DEVICE} >/sys/bus/platform/drivers/cryptile/unbind"
PRELOADED = f"LD_PRELOAD={provider.MODULES}/cryptile.so"
SLOW = {"ns_per_cycle": 1000}
"""A tile whose jobs are under way while the processor begins others."""
COUNTED = re.compile(
    r"^(?P<tasks>\d+) tasks, (?P<differ>\d+) differ, (?P<fail>\d+) fail, (?P<pauses>\d+) pauses, "
    r"\d+ waits; (?P<jobs>\d+) jobs, (?P<paused>\d+) paused, (?P<most>\d+) at a time, "
    r"(?P<failed>\d+) failed, (?P<refused>\d+) refused$",
    re.MULTILINE,
)


def words(*parts):
    """A script of parts, each behind its name, and with its status."""
    return "".join(f"echo '== {name}'\n{{ {text}; }}; echo status $?\n" for name, text in parts)


def begin(folder, script, *, tile=SLOW, kernel=Kernel.debian, **settings):
    """Boot; return what each part of the script said."""
    tasks = GUEST / "async_tasks.c"
    programs = [
        provider.program(GUEST / f"{name}.c", tasks)
        for name in ("provider_async", "provider_async_ends")
    ]
    said = run(
        folder,
        script,
        programs=programs,
        files={"/bin/ring_hold": ring.program(GUEST / "ring_hold.c")},
        more=["suspend.pm_test_delay=0"],
        tile=tile,
        kernel=kernel,
        min_bytes=0,
        **settings,
    ).output.decode()
    named = re.split(r"^== ([\w ]+)\n", said, flags=re.MULTILINE)[1:]
    return dict(zip(named[::2], named[1::2], strict=True))


def ended(text):
    """What `provider_async_ends` said, by name; it has ended well."""
    assert text.endswith("status 0\n"), text
    return dict(re.findall(r"^([\w' ]+): (.+)$", text, re.MULTILINE))


def all_right(count, paused):
    return f"{count} of {count} right, {paused} paused"


def counts(text):
    """Of `provider_async`: numbers by name."""
    found = COUNTED.search(text)
    assert found, text
    return {name: int(value) for name, value in found.groupdict().items()}


def interrupts(text):
    return sum(map(int, re.findall(rf"^ *\d+: +(\d+) .*{DEVICE}$", text, re.MULTILINE)))


def test_jobs_are_paused(tmp_path):
    """Many at once, in threads, beside others; each end; and those that are not paused."""
    shared = "sed 's/^min_bytes/shared = 1\\nmin_bytes/' /openssl.cnf >/tmp/shared.cnf"
    ends = ("late", "left", "overtaken", "unload", "fork", "alone")
    speed = "openssl speed -seconds 1 -bytes 4096 -propquery provider=cryptile"
    parts = [
        ("one thread", "provider_async 1 1 8 2 3000"),
        ("threads", "provider_async 2 3 8 1 9000"),
        *((what, f"provider_async_ends {what}") for what in ends),
        ("asleep", f"provider_async_ends broken '{SLEEP}'"),
        ("in memory", f"{PRELOADED} provider_async 3 2 8 1 3000"),
        ("fork in memory", f"{PRELOADED} provider_async_ends fork"),
        ("shared", f"{shared}; OPENSSL_CONF=/tmp/shared.cnf ring_hold {QUEUES} "
         "sh -c 'provider_async 4 1 4 1 3000; provider_async_ends alone'"),
        ("none", f"ring_hold {QUEUES} provider_async 4 1 4 1 900"),
        ("before", "grep crypto /proc/interrupts"),
        ("speed", f"{speed} -async_jobs 8 -evp aes-256-ctr 2>&1"),
        ("after", "grep crypto /proc/interrupts"),
        ("gone", f"provider_async_ends broken '{UNBIND}'"),
    ]  # fmt: skip
    said = begin(tmp_path, words(*parts))
    one, threads, memory = (counts(said[name]) for name in ("one thread", "threads", "in memory"))
    for counted in (one, threads, memory):
        assert [counted[name] for name in ("differ", "fail", "failed", "refused")] == [0] * 4
        assert counted["pauses"] >= counted["paused"] > counted["tasks"] / 2
    assert one["most"] == 8
    assert threads["most"] == AREAS < 3 * 8
    assert ended(said["late"]) == {"late": all_right(4, 4), "files left": "0"}
    left = AREAS - 4
    assert ended(said["left"]) == {
        "with areas": all_right(12, left),
        "again": all_right(12, left),
        "at a time": f"{AREAS}",
    }
    assert ended(said["overtaken"]) == {
        "under way": "1",
        "overtaken": all_right(1, 1),
        "failed": "0",
        "files left": "0",
    }
    assert ended(said["unload"]) == {"unload": all_right(4, 4), "files left": "0"}
    # The ring is open as long as OpenSSL has memory of it.
    for name, files in (("fork", "0"), ("fork in memory", "1")):
        assert ended(said[name]) == {
            "child": all_right(4, 4),
            "failed in the child": "4",
            "a child's own": all_right(AREAS, AREAS),
            "parent": all_right(4, 4),
            "files left": files,
        }
    assert ended(said["alone"]) == {
        "called": all_right(1, 0),
        "short": all_right(1, 0),
        "not to be paused": all_right(1, 0),
        "files left": "0",
    }
    for name in ("asleep", "gone"):
        told = ended(said[name])
        assert told["broken"] == all_right(4, 4)
        assert int(told["failed"]) > 0
        assert told["behind"] == all_right(1, 0)
        assert told["then"] == all_right(AREAS, AREAS if name == "asleep" else 0)
        assert told["files left"] == "0"
    alone = counts(said["shared"])
    assert (alone["paused"], alone["refused"]) == (0, 0) and alone["jobs"] > 0
    none = counts(said["none"])
    assert none["jobs"] == 0 < none["refused"]
    operations = re.search(r": (\d+) AES-256-CTR ops in", said["speed"])
    assert operations and said["speed"].endswith("status 0\n"), said["speed"]
    told = interrupts(said["after"]) - interrupts(said["before"])
    assert int(operations[1]) / 8 <= told <= int(operations[1]) + 8


@pytest.mark.soak
def test_jobs_that_take_too_long(tmp_path):
    """A tile that ends no job for more than a second, as there are three processes at it: all that
    are under way are abandoned, and done in software.
    """
    tile = {"ns_per_cycle": 1000, "stall_percent": 99, "latency": 10_000}
    three = "for i in 1 2 3; do provider_async_ends broken & done; wait"
    said = begin(tmp_path, words(("long", three)), tile=tile)["long"]
    assert said.count(f"broken: {all_right(4, 4)}\n") == 3, said
    failed = re.findall(r"^failed: (\d+)$", said, re.MULTILINE)
    assert len(failed) == 3 and sum(map(int, failed)) >= 4, said
    assert said.count(f"then: {AREAS} of {AREAS} right") == 3, said


@pytest.mark.soak
def test_errors_of_the_bus(tmp_path):
    """Jobs fail in the midst of others, and so all that are under way; no result is wrong."""
    tile = {"ns_per_cycle": 100, "errors_per_million": 200}
    script = words(*((f"seed {i}", f"provider_async {i} 2 8 2 3000 2>&1") for i in range(1, 9)))
    said = begin(tmp_path, script, tile=tile)
    failed = 0
    for text in said.values():
        counted = counts(text)
        assert counted["differ"] == 0, text
        failed += counted["failed"]
    assert failed > 0


@pytest.mark.soak
@pytest.mark.parametrize("kernel", [Kernel.debian, Kernel.checked])
def test_many(tmp_path, kernel):
    """More and longer ones, some in memory of the ring, beside processes that are killed."""
    script = f"""
victims() {{
  for seed in 11 12 13; do
    provider_async $seed 3 8 99 9000 >/dev/null & sleep $1; kill -KILL $!
    wait $!; echo killed $?
  done
}}
echo '== killed'
victims 2 & victims 3 &
provider_async 21 3 8 2 9000; echo status $?
wait
{
        words(
            ("long", "provider_async 22 2 16 2 60000"),
            ("in memory", f"{PRELOADED} provider_async 23 3 8 4 9000"),
        )
    }
echo '== messages'
rmmod cryptile; echo removed $?
{LEAKS if kernel is Kernel.checked else ""}dmesg
"""
    said = begin(tmp_path, script, kernel=kernel, seconds=300 * SLOWER[kernel] + 1000)
    assert said["killed"].count("killed 137\n") == 6
    for name in ("killed", "long", "in memory"):
        counted = counts(said[name])
        assert [counted[word] for word in ("differ", "fail", "failed")] == [0] * 3, said[name]
        assert counted["most"] == AREAS
    assert "removed 0\n" in said["messages"]
    assert not COMPLAINT.search(said["messages"])
