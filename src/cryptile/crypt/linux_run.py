"""Runs a checked request in booted Linux, by OpenSSL with the tile's provider.

The system is the functional one: QEMU, with the tile's RTL as a device. Cycles of the tile are
true, those of the processor are not counted.
"""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

from cryptile import catalog
from cryptile.catalog import Kind
from cryptile.crypt import destination
from cryptile.crypt.request import Direction, Padding, Request
from cryptile.crypt.run import leaving_nothing
from cryptile.crypt.source import named
from cryptile.crypt.tile_algorithms import ALGORITHMS as OF_TILE
from cryptile.errors import CryptileError, FindingError, UsageError
from cryptile.linux import boot, kbuild, provider
from cryptile.records import Record
from cryptile.systems.harness import memory_file

_FORMS = ("ecb", "cbc", "ctr", "xts", "gcm", "ccm", "aead")
_ONE_JOB = "aead"
"""The form of which the tile takes no parts."""

_FORM = {
    name: alg.form
    for name, alg in catalog.algorithms_on("tile").items()
    if alg.form in _FORMS or (alg.form == "hash" and alg.hashlib)
}
ALGORITHMS = tuple(_FORM)
"""The words for ``--alg``: what the provider has."""

MAX_BYTES = 16 << 20
"""The longest message: it is in the guest's memory several times."""

_MAX_IN_ONE = 1 << 16

_FINDING = 1
_COUNTED = re.compile(
    r"^crypt_file: jobs (\d+) cycles (\d+) refused (\d+) failed (\d+)", re.MULTILINE
)
_SCRIPT = """export OPENSSL_CONF=/openssl.cnf
insmod /cryptile.ko && exec crypt_file /request /message
"""
_BOOT_SECONDS = 300
_SECONDS_PER_MIB = 300
"""More than the slowest algorithm's RTL takes to simulate."""


@dataclass(frozen=True)
class Outcome:
    """What a run took.

    Attributes:
        message_bytes: length of the input file.
        cycles: of the tile, from each job's descriptor to its end, in sum.
        jobs: of the tile.
        output: what came out, if the request names no file for it.
    """

    message_bytes: int
    cycles: int
    jobs: int
    output: bytes = b""

    def describe(self, request: Request) -> str:
        """Return what the run took, in words."""
        into = f" into {destination.name(request.output)}" if request.output else ""
        rate = self.cycles / max(self.message_bytes, 1)
        return (
            f"{request.direction}ed {self.message_bytes:,} bytes{into} "
            f"({request.alg}, OpenSSL with the tile on Linux in QEMU)\n"
            f"{self.jobs:,} jobs, {self.cycles:,} cycles of the tile, {rate:.3f} cycles/byte; "
            "the processor's are not counted"
        )

    def records(self, request: Request) -> list[Record]:
        """Return the run's figures."""
        params = {
            "soc": "linux",
            "path": "provider",
            "alg": request.alg,
            "direction": request.direction,
            "bytes": self.message_bytes,
        }
        return [
            Record("crypt", "tile_cycles", self.cycles, "cycles", params),
            Record("crypt", "jobs", self.jobs, "jobs", params),
        ]


def check(request: Request) -> None:
    """Check what differs from the tile alone.

    Raises:
        UsageError: the message is too long.
    """
    most = _MAX_IN_ONE if _FORM[request.alg] == _ONE_JOB else MAX_BYTES
    if request.source.stat().st_size > most:
        raise UsageError(
            f"{named(request.source)} has more than the {most} bytes of {request.alg} on linux"
        )


def run(request: Request, *, on_built: Callable[[], None]) -> Outcome:
    """Build what is missing, boot, and put the output in its place.

    The output appears under its name only when all of it is right: on any failure there is none.
    Until then it is in memory alone, as are key and parameters, and the guest's memory is.

    Args:
        request: what to do.
        on_built: called when all is ready to boot.

    Raises:
        FindingError: the ciphertext's padding or tag is wrong.
        UsageError: the output cannot be written.
        CryptileError: the guest failed, or did its work in software.
    """
    length = request.source.stat().st_size
    driver = kbuild.driver()
    program = provider.program(provider.FOLDER / "crypt_file.c")
    files = {"/cryptile.ko": driver, "/bin/crypt_file": program, **provider.files()}
    on_built()
    config = provider.config(min_bytes=0).encode()
    with (
        leaving_nothing(),
        memory_file(config) as settings,
        memory_file(_packed(request)) as asked,
        memory_file() as made,
    ):
        ended = boot.boot(
            _SCRIPT,
            sets=["openssl"],
            modules=kbuild.software_of(driver),
            files={
                **files,
                "/openssl.cnf": settings.path,
                "/request": asked.path,
                "/message": request.source,
            },
            command_line=["cryptomgr.notests=1"],
            seconds=_BOOT_SECONDS + _SECONDS_PER_MIB * (length >> 20),
        )
        found = _COUNTED.search(ended.console)
        jobs, cycles, refused, failed = map(int, found.groups()) if found else (0, 0, 0, 1)
        if refused or failed or ended.status not in (0, _FINDING):
            raise CryptileError(f"the guest failed:\n{boot.end_of(ended.console)}")
        if ended.status == _FINDING:
            raise FindingError(
                f"{named(request.source)}: wrong tag or padding: wrong key, IV or --aad, or "
                "damaged data"
            )
        if request.output:
            made.path.write_bytes(ended.output)
            plaintext = request.direction is Direction.decrypt
            mode = destination.PLAINTEXT if plaintext else destination.OTHER
            destination.write(request.output, made.path, mode=mode, force=request.force)
    return Outcome(length, cycles, jobs, b"" if request.output else ended.output)


def _packed(request: Request) -> bytes:
    """Return the request as ``crypt_file.c`` reads it."""
    aead = OF_TILE[request.alg].kind is Kind.aead
    head = struct.pack(
        "<32s7I",
        request.alg.encode(),
        request.direction is Direction.digest,
        request.direction is Direction.decrypt,
        request.padding is Padding.pkcs7,
        len(request.key),
        len(request.iv),
        len(request.aad),
        request.length if aead else 0,
    )
    return head + request.key + request.iv + request.aad
