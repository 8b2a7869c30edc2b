"""What it costs that nothing secret stays behind: docs/software.md has these figures."""

import random
from collections.abc import Callable

import pytest
from support.overlap.table import all_calls
from test_overlap import Simulated

from cryptile import library
from cryptile.sim.iss import Machine

BYTES = 1024
RETURN = (0x00008067).to_bytes(4, "little")
MOST = {
    "rv32im_zkn": (1.98, 2.25),
    "rv64im": (1.82, 2.01),
    "rv64im_zba_zbb": (1.94, 2.14),
    "rv64im_zkn": (3.55, 4.81),
}
"""Per cent of the cycles without it, of C functions and of the PSA layer's, where it is above 2."""
IN_THE_TESTS = ("rv32im", "rv32im_zkn", "rv64im_zkn")


def cost(env: Simulated, run: Callable[[], object]) -> float:
    """Return what the longest call of a run costs, in per cent.

    That is how many cycles more it takes than with a return in the place of the routine.
    """
    place = env.m.symbols["cry_wipe_stack"]
    code = env.m.read(place, len(RETURN))
    run()  # some runs make calls of their own the first time
    taken = []
    try:
        for instruction in (RETURN, code):
            env.m.write(place, instruction)
            env.cycles = []
            run()
            taken.append(env.cycles)
    finally:
        env.m.write(place, code)
    without, cycles = max(zip(*taken, strict=True))
    return 100 * (cycles / without - 1)


@pytest.mark.parametrize(
    "isa",
    [
        isa if isa in IN_THE_TESTS else pytest.param(isa, marks=pytest.mark.soak)
        for isa in library.ISAS
    ],
)
def test_cost_of_a_kilobyte(machine: Callable[[str], Machine], isa: str) -> None:
    """Of every function that takes 1,024 bytes, in one call or in parts."""
    env = Simulated(machine(isa), isa)
    costs: dict[bool, dict[str, float]] = {False: {}, True: {}}
    for call in all_calls(env.impls):
        if BYTES in call.lengths and not call.slow:
            job = call.make(env, random.Random(call.name), BYTES)
            source, target = env.place(job.source), env.place(job.room)
            run = lambda job=job, at=(source, target): job.run(*at)  # noqa: E731
            costs[call.name.startswith("psa_")][call.name] = cost(env, run)
            env.free()
    most = [round(max(of.values()), 2) for of in costs.values()]
    assert min(map(len, costs.values())) > 20
    assert tuple(most) == MOST[isa] if isa in MOST else max(most) <= 2, costs
