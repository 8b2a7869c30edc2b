"""A stranger's path: the commands of docs/modules.md, as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

from cryptile.modules import description
from cryptile.project import ROOT

PAGE = (ROOT / "docs/modules.md").read_text()


def test_the_commands_do_what_the_page_says():
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    commands = block.splitlines()
    assert len(commands) <= 5
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    told = []
    for command in commands:
        result = subprocess.run(
            command, shell=True, cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        told.append((result.returncode, result.stdout + result.stderr))
    assert [code for code, _ in told] == [0, 1, 1, 0, 0], told
    assert "199 faults do harm" in told[1][1]
    assert "gen_single.en_q: stands alone" in told[2][1]
    assert "outside" in told[4][1]


def test_the_example_of_the_file_has_only_known_words(folder):
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
    source = ROOT / "examples/faults/counter_tmr.sv"
    path = folder / "own.yaml"
    path.write_text(text.replace("../../examples/faults/counter_tmr.sv", str(source)))
    found = description.load(path)
    assert found.protection is not None
    assert found.outputs.done == "done_o"
