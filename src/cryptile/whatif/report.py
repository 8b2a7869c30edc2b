"""The answers as a table and as a picture."""

from pathlib import Path

from rich import box
from rich.table import Table

from cryptile.bench.cells import number
from cryptile.records import Record
from cryptile.whatif.questions import QUESTIONS

METRICS = ("without", "with", "speedup")
"""Of each answer."""

_PICTURED_LIMBS = (0, 8, 16)


def table(records: list[Record], core: str) -> Table:
    """Return one line for each extension and algorithm."""
    found = Table(
        title=f"What if the core had ...: measured on {core}",
        caption="cycles for a block or an operation, cycles per byte for long messages; the "
        "fastest implementation with the extension against the fastest without",
        box=box.SIMPLE_HEAD,
    )
    for heading in ("extension", "algorithm"):
        found.add_column(heading, no_wrap=True)
    for heading in ("without", "with", "speed-up"):
        found.add_column(heading, justify="right", no_wrap=True)
    for heading in ("implementation without", "with"):
        found.add_column(heading, no_wrap=True)
    for question in QUESTIONS:
        mine = [item for item in records if item.params["extension"] == question.extension]
        answers = list(zip(*(_of(mine, name) for name in METRICS), strict=True))
        for answer in answers:
            without, with_it, speedup = answer
            found.add_row(
                question.extension,
                _name(speedup),
                number(without.value),
                number(with_it.value),
                f"{speedup.value:.2f}",
                speedup.params["base_impl"],
                speedup.params["impl"],
                end_section=answer is answers[-1],
            )
    return found


def draw(records: list[Record], core: str, stem: Path) -> list[Path]:
    """Draw the speed-ups as bars, as PNG and SVG; return the two files."""
    from matplotlib import pyplot  # takes half a second

    from cryptile import picture

    speedups = _of(records, "speedup")
    pictured = [item for item in speedups if item.params.get("limbs", 0) in _PICTURED_LIMBS]
    figure, axes = pyplot.subplots(figsize=(9, 1.5 + 0.28 * len(pictured)), layout="constrained")
    names = [f"{item.params['extension']}: {_name(item)}" for item in pictured]
    bars = axes.barh(range(len(pictured)), [item.value for item in pictured])
    axes.bar_label(bars, fmt="%.2f", padding=3, fontsize=7)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(pictured)), names, fontsize=8)
    axes.set(xlabel="speed-up", xscale="log", title=f"What extensions bring, on {core}")
    axes.invert_yaxis()
    return picture.save(figure, stem)


def _of(records: list[Record], metric: str) -> list[Record]:
    return [item for item in records if item.metric == metric]


def _name(record: Record) -> str:
    limbs: int | None = record.params.get("limbs")
    kind = " (table)" if record.params["impl"] == "table" else ""
    return f"{record.params['alg']}{kind}" + (f", {limbs} limbs" if limbs else "")
