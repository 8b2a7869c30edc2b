"""The functional Linux system: Debian's kernel and programs run, and reach the tile's RTL."""

import hashlib
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cryptile import catalog
from cryptile.errors import CryptileError, UsageError
from cryptile.linux import machine, plugin, ring
from cryptile.linux.boot import boot
from cryptile.project import ROOT

CRYPTILE = Path(sys.executable).parent / "cryptile"
DATA = random.Random(15).randbytes(3001)
NODE = f"/proc/device-tree/soc/crypto@{machine.TILE_BASE:x}"
BAD_OPCODE, BAD_DESCRIPTOR = 9, 16

PARTS = {
    "compatible": f"tr '\\0' '\\n' <{NODE}/compatible",
    "reg": f"xxd -p -c 64 {NODE}/reg",
    "interrupts": f"xxd -p -c 64 {NODE}/interrupts",
    "coherent": f"ls {NODE}/dma-coherent",
    "uname": "uname -sr",
    "openssl": "openssl version",
    "openssl_digest": "openssl dgst -r /data",
    "tile_digest": "tile_sha256 /data 2>&1",
    "tile_refuses": f"tile_sha256 /data {BAD_OPCODE} 2>&1; echo $?",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A program for the guest, and data."""
    folder = tmp_path_factory.mktemp("guest")
    program, data = folder / "tile_sha256", folder / "data"
    source = Path(__file__).parent / "guest/tile_sha256.c"
    ring.alone(source, program, ROOT / "sw/driver/core", ROOT / "sw/hal/gen")
    data.write_bytes(DATA)
    return {"/bin/tile_sha256": program, "/data": data}


@pytest.fixture(scope="module")
def guest(files):
    """What a boot left."""
    script = "".join(f"echo '== {name}'; {command}\n" for name, command in PARTS.items())
    return boot(script + "exit 5", sets=["openssl"], files=files)


@pytest.fixture(scope="module")
def said(guest):
    """What each part of the script printed."""
    words = re.split(r"^== (\w+)\n", guest.output.decode(), flags=re.MULTILINE)[1:]
    return {name: text.strip("\n") for name, text in zip(words[::2], words[1::2], strict=True)}


def test_script_ends(guest, said):
    assert guest.status == 5
    assert said.keys() == PARTS.keys()


def test_device_tree(said):
    assert said["compatible"] == "cryptile,tile"
    words = [0, machine.TILE_BASE, 0, machine.TILE_BYTES]
    assert said["reg"] == "".join(f"{word:08x}" for word in words)
    first, count = machine.TILE_IRQ, machine.TILE_QUEUES + 1
    assert said["interrupts"] == "".join(f"{first + number:08x}" for number in range(count))
    assert said["coherent"] == f"{NODE}/dma-coherent"


def test_debian(said):
    """The kernel and the programs are those that are pinned, and compute right."""
    pinned = catalog.linux()
    assert said["uname"] == f"Linux {pinned.kernel}-riscv64"
    version = pinned.packages["openssl"].version.partition("-")[0]
    assert said["openssl"].startswith(f"OpenSSL {version} ")
    assert said["openssl_digest"].split()[0] == hashlib.sha256(DATA).hexdigest()


def test_tile(said):
    """Its registers, a job with its data in the guest's memory, and its interrupt's line."""
    registers, ended, digest = said["tile_digest"].splitlines()
    assert registers == "id 43525950 version 00030002"
    assert digest == f"{hashlib.sha256(DATA).hexdigest()}  /data"
    found = re.fullmatch(r"status 0 cycles (\d+) interrupt 0 1", ended)
    blocks = len(DATA) // 64 + 1
    assert found and 64 * blocks <= int(found[1]) <= 64 * blocks + 200


def test_tile_refuses(said):
    _, ended, status = said["tile_refuses"].splitlines()
    assert ended.startswith(f"status {BAD_DESCRIPTOR} ")
    assert status == "1"


def test_again_is_the_same(guest, files):
    """The guest's time and the tile's cycles depend on nothing of the host."""
    script = "".join(f"echo '== {name}'; {command}\n" for name, command in PARTS.items())
    again = boot(script + "exit 5", sets=["openssl"], files=files)
    assert again == guest
    assert re.search(r"\d{4,} cycles simulated, [1-9]\d* registers read", guest.console)


def test_errors_of_the_bus(files):
    """No record is written, and the process finds that out."""
    ended = boot("tile_sha256 /data", files=files, tile={"errors_per_million": 1_000_000})
    assert (ended.status, ended.output) == (2, b"")
    assert "the job does not end" in ended.console
    assert not ended.console.splitlines()[-1].endswith(" 0 errors made up")


def test_a_tile_that_hangs_ends(files):
    with pytest.raises(CryptileError, match="QEMU: 70") as caught:
        boot("tile_sha256 /data", files=files, tile={"latency": 10_000, "most_still": 3_000})
    assert "the tile is at work, and has moved nothing for" in str(caught.value)


def test_a_guest_that_fails_is_told():
    with pytest.raises(CryptileError, match="without a status") as caught:
        boot("echo c >/proc/sysrq-trigger")
    assert "Kernel panic" in str(caught.value)


def test_a_guest_that_hangs_is_stopped():
    with pytest.raises(CryptileError, match="stopped after 1 s"):
        boot("while :; do :; done", seconds=1)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"modules": ["no_such"]}, "no module no_such"),
        ({"modules": ["/no/such.ko"]}, "no module /no/such.ko"),
        ({"files": {"/x": Path("/no/such")}}, "no file /no/such"),
        ({"sets": ["games"]}, "no set of packages named games"),
    ],
)
def test_what_is_missing_is_named(arguments, error):
    with pytest.raises(UsageError, match=error):
        boot("true", **arguments)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"latency": -1}, "bad value of the plugin's argument: latency=-1"),
        ({"speed": 9}, "unknown argument of the plugin: speed=9"),
        ({"ram_size": 4096}, "the guest's memory is not where ram_base and ram_size say"),
    ],
)
def test_plugin_checks_its_arguments(arguments, error):
    with pytest.raises(CryptileError, match=error):
        boot("true", tile=arguments)


def test_plugin_wants_the_guests_time():
    words = f"{plugin.build()},ram_size={machine.MEMORY_MIB << 20}"
    ended = subprocess.run(
        [machine.qemu(), *machine.board(), "-plugin", words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 70
    assert "QEMU needs -icount" in ended.stderr


def test_command(files):
    """Its exit status and its output are the script's."""
    ended = subprocess.run(
        [
            CRYPTILE,
            "linux",
            "boot",
            "cat /data; exit 3",
            "--file",
            f"{files['/data']}:/data",
            "--module",
            "af_alg",
        ],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (3, DATA), ended.stderr
