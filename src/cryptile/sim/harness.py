"""Running a simulator that was built with the C++ harness of ``soc/common/sim``."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.project import ROOT

FOLDER = ROOT / "soc/common/sim"
"""The C++ sources that all harnesses share."""

_BOUND_REACHED = 3


@dataclass(frozen=True)
class Progress:
    """How far a running simulation is."""

    cycles: int
    bytes_in: int
    bytes_out: int


def sources(folder: Path) -> list[Path]:
    """List the C++ sources and headers of the harness in ``folder``, the shared ones included."""
    return sorted(path for place in (FOLDER, folder) for path in place.glob("*.[ch]*"))


def execute(
    command: list[str], errors: Path, on_progress: Callable[[Progress], None] | None
) -> None:
    """Run a simulator; its standard error goes to the file ``errors``.

    Raises:
        CryptileError: the simulation failed.
    """
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as process,
    ):
        assert process.stdout is not None
        said = []
        try:
            for line in process.stdout:
                words = line.split()
                if len(words) == 3 and all(word.isdigit() for word in words):
                    if on_progress is not None:
                        on_progress(Progress(*map(int, words)))
                else:
                    said.append(line)  # an assertion's message
        except BaseException:
            process.kill()
            raise
    if process.returncode not in (0, _BOUND_REACHED):
        text = "".join(said[-20:]) + errors.read_text(errors="replace")
        raise CryptileError(f"the simulation failed ({process.returncode}): {text.strip()}")
