"""Builds a test bench once and runs its cocotb tests, each pytest case in a folder of its own."""

import hashlib
import os
import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

from cryptile.project import BUILD
from cryptile.toolchain import cache, rtl, tools
from support import coverage

STORED = [("*", "*_q"), ("*", "mem"), ("cry_dff", "q_o"), ("cry_flop_kept", "q_o")]
"""Modules, and the names of their registers and memories."""

ALL = ["*"]
"""Every signal of every module."""


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
    see: list[str] | None = None,
) -> None:
    """Run the cocotb tests of ``module`` (a Python file in ``test_dir``) on ``toplevel``.

    The model is cached by content. Assertions are on, warnings are errors, and line and toggle
    coverage is collected. ``light`` models are without coverage and, if all is seen, not optimised:
    for designs that take longer to build than to run, and for those whose coverage is measured in
    another model. An engine stands in ``cry_engine_flat``.

    The tests may read and set the signals of ``toplevel``, and below it what is ``STORED``; or,
    instead of that, all signals of the modules that ``see`` names, or ``ALL``.
    What nobody sees Verilator may optimise: the tile of which all is seen is ten times as large,
    and as slow.
    """
    sources = rtl.resolve(core)
    files = [*sources.files, *(extra_sources or [])]
    top = rtl.top(
        toplevel,
        rtl.FileList(files),
        {name: str(value) for name, value in (parameters or {}).items()},
    )
    literals = {
        name: rtl.literal(value, rtl.FileList(files)) for name, value in top.parameters.items()
    }
    args = [
        "--assert", *([] if light else ["--coverage-line", "--coverage-toggle"]),
        "--x-initial", "unique", "-Wall", "-O3",
        # Signals that are public Verilator orders as a whole: then req and rsp of an engine are a
        # loop. Lint (tests/packaging) finds the loops that are real.
        "-Wno-UNOPTFLAT",
        *([] if see == ALL else ["--no-public-flat-rw"]),  # cocotb makes every signal public
        *(f"-D{macro}" for macro in top.defines),
        *(f"+incdir+{folder}" for folder in sources.include_dirs),
    ]  # fmt: skip
    os.environ.update(tools.environment())
    # Verilator hands its -MAKEFLAGS on only when it runs make itself; here the runner does. -Og
    # takes the compiler two thirds longer than -O0, and the model runs in a ninth of the time:
    # accesses to wide signals are functions, and must be inlined.
    level = "-O0" if light and see == ALL else "-Og"
    os.environ["MAKEFLAGS"] = f"{tools.ONE_FILE} OPT_FAST={level}"
    runner = get_runner("verilator")
    control = ["`verilator_config"]
    if see != ALL:
        seen = STORED if see is None else [(name, "*") for name in see]
        control += [
            f'public_flat_rw -module "{module}" -var "{name}"'
            for module, name in [(top.module, "*"), *seen]
        ]

    def build(folder: Path) -> None:
        (folder / "see.vlt").write_text("\n".join([*control, ""]))
        runner.build(
            sources=[folder / "see.vlt", *files],
            hdl_toplevel=top.module,
            parameters=literals,
            build_args=[*args, "-CFLAGS", f"-include {tools.COLD}"],
            build_dir=folder,
            always=True,
            log_file=folder / "build.log",
        )

    inputs = [*sources.inputs, *(extra_sources or []), tools.COLD]
    key = cache.digest(inputs, top, args, os.environ["MAKEFLAGS"], sys.version, *control[1:])
    model = cache.build(f"cocotb/{toplevel}", key, build)
    name = hashlib.sha256(f"{module}{testcase}{env}".encode()).hexdigest()[:12]
    work = BUILD / "cocotb-runs" / toplevel / key / name
    work.mkdir(parents=True, exist_ok=True)
    coverage.FOLDER.mkdir(parents=True, exist_ok=True)
    results = runner.test(
        hdl_toplevel=top.module,
        hdl_toplevel_lang="verilog",  # not known to a runner that found the model built
        test_module=module,
        testcase=testcase,
        build_dir=model,
        test_dir=work,
        results_xml=str(work / "results.xml"),
        log_file=work / "run.log",
        plusargs=[f"+verilator+coverage+file+{coverage.FOLDER}/{toplevel}-{key}-{name}.dat"],
        extra_env={"PYTHONPATH": os.pathsep.join([str(test_dir), *sys.path]), **(env or {})},
    )
    total, failed = get_results(results)
    assert total > 0, "no cocotb test ran"
    assert failed == 0, f"{failed} of {total} cocotb tests failed: see {work / 'run.log'}"
