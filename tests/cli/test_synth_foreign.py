"""``cryptile synth`` on RTL that is not of this project: its names of clock and reset."""

from cryptile.catalog.schema import Design, Rtl, Synth
from cryptile.project import ROOT
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
