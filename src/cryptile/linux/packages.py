"""Debian packages of the guest: fetched once by their pinned hashes, unpacked without root."""

from pathlib import Path

from cryptile import catalog
from cryptile.errors import CryptileError, UsageError
from cryptile.toolchain import cache, tools
from cryptile.toolchain.download import checked, https


def unpacked(name: str) -> Path:
    """Return the folder with a package's files, fetching it the first time.

    Args:
        name: of the package, as ``catalog/linux.yaml`` has it.

    Raises:
        CryptileError: it cannot be had, or is not what was pinned; the text names it.
    """
    said = catalog.linux()
    if name not in said.packages:
        raise CryptileError(f"{name} has no row in catalog/linux.yaml: run 'cryptile linux pin'")
    package, full_name = said.packages[name], said.full_name(name)
    url = f"{said.mirror}/{package.file}"

    def make(folder: Path) -> None:
        try:
            data = https(url)
        except CryptileError as error:
            raise CryptileError(
                f"{error}: Debian keeps a package's current version alone; if the machine reaches "
                "the mirror, 'cryptile linux pin' writes today's versions into catalog/linux.yaml"
            ) from error
        archive = folder / "package.deb"
        archive.write_bytes(checked(data, package.hash, url))
        tools.run([tools.find("dpkg-deb", "dpkg"), "-x", archive, folder])
        archive.unlink()

    what = f"the files of {full_name} ({package.bytes / 1e6:.1f} MB to fetch)"
    return cache.build(f"linux/packages/{full_name}", package.hash[:20], make, what=what)


def unpacked_set(name: str) -> list[Path]:
    """Return the folders of all packages of a set of ``catalog/linux.yaml``; errors as above.

    Raises:
        UsageError: there is no such set.
    """
    sets = catalog.linux().sets
    if name not in sets:
        raise UsageError(f"no set of packages named {name}: choose from {', '.join(sets)}")
    return [unpacked(package) for package in sets[name]]
