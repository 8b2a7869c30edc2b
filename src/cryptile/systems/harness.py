"""Running a simulator that was built with the C++ harness of ``soc/common/sim``."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptile.errors import CryptileError, UsageError
from cryptile.project import ROOT

FOLDER = ROOT / "soc/common/sim"
"""The C++ sources that all harnesses share."""

_BOUND_REACHED = 3
_MADE = ("output", "save", "trace")
"""Options that name a file to be made."""


@dataclass(frozen=True)
class Progress:
    """How far a running simulation is."""

    cycles: int
    bytes_in: int
    bytes_out: int


@dataclass(frozen=True)
class MemoryFile:
    """A file without a name, in memory alone; a simulator inherits its descriptor."""

    descriptor: int

    @property
    def path(self) -> Path:
        """What opens it, here and in the simulator."""
        return Path(f"/dev/fd/{self.descriptor}")

    def __str__(self) -> str:
        """Return what stands on the simulator's command line."""
        return str(self.path)


@contextmanager
def memory_file(content: bytes = b"") -> Iterator[MemoryFile]:
    """Make a file for what must not stay behind, however the run ends."""
    descriptor = os.memfd_create("cryptile")
    try:
        file = MemoryFile(descriptor)
        file.path.write_bytes(content)
        yield file
    finally:
        os.close(descriptor)


@dataclass(frozen=True)
class Result:
    """What one run did, on any system."""

    exit_code: int | None
    """What the program wrote to EXIT; None if the bound on cycles was reached first."""
    cycles: int
    """Cycles since reset, those before a saved state included."""
    sleep_cycles: int
    """Cycles in which the core slept, its clock off."""
    bytes_in: int
    bytes_out: int
    console: str
    """What the program printed on console and UART; from a saved state: since then."""


def sources(folder: Path) -> list[Path]:
    """List the C++ sources and headers of the harness in ``folder``, the shared ones included."""
    return sorted(path for place in (FOLDER, folder) for path in place.glob("*.[ch]*"))


def run(
    model: Path,
    options: Mapping[str, object],
    *,
    image: bytes | None,
    params: bytes,
    coverage: Path | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> tuple[Result, dict[str, Any]]:
    """Run a simulator and return its result, and what else it reports, by name.

    Programs are given keys: what the simulator reads and writes for this function is in memory, and
    its command line names no more than descriptors. Files that it makes besides, such as waves and
    saved states, may hold them too, and are for their owner alone; what had their names is removed.

    Args:
        model: the simulator.
        options: of the simulator, by name; those that are None are left out.
        image: the memory image, as ``sim.image`` makes it.
        params: what the mailbox command "read the parameters" gives.
        coverage: file for coverage data.
        on_progress: called some 20 times a second.

    Raises:
        UsageError: a file would be read and made.
        CryptileError: the simulation failed.
    """
    _make_way(options, coverage)
    with ExitStack() as stack:
        result, console, errors, parameters = (
            stack.enter_context(memory_file(content)) for content in (b"", b"", b"", params)
        )
        given = options.get("console")
        console = given if isinstance(given, MemoryFile) else console
        options = {**options, "result": result, "console": console, "params": parameters}
        if image is not None:
            options["image"] = stack.enter_context(memory_file(image))
        command, inherited = [str(model)], []
        for option, value in options.items():
            if value is not None:
                command += [f"--{option}", str(value)]
            if isinstance(value, MemoryFile):
                inherited.append(value.descriptor)
        if coverage is not None:
            command.append(f"+verilator+coverage+file+{coverage}")
        _execute(command, inherited, errors, on_progress)
        raw = json.loads(result.path.read_bytes())
        return Result(
            exit_code=raw["exit_code"] if raw["ended"] else None,
            cycles=raw["cycles"],
            sleep_cycles=raw["sleep_cycles"],
            bytes_in=raw["bytes_in"],
            bytes_out=raw["bytes_out"],
            console=console.path.read_bytes().decode(errors="replace"),
        ), raw


def _make_way(options: Mapping[str, object], coverage: Path | None) -> None:
    """Remove the files that the simulator makes: it would write into them, for all who read them.

    Devices and FIFOs stay.
    """
    read = [value for name, value in options.items() if name not in _MADE]
    for made in (*(options.get(name) for name in _MADE), coverage):
        if isinstance(made, Path) and made.is_file():
            if any(
                isinstance(path, Path) and path.exists() and path.samefile(made) for path in read
            ):
                raise UsageError(f"{made} is read: it cannot be written as well")
            made.unlink()


def _execute(
    command: list[str],
    inherited: list[int],
    errors: MemoryFile,
    on_progress: Callable[[Progress], None] | None,
) -> None:
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=errors.descriptor,
        text=True,
        pass_fds=inherited,
        umask=0o077,
    ) as process:
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
        text = "".join(said[-20:]) + errors.path.read_text(errors="replace")
        raise CryptileError(f"the simulation failed ({process.returncode}): {text.strip()}")
