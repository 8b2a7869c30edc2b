"""``cryptile bench software --routine``: a routine of one's own, and files that name none."""

from pathlib import Path

import pytest

from cryptile.bench.software import measure, own
from cryptile.errors import UsageError

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
        ("{symbol: count, sources: [count.S], sizes: [0]}", "a byte at least"),
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
