"""Which room of ``src/cryptile`` imports which: arrows only go down, inside functions too."""

import ast
from collections import defaultdict
from graphlib import TopologicalSorter

from cryptile.project import ROOT

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
    "report": "published records",
    "regs_storage": "errors",
    "regs": "errors notice project regs_storage",
    "layout": "catalog errors notice project regs",
    "toolchain": "errors project",
    "site": "project regs",
    "bender": "project toolchain",
    "flat": "project",
    "waves": "project",
    "pka": "catalog errors project",
    "generate": "bender catalog flat layout pka project regs waves",
    "sbom": "errors project",
    "doctor": "project toolchain",
    "asm": "errors toolchain",
    "library_sources": "project",
    "library": "asm library_sources project toolchain",
    "firmware": "asm catalog errors library_sources project toolchain",
    "export": "asm errors library project toolchain",
    "sim": "errors project toolchain",
    "systems": "catalog errors project toolchain",
    "linux": "catalog errors project systems toolchain",
    "jobs": "catalog errors layout",
    "netlist": "errors toolchain",
    "designs": "catalog errors netlist project toolchain",
    "synth": "catalog designs errors jobs netlist project published records toolchain",
    "faults": "designs errors jobs netlist published records toolchain",
    "modules": "catalog errors faults netlist project records toolchain",
    "prove": "designs errors faults modules netlist project toolchain",
    "crypt": "catalog errors firmware library linux records sim systems",
    "bench": "asm catalog errors firmware library library_sources linux project published records "
    "sim systems toolchain",
    "whatif": "bench records",
    "commands": "asm bench catalog crypt designs doctor errors export faults figures generate "
    "library linux modules netlist project prove published records regs report sbom sim synth "
    "systems toolchain whatif",
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


EVERYTHING, LOADED = imports()


def test_rooms_import_what_the_table_says():
    found = defaultdict(set)
    for module, names in EVERYTHING.items():
        found[room(module)] |= {room(name) for name in names} - {room(module), ""}
    del found[""]
    assert {name: " ".join(sorted(below)) for name, below in found.items()} == LAYERS


def test_table_goes_down():
    rank = {name: number for number, name in enumerate(LAYERS)}
    for name, below in LAYERS.items():
        assert all(rank[other] < rank[name] for other in below.split()), name


def test_modules_have_no_circle():
    TopologicalSorter(LOADED).prepare()  # tells the circle if there is one
