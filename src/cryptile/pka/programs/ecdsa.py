"""ECDSA with the curves of NIST (FIPS 186-5): signing, verification, key generation, public keys.

Programs have the curve's name in front: ``p256_sign`` and so on.

Program ``sign``: ``k`` the private key, ``e`` the hash's leftmost bits, as many as n has; the
result is r and s. The nonce is the first good one of two random rows (A.3.2; neither is, with a
chance of 2^-64). The outcome is true if the key is not in 1 to n - 1, the hash has more bits than
n, no nonce was good, r or s is zero, or a check found a fault.

Program ``verify``: ``x`` and ``y`` the public key, ``e`` the hash, ``sig_r`` and ``sig_s`` the
signature; the result is r. The outcome is true if the signature is not valid, or the key no point.

Program ``keygen``: the result is a private key, found as a nonce is (A.2.2), and x and y of
the public one. Program ``public``: x and y to the private key ``k``, which does not come out.
The outcomes are true as for signing.

No program gives a row that another one has a secret in: who gets from one to the end of another,
by an upset, finds no key there.

Multiples of the base point are of odd numbers: of n - c if the nonce or the key c is even. Its sign
is given back at the end, to s or y: signatures whose nonces are known to be odd give the key away.
"""

from cryptile.pka.builder import Builder
from cryptile.pka.isa import Kind
from cryptile.pka.programs import joint, multiples
from cryptile.pka.programs.checks import (
    equal,
    fail,
    fail_unless,
    give,
    give_compared,
    in_range,
    start,
    step,
    unlike,
    whole,
    zero,
)
from cryptile.pka.programs.curve import Curve
from cryptile.pka.programs.ecdh import MULTIPLES, WINDOW, double, on_curve
from cryptile.pka.programs.order import (
    advance,
    all_steps,
    begin,
    choose_odd,
    held,
    hold,
    lowest,
    times,
)
from cryptile.pka.programs.powers import chain
from cryptile.pka.programs.randoms import number

Point = tuple[str, str, str]

_FREE = (
    *("u", "x2", "z2", "x3", "z3", "p5", "p10", "p50", "p11", "e2", "e30", "e32"),
    *(
        "low",
        "high",
        "blind",
        "blind+",
        "order",
        "order+",
        "quotient",
        "quotient+",
        "part",
        "part+",
    ),
    *("ga", "gb", "gu", "gv", "c", "c2", "key2", "hash2", "nonce", "sum"),
)
"""Rows that verification needs no more, or not at all, when it makes its table.

A machine without some of them has others for it.
"""


def rows(b: Builder) -> None:
    """Name the rows; those of ecdh, order and base are there already."""
    b.row("key2", "hash2", "nonce", "other", "flip", "sum", "affine", "made")
    if b.width.rich:
        return  # joint has a table without them
    names = [f"m{c}{n}" for c in "sc" for n in range(1, MULTIPLES + 1)]
    free = b.named(*_FREE)
    b.row(*names[len(free) :])
    b.share(**dict(zip(names, free, strict=False)))


def write(b: Builder, curve: Curve) -> None:
    """Write the programs; what ecdh, order and base have is there already."""
    b.kind = Kind.MONT
    b.constant("LessN", curve.n - 1)
    multiples.constants(b)
    _sign(b, curve)
    _key(b, curve, f"{curve.name}_keygen", "made", ("made", "x", "y"))
    _key(b, curve, f"{curve.name}_public", "k", ("x", "y"))
    _verify(b, curve)


def _random(b: Builder, d: str) -> None:
    """Find a number in 1 to n - 1 in the random rows ``nonce`` and ``other``.

    ``error`` is set if they are the same, as from a port that is stuck.
    """
    unlike(b, "nonce", "other")
    first, second = number(b, "nonce"), number(b, "other")
    b.subx(first, "LessN")
    found = b.sel(first, second)
    b.subx(found, "LessN")
    fail_unless(b)
    b.addx(found, "One", d)


def _hash(b: Builder) -> None:
    """``error`` is set if the hash has more bits than n: a row may have more, p has not."""
    if b.width.spare:
        b.subx("P", "e")
        fail(b)


def _odd_scalar(b: Builder, x: str) -> None:
    """``c`` and ``c2`` are x or n - x, the odd one; ``flip`` is 1 in the second case."""
    choose_odd(b, x, "c2")
    choose_odd(b, x, "c")
    b.sel("Zero", "One", "flip")


