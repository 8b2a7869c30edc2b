"""What shells around one engine and their drivers know: statuses, numbers of engines and modes."""

from collections.abc import Mapping
from pathlib import Path

from cryptile.catalog.blobs import camel
from cryptile.catalog.schema import Ended, Engine, Statuses

REGISTERS = Path("regs/gen/statuses.rdl")
C_HEADER = Path("sw/hal/gen/engines.h")

_PORT = 15
"""The highest status of the engine port; those above it are the tile's."""

_UNKNOWN = "ERR_FAULT"
"""What drivers return for a status that there is not."""


def registers(ends: Statuses) -> str:
    """Return the type of fields with a status in SystemRDL, behind its licence."""
    rows = "".join(
        f'    {name} = 4\'d{item.number} {{ desc = "{item.about}"; }};\n'
        for name, item in _ends(ends).items()
    )
    return f"\nenum engine_status {{\n{rows}}};\n"


def header(engines: Mapping[str, Engine], ends: Statuses) -> str:
    """Return what drivers of shells know in C, behind its licence."""
    guard = "CRYPTILE_HAL_ENGINES_H"
    chosen = sorted(
        (item.select.number, item.select.name, item) for item in engines.values() if item.select
    )
    numbers = ",\n".join(f"  Engine{name} = {number}" for number, name, _ in chosen)
    modes = ",\n".join(
        f"  Mode{name}{camel(word)} = {mode.number}"
        for _, name, item in chosen
        for word, mode in item.modes.items()
    )
    returned = {item.number: item.library for item in _ends(ends).values()}
    codes = "\n".join(
        f"      [{number}] = CRYPTILE_{returned.get(number, _UNKNOWN)},"
        for number in range(max(returned) + 1)
    )
    return f"""#ifndef {guard}
#define {guard}

#include <stdint.h>

#include "cryptile/status.h"

// FEATURES.engine
enum {{
{numbers}
}};

// The modes of each engine.
enum {{
{modes}
}};

// What a driver returns for a status in RESULT.
static inline cryptile_status_t cry_engine_status(uint32_t code) {{
  static const int8_t kStatus[] = {{
{codes}
  }};
  return code < sizeof(kStatus) ? (cryptile_status_t)kStatus[code] : CRYPTILE_{_UNKNOWN};
}}

#endif  // {guard}
"""


def _ends(ends: Statuses) -> dict[str, Ended]:
    """Return how a job of a shell ends, in the order of the numbers."""
    found = {**{k: v for k, v in ends.jobs.items() if v.number <= _PORT}, **ends.shells}
    return dict(sorted(found.items(), key=lambda item: item[1].number))
