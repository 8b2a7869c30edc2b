"""Writes the CMake package beside an export: ``find_package(cryptile)``."""

from pathlib import Path

import cryptile
from cryptile.export.package import MEMORY, Exported

FOLDER = "cmake"
"""What CMAKE_PREFIX_PATH or cryptile_DIR finds the package by."""


def write(folder: Path, exported: list[Exported]) -> None:
    """Write the package: a target for each instruction set, and one for the chosen one."""
    target = folder / FOLDER
    target.mkdir(exist_ok=True)
    (target / "cryptile-config.cmake").write_text(_config(exported))
    (target / "cryptile-config-version.cmake").write_text(_VERSION)


_VERSION = f"""\
# Before 1.0.0 a minor version may break interfaces; from then on, a major one.
set(PACKAGE_VERSION {cryptile.__version__})
string(REGEX MATCH "^(0[.][0-9]+|[1-9][0-9]*)" _cryptile_series "${{PACKAGE_VERSION}}")
string(REGEX MATCH "^(0[.][0-9]+|[1-9][0-9]*)" _cryptile_wanted "${{PACKAGE_FIND_VERSION}}")
if(_cryptile_series STREQUAL _cryptile_wanted
    AND PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
"""


def _config(exported: list[Exported]) -> str:
    first = exported[0].isa
    targets = "".join(_target(item) for item in exported)
    return f"""\
# Targets: cryptile::<instruction set>, and cryptile::cryptile for the one that CRYPTILE_ISA names.
# cryptile::memory has memcpy() and its family, for programs without a C library: link it last.
cmake_minimum_required(VERSION 3.19)

set(CRYPTILE_ISA {first} CACHE STRING "Instruction set of the library")
set_property(CACHE CRYPTILE_ISA PROPERTY STRINGS {" ".join(item.isa for item in exported)})
get_filename_component(_cryptile_root "${{CMAKE_CURRENT_LIST_DIR}}" DIRECTORY)
{targets}
if(NOT TARGET cryptile::${{CRYPTILE_ISA}})
  set(cryptile_FOUND FALSE)
  set(cryptile_NOT_FOUND_MESSAGE
    "CRYPTILE_ISA is ${{CRYPTILE_ISA}}; here are {", ".join(item.isa for item in exported)}")
  return()
endif()
if(NOT TARGET cryptile::cryptile)
  add_library(cryptile::cryptile ALIAS cryptile::${{CRYPTILE_ISA}})
  add_library(cryptile::memory STATIC IMPORTED)
  set_target_properties(cryptile::memory PROPERTIES
    IMPORTED_LOCATION "${{_cryptile_root}}/${{CRYPTILE_ISA}}/{MEMORY}")
endif()
unset(_cryptile_root)
"""


def _target(item: Exported) -> str:
    """Return the target of a build; what includes the headers is compiled for its set."""
    return f"""
if(NOT TARGET cryptile::{item.isa})
  add_library(cryptile::{item.isa} STATIC IMPORTED)
  set_target_properties(cryptile::{item.isa} PROPERTIES
    IMPORTED_LOCATION "${{_cryptile_root}}/{item.isa}/libcryptile.a"
    INTERFACE_INCLUDE_DIRECTORIES "${{_cryptile_root}}/include"
    INTERFACE_COMPILE_OPTIONS "-march={item.march};-mabi={item.mabi}"
    INTERFACE_LINK_OPTIONS "-march={item.link_march};-mabi={item.mabi}")
endif()
"""
