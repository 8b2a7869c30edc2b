"""Boots the guest, and has it run something."""

import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.linux import image, machine, plugin
from cryptile.linux.kernels import Kernel
from cryptile.systems.harness import memory_file
from cryptile.toolchain import tools

_COMMAND_LINE = "console=ttyS0 quiet panic=-1"
_NO_SLEEP = ",sleep=off"
"""A guest that waits takes none of the host's time."""

_PORTS = "virtio-serial-pci,ioeventfd=off"
"""Requests are served when they are made: else the guest's time would depend on the host's."""

_LAST_LINES = 40


@dataclass(frozen=True)
class Result:
    """What a script left: its exit status, its standard output, and the guest's console."""

    status: int
    output: bytes
    console: str


def boot(
    script: str,
    *,
    sets: Iterable[str] = (),
    modules: Iterable[str] = (),
    files: Mapping[str, Path] | None = None,
    tile: Mapping[str, int] | None = None,
    command_line: Iterable[str] = (),
    firmware: Mapping[str, int] = machine.FIRMWARE,
    kernel: Kernel = Kernel.debian,
    seconds: int = 300,
) -> Result:
    """Boot, run a script in the guest, and switch off.

    The script's standard output is in the result; standard error goes to the console. Script,
    files and output are in memory alone, here too. The guest ends with this program, however that
    does.

    Args:
        script: for the guest's shell (BusyBox).
        sets: of Debian packages that the guest has, of ``catalog/linux.yaml``.
        modules: that are loaded first: names, or paths of ``.ko`` files.
        files: of the host, by their places in the guest; all can be executed.
        tile: arguments of the plugin: see ``sw/linux/qemu/README.md``.
        command_line: further words of the kernel's command line.
        firmware: what firmware would tell of the tile: properties of its node, each a cell.
        kernel: which; one that is not Debian's has all modules in it.
        seconds: after which the guest is stopped.

    Raises:
        UsageError: there is no such set, module or file.
        CryptileError: the guest did not come to the script's end; the text has the console's end.
    """
    archive = image.make(kernel.package, sets, [*modules], files or {}, script)
    with (
        tempfile.TemporaryDirectory(prefix="cryptile-linux-") as name,
        memory_file(archive) as initramfs,
        memory_file() as output,
        memory_file() as status,
    ):
        ports = ["-device", _PORTS]
        for number, file in enumerate((output, status)):
            ports += ["-chardev", f"file,id=port{number},path={file.path}",
                      "-device", f"virtserialport,chardev=port{number}"]  # fmt: skip
        command = _command(
            kernel,
            Path(name),
            initramfs.path,
            tile or {},
            _NO_SLEEP,
            command_line,
            firmware,
        )
        try:
            ran = subprocess.run(
                [*_ended_with_us(), *command, "-serial", "stdio", *ports],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
                pass_fds=[file.descriptor for file in (initramfs, output, status)],
            )
        except subprocess.TimeoutExpired as late:
            text = _text(late.stdout or b"")
            raise CryptileError(
                f"the guest was stopped after {seconds} s:\n{end_of(text)}"
            ) from late
        console = _text(ran.stdout)
        told = status.path.read_text().strip()
        if ran.returncode or not told.isdigit():
            raise CryptileError(
                f"the guest ended without a status (QEMU: {ran.returncode}):\n{end_of(console)}"
            )
        return Result(int(told), output.path.read_bytes(), console)


def shell(
    *,
    sets: Iterable[str] = (),
    modules: Iterable[str] = (),
    files: Mapping[str, Path] | None = None,
    tile: Mapping[str, int] | None = None,
    kernel: Kernel = Kernel.debian,
) -> None:
    """Boot to a shell on this terminal, until it ends; arguments and errors as of ``boot``."""
    with tempfile.TemporaryDirectory(prefix="cryptile-linux-") as name:
        initramfs = Path(name) / "initramfs.cpio"
        archive = image.make(kernel.package, sets, [*modules], files or {}, None)
        initramfs.write_bytes(archive)
        command = _command(kernel, Path(name), initramfs, tile or {}, "", ())
        status = subprocess.run([*command, "-serial", "mon:stdio"], check=False).returncode
    if status:
        raise CryptileError(f"QEMU ended with {status}")


def _command(
    kernel: Kernel,
    folder: Path,
    initramfs: Path,
    tile: Mapping[str, int],
    sleep: str,
    said: Iterable[str],
    firmware: Mapping[str, int] = machine.FIRMWARE,
) -> list[str]:
    """Return QEMU's command without its console; its device tree is written into a folder."""
    tree = folder / "tree.dtb"
    machine.make_device_tree(tree, firmware, tile.get("rbg_base", 0))
    arguments = {
        "base": machine.TILE_BASE,
        "irq": machine.TILE_IRQ,
        "ram_base": machine.MEMORY_BASE,
        "ram_size": machine.MEMORY_MIB << 20,
        **tile,
    }
    words = [
        machine.value(plugin.build()),
        *(f"{name}={value}" for name, value in arguments.items()),
    ]
    icount = f"shift={kernel.ns_log2}{sleep}"
    return [
        machine.qemu(), *machine.board(), "-no-reboot", "-icount", icount, "-seed", "1",
        "-rtc", "base=2026-01-01,clock=vm", "-monitor", "none", "-plugin", ",".join(words),
        "-kernel", str(kernel.image), "-initrd", str(initramfs), "-dtb", str(tree),
        "-append", " ".join([_COMMAND_LINE, *said]),
    ]  # fmt: skip


def _ended_with_us() -> list[str]:
    """Return what starts a program that is killed when this one is: a guest may have keys."""
    return [tools.find("setpriv", "util-linux"), "--pdeathsig", "KILL"]


def _text(console: bytes) -> str:
    return console.decode(errors="replace").replace("\r\n", "\n")


def end_of(text: str) -> str:
    """Return the last lines of a console."""
    return "\n".join(text.splitlines()[-_LAST_LINES:])
