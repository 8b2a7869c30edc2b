"""The programs of ``cryptile bench linux`` serve every algorithm that it knows."""

import re

from support.linux_kernels import modules

from cryptile.bench.linux import measure
from cryptile.linux import kbuild, ring
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import NO_TESTS

SIZES = (16, 144)
"""Less than a digest; more than a block of any."""

ALGS = measure.known()


def program(name, *includes):
    return {f"/bin/{name}": ring.program(measure.FOLDER / f"{name}.c", *includes)}


def paths(lines, files, alone=()):
    """Run programs in the functional system, whose cycles are no figures; return what they tell."""
    counters = "echo 2 >/proc/sys/kernel/perf_user_access\n"  # a process may read them
    ended = boot(
        counters + "set -e; exec 2>&1\n" + "\n".join(lines),
        modules=alone,
        files=files,
        command_line=[NO_TESTS],
        seconds=600,
    )
    said = ended.output.decode()
    assert ended.status == 0, said
    return set(re.findall(r"cycles path=(\S+) alg=(\S+) bytes=(\d+) ", said))


def expected(*ways):
    return {(way, alg, str(size)) for way in ways for alg in ALGS for size in SIZES}


def test_ring_and_sockets():
    driver = kbuild.driver()
    lines = ["insmod /cryptile.ko"]
    words = " ".join(f"{size} 1" for size in SIZES)
    for alg in ALGS.values():
        lines.append(f"ring_cycles {alg.name} {measure.iv_bytes(alg)} {words}")
        lines.append(measure.time_socket("af-alg", alg, words))
    names = ("algif_hash", "algif_skcipher", "algif_aead")
    found = paths(
        lines,
        {"/cryptile.ko": driver, **program("ring_cycles"), **program("alg_cycles")},
        modules(Kernel.debian, driver, *names),
    )
    keyless = {alg for alg, item in ALGS.items() if item.form == "hash"}
    ring_paths = expected("ring", "ring-used", "ring-batch", "ring-stream", "ring-pointer")
    ring_paths = {row for row in ring_paths if row[0] != "ring-pointer" or row[1] not in keyless}
    assert found == ring_paths | expected("af-alg")


def test_plain_driver():
    words = " ".join(f"{size} 1" for size in SIZES)
    lines = [
        f"plain_cycles plain {alg.name} {measure.iv_bytes(alg)} {words}" for alg in ALGS.values()
    ]
    found = paths(lines, program("plain_cycles", kbuild.PLAIN), [str(kbuild.plain())])
    assert found == expected("plain")
