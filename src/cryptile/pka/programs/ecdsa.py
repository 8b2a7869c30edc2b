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
from cryptile.pka.programs import euclid, joint, multiples
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
from cryptile.pka.programs.ecdh import off_curve, on_curve
from cryptile.pka.programs.order import choose_odd, lowest, times
from cryptile.pka.programs.powers import chain
from cryptile.pka.programs.randoms import number


def rows(b: Builder) -> None:
    """Name the rows; those of ecdh, order and base are there already."""
    b.row("key2", "hash2", "nonce", "other", "flip", "sum", "affine", "made")


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
    b.mod("p")
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
    each, more = divmod(euclid.steps(curve.bits), squarings)
    b.entry("both_invert")
    with b.piece():
        _begin(b, curve, "ga", more)
        b.mod("p")
    chain(b, curve.inverse, "qx", lambda: euclid.advance(b, "n", each))
    b.ret()


def _begin(b: Builder, curve: Curve, x: str, first: int = 0) -> None:
    """Begin R / x modulo n, and take the first steps."""
    euclid.begin(b, "n", x, b.load(curve.r % curve.n, ""), first)


def _sign(b: Builder, curve: Curve) -> None:
    if curve.inverse:
        _both_invert(b, curve)
    else:
        b.entry("order_invert")
        euclid.loop(b, "n", euclid.steps(curve.bits))
        b.ret()
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
    if curve.inverse:
        with b.piece():
            step(b)
            b.mod("n")
            times(b, _blind(b), "c", "ga")
        b.call("both_invert")
    else:
        b.call("curve_invert")
    with b.piece():
        step(b)
        on_curve(b, "affine", _affine(b))
        b.mod("n")
        b.add("x", "Zero", "sig_r")
        b.subx("sig_r", "One")
        fail(b)
        if curve.inverse:
            b.copy(euclid.end(b, "n"), "gv")
            _blinded_sum(b, _blind(b), "k", "e", "sum")
        else:
            _blinded(b, "c", "k", "e", "ga", "sum")
            _begin(b, curve, "ga")
    if not curve.inverse:
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
    b.mod("p")
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
        b.sel("y", b.sub("Zero", "y"), "sum")
        b.subx("Zero", "flip")
        b.sel(b.sub("Zero", "y"), "y", "y")
    with b.piece():  # behind all that writes x or y
        unlike_rom = b.xor("N", b.load(curve.n, ""))
        wrong = b.addx(b.addx(b.xor("c", "c2"), b.xor("sum", "y")), unlike_rom)
        zero(b, b.addx(off_curve(b, b.mul("x", "SquareP"), b.mul("y", "SquareP")), wrong))
        whole(b, key)
        _odd(b)
        _teeth(b)
    give_compared(b, *given, copies=("nonce", "x", "y") if key == "made" else ())


def _verify(b: Builder, curve: Curve) -> None:
    joint.write(b, curve)
    b.program(f"{curve.name}_verify")
    with b.piece():
        start(b)
        for value in ("sig_r", "sig_s"):
            in_range(b, value)
        for value in ("x", "y"):
            b.subx(value, "P")
            fail_unless(b)
        _hash(b)
        b.mod("p")
        on_curve(b, b.mul("x", "SquareP", "x"), b.mul("y", "SquareP", "y"))
        _begin(b, curve, "sig_s", joint.first_steps(b, curve))
        multiples.first(b)
    joint.table(b)
    with b.piece():
        step(b)
        joint.level(b)
        b.mod("n")
        _scalars(b, euclid.end(b, "n"))
        if b.width.rich:
            joint.comb(curve).digits(b, "c")
    if b.width.rich:
        joint.products(b, curve)
    else:
        b.call("base")
        with b.piece():
            step(b)
            _keep_base(b, "p")
            joint.begin(b)
        joint.product(b, curve)
    with b.piece():
        step(b)
        if b.width.rich:
            _keep_base(b, "a")
        for c in "xyz":
            b.copy(f"a{c}", f"q{c}")
        joint.homogeneous(b)
    b.call("curve_add")
    with b.piece():
        step(b)
        _compare(b)
    give(b, "sig_r")


def _scalars(b: Builder, inverse: str) -> None:
    """u1 = e / s is ``c``, u2 = r / s is ``k``, or their negatives, which are odd.

    ``flip`` is for u1, ``flip2`` for u2. ``other`` is 1 if u1 is zero.
    """
    u1, u2 = times(b, inverse, "e"), times(b, inverse, "sig_r")
    choose_odd(b, u2, "k")
    b.sel("Zero", "One", "flip2")
    b.mod("p")
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
