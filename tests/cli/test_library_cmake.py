"""The export's CMake package: found, refused, and a program linked by it runs."""

import subprocess

import pytest
from typer.testing import CliRunner

import cryptile
from cryptile.cli import app
from cryptile.sim.iss import run_program
from cryptile.toolchain import tools

ISAS = ["rv32im", "rv64im_zba_zbb"]
PROJECT = """\
cmake_minimum_required(VERSION 3.19)
project(program C)
find_package(cryptile {version} REQUIRED)
add_executable(program program.c)
target_compile_options(program PRIVATE -Wall -Werror -ffreestanding -mcmodel=medany)
target_link_options(program PRIVATE -nostdlib -static -Wl,--gc-sections)
target_link_libraries(program PRIVATE cryptile::cryptile cryptile::memory)
"""
PROGRAM = """\
#include "cryptile.h"

int memcmp(const void *a, const void *b, size_t bytes);  // there need be no C library

__asm__(".globl _start\\n_start: call run\\n li a7, 93\\n ecall\\n");

_Static_assert(CRYPTILE_VERSION_NUMBER >= 0x000200, "the version can be compared");

static const char *const TEXTS[] = {"ok", "bad parameter", "wrong state"};

int run(void) {
  const char *version = cryptile_version();
  if (memcmp(version, CRYPTILE_VERSION, sizeof CRYPTILE_VERSION) != 0) return 3;
  for (int i = 0; i < 3; i++)
    if (memcmp(cryptile_strerror((cryptile_status_t)-i), TEXTS[i], 3) != 0) return 4;
  for (int i = -11; i <= 0; i++)
    if (memcmp(cryptile_strerror((cryptile_status_t)i), "unknown", 7) == 0) return 5;
  static const int none[] = {1, -12, 1000, -1000, 0x7fffffff, -0x7fffffff - 1};
  for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
    if (memcmp(cryptile_strerror((cryptile_status_t)none[i]), "unknown", 7) != 0) return 6;
  return 0;
}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    words = [word for isa in ISAS for word in ("--isa", isa)]
    result = CliRunner().invoke(app, ["library", *words, "-o", str(folder)])
    assert result.exit_code == 0, result.output
    return folder


def configure(package, folder, *definitions, version=cryptile.__version__):
    (folder / "program.c").write_text(PROGRAM)
    (folder / "CMakeLists.txt").write_text(PROJECT.format(version=version))
    return subprocess.run(
        [
            tools.find("cmake", "cmake"),
            "-G",
            "Unix Makefiles",
            "-S",
            folder,
            "-B",
            folder / "build",
            *tools.words(
                "-DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=riscv64-unknown-elf-gcc "
                "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"
            ),
            f"-Dcryptile_DIR={package / 'cmake'}",
            *definitions,
        ],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("isa", ISAS)
def test_a_program_is_built_for_the_chosen_set_and_runs(package, tmp_path, isa):
    ended = configure(package, tmp_path, f"-DCRYPTILE_ISA={isa}")
    assert ended.returncode == 0, ended.stderr
    tools.run([tools.find("cmake", "cmake"), "--build", tmp_path / "build"])
    assert run_program(tmp_path / "build" / "program", isa).exit_code == 0


def test_a_set_that_is_not_there_is_named_with_those_that_are(package, tmp_path):
    ended = configure(package, tmp_path, "-DCRYPTILE_ISA=rv32e")
    assert ended.returncode != 0
    assert f"CRYPTILE_ISA is rv32e; here are {', '.join(ISAS)}" in ended.stderr


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("0.2", True),
        ("0.2.0 EXACT", True),
        ("0.1", False),
        ("0.3", False),
        ("1.0", False),
        ("0.2.9", False),
    ],
)
def test_versions_of_the_same_minor_number_are_taken(package, tmp_path, version, found):
    ended = configure(package, tmp_path, version=version)
    assert (ended.returncode == 0) == found, ended.stderr
    assert found or "considered but not accepted" in ended.stderr