def _affine(b: Builder) -> str:
    """Compute ``x`` and ``y`` of P, and Montgomery's x in ``affine``; return Montgomery's y."""
    b.mod("P")
    square = b.sqr("t")
    b.mul("px", square, "affine")
    y = b.mul("py", b.mul(square, "t"))
    b.mul("affine", "One", "x")
    b.mul(y, "One", "y")
    return y


def _both_invert(b: Builder, curve: Curve) -> None:
    """Write the subroutine: ``t`` = 1 / pz, and beside it all steps of the inverse of ``ga``.

    One is a chain of squarings that wait for one another, the other asks for the ALU alone.
    """
    squarings = sum(times for times, _, _, _ in curve.inverse)
    each, more = divmod(all_steps(curve), squarings)

    def beside() -> None:
        for _ in range(each):
            advance(b)

    b.entry("both_invert")
    with b.piece():
        for _ in range(more):
            advance(b)
    chain(b, curve.inverse, "qx", beside)
    b.ret()


def _sign(b: Builder, curve: Curve) -> None:
    if b.width.rich:
        _both_invert(b, curve)
    b.program(f"{curve.name}_sign", 2)
    with b.piece():
        b.copy("k", "key2")
        b.copy("e", "hash2")
    for row in ("nonce", "other", "r"):
        b.rnd(row)
    with b.piece():
        start(b)
        whole(b, "k")
        whole(b, "e")
        in_range(b, "k")
        _hash(b)
        _random(b, "nonce")
        _odd_scalar(b, "nonce")
    b.call("base_twice")
    if b.width.rich:
        with b.piece():
            step(b)
            b.mod("N")
            times(b, _blind(b), "c", "ga")
            begin(b, curve)
            hold(b)
            b.mod("P")
        b.call("both_invert")
    else:
        b.call("curve_invert")
    with b.piece():
        step(b)
        on_curve(b, "affine", _affine(b))
        b.mod("N")
        b.add("x", "Zero", "sig_r")
        b.subx("sig_r", "One")
        fail(b)
        if b.width.rich:
            held(b, "gv")
            _blinded_sum(b, _blind(b), "k", "e", "sum")
        else:
            _blinded(b, "c", "k", "e", "ga", "sum")
            begin(b, curve)
    if not b.width.rich:
        b.call("order_invert")
    with b.piece():
        step(b)
        s = times(b, "gv", "sum")
        b.subx(s, "One")
        fail(b)
        b.subx("Zero", "flip")
        b.sel(b.sub("Zero", s), s, "sig_s")
    b.rnd("r")
    with b.piece():
        step(b)
        _check(b)
    give_compared(b, "sig_r", "sig_s")


def _blinded(b: Builder, c: str, k: str, e: str, nonce: str, sum_: str) -> None:
    """Compute c t / R and (e + r k) t / R modulo n, with the random row t = ``r``."""
    blind = _blind(b)
    times(b, blind, c, nonce)
    _blinded_sum(b, blind, k, e, sum_)


def _blind(b: Builder) -> str:
    """Return t modulo n."""
    return b.add(number(b, "r"), "Zero")


def _blinded_sum(b: Builder, blind: str, k: str, e: str, sum_: str) -> None:
    key = times(b, times(b, blind, k), "sig_r")
    b.add(times(b, key, "SquareN"), times(b, blind, e), sum_)


def _check(b: Builder) -> None:
    """``error`` is set if s c is not e + r k or its negative, or r not x, of copies and anew.

    No constant stands on both sides alike: a wrong one is found, too.
    """
    _odd(b)
    _blinded(b, "c2", "key2", "hash2", "ga", "sum")
    b.subx("ga", "One")
    fail(b)
    product = times(b, times(b, "ga", "SquareN"), "sig_s")
    difference = b.xor(product, "sum")
    b.subx("Zero", difference)
    zero(b, b.sel(b.add(product, "sum"), difference))
    equal(b, b.add("x", "One"), b.add("sig_r", "One"))
    b.mod("P")
    equal(b, b.mul("x", "SquareP"), "affine")
    _teeth(b)


def _odd(b: Builder) -> None:
    """``error`` is set if either scalar is even, which its product does not show, or not whole."""
    for scalar in ("c", "c2"):
        whole(b, scalar)
        lowest(b, scalar)
        fail_unless(b)


