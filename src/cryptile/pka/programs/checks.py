"""What programs check: their row ``error`` is not zero from the first check on that fails."""

from cryptile.pka.builder import Builder


def fail(b: Builder) -> None:
    """``error`` is set if the carry is."""
    b.sel("One", "error", "error")


def fail_unless(b: Builder) -> None:
    """``error`` is set but if the carry is."""
    b.sel("error", "One", "error")


def equal(b: Builder, x: str, y: str) -> None:
    """``error`` is set if x is not y."""
    zero(b, b.xor(x, y))


def unlike(b: Builder, x: str, y: str) -> None:
    """``error`` is set if x is y."""
    b.subx(b.xor(x, y), "One")
    fail(b)


def zero(b: Builder, x: str) -> None:
    """``error`` is set if x is not zero, in two ways, so that no wrong constant hides it."""
    b.subx("Zero", x)
    fail(b)
    b.subx(x, "One")
    b.sel("error", "N256", "error")


def in_range(b: Builder, x: str) -> None:
    """``error`` is set if x is not in 1 to n - 1."""
    b.subx(x, "One")
    fail(b)
    b.subx(x, "N256")
    fail_unless(b)


def give(b: Builder, *rows: str) -> None:
    """Write the result, zero after an error, and leave the outcome in the carry."""
    b.subx("Zero", "error")
    for row, name in zip(rows, ("result", "result1", "result2"), strict=False):
        b.sel("Zero", row, name)
