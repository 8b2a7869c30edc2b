"""Writes a Zephyr module beside an export: the folder is one of ``ZEPHYR_EXTRA_MODULES``."""

from pathlib import Path

from cryptile.export.package import Exported

FOLDER = "zephyr"
"""Where Zephyr looks for a module's description."""

_MODULE = f"""\
name: cryptile
build:
  cmake: {FOLDER}
  kconfig: {FOLDER}/Kconfig
"""

_CMAKE = """\
if(CONFIG_CRYPTILE)
  get_filename_component(_cryptile_root "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
  if(NOT EXISTS "${_cryptile_root}/${CONFIG_CRYPTILE_ISA}/libcryptile.a")
    message(FATAL_ERROR "CONFIG_CRYPTILE_ISA is ${CONFIG_CRYPTILE_ISA}, which is not in"
      " ${_cryptile_root}")
  endif()
  add_library(cryptile STATIC IMPORTED GLOBAL)
  set_target_properties(cryptile PROPERTIES
    IMPORTED_LOCATION "${_cryptile_root}/${CONFIG_CRYPTILE_ISA}/libcryptile.a")
  zephyr_include_directories("${_cryptile_root}/include")
  zephyr_link_libraries(cryptile)
  unset(_cryptile_root)
endif()
"""


def write(folder: Path, exported: list[Exported]) -> None:
    """Write the module: its description, its options, and what it adds to a build."""
    target = folder / FOLDER
    target.mkdir(exist_ok=True)
    (target / "module.yml").write_text(_MODULE)
    (target / "CMakeLists.txt").write_text(_CMAKE)
    (target / "Kconfig").write_text(_kconfig(exported))


def _kconfig(exported: list[Exported]) -> str:
    names = ", ".join(item.isa for item in exported)
    narrow = next((item.isa for item in exported if item.isa.startswith("rv32")), None)
    wide = next((item.isa for item in exported if item.isa.startswith("rv64")), None)
    defaults = "".join(
        f'\tdefault "{isa}" if {condition}\n'
        for isa, condition in ((narrow, "!64BIT"), (wide, "64BIT"))
        if isa is not None
    )
    return f"""\
config CRYPTILE
\tbool "Cryptile, cryptography in software"
\tdepends on RISCV
\thelp
\t  Cryptographic algorithms behind cryptile.h and psa/crypto.h.

config CRYPTILE_ISA
\tstring "Instruction set of the library"
\tdepends on CRYPTILE
{defaults}\thelp
\t  One of {names}. The core must have all its extensions.
"""
