"""Layouts of what software and the tile share: numbers, what C makes of them, errors."""

import ctypes
import random
from pathlib import Path

import pytest

from cryptile import catalog, layout
from cryptile.errors import CryptileError
from cryptile.layout import table
from cryptile.project import ROOT
from cryptile.toolchain import tools

DESCRIPTOR = ROOT / "catalog/descriptor.rdl"
WORDS = [
    word
    for block in [*layout.blocks(DESCRIPTOR).values(), layout.blocks()["tile_slot"]]
    for word in block.registers.values()
    if word.bits <= 64
]


def test_worked_example():
    """The one of the tile's README."""
    item = layout.memory()["tile_descriptor"]
    number = item.pack(opcode=2, mode=2, key_slot=1, irq=1, slot=3, src_addr=0x8000_1000)
    assert number == 0x8000_1000 << 64 | 0x0324_0202
    assert item.unpack(number)["slot"] == 3


def test_every_bit_is_a_field_or_reserved():
    for item in [*layout.memory().values(), *WORDS]:
        masks = [field.mask for field in item.fields.values()]
        assert sum(masks) ^ item.reserved == (1 << item.bits) - 1
        for name in item.fields:
            assert item.unpack(item.fields[name].mask)[name] == item.fields[name].mask >> (
                item.fields[name].low
            )


def test_values_that_do_not_fit():
    item = layout.memory()["tile_descriptor"]
    with pytest.raises(ValueError, match=r"tile_descriptor.mode: 0x10 is not of 4 bits"):
        item.pack(mode=16)
    with pytest.raises(ValueError, match="tile_descriptor has no field 'modus'"):
        item.pack(modus=1)


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The header's functions, field by field."""
    folder = tmp_path_factory.mktemp("layout")
    lines = ['#include "gen/tile_layout.h"']
    for word in WORDS:
        for field in word.fields:
            lines += [
                f"uint64_t get_{word.name}_{field}(uint64_t word) {{",
                f"  return {word.name}_decode((uint{word.bits}_t)word).{field};\n}}",
                f"uint64_t put_{word.name}_{field}(uint64_t value) {{",
                f"  return {word.name}_encode(({word.name}_t){{.{field} = value}});\n}}",
            ]
    (folder / "layout.c").write_text("\n".join(lines) + "\n")
    gcc = tools.find("gcc", "gcc")
    made = folder / "layout.so"
    tools.run(
        [
            gcc,
            *tools.words("-std=c11 -Wall -Wextra -Werror -shared -fPIC"),
            f"-I{ROOT / 'sw/driver/core'}",
            folder / "layout.c",
            "-o",
            made,
        ]
    )
    return ctypes.CDLL(str(made))


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_c_makes_the_same_words(native: ctypes.CDLL, word: layout.Layout):
    rng = random.Random(word.name)
    for name, field in word.fields.items():
        get, put = (getattr(native, f"{way}_{word.name}_{name}") for way in ("get", "put"))
        for call in (get, put):
            call.restype, call.argtypes = ctypes.c_uint64, [ctypes.c_uint64]
        value, noise = rng.getrandbits(field.width), rng.getrandbits(word.bits)
        assert put(value) == word.pack(**{name: value})
        assert get(noise) == word.unpack(noise)[name]


SOURCE = """
regfile one {{ reg {{ field {{}} a[3:0]; }} A @ 0x0; reg {{ field {{}} {second}; }} B @ 0x4; }};
addrmap both {{ one ONE[1] @ 0x0 += 0x8; }};
"""


def test_errors_say_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "some.rdl"
    path.write_text(SOURCE.format(second="b[3:0]"))
    assert layout.memory(path)["one"].pack(b=1) == 1 << 32
    path = tmp_path / "twice.rdl"
    path.write_text(SOURCE.format(second="a[3:0]"))
    with pytest.raises(CryptileError, match=r"twice.rdl: one: a stands twice"):
        layout.memory(path)
    path = tmp_path / "wide.rdl"
    path.write_text(SOURCE.format(second="b[32:0]"))
    with pytest.raises(CryptileError, match=r"wide.rdl has errors"):
        layout.memory(path)
    assert "wide.rdl:2" in capsys.readouterr().err


def test_a_table_without_a_place_is_refused(tmp_path: Path):
    text = "<!-- layout tile_output -->\nold\n<!-- end -->\n"
    readme = tmp_path / "README.md"
    readme.write_text(text)
    jobs = catalog.statuses().jobs
    tables = table.tables(layout.memory().values(), catalog.engines(), jobs)
    made = table.filled(readme, {"tile_output": tables["tile_output"]})
    assert "| 31:0 | `output_len` |" in made and "old" not in made
    assert "| 1 | `copy` | 0 copy |" in tables["opcodes"]
    with pytest.raises(CryptileError, match=r"README.md: places for tables of tile_output, not"):
        table.filled(readme, tables)
