"""Parameters of the entropy source, of the min-entropy of its samples (NIST SP 800-90B, 4.4).

Tails are sums of exact fractions: 2^-H is rounded up to a multiple of 2^-64 first.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice, takewhile

from cryptile.errors import UsageError

WINDOW_BITS, RUN_BITS = 30, 40
"""Of false-alarm rates, 2^-bits: of a test of a window; of the repetition count, by sample."""

RANDOM_CYCLES = 65_536
"""``RandomCycles`` of the engines that wait for random bits, unless said otherwise."""

START_LIMIT = 1_000_000
"""``RbgStartLimit`` of the driver (``sw/hal/rbg.h``)."""

_ASKED = 192
"""Bits of min-entropy in 128 of output: 64 more, as full entropy asks for (SP 800-90C)."""

_SCALE = 1 << 64


@dataclass(frozen=True)
class Parameters:
    """Parameters of ``cry_entropy``, and what follows from them, in cycles of its clock.

    Those that it has by itself, if nothing else is said.

    Attributes:
        entropy: of a sample of a lane, and of a combined bit, in thousandths of a bit.
        lanes: oscillators.
        lags: samples back, each of which a test compares with.
        period: cycles from sample to sample.
        window: samples of a window.
        start_windows: of the start-up tests.
        blocks: of 16 combined samples, for 128 bits of output.
        rct_cutoff: equal samples in a row that fail (4.4.1).
        cutoff: right guesses in a window that fail (4.4.2).
        settle: cycles in which the oscillators begin to run.
        pause: cycles in which they stand still, behind a restart.
    """

    rct_cutoff: int = 81
    cutoff: int = 810
    entropy: int = 500
    lanes: int = 12
    period: int = 256
    window: int = 1024
    lags: int = 4
    start_windows: int = 1
    settle: int = 1024
    pause: int = 1024

    @property
    def blocks(self) -> int:
        """The least whose samples have the min-entropy that is asked for."""
        return -(-_ASKED * 1000 // (8 * self.lanes * self.entropy))

    @property
    def start_cycles(self) -> int:
        """From off to the sixth word, which instantiates the DRBG."""
        tests = self.settle + self.start_windows * self.window * self.period
        return tests + 3 * self._message + _CONDITIONING

    @property
    def reseed_cycles(self) -> int:
        """Four words, with a sample at hand when they are asked for."""
        return 2 * self._message

    @property
    def wait_cycles(self) -> int:
        """What a job waits for random bits at most when a reseed comes in between."""
        return self.reseed_cycles + self.period + _CONDITIONING + _DRBG

    @property
    def limit_cycles(self) -> int:
        """What a driver must wait: longer than the generator does for its first word."""
        first = self.settle + self.period * (self.window * self.start_windows + 16 * self.blocks)
        generator = 2 * first + 512
        return self.pause + max(generator, self.start_cycles + _DRBG)

    @property
    def false_alarms(self) -> float:
        """How many a cycle, at most, of a source that is as bad as its min-entropy allows.

        Of a window: each lane and the parity of all with 1 + ``lags`` tests, each lane with the
        next one, each of two sides, and each as often as the adaptive proportion test, which
        counts the first sample in any case.
        """
        guess = best_guess(self.entropy / 1000)
        tests = 2 * ((self.lanes + 1) * (1 + self.lags) + self.lanes - 1)
        windows = tests * float(tail(self.window - 1, guess, self.cutoff - 1)) / self.window
        runs = (self.lanes + 1) * float(guess) ** (self.rct_cutoff - 1)
        return (windows + runs) / self.period

    @property
    def _message(self) -> int:
        return 16 * self.blocks * self.period

    def warnings(self) -> list[str]:
        """Return what must be set elsewhere, or is worse than with the parameters by default."""
        told = []
        if self.wait_cycles > RANDOM_CYCLES:
            told.append(
                f"a job may wait {self.wait_cycles:,} cycles for a reseed: RandomCycles of the "
                f"engines that take random bits, {RANDOM_CYCLES:,} by default, must be more"
            )
        if self.limit_cycles > START_LIMIT:
            told.append(
                f"the generator may take {self.limit_cycles:,} cycles to start or to fail: the "
                f"driver's limit, {START_LIMIT:,} as RbgStartLimit, must be more"
            )
        if self.cutoff > self.window * 4 // 5:
            told.append("Cutoff is over four fifths of Window: not every tone is found")
        if self.period < _CONDITIONER:
            told.append(f"Period is under {_CONDITIONER}: samples are dropped, and words are late")
        return told


_CONDITIONING, _CONDITIONER = 216, 220
"""Cycles from a message's last sample to its second word taken; between samples, all taken."""

