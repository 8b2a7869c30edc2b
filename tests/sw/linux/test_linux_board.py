"""What the cycle-true Linux system is started with; the boot itself is in test_linux_rtl.py."""

import re
import subprocess
from pathlib import Path

import pytest

from cryptile import catalog
from cryptile.errors import CryptileError, UsageError
from cryptile.linux import board, rtl
from cryptile.linux.lean import CONFIG
from cryptile.project import ROOT
from cryptile.systems import monitors, tile
from cryptile.toolchain import tools

INITRAMFS_BYTES = 12_345
ARGUMENTS = "console=ttyS0 quiet"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """What asks the compiled device tree: a node, a property, and how its words are shown."""
    path = tmp_path_factory.mktemp("board") / "tree.dtb"
    board.tree(path, board.source(INITRAMFS_BYTES, ARGUMENTS))
    program = tools.find("fdtget", "device-tree-compiler")

    def ask(node, name, kind="x"):
        said = tools.run([program, "-t", kind, path, node, name])
        return [int(word, 16) for word in said.split()] if kind == "x" else said.strip()

    return ask


def test_devices_are_where_the_catalogue_says(tree):
    places = catalog.system("tile").map
    for node, name in {
        "clint": "clint",
        "interrupt-controller": "plic",
        "serial": "uart",
    }.items():
        at = places[name]
        assert tree(f"/soc/{node}@{at.base:x}", "reg") == [0, at.base, 0, at.size]
    cells = [
        cell for name in ("tile", "rbg") for cell in (0, places[name].base, 0, places[name].size)
    ]
    assert tree(f"/soc/crypto@{places['tile'].base:x}", "reg") == cells
    base = places["memory"].base
    assert tree(f"/memory@{base:x}", "reg") == [0, base, 0, board.MEMORY_BYTES]
    # SOC_CTRL, whose first register ends the simulation.
    control = places["periph"].base + 0x4000
    assert tree(f"/soc/syscon@{control:x}", "reg")[1] == control
    assert tree("/soc/reboot", "value") == [board.CRASHED]


def test_interrupts_are_those_of_the_rtl(tree):
    queues = int(re.search(r"NumQueues = (\d+)", (ROOT / "soc/tile/tile_soc.sv").read_text())[1])
    plic = tree("/soc/interrupt-controller@c000000", "riscv,ndev")
    assert plic == [1 + queues + 1 + 1]
    assert tree("/soc/crypto@50000000", "interrupts") == [
        2 + number for number in range(queues + 1)
    ]
    assert tree("/soc/crypto@50000000", "interrupt-names", "s").split()[-1] == "error"


def test_what_is_loaded_has_room(tree):
    """Nothing that is loaded lies on something else; the exchange is kept from the kernel."""
    begin, end = (tree("/chosen", f"linux,initrd-{which}")[1] for which in ("start", "end"))
    assert (begin, end) == (board.INITRAMFS, board.INITRAMFS + INITRAMFS_BYTES)
    assert tree("/chosen", "bootargs", "s") == ARGUMENTS
    kept = tree(f"/reserved-memory/exchange@{board.EXCHANGE:x}", "reg")
    assert kept == [0, board.EXCHANGE, 0, board.EXCHANGE_BYTES]
    places = [board.firmware(), board.KERNEL, board.TREE, board.INITRAMFS, board.EXCHANGE]
    assert places == sorted(places)
    assert board.firmware() + board.MEMORY_BYTES >= board.EXCHANGE + board.EXCHANGE_BYTES


def test_boot_rom_tells_of_the_tree():
    """It computes the address that the tree is loaded to: 0x41 << 25."""
    rom = (ROOT / "soc/tile/tsoc_boot_rom.sv").read_text()
    assert "li a1, 0x41" in rom
    assert "slli a1, a1, 25" in rom
    assert board.TREE == 0x41 << 25


def test_kernel_says_nothing_twice():
    """A second line of an option would win without a word."""
    names = re.findall(r"^(?:# )?(CONFIG_\w+)(?:=| is not set)", CONFIG.read_text(), re.MULTILINE)
    assert len(names) == len(set(names)) > 50


