"""The benchmark's tables for the terminal."""

from collections.abc import Iterable

from rich.table import Table

from cryptile.bench.mcu import BLOCKS
from cryptile.records import Record

CONDITIONS = (
    "RTL in Verilator, {core}, code in one-cycle memory, data word-aligned in one-cycle TCDM;\n"
    "engine: first register write to event; software: the whole call; second of two calls"
)


def tables(records: list[Record], published: list[Record], core: str) -> list[Table]:
    """Return our cycles, and the published comparison with ours beside it."""
    return [_cycles(records, core), _comparison(records, published)]


def _cycles(records: list[Record], core: str) -> Table:
    table = Table(
        title="AES-128 encryption: cycles for N blocks", caption=CONDITIONS.format(core=core)
    )
    for heading in ("path", "implementation", "mode", "core"):
        table.add_column(heading)
    for blocks in BLOCKS:
        table.add_column(f"N = {blocks}", justify="right")
    for heading in ("further block", "set-up", "speed-up", "core busy"):
        table.add_column(heading, justify="right")
    for record in records:
        if record.metric != "further_block":
            continue
        series = {key: value for key, value in record.params.items()}
        wait = {"poll": "polls", "sleep": "sleeps"}.get(series.get("wait", ""), "computes")
        table.add_row(
            series["path"],
            series["impl"],
            series["alg"].rsplit("-", 1)[1].upper(),
            wait,
            *(_number(_find(records, "cycles", **series, blocks=n)) for n in BLOCKS),
            _number(record.value),
            _number(_find(records, "setup_cycles", **series)),
            _number(_find(records, "speedup", **series, of="further_block")),
            _number(_find(records, "busy_cycles", **series, blocks=BLOCKS[-1])),
            end_section=series.get("wait") != "poll" and series["alg"].endswith("ctr"),
        )
    return table


def _comparison(records: list[Record], published: list[Record]) -> Table:
    columns = [
        (published, "published", {"path": "software"}),
        (published, "published", {"path": "engine"}),
        (records, "Cryptile", {"path": "software", "impl": "compact"}),
        (records, "Cryptile", {"path": "software", "impl": "table"}),
        (records, "Cryptile", {"path": "engine", "impl": "serial", "wait": "sleep"}),
        (records, "Cryptile", {"path": "engine", "impl": "iterative", "wait": "sleep"}),
        (records, "Cryptile", {"path": "engine", "impl": "pipelined", "wait": "sleep"}),
    ]
    table = Table(title="AES-128 ECB encryption: published figures and ours")
    table.add_column("")
    for _, owner, params in columns:
        table.add_column(f"{owner}\n{params.get('impl', params['path'])}", justify="right")
    rows: list[tuple[str, str, dict[str, object]]] = [
        ("cycles, N = 32", "cycles", {"blocks": 32}),
        ("cycles, further block", "further_block", {}),
        ("speed-up, N = 32", "speedup", {"blocks": 32}),
        ("speed-up, further block", "speedup", {"of": "further_block"}),
        ("code of the crypto path, bytes", "code_bytes", {"part": "crypto"}),
        ("code of the whole image, bytes", "code_bytes", {"part": "image"}),
    ]
    for title, metric, extra in rows:
        cells = []
        for source, _, params in columns:
            wanted = {**params, "alg": "aes-128-ecb", **extra}
            if metric == "code_bytes":
                wanted.pop("wait", None)
            cells.append(_number(_find(source, metric, **wanted)))
        table.add_row(title, *cells)
    sources = sorted({record.params["source"].split(",")[0] for record in published})
    table.caption = "published: " + "; ".join(sources)
    return table


def _find(records: Iterable[Record], metric: str, **params: object) -> float | None:
    for record in records:
        if record.metric == metric and params.items() <= record.params.items():
            return record.value
    return None


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value == round(value) or value >= 1000 else f"{value:,.2f}"
