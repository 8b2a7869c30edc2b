"""From a share of upsets that do harm to a cross-section and a failure rate."""

from dataclasses import dataclass

from cryptile.errors import UsageError
from cryptile.faults.statistics import interval

_HOURS = 1e9  # of operation, in which failures are counted as FIT
_MEGABIT = 1 << 20


@dataclass(frozen=True)
class Environment:
    """What upsets a bit how often.

    Attributes:
        flux: particles per square centimetre and hour.
        bit_cross_section: of one flip-flop, in square centimetres.
        bit_fit: upsets in 10^9 hours of 2^20 flip-flops, in place of the other two.
    """

    flux: float | None = None
    bit_cross_section: float | None = None
    bit_fit: float | None = None

    def __post_init__(self) -> None:
        """Refuse what does not say a rate."""
        if self.bit_fit is not None and (self.flux or self.bit_cross_section):
            raise UsageError("--bit-fit, or --flux with --bit-cross-section, not both")
        if self.flux is not None and self.bit_cross_section is None:
            raise UsageError("--flux needs --bit-cross-section")
        for value in (self.flux, self.bit_cross_section, self.bit_fit):
            if value is not None and value <= 0:
                raise UsageError("flux, cross-section and rate are more than zero")

    @property
    def is_given(self) -> bool:
        """Whether there is anything to reckon with."""
        return self.bit_fit is not None or self.bit_cross_section is not None

    @property
    def upsets(self) -> float | None:
        """Upsets of one flip-flop in an hour."""
        if self.bit_fit is not None:
            return self.bit_fit / _MEGABIT / _HOURS
        if self.flux is None or self.bit_cross_section is None:
            return None
        return self.flux * self.bit_cross_section


@dataclass(frozen=True)
class Bounded:
    """A figure with its interval, whose ends are the figure itself if every fault was injected."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Rate:
    """Of the faults of one kind: the share, and what follows from it.

    Attributes:
        share: faults with that outcome, of all.
        low, high: its interval; ``share`` itself if every fault was injected.
        bits: flip-flops.
        cross_section: of the module, in square centimetres.
        fit: failures in 10^9 hours.
    """

    share: float
    low: float
    high: float
    bits: int
    cross_section: Bounded | None
    fit: Bounded | None

    @property
    def sensitive(self) -> float:
        """Flip-flops whose every upset would do the same."""
        return self.share * self.bits


def rate(hits: int, runs: int, bits: int, sampled: bool, given: Environment) -> Rate:
    """Return what so many hits in so many runs mean for a module.

    Args:
        hits: faults with the outcome.
        runs: all faults.
        bits: flip-flops in which they were.
        sampled: the faults were drawn.
        given: where it is.
    """
    share = hits / runs
    low, high = interval(hits, runs) if sampled else (share, share)
    upsets = given.upsets

    def of_all(each: float | None) -> Bounded | None:
        """Return what a figure of one flip-flop is of the module."""
        return (
            None if each is None else Bounded(*(part * bits * each for part in (share, low, high)))
        )

    fit = None if upsets is None else upsets * _HOURS
    return Rate(share, low, high, bits, of_all(given.bit_cross_section), of_all(fit))
