"""Names beside the lines of a picture."""

import itertools

import pytest
from matplotlib import pyplot

from cryptile import picture


def test_names_stand_at_the_ends_of_their_lines():
    figure, axes = pyplot.subplots()
    axes.plot([1, 2], [10, 1000])
    axes.plot([1, 2], [10, 10])
    axes.set(yscale="log")
    axes.margins(y=0.2)
    picture.name_ends(axes, [("steep", (2, 1000), "C0"), ("flat", (2, 10), "C1")])
    figure.canvas.draw()
    for text, value in zip(axes.texts, (10, 1000), strict=True):
        _, height = axes.transAxes.inverted().transform(axes.transData.transform((2, value)))
        assert text.xy == pytest.approx((1.01, height))
    assert [text.get_text() for text in axes.texts] == ["flat", "steep"]
    pyplot.close(figure)


def test_names_of_lines_that_end_together_are_apart():
    figure, axes = pyplot.subplots()
    axes.plot([1, 2], [0, 1])
    picture.name_ends(axes, [(name, (2, 0.5), "k") for name in "abc"])
    heights = [text.xy[1] for text in axes.texts]
    assert min(b - a for a, b in itertools.pairwise(heights)) > 0.04
    pyplot.close(figure)
