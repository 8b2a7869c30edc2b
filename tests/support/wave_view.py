"""What a saved view of waves shows, by GTKWave itself where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pywellen

from cryptile.systems import view

_ASK = 'puts "shown: [gtkwave::getDisplayedSignals]"; exit\n'
"""What GTKWave could not find in the trace it leaves out, without a word."""


def shown(trace: Path) -> set[str]:
    """Return the signals of the view beside a trace; each of them is in the trace."""
    file = view.beside(trace)
    names = {
        line
        for line in file.read_text().splitlines()
        if line and line[0] not in "@-*[" and "." in line
    }
    known = {
        signal.full_name: signal.bitwidth for signal in pywellen.Waveform(str(trace)).all_vars()
    }
    named = {view._gtkwave_name(name, width or 1) for name, width in known.items()}
    assert names and names <= named
    if shutil.which("gtkwave") and shutil.which("xvfb-run"):
        assert names == _by_gtkwave(file)
    return names


def _by_gtkwave(file: Path) -> set[str]:
    """Open the view alone, from another folder than its own, and ask what is displayed."""
    script = file.with_suffix(".tcl")
    script.write_text(_ASK)
    ended = subprocess.run(
        ["xvfb-run", "-a", "gtkwave", "--save", file, "--script", script],
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    (line,) = [line for line in ended.stdout.splitlines() if line.startswith("shown: ")]
    # A vector of one bit is found by its name, and shown with its index.
    return {name.removesuffix("[0]") for name in line.removeprefix("shown: ").split()}
