"""How long `make soak` takes: seconds of the processor by file of tests, as they were measured.

Its runs, whole or of some files (``pytest -m soak tests/shell``), write what they measure to
``build/soak_seconds.yaml``, beside what is known of other files; copy it over ``RECORD``.
"""

from collections.abc import Mapping
from pathlib import Path

import yaml

from cryptile.project import BUILD

RECORD = Path(__file__).parents[1] / "soak_seconds.yaml"
MEASURED = BUILD / RECORD.name
PROCESSORS = 2
_HEADER = """\
# Seconds of the processor that the tests for `make soak` of each file take, with what they build;
# null: never measured.
"""


def seconds(file: Path | None = None) -> dict[str, int | None]:
    """Return what each file took, as ``RECORD`` or another one says; None: not known."""
    record: dict[str, int | None] = yaml.safe_load((file or RECORD).read_text())
    return record


def forecast(record: Mapping[str, int | None]) -> list[str]:
    """Return lines that say how long a soak will take, and where: the longest first."""
    known = {path: spent for path, spent in record.items() if spent is not None}
    unknown = sorted(record.keys() - known.keys())
    total = sum(known.values())
    minutes = total / 60 / PROCESSORS
    return [
        *(
            [f"soak: {total} seconds of the processor, {minutes:.0f} minutes of {PROCESSORS}"]
            if known
            else []
        ),
        *(f"{known[path]:6} {path}" for path in sorted(known, key=lambda path: -known[path])),
        *([f"soak: files whose time nobody has measured: {len(unknown)}"] if unknown else []),
        *(f"     ? {path}" for path in unknown),
    ]


def keep(measured: Mapping[str, float], file: Path = MEASURED) -> None:
    """Write what a run took, by file of tests, and of other files what is known."""
    known = seconds(file if file.exists() else RECORD)
    known |= {path: round(spent) for path, spent in measured.items()}
    file.write_text(_HEADER + yaml.safe_dump(known))
