"""The bits of the engine port are those of ``cry_engine_pkg``."""

import random
import re

import pytest

from cryptile.jobs import port
from cryptile.jobs.job import Job
from cryptile.project import ROOT

PACKAGE = next(ROOT.glob("rtl/engine/**/cry_engine_pkg.sv")).read_text()
WIDTHS = {"LenWidth-1": 32, "DataWidth-1": 128, "KeepWidth-1": 16, "KeyBytesWidth-1": 7}


def fields(struct):
    """Return offset and width of every field of a packed struct."""
    body = re.search(r"struct packed {([^}]*)} " + struct, PACKAGE)[1]
    found, offset = {}, 0
    declared = re.findall(r"^ *(?:logic|kind_e) *(?:\[([\w-]+):0\])? *(\w+);", body, re.MULTILINE)
    for high, name in reversed(declared):
        width = WIDTHS.get(high) or (int(high) + 1 if high else 2 if name == "kind" else 1)
        found[name] = offset, width
        offset += width
    return found


@pytest.mark.parametrize("name", fields("job_t"))
def test_fields_of_a_job(name):
    offset, width = fields("job_t")[name]
    zero = {"mode": 0, "key_len": 0, "is_final": False}
    value = (1 << width) - 1
    given = value.to_bytes(16, "little") if name == "iv" else value
    assert port.pack_job(**{**zero, name: given}) == value << offset
    assert port.pack_job(**zero) == 0


def test_fields_of_a_beat():
    at = {name: offset for name, (offset, _) in fields("beat_t").items()}
    data = bytes(range(1, 4))
    beat = port.pack_beat(data, port.TAG)
    assert beat == 0x030201 << at["data"] | 0b111 << at["keep"] | 1 << at["last"] | 2 << at["kind"]
    assert port.pack_beat(data, port.TAG, last=False) == beat - (1 << at["last"])


def test_beats_and_back():
    data = bytes(range(40))
    beats = port.pack_beats(data, port.AAD)
    assert b"".join(map(port.bytes_of, beats)) == data
    assert [port.size_of(beat) for beat in beats] == [16, 16, 8]
    assert {port.kind_of(beat) for beat in beats} == {port.AAD}
    dirty = port.with_garbage(beats[-1], random.Random(1))
    assert dirty != beats[-1] and port.bytes_of(dirty) == data[32:]


def test_what_a_job_takes():
    job = Job(3, True, 1, bytes(16), b"message", bytes(range(33)), b"a" * 17, b"tag", long_iv=b"iv")
    kinds = [port.kind_of(beat) for beat in job.beats()]
    assert kinds == [port.CONTEXT, port.AAD, port.AAD, port.MESSAGE, port.TAG]
    assert len(job.transfers()) == 2
    assert not list(Job(3, True, 1, bytes(16), b"message", None, refused=True).beats())
