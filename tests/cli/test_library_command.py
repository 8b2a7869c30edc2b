"""``cryptile library``: a program outside the tree is linked with the export and runs."""

import hashlib
import os
import re
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import UsageError
from cryptile.sim.iss import run_program
from cryptile.toolchain import tools

PROGRAM = """\
#include "cryptile.h"
#include "psa/crypto.h"

__asm__(".globl _start\\n"
        "_start:\\n"
        "  .option push\\n  .option norelax\\n  lla gp, __global_pointer$\\n  .option pop\\n"
        "  call run\\n  li a7, 93\\n  ecall\\n");

static void put(const void *data, long len) {
  register long fd __asm__("a0") = 1;
  register const void *from __asm__("a1") = data;
  register long count __asm__("a2") = len;
  register long call __asm__("a7") = 64;
  __asm__ volatile("ecall" : "+r"(fd) : "r"(from), "r"(count), "r"(call) : "memory");
}

int run(void) {
  static const uint8_t key[16] = "a key of 16 byte", nonce[12] = "and a nonce!";
  static const char text[] = "The quick brown fox jumps over the lazy dog";
  uint8_t digest[32], sealed[sizeof text - 1 + 16];
  size_t len = sizeof text - 1, psa_len;
  if (cryptile_hash(&cryptile_sha256, text, len, digest) != CRYPTILE_OK) return 1;
  put(digest, sizeof digest);
  cryptile_aead_params_t params = {key, sizeof key, nonce, sizeof nonce, 16};
  if (cryptile_aead_encrypt(&cryptile_aes_gcm, &params, digest, sizeof digest,
                            (const uint8_t *)text, len, sealed, sealed + len) != CRYPTILE_OK)
    return 2;
  put(sealed, sizeof sealed);
  if (psa_hash_compute(PSA_ALG_SHA3_256, (const uint8_t *)text, len, digest, sizeof digest,
                       &psa_len) != PSA_SUCCESS)
    return 3;
  put(digest, (long)psa_len);
  return 0;
}
"""
TEXT = b"The quick brown fox jumps over the lazy dog"
DIGEST = hashlib.sha256(TEXT).digest()
EXPECTED = (
    DIGEST
    + AESGCM(b"a key of 16 byte").encrypt(b"and a nonce!", TEXT, DIGEST)
    + hashlib.sha3_256(TEXT).digest()
)


def export(folder, *arguments):
    result = CliRunner().invoke(app, ["library", *arguments, "-o", str(folder)])
    assert result.exit_code == 0, result.output
    return result.output


def variables(folder):
    """The definitions in a pkg-config file."""
    return dict(re.findall(r"^(\w+)=(.*)$", (folder / "cryptile.pc").read_text(), re.MULTILINE))


def link(tmp_path, isa, *flags):
    """Compile and link the program against an export, with nothing of the tree."""
    (tmp_path / "program.c").write_text(PROGRAM)
    known = variables(tmp_path / "out" / isa)
    tools.run(
        [
            "riscv64-unknown-elf-gcc",
            f"-march={known['march']}",
            f"-mabi={known['mabi']}",
            *tools.words("-Wall -Werror -O1 -ffreestanding -nostdlib -static -Wl,--gc-sections"),
            *flags,
            *tools.words("-I out/include program.c"),
            f"-Lout/{isa}",
            *tools.words("-lcryptile -lcryptile_mem -o program"),
        ],
        cwd=tmp_path,
    )
    return tmp_path / "program"


def test_bare_metal_program_with_32_bits(tmp_path):
    isa = "rv32im_zbb_zbc"
    printed = export(tmp_path / "out", "--isa", isa)
    program = link(tmp_path, isa)
    result = run_program(program, isa)
    assert result.exit_code == 0
    assert result.output == EXPECTED
    # The table: a topic with tables, one without, and the sum of all.
    rows = dict(re.findall(r"^ +(\w+) +([\d,]+(?: \+ [\d,]+)?) *$", printed, re.MULTILINE))
    assert {"aes", "bigint", "sha2", "all"} <= set(rows)
    code = {name: int(cell.split(" ")[0].replace(",", "")) for name, cell in rows.items()}
    assert code.pop("all") == sum(code.values()) > 100_000
    assert int(rows["aes"].split("+ ")[1].replace(",", "")) > 8 * 1024
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"LICENSE", "README.md", "cmake", "include", "zephyr", isa}
    assert (tmp_path / "out" / isa / "assembly" / "cry_ghash_blocks_clmul.S").exists()
    assert str(tmp_path) not in (tmp_path / "out" / "README.md").read_text()
    if shutil.which("pkg-config"):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(tmp_path / "out" / isa)}
        flags = subprocess.check_output(
            ["pkg-config", "--cflags", "--libs", "cryptile"], env=environment, text=True
        ).split()
        assert flags[-1] == "-lcryptile"
        assert [flag[:2] for flag in flags[:-1]] == ["-I", "-L"]


def test_position_independent_program_with_hard_floats(tmp_path):
    """Far above what absolute addresses reach; without a single floating-point instruction."""
    isa = "rv64im_zba_zbb"
    export(tmp_path / "out", "--isa", isa, "--pie", "--floats", "double", "--load-use", "3")
    program = link(tmp_path, isa, "-mcmodel=medany", "-Wl,-Ttext-segment=0x4000000000")
    result = subprocess.run(
        [tools.find("qemu-riscv64", "qemu-user"), "-cpu", "rv64,zba=true,zbb=true", program],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, EXPECTED)
    archive = tmp_path / "out" / isa / "libcryptile.a"
    listing = tools.run(["riscv64-unknown-elf-objdump", "-d", "--no-show-raw-insn", archive])
    assert not re.search(r":\tf(?!ence)[a-z]", listing)
    assert "after\n3 cycles" in (tmp_path / "out" / "README.md").read_text()


def test_unknown_instruction_set_writes_nothing(tmp_path):
    command = ["library", "--isa", "rv32im", "--isa", "rv32im_zbq", "-o", str(tmp_path / "out")]
    with pytest.raises(UsageError, match="'rv32im_zbq': unknown extension 'zbq'") as caught:
        CliRunner().invoke(app, command, catch_exceptions=False)
    assert caught.value.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_folder_that_is_a_file(tmp_path):
    (tmp_path / "out").write_text("")
    command = ["library", "--isa", "rv32im_zbb_zbc", "-o", str(tmp_path / "out")]
    with pytest.raises(UsageError, match=r"cannot make the folder .*: Not a directory"):
        CliRunner().invoke(app, command, catch_exceptions=False)