_DRBG = 2048
"""Cycles of the DRBG for the rest of a request, a reseed and a block for each client, and more."""


def parameters(
    entropy: float,
    *,
    window: int = Parameters.window,
    lanes: int = Parameters.lanes,
    period: int = Parameters.period,
    window_bits: int = WINDOW_BITS,
    run_bits: int = RUN_BITS,
) -> Parameters:
    """Return the parameters for samples of a measured min-entropy.

    Args:
        entropy: bits of min-entropy of a sample of a lane given its past and the other lanes.
        window: samples of a window.
        lanes: oscillators.
        period: cycles from sample to sample, with which the entropy was measured.
        window_bits: of the false-alarm rate of a test of a window, 2^-window_bits.
        run_bits: the same of the repetition count, by sample.

    Raises:
        UsageError: what the RTL does not take, or no count is as rare as the rate.
    """
    thousandths = math.floor(round(1000 * entropy, 6))
    if not 1 <= thousandths <= 1000:
        raise UsageError(f"a sample of one bit has 0.001 to 1 bits of min-entropy, not {entropy}")
    if lanes % 2 or not 2 <= lanes <= 16:
        raise UsageError(f"lanes are pairs, 2 to 16, not {lanes}")
    if period <= lanes + 2:
        raise UsageError(f"a sample is tested lane by lane: a period is over {lanes + 2} cycles")
    if min(window_bits, run_bits) < 1 or window < 2:
        raise UsageError(
            "a window has two samples at least, and a false-alarm rate is 2^-1 or less"
        )
    bits = thousandths / 1000
    try:
        cutoff = proportion(bits, window_bits, window)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return Parameters(repetition(bits, run_bits), cutoff, thousandths, lanes, period, window)


def best_guess(entropy: float) -> Fraction:
    """Return 2^-H: how often one guesses a sample of ``entropy`` bits at most."""
    if not 0 < entropy <= 1:
        raise ValueError(f"a sample of one bit has no {entropy} bits of min-entropy")
    return Fraction(math.ceil(2**-entropy * _SCALE), _SCALE)


def tail(trials: int, chance: Fraction, least: int) -> Fraction:
    """Return the probability of ``least`` or more successes in so many trials."""
    terms = islice(_terms(trials, chance), max(0, trials + 1 - least))
    return Fraction(sum(terms), chance.denominator**trials)


def _terms(trials: int, chance: Fraction) -> Iterator[int]:
    """Yield the probability of all successes, one less, and so on, each times D^trials.

    D is the denominator of ``chance``.
    """
    hit, miss = chance.numerator, chance.denominator - chance.numerator
    term = hit**trials
    for count in range(trials, -1, -1):
        yield term
        term = term * count * miss // ((trials - count + 1) * hit)


def repetition(entropy: float, bits: int) -> int:
    """Return 1 + ceil(-log2(alpha) / H) for alpha = 2^-bits (SP 800-90B, 4.4.1)."""
    return 1 + math.ceil(bits / Fraction(entropy))


def proportion(entropy: float, bits: int, window: int) -> int:
    """Return 1 + critbinom(W, 2^-H, 1 - alpha) for alpha = 2^-bits (SP 800-90B, 4.4.2).

    So P(Bin(W, 2^-H) >= C) <= alpha.

    Raises:
        ValueError: no count in the window is as rare.
    """
    chance = best_guess(entropy)
    rarest = chance.denominator**window >> bits
    sums = accumulate(_terms(window, chance))
    rare = sum(1 for _ in takewhile(lambda total: total <= rarest, sums))
    if not rare:
        raise ValueError(f"no count of {window} samples is as rare as 2^-{bits}")
    return window + 1 - rare
