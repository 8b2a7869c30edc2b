"""The register FEATURES of shells around one engine: its fields, once for registers and RTL."""

from collections.abc import Mapping
from pathlib import Path

from cryptile.catalog.schema import Engine

FILE = Path("regs/gen/features.rdl")
KEYS = (16, 24, 32)
"""Bytes of a key by bit of ``key_lens``."""

_WIDTHS = {"engine": 8, "impl": 4, "key_lens": 3, "decrypt": 1, "modes": 16}
"""Bits by field, from the lowest up."""


def pack(**values: int) -> int:
    """Return the register with these values of its fields."""
    word = low = 0
    for name, width in _WIDTHS.items():
        assert values[name] < 1 << width
        word |= values[name] << low
        low += width
    return word


def cut(field: str) -> str:
    """Return an expression of SystemVerilog that is a field of ``features(engine)``."""
    low = sum(_WIDTHS[name] for name in list(_WIDTHS)[: list(_WIDTHS).index(field)])
    return f"{_WIDTHS[field]}'(features(engine) >> {low})"


def struct() -> str:
    """Return the register as a type of SystemVerilog, without indentation."""
    rows = "".join(
        f"  logic {f'[{width - 1}:0] ' * (width > 1)}{name};\n"
        for name, width in reversed(_WIDTHS.items())
    )
    return f"typedef struct packed {{\n{rows}}} features_t;"


def registers(engines: Mapping[str, Engine]) -> str:
    """Return what the register is in SystemRDL, to be included, behind its licence."""
    chosen = {name: item for name, item in engines.items() if item.select}
    numbers = {item.select.number: name for name, item in chosen.items() if item.select}
    about = {
        "engine": "Engine: " + _words(dict(sorted(numbers.items()))),
        "impl": "Variant; "
        + "; ".join(
            f"{name}: {_words(dict(enumerate(item.variants, item.select.first)))}"
            for name, item in chosen.items()
            if item.select and item.variants
        ),
        "key_lens": "Key lengths: "
        + ", ".join(f"bit {bit} {8 * size}" for bit, size in enumerate(KEYS))
        + " bits",
        "decrypt": "Decryption is built in",
        "modes": "One bit per mode that can be had; a job in another ends with status 2",
    }
    rows, low = "", 0
    for name, width in _WIDTHS.items():
        rows += f'field {{ desc = "{about[name]}"; }} {name}[{low + width - 1}:{low}];\n'
        low += width
    return f'\nname = "What was built";\ndefault sw = r; default hw = w;\n{rows}'


def _words(numbered: Mapping[int, str]) -> str:
    return ", ".join(f"{number} {word}" for number, word in numbered.items())
