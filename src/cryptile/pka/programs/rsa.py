"""RSA's primitives (RFC 8017, 5) of 2,048, 3,072 and 4,096 bits, from one generator.

Programs have the length in front, ``rsa2048_private`` and so on. All take ``modulus`` and
``message``, which is any number below that, a signature for verification or a ciphertext, too;
the result has as many rows. All numbers have their lowest row first but the result, which has the
highest, as a big-endian string does.

Program ``private``: message^d modulo the modulus, by the Chinese remainder theorem, of the rows
``prime_p``, ``prime_q``, ``exponent_p``, ``exponent_q`` and ``coefficient``, as in RFC 8017, 3.2;
the public exponent is 65537. The outcome is true, and there is no result, if what it gives to the
power of 65537 is not the message: of a key that is none, or after a fault.

Programs ``public`` and ``public64``: message^e modulo the modulus, with e = 65537, and of an odd
``exponent`` above 1 of 64 bits.

The outcome of all is true if the modulus is even or has not all its bits, the message is not below
it, or a row of the result would be zero.
"""

from itertools import chain

from cryptile.pka.builder import MARK, Builder
from cryptile.pka.isa import LIMB_BITS, WIDTH512
from cryptile.pka.programs import numbers
from cryptile.pka.programs.checks import fail, fail_unless, outcome, start, step, unlike_rom
from cryptile.pka.programs.order import lowest

HALVES = (2, 3, 4)
"""Rows of a prime."""

WHOLES = (4, 6, 8)
"""Rows of a modulus."""

BITS = WIDTH512.bits
"""Of a row."""

MOST, PRIME = max(WHOLES), max(HALVES)
"""Rows of the longest numbers."""

NUMBERS = {
    **dict.fromkeys(("result", "modulus", "message"), MOST),
    **dict.fromkeys(("prime_p", "prime_q", "exponent_p", "exponent_q", "coefficient"), PRIME),
    "exponent": 1,
}
"""Rows of what programs take and give."""

WINDOW = 5

CONSTANTS = {
    **{"Zero": 0, "One": 1, "Two": 2},
    "Most": WIDTH512.most,
    "Digits": ((1 << WINDOW - 1) - 1) << BITS - WINDOW,
}

BLIND = LIMB_BITS
"""Random bits of an exponent's blind."""

ENTRIES = 1 << WINDOW

WAY = MARK << 320
"""What ``path`` is at the end of each program that has come its way."""

_DOUBLINGS = {2: (64, 4), 3: (96, 4), 4: (64, 5), 6: (96, 5), 8: (64, 6)}
"""By rows: doublings of R modulo m, and squarings that make R^2 of them."""


def names(name: str, count: int = MOST) -> list[str]:
    """Return the rows of a number."""
    return [name, *(f"{name}{n}" for n in range(1, count))]


