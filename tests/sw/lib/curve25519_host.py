"""The portable C of Curve25519 on the host, under the sanitizers, with either kind of field."""

from functools import cache
from pathlib import Path

from hash_calls import PARTS as HASH_PARTS

from cryptile import library
from cryptile.library_sources import c_files
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

PARTS = ("bigint", "curve25519", *HASH_PARTS)
VARIANTS = {"51": [], "32": ["-U__SIZEOF_INT128__"]}
"""Five limbs of 51 bits, which needs 128-bit products, and eight words of 32 bits."""

_SOURCE = Path(__file__).with_name("curve25519_on_host.c")
_FLAGS = [
    *tools.words(
        "-std=c11 -Wall -Wextra -Werror -O2 -g -fsanitize=address,undefined "
        "-fno-sanitize-recover=all"
    ),
]


@cache
def program(variant: str) -> Path:
    """Build the program, once per content."""
    sources = [_SOURCE, *c_files(PARTS)]
    headers = sorted([*library.LIB.rglob("*.h"), *library.INCLUDE.rglob("*.h")])
    gcc = tools.find("gcc", "gcc")
    flags = [*_FLAGS, *VARIANTS[variant]]

    def make(folder: Path) -> None:
        includes = ["-I", library.INCLUDE, "-I", library.LIB]
        tools.run([gcc, *flags, *includes, *sources, "-o", folder / "curve25519"])

    key = builds.digest([*sources, *headers], flags, tools.version(gcc))
    return builds.build(f"curve25519-host/{variant}", key, make) / "curve25519"


def run(variant: str, tmp_path: Path, lines: list[list]) -> list[tuple[int, bytes]]:
    """Carry out commands: a name and bytes each; return statuses and results."""
    path = tmp_path / "commands"
    text = [" ".join([name, *(part.hex() or "-" for part in parts)]) for name, *parts in lines]
    path.write_text("\n".join(text) + "\n")
    answers = tools.run([program(variant), path]).splitlines()
    assert len(answers) == len(lines)
    return [(int(a.split()[0]), bytes.fromhex("".join(a.split()[1:]))) for a in answers]
