"""RTL with one text changed, for tests that must see the change."""

from pathlib import Path


def mutated(files: list[Path], change: tuple[str, str, str] | None, folder: Path) -> list[Path]:
    """Return the files, one of them changed and written into ``folder``.

    Args:
        files: of the design.
        change: the name of the file, a text that occurs once in it, what replaces it; None: none.
        folder: where the changed file goes.
    """
    if change is None:
        return files
    name, old, new = change
    (path,) = (file for file in files if file.name == name)
    text = path.read_text()
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new))
    return [folder / name if file == path else file for file in files]
