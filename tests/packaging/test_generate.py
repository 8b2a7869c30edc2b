"""Committed files are what catalog/ and regs/ give, and the check of that can fail."""

import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from cryptile import blocks, generate, regs
from cryptile.catalog import generate as catalog
from cryptile.catalog import variants
from cryptile.project import ROOT
from cryptile.toolchain import tools

COMMITTED = [
    "Bender.yml",
    *(str(path) for path in blocks.files()),
    "docs/images/axis_shell.svg",
    "docs/images/engine_port.svg",
    "docs/images/hwpe_shell.svg",
    "docs/images/tile.svg",
    "regs/gen/features.rdl",
    "regs/gen/statuses.rdl",
    *(f"regs/gen/ipxact/{item.name}.xml" for item in regs.MAPS),
    "rtl/engine/port/gen/cry_engine_select.sv",
    "rtl/engine/port/gen/cry_engine_select_pkg.sv",
    "rtl/engine/port/gen/select.core",
    "rtl/engine/pka/gen/cry_pka_fast256_pkg.sv",
    "rtl/engine/pka/gen/cry_pka_isa_pkg.sv",
    "rtl/engine/pka/gen/cry_pka_program256_pkg.sv",
    "rtl/engine/pka/gen/cry_pka_program384_pkg.sv",
    "rtl/engine/pka/gen/cry_pka_program512_pkg.sv",
    "rtl/engine/pka/gen/cry_pka_program576_pkg.sv",
    "rtl/shell/tile/gen/cry_tile_catalog_pkg.sv",
    "rtl/shell/tile/gen/cry_tile_layout_pkg.sv",
    "rtl/shell/tile/gen/cry_tile_regs.sv",
    "rtl/shell/tile/gen/cry_tile_regs_pkg.sv",
    "rtl/shell/axis/gen/cry_axis_engine_flat.sv",
    "rtl/shell/axis/gen/cry_dma_engine_flat.sv",
    "rtl/shell/hwpe/gen/cry_hwpe_engine_flat.sv",
    "rtl/shell/tile/gen/cry_tile_flat.sv",
    "rtl/shell/axis/gen/cry_axis_regs.sv",
    "rtl/shell/axis/gen/cry_axis_regs_pkg.sv",
    "rtl/shell/axis/gen/cry_window_regs.sv",
    "rtl/shell/axis/gen/cry_window_regs_pkg.sv",
    "rtl/dma/gen/cry_dma_regs.sv",
    "rtl/dma/gen/cry_dma_regs_pkg.sv",
    "rtl/shell/hwpe/gen/cry_hwpe_regs.sv",
    "rtl/shell/hwpe/gen/cry_hwpe_regs_pkg.sv",
    "rtl/engine/rbg/gen/cry_rbg_regs.sv",
    "rtl/engine/rbg/gen/cry_rbg_regs_pkg.sv",
    "soc/mcu/gen/cry_mcu_regs.sv",
    "soc/mcu/gen/cry_mcu_regs_pkg.sv",
    "rtl/shell/tile/README.md",
    "sw/apps/gen/bench_params.h",
    "sw/apps/gen/bench_stream_params.h",
    "sw/apps/gen/bench_tile_params.h",
    "sw/apps/gen/call_params.h",
    "sw/apps/gen/crypt_params.h",
    "sw/apps/gen/crypt_stream_params.h",
    "sw/apps/gen/crypt_tile_params.h",
    "sw/driver/core/gen/tile_catalog.h",
    "sw/driver/core/gen/tile_families.h",
    "sw/driver/core/gen/tile_layout.h",
    "sw/hal/gen/axis_regs.h",
    "sw/hal/gen/dma_regs.h",
    "sw/hal/gen/engines.h",
    "sw/hal/gen/hwpe_regs.h",
    "sw/hal/gen/mcu_regs.h",
    "sw/hal/gen/rbg_regs.h",
    "sw/hal/gen/tile_regs.h",
    "sw/hal/gen/window_regs.h",
    "sw/include/cryptile/status.h",
    "sw/include/cryptile/version.h",
    "sw/lib/status/gen/status_texts.h",
    "soc/mcu/gen/mcu_map_pkg.sv",
    "soc/stream/gen/stream_map_pkg.sv",
    "soc/tile/gen/tsoc_map_pkg.sv",
    "sw/apps/gen/mcu_memory.ld",
    "sw/apps/gen/tile_memory.ld",
    "sw/hal/gen/mcu_map.h",
    "sw/hal/gen/stream_map.h",
    "sw/hal/gen/tile_map.h",
]


def test_committed_files_are_up_to_date():
    assert generate.check() == []


def test_ipxact_has_every_register():
    """Names are those of the C header, which has them from another exporter."""
    space = {"ipxact": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
    for item in regs.MAPS:
        tree = ElementTree.parse(ROOT / regs.IPXACT / f"{item.name}.xml")
        named = {node.text for node in tree.iterfind(".//ipxact:register/ipxact:name", space)}
        assert named
        for name in named:
            assert name in (ROOT / regs.HEADERS / f"{item.name}_regs.h").read_text(), name


def test_nothing_else_stands_among_them():
    listed = tools.run(["git", "-C", ROOT, "ls-files", "*/gen/*"]).split()
    assert listed == sorted(name for name in COMMITTED if "/gen/" in name)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every generated file, made anew."""
    folder = tmp_path_factory.mktemp("fresh")
    assert {str(path) for path in generate.generate(folder)} == set(COMMITTED)
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout of the generated files alone."""
    for name in COMMITTED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def stale(copy: Path, fresh: Path) -> list[str]:
    return generate.differing(copy, fresh, map(Path, COMMITTED))


@pytest.mark.parametrize("name", COMMITTED)
def test_one_changed_byte_is_found(copy: Path, fresh: Path, name: str):
    assert stale(copy, fresh) == []
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    assert stale(copy, fresh) == [name]


def test_missing_file_is_found(copy: Path, fresh: Path):
    (copy / COMMITTED[0]).unlink()
    assert stale(copy, fresh) == [COMMITTED[0]]


def test_changed_registers_are_found(tmp_path: Path, fresh: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(ROOT / "regs", tmp_path / "regs")
    source = tmp_path / "regs/hwpe.rdl"
    source.write_text(source.read_text().replace("SRC_PTR @ 0x40", "SRC_PTR @ 0x60"))
    monkeypatch.setattr(regs, "ROOT", tmp_path)
    regs.generate(tmp_path)
    wanted = [name for name in COMMITTED if "regs" in name]
    found = generate.differing(tmp_path, fresh, map(Path, wanted))
    assert set(found) == {name for name in wanted if "hwpe" in name}


def test_changed_catalogue_is_found(tmp_path: Path):
    shutil.copytree(ROOT / "catalog", tmp_path, dirs_exist_ok=True)
    source = tmp_path / "engines.yaml"
    source.write_text(source.read_text().replace("xts: {number: 6", "xts: {number: 7"))
    old, new = catalog.files(), catalog.files(tmp_path)
    assert {path for path in old if old[path] != new[path]} == {
        catalog.RTL_PACKAGE,
        catalog.C_HEADER,
        Path("sw/hal/gen/engines.h"),
        variants.PACKAGE,
    }
