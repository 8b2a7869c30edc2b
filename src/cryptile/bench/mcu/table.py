"""The tables of ``cryptile bench mcu``."""

from collections.abc import Iterable

from rich import box
from rich.table import Table

from cryptile.bench.cells import find, number
from cryptile.records import Record

WIDTH = 120
"""Columns that the tables need; a narrower terminal wraps lines rather than cutting figures."""

CONDITIONS = (
    "RTL in Verilator, {core}; code and word-aligned data in one-cycle memories; second of two\n"
    "calls; engine: first register write to event; software: the whole call\n"
    "speed-up: of a further block, over compact; busy: cycles in which the core is clocked while\n"
    "the engine works on {blocks} blocks, polling or asleep until the event"
)


def tables(records: list[Record], published: list[Record], core: str) -> list[Table]:
    """Return our cycles, and the published comparison with ours beside it."""
    return [_cycles(records, core), _comparison(records, published)]


def _cycles(records: list[Record], core: str) -> Table:
    sizes = sorted({item.params["blocks"] for item in records if item.metric == "cycles"})
    table = Table(
        title="AES-128 encryption: cycles for N blocks",
        caption=CONDITIONS.format(core=core, blocks=sizes[-1]),
        box=box.SIMPLE_HEAD,
    )
    table.add_column("implementation", no_wrap=True)
    table.add_column("mode", no_wrap=True)
    numbers = [f"N = {blocks}" for blocks in sizes]
    for heading in (
        *numbers,
        "further\nblock",
        "set-up",
        "speed-up",
        "busy\nawake",
        "busy\nasleep",
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for record in records:
        if record.metric != "further_block" or record.params.get("wait") == "sleep":
            continue
        series = record.params
        busy = {**series, "blocks": sizes[-1]}
        mode = series["alg"].rsplit("-", 1)[1].upper()
        table.add_row(
            f"{series['path']} {series['impl']}",
            mode,
            *(_value(records, "cycles", **series, blocks=n) for n in sizes),
            number(record.value),
            _value(records, "setup_cycles", **series),
            _value(records, "speedup", **series, of="further_block"),
            _value(records, "busy_cycles", **busy),
            _value(records, "busy_cycles", **{**busy, "wait": "sleep"}),
            end_section=mode == "CTR",
        )
    return table


def _comparison(records: list[Record], published: list[Record]) -> Table:
    columns = [
        (published, "published", {"path": "software"}),
        (published, "published", {"path": "engine"}),
        (records, "Cryptile", {"path": "software", "impl": "compact"}),
        (records, "Cryptile", {"path": "software", "impl": "table"}),
        (records, "Cryptile", {"path": "software", "impl": "bitsliced"}),
        (records, "Cryptile", {"path": "engine", "impl": "serial", "wait": "sleep"}),
        (records, "Cryptile", {"path": "engine", "impl": "iterative", "wait": "sleep"}),
        (records, "Cryptile", {"path": "engine", "impl": "pipelined", "wait": "sleep"}),
    ]
    table = Table(title="AES-128 ECB encryption: published figures and ours", box=box.SIMPLE_HEAD)
    table.add_column("", no_wrap=True)
    for _, owner, params in columns:
        table.add_column(f"{owner}\n{params.get('impl', params['path'])}", justify="right")
    rows: list[tuple[str, str, dict[str, object]]] = [
        ("cycles, N = 32", "cycles", {"blocks": 32}),
        ("cycles, further block", "further_block", {}),
        ("speed-up, N = 32", "speedup", {"blocks": 32}),
        ("speed-up, further block", "speedup", {"of": "further_block"}),
        ("crypto path, bytes", "code_bytes", {"part": "crypto"}),
        ("whole image, bytes", "code_bytes", {"part": "image"}),
    ]
    for title, metric, extra in rows:
        cells = []
        for source, _, params in columns:
            wanted = {**params, "alg": "aes-128-ecb", **extra}
            if metric == "code_bytes":
                wanted.pop("wait", None)
            cells.append(_value(source, metric, **wanted))
        table.add_row(title, *cells)
    sources = sorted({record.params["source"].split(",")[0] for record in published})
    table.caption = f"published: {'; '.join(sources)}; our engines: the core asleep until the event"
    return table


def _value(records: Iterable[Record], metric: str, **params: object) -> str:
    record = find(records, metric, **params)
    return number(record.value if record else None)
