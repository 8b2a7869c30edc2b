"""Verification's u2 Q: windows of u2's digits, and the multiples of Q that they say.

An odd scalar ``k`` has a highest digit of 1 and digits of 1, or -1 for a 0, in windows of five:
each says one of the multiples 1, 3 to 31, or its negative. These are made by adding 2 Q in
coordinates of one Z (Meloni, 2007).
"""

from cryptile.pka.builder import Builder
from cryptile.pka.isa import Width
from cryptile.pka.programs.curve import Curve
from cryptile.pka.programs.ecdh import WINDOW


def windows(curve: Curve) -> tuple[int, int]:
    """Return the windows of verification below a highest digit of 1, and digits of a last one."""
    return divmod(curve.bits - 1, WINDOW)


def window_masks(width: Width, size: int) -> tuple[int, int]:
    """Return what is taken of a window for ``dig``, moved down to its place, and its inverse.

    ``dig`` takes the window's digits but the sign, with as many zeros in front as bits are missing,
    and inverts them again if the highest bit is set, and the lowest one with them.
    """
    low, top = width.bits - WINDOW, width.bits - 1
    missing = WINDOW - size
    ends = 1 << top | (1 << missing) - 1 << top - missing | 1 << low - 1
    return (1 << size - 1) - 1 << low, ends


def constants(b: Builder) -> None:
    """Name the masks of whole windows."""
    for name, mask in zip(("Bits", "Ends"), window_masks(b.width, WINDOW), strict=True):
        b.constant(f"Window{name}", mask)


def first(b: Builder) -> None:
    """Compute (qx : qy : pz) = 2 M and P = M of M = (x, y), with one Z of both, 2 y."""
    xx, yy = b.sqr("x"), b.sqr("y")
    slope = b.sub(b.add(b.add(xx, xx), xx), b.add(b.add("OneP", "OneP"), "OneP"))
    b.add("y", "y", "pz")
    part = b.mul("x", b.add(yy, yy))
    b.add(part, part, "px")
    square = b.sqr(b.add(yy, yy))
    b.add(square, square, "py")
    b.sub(b.sqr(slope), b.add("px", "px"), "qx")
    b.sub(b.mul(slope, b.sub("px", "qx")), "py", "qy")


def advance(b: Builder, distance: str = "") -> None:
    """P = P + Q, and Q the same point as before, with one Z again: that before times a distance."""
    dx, dy = b.sub("qx", "px", distance), b.sub("qy", "py")
    square = b.sqr(dx)
    one, other = b.mul("qx", square), b.mul("px", square)
    y = b.mul("qy", b.sub(one, other))
    x = b.sub(b.sub(b.sqr(dy), one), other, "px")
    b.sub(b.mul(dy, b.sub(one, x)), y, "py")
    b.mul("pz", dx, "pz")
    b.copy(one, "qx")
    b.copy(y, "qy")


def digit(b: Builder, size: int = WINDOW) -> None:
    """Make the highest window of ``k`` the digit; ``k`` moves up by one, by ``move`` further.

    The highest bit is the sign. The last window may be of a smaller ``size`` than the others.
    """
    bits, mask, ends = "k", "WindowBits", "WindowEnds"
    if size < WINDOW:
        for _ in range(WINDOW - size):
            bits = b.half(bits, "Zero")
        mask, ends = (b.load(value, "") for value in window_masks(b.width, size))
    bits = b.land(bits, mask)
    b.addx("k", "k", "k")
    b.dig(b.xor(bits, b.sel("Zero", ends)))


def signed(b: Builder, y: str) -> str:
    """Return y with the window's sign."""
    return b.sel(b.sub("Zero", y), y, "", "negative")


def move(b: Builder) -> None:
    """Move ``k`` up to its next window."""
    for _ in range(WINDOW - 1):
        b.addx("k", "k", "k")
