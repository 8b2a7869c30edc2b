"""The licence notice of generated files, without the signs of a comment."""

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


def commented(licence: tuple[str, ...] = LICENCE) -> str:
    """Return a notice as a comment of C or SystemVerilog."""
    return "".join(f"// {line}\n" for line in licence)
