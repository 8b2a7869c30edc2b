"""Finding and running the programs that Cryptile drives."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cryptile.errors import CryptileError, MissingToolError

ONE_FILE = "VM_PARALLEL_BUILDS=0"
"""Makes Verilator's makefile compile a model as one file: precompiled headers, for many files, cost
more than a model of up to some megabytes of C++. With coverage, or signals by name, optimised at
most with -Og: the constructor is one large function, on which GCC would spend many minutes."""

SHORT_FUNCTIONS = ("--output-split-cfuncs", "500")
"""Makes Verilator write short functions, for models that the compiler optimises little. GCC inlines
some calls at every level, and looks at the whole function for each: at -O0 it took 136 seconds of a
busy processor for a tile of one lane that corrects, and takes 40."""

COLD = Path(__file__).parents[1] / "data/verilated_cold.h"
"""A header for a model that is compiled as one file: GCC does not optimise what runs once."""

_NO_SUCH_COMMAND = 127
"""How a shell and ``env`` end that do not find a program."""


def words(options: str) -> list[str]:
    """Split options as one types them: a command line that is easy to read, however long."""
    return options.split()


def package_dir(name: str) -> Path:
    """Return the folder of an installed Python package, without importing it."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise MissingToolError(f"Python package {name} is missing: run 'make bootstrap'")
    return Path(next(iter(spec.submodule_search_locations)))


def environment() -> dict[str, str]:
    """Return the environment for tools, with Verilator and the virtual environment on PATH.

    Verilator's make files compile through ccache: every model has the same run-time sources.
    """
    env = {name: value for name, value in os.environ.items() if name != "VERILATOR_ROOT"}
    env.setdefault("OBJCACHE", "ccache")
    first = [str(package_dir("verilator") / "bin"), str(Path(sys.executable).parent)]
    env["PATH"] = os.pathsep.join([*first, env.get("PATH", "")])
    return env


def find(program: str, debian_package: str | None = None) -> str:
    """Return the path of a program, or say how to get it."""
    path = shutil.which(program, path=environment()["PATH"])
    if path is None:
        how = f"apt-get install {debian_package}" if debian_package else "make bootstrap"
        raise MissingToolError(f"{program} is missing: run '{how}' (or 'cryptile doctor')")
    return path


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    log: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """Run a program and return what it printed; a failure carries the last lines of its output.

    ``log`` keeps the whole output on disk.
    """
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**environment(), **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if log is not None:
        log.write_text(result.stdout)
    if result.returncode != 0:
        tail = "\n".join(result.stdout.splitlines()[-30:])
        if result.returncode == _NO_SUCH_COMMAND:
            raise MissingToolError(
                f"a tool that {Path(str(command[0])).name} needs is missing: {tail}"
            )
        raise CryptileError(f"{Path(str(command[0])).name} failed ({result.returncode}):\n{tail}")
    return result.stdout


@cache
def version(program: str, flag: str = "--version") -> str:
    """Return the first line that a tool prints of its version."""
    return run([program, flag]).strip().splitlines()[0]
