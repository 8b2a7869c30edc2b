"""The provider of OpenSSL in the guest: the tile's RTL and OpenSSL's own give the same."""

import os
import re
import struct

import pytest
from provider_boot import GUEST, SLEEP, run
from support import evp_test
from support.linux_kernels import SLOWER

from cryptile import catalog
from cryptile.linux import provider
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import COMPLAINT, LEAKS

COMPARED = re.compile(
    r"(\d+) tasks, (\d+) differ; (\w+) queue, (\d+) jobs, (\d+) refused, (\d+) failed; "
    r"(\d+) of (\d+) bytes"
)
ALGORITHMS = {"-aes-256-ctr": "enc", "-aes-128-cbc": "enc", "-sha256": "dgst", "-sha3-512": "dgst"}


def counted(text):
    """Tasks, differences, jobs, refused and failed ones, and the word for the queue."""
    found = COMPARED.search(text)
    assert found, text
    tasks, differ, queue, *jobs = found.groups()
    return queue, *map(int, (tasks, differ, *jobs[:3]))


def test_same_as_openssl(tmp_path):
    """Every algorithm, in odd pieces and copies, with wrong tags; and ``openssl`` itself. Contexts
    that begin again, or go on behind an update that failed, what stays of a message, a child's
    memory, and jobs shorter than what waits for one.
    """
    compare = provider.program(GUEST / "provider_compare.c")
    again = provider.program(GUEST / "provider_again.c")
    data = tmp_path / "data"
    data.write_bytes(os.urandom(1500))
    script = "provider_compare 1 2 200\n"
    for name, command in ALGORITHMS.items():
        key = f"-K {'7' * (64 if '256' in name else 32)} -iv {'5' * 32}" if command == "enc" else ""
        for properties in ("provider=cryptile", "provider=default"):
            script += (
                f"echo {name} $(openssl {command} {name} {key} -propquery {properties}"
                " </data | openssl base64 -A)\n"
            )
    script += (
        f"provider_again '{SLEEP}'; echo 512 >/sys/module/cryptile/parameters/max_bytes\n"
        "sed 's/min_bytes = 0/min_bytes = 900/' /openssl.cnf >/tmp/late.cnf\n"
        "echo == late; OPENSSL_CONF=/tmp/late.cnf provider_compare 2 1 1400; echo $?\n"
    )
    programs = [compare, again]
    output = run(
        tmp_path,
        script,
        programs=programs,
        files={"/data": data},
        more=["suspend.pm_test_delay=0"],
        min_bytes=0,
    ).output
    said, _, late = output.decode().partition("== late\n")
    queue, tasks, differ, jobs, refused, failed = counted(said)
    assert (queue, differ, refused, failed) == ("own", 0, 0, 0), said
    assert jobs > 2 * tasks
    lines = re.findall(r"^(-\S+) (\S{20,})$", said, re.MULTILINE)
    assert lines[::2] == lines[1::2]
    assert [name for name, _ in lines[::2]] == [*ALGORITHMS]
    told = re.findall(r"^\S+ (again|without|has waited)\b.*: (.+)$", said, re.MULTILINE)
    for kind, what, count in (
        ("again", "same", 5),
        ("without", "refused", 9),
        ("has waited", "wiped", 3),
    ):
        assert [answer for asked, answer in told if asked == kind] == [what] * count, said
    assert "memory of a child: 2 places, status 0\n" in said
    assert counted(late)[:3:2] == ("own", 0), late
    assert late.endswith("\n0\n"), late


ORDERS = re.compile(r"^(\d+) orders, 0 differ; (\d+) jobs$", re.MULTILINE)


def orders(folder, script, **settings):
    """Run ``provider_orders``; return how many were the same, and the tile's jobs, by calls."""
    program = provider.program(GUEST / "provider_orders.c")
    said = run(folder, script, programs=[program], **settings).output.decode()
    told = ORDERS.findall(said)
    assert len(told) == script.count("provider_orders "), said
    return [tuple(map(int, numbers)) for numbers in told]


