"""A run names what has failed at once."""

import os
import subprocess
import sys
from pathlib import Path


def test_a_failed_test_is_named_before_the_run_ends(tmp_path):
    (tmp_path / "conftest.py").write_text(
        "from support.failures import Named\n"
        "def pytest_configure(config):\n"
        "    if not hasattr(config, 'workerinput'):\n"
        "        config.pluginmanager.register(Named(config))\n"
    )
    (tmp_path / "test_it.py").write_text("def test_good(): pass\ndef test_bad(): assert 0\n")
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", "--rootdir=."],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = run.stdout.splitlines()
    ends = next(number for number, line in enumerate(lines) if "= FAILURES =" in line)
    assert "FAILED test_it.py::test_bad (call)" in lines[:ends]
    assert run.returncode == 1
