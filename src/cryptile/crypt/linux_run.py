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
from cryptile.linux import boot, kbuild, machine, provider, wrapping
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

_FINDING, _REFUSED = 1, 3
_SEALED_FORMS = ("ecb", "cbc", "ctr", "xts")
_TOKENS = (64, 80, 96, 112)
"""Bytes of a token, by the blocks of its key."""

_COUNTED = re.compile(
    r"^crypt_file: jobs (\d+) cycles (\d+) refused (\d+) failed (\d+)", re.MULTILINE
)
_SCRIPT = """export OPENSSL_CONF=/openssl.cnf
insmod /cryptile.ko && exec crypt_file /request /message
"""
_SCRIPT_SEALED = """export OPENSSL_CONF=/openssl.cnf
insmod /cryptile.ko || exit 2
crypt_file /request /message
status=$?
mount -t debugfs none /sys/kernel/debug
sed 's/^/stats: /' /sys/kernel/debug/*.crypto/stats >&2
exit $status
"""
_KERNELS_JOBS = re.compile(r"^stats: jobs (\d+)$", re.MULTILINE)
_BOOT_SECONDS = 300
_SECONDS_PER_MIB = 300
"""More than the slowest algorithm's RTL takes to simulate."""


@dataclass(frozen=True)
class Outcome:
    """What a run took.

    Attributes:
        message_bytes: length of the input file.
        cycles: of the tile, from each job's descriptor to its end, in sum; None: with a sealed key,
            as the kernel does not tell.
        jobs: of the tile.
        output: what came out, if the request names no file for it.
    """

    message_bytes: int
    cycles: int | None
    jobs: int
    output: bytes = b""

    def describe(self, request: Request) -> str:
        """Return what the run took, in words."""
        into = f" into {destination.name(request.output)}" if request.output else ""
        sealed = ", a sealed key" if request.sealed else ""
        done = (
            f"{request.direction}ed {self.message_bytes:,} bytes{into} "
            f"({request.alg}{sealed}, OpenSSL with the tile on Linux in QEMU)\n{self.jobs:,} jobs"
        )
        if self.cycles is None:
            return f"{done} by the kernel"
        rate = self.cycles / max(self.message_bytes, 1)
        return (
            f"{done}, {self.cycles:,} cycles of the tile, {rate:.3f} cycles/byte; "
            "the processor's are not counted"
        )

    def records(self, request: Request) -> list[Record]:
        """Return the run's figures."""
        params = {
            "soc": "linux",
            "path": "provider-sealed" if request.sealed else "provider",
            "alg": request.alg,
            "direction": request.direction,
            "bytes": self.message_bytes,
        }
        jobs = Record("crypt", "jobs", self.jobs, "jobs", params)
        if self.cycles is None:
            return [jobs]
        return [Record("crypt", "tile_cycles", self.cycles, "cycles", params), jobs]


def check(request: Request) -> None:
    """Check what differs from the tile alone.

    Raises:
        UsageError: the message is too long, or a sealed key cannot be one for it.
    """
    if request.sealed:
        if _FORM[request.alg] not in _SEALED_FORMS:
            raise UsageError(f"{request.alg} takes no sealed key: leave --key-token out")
        if len(request.sealed.token) not in _TOKENS:
            raise UsageError(
                f"{request.sealed.path} has {len(request.sealed.token)} bytes: no token is as long"
            )
        wrapping.check(request.sealed.wrapping_key)
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
        UsageError: the output cannot be written, or the tile refuses the sealed key.
        CryptileError: the guest failed, or did its work in software.
    """
    length = request.source.stat().st_size
    driver = kbuild.driver()
    program = provider.program(provider.FOLDER / "crypt_file.c")
    files = {"/cryptile.ko": driver, "/bin/crypt_file": program, **provider.files()}
    modules, script, firmware = kbuild.software_of(driver), _SCRIPT, machine.FIRMWARE
    if request.sealed:
        modules = [*modules, "algif_skcipher"]
        script = wrapping.script(request.sealed.wrapping_key) + _SCRIPT_SEALED
        firmware = wrapping.properties(request.sealed.wrapping_key)
    on_built()
    config = provider.config(min_bytes=0).encode()
    with (
        leaving_nothing(),
        memory_file(config) as settings,
        memory_file(_packed(request)) as asked,
        memory_file() as made,
    ):
        ended = boot.boot(
            script,
            sets=["openssl"],
            modules=modules,
            files={
                **files,
                "/openssl.cnf": settings.path,
                "/request": asked.path,
                "/message": request.source,
            },
            command_line=["cryptomgr.notests=1"],
            firmware=firmware,
            seconds=_BOOT_SECONDS + _SECONDS_PER_MIB * (length >> 20),
        )
        found = _COUNTED.search(ended.console)
        jobs, cycles, refused, failed = map(int, found.groups()) if found else (0, 0, 0, 1)
        if request.sealed and ended.status == _REFUSED:
            raise UsageError(
                f"{request.sealed.path}: the tile refuses this token: it is damaged, for another "
                f"wrapping key, or not for {request.alg} in this direction"
            )
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
    output = b"" if request.output else ended.output
    if not request.sealed:
        return Outcome(length, cycles, jobs, output)
    told = _KERNELS_JOBS.search(ended.console)
    return Outcome(length, None, int(told[1]) if told else 0, output)


def _packed(request: Request) -> bytes:
    """Return the request as ``crypt_file.c`` reads it."""
    aead = OF_TILE[request.alg].kind is Kind.aead
    key = request.sealed.token if request.sealed else request.key
    head = struct.pack(
        "<32s8I",
        request.alg.encode(),
        request.direction is Direction.digest,
        request.direction is Direction.decrypt,
        request.padding is Padding.pkcs7,
        request.sealed is not None,
        len(key),
        len(request.iv),
        len(request.aad),
        request.length if aead else 0,
    )
    return head + key + request.iv + request.aad
