"""``cryptile run``: a program of one's own on the simulator."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import FindingError, UsageError
from cryptile.sim import timing
from cryptile.toolchain import tools

PROGRAM = """\
unsigned char key[16] = {3, 1, 4};
static const unsigned char table[256] = {7};
volatile unsigned sum;

__attribute__((noinline)) void look_up(void) {
  for (int i = 0; i < 16; i++) sum += table[key[i]];
}

__attribute__((noinline)) void add_up(void) {
  for (int i = 0; i < 16; i++) sum += key[i];
}

static long call(long number, long a, long b, long c) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

void _start(void) {
  WORK();
  call(64, 1, (long)"done\\n", 5);
  call(93, ENDS, 0, 0);
}
"""
MODEL = """\
base: cv32e40p
taken: 7
class_cycles: {alu: 2}
"""


def build(folder: Path, work: str = "add_up", ends: int | str = 0, march: str = "rv32im") -> Path:
    (folder / "program.c").write_text(PROGRAM)
    tools.run(
        [
            "riscv64-unknown-elf-gcc",
            f"-march={march}",
            *tools.words("-mabi=ilp32 -O1 -g -nostdlib -static"),
            f"-DWORK={work}",
            f"-DENDS={ends}",
            "program.c",
            "-o",
            "program",
        ],
        cwd=folder,
    )
    return folder / "program"


def run(*words: object):
    return CliRunner().invoke(app, ["run", *map(str, words)])


def test_output_and_figures_are_apart_and_recorded(tmp_path):
    ended = run(build(tmp_path), "--json", tmp_path / "records.json")
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout == "done\n"
    found = {item["metric"]: item for item in json.loads((tmp_path / "records.json").read_text())}
    assert f"{found['cycles']['value']:,.0f} cycles" in ended.stderr.replace("\n", " ")
    assert found["cycles"]["params"]["isa"] == "rv32im"


def test_the_profile_says_where_the_cycles_go(tmp_path):
    program = build(tmp_path)
    by_function = run(program, "--profile", "symbol").stderr
    assert by_function.index("add_up") < by_function.index("_start")
    assert "look_up" not in by_function
    assert "program.c:" in run(program, "--profile", "line").stderr


@pytest.mark.parametrize(("work", "leaks"), [("look_up", True), ("add_up", False)])
def test_what_depends_on_a_secret_is_named_with_its_line(tmp_path, work, leaks):
    ended = run(build(tmp_path, work), "--taint", "key")
    assert isinstance(ended.exception, FindingError) == leaks
    assert ("load at" in ended.stderr and "program.c:6" in ended.stderr) == leaks


def test_a_program_that_fails_is_a_finding(tmp_path):
    ended = run(build(tmp_path, ends=3))
    assert isinstance(ended.exception, FindingError)
    assert str(ended.exception) == "the program ended with 3"
    assert ended.stdout == "done\n"


def test_a_core_of_ones_own_has_its_cycles(tmp_path):
    program = build(tmp_path)
    (tmp_path / "mine.yaml").write_text(MODEL)
    mine = timing.find(str(tmp_path / "mine.yaml"))
    assert (mine.name, mine.taken, mine.mulh_cycles) == ("mine", 7, 5)
    slow = run(program, "--core", tmp_path / "mine.yaml")
    assert "on mine:" in slow.stderr
    assert slow.stderr != run(program, "--core", "cv32e40p").stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("base: none", "no base none"),
        ("load: 3", "no word load"),
        ("taken: -1", "from 0 on"),
        ("taken: much", "Expected `int`"),
        ("class_cycles: {tea: 1}", "no class of instructions tea"),
        ("div_early: never", "div_early"),
        ("- 3", "Expected"),
        ("base: [e31]", "no base"),
        ("{", "mine.yaml: "),
    ],
)
def test_a_model_that_cannot_be_is_told_in_one_line(tmp_path, text, why):
    (tmp_path / "mine.yaml").write_text(text)
    ended = run(build(tmp_path), "--core", tmp_path / "mine.yaml")
    assert isinstance(ended.exception, UsageError)
    assert why in str(ended.exception)
    assert "\n" not in str(ended.exception)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--core", "none.yaml"], "cannot read none.yaml"),
        (["--core", "none"], "no timing model named none"),
        (["--json", "-"], "standard output is the program's"),
        (["--taint", "none"], "no symbol none"),
        (["--taint", "_start_nowhere"], "no symbol"),
        (["--isa", "rv64im"], "is not a program for rv64im"),
        (["--isa", "rv32if"], "no extension f"),
    ],
)
def test_bad_use_is_told(tmp_path, words, why):
    ended = run(build(tmp_path), *words)
    assert isinstance(ended.exception, UsageError)
    assert why in str(ended.exception)


def test_a_program_that_breaks_off_has_written_what_it_wrote(tmp_path):
    ended = run(build(tmp_path, ends="*(volatile int *)0"))
    assert isinstance(ended.exception, FindingError)
    assert "load fault" in str(ended.exception)
    assert ended.stdout == "done\n"


def test_a_model_has_no_name_of_another(tmp_path):
    (tmp_path / "e31.yaml").write_text("taken: 3")
    ended = run(build(tmp_path), "--core", tmp_path / "e31.yaml")
    assert "rename the file" in str(ended.exception)


def test_an_endless_program_ends(tmp_path):
    ended = run(build(tmp_path), "--max-instructions", 20)
    assert isinstance(ended.exception, FindingError)
    assert "more than 20 instructions" in str(ended.exception)


def test_no_program_is_told(tmp_path):
    assert isinstance(run(tmp_path / "none").exception, UsageError)
    (tmp_path / "text").write_text("no ELF")
    assert isinstance(run(tmp_path / "text").exception, UsageError)
