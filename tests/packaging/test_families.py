"""Families of algorithms: the lengths that C takes are those that ``cryptile crypt`` takes."""

import ctypes
from collections.abc import Sequence

import pytest

from cryptile import catalog
from cryptile.catalog.blobs import camel
from cryptile.crypt.tile_algorithms import ALGORITHMS, MAX_OUTPUT, Algorithm
from cryptile.project import ROOT
from cryptile.toolchain import tools

LENGTHS = [*range(1100), MAX_OUTPUT]
MESSAGES = [*LENGTHS, 1 << 24, (1 << 24) + 16]
FORMS = {name: alg.form for name, alg in catalog.algorithms().items()}


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The header's functions, one for each family."""
    folder = tmp_path_factory.mktemp("families")
    lines = ['#include "gen/tile_families.h"']
    for form in sorted(set(FORMS.values())):
        family = f"Tile{camel(form)}"
        for name in ("iv", "aad", "message"):
            call = f"cry_tile_takes_{name}({family}, len)"
            lines.append(f"bool {form}_{name}(uint32_t len) {{ return {call}; }}")
        lines.append(
            f"bool {form}_tag(uint32_t len, uint32_t full) "
            f"{{ return cry_tile_takes_tag({family}, len, full); }}"
        )
        lines.append(f"bool {form}_out(void) {{ return cry_tile_family_makes_output({family}); }}")
    (folder / "families.c").write_text("\n".join(lines) + "\n")
    made = folder / "families.so"
    gcc = tools.find("gcc", "gcc")
    tools.run(
        [
            gcc,
            *tools.words("-std=c11 -Wall -Wextra -Werror -shared -fPIC"),
            f"-I{ROOT / 'sw/driver/core'}",
            folder / "families.c",
            "-o",
            made,
        ]
    )
    return ctypes.CDLL(str(made))


def taken(
    native: ctypes.CDLL, name: str, what: str, *more: int, of: Sequence[int] = LENGTHS
) -> set[int]:
    """The lengths that C takes."""
    call = getattr(native, f"{FORMS[name]}_{what}")
    call.restype, call.argtypes = ctypes.c_bool, [ctypes.c_uint32] * (1 + len(more))
    return {size for size in of if call(size, *more)}


@pytest.mark.parametrize("alg", ALGORITHMS.values(), ids=lambda alg: alg.name)
def test_lengths_are_those_of_the_command(native: ctypes.CDLL, alg: Algorithm) -> None:
    assert taken(native, alg.name, "iv") == {size for size in LENGTHS if size in alg.ivs}
    assert taken(native, alg.name, "tag", alg.tag) == {size for size in LENGTHS if size in alg.tags}
    # The command bounds associated data, which C does not.
    assert taken(native, alg.name, "aad") == {
        size for size in LENGTHS if size <= alg.aad or alg.aad > catalog.MAX_CUSTOM
    }
    assert taken(native, alg.name, "message", of=MESSAGES) == {
        size for size in MESSAGES if alg.least <= size <= alg.most and size % alg.block == 0
    }
    kind = catalog.algorithms()[alg.name].family.kind
    out = getattr(native, f"{FORMS[alg.name]}_out")
    out.restype = ctypes.c_bool
    assert out() == (kind in (catalog.Kind.cipher, catalog.Kind.aead))
