"""A simulated system-on-chip: build its model and run programs on it.

``build`` makes (once) a Verilator model of the RTL with its C++ harness; ``run`` executes one
program on it. Cycle counts come from the RTL and are exact: the same model, program and input give
the same numbers in every run. What is particular to a system stands in ``catalog/systems``.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from cryptile import catalog
from cryptile.errors import UsageError
from cryptile.project import ROOT
from cryptile.systems import cpus, harness, image, monitors, view
from cryptile.systems.harness import MemoryFile, Progress
from cryptile.systems.options import Value, choose, engine, flags, values
from cryptile.toolchain import cache, rtl, tools

_OPTIMISE = "-O2 -march=native"
_QUICK_TO_BUILD, _QUICK_TO_RUN = "-O1 -march=native", "-O3 -march=native"
"""Of models whose state can be saved, which are large."""

_BOUNDS = {
    "latency": (255, "the latency of the memory is 0 to 255 cycles"),
    "stall_percent": (99, "memory holds back 0 to 99 percent of the accesses"),
}
"""Of options of ``run``: the largest value, and what is said of others."""

_MAPS = ROOT / "sw/hal/gen"
"""Where the harness finds the generated address maps."""


class System:
    """One system by its name in the catalogue."""

    def __init__(self, name: str) -> None:
        """Only name it: the catalogue is read when something is asked."""
        self.name = name

    @cached_property
    def _said(self) -> catalog.System:
        return catalog.system(self.name)

    @property
    def waivers(self) -> list[Path]:
        """Lint rules that are off in others' RTL, and what the harness sees of the model."""
        return [ROOT / name for name in self._said.waivers]

    @property
    def latency(self) -> int:
        """Latency of the memory unless told otherwise, in cycles."""
        return self._said.run["latency"]

    @property
    def build_options(self) -> tuple[str, ...]:
        """Names of the options of ``build``."""
        return tuple(self._said.options)

    @property
    def run_options(self) -> frozenset[str]:
        """Names of the options of ``run``, which are numbers."""
        return frozenset(self._said.run)

    def words(self, option: str, **chosen: Value) -> tuple[str, ...]:
        """List the values of an option of ``build``, when options before it are chosen."""
        return tuple(str(word) for word in values(self._said.options[option], chosen))

    def engines(self) -> list[dict[str, Any]]:
        """List the engines and variants that it can be built with, as options of ``build``."""
        found: list[dict[str, Any]] = [{}]
        for option in ("engine", "variant"):
            if option in self._said.options:
                found = [
                    {**chosen, option: word}
                    for chosen in found
                    for word in self.words(option, **chosen)
                ]
        return found

    def sources(self, core: str | None = None) -> rtl.FileList:
        """List the RTL of the system with a processor, the processor's own included.

        Raises:
            UsageError: no processor has that name.
        """
        core = core or self._said.processor or self.words("core")[0]
        processor, own = cpus.file_list(core), rtl.resolve(self._said.rtl.core or "")
        others = {f"{self.name}_core_{name}" for name in cpus.CORES if name != core}
        files = [*processor.files, *(path for path in own.files if path.stem not in others)]
        folders = [*processor.include_dirs, *own.include_dirs]
        # Both may use the common parts.
        return rtl.FileList(list(dict.fromkeys(files)), list(dict.fromkeys(folders)))

    def build(
        self,
        *positions: Value,
        assertions: bool = False,
        trace: bool = False,
        coverage: bool = False,
        long_runs: bool = False,
        **options: Value,
    ) -> Path:
        """Build the model, if it is not in the cache, and return its executable.

        Args:
            positions: values of the first options.
            assertions: check the protocol assertions of the RTL; the model is slower.
            trace: be able to write waves; such a model has no state to save.
            coverage: collect line and toggle coverage of the project's own RTL.
            long_runs: spend more time on the build of a model whose state can be saved, for long
                runs that use the tile late or not.
            options: of the system, by name.

        Raises:
            UsageError: an unknown name, or a combination that does not exist.
            CryptileError: the build failed.
        """
        said = self._said
        first = list(said.options)[: len(positions)]
        given = {**dict(zip(first, positions, strict=True)), **options}
        chosen = choose(said.options, given)
        core = str(chosen.get("core", said.processor))
        files, ours = self.sources(core), harness.sources(ROOT / said.harness)
        top = str(said.rtl.top)
        savable = said.savable and not trace  # what Verilator traces of structures is no plain data
        how = [
            *tools.words("--cc --exe"),
            "--top-module",
            top,
            "-Wno-fatal",
            "-O3",
            *(["--savable"] if savable else []),
            *tools.words("--x-assign fast --x-initial fast"),
            "--assert" if assertions else "--no-assert",
            *(["--trace-fst", "--trace-structs"] if trace else []),
            *(["--coverage-line", "--coverage-toggle", *tools.SHORT_FUNCTIONS] if coverage else []),
            *flags(said.options, chosen),
            *(
                [f"-G{said.select}={rtl.literal(engine(said.options, chosen), files)}"]
                if said.select
                else []
            ),
            *(f"+define+{macro}" for macro in cpus.defines(core)),
        ]
        optimise, included, compiled = self._compilation(savable, coverage, long_runs)

        def make(folder: Path) -> None:
            tools.run(
                [
                    "verilator", *how, *included, "-Mdir", folder, "-o", self.name,
                    "-CFLAGS", f"-std=c++17 -Wall -Wextra -I{harness.FOLDER} -I{_MAPS}",
                    *(f"+incdir+{path}" for path in files.include_dirs),
                    *self.waivers, *files.files, *(path for path in ours if path.suffix == ".cpp"),
                ],
                log=folder / "verilate.log",
            )  # fmt: skip
            tools.run(
                ["make", "-C", folder, "-f", f"V{top}.mk", "-j2", *compiled, "OPT_GLOBAL=-O2"],
                log=folder / "compile.log",
            )

        maps = sorted(_MAPS.glob("*_map.h"))
        inputs = [*self.waivers, *files.inputs, *ours, *maps, tools.COLD]
        key = cache.digest(inputs, how, optimise, tools.version("verilator"))
        words = " ".join(str(value) for value in given.values())
        what = f"the model of the {said.about}{words and f', {words}'}"
        made = cache.build(self.name, key, make, what=what, seconds=said.build_seconds)
        return made / self.name

    def _compilation(
        self, savable: bool, coverage: bool, long_runs: bool
    ) -> tuple[str, list[str], list[str]]:
        """Return the optimisation, and what Verilator and make are told of the compilation."""
        cold = ["-CFLAGS", f"-include {tools.COLD}"]
        if not self._said.savable:
            if long_runs:
                raise UsageError(f"long runs are for systems whose state is saved, not {self.name}")
            level = "-O0" if coverage else _OPTIMISE
            return _OPTIMISE, cold, [tools.ONE_FILE, f"OPT_FAST={level}"]
        header = str(ROOT / self._said.harness / "savable.h")
        if long_runs:
            how = ["CFG_CXXFLAGS_PCH_I=-include", f"OPT_FAST={_QUICK_TO_RUN}", "OPT_SLOW=-O0"]
            return _QUICK_TO_RUN, ["--compiler-include", header], how
        # Verilator would look for the header in a precompiled one, of which there is none.
        level = "-O0" if coverage else _QUICK_TO_BUILD
        how = [tools.ONE_FILE, f"OPT_FAST={level}"]
        state = ["-CFLAGS", f"-include {header}"] if savable else []
        return _QUICK_TO_BUILD, [*cold, *state], how

    def check_run(self, elf: Path | None, **options: int) -> dict[str, int]:
        """Refuse what ``run`` would refuse of a program and its options, before a model is built.

        Returns:
            The options, and those of the catalogue that are not given.

        Raises:
            UsageError: as of ``run``.
        """
        said = self._said
        if others := options.keys() - said.run.keys():
            raise UsageError(f"no option named {min(others)}; known: {', '.join(said.run)}")
        for name, (most, what) in _BOUNDS.items():
            if not 0 <= options.get(name, 0) <= most:
                raise UsageError(what)
        if elf is not None:
            image.from_elf(elf, said.xlen)
        return {**said.run, **options}

    def run(
        self,
        model: Path,
        elf: Path | None,
        params: bytes = b"",
        input: Path | MemoryFile | None = None,
        output: Path | MemoryFile | None = None,
        *,
        data: Mapping[int, Path] | None = None,
        max_cycles: int = 1_000_000_000,
        on_progress: Callable[[Progress], None] | None = None,
        uart: Path | None = None,
        console: MemoryFile | None = None,
        save: Path | None = None,
        save_at: int | None = None,
        restore: Path | None = None,
        trace: Path | None = None,
        coverage: Path | None = None,
        **options: int,
    ) -> monitors.Result:
        """Run a program until it ends or ``max_cycles`` have passed.

        Args:
            model: what ``build`` returned.
            elf: the program; None with ``restore``, or if all that runs is ``data``.
            params: what the mailbox command "read the parameters" gives.
            input: file behind "read input"; none reads as empty.
            output: file behind "write output"; without one the command is refused.
            data: further files to load, by address; not with ``restore``.
            max_cycles: bound on the simulated cycles, counted from reset.
            on_progress: called some 20 times a second.
            uart: what the UART receives, as fast as it is read.
            console: for what the program prints, to be read while it runs.
            save: file for the state of the simulation, memory and registers: it holds the keys that
                the program was given.
            save_at: cycle after which it is saved; None: at the program's mailbox command 4.
            restore: a saved state, of the same model, to start from.
            trace: FST file for waves, with a view of them beside it; the model must have been
                built with ``trace``.
            coverage: file for coverage data; the model must have been built with ``coverage``.
            options: of the simulator, those of ``run`` in the catalogue: ``latency`` of the memory
                in cycles, up to 255; ``stall_percent``, chance that memory holds back an access in
                a cycle, up to 99, and ``stall_seed``; ``max_jobs``, how many jobs or packets the
                result has; ``read_allowed``, whether the life cycle permits to read samples of the
                entropy source.

        Raises:
            UsageError: the program is missing or no RISC-V executable of the right width, or a bad
                option.
            CryptileError: the simulation failed: a file, the image's size, an assertion.
        """
        options = self.check_run(None, **options)
        starts = elf is not None or bool(data)
        if starts == (restore is not None):
            raise UsageError("run either a program or a saved state")
        if save_at is not None and save_at < 1:
            raise UsageError("cycles are counted from 1")
        files = {
            "input": input,
            "output": output,
            "trace": trace,
            "uart": uart,
            "save": save,
            "restore": restore,
            "console": console,
        }
        numbers = {"max_cycles": max_cycles, "save_at": save_at, **options}
        parts = [image.from_elf(elf, self._said.xlen)] if elf is not None else []
        parts += [image.record(at, path.read_bytes()) for at, path in (data or {}).items()]
        plain, raw = harness.run(
            model,
            files | {name.replace("_", "-"): value for name, value in numbers.items()},
            image=b"".join(parts) if starts else None,
            params=params,
            coverage=coverage,
            on_progress=on_progress,
        )
        if trace is not None:
            view.write(trace)
        return monitors.result(plain, raw)