def _teeth(b: Builder) -> None:
    """``error`` is set if a constant is wrong that both products take alike.

    As where digits are found, each is a second operand: that is the copy that is compared.
    """
    teeth = "Teeth"
    for part in ("FirstTooth", "NextHalf", "Top", "Zero"):
        teeth = b.xor(teeth, part)
    zero(b, teeth)


def _key(b: Builder, curve: Curve, name: str, key: str, given: tuple[str, ...]) -> None:
    b.program(name, len(given))
    if key == "made":
        b.rnd("nonce")
        b.rnd("other")
    with b.piece():
        start(b)
        if key == "made":
            _random(b, key)
            b.copy(key, "nonce")
        in_range(b, key)
        _odd_scalar(b, key)
    b.call("base_twice")
    b.call("curve_invert")
    with b.piece():
        step(b)
        _affine(b)
        choose_odd(b, key, "c2")
        again = b.sel("y", b.sub("Zero", "y"))
        b.subx("Zero", "flip")
        b.sel(b.sub("Zero", "y"), "y", "y")
        unlike_rom = b.xor("N", b.load(curve.n, ""))
        zero(b, b.addx(b.addx(b.xor("c", "c2"), b.xor(again, "y")), unlike_rom))
        whole(b, key)
        _odd(b)
        _teeth(b)
        on_curve(b, b.mul("x", "SquareP"), b.mul("y", "SquareP"))
    give_compared(b, *given, copies=("nonce", "x", "y") if key == "made" else ())


def _verify(b: Builder, curve: Curve) -> None:
    if b.width.rich:
        joint.write(b, curve)
    else:
        b.entry("next_multiple")
        with b.piece():
            multiples.advance(b)
        b.ret()
    b.program(f"{curve.name}_verify")
    with b.piece():
        start(b)
        for value in ("sig_r", "sig_s"):
            in_range(b, value)
        for value in ("x", "y"):
            b.subx(value, "P")
            fail_unless(b)
        _hash(b)
        b.mod("P")
        on_curve(b, b.mul("x", "SquareP", "x"), b.mul("y", "SquareP", "y"))
        b.copy("sig_s", "ga")
        begin(b, curve)
    (_products_by_digits if b.width.rich else _products)(b, curve)
    b.call("curve_add")
    with b.piece():
        step(b)
        _compare(b)
    give(b, "sig_r")


def _products_by_digits(b: Builder, curve: Curve) -> None:
    """P = u2 Q and Q = u1 G, homogeneous; the inverse stands beside the table of Q."""
    with b.piece():
        hold(b)
        multiples.first(b)
    joint.table(b, curve)
    with b.piece():
        step(b)
        joint.level(b)
        b.mod("N")
        held(b, "gv")
        _scalars(b)
        joint.comb(curve).digits(b, "c")
    joint.products(b, curve, multiples.windows(curve)[0])
    with b.piece():
        step(b)
        _keep_base(b, "a")
        for c in "xyz":
            b.copy(f"a{c}", f"q{c}")
        z = b.mul("pz", "scale")
        b.mul("px", z, "px")
        b.subx("Zero", "flip2")
        b.sel(b.sub("Zero", "py"), "py", "py")
        b.mul(b.sqr(z), z, "pz")


def _products(b: Builder, curve: Curve) -> None:
    """P = u2 Q and Q = u1 G, homogeneous."""
    b.call("order_invert")
    with b.piece():
        step(b)
        _scalars(b)
    b.call("base")
    with b.piece():
        step(b)
        _keep_base(b, "p")
        multiples.first(b)
        _keep_multiple(b, 1)
    for n in range(2, MULTIPLES + 1):
        b.call("next_multiple")
        with b.piece():
            _keep_multiple(b, n)
    rounds, last = multiples.windows(curve)
    with b.piece():
        for c in "xyz":
            b.copy(f"m{c}1", f"p{c}")
    with b.loop(rounds), b.piece():
        _window(b, WINDOW)
    if last:
        with b.piece():
            _window(b, last)
    with b.piece():
        step(b)
        b.mul("px", "pz", "px")
        b.mul(b.sqr("pz"), "pz", "pz")
        for c in "xyz":
            b.copy(f"a{c}", f"q{c}")