def windows(n: int) -> tuple[int, int]:
    """Return the windows of a blinded exponent, and by how many bits it is moved up."""
    rounds = -(-(BITS * n + BLIND) // WINDOW)
    return rounds, BITS * (n + 1) - rounds * WINDOW


def rows(b: Builder) -> None:
    """Name the rows."""
    for name, count in NUMBERS.items():
        b.row(*names(name, count))
    b.row("error", "path")
    b.row(*names("copy"))
    for name in _WORK:
        b.row(*names(name, PRIME))
    b.row("k", "blind", *names("half", PRIME), *names("scalar", PRIME + 1))
    b.row(*_table())
    b.share(**dict(zip(_wide(), _table(), strict=False)))
    b.row("error2")


_WORK = "mfxys"
"""Modulus, what goes with it, factors, and R^2."""


def _wide() -> list[str]:
    """Return rows of wide numbers, which stand in the table: that is not there at the same time."""
    upper = [row for name in _WORK for row in names(name)[PRIME:]]
    return [*upper, *names("signature"), *names("given")]


def _table() -> list[str]:
    return [f"t{n}" for n in range(ENTRIES * PRIME)]


def _entry(n: int, number: int) -> list[str]:
    return _table()[n * number : n * (number + 1)]


def _free(n: int) -> list[str]:
    """Return rows of the table that are none of n rows' table, or of wide numbers."""
    return _table()[n * ENTRIES if n in HALVES else len(_wide()) :]


def wide_rows(n: int) -> tuple[list[str], list[str], list[str]]:
    """Return rows of the table for a product but the lowest row, for sums, and the others."""
    free, end = _free(n), 2 * n - 1
    return free[:end], free[end : end + n + 1], free[end + n + 1 :]


def modulus(n: int) -> numbers.Modulus:
    """Return the rows of the modulus."""
    return numbers.Modulus(names("m", n), names("f", n), "k")


def write(b: Builder) -> None:
    """Write the programs."""
    for name, value in CONSTANTS.items():
        b.constant(name, value)
    for n in sorted({*HALVES, *WHOLES}):
        (_times if n in HALVES else _wide_times)(b, n)
        _prepare(b, n)
        _canonical(b, n)
    for n in HALVES:
        _power(b, n)
    _constants(b)
    for n in WHOLES:
        _begin(b, n)
        _public_power(b, n)
        _end(b, n)
    _exponent(b)
    for n in HALVES:
        _private(b, n)
    for n in WHOLES:
        for name, power in (("public", "fermat"), ("public64", "any")):
            _public(b, n, name, power)


def _copy(b: Builder, x: list[str], d: list[str]) -> None:
    for row, to in zip(x, d, strict=True):
        b.copy(row, to)


def _times(b: Builder, n: int) -> None:
    """Write x = x^2 / R and x = x y / R modulo m.

    Of a prime a square comes with the choice of a power from the table, ``y``, in the place that
    the multiplier leaves: each time anew, with the scalar moved up by a bit, so that there is one
    square for all.
    """
    x, y, m = names("x", n), names("y", n), modulus(n)
    for name in ("square", "times"):
        b.entry(f"{name}{n}")
        with b.piece(_free(n)):
            found = numbers.square(b, x) if name == "square" else numbers.product(b, x, y)
            first = next(found)
            if name == "square":
                _choose(b, n, y)
            numbers.reduce_(b, chain((first,), found), m, x)
        b.ret()


def _wide_times(b: Builder, n: int) -> None:
    """Write the same of wide numbers, whose reduction is a subroutine and a loop."""
    x, y, m = names("x", n), names("y", n), modulus(n)
    rows, u, free = wide_rows(n)
    b.entry(f"reduce{n}")
    with b.loop(n - 1), b.piece(free):
        numbers.fold(b, u, rows[0], m, u)
        _copy(b, rows[1:], rows[:-1])
    with b.piece(free):
        numbers.finish(b, u, iter(rows), m, x)
    b.ret()
    for name in ("square", "times"):
        b.entry(f"{name}{n}")
        with b.piece(free):
            found = numbers.square(b, x) if name == "square" else numbers.plain_product(b, x, y)
            _copy(b, [*found], [u[0], *rows])
            for row in u[1:]:
                b.copy("Zero", row)
        b.call(f"reduce{n}")
        b.ret()


def _prepare(b: Builder, n: int) -> None:
    """Make of ``m`` the rest of the modulus, and ``y`` and ``s`` R^2; m's highest bit is set.

    -1 / m is by Newton's iteration, from five bits that are right; R^2 from R by doublings, and by
    squares of these.
    """
    m, x = modulus(n), names("x", n)
    b.entry(f"prepare{n}")
    with b.piece():
        low = m.rows[0]
        b.xor(b.addx(b.addx(low, low), low), "Two", "k")
    with b.loop(7), b.piece():
        b.mull("k", b.subx("Two", b.mull("k", low)), "k")
    with b.piece():
        b.subx("Zero", "k", "k")
        parts = [b.raw(row, "k") for row in m.rows]
        b.addx(parts[0][0], "One")
        lows, highs = ([part[i] for part in parts] for i in range(2))
        numbers.plus(b, highs, lows[1:], carry=True, d=m.friendly)
        numbers.minus(b, ["Zero"] * n, m.rows, d=x)
    doublings, squarings = _DOUBLINGS[n]
    with b.loop(doublings), b.piece():
        double = numbers.plus(b, x, x)
        carry = b.sel("One", "Zero")
        _reduced(b, double, m.rows, carry, x)
    with b.loop(squarings):
        b.call(f"square{n}")
    with b.piece():
        for name in "sy" if n in HALVES else "y":
            _copy(b, x, names(name, n))
    b.ret()


def _reduced(b: Builder, x: list[str], m: numbers.Number, carry: str, d: list[str]) -> None:
    """Compute d = x - m if that is not negative, else x; a ``carry`` stands above x."""
    less = numbers.minus(b, x, m)
    b.subx(carry, "Zero", carry=True)
    for one, other, to in zip(x, less, d, strict=True):
        b.sel(one, other, to)


def _power(b: Builder, n: int) -> None:
    """Write x = message^scalar R modulo m; the scalar is blinded first."""
    m, x, y = modulus(n), names("x", n), names("y", n)
    message, scalar = names("message", 2 * n), names("scalar", n + 1)
    rounds, up = windows(n)
    b.entry(f"power{n}")
    with b.piece():
        # r (m - 1), moved up, and the scalar, too.
        blind = b.land("blind", b.load(((1 << BLIND) - 1) << up, ""))
        move = b.load(1 << up, "")
        less = [b.xor(m.rows[0], "One"), *m.rows[1:]]
        both = ([b.raw(row, blind) for row in less], [b.raw(row, move) for row in scalar[:n]])
        first, second = (
            numbers.plus(b, [low for low, _ in parts], ["Zero", *(high for _, high in parts)])
            for parts in both
        )
        numbers.plus(b, first, second, d=scalar)
        # message R^2, from its upper half R and the lower one.
        _copy(b, message[n:], x)
    b.call(f"times{n}")
    b.call(f"canonical{n}")
    with b.piece():
        sum_ = numbers.plus(b, x, message[:n])
        mask = b.sel("Most", "Zero")
        numbers.minus(b, sum_, [b.land(mask, row) for row in m.rows], d=x)
    b.call(f"times{n}")
    with b.piece():
        numbers.minus(b, ["Zero"] * n, m.rows, d=_entry(n, 0))
        for d in (_entry(n, 1), y):
            _copy(b, x, d)
    for number in range(2, ENTRIES):
        b.call(f"times{n}")
        with b.piece():
            _copy(b, x, _entry(n, number))
    # The first window's power is in y behind its last square.
    b.call(f"square{n}")
    with b.piece():
        _copy(b, y, x)
    with b.loop(rounds - 1):
        with b.loop(WINDOW):
            b.call(f"square{n}")
        b.call(f"times{n}")
    b.ret()


def _choose(b: Builder, n: int, d: list[str]) -> None:
    """Compute d = the entry of the table for the highest bits of the scalar, which moves up by one.

    All entries are read. Four bits are a digit, without a sign and nothing below, the fifth is the
    carry.
    """
    scalar = names("scalar", n + 1)
    b.dig(b.land(scalar[-1], "Digits"))
    numbers.plus(b, scalar, scalar, d=scalar)
    mask = b.sel("Most", "Zero")
    for i, row in enumerate(d):
        found = []
        for upper in range(2):
            entry = _entry(n, 16 * upper)[i]
            for digit in range(1, 16):
                entry = b.sel(_entry(n, 16 * upper + digit)[i], entry, "", "digit", digit)
            found.append(entry)
        b.xor(found[0], b.land(mask, b.xor(*found)), row)


def _canonical(b: Builder, n: int) -> None:
    """Write x = x modulo m; m's highest bit is set."""
    b.entry(f"canonical{n}")
    with b.piece():
        _reduced(b, names("x", n), names("m", n), "Zero", names("x", n))
    b.ret()


def _public_power(b: Builder, n: int) -> None:
    """Write the parts of x = signature^e modulo m, with y = R^2 at first.

    ``fermat`` makes signature^65536 R, ``any`` signature^(e - 1) R of an odd e of 64 bits, and
    ``last`` the power.
    """
    x, y, m = names("x", n), names("y", n), names("m", n)
    base, power, one = names("signature", n), names("copy", n), names("given", n)
    b.entry(f"fermat{n}")
    with b.piece():
        _copy(b, base, x)
    b.call(f"times{n}")
    with b.loop(16):
        b.call(f"square{n}")
    b.ret()
    b.entry(f"any{n}")
    with b.piece():
        _copy(b, base, x)
    b.call(f"times{n}")
    with b.piece():
        _copy(b, x, power)
        for d in (x, one):
            numbers.minus(b, ["Zero"] * n, m, d=d)
    with b.loop(63):
        b.call(f"square{n}")
        with b.piece():
            b.addx("exponent", "exponent", "exponent")
            for rows in zip(power, one, y, strict=True):
                b.sel(*rows)
        b.call(f"times{n}")
    b.call(f"square{n}")
    b.ret()
    b.entry(f"last{n}")
    with b.piece():
        _copy(b, base, y)
    b.call(f"times{n}")
    b.call(f"canonical{n}")
    b.ret()


def _exponent(b: Builder) -> None:
    """``error`` is set if the exponent is even, one, or has more than 64 bits; it is moved up."""
    b.entry("exponent")
    with b.piece():
        lowest(b, "exponent")
        fail_unless(b)
        b.subx("exponent", "Two")
        fail(b)
        low, high = b.raw("exponent", b.load(1 << BITS - 64, ""))
        b.subx("Zero", high)
        fail(b)
        b.copy(low, "exponent")
    b.ret()


def _constants(b: Builder) -> None:
    """``error`` or ``error2`` is set if a constant is wrong, in either copy."""
    b.entry("constants")
    with b.piece():
        unlike_rom(b, **CONSTANTS)
    b.ret()


def _begin(b: Builder, n: int) -> None:
    """``m`` is the modulus, ``signature`` the message.

    ``error`` is set if the modulus is even or has not all bits, or the message is not below it.
    """
    m, message = names("modulus", n), names("message", n)
    b.entry(f"begin{n}")
    with b.piece():
        _copy(b, m, names("m", n))
        _copy(b, message, names("signature", n))
        lowest(b, m[0])
        fail_unless(b)
        b.addx(m[-1], m[-1])
        fail_unless(b)
        numbers.minus(b, message, m)
        fail_unless(b)
    b.ret()


def _equal(b: Builder, x: list[str], y: list[str]) -> None:
    """``error`` and ``error2`` are set if x is not y."""
    numbers.minus(b, x, y)
    fail(b)
    numbers.minus(b, y, x)
    b.sel("Most", "error2", "error2")


def _whole(b: Builder, x: list[str]) -> None:
    """``error`` is set if the two copies of x are not the same."""
    numbers.minus(b, ["Zero"] * len(x), numbers.minus(b, x, x))
    fail(b)


def _private(b: Builder, n: int) -> None:
    wide = 2 * n
    m, x, y, half = (names(name, n) for name in ("m", "x", "y", "half"))
    message, copy, signature = (names(name, wide) for name in ("message", "copy", "signature"))
    coefficient, kept = names("coefficient", n), _entry(n, 0)
    b.program(f"rsa{1024 * n}_private", wide)
    with b.piece():
        _copy(b, message, copy)
        start(b)
        _whole(b, message)
    b.call(f"begin{wide}")
    for prime in "qp":
        with b.piece():
            step(b)
            _copy(b, names(f"prime_{prime}", n), m)
        b.call(f"prepare{n}")
        b.rnd("blind")
        with b.piece():
            _copy(b, names(f"exponent_{prime}", n), names("scalar", n))
        b.call(f"power{n}")
        if prime == "q":
            with b.piece():
                _copy(b, ["One", *["Zero"] * (n - 1)], y)
            b.call(f"times{n}")
            b.call(f"canonical{n}")
            with b.piece():
                _copy(b, x, half)
    with b.piece():
        _copy(b, coefficient, y)
    b.call(f"times{n}")
    b.call(f"canonical{n}")
    with b.piece():
        _copy(b, x, kept)
        _copy(b, half, x)
        _copy(b, names("s", n), y)
    b.call(f"times{n}")
    with b.piece():
        _copy(b, coefficient, y)
    b.call(f"times{n}")
    b.call(f"canonical{n}")
    with b.piece(_table()[len(_wide()) :]):
        difference = numbers.minus(b, kept, x)
        mask = b.sel("Most", "Zero")
        h = numbers.plus(b, difference, [b.land(mask, row) for row in m])
        product = list(numbers.plain_product(b, h, names("prime_q", n)))
        numbers.plus(b, product, half, d=signature)
    with b.piece():
        step(b)
        _copy(b, signature, names("given", wide))
        _copy(b, names("modulus", wide), names("m", wide))
    b.call(f"prepare{wide}")
    b.call(f"fermat{wide}")
    b.call(f"last{wide}")
    with b.piece():
        step(b)
        _equal(b, names("x", wide), copy)
    _give(b, wide)


def _public(b: Builder, n: int, program: str, power: str) -> None:
    b.program(f"rsa{512 * n}_{program}", n)
    with b.piece():
        start(b)
    if power == "any":
        b.call("exponent")
    for part in ("begin", "prepare", power, "last"):
        b.call(f"{part}{n}")
    with b.piece():
        for name in ("signature", "given"):
            _copy(b, names("x", n), names(name, n))
    _give(b, n)


def _give(b: Builder, n: int) -> None:
    """End the program with the end that all results of n rows have."""
    with b.piece():
        b.xor("path", b.load(b.way() ^ WAY, ""), "path")
    b.call(f"give{n}")


def _end(b: Builder, n: int) -> None:
    """Give ``given`` as ``checks.give_compared`` does; a number with a row of zero is refused.

    What is given was copied before the signature was raised to the public exponent, and is compared
    with that. The engine gives none of several rows with one that is zero: nobody may have written
    it.
    """
    signature, given, result = (names(name, n) for name in ("signature", "given", "result"))
    result.reverse()
    b.entry(f"give{n}")
    with b.piece():
        for row in given:
            b.subx(row, "One")
            fail(b)
        outcome(b, WAY, last=True)  # each way finds one of less and greater alone
        for row, name in zip(given, result, strict=True):
            b.sel("Zero", row, name)
    b.call("constants")
    with b.piece():
        _equal(b, signature, result)
        outcome(b, WAY, last=True, nothing=b.load(0, ""))
    b.halt()
