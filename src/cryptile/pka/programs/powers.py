"""Powers to public exponents, by chains of squarings and multiplications."""

from collections.abc import Callable, Iterable

from cryptile.pka.builder import Builder

Link = tuple[int, str, str, str]
"""Squarings, of what, times what, is what."""


def chain(
    b: Builder, links: Iterable[Link], work: str, beside: Callable[[], None] = lambda: None
) -> None:
    """Compute d = a^(2^times) factor for each (times, a, factor, d), in the row ``work``.

    ``beside`` writes something else that is done with each squaring.
    """
    for times, a, factor, d in links:
        with b.piece():
            b.sqr(a, work)
            beside()
        if times > 1:
            with b.loop(times - 1), b.piece():
                b.sqr(work, work)
                beside()
        with b.piece():
            b.mul(work, factor, d)
