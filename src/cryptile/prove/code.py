"""The codes of ``cry_code_pkg``, written a second time: the proof trusts no RTL."""

from functools import cache
from itertools import islice

_PARITIES = 4


def check_width(width: int) -> int:
    """Return the number of check bits for a number of data bits."""
    check = 3
    while 2 ** (check - 1) - check < width:
        check += 1
    return check


def data_width(total: int) -> int:
    """Return the number of data bits of a codeword."""
    return next(width for width in range(1, total) if width + check_width(width) == total)


def parity_data_width(total: int) -> int:
    """Return the number of data bits of a word with parities."""
    return max(total - _PARITIES, total // 2)


@cache
def columns(width: int) -> tuple[int, ...]:
    """Return the column of the check matrix of each data bit."""
    return tuple(islice(_columns(check_width(width)), width))


def _columns(check: int):  # type: ignore[no-untyped-def]  # noqa: ANN202
    full = (1 << check) - 1
    for weight in range(3, check + 1, 2):
        for pattern in range(1 << check):
            turns = [((pattern << t) | (pattern >> (check - t))) & full for t in range(check)]
            if pattern.bit_count() == weight and pattern == min(turns):
                yield from dict.fromkeys(turns)
