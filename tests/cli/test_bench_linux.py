"""``cryptile bench linux``: what it refuses, and the figures of Linux on the RTL."""

import pytest

from cryptile.bench.cells import find
from cryptile.bench.linux import measure
from cryptile.errors import UsageError

GCM = "aes-128-gcm"


@pytest.mark.parametrize(
    ("algs", "sizes", "match"),
    [
        (["rot13"], [64], "no algorithm named rot13; known: .*aes-128-gcm"),
        (["aes-128-cmac"], [64], "no algorithm named aes-128-cmac"),
        ([GCM], [0], "0 bytes: give a multiple of 16 up to 64 KiB"),
        ([GCM], [40], "40 bytes"),
        ([GCM], [65552], "65552 bytes"),
    ],
)
def test_refused(algs, sizes, match):
    with pytest.raises(UsageError, match=match):
        measure.measure(algs, sizes)


@pytest.mark.soak
@pytest.mark.xdist_group("linux")
def test_every_way():
    """The same twice; each way to the tile is measured, and beats its software from 64 bytes."""
    sizes = [64, 256]
    records = measure.measure([GCM], sizes)
    assert measure.measure([GCM], sizes) == records
    for path in measure.PATHS:
        for size in sizes:
            assert find(records, "cycles", path=path, bytes=size) is not None
            assert find(records, "instructions", path=path, bytes=size) is not None
    for path in ("ring", "ring-used", "ring-batch", "kernel"):
        for size in sizes:
            speedup = find(records, "speedup", path=path, bytes=size)
            assert speedup is not None
            assert speedup.value > 1
