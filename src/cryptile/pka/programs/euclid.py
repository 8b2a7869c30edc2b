"""Inverses modulo a prime by a binary algorithm for the greatest common divisor.

For x it keeps a, b, u, v with a = x u / s and b = x v / s modulo m, s what u began with, b odd
(Stein; Pornin, 2020/972). In each step, if a is odd, the larger one of a and b becomes their
difference, in a; then a is halved, and u modulo m with it. The bits of a and b together become
fewer by one at least, so that ``steps`` end with a = 0, b = 1 and v = s / x, or, of an x of zero,
v = 0. No step depends on data, and none on the modulus that sums have: they may stand beside
anything else.

Rows are ``ga`` (x, below 2^bits of m), ``gb``, ``gu`` (s, below m) and ``gv``. A machine with
several lanes holds b and v itself, and takes a step in two instructions; others in five.
"""

from cryptile.pka.builder import Builder

State = tuple[str, str, str, str]

ROWS: State = ("ga", "gb", "gu", "gv")

CONSTANTS = {"n": "N", "p": "P", "p25519": "P25519"}
"""Rows of moduli, by their name in the catalogue."""

ROUNDS = (7, 4)
"""Steps of a round, where they are a loop of their own.

With several lanes, whose programs have few instructions left, the number that leaves fewer steps.
"""


def steps(bits: int) -> int:
    """Return how many steps an inverse takes: one less than the bits of a and b."""
    return 2 * bits - 1


def rows(b: Builder) -> None:
    """Name the rows."""
    b.row(*ROWS)


def begin(b: Builder, modulus: str, x: str, s: str, first: int = 0) -> None:
    """Begin s / x modulo a modulus, and take the first steps."""
    m = CONSTANTS[modulus]
    if b.width.rich:
        # v becomes zero by a step in which One takes the place of m.
        b.hold(m)
        b.gcd("One")
        b.cof("Zero", modulus)
        b.hold(m)
    if first and not b.width.rich:
        _advance(b, modulus, first, (x, m, s, "Zero"))
        return
    held = {"gb", "gv"} if b.width.rich else set()
    for value, row in zip((x, m, s, "Zero"), ROWS, strict=True):
        if row not in held and value != row:
            b.copy(value, row)
    advance(b, modulus, first)


def advance(b: Builder, modulus: str, count: int) -> None:
    """Take steps: none, or two at least."""
    if b.width.rich:
        for _ in range(count):
            b.gcd("ga", "ga")
            b.cof("gu", modulus, "gu")
    elif count:
        assert count > 1  # one would read what it has written
        _advance(b, modulus, count, ROWS)


def _advance(b: Builder, modulus: str, count: int, state: State) -> None:
    for left in reversed(range(count)):
        state = _step(b, modulus, state, ROWS if not left else ("", "", "", ""))


def _step(b: Builder, modulus: str, state: State, names: State) -> State:
    """Take a step; b and v are written before they are last read."""
    a, held, u, v = state
    b.subx(a, held)
    smaller = b.sel(a, held, names[1], "noting")
    kept = b.sel(u, v, names[3], "less")
    return b.gcdr(a, held, names[0]), smaller, b.cofr(u, v, modulus, names[2]), kept


def loop(b: Builder, modulus: str, count: int) -> None:
    """Take many steps, in pieces of their own."""
    size = min(ROUNDS, key=lambda size: count % size) if b.width.rich else ROUNDS[0]
    rounds, more = divmod(count, size)
    with b.piece():
        advance(b, modulus, more)
    with b.loop(rounds), b.piece():
        advance(b, modulus, size)


def end(b: Builder, modulus: str) -> str:
    """Return s / x when all steps are done; the modulus of sums is the same.

    Of numbers that are held b is 1, so that of One and Zero a step makes zero and -v / 2. What b is
    is looked at, too: were it another, the step would take it, or not.
    """
    if not b.width.rich:
        return "gv"
    b.gcd("One")
    half = b.cof("Zero", modulus)
    return b.sub("Zero", b.add(half, half))
