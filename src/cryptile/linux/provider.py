"""Builds the provider of OpenSSL, and programs that use OpenSSL, for the guest."""

from collections.abc import Sequence
from pathlib import Path

from cryptile.linux import packages, ring
from cryptile.project import ROOT
from cryptile.toolchain import cache, tools

FOLDER = ROOT / "sw/linux/provider"
MODULES = "/usr/lib/riscv64-linux-gnu/ossl-modules"
"""Where the guest's OpenSSL looks for providers."""

_TRIPLET = "riscv64-linux-gnu"


def module() -> Path:
    """Build the provider, if it is not in the cache, and return ``cryptile.so``.

    Raises:
        CryptileError: it does not build, or a package cannot be had.
    """
    root, compiler = openssl(), ring.compiler()
    inputs = ring.sources(FOLDER)

    def make(target: Path) -> None:
        tools.run(
            ["make", "-C", FOLDER, f"BUILD={target}", f"OPENSSL={root}", f"CC={compiler}"],
            log=target / "build.log",
        )

    key = cache.digest(inputs, str(root), tools.version(compiler))
    return cache.build("linux/provider", key, make, what="the provider") / "cryptile.so"


def files() -> dict[str, Path]:
    """Return the provider by its place in the guest; errors as above."""
    return {f"{MODULES}/cryptile.so": module()}


def program(*sources: Path, flags: Sequence[str | Path] = (), tls: bool = False) -> Path:
    """Build a program for the guest, with its libcrypto, if it is not in the cache; return it.

    Args:
        sources: its files; headers beside the first one are its own.
        flags: of the compiler.
        tls: with libssl, too.

    Raises:
        CryptileError: it does not build, or a package cannot be had.
    """
    root, compiler = openssl(), ring.compiler()
    name = sources[0].stem
    headers = sorted(sources[0].parent.glob("*.h"))
    includes = [f"-I{root}/usr/include", f"-I{root}/usr/include/{_TRIPLET}"]
    names = ["libssl.so.3"] * tls + ["libcrypto.so.3"]
    libraries = [f"{root}/usr/lib/{_TRIPLET}/{name}" for name in names]

    def make(target: Path) -> None:
        tools.run(
            [
                compiler,
                *ring.FLAGS,
                *includes,
                *flags,
                *sources,
                "-Wl,--allow-shlib-undefined",
                *libraries,
                "-o",
                target / name,
            ],
            log=target / "build.log",
        )

    inputs = [*sources, *headers]
    key = cache.digest(inputs, [*map(str, flags), *libraries], tools.version(compiler))
    return cache.build(f"linux/programs/{name}", key, make, what=f"the program {name}") / name


def openssl() -> Path:
    """Return a root with the guest's OpenSSL: headers and libraries; errors as above."""
    headers, libraries = packages.unpacked_set("openssl-dev")

    def make(target: Path) -> None:
        (target / "usr").mkdir()
        (target / "usr/include").symlink_to(headers / "usr/include")
        (target / "usr/lib").symlink_to(libraries / "usr/lib")

    key = cache.digest([], str(headers), str(libraries))
    return cache.build("linux/openssl", key, make)


def config(**settings: object) -> str:
    """Return an ``openssl.cnf`` with the provider beside OpenSSL's own, and its settings."""
    words = "".join(f"{name} = {value}\n" for name, value in settings.items())
    return f"""openssl_conf = openssl_init
[openssl_init]
providers = provider_sect
[provider_sect]
default = default_sect
cryptile = cryptile_sect
[default_sect]
activate = 1
[cryptile_sect]
activate = 1
{words}"""
