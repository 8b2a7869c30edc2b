"""Saved views of waves: what GTKWave is told of a trace."""

import math
import re
from pathlib import Path

import pytest

from cryptile.commands import places
from cryptile.errors import UsageError
from cryptile.systems import view

HANDSHAKES = ("req.job_valid", "rsp.job_ready", "rsp.done_valid", "req.done_ready")
PORT = {name: 1 for name in HANDSHAKES} | {
    "req.job.mode": 4, "req.job.msg_len": 32, "req.src.data": 128, "rsp.dst.data": 128,
    "rsp.fault_detected": 1,
}  # fmt: skip
SHELL = {"clk_i": 1, "rst_ni": 1, "s_axil_wdata_i": 32, "m_axi_wdata_o": 128, "irq_o": 1}
LANES = ("top.u_tile.gen_lane[10].gen_built", "top.u_tile.gen_lane[9].gen_built")
IDLE = "top.u_tile.gen_lane[2].gen_built"
INNER = f"{LANES[0]}.gen_own.u_engine"
JOBS = {LANES[0]: (500, 900), LANES[1]: (300, 420)}
"""When each engine takes its job, and is done."""


@pytest.fixture(autouse=True)
def last_time(monkeypatch):
    """Traces here are VCD, which has no header that says when it ends."""
    monkeypatch.setattr(view, "_last_time", lambda _: 1000)


def written(path, jobs):
    """Write a trace as VCD: scopes and members as Verilator names them, and the jobs."""
    signals = {"top.clk_i": 1, **{f"top.u_tile.{name}": bits for name, bits in SHELL.items()}}
    for scope in (*LANES, IDLE, INNER):
        signals |= {f"{scope}.{name}": bits for name, bits in PORT.items()}
    lines = ["$timescale 1ps $end"]
    ids = {}
    for number, (name, bits) in enumerate(signals.items()):
        *scopes, last = name.split(".")
        ids[name] = f"s{number}"
        lines += [f"$scope module {scope} $end" for scope in scopes]
        lines.append(f"$var wire {bits} {ids[name]} {last} {f'[{bits - 1}:0]' * (bits > 1)} $end")
        lines += ["$upscope $end"] * len(scopes)
    changes = {0: [f"b0 {one}" for one in ids.values()]}
    for scope, (start, end) in jobs.items():
        # A job waits for the engine, and what it gave waits for the shell.
        for time, name in (
            (10, "req.job_valid"),
            (start, "rsp.job_ready"),
            (start + 50, "rsp.done_valid"),
            (end, "req.done_ready"),
        ):
            inner = [INNER] if scope == LANES[0] else []
            changes.setdefault(time, []).extend(
                f"b1 {ids[f'{port}.{name}']}" for port in (scope, *inner)
            )
    lines.append("$enddefinitions $end")
    for time in sorted(changes):
        lines += [f"#{time}", *changes[time]]
    path.write_text("\n".join([*lines, "#1000", ""]))
    return path


def test_engines_that_took_a_job_are_shown(tmp_path):
    file = view.write(written(tmp_path / "run.fst", JOBS))
    assert file == tmp_path / "run.gtkw"
    lines = file.read_text().splitlines()
    shown = [line for line in lines if line.startswith(("top.", "-"))]
    port = [
        "-job", "req.job_valid", "rsp.job_ready", "req.job.mode[3:0]", "req.job.msg_len[31:0]",
        "-source", "req.src.data[127:0]", "-destination", "rsp.dst.data[127:0]",
        "-done", "rsp.done_valid", "req.done_ready", "-faults", "rsp.fault_detected",
    ]  # fmt: skip
    shell = [
        "-shell top.u_tile", "top.u_tile.clk_i", "top.u_tile.rst_ni",
        "-registers", "top.u_tile.s_axil_wdata_i[31:0]",
        "-memory", "top.u_tile.m_axi_wdata_o[127:0]", "-interrupts", "top.u_tile.irq_o",
        "-shell top.u_tile",
    ]  # fmt: skip
    expected = []
    for lane in reversed(LANES):
        title = f"-engine port {lane}"
        names = [line if line.startswith("-") else f"{lane}.{line}" for line in port]
        expected += [title, *names, title]
    assert shown == expected + shell


