"""Programs on the whole microcontroller, with both processor cores; ``cryptile simulate``."""

import json
import random
import struct
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from elftools.elf.elffile import ELFFile
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import CryptileError, FindingError, UsageError
from cryptile.project import ROOT
from cryptile.sim.iss import Machine
from cryptile.systems import mcu, monitors
from cryptile.toolchain import tools
from cryptile.toolchain.cache import build as cached
from cryptile.toolchain.cache import digest
from cryptile.toolchain.gcc import compiler

FIRMWARE = Path(__file__).parent / "firmware"
HEADERS = ROOT / "sw/hal/gen"
IBEX = 1
CORES = pytest.mark.parametrize("core", ["cv32e40p", "ibex"])

# One worker builds and uses each model.
pytestmark = pytest.mark.xdist_group("mcu-model")


@cache
def model(core: str) -> Path:
    return mcu.build(core)


@cache
def program(name: str) -> Path:
    sources = [FIRMWARE / "start.S", FIRMWARE / "common/finish.c", FIRMWARE / f"{name}.c"]
    flags = [
        *tools.words(
            "-march=rv32imc_zicsr -mabi=ilp32 -Os --specs=picolibc.specs -nostdlib "
            "-nostartfiles -fno-tree-loop-distribute-patterns -Wall -Wextra -Werror"
        ),
        f"-I{HEADERS}",
        "-T",
        str(FIRMWARE / "link.ld"),
    ]
    inputs = [*sources, FIRMWARE / "test.h", FIRMWARE / "link.ld", *sorted(HEADERS.glob("*.h"))]

    def make(folder: Path) -> None:
        gcc = compiler()
        tools.run([gcc, *flags, *sources, "-o", folder / "program.elf"])

    return cached("mcu-test-programs", digest(inputs, flags), make) / "program.elf"


def run(core: str, name: str, **options: object) -> monitors.Result:
    options.setdefault("max_cycles", 500_000)
    return mcu.run(model(core), program(name), **options)


@CORES
def test_console_and_exit_code(core: str):
    result = run(core, "hello")
    assert (result.exit_code, result.console) == (42, "hello from the microcontroller\n")
    assert (result.jobs, result.jobs_finished) == ((), 0)


@CORES
def test_runs_are_exact(core: str):
    assert run(core, "hello") == run(core, "hello")


@CORES
@pytest.mark.parametrize("stall_percent", [0, 40])
def test_memory_map(core: str, stall_percent: int):
    result = run(core, "memory", stall_percent=stall_percent)
    banks, iterative = 8, 1
    assert result.exit_code == banks << 16 | iterative << 8 | (IBEX if core == "ibex" else 0)


def test_stalls_cost_cycles_and_follow_their_seed():
    cycles = {
        (percent, seed): run("cv32e40p", "memory", stall_percent=percent, stall_seed=seed).cycles
        for percent, seed in [(0, 1), (0, 2), (40, 1), (40, 2)]
    }
    assert cycles[0, 1] == cycles[0, 2] < min(cycles[40, 1], cycles[40, 2])
    assert cycles[40, 1] != cycles[40, 2]
    assert cycles[40, 1] == run("cv32e40p", "memory", stall_percent=40, stall_seed=1).cycles


@CORES
def test_events_and_sleep(core: str):
    result = run(core, "events")
    assert result.exit_code == 0
    # Twice about 2000 cycles of sleep, and awake for the rest.
    assert 3800 < result.sleep_cycles < 4000
    assert result.cycles - result.sleep_cycles < 2000


@CORES
def test_bus_errors_are_answered(core: str):
    assert run(core, "bus_error").exit_code == 0


@CORES
def test_bad_fetch_is_answered(core: str):
    assert run(core, "fetch_error").exit_code == 0


