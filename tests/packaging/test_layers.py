"""Which room imports which, of ``src/cryptile`` and of the RTL: arrows only go down.

Imports inside functions count, too. Of the RTL it is what ``.core`` files depend on, and what the
files themselves name: that a file list happens to be there through another is no permission.
"""

import ast
import re
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from cryptile.project import ROOT
from cryptile.toolchain import rtl

SOURCES = ROOT / "src/cryptile"

# From the ground up; a line imports what stands on the lines above it, and no more than it names.
LAYERS = {
    "errors": "",
    "project": "errors",
    "notice": "",
    "records": "errors project",
    "published": "records",
    "catalog": "errors notice project",
    "figures": "catalog errors project published records",
    "picture": "",
    "report": "picture published records",
    "regs_storage": "errors",
    "regs": "errors notice project regs_storage",
    "layout": "catalog errors notice project regs",
    "toolchain": "errors project",
    "site": "project regs",
    "bender": "notice project toolchain",
    "flat": "notice project",
    "waves": "project",
    "blocks": "project",
    "nist_curves": "",
    "pka": "catalog errors nist_curves notice project",
    "generate": "bender blocks catalog flat layout pka project regs waves",
    "sbom": "catalog errors project",
    "doctor": "project toolchain",
    "asm": "errors notice toolchain",
    "library_sources": "project",
    "library": "asm library_sources project toolchain",
    "firmware": "asm catalog errors library_sources project toolchain",
    "export": "asm errors library notice project toolchain",
    "sim": "errors project toolchain",
    "systems": "catalog errors project toolchain",
    "linux": "catalog errors layout project regs systems toolchain",
    "entropy": "errors project systems toolchain",
    "jobs": "catalog errors layout nist_curves",
    "netlist": "errors toolchain",
    "designs": "catalog errors netlist project toolchain",
    "synth": "catalog designs errors jobs netlist project published records toolchain",
    "faults": "designs errors jobs netlist pka published records toolchain",
    "modules": "catalog errors faults netlist project records toolchain",
    "prove": "designs errors faults modules netlist project toolchain",
    "crypt": "catalog errors firmware library linux records sim systems",
    "bench": "asm catalog errors firmware library library_sources linux picture project published "
    "records sim systems toolchain",
    "whatif": "bench picture records",
    "commands": "asm bench catalog crypt designs doctor entropy errors export faults figures "
    "generate library linux modules netlist pka project prove published records regs report sbom "
    "sim synth systems toolchain whatif",
    "cli": "errors project",
}


def room(module):
    """The room that a module is in, and nothing for the package itself, which has the version."""
    return module.split(".")[1] if "." in module else ""


def named(node, modules):
    """What an import statement takes from the project."""
    if isinstance(node, ast.Import):
        found = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "imports name the package"
        whole = [f"{node.module}.{alias.name}" for alias in node.names]
        found = [name if name in modules else node.module for name in whole]
    else:
        found = []
    return [name for name in found if name.split(".")[0] == "cryptile"]


@cache
def imports():
    """What each module takes: in all, and what is needed when it is loaded."""
    paths = {}
    for path in SOURCES.rglob("*.py"):
        words = path.relative_to(SOURCES.parent).with_suffix("").parts
        paths[".".join(words).removesuffix(".__init__")] = path
    everything, loaded = {}, {}
    for module, path in paths.items():
        tree = ast.parse(path.read_text())
        everything[module] = {name for node in ast.walk(tree) for name in named(node, paths)}
        loaded[module] = {name for node in tree.body for name in named(node, paths)} - {module}
    return everything, loaded


def test_rooms_import_what_the_table_says():
    found = defaultdict(set)
    everything, _ = imports()
    for module, names in everything.items():
        found[room(module)] |= {room(name) for name in names} - {room(module), ""}
    del found[""]
    assert {name: " ".join(sorted(below)) for name, below in found.items()} == LAYERS


def test_table_goes_down():
    rank = {name: number for number, name in enumerate(LAYERS)}
    for name, below in LAYERS.items():
        assert all(rank[other] < rank[name] for other in below.split()), name


def test_modules_have_no_circle():
    _, loaded = imports()
    TopologicalSorter(loaded).prepare()  # tells the circle if there is one