def _scalars(b: Builder) -> None:
    """u1 = e / s is ``c``, u2 = r / s is ``k``, or their negatives, which are odd.

    ``flip`` is for u1; y changes its sign for u2, or ``flip2`` is for that. ``other`` is 1 if u1 is
    zero.
    """
    b.mod("N")
    u1, u2 = times(b, "gv", "e"), times(b, "gv", "sig_r")
    choose_odd(b, u2, "k")
    if b.width.rich:
        b.sel("Zero", "One", "flip2")
        b.mod("P")
    else:
        b.mod("P")
        b.sel("y", b.sub("Zero", "y"), "y")
    b.subx(u1, "One")
    b.sel("One", "Zero", "other")
    _odd_scalar(b, b.sel("One", u1))
    b.copy("OneP", "qz")
    if b.width.spare:
        # Its highest digit is at the top of the row.
        b.mul("k", b.load(1 << b.width.spare, ""), "order", Kind.RAW)
        b.copy("order", "k")


def _keep_base(b: Builder, point: str) -> None:
    """Compute A = u1 G, homogeneous, of a point in the rows of that name."""
    px, py, pz = (f"{point}{c}" for c in "xyz")
    b.subx("Zero", "flip")
    y = b.sel(b.sub("Zero", py), py)
    x, z = b.mul(px, pz), b.mul(b.sqr(pz), pz)
    b.subx("Zero", "other")
    for c, value, infinity in (("x", x, "Zero"), ("y", y, "OneP"), ("z", z, "Zero")):
        b.sel(infinity, value, f"a{c}")


def _keep_multiple(b: Builder, n: int) -> None:
    """Write multiple n of the table: P, and the powers of its Z that additions ask for."""
    for c in "xyz":
        b.copy(f"p{c}", f"m{c}{n}")
    b.mul(b.sqr("pz", f"ms{n}"), "pz", f"mc{n}")


def _window(b: Builder, size: int) -> None:
    """P is moved up by the digits of a window, and its multiple is added."""
    sum_: Point = ("px", "py", "pz")
    for _ in range(size):
        sum_ = double(b, *sum_)
    _add(b, sum_, *_multiple(b, size))


def _multiple(b: Builder, size: int) -> tuple[Point, str, str]:
    """Return the multiple for the highest window of ``k``, which moves up, and its Z^2 and Z^3."""
    multiples.digit(b, size)
    found = []
    for c in "xyzsc":
        row = f"m{c}1"
        for n in range(1, 1 << size - 1):
            row = b.sel(f"m{c}{n + 1}", row, "", "digit", n)
        found.append(row)
    x, y, z, square, cube = found
    y = multiples.signed(b, y)
    multiples.move(b)
    return (x, y, z), square, cube


def _add(b: Builder, one: Point, other: Point, zz2: str, zzz2: str) -> None:
    """P is the sum of points in Jacobian coordinates (add-2007-bl), neither equal nor opposite."""
    (x1, y1, z1), (x2, y2, z2) = one, other
    zz1 = b.sqr(z1)
    u1, u2 = b.mul(x1, zz2), b.mul(x2, zz1)
    s1, s2 = b.mul(y1, zzz2), b.mul(y2, b.mul(z1, zz1))
    h, half = b.sub(u2, u1), b.sub(s2, s1)
    i = b.sqr(b.add(h, h))
    r = b.add(half, half)
    j, v = b.mul(h, i), b.mul(u1, i)
    both = b.sub(b.sub(b.sqr(b.add(z1, z2)), zz1), zz2)
    x3 = b.sub(b.sub(b.sqr(r), j), b.add(v, v), "px")
    sj = b.mul(s1, j)
    b.sub(b.mul(r, b.sub(v, x3)), b.add(sj, sj), "py")
    b.mul(both, h, "pz")


def _compare(b: Builder) -> None:
    """``error`` is set if x of P is not r modulo n: neither r nor r + n, if that is below p."""
    b.subx("pz", "One")
    fail(b)
    larger = b.addx("sig_r", "N")
    larger = b.sel("sig_r", larger)
    b.subx(larger, "P")
    larger = b.sel(larger, "sig_r")
    wrong = "One"
    for r in ("sig_r", larger):
        x = b.mul(b.mul(r, "SquareP"), "pz")
        b.subx("Zero", b.xor(x, "px"))
        wrong = b.sel(wrong, "Zero")
    b.subx("Zero", wrong)
    fail(b)