@CORES
def test_mailbox(core: str, tmp_path: Path):
    data = random.Random(1).randbytes(20_001)
    (tmp_path / "in").write_bytes(data)
    result = run(
        core, "mailbox", params=b"parameters", input=tmp_path / "in", output=tmp_path / "out"
    )
    assert (result.exit_code, result.console) == (0, "parameters")
    assert (result.bytes_in, result.bytes_out) == (len(data), len(data))
    assert (tmp_path / "out").read_bytes() == data


def test_mailbox_without_input_reads_nothing(tmp_path: Path):
    result = run("cv32e40p", "mailbox", output=tmp_path / "out")
    assert (result.exit_code, result.bytes_in) == (0, 0)
    assert (tmp_path / "out").read_bytes() == b""


@CORES
@pytest.mark.parametrize("stall_percent", [0, 30])
def test_engine_and_core_share_the_banks(core: str, stall_percent: int, tmp_path: Path):
    result = run(core, "engine", output=tmp_path / "out", stall_percent=stall_percent)
    assert result.exit_code == 0
    text = bytes(i * 7 & 0xFF for i in range(4096))
    aes = Cipher(algorithms.AES(bytes(range(16))), modes.CTR(bytes(range(0xF0, 0x100))))
    assert (tmp_path / "out").read_bytes() == aes.encryptor().update(text)
    assert (len(result.jobs), result.jobs_finished) == (3, 3)
    for job in result.jobs:
        assert 0 < job.first_write <= job.trigger < job.event <= result.cycles
        assert job.cycles == job.event - job.first_write
    assert result.jobs[2].first_write - result.jobs[1].event > 0
    # 256 blocks at 10 cycles and more each; asleep for most of the second job.
    assert result.jobs[0].cycles > 2560
    assert result.sleep_cycles > 2000


@CORES
def test_bound_on_cycles(core: str):
    reports = []
    result = run(core, "endless", max_cycles=300_000, on_progress=reports.append)
    assert (result.exit_code, result.cycles) == (None, 300_000)
    assert [report.cycles for report in reports] == sorted(report.cycles for report in reports)


def test_progress_is_reported_while_it_runs():
    reports = []
    run("cv32e40p", "endless", max_cycles=1_500_000, on_progress=reports.append)
    assert len(reports) >= 2
    assert 0 < reports[0].cycles < 1_500_000


def test_bad_programs_are_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="no such program"):
        mcu.run(model("cv32e40p"), tmp_path / "missing")
    (tmp_path / "text").write_text("no program")
    with pytest.raises(UsageError, match="not an ELF file"):
        mcu.run(model("cv32e40p"), tmp_path / "text")
    with pytest.raises(UsageError, match="not a program for 32-bit RISC-V"):
        mcu.run(model("cv32e40p"), Path("/bin/sh"))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("p_filesz", 1 << 20, "it is cut off inside a segment"),
        ("p_filesz", 0xFFFF_FFFF, "a segment of [0-9,]+ bytes, 4,294,967,295 of them in the file"),
        ("p_memsz", 0xF000_0000, "a segment of 4,026,531,840 bytes"),
        ("p_vaddr", 0xFFFF_FFFF, "is no bare program: it begins at 0xffffffff"),
    ],
)
def test_bad_segments_are_refused(tmp_path: Path, field: str, value: int, message: str):
    """By the systems, and by the simulator of instructions, which has addresses of any size."""
    words = ["p_type", "p_offset", "p_vaddr", "p_paddr", "p_filesz", "p_memsz"]
    changed, data = tmp_path / "changed", bytearray(program("hello").read_bytes())
    with program("hello").open("rb") as stream:
        elf = ELFFile(stream)
        number = next(n for n, s in enumerate(elf.iter_segments()) if s["p_type"] == "PT_LOAD")
        header = elf["e_phoff"] + number * elf["e_phentsize"]
    fields = {field: value, **({"p_memsz": value} if value == 1 << 20 else {})}
    for name, number in fields.items():
        struct.pack_into("<I", data, header + 4 * words.index(name), number)
    changed.write_bytes(data)
    with pytest.raises(UsageError, match=message):
        mcu.check_run(changed)
    if field != "p_vaddr":
        with pytest.raises(UsageError, match=message):
            Machine(changed, "rv32imc")


