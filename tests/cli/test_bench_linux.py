"""``cryptile bench linux``: what it refuses, and the figures of Linux on the RTL."""

import pytest

from cryptile.bench.cells import find
from cryptile.bench.linux import measure
from cryptile.errors import UsageError

FIRST = measure.ALGS[0]


@pytest.mark.parametrize(
    ("algs", "sizes", "match"),
    [
        (["rot13"], [64], f"no algorithm named rot13; known: .*{FIRST}"),
        (["nop"], [64], "no algorithm named nop"),
        ([FIRST], [0], "0 bytes: give a multiple of 16 up to 64 KiB"),
        ([FIRST], [40], "40 bytes"),
        ([FIRST], [65552], "65552 bytes"),
        ([FIRST], range(16, 16 * 18, 16), "17 lengths: give at most 16"),
    ],
)
def test_refused(algs, sizes, match):
    with pytest.raises(UsageError, match=match):
        measure.measure(algs, sizes)


def test_an_unknown_way_is_refused():
    with pytest.raises(UsageError, match="no way named air; known: openssl, ring, kernel, af-alg"):
        measure.measure(ways=["ring", "air"])


def test_registers_alone_are_refused_what_they_do_not_serve():
    with pytest.raises(UsageError, match="registers are measured with aes-128-gcm alone"):
        measure.measure(["sha256"], [64], ["registers"])


@pytest.mark.soak
def test_every_way():
    """The same twice; each way to the tile is measured, and beats its software from 64 bytes."""
    sizes = [64, 256]
    records = measure.measure([FIRST], sizes)
    assert measure.measure([FIRST], sizes) == records
    for path in measure.PATHS:
        for size in sizes:
            assert find(records, "cycles", path=path, bytes=size) is not None
            assert find(records, "instructions", path=path, bytes=size) is not None
    for path in measure.MANY:
        busy = [find(records, "utilisation", path=path, bytes=size) for size in sizes]
        assert 0 < busy[0].value < busy[1].value <= 1
    for path in ("ring", "ring-used", "ring-batch", "kernel"):
        for size in sizes:
            speedup = find(records, "speedup", path=path, bytes=size)
            assert speedup is not None
            assert speedup.value > 1
