"""The provider of OpenSSL in the guest: the tile's RTL and OpenSSL's own give the same."""

import os
import re
from pathlib import Path

import pytest
from support import evp_test

from cryptile import catalog
from cryptile.linux import kbuild, provider
from cryptile.linux.boot import Result, boot

pytestmark = pytest.mark.xdist_group("linux")

GUEST = Path(__file__).parent / "guest"
COMPARED = re.compile(
    r"(\d+) tasks, (\d+) differ; (\w+) queue, (\d+) jobs, (\d+) refused, (\d+) failed"
)
ALGORITHMS = {"-aes-256-ctr": "enc", "-aes-128-cbc": "enc", "-sha256": "dgst", "-sha3-512": "dgst"}


def run(folder, script, *, programs=(), files=None, **settings) -> Result:
    """Boot with driver and provider, and run a script."""
    driver = kbuild.driver()
    config = folder / "openssl.cnf"
    config.write_text(provider.config(**settings))
    return boot(
        f"export OPENSSL_CONF=/openssl.cnf\ninsmod /cryptile.ko\nexec 2>&1\n{script}",
        sets=["openssl"],
        modules=kbuild.software_of(driver),
        files={
            "/cryptile.ko": driver,
            "/openssl.cnf": config,
            **provider.files(),
            **{f"/bin/{path.name}": path for path in programs},
            **(files or {}),
        },
        command_line=["cryptomgr.notests=1"],
        seconds=3000,
    )


def counted(text):
    """Tasks, differences, jobs, refused and failed ones, and the word for the queue."""
    found = COMPARED.search(text)
    assert found, text
    tasks, differ, queue, *jobs = found.groups()
    return queue, *map(int, (tasks, differ, *jobs))


def test_same_as_openssl(tmp_path):
    """Every algorithm, in odd pieces and copies, with wrong tags; and ``openssl`` itself. Contexts
    that begin again, a child's memory, and jobs shorter than what waits for one.
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
        "provider_again; echo 512 >/sys/module/cryptile/parameters/max_bytes\n"
        "sed 's/min_bytes = 0/min_bytes = 900/' /openssl.cnf >/tmp/late.cnf\n"
        "echo == late; OPENSSL_CONF=/tmp/late.cnf provider_compare 2 1 1400; echo $?\n"
    )
    programs = [compare, again]
    output = run(tmp_path, script, programs=programs, files={"/data": data}, min_bytes=0).output
    said, _, late = output.decode().partition("== late\n")
    queue, tasks, differ, jobs, refused, failed = counted(said)
    assert (queue, differ, refused, failed) == ("own", 0, 0, 0), said
    assert jobs > 2 * tasks
    lines = re.findall(r"^(-\S+) (\S{20,})$", said, re.MULTILINE)
    assert lines[::2] == lines[1::2]
    assert [name for name, _ in lines[::2]] == [*ALGORITHMS]
    told = re.findall(r"^(\S+) (again|without IV): (.+)$", said, re.MULTILINE)
    assert [what for _, kind, what in told if kind == "again"] == ["same"] * 5, said
    assert [what for _, kind, what in told if kind == "without IV"] == ["refused"] * 2, said
    assert "memory of a child: 2 places, status 0\n" in said
    assert counted(late)[:3:2] == ("own", 0), late
    assert late.endswith("\n0\n"), late


OTHERS = ("evpciph_chacha", "evpmd_sha", "evpciph_aes_common")


@pytest.mark.soak
@pytest.mark.parametrize("name", OTHERS)
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
    assert re.match(r"status 0\n +# Completed \d+ tests with 0 errors and [01] skipped\n0\n", said)
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