def test_values_are_shown_as_their_kind_is(tmp_path):
    lines = view.write(written(tmp_path / "run.fst", JOBS)).read_text().splitlines()
    flags = dict(zip(lines[1:], lines, strict=False))
    assert flags["top.u_tile.clk_i"] == "@28"
    assert flags[f"{LANES[0]}.req.job.msg_len[31:0]"] == "@24"
    assert flags[f"{LANES[0]}.req.src.data[127:0]"] == "@22"
    assert [line for line in lines if line in ("@800200", "@1000200")] == [
        "@800200",
        "@1000200",
    ] * 3


def test_it_opens_at_the_first_job(tmp_path):
    text = view.write(written(tmp_path / "run.fst", JOBS)).read_text()
    assert "[timestart] 288" in text
    zoom, *markers = re.search(r"^\*(.*)$", text, re.MULTILINE)[1].split()
    assert markers[:3] == ["300", "300", "420"]
    assert set(markers[3:]) == {"-1"}
    # 2 ** -zoom is the time of 200 pixels: here what 700 show.
    assert 700 / 200 * math.pow(2, -float(zoom)) == pytest.approx(120 * 1.2, rel=1e-3)


def test_a_job_at_the_end_is_seen_whole(tmp_path):
    """GTKWave starts at 0 where less is left than it would show."""
    text = view.write(written(tmp_path / "run.fst", {LANES[0]: (500, 960)})).read_text()
    start = int(re.search(r"\[timestart\] (\d+)", text)[1])
    zoom = float(re.search(r"^\*(\S+)", text, re.MULTILINE)[1])
    shown = 2**-zoom / 200
    assert start + 900 * shown <= 1000
    assert start <= 500
    assert start + 860 * shown >= 960


def test_the_last_time_stands_in_the_header_of_fst(tmp_path, monkeypatch):
    """Of a file of Verilator, that ends at 417,139."""
    monkeypatch.undo()
    head = "00 0000000000000149 0000000000000002 0000000000065d73 6957148b0abf0540"
    (tmp_path / "run.fst").write_bytes(bytes.fromhex(head))
    assert view._last_time(tmp_path / "run.fst") == 417_139


@pytest.mark.parametrize("name", ["run.fst", "my waves.fst"])
def test_both_files_can_be_moved_together(tmp_path, name):
    """GTKWave goes from the one to the other: which folder is named does not matter."""
    text = view.write(written(tmp_path / name, JOBS)).read_text()
    assert f'[dumpfile] "/{name}"\n[savefile] "/{Path(name).stem}.gtkw"\n' in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize("name", ['a"b.fst', "a\nb.fst"])
def test_a_name_that_a_view_cannot_hold(tmp_path, name):
    text = view.write(written(tmp_path / name, JOBS)).read_text()
    assert "dumpfile" not in text and "top.u_tile.clk_i" in text


def test_an_old_view_is_replaced_and_no_link_followed(tmp_path):
    other = tmp_path / "other"
    other.write_text("kept")
    (tmp_path / "run.gtkw").symlink_to(other)
    file = view.write(written(tmp_path / "run.fst", JOBS))
    assert other.read_text() == "kept"
    assert not file.is_symlink()


def test_no_view_without_a_job_or_a_file(tmp_path):
    assert view.write(written(tmp_path / "run.fst", {})) is None
    assert not (tmp_path / "run.gtkw").exists()
    assert view.write(Path("/dev/null")) is None


def test_names_of_elements_of_arrays():
    """As GTKWave 3.3 lists what Verilator writes of a packed array."""
    assert view._gtkwave_name("top.u.tcdm_add_o.[3]", 32) == "top.u.tcdm_add_o.tcdm_add_o[3][31:0]"


def test_places_of_waves_and_view(tmp_path):
    trace, key, out = tmp_path / "run.fst", tmp_path / "key", tmp_path / "run.gtkw"
    key.write_bytes(b"k" * 16)
    places.check_waves(trace, key, None, force=False)
    with pytest.raises(UsageError, match="is for the view"):
        places.check_waves(trace, key, out, force=True)
    with pytest.raises(UsageError, match="is for the view"):
        places.check_waves(out, key, force=True)
    with pytest.raises(UsageError, match="of their own"):
        places.check_waves(key, key, force=True)
    out.symlink_to(key)
    with pytest.raises(UsageError, match="is for the view"):
        places.check_waves(trace, key, force=True)
    out.unlink()
    out.write_text("a view that somebody has changed")
    with pytest.raises(UsageError, match="exists already"):
        places.check_waves(trace, key, force=False)
    places.check_waves(trace, key, force=True)
    places.check_waves(Path("/dev/null"), key, force=True)
