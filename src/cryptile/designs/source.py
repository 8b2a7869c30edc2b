"""What is built of a design."""

import tempfile
from pathlib import Path

from cryptile.catalog import Design, Faults, Level, variant_name
from cryptile.errors import UsageError
from cryptile.netlist.make import Source
from cryptile.project import ROOT
from cryptile.toolchain import rtl


def source(
    item: Design,
    variant: str,
    level: str,
    config: str | None = None,
    *,
    faults: Faults | None = None,
    folder: Path = ROOT,
) -> Source:
    """Return top module, parameters and files of a design.

    Args:
        item: the design.
        variant: one of its variants.
        level: one of the variant's ``levels``.
        config: one of its configurations; without one, parameters have their defaults.
        faults: a top module and files that only campaigns have, if any.
        folder: what files are named from.

    Raises:
        UsageError: there is no such file, or it is where Yosys does not see it.
    """
    made = item.tmr if level == Level.tmr else item.rtl
    assert made is not None
    parameters = dict(made.parameters)
    if made.select:
        assert item.engine
        parameters["Engine"] = variant_name(item.engine, variant, config)
    else:
        parameters |= item.variants[variant] | (item.configs[config] if config else {})
    if made.select or (item.protect and variant in (item.protected or ())):
        parameters["Protect"] = f"cry_protect_pkg::Protect{level.capitalize()}"
    files = rtl.resolve(*([made.core] if made.core else []))
    files.include_dirs += [(folder / name).resolve() for name in made.include_dirs]
    for name in (*made.files, *(faults.files if faults else ())):
        file = (folder / name).resolve()
        if not file.is_file():
            raise UsageError(f"there is no file {file}")
        if file.is_relative_to(tempfile.gettempdir()):
            raise UsageError(f"Yosys cannot read {file}: it sees no temporary folder")
        files.files.append(file)
    top = made.top if isinstance(made.top, str) else made.top[variant]
    values = {name: str(value) for name, value in parameters.items()}
    return Source((faults and faults.top) or top, files, values)