def test_any_order_of_calls(tmp_path):
    """What each call returns and writes is as with OpenSSL's own provider, in usual orders and in
    odd ones: ``EVP_Cipher()``, keys and IVs apart, IVs that are counted or made, lengths that
    change, tags of other lengths, records of TLS, copies, padding that changes; also at random.
    """
    script = """
provider_orders 1 6
sed 's/min_bytes = 64/min_bytes = 0/' /openssl.cnf >/tmp/all.cnf
OPENSSL_CONF=/tmp/all.cnf provider_orders 2 2
"""
    some, every = orders(tmp_path, script, min_bytes=64)
    assert some[1] > 500
    assert every[1] > some[1]


TLS = re.compile(r"^(\S+), (client|server): well, by the tile$", re.MULTILINE)


def test_tls(tmp_path):
    """OpenSSL's TLS 1.2 and 1.3 between a peer with the provider and one without: a handshake,
    records both ways, and a spoilt one, which is refused.
    """
    program = provider.program(GUEST / "provider_tls.c", tls=True)
    said = run(tmp_path, "provider_tls", programs=[program]).output.decode()
    assert len(TLS.findall(said)) == len(said.splitlines()) == 2 * 10, said


@pytest.mark.soak
def test_many_orders_of_calls(tmp_path):
    """As above, more of them at random."""
    script = "".join(f"provider_orders {seed} 100\n" for seed in range(3, 6))
    assert all(count > 1000 for count, _ in orders(tmp_path, script))


def test_where_it_begins(tmp_path):
    """Unless it is told otherwise the provider has the tile do messages from 64 bytes on."""
    files = {"/request": tmp_path / "request"}
    files["/request"].write_bytes(struct.pack("<32s8I", b"sha256", 1, *[0] * 7))
    script = ""
    for length in (63, 64):
        path = tmp_path / str(length)
        path.write_bytes(bytes(length))
        files[f"/message{length}"] = path
        script += f"crypt_file /request /message{length} >/tmp/digest\n"
    program = provider.program(provider.FOLDER / "crypt_file.c")
    said = run(tmp_path, script, programs=[program], files=files).output.decode()
    assert re.findall(r"crypt_file: jobs (\d+) ", said) == ["0", "1"], said


PRELOADED = f"LD_PRELOAD={provider.MODULES}/cryptile.so"
LENGTH = 4096  # of a message in provider_memory.c


def test_memory_for_programs(tmp_path):
    """Messages in memory that OpenSSL has from the ring are not copied, and are right; blocks are
    as good as the C library's, in children and behind the provider, too; so runs ``openssl``.
    """
    compare = provider.program(GUEST / "provider_compare.c")
    memory = provider.program(GUEST / "provider_memory.c")
    data = tmp_path / "data"
    data.write_bytes(os.urandom(20_000))
    key = f"-aes-256-ctr -K {'7' * 64} -iv {'5' * 32}"
    script = f"""
provider_compare 3 1 3000; {PRELOADED} provider_compare 3 1 3000
echo == memory
{PRELOADED} provider_memory '{SLEEP}'; echo status $?
sed 's/^min_bytes/arena_bytes = 0\\nmin_bytes/' /openssl.cnf >/tmp/without.cnf
{PRELOADED} OPENSSL_CONF=/tmp/without.cnf provider_memory | sed 's/^/without /'
for preload in '' {provider.MODULES}/cryptile.so; do
  echo enc $(LD_PRELOAD=$preload openssl enc {key} -propquery provider=cryptile </data | sha256sum)
done
"""
    ended = run(
        tmp_path,
        script,
        programs=[compare, memory],
        files={"/data": data},
        more=["suspend.pm_test_delay=0"],
        min_bytes=0,
    )
    said, _, rest = ended.output.decode().partition("== memory\n")
    (*_, copied, total), (*_, direct, same) = COMPARED.findall(said)
    assert [counted(line)[::2] for line in said.splitlines()] == [("own", 0, 0)] * 2, said
    assert int(total) == int(same)
    assert int(copied) > int(total), "what is encrypted is copied twice"
    assert 0 < int(direct) < int(copied) / 4, said
    way = f"0 apart {LENGTH} in {LENGTH} out {2 * LENGTH} forward {2 * LENGTH} backward 0 in place"
    for who in ("parent", "child", "grandchild", "again", "once more"):
        assert f"\n{who}: {way}\n" in f"\n{rest}", rest
    assert "\nbehind: in place fails, then the tile again\n" in rest, rest
    assert "\nstatus 0\n" in rest, rest
    copies = rf"^without [\w ]+: {2 * LENGTH} apart {2 * LENGTH} in .* {2 * LENGTH} in place$"
    assert len(re.findall(copies, rest, re.MULTILINE)) >= 5, rest
    first, second = re.findall(r"^enc (\w{64})", rest, re.MULTILINE)
    assert first == second


