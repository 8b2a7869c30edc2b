"""Fields of a generated register block become protected registers, whatever map they are of."""

import dataclasses

import pytest

from cryptile import regs, regs_storage
from cryptile.errors import CryptileError
from cryptile.netlist.make import Source, netlist
from cryptile.project import BUILD
from cryptile.prove.groups import Kind, find
from cryptile.toolchain import rtl

RDL = """
addrmap toy {
    default regwidth = 32; default accesswidth = 32;
    default sw = rw; default hw = r;
    reg { field { } value[7:0] = 0x5A; } PLAIN @ 0x00;
    regfile {
        reg { field { } low[3:0] = 1; field { } high[31:31] = 0; } WORD[3] @ 0x00;
    } BLOCK[2] @ 0x40 += 0x20;
    external reg { field { } value[31:0] = 0; } OUTSIDE @ 0x80;
};
"""
BITS = 8 + 2 * 3 * (4 + 1)
"""All that ``RDL`` stores."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """The files of a register block with loops in loops."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "regs").mkdir()
    (folder / "regs/toy.rdl").write_text(RDL)
    out = BUILD / "tests/regs_storage"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regs, "ROOT", folder)
        patch.setattr(regs, "MAPS", (regs.RegisterMap("toy", out, protected=True),))
        patch.setattr(regs, "HEADERS", out)
        return [path for path in regs.generate(out) if path.suffix == ".sv"]


@pytest.mark.parametrize(("level", "copies"), [("Detect", 2), ("Correct", 3)])
def test_every_field_is_a_register_in_copies(toy, level, copies):
    files = rtl.resolve("cryptile:common:all")
    files = dataclasses.replace(files, files=[*files.files, *toy])
    design = netlist(Source("cry_toy_regs", files, {"Protect": f"cry_protect_pkg::Protect{level}"}))
    groups = find(design)
    assert {group.kind for group in groups} == {Kind.copies}
    assert [len(group.flops) for group in groups] == [copies] * BITS


def test_each_register_of_an_array_tells_of_its_own_upsets(toy):
    block = toy[1].read_text()
    assert "logic [1:0][2:0] BLOCK_WORD_low_corrected, BLOCK_WORD_low_detected;" in block
    assert ".detected_o(BLOCK_WORD_low_detected[i0][i1])" in block
    assert ".ResVal(8'h5a)" in block


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (".load_next) begin", ".load_next && more) begin", "unknown kind"),
        ("always_ff @(posedge clk or negedge arst_n)", "always_ff @(posedge clk)", "unknown kind"),
        ("module ", "macromodule ", "without ports"),
    ],
)
def test_what_is_written_otherwise_is_refused(old, new, told, monkeypatch, tmp_path):
    seen = []
    monkeypatch.setattr(regs_storage, "protected", lambda text: seen.append(text) or text)
    regs.generate(tmp_path)
    (block,) = seen
    monkeypatch.undo()
    assert old in block
    with pytest.raises(CryptileError, match=told):
        regs_storage.protected(block.replace(old, new))
