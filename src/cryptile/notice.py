"""The licence notice that generated files begin with."""

LICENCE = (
    "Copyright Cryptile contributors.",
    "Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception",
    "(see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1",
)

KERNEL_LICENCE = (
    *LICENCE[:2],
    "(see LICENSE), or at your choice under the GNU General Public License, version 2 (see",
    "sw/linux/driver/LICENSE). SPDX-License-Identifier: (Apache-2.0 WITH SHL-2.1) OR GPL-2.0-only",
)
"""Of what is compiled into a module of Linux, too."""


def licence(comment: str, lines: tuple[str, ...] = LICENCE) -> str:
    """Return the first lines of a file, each behind what begins a comment."""
    return "".join(f"{comment} {line}\n" for line in lines)