OTHERS = {
    "evpciph_chacha": (27, 0),
    "evpmd_sha": (74, 0),
    "evpmac_common": (73, 7),
    "evpciph_aes_common": (296, 1),
    "evpciph_aes_ccm_cavs": (2865, 0),
}
"""OpenSSL's files: tests, and those that want its FIPS provider, which is not there. The first
takes the least time."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.soak] * (at > 0)) for at, name in enumerate(OTHERS)],
)
def test_openssl_tests_it(tmp_path, name):
    """OpenSSL's ``evp_test`` on the packaged library, with our algorithms where there are any."""
    packaged = catalog.linux().packages["openssl"].version
    assert packaged.startswith(evp_test.VERSION + "-")
    script = (
        "evp_test -config /openssl.cnf -propquery '?provider=cryptile' /vectors >/tmp/said 2>&1\n"
        "echo status $?; tail -n 40 /tmp/said | grep Completed; grep -c 'not ok' /tmp/said"
    )
    files = {"/vectors": evp_test.vectors(f"{name}.txt")}
    ended = run(tmp_path, script, programs=[evp_test.program()], files=files, min_bytes=0)
    said = ended.output.decode()
    tests, skipped = OTHERS[name]
    assert said == (
        f"status 0\n    # Completed {tests} tests with 0 errors and {skipped} skipped\n0\n"
    )
    cycles = re.search(r"cryptile tile: (\d+) cycles simulated", ended.console)
    assert cycles
    assert int(cycles[1]) > 20_000, "the tile was not asked"


@pytest.mark.soak
def test_long_messages(tmp_path):
    """Messages in several parts, and software for all below a bound or with no queue free."""
    compare = provider.program(GUEST / "provider_compare.c")
    script = "provider_compare 3 6 300; provider_compare 2 1 100000"
    said = run(tmp_path, script, programs=[compare], min_bytes=0).output.decode()
    for line in said.splitlines():
        assert counted(line)[::2] == ("own", 0, 0), said
    said = run(tmp_path, "provider_compare 4 4 900", programs=[compare], min_bytes=300).output
    queue, _, differ, *_ = counted(said.decode())
    assert (queue, differ) == ("own", 0), said.decode()
    said = run(tmp_path, "rmmod cryptile; provider_compare 5 2 900", programs=[compare]).output
    queue, _, differ, jobs, refused, _ = counted(said.decode())
    assert (queue, differ, jobs) == ("none", 0, 0), said.decode()
    assert refused > 0


@pytest.mark.soak
def test_checked_kernel(tmp_path):
    """Processes at once, some of which are killed at any moment, and then the driver goes: nobody
    differs, and the kernel that looks for memory, locks and leaks has nothing to say.
    """
    compare = provider.program(GUEST / "provider_compare.c")
    script = f"""
mount -t debugfs none /sys/kernel/debug
victims() {{
  for seed in 11 12 13; do
    provider_compare $seed 99 3000 >/dev/null &
    sleep $1; kill -KILL $!
    wait $!; echo killed $?
  done
}}
victims 2 & victims 3 &
for seed in 1 2; do provider_compare $seed 1 900 & done
wait
cat /sys/kernel/debug/*.crypto/stats
rmmod cryptile; echo removed $?
{LEAKS}echo == messages; dmesg
"""
    ended = run(
        tmp_path,
        script,
        programs=[compare],
        kernel=Kernel.checked,
        seconds=300 * SLOWER[Kernel.checked],
        min_bytes=0,
    )
    said, _, messages = ended.output.decode().partition("== messages\n")
    tasks = COMPARED.findall(said)
    assert len(tasks) == 2, said
    assert said.count("killed 137\n") == 6, said
    opened = re.search(r"^rings_opened (\d+)$", said, re.MULTILINE)
    assert opened
    assert int(opened[1]) > 2 + 6, "some were killed before they had a queue"
    assert {(differ, failed) for _, differ, _, _, _, failed, *_ in tasks} == {("0", "0")}, said
    assert "removed 0\n" in said
    assert "cryptile" in messages
    assert not COMPLAINT.search(messages)
