"""``cryptile bench ... --trace``: waves of each run of an engine, in a file of its own."""

import pytest
import pywellen
from support.wave_view import shown
from typer.testing import CliRunner

from cryptile.bench.mcu import measure as mcu_bench
from cryptile.cli import app
from cryptile.commands import bench
from cryptile.errors import UsageError


def run(*words):
    return CliRunner().invoke(app, ["bench", *map(str, words)])


@pytest.mark.parametrize(
    ("suite", "words", "names"),
    [
        ("mcu", [], ["iterative", "pipelined", "serial"]),
        ("stream", ["--variant", "opt", "--aes"], ["aes", "opt"]),
        ("tile", ["--alg", "copy", "--alg", "nop"], ["copy", "nop"]),
    ],
)
def test_each_run_has_its_file(tmp_path, monkeypatch, suite, words, names):
    seen = {}
    module = getattr(bench, f"{suite}_bench")
    monkeypatch.setattr(module, "measure", lambda *_, traces, **__: seen.update(traces) or [])
    monkeypatch.setattr(bench, "run", lambda made, _: made.measure(print, print))
    assert run(suite, *words).exit_code == 0
    assert seen == {}
    ended = run(suite, *words, "--trace", tmp_path / "my.fst")
    assert ended.exit_code == 0, ended.output
    assert seen == {name: tmp_path / f"my-{name}.fst" for name in names}


def test_no_file_is_replaced(tmp_path):
    (tmp_path / "my-serial.fst").write_bytes(b"")
    ended = run("mcu", "--trace", tmp_path / "my.fst")
    assert isinstance(ended.exception, UsageError)
    assert "my-serial.fst exists already" in str(ended.exception)
    (tmp_path / "his-iterative.gtkw").write_bytes(b"")
    ended = run("mcu", "--trace", tmp_path / "his.fst")
    assert "his-iterative.gtkw exists already" in str(ended.exception)
    for name in ("-", tmp_path / "no" / "where.fst"):
        assert isinstance(run("mcu", "--trace", name).exception, UsageError)


@pytest.mark.soak
def test_waves_of_a_benchmark(tmp_path):
    """Of the engines' runs, with the same figures as without."""
    files = {name: tmp_path / f"my-{name}.fst" for name in mcu_bench.VARIANTS}
    traced, plain = (
        mcu_bench.measure(
            "cv32e40p", [1, 2], on_step=lambda _: None, on_done=lambda: None, traces=traces
        )
        for traces in (files, {})
    )
    assert traced == plain
    for file in files.values():
        assert file.stat().st_mode & 0o777 == 0o600
        names = {signal.full_name for signal in pywellen.Waveform(str(file)).all_vars()}
        assert "mcu_soc.mcu_soc.u_hwpe.evt_o" in names
        assert "mcu_soc.mcu_soc.u_hwpe.rsp.done_valid" in shown(file)
