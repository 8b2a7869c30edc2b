"""What ``cryptile crypt`` does with keys in files of their own: sign, verify, agree."""

from collections.abc import Container, Mapping

from rich.console import Console
from rich.progress import TextColumn, TimeElapsedColumn

from cryptile.commands.shown import Shown
from cryptile.crypt import destination, public_key
from cryptile.crypt.pem import Form
from cryptile.crypt.request import Direction
from cryptile.crypt.run import leaving_nothing
from cryptile.crypt.simulated import ISA, MODEL
from cryptile.crypt.source import STDIN, held, is_stream
from cryptile.errors import UsageError
from cryptile.records import write_json

_ALWAYS = {"direction", "file", "alg", "soc", "clock", "json"}
_OUTPUT = {"force", "output"}
_TAKES = {
    Direction.sign: {"key_file", *_OUTPUT},
    Direction.verify: {"key_file", "signature"},
    Direction.agree: {"key_file", *_OUTPUT},
    Direction.keygen: {"form", *_OUTPUT},
    Direction.random: {"length", *_OUTPUT},
}


def refuse_others(
    given: Container[str], all_options: Mapping[str, object], direction: Direction
) -> None:
    """Refuse options of the ciphers, and of other directions.

    Args:
        given: tells which options stand on the command line.
        all_options: there are.
        direction: what is done without them.
    """
    for name in all_options:
        if name in given and name not in _ALWAYS | _TAKES[direction]:
            raise UsageError(f"{direction} takes no --{name.replace('_', '-')}: leave it out")


def _check_standard_input(given: public_key.Given) -> None:
    named = {"file": given.source, "key": given.key_file, "signature": given.signature}
    read = [what for what, file in named.items() if file and is_stream(file, STDIN)]
    if len(read) > 1:
        raise UsageError(f"standard input cannot be both the {read[0]} and the {read[1]}")


def run(given: public_key.Given, *, json: str | None, clock: float) -> None:
    """Check what was asked for, do it, and say what it took.

    Args:
        given: what stands on the command line.
        json: where records go, if anywhere.
        clock: MHz at which to state the time.
    """
    _check_standard_input(given)
    with leaving_nothing(), held(given.source, public_key.MAX_MESSAGE) as source:
        request = public_key.check(public_key.Given(**{**vars(given), "source": source}))
        with Shown(TextColumn("{task.description}"), TimeElapsedColumn()) as progress:
            progress.add_task(f"{given.direction} with {request.alg}", total=None)
            outcome = public_key.run(request)
    done = {
        Direction.sign: "signed",
        Direction.verify: "right signature of",
        Direction.agree: "agreed",
    }[given.direction]
    what = (
        request.name if given.direction is Direction.agree else f"{outcome.message_bytes:,} bytes"
    )
    into = f" into {destination.name(request.output)}" if request.output else ""
    told = Console(stderr=True)
    told.print(
        f"{done}{' with' if given.direction is Direction.agree else ''} {what}{into} "
        f"({request.alg}, key of {request.kind}; software library, {ISA} on model:{MODEL})\n"
        f"{outcome.cycles:,} cycles, {outcome.cycles / clock / 1000:.3f} ms at {clock:g} MHz",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if json:
        write_json(public_key.records(request, outcome), json)


def make(
    given: public_key.Given, length: int | None, form: Form, *, json: str | None, clock: float
) -> None:
    """Make a private key or random bytes, and say what it took and where the entropy is from.

    Args:
        given: what is asked for.
        length: how many random bytes.
        form: of a key.
        json: where records go, if anywhere.
        clock: MHz at which to state the time.
    """
    public_key.check_made(given, length)
    with leaving_nothing():
        outcome = public_key.make(given, length, form)
    assert given.output is not None, "checked"
    told = Console(stderr=True)
    told.print(
        f"made {outcome.message_bytes:,} bytes into {destination.name(given.output)} "
        f"({given.alg}; software library, {ISA} on model:{MODEL})\n"
        f"{outcome.cycles:,} cycles, {outcome.cycles / clock / 1000:.3f} ms at {clock:g} MHz\n"
        "CTR_DRBG with AES-256 (SP 800-90A), seeded once with 48 bytes of this computer's "
        "os.urandom(): nothing simulated is a source of entropy",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if json:
        write_json(public_key.records_made(given, outcome), json)
