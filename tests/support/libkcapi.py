"""libkcapi's own tests for the guest, from Debian's source package, with the packaged library.

The archive is had over HTTPS once; its hash is checked, and what the tests are made of is kept in
the build cache.
"""

from pathlib import Path

from cryptile.linux import packages, ring
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools
from support.debian_source import unpack

VERSION = "1.4.0"
_URL = f"https://deb.debian.org/debian/pool/main/libk/libkcapi/libkcapi_{VERSION}.orig.tar.xz"
_SHA256 = "644b47593b3f27f08add7a8808ccdbe569a2f331d70fb8b52551e57379b917fa"
_PROGRAMS = {"kcapi": "kcapi-main", "kcapi-convenience": "kcapi-convenience",
             "kcapi-enc-test-large": "kcapi-enc-test-large"}  # fmt: skip
"""As its makefile names them, by their sources."""


def _fetch(folder: Path) -> None:
    unpack(_URL, _SHA256, ("lib/", "test/"), folder)


def _source() -> Path:
    return builds.build("libkcapi-tests", _SHA256[:20], _fetch, what="libkcapi's tests (0.3 MB)")


def programs() -> dict[str, Path]:
    """Build its test programs; return them by their names."""
    source, compiler = _source(), ring.compiler()
    library = next(packages.unpacked("libkcapi1").glob("usr/lib/*/libkcapi.so.1"))

    def make(target: Path) -> None:
        for name, of in _PROGRAMS.items():
            tools.run(
                [compiler, "-O2", "-w", f"-I{source / 'lib'}", source / f"test/{of}.c",
                 "-pthread", "-Wl,--allow-shlib-undefined", library, "-o", target / name],
                log=target / "build.log",
            )  # fmt: skip

    key = builds.digest([Path(__file__)], str(source), str(library), tools.version(compiler))
    made = builds.build("linux/programs/libkcapi", key, make, what="libkcapi's test programs")
    return {name: made / name for name in _PROGRAMS}


def scripts() -> dict[str, Path]:
    """Return its test scripts, by their names."""
    return {path.name: path for path in _source().glob("test/*.sh")}
