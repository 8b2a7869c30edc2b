"""Cut-offs of the health tests, from min-entropy and false-alarm rate (NIST SP 800-90B, 4.4).

Tails are sums of exact fractions: 2^-H is rounded up to a multiple of 2^-64 first.
"""

import math
from fractions import Fraction

_SCALE = 1 << 64


def best_guess(entropy: float) -> Fraction:
    """Return 2^-H: how often one guesses a sample of ``entropy`` bits at most."""
    if not 0 < entropy <= 1:
        raise ValueError(f"a sample of one bit has no {entropy} bits of min-entropy")
    return Fraction(math.ceil(2**-entropy * _SCALE), _SCALE)


def tail(trials: int, chance: Fraction, least: int) -> Fraction:
    """Return the probability of ``least`` or more successes in so many trials."""
    hit, miss, denominator = chance.numerator, chance.denominator, chance.denominator
    miss -= hit
    total = sum(
        math.comb(trials, k) * hit**k * miss ** (trials - k) for k in range(least, trials + 1)
    )
    return Fraction(total, denominator**trials)


def repetition(entropy: float, bits: int) -> int:
    """4.4.1: C = 1 + ceil(-log2(alpha) / H) for alpha = 2^-bits."""
    return 1 + math.ceil(bits / Fraction(entropy))


def proportion(entropy: float, bits: int, window: int) -> int:
    """4.4.2: C = 1 + critbinom(W, 2^-H, 1 - alpha), so P(Bin(W, 2^-H) >= C) <= alpha."""
    chance, alpha = best_guess(entropy), Fraction(1, 1 << bits)
    low, high = 0, window + 1
    while low < high:
        middle = (low + high) // 2
        if tail(window, chance, middle) <= alpha:
            high = middle
        else:
            low = middle + 1
    if low > window:
        raise ValueError(f"no count of {window} samples is as rare as 2^-{bits}")
    return low
