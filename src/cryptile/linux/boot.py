"""Boots the guest, and has it run something."""

import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.linux import image, machine, packages, plugin

_COMMAND_LINE = "console=ttyS0 quiet panic=-1"
_ICOUNT = "shift=3"
"""An instruction takes 8 ns of the guest's time."""

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
    seconds: int = 300,
) -> Result:
    """Boot, run a script in the guest, and switch off.

    The script's standard output is in the result; standard error goes to the console.

    Args:
        script: for the guest's shell (BusyBox).
        sets: of Debian packages that the guest has, of ``catalog/linux.yaml``.
        modules: that are loaded first: names, or paths of ``.ko`` files.
        files: of the host, by their places in the guest; all can be executed.
        tile: arguments of the plugin: see ``sw/linux/qemu/README.md``.
        seconds: after which the guest is stopped.

    Raises:
        UsageError: there is no such set, module or file.
        CryptileError: the guest did not come to the script's end; the text has the console's end.
    """
    with tempfile.TemporaryDirectory(prefix="cryptile-linux-") as name:
        folder = Path(name)
        output, status = folder / "output", folder / "status"
        ports = ["-device", _PORTS]
        for path in (output, status):
            ports += ["-chardev", f"file,id={path.name},path={machine.value(path)}",
                      "-device", f"virtserialport,chardev={path.name}"]  # fmt: skip
        archive = image.make(sets, [*modules], files or {}, script)
        command = _command(folder, archive, tile or {}, _ICOUNT + _NO_SLEEP)
        try:
            ran = subprocess.run(
                [*command, "-serial", "stdio", *ports],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            text = _text(late.stdout or b"")
            raise CryptileError(f"the guest was stopped after {seconds} s:\n{_end(text)}") from late
        console = _text(ran.stdout)
        told = status.read_text().strip() if status.exists() else ""
        if ran.returncode or not told.isdigit():
            raise CryptileError(
                f"the guest ended without a status (QEMU: {ran.returncode}):\n{_end(console)}"
            )
        return Result(int(told), output.read_bytes(), console)


def shell(
    *,
    sets: Iterable[str] = (),
    modules: Iterable[str] = (),
    files: Mapping[str, Path] | None = None,
    tile: Mapping[str, int] | None = None,
) -> None:
    """Boot to a shell on this terminal, until it ends; arguments and errors as of ``boot``."""
    with tempfile.TemporaryDirectory(prefix="cryptile-linux-") as name:
        archive = image.make(sets, [*modules], files or {}, None)
        command = _command(Path(name), archive, tile or {}, _ICOUNT)
        status = subprocess.run([*command, "-serial", "mon:stdio"], check=False).returncode
    if status:
        raise CryptileError(f"QEMU ended with {status}")


def _command(folder: Path, archive: bytes, tile: Mapping[str, int], icount: str) -> list[str]:
    """Return QEMU's command without its console; what it reads is written into a folder."""
    tree, initramfs = folder / "tree.dtb", folder / "initramfs.cpio"
    machine.make_device_tree(tree)
    initramfs.write_bytes(archive)
    (kernel,) = packages.unpacked_set("kernel")
    (image_file,) = kernel.glob("boot/vmlinux-*")
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
    return [
        machine.qemu(), *machine.board(), "-no-reboot", "-icount", icount, "-seed", "1",
        "-rtc", "base=2026-01-01,clock=vm", "-monitor", "none", "-plugin", ",".join(words),
        "-kernel", str(image_file), "-initrd", str(initramfs), "-dtb", str(tree),
        "-append", _COMMAND_LINE,
    ]  # fmt: skip


def _text(console: bytes) -> str:
    return console.decode(errors="replace").replace("\r\n", "\n")


def _end(text: str) -> str:
    return "\n".join(text.splitlines()[-_LAST_LINES:])
