"""Samples of the simulated entropy source, a byte for each symbol.

The files are what the programs of NIST for SP 800-90B read (``ea_non_iid``, ``ea_restart``): of
each byte the lowest bits are the symbol, and the restart matrix is row by row.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from cryptile.entropy import model
from cryptile.entropy.cutoffs import Parameters
from cryptile.entropy.estimate import SIDE
from cryptile.errors import FindingError, UsageError
from cryptile.systems import harness

_SOURCE = Parameters()

LANES = _SOURCE.lanes
"""Oscillators of the source as it is built by default."""

ROW = SIDE
"""Samples of a row of the restart matrix: ``RestartSamples`` of the source."""

STANDARD = 1_000_000
"""Samples that the standard asks for (3.1.1), and those of the matrix."""

MOST = 10_000_000

_TESTS = ("repetition count", "adaptive proportion", "lag", "pair of lanes")
_CONDITIONER = 1 << len(_TESTS)
"""Of ``fails_t`` of ``cry_entropy_pkg``."""


class Stage(StrEnum):
    """What is read out of the source."""

    raw = "raw"
    restart = "restart"
    tested = "tested"
    conditioned = "conditioned"


_NUMBERS = {Stage.raw: 1, Stage.restart: 2, Stage.tested: 3, Stage.conditioned: 4}
"""As ``CONTROL.read`` of ``regs/rbg.rdl`` has them."""


@dataclass(frozen=True)
class Samples:
    """What was read.

    Attributes:
        stage: of the source.
        beats: as the read-out gives them: samples, or words of 64 bits.
        cycles: of the source's clock, from reset on.
    """

    stage: Stage
    beats: tuple[int, ...]
    cycles: int

    def lane(self, lane: int) -> bytes:
        """Return a byte, 0 or 1, for each sample of a lane, or of a combined bit."""
        return bytes(beat >> lane & 1 for beat in self.beats)

    def symbols(self) -> bytes:
        """Return whole samples of combined bits, or the bytes of words, lowest first."""
        if self.stage is Stage.conditioned:
            return b"".join(beat.to_bytes(8, "little") for beat in self.beats)
        if self.stage is Stage.tested:
            return bytes(self.beats)
        return bytes(map(_combined, self.beats))


def _combined(beat: int) -> int:
    """Return the combined bits of a sample of all lanes, as the source combines them."""
    pairs = beat ^ beat >> 1
    return sum((pairs >> 2 * bit & 1) << bit for bit in range(LANES // 2))


def lanes(stage: Stage) -> int:
    """Return how many bits of a sample can be told apart; 0 if its symbols are bytes."""
    return {Stage.tested: LANES // 2, Stage.conditioned: 0}.get(stage, LANES)


def bits(stage: Stage, lane: int | None) -> int:
    """Return the bits of a symbol, as NIST's programs want to know them."""
    if lane is not None:
        return 1
    return 8 if stage is Stage.conditioned else LANES // 2


def check(stage: Stage, count: int) -> None:
    """Check how many symbols are asked for.

    Raises:
        UsageError: one line that says what is wrong.
    """
    if not 1 <= count <= MOST:
        raise UsageError(f"--count is 1 to {MOST}")
    if stage is Stage.restart and count % ROW:
        raise UsageError(f"--count of restart is whole rows of {ROW}")


def most_cycles(stage: Stage, beats: int) -> int:
    """Return how many cycles so many beats take at most."""
    period, pause = _SOURCE.period, _SOURCE.pause + _SOURCE.settle
    each = 8 * _SOURCE.blocks * period if stage is Stage.conditioned else period
    rows = beats // ROW + 1 if stage is Stage.restart else 1
    return each * (beats + 1) + period * _SOURCE.window + 2 * pause * rows


def collect(
    stage: Stage,
    count: int,
    *,
    seed: int = 1,
    failed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> Samples:
    """Read symbols out of the simulated source.

    Args:
        stage: what of it.
        count: symbols.
        seed: of the oscillators' model: with the same one every run is the same.
        failed: lanes whose oscillators stand still, a bit each.
        on_progress: called some 20 times a second, with the share that is done.

    Raises:
        FindingError: a test failed.
        CryptileError: the simulation failed.
    """
    beats = -(-count // 8) if stage is Stage.conditioned else count
    most = most_cycles(stage, beats)
    with harness.memory_file() as output:
        options = {
            "stage": _NUMBERS[stage], "count": beats, "stall-seed": seed, "failed": failed,
            "row": ROW, "max-cycles": most, "output": output,
        }  # fmt: skip
        result, raw = harness.run(
            model.build(),
            options,
            image=None,
            params=b"",
            on_progress=on_progress and (lambda state: on_progress(state.cycles / most)),
        )
        if raw["alarm"] and raw["fails"] == _CONDITIONER:
            raise FindingError("the conditioner's known-answer test failed")
        if raw["alarm"]:
            tests = [name for bit, name in enumerate(_TESTS) if raw["fails"] >> bit & 1]
            raise FindingError(f"a health test of lane {raw['lane']} failed: {', '.join(tests)}")
        data = output.path.read_bytes()
    return Samples(stage, struct.unpack(f"<{beats}Q", data), result.cycles)
