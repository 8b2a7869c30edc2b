"""OpenSSL's own ``evp_test`` for the guest, from Debian's source package.

The archive is had over HTTPS once; its hash is checked, and what the test is made of is kept in the
build cache.
"""

from pathlib import Path

from cryptile.linux import provider
from cryptile.toolchain import cache as builds
from support.debian_source import unpack

VERSION = "3.5.7"
_URL = f"https://deb.debian.org/debian/pool/main/o/openssl/openssl_{VERSION}.orig.tar.gz"
_SHA256 = "a8c0d28a529ca480f9f36cf5792e2cd21984552a3c8e4aa11a24aa31aeac98e8"
_DATA = "test/recipes/30-test_evp_data"
_WANTED = (
    "include/",
    "apps/include/",
    "apps/lib/opt.c",
    "crypto/evp/",
    "test/testutil",
    "test/evp_test.c",
    f"{_DATA}/evp",
)


def _fetch(folder: Path) -> None:
    unpack(_URL, _SHA256, _WANTED, folder)


def _source() -> Path:
    return builds.build("openssl-tests", _SHA256[:20], _fetch, what="OpenSSL's tests (53 MB)")


def program() -> Path:
    """Return ``evp_test``, with the guest's libcrypto."""
    source = _source()
    return provider.program(
        source / "test/evp_test.c",
        *sorted((source / "test/testutil").glob("*.c")),
        source / "apps/lib/opt.c",
        # What a test has of its own stands before the defaults of the others.
        flags=[
            "-w",
            "-Wno-error",
            *(f"-I{source / name}" for name in ("include", "apps/include", ".", "test")),
            "-Wl,-z,muldefs",
        ],
    )


def vectors(name: str) -> Path:
    """Return a file of test vectors."""
    return _source() / _DATA / name
