"""Systems of the catalogue: what is refused, and that the RTL has what they name."""

import re
import shutil
from pathlib import Path

import pytest

from cryptile import catalog
from cryptile.catalog import generate, load
from cryptile.errors import CryptileError
from cryptile.project import ROOT
from cryptile.systems import mcu, stream, tile
from cryptile.systems.options import choose, engine, flags, values
from cryptile.toolchain import rtl

MISTAKES = {
    "an unknown word": ("harness:", "harnes:", "harnes"),
    "no engine": ("engine: aes", "engine: des", "variant: no engine 'des'"),
    "an option of no other": ("only: {core:", "only: {cor:", "rv32b: no option 'cor' before it"),
    "no parameter": ("{parameter: NumBanks, ", "{", "banks: a parameter, or select"),
}
"""By what is wrong with the microcontroller: what stands there, what is put there, what is said."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told(tmp_path: Path, mistake: str) -> None:
    old, new, told = MISTAKES[mistake]
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "systems" / "mcu.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(CryptileError, match=told) as error:
        load.system("mcu", tmp_path)
    assert "mcu.yaml" in str(error.value)


@pytest.mark.parametrize("system", [mcu, stream, tile], ids=lambda system: system.name)
def test_the_rtl_has_what_is_named(system) -> None:
    said = catalog.system(system.name)
    (top,) = (file for file in rtl.resolve(said.rtl.core).files if file.stem == said.rtl.top)
    for option in said.options.values():
        for name in filter(None, (option.parameter, said.select)):
            assert re.search(rf"^ *parameter .*\b{name} *=", top.read_text(), re.MULTILINE), name
    assert list((ROOT / said.harness).glob("main.cpp"))
    assert all(path.is_file() for path in system.waivers)


def test_values_are_numbers_in_their_order() -> None:
    options = catalog.system("stream").options
    chosen = choose(options, {"engine": "aes", "width": 64})
    assert chosen == {"engine": "aes", "variant": "iterative", "protect": "none", "width": 64}
    assert flags(options, chosen) == ["-GProtect=0", "-GDataWidth=64"]
    assert engine(options, chosen) == "cry_engine_select_pkg::AesIterative"
    assert values(options["variant"], {"engine": "chacha20poly1305"})[1] == "opt"
    options = catalog.system("mcu").options
    chosen = choose(options, {"core": "ibex", "rv32b": "full", "config": "aes-128-enc"})
    assert flags(options, chosen) == ["-GCore=1", "-GRv32b=3", "-GNumBanks=8"]
    assert engine(options, chosen) == "cry_engine_select_pkg::AesIterativeAes128Enc"


@pytest.mark.parametrize(
    ("old", "new"),
    [("size: 0x40000", "size: 0x50000"), ("base: 0x1a100000", "base: 0x1a110000")],
    ids=["a size", "a base"],
)
def test_what_cannot_be_decoded_is_refused(tmp_path: Path, old: str, new: str) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "systems" / "mcu.yaml"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(CryptileError, match="power of two that divides base"):
        load.system("mcu", tmp_path)


def test_a_tile_without_an_engine(tmp_path: Path) -> None:
    """Its RTL has no lane for it, and the command offers no algorithm of it."""
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "systems" / "tile.yaml"
    text = path.read_text()
    said = "tile: {with: [random]}"
    assert said in text
    path.write_text(text.replace(said, "tile: {without: [keccak, copy]}"))
    package = generate.files(tmp_path)[Path("soc/tile/gen/tsoc_map_pkg.sv")]
    engines = catalog.engines().values()
    opcodes = [engine.opcode for engine in engines if engine.opcode]
    every = sum(1 << opcode.number for opcode in opcodes if not opcode.random)
    assert f"TileOpcodes = 16'h{every & ~(1 << 4 | 1 << 1):04x};" in package
    assert not any(alg.engine == "keccak" for alg in load.algorithms_on("tile", tmp_path).values())
    for words, told in (
        ("without: [aes]", r"without: no engine with an opcode that each tile has 'aes'"),
        ("without: [pka]", r"without: no engine with an opcode that each tile has 'pka'"),
        ("with: [copy]", r"with: no engine that takes random bits 'copy'"),
    ):
        path.write_text(text.replace(said, f"tile: {{{words}}}"))
        load.system.cache_clear()
        with pytest.raises(CryptileError, match=rf"tile.yaml: {told}"):
            load.system("tile", tmp_path)
    path.write_text(text.replace(said, "tile: {with: [pka, random]}"))
    load.system.cache_clear()
    package = generate.files(tmp_path)[Path("soc/tile/gen/tsoc_map_pkg.sv")]
    assert f"TileOpcodes = 16'h{every | 1 << 7 | 1 << 8:04x};" in package


def test_maps_say_the_same_in_all_languages() -> None:
    region = catalog.system("tile").map["uart"]
    assert "UartBase     = 32'h1000_0000;" in (ROOT / "soc/tile/gen/tsoc_map_pkg.sv").read_text()
    assert "SOC_UART_BASE     0x10000000ul" in (ROOT / "sw/hal/gen/tile_map.h").read_text()
    assert (region.base, region.size) == (0x1000_0000, 0x1000)
    script = (ROOT / "sw/apps/gen/mcu_memory.ld").read_text()
    assert "tcdm (rw) : ORIGIN = 0x10000000, LENGTH = 0x40000" in script
