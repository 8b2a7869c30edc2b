"""Firmware builds, their accounting, and the parameter blobs."""

import re
import subprocess
from pathlib import Path

import pytest

from cryptile import firmware
from cryptile.errors import UsageError
from cryptile.firmware import params as firmware_params
from cryptile.firmware.sizes import code_size
from cryptile.toolchain import tools
from cryptile.toolchain.gcc import compiler

SHOW_CRYPT = r"""
#include <stdio.h>
#include "gen/crypt_params.h"
int main(void) {
  crypt_params_t p;
  if (fread(&p, sizeof p, 1, stdin) != 1 || getchar() != EOF) return 1;
  if (p.magic != CryptMagic || p.version != CryptVersion) return 2;
  printf("%u %u %u %u %u %u %02x %02x %02x %02x", p.impl, p.mode, p.direction, p.padding,
         p.key_len, p.chunk, p.key[0], p.key[31], p.iv[0], p.iv[15]);
  return 0;
}
"""
SHOW_BENCH = r"""
#include <stdio.h>
#include "gen/bench_params.h"
int main(void) {
  bench_params_t p;
  if (fread(&p, sizeof p, 1, stdin) != 1 || getchar() != EOF) return 1;
  if (p.magic != BenchMagic || p.version != BenchVersion) return 2;
  printf("%u %u %u %u %u", p.paths, p.modes, p.directions, p.key_lens, p.count);
  for (unsigned i = 0; i < BenchMaxCounts; i++) printf(" %u", p.blocks[i]);
  return 0;
}
"""


def show(folder: Path, source: str, blob: bytes) -> str:
    """Read a blob as C does, natively, and print its fields."""
    (folder / "show.c").write_text(source)
    apps = firmware.SW / "apps"
    tools.run([tools.find("gcc"), "-I", apps, folder / "show.c", "-o", folder / "show"])
    return subprocess.run(
        [folder / "show"], input=blob, capture_output=True, check=True
    ).stdout.decode()


def test_crypt_blob(tmp_path: Path) -> None:
    blob = firmware_params.crypt(
        impl="engine-sleep",
        mode="cbc",
        direction="decrypt",
        padding="pkcs7",
        key=bytes(range(0x20, 0x40)),
        iv=bytes(range(0x50, 0x60)),
        chunk=64,
    )
    assert show(tmp_path, SHOW_CRYPT, blob) == "3 1 1 1 32 64 20 3f 50 5f"


def test_bench_blob(tmp_path: Path) -> None:
    blob = firmware_params.bench(
        impls=["table", "engine-poll"],
        modes=["ctr"],
        directions=["encrypt", "decrypt"],
        key_bits=[128, 256],
        blocks=[1, 1024],
    )
    assert show(tmp_path, SHOW_BENCH, blob) == "6 4 3 5 2 1 1024 0 0 0 0 0 0"


@pytest.mark.parametrize("core", firmware.MARCH)
@pytest.mark.parametrize("app", ["selftest", "bench", "crypt"])
def test_builds(app: str, core: str) -> None:
    elf = firmware.build(app, core=core)
    assert elf == firmware.build(app, core=core)
    size = code_size(elf)
    assert 1000 < size["image"] < 64 * 1024


def test_sizes() -> None:
    images = {name: firmware.build("size", impl=name) for name in [None, *firmware.SIZED]}
    sizes = {name: code_size(elf, name) for name, elf in images.items()}
    runtime = sizes[None]["image"]
    for name in firmware.SIZED:
        # All that an image has over the runtime is its crypto path, data, and a little glue.
        rest = sizes[name]["image"] - runtime - sizes[name]["crypto"]
        assert 0 <= rest < 600, name
    assert sizes["engine"]["crypto"] < sizes["compact"]["crypto"] < 2048
    assert sizes["compact"]["crypto"] < sizes["table"]["crypto"]


def test_only_named_implementations_are_linked() -> None:
    """Of AES an image has one implementation, and none beside the engine."""
    nm = compiler().removesuffix("gcc") + "nm"
    for name in firmware.SIZED:
        listing = tools.run([nm, "--defined-only", firmware.build("size", impl=name)])
        symbols = {line.split()[-1] for line in listing.splitlines()}
        linked = set(re.findall(r"\bcry_aes_([a-z]+)", listing))
        assert linked == ({name} - {"engine"})
        assert ("cry_hwpe_submit" in symbols) == (name == "engine")
        assert name != "engine" or "kSbox" not in symbols


def test_register_stores_are_back_to_back() -> None:
    """Nothing stands between the first store of a job's description and its trigger."""
    elf = firmware.build("bench")
    objdump = compiler().removesuffix("gcc") + "objdump"
    listing = tools.run([objdump, "-d", "--no-show-raw-insn", "--disassemble=cry_hwpe_submit", elf])
    mnemonics = [line.split()[1] for line in listing.splitlines() if line.startswith(" ")]
    first = mnemonics.index("sw")
    assert mnemonics[first : first + 7] == ["sw"] * 7


PROCESS = [
    ["process_poll", "process_sleep"],
    ["cry_hwpe_submit", "cry_hwpe_wait_poll", "cry_hwpe_wait_sleep"],
]
CALLS = {
    "cryptile_cipher_init": [["set_key"]],
    "cryptile_cipher_update": [["process.part.0", "process"], *PROCESS],
    "cryptile_cipher_final": [["process.part.0", "process"], *PROCESS],
    "cryptile_cipher_crypt": [
        ["cryptile_cipher_update", "cryptile_cipher_final"],
        ["process.part.0"],
        *PROCESS,
    ],
    "cryptile_cipher_wipe": [],
}
"""What the functions call with the engine, level by level: the greatest of a level counts."""


def test_stack_bounds_with_the_engine() -> None:
    """The header's bounds hold for the engine; the simulator's tests measure software."""
    used: dict[str, int] = {}
    for name in ("cipher", "pkcs7", "engine", "hwpe", "timer"):
        for line in (firmware.build("crypt").parent / f"{name}.su").read_text().splitlines():
            place, size, kind = line.split("\t")
            assert kind == "static"
            function = place.split(":")[-1]
            used[function] = max(used.get(function, 0), int(size))
    header = (firmware.SW / "include" / "cryptile" / "cipher.h").read_text()
    function = r"\n(?:CRYPTILE_MUST_CHECK )?\w+ (cryptile_\w+)\("
    documented = re.findall(rf"Stack: (\d+) bytes(?s:.*?){function}", header)
    assert {name for _, name in documented} == set(CALLS)
    for size, name in documented:
        depth = used[name]
        for level in CALLS[name]:
            depth += max(used.get(callee, 0) for callee in level)
        assert depth <= int(size), name


def test_bad_names() -> None:
    with pytest.raises(UsageError, match="unknown firmware 'blink': choose from selftest"):
        firmware.build("blink")
    with pytest.raises(UsageError, match="unknown core 'z80'"):
        firmware.build("bench", core="z80")
    with pytest.raises(UsageError, match="no implementation 'table' to choose"):
        firmware.build("bench", impl="table")
