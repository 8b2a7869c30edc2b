"""The committed register files are what their SystemRDL gives, and the check of that can fail."""

import shutil
from pathlib import Path

import pytest

from cryptile import regs
from cryptile.project import ROOT

COMMITTED = [
    "rtl/shell/axi/gen/tile_regs.sv",
    "rtl/shell/axi/gen/tile_regs_pkg.sv",
    "rtl/shell/axis/gen/axis_regs.sv",
    "rtl/shell/axis/gen/axis_regs_pkg.sv",
    "rtl/shell/axis/gen/dma_regs.sv",
    "rtl/shell/axis/gen/dma_regs_pkg.sv",
    "rtl/shell/hwpe/gen/hwpe_regs.sv",
    "rtl/shell/hwpe/gen/hwpe_regs_pkg.sv",
    "soc/mcu/gen/mcu_regs.sv",
    "soc/mcu/gen/mcu_regs_pkg.sv",
    "sw/hal/gen/axis_regs.h",
    "sw/hal/gen/dma_regs.h",
    "sw/hal/gen/hwpe_regs.h",
    "sw/hal/gen/mcu_regs.h",
    "sw/hal/gen/tile_regs.h",
]


def test_committed_files_are_up_to_date():
    assert regs.check() == []


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of the register files alone."""
    shutil.copytree(ROOT / "regs", tmp_path / "regs")
    for name in COMMITTED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(regs, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMITTED)
def test_one_changed_byte_is_found(copy: Path, name: str):
    assert regs.check() == []
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    assert regs.check() == [name]


def test_missing_file_is_found(copy: Path):
    (copy / COMMITTED[0]).unlink()
    assert regs.check() == [COMMITTED[0]]


def test_changed_source_is_found(copy: Path):
    source = copy / "regs/hwpe.rdl"
    source.write_text(source.read_text().replace("SRC_PTR @ 0x40", "SRC_PTR @ 0x60"))
    assert set(regs.check()) == {name for name in COMMITTED if "hwpe" in name}
