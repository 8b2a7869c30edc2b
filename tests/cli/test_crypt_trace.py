"""``cryptile crypt --trace``: waves of the whole system, for their owner alone."""

import os
from pathlib import Path

import pytest
import pywellen
from support.wave_view import shown
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.crypt import choice
from cryptile.crypt.choice import Soc
from cryptile.errors import UsageError

ALG = next(name for name in choice.ALGORITHMS[Soc.mcu] if name.endswith("-ctr"))
PORT = "mcu_soc.mcu_soc.u_hwpe"
"""Where the engine port stands in the waves."""


def crypt(folder: Path, *words: object):
    (folder / "plain").write_bytes(b"five blocks of sixteen bytes" * 3)
    return CliRunner().invoke(
        app,
        [
            "crypt",
            "encrypt",
            str(folder / "plain"),
            "--alg",
            ALG,
            "--key",
            "11" * 16,
            "--iv",
            "22" * 16,
            "--soc",
            "mcu",
            "--variant",
            "pipelined",
            *map(str, words),
        ],
    )


@pytest.mark.soak
def test_the_port_is_seen_member_by_member(tmp_path):
    os.umask(0o022)
    waves = tmp_path / "run.fst"
    ended = crypt(tmp_path, "-o", tmp_path / "out", "--trace", waves)
    assert ended.exit_code == 0, ended.stderr
    assert "the key in them" in ended.stderr
    assert waves.stat().st_mode & 0o777 == 0o600
    names = {signal.full_name for signal in pywellen.Waveform(str(waves)).all_vars()}
    for member in ("req.key_valid", "req.src.data", "rsp.dst.data", "rsp.done_status"):
        assert f"{PORT}.{member}" in names
    looked_at = shown(waves)
    for member in ("req.key_valid", "req.src.data[127:0]", "rsp.done_status[3:0]"):
        assert f"{PORT}.{member}" in looked_at
    assert f"gtkwave {waves.with_suffix('.gtkw')}" in ended.stderr
    again = crypt(tmp_path, "-o", tmp_path / "out2", "--trace", waves)
    assert isinstance(again.exception, UsageError)
    assert "exists already" in str(again.exception)
    assert not (tmp_path / "out2").exists()


@pytest.mark.parametrize("name", ["out", "-", "plain", "no/where", "."])
def test_waves_go_into_a_file_of_their_own(tmp_path, name):
    path = name if name == "-" else tmp_path / name
    ended = crypt(tmp_path, "-o", tmp_path / "out", "--force", "--trace", path)
    assert isinstance(ended.exception, UsageError)
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "plain").stat().st_size == 84
