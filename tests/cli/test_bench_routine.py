"""``cryptile bench software --routine``: a routine of one's own, and files that name none."""

from pathlib import Path

import pytest

from cryptile.bench.software import measure, own
from cryptile.errors import FindingError, UsageError

SOURCE = """
.globl count
count:            # a0: times
  addi a0, a0, -1
  bnez a0, count
  ret
"""
CALLER = """
#include "cryptile/hash.h"
int hashed(const void *in, unsigned long size, unsigned char *out) {
  return cryptile_hash(&cryptile_sha256, in, size, out);
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "count.S").write_text(SOURCE)
    (tmp_path / "hashed.c").write_text(CALLER)
    return tmp_path


def file(folder: Path, text: str) -> Path:
    path = folder / "routine.yaml"
    path.write_text(text)
    return path


def figures(path: Path) -> dict[tuple[str, int], float]:
    made = measure.measure_own("rv64im", "model:loaduse2", path)
    assert {record.params["impl"] for record in made} == {"own"}
    return {(record.metric, record.params.get("bytes", 0)): record.value for record in made}


def test_cycles_of_a_loop(folder: Path) -> None:
    """Each turn is two instructions: the figures of two counts differ by that."""
    few, many = (
        figures(file(folder, f"{{symbol: count, sources: [count.S], arguments: [{turns}]}}"))
        for turns in (10, 1010)
    )
    assert many["instructions", 0] - few["instructions", 0] == 2000
    assert many["cycles", 0] - few["cycles", 0] >= 2000


def test_routine_that_calls_the_library(folder: Path) -> None:
    """A message of each size; what it calls is linked."""
    said = "{symbol: hashed, name: mine, sources: [hashed.c], sizes: [64, 128],"
    found = figures(file(folder, f"{said} arguments: [in, size, {{room: 32}}]}}"))
    assert found["cycles_per_byte", 64] > 20 and found["cycles_per_byte", 128] > 20
    assert found["code_bytes", 0] > 8


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("symbol: count", "missing required field `sources`"),
        ("{symbol: count, sources: [count.S], argument: [1]}", "unknown field `argument`"),
        ("{symbol: count, sources: [none.S]}", "no such file"),
        ("{symbol: count, sources: [count.S], arguments: [other]}", "not 'other'"),
        ("{symbol: count, sources: [count.S], arguments: [in]}", "'in' needs sizes"),
        ("{symbol: count, sources: [count.S], arguments: [{room: 1, hex: aa}]}", "room or hex"),
        ("{symbol: count, sources: [count.S], arguments: [{hex: a}]}", "hexadecimal digits"),
        ("{symbol: count, sources: [count.S], arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9]}", "at most"),
        ("{symbol: count, sources: [count.S], arguments: [{room: -1}]}", "1 to 1048576 bytes"),
        ("{symbol: count, sources: [count.S], arguments: [{hex: ''}]}", "1 to 1048576 bytes"),
        ("{symbol: count, sources: [count.S], arguments: [0x10000000000000000]}", "64 bits"),
        ("{symbol: count, sources: [count.S], sizes: [0]}", "1 to 1048576 bytes"),
        ("{symbol: count, sources: [count.S], sizes: [4000000000]}", "1 to 1048576 bytes"),
        ("symbol: [", "names no routine"),
    ],
)
def test_bad_files(folder: Path, text: str, line: str) -> None:
    with pytest.raises(UsageError, match=line):
        own.read(file(folder, text))


def test_what_cannot_be_measured(folder: Path) -> None:
    good = file(folder, "{symbol: count, sources: [count.S], arguments: [1]}")
    with pytest.raises(UsageError, match="not on ibex"):
        measure.measure_own("rv64im", "ibex", good)
    with pytest.raises(UsageError, match="cannot read"):
        own.read(folder / "none.yaml")
    with pytest.raises(UsageError, match="have no other"):
        figures(file(folder, "{symbol: other, sources: [count.S]}"))


def test_a_header_elsewhere_counts(folder: Path) -> None:
    """A header beside a source in another folder: what is measured has what it says now."""
    (folder / "sub").mkdir()
    (folder / "sub/times.S").write_text('#include "times.h"\n' + SOURCE.replace("-1", "-STEP"))
    path = file(folder, "{symbol: count, sources: [sub/times.S], arguments: [100]}")
    turns = []
    for step in (1, 2):
        (folder / "sub/times.h").write_text(f"#define STEP {step}\n")
        turns.append(figures(path)["instructions", 0])
    assert turns[0] - turns[1] == 2 * (100 - 50)


def test_two_sources_of_one_name(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/count.S").write_text(".globl other\nother: ret\n")
    path = file(folder, "{symbol: count, sources: [count.S, sub/count.S], arguments: [10]}")
    assert figures(path)["instructions", 0] >= 20


def test_a_routine_that_is_wrong(folder: Path) -> None:
    """What the user wrote is at fault: bad use, or a finding."""
    with pytest.raises(UsageError, match=r"routine\.yaml: .*gcc"):
        figures(file(folder, "{symbol: count, sources: [count.S], flags: [-bogus]}"))
    (folder / "count.S").write_text(".globl count\ncount: lw a0, 0(a0)\n ret\n")
    with pytest.raises(FindingError, match="load fault"):
        figures(file(folder, "{symbol: count, sources: [count.S], arguments: [-4]}"))
