"""The software benchmark's pictures: our best figures beside those of others, and big integers."""

from pathlib import Path

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from cryptile import picture
from cryptile.published import PUBLIC_CODE, PUBLISHED, answers
from cryptile.records import Record

_FAMILIES = {"bigint-add": "C0", "bigint-mul": "C1"}
"""Colours of the algorithms; others' figures are dashed."""


def draw(records: list[Record], published: list[Record], stem: Path) -> list[Path]:
    """Draw cycles per byte as bars and big-integer cycles over limbs; return PNG and SVG."""
    figure, (bars, numbers) = pyplot.subplots(1, 2, figsize=(15, 7), layout="constrained")
    _bars(bars, records, published)
    _numbers(numbers, records, published)
    return picture.save(figure, stem)


def _bars(axes: Axes, records: list[Record], published: list[Record]) -> None:
    names: list[str] = []
    ours: list[float] = []
    theirs: dict[str, list[tuple[int, float]]] = {PUBLISHED: [], PUBLIC_CODE: []}
    for other in published:
        fitting = [record.value for record in records if answers(record, other)]
        if other.metric == "cycles_per_byte" and fitting:
            theirs[other.params["origin"]].append((len(names), other.value))
            names.append(f"{other.params['alg']}\n{other.params['isa']}")
            ours.append(min(fitting))
    places = range(len(names))
    for origin, where in (
        (PUBLISHED, "on the core E31"),
        (PUBLIC_CODE, "measured here on model:loaduse2"),
    ):
        if bars := theirs[origin]:
            ends, values = zip(*bars, strict=True)
            axes.barh([end + 0.2 for end in ends], values, 0.4, label=f"{origin}, {where}")
    axes.barh([place - 0.2 for place in places], ours, 0.4, label="Cryptile, best core measured")
    axes.set_yticks(list(places), names, fontsize=7)
    axes.set(xlabel="cycles per byte, long messages", title="Symmetric cryptography")
    axes.invert_yaxis()
    axes.legend()


def _numbers(axes: Axes, records: list[Record], published: list[Record]) -> None:
    series: dict[str, list[tuple[int, float]]] = {}
    for record in records:
        params = record.params
        if record.metric == "cycles" and params["alg"] in ("bigint-add", "bigint-mul"):
            if params["isa"] not in ("rv32im", "rv32im_xcarry") or params["impl"] == "c":
                continue
            name = f"{params['alg']} {params['impl']} ({params['core']})"
            series.setdefault(name, []).append((params["limbs"], record.value))
    for record in published:
        if record.metric == "cycles" and "limbs" in record.params:
            name = f"{record.params['alg']} {record.params['origin']}"
            series.setdefault(name, []).append((record.params["limbs"], record.value))
    ends = []
    for name, points in sorted(series.items()):
        limbs, cycles = zip(*sorted(points), strict=True)
        color = _FAMILIES[name.split()[0]]
        foreign = name.endswith((PUBLISHED, PUBLIC_CODE))
        axes.plot(
            limbs, cycles, color=color, linestyle="--" if foreign else "-", marker="o", markersize=3
        )
        ends.append((name, (limbs[-1], cycles[-1]), color))
    axes.set(
        xlabel="limbs of 32 bits",
        ylabel="cycles",
        yscale="log",
        title="Big integers on RV32IM",
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=True, which="both", alpha=0.3)
    picture.name_ends(axes, ends)
