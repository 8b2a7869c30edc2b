"""Commands of the DRBG as jobs: what each field says is in ``ports/drbg_port.sv``.

Entropy and additional input are words of 64 bits, one to a beat.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from cryptile.jobs.job import Job
from cryptile.jobs.port import AAD, MESSAGE, pack_beats

INTERVAL = 8
"""Requests between reseeds."""

_INSTANTIATE, _RESEED, _GENERATE = range(3)
_WORD = 8


@dataclass(frozen=True)
class Command(Job):
    """A command, with words of entropy in ``message`` and additional input in ``aad``."""

    def beats(self) -> Iterator[int]:
        """Yield the bits of every ``beat_t`` that the command takes."""
        if self.refused:
            return
        for kind, data in ((MESSAGE, self.message), (AAD, self.aad)):
            for start in range(0, len(data), _WORD):
                yield from pack_beats(data[start : start + _WORD], kind)

    def word(self) -> int:
        """Return the bits of ``job_t``, which counts no message."""
        return Job(
            self.mode,
            self.decrypt,
            0,
            b"",
            b"",
            None,
            self.aad,
            ctx_save=self.ctx_save,
            out_len=self.out_len,
        ).word()


def commands(rng: random.Random, count: int, size: int) -> list[Job]:
    """Return instances with and without derivation function, and requests of up to ``size``.

    The third command has a bad parameter: it is refused, and leaves the instance as it is.
    """
    found: list[Job] = []
    df, served = True, 0

    def put(op: int, words: int, predict: bool = False) -> None:
        most = 40 if df else 48
        added = rng.randbytes(rng.choice((0, 0, 8, rng.randrange(1, most))))
        length = rng.randrange(1, max(2, size + 1)) if op == _GENERATE else 0
        found.append(
            Command(
                op,
                df,
                0,
                b"",
                rng.randbytes(_WORD * words),
                None,
                added,
                ctx_save=predict,
                out_len=length,
            )
        )

    while len(found) < count:
        if len(found) == 2:
            too_long = bytes(49)  # without derivation function
            found.append(Command(_INSTANTIATE, False, 0, b"", b"", None, too_long, refused=True))
        elif not found or rng.random() < 0.1:
            df, served = rng.random() < 0.5, 0
            put(_INSTANTIATE, 6)
        elif rng.random() < 0.1:
            served = 0
            put(_RESEED, 4 if df else 6)
        else:
            predict = rng.random() < 0.1
            seeds = predict or served == INTERVAL
            put(_GENERATE, (4 if df else 6) if seeds else 0, predict)
            served = 1 if seeds else served + 1
    return found


KINDS = {"drbg": commands}