# The same for the RTL by folder: a shell names no other shell, and an engine no bus. What an engine
# names of others is what it is built around; that may only be an engine that stands alone.
RTL_LAYERS = {
    "rtl/common": "",
    "rtl/dma": "rtl/common",
    "rtl/engine/port": "rtl/common",
    "rtl/engine/*": "rtl/common rtl/engine/port",
    # A generator of random bits is made of engines, and is none on the port.
    "rtl/engine/rbg": "rtl/common rtl/engine/*",
    "rtl/engine/port/gen": "rtl/common rtl/engine/port rtl/engine/*",
    "rtl/shell/axis": "rtl/common rtl/dma rtl/engine/port rtl/engine/port/gen",
    "rtl/shell/hwpe": "rtl/common rtl/engine/port rtl/engine/port/gen",
    # Its lanes of one algorithm share a core, which is an engine of its own.
    "rtl/shell/tile": "rtl/common rtl/engine/* rtl/engine/port rtl/engine/port/gen",
    "soc/mcu": "rtl/common rtl/engine/port/gen rtl/shell/hwpe",
    "soc/stream": "rtl/common rtl/dma rtl/engine/port/gen rtl/shell/axis soc/mcu",
    "soc/tile": (
        "rtl/common rtl/engine/port/gen rtl/engine/rbg rtl/shell/axis rtl/shell/tile soc/mcu"
    ),
}


def level(folder):
    """The line of the table that a folder is in."""
    return folder if folder in RTL_LAYERS else str(Path(folder).parent / "*")


@cache
def homes():
    """The folder that each core stands in, and the modules and packages of its files."""
    cores, units = {}, {}
    for path in [*ROOT.glob("rtl/**/*.core"), *ROOT.glob("soc/**/*.core")]:
        folder = str(path.parent.relative_to(ROOT)).replace("tile/fpu", "tile")
        name = re.search(r"^name: (cryptile:\w+:\w+)", path.read_text(), re.M)[1]
        cores[name] = folder
        units |= {file.stem: folder for file in rtl.cores()[name].files}
    return cores, units


@cache
def named_by_the_rtl():
    """What the files and the ``.core`` files of each folder name of others."""
    cores, units = homes()
    units = units | {"cry_assert": "rtl/common"}
    names = re.compile(rf"\b({'|'.join(units)})\b")
    found = {folder: set() for folder in cores.values()}
    for name, core in rtl.cores().items():
        below = found[cores[name]]
        below |= {cores[other] for other in core.depends}
        for file in core.files:
            below |= {units[unit] for unit in names.findall(re.sub(r"//.*", "", file.read_text()))}
    return {folder: below - {folder} for folder, below in found.items()}


def test_the_rtl_names_what_the_table_says():
    found = defaultdict(set)
    for folder, below in named_by_the_rtl().items():
        found[level(folder)] |= {level(other) for other in below} - {level(folder)}
    assert {name: " ".join(sorted(below)) for name, below in found.items()} == {
        name: " ".join(sorted(below.split())) for name, below in RTL_LAYERS.items()
    }


def test_engines_within_engines_stand_alone():
    within = {
        folder: {other for other in below if level(other) == "rtl/engine/*"}
        for folder, below in named_by_the_rtl().items()
        if level(folder) == "rtl/engine/*"
    }
    assert any(within.values())
    for folder, others in within.items():
        assert not any(within[other] for other in others), folder


def test_table_of_the_rtl_goes_down():
    rank = {name: number for number, name in enumerate(RTL_LAYERS)}
    for name, below in RTL_LAYERS.items():
        assert all(rank[other] < rank[name] for other in below.split()), name


def test_a_file_of_the_rtl_has_one_unit_of_its_name():
    """With the project's prefix, for others' designs have modules and packages, too."""
    declared = re.compile(r"^(?:module|package|interface)\s+(?:automatic\s+)?(\w+)", re.M)
    files = list((ROOT / "rtl").glob("**/*.sv"))
    wrong = {file: declared.findall(file.read_text()) for file in files}
    wrong = {file: names for file, names in wrong.items() if names != [file.stem]}
    assert wrong == {}
    assert [file for file in files if not file.stem.startswith("cry_")] == []
    macros = re.compile(r"^\s*`define\s+(\w+)", re.M)
    named = [
        name
        for file in (ROOT / "rtl").glob("**/*.sv*")
        for name in macros.findall(file.read_text())
    ]
    assert named
    assert [name for name in named if not name.startswith(("CRY_", "CRYPTILE_"))] == []
