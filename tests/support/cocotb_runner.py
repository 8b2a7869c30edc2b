"""Builds a test bench once and runs its cocotb tests, each pytest case in a folder of its own."""

import hashlib
import os
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from xml.etree import ElementTree

from cocotb_tools.runner import get_results, get_runner

from cryptile.project import BUILD
from cryptile.toolchain import cache, rtl, tools
from support import coverage
from support.mutated import ASSERTION, Change, mutated

STORED = [("*", "*_q"), ("*", "mem"), ("cry_dff", "q_o"), ("cry_flop_kept", "q_o")]
"""Modules, and the names of their registers and memories."""


def registers(core: str) -> list[tuple[str, str]]:
    """Name the registers and memories of a core where they stand, once each.

    As ``STORED``, without the registers seen once more under other names by what calls them.
    """
    own = [path.stem for path in rtl.resolve(core).files if "always_ff" in path.read_text()]
    return [*STORED[1:], *((module, "*_q") for module in own)]


def run(
    core: str,
    toplevel: str,
    module: str,
    *,
    test_dir: Path,
    parameters: dict[str, object] | None = None,
    extra_sources: list[Path] | None = None,
    env: dict[str, str] | None = None,
    testcase: str | None = None,
    light: bool = False,
    cover: Sequence[str] = (),
    short: bool = False,
    see: Sequence[tuple[str, str]] = STORED,
    upset: bool = False,
    change: Change | None = None,
) -> None:
    """Run the cocotb tests of ``module`` (a Python file in ``test_dir``) on ``toplevel``.

    The model is cached by content. Assertions are on, warnings are errors, and line and toggle
    coverage is collected; ``light`` models are without, but for the modules that they ``cover``:
    for designs whose coverage is measured in another model. ``short`` ones are not optimised by the
    compiler: for few runs of a large model. An engine stands in ``cry_engine_flat``. Headers among
    the ``extra_sources`` are found by their names.
    A ``change`` is made in one of the files, see ``mutated``: then something that asserts, in the
    RTL or a test, must fail.

    The tests set the inputs of ``toplevel`` and read its outputs, and below it what they ``see``:
    modules and names, with wildcards. With ``upset`` they set that, too. What nobody sees Verilator
    may optimise; and what tests may set it computes with anew whenever an input changes, in code
    of its own: a model of which all may be set is twice as large, and as slow.
    """
    sources = rtl.resolve(core)
    extra = extra_sources or []
    headers = [path for path in extra if path.suffix == ".svh"]
    files = [*sources.files, *(path for path in extra if path not in headers)]
    folders = [*sources.include_dirs, *dict.fromkeys(path.parent for path in headers)]
    top = rtl.top(
        toplevel,
        rtl.FileList(files),
        {name: str(value) for name, value in (parameters or {}).items()},
    )
    literals = {
        name: rtl.literal(value, rtl.FileList(files)) for name, value in top.parameters.items()
    }
    args = [
        "--assert",
        *([] if light and not cover else ["--coverage-line", "--coverage-toggle"]),
        *tools.words("--x-initial unique -Wall -O3"),
        *tools.SHORT_FUNCTIONS,
        # Signals that are public Verilator orders as a whole: then req and rsp of an engine are a
        # loop. Lint (tests/packaging) finds the loops that are real, and what the RTL does not use.
        *tools.words(
            "-Wno-UNOPTFLAT -Wno-UNUSED --no-public-flat-rw"
        ),  # cocotb makes every signal public
        *(f"-D{macro}" for macro in top.defines),
        *(f"+incdir+{folder}" for folder in folders),
    ]
    os.environ.update(tools.environment())
    # Verilator hands its -MAKEFLAGS on only when it runs make itself; here the runner does. -Og
    # takes the compiler two thirds longer than -O0, and the model runs in a ninth of the time:
    # accesses to wide signals are functions, and must be inlined.
    level = "-O0" if short else "-Og"
    os.environ["MAKEFLAGS"] = f"{tools.ONE_FILE} OPT_FAST={level}"
    runner = get_runner("verilator")
    ports = [("rw", top.module, "*_i"), ("rw", top.module, "*_ni"), ("rd", top.module, "*_o")]
    below = [("rw" if upset else "rd", module, name) for module, name in see]
    control = [
        "`verilator_config",
        *(
            f'public_flat_{access} -module "{module}" -var "{name}"'
            for access, module, name in ports + below
        ),
        *(
            f'coverage_off -file "*/{path.name}"'
            for path in dict.fromkeys(files)
            if cover and path.stem not in cover
        ),
    ]

    def build(folder: Path) -> None:
        (folder / "see.vlt").write_text("\n".join([*control, ""]))
        runner.build(
            sources=[folder / "see.vlt", *mutated(files, change, folder)],
            hdl_toplevel=top.module,
            parameters=literals,
            build_args=[*args, "-CFLAGS", f"-include {tools.COLD}"],
            build_dir=folder,
            always=True,
            log_file=folder / "build.log",
        )

    inputs = [*sources.inputs, *extra, tools.COLD]
    how = [*control[1:], *(change or ())]
    key = cache.digest(inputs, top, args, os.environ["MAKEFLAGS"], sys.version, *how)
    model = cache.build(f"cocotb/{toplevel}", key, build)
    name = hashlib.sha256(f"{module}{testcase}{env}".encode()).hexdigest()[:12]
    work = BUILD / "cocotb-runs" / toplevel / key / name
    work.mkdir(parents=True, exist_ok=True)
    coverage.FOLDER.mkdir(parents=True, exist_ok=True)
    log, report = work / "run.log", work / "results.xml"
    for left in (log, report):
        left.unlink(missing_ok=True)
    with suppress(RuntimeError, SystemExit) if change else nullcontext():
        runner.test(
            hdl_toplevel=top.module,
            hdl_toplevel_lang="verilog",  # not known to a runner that found the model built
            test_module=module,
            testcase=testcase,
            build_dir=model,
            test_dir=work,
            results_xml=str(report),
            log_file=log,
            plusargs=[f"+verilator+coverage+file+{coverage.FOLDER}/{toplevel}-{key}-{name}.dat"],
            extra_env={"PYTHONPATH": os.pathsep.join([str(test_dir), *sys.path]), **(env or {})},
        )
    if change:
        assert _sees(log, report), f"nothing that asserts has failed with {change}: see {log}"
        return
    total, failed = get_results(report)
    assert total > 0, "no cocotb test ran"
    assert failed == 0, f"{failed} of {total} cocotb tests failed: see {log}"


def _sees(log: Path, report: Path) -> bool:
    """Return whether an assertion of the RTL has failed, or an ``assert`` of a cocotb test.

    An error alone may be of the bench, or of the simulator.
    """
    if re.search(ASSERTION, log.read_text()):
        return True
    failures = ElementTree.parse(report).iter("failure") if report.is_file() else ()
    return any(failure.get("type") == "AssertionError" for failure in failures)
