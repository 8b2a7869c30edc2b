"""``cryptile synth`` on RTL that is not of this project: its names of clock and reset."""

import pytest

from cryptile.catalog.schema import Design, Rtl, Synth
from cryptile.errors import UsageError
from cryptile.project import BUILD, ROOT
from cryptile.synth import flow, liberty, points
from cryptile.synth.points import Point

FILE = str((ROOT / "tests/cli/foreign_counter.sv").relative_to(ROOT))


def synthesise(monkeypatch, clock):
    """Records of the counter by metric, and what was said of trouble."""
    made = Rtl(top="foreign_counter", files=(FILE,), clock=clock)
    item = Design(about="", rtl=made, variants={"it": {}}, configs={"all": {}}, synth=Synth())
    monkeypatch.setattr(points, "table", lambda: {"counter": item})
    plan = flow.Plan([Point("counter", "it", "all")], [], [liberty.read(liberty.OSU018)], 0)
    done, trouble = [], []
    records = flow.run(plan, done.append, trouble.append)
    assert len(done) == plan.steps
    return {record.metric: record.value for record in records}, trouble


def test_a_design_without_reset_is_timed(monkeypatch):
    figures, trouble = synthesise(monkeypatch, "clk")
    assert trouble == []
    assert figures.keys() == {"kge", "fmax_mhz"}
    assert figures["fmax_mhz"] > 100


def test_what_has_no_clock_keeps_its_area_and_says_why(monkeypatch):
    figures, (trouble,) = synthesise(monkeypatch, "clk_i")
    assert figures.keys() == {"kge"}
    assert trouble.startswith("counter it all osu018 has no clock: OpenSTA: Error: no port clk_i")


def test_a_file_names_a_design(tmp_path):
    """As docs/synthesis.md says: files from the folder of the YAML file, which is no temporary."""
    folder = BUILD / "synth-foreign"
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / FILE).read_text()
    assert " <= " in text
    (folder / "copied.sv").write_text(text.replace(" <= ", " <= #1 "))  # as much of old RTL has it
    path = folder / "reg.yaml"  # as a design of the catalogue
    path.write_text("rtl: {files: [copied.sv], top: foreign_counter, clock: clk}\n")
    (point,) = points.select([str(path)], None, None, None)
    assert (point.design, point.variant, point.config) == ("reg", "default", "all")
    assert point.clock == "clk" and point.sources.files == [folder / "copied.sv"]
    done, trouble = [], []
    plan = flow.Plan([point], [], [liberty.read(liberty.OSU018)], 0)
    records = flow.run(plan, done.append, trouble.append)
    assert trouble == [] and {record.metric for record in records} == {"kge", "fmax_mhz"}


def test_a_reset_of_any_name_is_no_path_of_the_clock():
    """It drives all flip-flops, and no tree of it is built."""
    folder = BUILD / "synth-foreign"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wide.v").write_text(
        "module wide(input clk, input reset_n, input [999:0] d, output reg [999:0] q);\n"
        "always @(posedge clk or negedge reset_n) if (!reset_n) q <= 0; else q <= d;\nendmodule\n"
    )
    path = folder / "wide.yaml"
    path.write_text("rtl: {files: [wide.v], top: wide, clock: clk}\n")
    plan = flow.Plan(
        points.select([str(path)], None, None, None), [], [liberty.read(liberty.OSU018)], 0
    )
    records = {
        record.metric: record.value
        for record in flow.run(plan, lambda _: None, lambda trouble: pytest.fail(trouble))
    }
    assert records["fmax_mhz"] > 500


def test_bad_files(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("rtl: {files: [none.sv], topp: x}\n")
    with pytest.raises(UsageError, match="topp"):
        points.select([str(path)], None, None, None)
    with pytest.raises(UsageError, match=r"no\.yaml"):
        points.select([str(tmp_path / "no.yaml")], None, None, None)


def test_rtl_with_an_error_is_bad_use():
    folder = BUILD / "synth-foreign"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wrong.v").write_text("module wrong(input clk);\nassign x = ;\nendmodule\n")
    path = folder / "wrong.yaml"
    path.write_text("rtl: {files: [wrong.v], top: wrong, clock: clk}\n")
    plan = flow.Plan(
        points.select([str(path)], None, None, None), [], [liberty.read(liberty.OSU018)], 0
    )
    with pytest.raises(UsageError, match=r"wrong\.v:2: ERROR: expected expression"):
        flow.run(plan, lambda _: None, lambda _: None)
