"""The cross compiler."""

from cryptile.toolchain import tools


def compiler() -> str:
    """Return the path of the cross compiler."""
    return tools.find("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf")
