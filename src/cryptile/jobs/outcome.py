"""What a job of an engine gives, computed without the engine."""

from dataclasses import dataclass

from cryptile.jobs.job import Job
from cryptile.jobs.port import AUTH_FAILED, BAD_PARAM, CONTEXT, MESSAGE, OK, TAG, pack_beats


@dataclass(frozen=True)
class Outcome:
    """How a job ends, and what it gives.

    Attributes:
        status: as the engine port has it.
        message: the message that comes out.
        tag: the tag, digest or code behind it.
        context: what continues the message.
    """

    status: int = OK
    message: bytes = b""
    tag: bytes = b""
    context: bytes = b""

    def beats(self) -> list[int]:
        """Return the bits of every ``beat_t`` that the job gives."""
        parts = (self.message, MESSAGE), (self.tag, TAG), (self.context, CONTEXT)
        return [beat for data, kind in parts for beat in pack_beats(data, kind)]


REFUSED = Outcome(BAD_PARAM)
"""Of a job with a bad parameter."""


def judged(job: Job, tag: bytes, message: bytes = b"") -> Outcome:
    """Return what a job gives whose tag should be ``tag``: the tag, or whether it came in."""
    if not job.decrypt:
        return Outcome(OK, message, tag)
    return Outcome(OK if job.tag == tag else AUTH_FAILED, message)
