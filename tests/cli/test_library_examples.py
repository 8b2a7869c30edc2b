"""The example programs, built by the exported CMake package, and the exported Zephyr module."""

import hashlib
import re

import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import CryptileError
from cryptile.project import ROOT
from cryptile.sim.iss import run_program
from cryptile.toolchain import tools

EXAMPLES = ROOT / "examples" / "firmware"
ISAS = ["rv32im", "rv64im_zba_zbb"]
SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
SEALED = AESGCM(b"a key of 16 byte").encrypt(b"\x01" + bytes(11), b"Hello, world!", b"\xca\xfe")
PRINTED = {
    "hash": f"SHA-256 {hashlib.sha256(b'abc').hexdigest()}\n"
    f"SHA3-256 {hashlib.sha3_256(b'abc').hexdigest()}\n",
    "aead": f"AES-128-GCM {SEALED.hex()}\nopened {b'Hello, world!'.hex()}\n"
    "a changed message is refused\n",
    "signature": f"Ed25519 {ed25519.Ed25519PrivateKey.from_private_bytes(SEED).sign(b'r').hex()}\n"
    "another message is refused\n",
}
ZEPHYR = """\
cmake_minimum_required(VERSION 3.20)
project(program C)
# What Zephyr's functions of these names do: add to what every part of the system is built with.
add_library(zephyr_interface INTERFACE)
function(zephyr_include_directories)
  target_include_directories(zephyr_interface INTERFACE ${{ARGV}})
endfunction()
function(zephyr_link_libraries)
  target_link_libraries(zephyr_interface INTERFACE ${{ARGV}})
endfunction()
set(CONFIG_CRYPTILE {on})
set(CONFIG_CRYPTILE_ISA {isa})
add_subdirectory({module}/{folder} module)
# Zephyr links its C library behind everything.
if(TARGET cryptile)
  target_link_libraries(cryptile INTERFACE {module}/rv32im/libcryptile_mem.a)
endif()
add_executable(program {examples}/hash.c {examples}/console.c)
target_compile_options(program PRIVATE -march=rv32im -mabi=ilp32 -ffreestanding)
target_link_options(program PRIVATE -march=rv32im -mabi=ilp32 -nostdlib -static -Wl,--gc-sections)
target_link_libraries(program PRIVATE zephyr_interface)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    words = [word for isa in ISAS for word in ("--isa", isa)]
    result = CliRunner().invoke(app, ["library", *words, "-o", str(folder)])
    assert result.exit_code == 0, result.output
    return folder


def build(source, folder, *definitions):
    cmake = tools.find("cmake", "cmake")
    tools.run(
        [
            cmake,
            "-G",
            "Unix Makefiles",
            "-S",
            source,
            "-B",
            folder,
            *tools.words(
                "-DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=riscv64-unknown-elf-gcc "
                "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"
            ),
            *definitions,
        ]
    )
    tools.run([cmake, "--build", folder])


@pytest.mark.parametrize("isa", ISAS)
def test_examples(package, tmp_path, isa):
    build(EXAMPLES, tmp_path, f"-Dcryptile_DIR={package / 'cmake'}", f"-DCRYPTILE_ISA={isa}")
    for name, printed in PRINTED.items():
        result = run_program(tmp_path / name, isa)
        assert (result.exit_code, result.output.decode()) == (0, printed)
    programs = re.search(r"foreach\(example (.*)\)", (EXAMPLES / "CMakeLists.txt").read_text())
    assert programs[1].split() == list(PRINTED)


def zephyr(package, tmp_path, *, on="y", isa="rv32im"):
    """Build as Zephyr would with this module: its description names the folder."""
    module = yaml.safe_load((package / "zephyr" / "module.yml").read_text())
    assert module["name"] == "cryptile"
    assert (package / module["build"]["kconfig"]).is_file()
    (tmp_path / "CMakeLists.txt").write_text(
        ZEPHYR.format(
            on=on, isa=isa, module=package, folder=module["build"]["cmake"], examples=EXAMPLES
        )
    )
    build(tmp_path, tmp_path / "build")


def test_zephyr_module(package, tmp_path):
    zephyr(package, tmp_path)
    result = run_program(tmp_path / "build" / "program", "rv32im")
    assert (result.exit_code, result.output.decode()) == (0, PRINTED["hash"])


def test_zephyr_module_switched_off(package, tmp_path):
    with pytest.raises(CryptileError, match=r"cryptile\.h"):
        zephyr(package, tmp_path, on="n")


def test_zephyr_module_without_that_instruction_set(package, tmp_path):
    with pytest.raises(CryptileError, match="CONFIG_CRYPTILE_ISA is rv32e, which is not in"):
        zephyr(package, tmp_path, isa="rv32e")


def test_zephyr_options(package):
    """Each option has a default for each width of the core that there is a library for."""
    text = (package / "zephyr" / "Kconfig").read_text()
    assert re.findall(r"^config (\w+)", text, re.M) == ["CRYPTILE", "CRYPTILE_ISA"]
    assert dict(re.findall(r'\tdefault "(\w+)" if (\S+)', text)) == {
        "rv32im": "!64BIT",
        "rv64im_zba_zbb": "64BIT",
    }
    assert f"One of {', '.join(ISAS)}." in text
