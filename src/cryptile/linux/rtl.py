"""The cycle-true system: the lean kernel on the RTL of CVA6 and the tile, from a saved state.

A boot takes tens of millions of cycles; its state is kept in the build cache, and every script
starts from there.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from cryptile.errors import CryptileError, UsageError
from cryptile.linux import board, cpio, image, lean, modules, packages
from cryptile.linux.boot import Result, end_of
from cryptile.project import BUILD, ROOT
from cryptile.systems import harness, tile
from cryptile.systems.harness import MemoryFile, Progress, memory_file
from cryptile.toolchain import cache, tools

_INIT = Path(__file__).parents[1] / "data/guest_init_rtl.sh"
_HOST = ROOT / "sw/linux/rtl/host.c"
_HEADERS = ROOT / "sw/hal/gen"

_ARGUMENTS = "console=ttyS0 panic=-1 cryptomgr.notests=1"
"""The kernel does not test its own software at each boot; a script can have it test the driver."""

_BOOT_CYCLES = 200_000_000
"""Bound of a boot; it takes a fraction."""

_STEP_CYCLES = 4_000_000
"""A boot is kept after so many cycles: one that is broken off goes on from there."""

_SILENT_CYCLES = 40_000_000
"""A boot that says nothing for as long has failed."""

_BOOT_SECONDS = 900
_SAY_SECONDS = 10

Tell = Callable[[str], None]
"""Is told of progress: whole lines of the console, and how many cycles were simulated."""


def run(
    script: str,
    *,
    sets: Iterable[str] = (),
    own_modules: Iterable[str] = (),
    files: Mapping[str, Path] | None = None,
    cycles: int = 500_000_000,
    latency: int | None = None,
    register_io: bool = False,
    tell: Tell | None = None,
) -> tuple[Result, int]:
    """Run a script on the booted system; return what it left, and the cycles that it took.

    Args:
        script: for the guest's shell (BusyBox).
        sets: of Debian packages that the guest has; each choice of them is a boot of its own.
        own_modules: paths of ``.ko`` files, built for ``lean.kernel()``, that are loaded first.
        files: of the host, by their places in the guest; all can be executed.
        cycles: after which the guest is stopped.
        latency: of the memory, in cycles; None: the system's own.
        register_io: the SoC has an engine without DMA, too: a model and a boot of its own.
        tell: is told of progress.

    Raises:
        UsageError: there is no such set, module or file, or they are too large together.
        CryptileError: the guest did not come to the script's end; the text has the console's end.
    """
    loaded = modules.closure(None, [*own_modules])
    archive = cpio.archive(image.work(loaded, files or {}, script))
    if len(archive) >= board.EXCHANGE_BYTES:
        raise UsageError(f"files of {len(archive)} bytes: the guest takes {board.EXCHANGE_BYTES}")
    folder = state([*sets], tell, register_io=register_io)
    begun = int((folder / "cycles").read_text())
    with (
        memory_file() as console,
        memory_file(archive) as given,
        memory_file() as output,
    ):
        result = tile.run(
            Path((folder / "model").read_text()),
            None,
            input=given,
            output=output,
            console=console,
            restore=folder / "state",
            max_cycles=begun + cycles,
            on_progress=_teller(console, tell),
            latency=tile.latency if latency is None else latency,
        )
        took = result.cycles - begun
        if result.exit_code is None:
            raise CryptileError(f"the guest was stopped after {took} cycles:\n{_end(result)}")
        if result.exit_code == board.CRASHED:
            raise CryptileError(f"the guest crashed:\n{_end(result)}")
        told = Result(result.exit_code, output.path.read_bytes(), _text(result.console))
        return told, took


def state(sets: list[str], tell: Tell | None = None, *, register_io: bool = False) -> Path:
    """Return the folder with the state of a booted system, booting it the first time.

    Raises:
        UsageError: there is no such set.
        CryptileError: it does not boot; the text has the console's end.
    """
    model = tile.build("cva6-fpu", long_runs=True, register_io=int(register_io))
    kernel = lean.kernel() / "boot/Image"
    (firmware,) = packages.unpacked_set("firmware")
    (loader,) = firmware.glob("usr/lib/riscv64-linux-gnu/opensbi/generic/fw_jump.bin")
    entries = image.programs(sets, _INIT)
    entries["usr/bin/host"] = cpio.program(host_program().read_bytes())
    archive = cpio.archive(entries)
    if board.INITRAMFS + len(archive) > board.EXCHANGE:
        raise UsageError(f"packages of {len(archive)} bytes: there is no room for them")
    text = board.source(len(archive), _ARGUMENTS, register_io=register_io)

    key = cache.digest([loader, kernel], str(model), archive, text)

    def make(folder: Path) -> None:
        initramfs, blob = folder / "initramfs.cpio", folder / "tree.dtb"
        initramfs.write_bytes(archive)
        board.tree(blob, text)
        loaded = {
            board.firmware(): loader,
            board.KERNEL: kernel,
            board.TREE: blob,
            board.INITRAMFS: initramfs,
        }
        _boot(model, loaded, BUILD / "linux/boots" / key, folder, tell)
        (folder / "model").write_text(str(model))
        initramfs.unlink()

    what = "the state of the booted cycle-true system"
    return cache.build("linux/states", key, make, what=what, seconds=_BOOT_SECONDS)


def _boot(
    model: Path, loaded: Mapping[int, Path], kept: Path, folder: Path, tell: Tell | None
) -> None:
    """Boot until the guest has its state saved: ``state``, ``console`` and ``cycles``.

    Args:
        model: the simulator.
        loaded: what memory has at the start, by address.
        kept: folder for the steps of a boot that is broken off; gone when it has succeeded.
        folder: for the result.
        tell: is told of progress.

    Raises:
        CryptileError: it says nothing any more, or ends without a state.
    """
    kept.mkdir(mode=0o700, parents=True, exist_ok=True)
    done = sorted((int(path.name) for path in kept.iterdir() if path.name.isdigit()), reverse=True)
    at = next(iter(done), 0)
    console = (kept / str(at) / "console").read_text() if at else ""
    if at and tell is not None:
        tell(f"{at / 1e6:8.2f} Mcycles were simulated before")
    spoken, last = at, False
    while True:
        step = kept / "next"
        shutil.rmtree(step, ignore_errors=True)
        step.mkdir(mode=0o700)
        with memory_file() as said:
            result = tile.run(
                model,
                None,
                data=None if at else loaded,
                restore=kept / str(at) / "state" if at else None,
                max_cycles=at + _STEP_CYCLES,
                save=step / "state",
                save_at=None if last else at + _STEP_CYCLES,
                console=said,
                on_progress=None if last else _teller(said, tell),
            )
        now = console + result.console
        if last:
            break
        if result.exit_code == 0:
            # It asked to be saved: the step anew, with that as its end.
            last = True
            continue
        spoken = result.cycles if result.console else spoken
        if result.exit_code is not None or result.cycles >= min(
            spoken + _SILENT_CYCLES, _BOOT_CYCLES
        ):
            raise CryptileError(f"no boot after {result.cycles} cycles:\n{end_of(_text(now))}")
        (step / "console").write_text(now)
        before, at, console = at, result.cycles, now
        step.rename(kept / str(at))
        if before:
            shutil.rmtree(kept / str(before))
    if not result.saved:
        raise CryptileError(f"no state after {result.cycles} cycles:\n{end_of(_text(now))}")
    shutil.move(step / "state", folder / "state")
    (folder / "console").write_text(now)
    (folder / "cycles").write_text(str(result.cycles))
    shutil.rmtree(kept)


def host_program() -> Path:
    """Return the guest's program that speaks to the host."""
    compiler = tools.find("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu")
    words = [
        "-O2", "-static", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{_HEADERS}",
        f"-DEXCHANGE_BASE={board.EXCHANGE:#x}", f"-DEXCHANGE_SIZE={board.EXCHANGE_BYTES:#x}u",
    ]  # fmt: skip

    def make(folder: Path) -> None:
        tools.run([compiler, *words, _HOST, "-o", folder / "host"])
        tools.run(
            [tools.find("riscv64-linux-gnu-strip", "binutils-riscv64-linux-gnu"), folder / "host"]
        )

    headers = [_HEADERS / "mcu_regs.h", _HEADERS / "tile_map.h"]
    key = cache.digest([_HOST, *headers], words, tools.version(compiler))
    return cache.build("linux/host", key, make) / "host"


def _teller(console: MemoryFile, tell: Tell | None) -> Callable[[Progress], None] | None:
    """Return what passes the console's lines on, with cycles, and cycles alone now and then."""
    if tell is None:
        return None
    start = last = time.monotonic()
    passed_on = 0

    def progress(now: Progress) -> None:
        nonlocal last, passed_on
        text = console.path.read_bytes()[passed_on:]
        whole, newline, _ = text.rpartition(b"\n")
        if not newline and time.monotonic() < last + _SAY_SECONDS:
            return
        last = time.monotonic()
        passed_on += len(whole + newline)
        at = f"{now.cycles / 1e6:8.2f} Mcycles {last - start:5.0f} s"
        for line in whole.decode(errors="replace").split("\n"):
            tell(f"{at}  {line}".rstrip())

    return progress


def _text(console: str) -> str:
    return console.replace("\r\n", "\n")


def _end(result: harness.Result) -> str:
    return end_of(_text(result.console))
