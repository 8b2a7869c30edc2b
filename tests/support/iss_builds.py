"""Test programs for the instruction-set simulator: built with the cross compiler, cached."""

from pathlib import Path

from cryptile.toolchain import tools
from cryptile.toolchain.cache import build, digest
from cryptile.toolchain.gcc import compiler

INCLUDE = Path("/usr/lib/picolibc/riscv64-unknown-elf/include")


def program(
    *texts: str,
    march: str,
    sources: tuple[Path, ...] = (),
    flags: tuple[str, ...] = ("-O2",),
    headers: tuple[Path, ...] = (),
) -> Path:
    """Build sources (files, and texts: assembly, or C if they start with a comment ``//``).

    ``headers`` are what else the result depends on.
    """
    gcc = compiler()
    width, abi = ("64", "lp64") if march.startswith("rv64") else ("32", "ilp32")
    embedded = "e" if march[4] == "e" else ""
    options = [
        f"-mabi={abi}{embedded}",
        *tools.words("-mcmodel=medany -g -nostdlib -static -Wall -Wextra -Werror"),
        "-isystem",
        str(INCLUDE),
        *flags,
    ]

    def make(folder: Path) -> None:
        files = list(sources)
        for index, text in enumerate(texts):
            file = folder / f"text{index}.{'c' if text.startswith('//') else 'S'}"
            file.write_text(text)
            files.append(file)
        objects = []
        for index, file in enumerate(files):
            objects.append(folder / f"{index}.o")
            tools.run([gcc, f"-march={march}", *options, "-c", file, "-o", objects[-1]])
        # The link takes the library of a base set that GCC brings.
        base = f"rv{width}{'e' if embedded else 'im'}"
        out = folder / "program.elf"
        tools.run(
            [
                gcc,
                f"-march={base}",
                *options,
                "-Wl,--no-warn-rwx-segments",
                "-Wl,--no-relax",
                *objects,
                "-lgcc",
                "-o",
                out,
            ]
        )

    key = digest([*sources, *headers], texts, march, options)
    return build("iss-test-programs", key, make) / "program.elf"