def test_missing_input_is_an_error(tmp_path: Path):
    with pytest.raises(CryptileError, match=r"cannot open .*nothing"):
        run("cv32e40p", "mailbox", input=tmp_path / "nothing")


def test_trace_needs_a_model_with_trace(tmp_path: Path):
    with pytest.raises(CryptileError, match="built without trace"):
        run("cv32e40p", "hello", trace=tmp_path / "wave.fst")


def test_unknown_configurations_are_refused():
    with pytest.raises(UsageError, match="no core named z80"):
        mcu.build("z80")
    with pytest.raises(UsageError, match="no variant named quick"):
        mcu.build(variant="quick")
    with pytest.raises(UsageError, match="rv32b full is for core ibex only"):
        mcu.build("cv32e40p", rv32b="full")


def simulate(*words: object):
    return CliRunner().invoke(app, ["simulate", "mcu", *map(str, words)])


def test_command_says_what_the_program_says(tmp_path: Path):
    ended = simulate(program("hello"), "--set", "core=ibex", "--json", tmp_path / "records")
    assert (type(ended.exception), str(ended.exception)) == (
        FindingError,
        "the program ended with 42",
    )
    assert ended.stdout == "hello from the microcontroller\n"
    cycles, asleep = json.loads((tmp_path / "records").read_text())
    assert (cycles["metric"], asleep["metric"]) == ("cycles", "sleep_cycles")
    assert cycles["value"] == run("ibex", "hello").cycles
    assert cycles["params"] == {"system": "mcu", "program": "program.elf", "core": "ibex"}
    assert f"mcu: {cycles['value']:,} cycles, " in ended.stderr


def test_command_gives_files_to_the_program(tmp_path: Path):
    """And its output appears whole, for its owner alone, in the place of nothing."""
    data, given, made = random.Random(2).randbytes(999), tmp_path / "in", tmp_path / "out"
    given.write_bytes(data)
    words = [program("mailbox"), "--input", given, "-o", made]
    assert simulate(*words).exit_code == 0
    assert (made.read_bytes(), made.stat().st_mode & 0o777) == (data, 0o600)
    again = simulate(*words)
    assert isinstance(again.exception, UsageError) and "exists already" in str(again.exception)
    assert simulate(*words, "--force").exit_code == 0


def test_command_ends_a_program_that_does_not_end():
    ended = simulate(program("endless"), "--max-cycles", 5000)
    assert isinstance(ended.exception, FindingError)
    assert "did not end in 5,000 cycles" in str(ended.exception)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing"], "no such file: missing"),
        (["{text}"], "not an ELF file"),
        (["{text}", "--input", "missing"], "no such file: missing"),
        (["{text}", "-o", "{text}"], "input and output are the same file"),
        (["{text}", "--json", "-"], "standard output is the program's"),
        (["{text}", "--json", "/dev/stdout"], "standard output is the program's"),
        (["{text}", "-o", "-"], "standard output is the program's"),
        (["{text}", "--trace", "{text}"], "waves go into a file of their own"),
        (["{text}", "--set", "core"], "--set core: NAME=VALUE is needed, of core, rv32b, banks"),
        (["{text}", "--set", "latency=1"], "NAME=VALUE is needed"),
        (["{program}", "--set", "core=z80"], "no core named z80; known: cv32e40p, ibex"),
        (["{program}", "--set", "banks=x"], "banks: x is no number"),
        (["{text}", "--set", "max_jobs=x"], "--set max_jobs=x: a number is needed"),
        (["{text}", "--set", "stall_percent=100"], "memory holds back 0 to 99 percent"),
    ],
)
def test_command_refuses(tmp_path: Path, words: list[str], message: str):
    text = tmp_path / "text"
    text.write_text("no program")
    names = {"text": text, "program": program("hello")}
    result = simulate(*(word.format(**names) for word in words))
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)
    assert text.read_text() == "no program"
