"""Registers: everything that is generated from the SystemRDL files in ``regs/``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_html import HTMLExporter
from peakrdl_ipxact import IPXACTExporter
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import RegNode, RootNode

import cryptile
from cryptile import regs_storage
from cryptile.errors import UsageError
from cryptile.notice import KERNEL_LICENCE, LICENCE, licence
from cryptile.project import ROOT

HEADERS = Path("sw/hal/gen")
"""Where the C headers go, below the checkout."""

IPXACT = Path("regs/gen/ipxact")
"""Where the register maps in IP-XACT (IEEE 1685-2014) go."""

PAGES = Path("docs/registers")
"""Where the HTML pages go; they are not committed."""

_IN_KERNEL = ("axis", "rbg", "tile", "window")
"""Register maps whose headers are compiled into a module of Linux, too."""

_LINT_WAIVERS = (
    "UNUSEDSIGNAL",
    "UNUSEDPARAM",
    "WIDTHEXPAND",
    "WIDTHTRUNC",
    "MULTIDRIVEN",
    "GENUNNAMED",
)
"""Verilator warnings that are off in generated RTL: PeakRDL's style is not ours to mend."""


@dataclass(frozen=True)
class RegisterMap:
    """One ``regs/<name>.rdl``.

    Attributes:
        name: its name.
        rtl: the folder its RTL register block belongs to.
        protected: the block has the parameter Protect.
    """

    name: str
    rtl: Path
    protected: bool = False

    @property
    def source(self) -> Path:
        """The SystemRDL file."""
        return ROOT / "regs" / f"{self.name}.rdl"


MAPS = (
    RegisterMap("axis", Path("rtl/shell/axis/gen")),
    RegisterMap("dma", Path("rtl/dma/gen")),
    RegisterMap("hwpe", Path("rtl/shell/hwpe/gen")),
    RegisterMap("mcu", Path("soc/mcu/gen")),
    RegisterMap("rbg", Path("rtl/engine/rbg/gen")),
    RegisterMap("tile", Path("rtl/shell/tile/gen"), protected=True),
    RegisterMap("window", Path("rtl/shell/axis/gen")),
)
"""Every register map of the project."""


def generate(root: Path = ROOT) -> list[Path]:
    """Write register blocks, C headers and IP-XACT below ``root``; return their paths in it."""
    return [path for item in MAPS for path in _generate_one(item, root)]


def pages(folder: Path = ROOT / PAGES) -> Path:
    """Write the HTML pages of all register maps; return the folder."""
    HTMLExporter().export(
        [compile_file(item.source) for item in MAPS], str(folder), title="Cryptile registers"
    )
    return folder


def compile_file(path: Path) -> RootNode:
    """Return what a SystemRDL file says.

    Raises:
        UsageError: it has errors; the compiler has printed where.
    """
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    try:
        compiler.compile_file(str(path))
        return compiler.elaborate()
    except RDLCompileError as error:
        raise UsageError(f"{path} has errors: {error}") from error


def offsets(name: str) -> dict[str, int]:
    """Return where a map's registers are, in bytes, by ``NAME``, ``FILE.NAME`` or ``FILE[0].NAME``.

    Raises:
        UsageError: the file has errors.
    """
    return {
        node.get_path().split(".", 1)[1]: node.absolute_address
        for node in compile_file(ROOT / "regs" / f"{name}.rdl").top.descendants(unroll=True)
        if isinstance(node, RegNode)
    }


def _generate_one(item: RegisterMap, root: Path) -> Iterator[Path]:
    module = f"cry_{item.name}_regs"
    tree = compile_file(item.source)
    (root / item.rtl).mkdir(parents=True, exist_ok=True)
    RegblockExporter().export(
        tree,
        str(root / item.rtl),
        cpuif_cls=PassthroughCpuif,
        module_name=module,
        default_reset_activelow=True,
        default_reset_async=True,
    )
    if item.protected:
        block = root / item.rtl / f"{module}.sv"
        block.write_text(regs_storage.protected(block.read_text()))
    waivers = [f"// verilator lint_off {name}" for name in _LINT_WAIVERS]
    reason = "// Generated text: lint of its style is off here, and on again at the end."
    restore = [f"// verilator lint_on {name}" for name in _LINT_WAIVERS]
    for path in (item.rtl / f"{module}_pkg.sv", item.rtl / f"{module}.sv"):
        body = (root / path).read_text().rstrip("\n")
        lines = [reason, *waivers, body, *restore]
        (root / path).write_text(licence("//") + "\n".join(lines) + "\n")
        yield path
    (root / HEADERS).mkdir(parents=True, exist_ok=True)
    header = HEADERS / f"{item.name}_regs.h"
    CHeaderExporter().export(tree, str(root / header))
    notice = licence("//", KERNEL_LICENCE if item.name in _IN_KERNEL else LICENCE)
    (root / header).write_text(notice + (root / header).read_text())
    yield header
    yield _ipxact(item, tree, root)


def _ipxact(item: RegisterMap, tree: RootNode, root: Path) -> Path:
    path = IPXACT / f"{item.name}.xml"
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    exporter = IPXACTExporter(vendor="cryptile", library="registers", version=cryptile.__version__)
    exporter.export(tree.top, str(root / path))
    declaration, rest = (root / path).read_text().split("\n", 1)
    notice = "\n".join(LICENCE)
    (root / path).write_text(f"{declaration}\n<!--\n{notice}\n-->\n{rest}")
    return path