@pytest.mark.parametrize("words", [[], ["save", "now"], ["give"], ["steal"]])
def test_guests_program_says_how(words):
    """Bad use touches no memory: right use is for the SoC alone."""
    ended = subprocess.run(
        [tools.find("qemu-riscv64", "qemu-user"), rtl.host_program(), *words],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("usage: host save | take | give")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"own_modules": ["no_such"]}, "no module no_such"),
        ({"own_modules": ["/no/such.ko"]}, "no module /no/such.ko"),
        ({"files": {"/x": ROOT / "no such"}}, "no file"),
    ],
)
def test_what_is_missing_is_named_before_the_boot(arguments, error):
    with pytest.raises(UsageError, match=error):
        rtl.run("true", **arguments)


def test_too_much_is_refused_before_the_boot(tmp_path):
    large = tmp_path / "large"
    large.write_bytes(bytes(board.EXCHANGE_BYTES))
    with pytest.raises(UsageError, match="the guest takes"):
        rtl.run("true", files={"/large": large})


def test_a_state_has_its_own_memory(tmp_path):
    """What would be loaded beside it was left out in silence."""
    with pytest.raises(UsageError, match="either a program or a saved state"):
        tile.run(tmp_path, None, restore=tmp_path, data={0x8000_0000: tmp_path})


ASKS_AT = 9_500_000
"""Cycle in which the guest below asks for its state to be saved."""


@pytest.fixture
def guest(monkeypatch):
    """A guest in place of the simulator: what it says in each million cycles, and its runs.

    Its state is the cycle that it was saved in.
    """
    runs, said = [], ["a line\r\n"]

    def run(model, elf, *, data, restore, max_cycles, save, save_at, console, on_progress):
        begin = int(restore.read_text()) if restore else 0
        assert (restore is None) == bool(data)
        end = min(max_cycles, ASKS_AT) if said[0] else max_cycles
        kept = save_at is None or save_at <= end
        if kept:
            save.write_text(str(end))
        runs.append((begin, end, kept))
        raw = {"jobs": [], "saved": kept}
        text = said[0] * (end // 1_000_000 - begin // 1_000_000)
        code = 0 if end == ASKS_AT and said[0] else None
        return monitors.result(rtl.harness.Result(code, end, 0, 0, 0, text), raw)

    monkeypatch.setattr(type(tile), "run", staticmethod(run))
    return runs, said


def boot(tmp_path):
    folder = tmp_path / "made"
    folder.mkdir(exist_ok=True)
    rtl._boot(Path("model"), {0: tmp_path}, tmp_path / "kept", folder, None)
    return [(folder / name).read_text() for name in ("state", "cycles", "console")]


def test_a_boot_ends_when_the_guest_asks(guest, tmp_path):
    """Its last step runs twice: only then is it known to be the last."""
    assert boot(tmp_path) == [str(ASKS_AT), str(ASKS_AT), "a line\n" * 9]
    assert [run[:2] for run in guest[0]] == [
        (0, 4_000_000), (4_000_000, 8_000_000), (8_000_000, ASKS_AT), (8_000_000, ASKS_AT)
    ]  # fmt: skip
    assert not (tmp_path / "kept").exists()


def test_a_boot_that_was_broken_off_goes_on(guest, tmp_path, monkeypatch):
    run = tile.run

    def break_off(*words, **options):
        if options["restore"]:
            raise KeyboardInterrupt
        return run(*words, **options)

    with monkeypatch.context() as patch:
        patch.setattr(type(tile), "run", staticmethod(break_off))
        with pytest.raises(KeyboardInterrupt):
            boot(tmp_path)
    assert boot(tmp_path) == [str(ASKS_AT), str(ASKS_AT), "a line\n" * 9]
    assert [begin for begin, _, _ in guest[0]].count(0) == 1


def test_a_boot_that_says_nothing_has_failed(guest, tmp_path):
    guest[1][0] = ""
    with pytest.raises(CryptileError, match="no boot after 40000000 cycles"):
        boot(tmp_path)
