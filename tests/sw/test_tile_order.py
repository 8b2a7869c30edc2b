"""Memory and the tile's registers in order, in what the compiler makes of the calls of short jobs.

They are compiled into programs: by the driver for bare metal, and by a process on Linux. What is
read behind a result was there before its record; what a job is made of is there before the doorbell
tells of it.
"""

from pathlib import Path

import pytest
from support.riscv_flow import Function, fence, flow, functions

from cryptile.linux import ring
from cryptile.project import ROOT
from cryptile.toolchain import tools

OUTPUT = 0x2_0000
CALLS = f"""
#include "tile_inline.h"
#define RING ((tile_ring_t *)0x10000)
#define OUTPUT (*(const uint64_t *){OUTPUT})
#define BEHIND(taken)                  \\
  const uint64_t old = OUTPUT;          \\
  *(volatile uint64_t *)0x30000 = old;  \\
  return (taken) ? old ^ OUTPUT : 1
uint64_t polled(void) {{ BEHIND(cry_tile_poll_inline(RING, NULL)); }}
uint64_t taken(void) {{ BEHIND(cry_tile_take_good_inline(RING, 3)); }}
uint64_t many(void) {{ BEHIND(cry_tile_poll_good_inline(RING, 9) != 0); }}
bool result(void) {{ return cry_tile_poll_inline(RING, (tile_result_t *)0x40000); }}
void notify(void) {{ cry_tile_notify_inline(RING); }}
cryptile_status_t start(const tile_session_t *session, const tile_place_t *place) {{
  return cry_tile_start_inline(RING, session, place);
}}
"""
PORTS = {"bare metal": "sw/hal", "Linux": "sw/linux/ring"}
LINKED = ["-Wl,-e,start,--no-relax,--discard-locals,--unresolved-symbols=ignore-all"]
"""The compiler may call memcpy()."""
pytestmark = pytest.mark.parametrize("port", PORTS)


def compiled(folder: Path, port: str) -> dict[str, Function]:
    source, target = folder / "calls.c", folder / "calls"
    source.write_text(CALLS)
    folders = (PORTS[port], "sw/hal", "sw/driver/core", "sw/include")
    flags = [*ring.FLAGS, "-Wno-array-bounds", "-nostdlib", "-static", *LINKED]
    places = [f"-I{ROOT / at}" for at in folders]
    tools.run([ring.compiler(), *flags, *places, source, "-o", target])
    return functions(target)


def unknown(function: Function, at: int, *, store: bool) -> bool:
    """Whether a place is accessed that the ring points to: records, entries, the queue's page."""
    access = function.access(at)
    return access is not None and access.store == store and access.address is None


@pytest.mark.parametrize("name", ["polled", "taken", "many"])
def test_what_is_read_behind_a_result(tmp_path, port, name):
    """It is read, also when it was read before; a core that reorders loads must be told, too."""
    function = compiled(tmp_path, port)[name]
    loads = [
        at
        for at in sorted(function.before)
        if (access := function.access(at)) and (access.store, access.address) == (False, OUTPUT)
    ]
    assert len(loads) == 2
    if port == "Linux":

        def step(at: int, loose: bool) -> bool:
            return unknown(function, at, store=False) or (
                loose and not fence(function, at, "r", "rw")
            )

        loose = flow(function, False, step)
        assert any(loose)
        assert not any(loose[at] for at in loads)


def test_the_rest_of_a_record_is_read_behind_its_number(tmp_path, port):
    function = compiled(tmp_path, port)["result"]
    loads = [at for at in sorted(function.before) if unknown(function, at, store=False)]
    records = [at for at in loads if function.code[at].name == "ld"]
    number, rest = (function.code[at].operands[1].partition("(")[0] for at in records)
    assert (number, rest) == ("0", "8")
    if port == "Linux":
        loose = flow(function, True, lambda at, loose: loose and not fence(function, at, "r", "rw"))
        assert [loose[at] for at in records] == [True, False]


@pytest.mark.parametrize("name", ["notify", "start"])
def test_a_job_is_there_before_the_doorbell(tmp_path, port, name):
    function = compiled(tmp_path, port)[name]
    stores = [at for at in sorted(function.before) if unknown(function, at, store=True)]
    doorbells = [at for at in stores if function.code[at].name == "sw"]

    def step(at: int, loose: bool) -> bool:
        stored = at in stores or function.code[at].is_call
        return stored or (loose and not fence(function, at, "w", "o"))

    loose = flow(function, True, step)
    assert len(doorbells) == 1
    assert not loose[doorbells[0]]
