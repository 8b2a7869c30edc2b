"""What figures in cycles depend on."""

from cryptile.toolchain import tools
from cryptile.toolchain.gcc import compiler


def tool_versions() -> dict[str, str]:
    """Return the versions of the tools that cycles depend on."""
    return {
        "compiler": tools.version(compiler()),
        "verilator": tools.version("verilator"),
    }
