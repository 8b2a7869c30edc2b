"""What engines promise of an alarm that let a right beat leave which waits at ``dst``.

That is a little less than ``cryptile.prove.ending`` shows of others: the beat is offered until it
is taken, and ``done`` comes behind it.
"""

from collections.abc import Mapping

from cryptile.prove.ending import DETECTED
from cryptile.prove.engines import words
from cryptile.prove.engines.claims import Claims
from cryptile.prove.forms import ONE


def output(proof: Claims, name: str, values: Mapping[int, int] | None = None) -> int:
    """Return the value of an output of one bit."""
    return (values or proof.good)[proof.netlist.outputs[name][0]]


def nothing_else_leaves(proof: Claims, name: str, now: Mapping[int, int]) -> int:
    """Show what leaves under an alarm: the right beat, or nothing; return if it is offered."""
    for port, text in (("done_valid_o", "is done"), ("job_ready_o", "is taken")):
        proof.happens(output(proof, port, now), text=f"{name}: a job {text} under the alarm")
    return no_wrong_beat_leaves(proof, name, now)


def no_wrong_beat_leaves(proof: Claims, name: str, now: Mapping[int, int]) -> int:
    """Show that ``dst`` offers the right beat under an alarm, or none; return if it does."""
    leaves = output(proof, "dst_valid_o", now)
    proof.happens(
        leaves, output(proof, "dst_valid_o") ^ ONE, text=f"{name}: a beat leaves under the alarm"
    )
    beat = proof.netlist.outputs["dst_o"]
    proof.agree(
        (leaves,),
        [now[net] for net in beat],
        [proof.good[net] for net in beat],
        f"{name}: a wrong beat leaves under the alarm",
    )
    return leaves


def promised(proof: Claims, waits: int) -> None:
    """Show that behind an alarm the beat that waits is offered, and ``done`` comes behind it."""
    done_follows(proof, waits)
    nothing_is_taken(proof)
    proof.happens(
        output(proof, "job_ready_o"),
        done_fires(proof) ^ ONE,
        text="a job is taken behind the alarm before done",
    )


def done_fires(proof: Claims) -> int:
    """Say as a form whether a job ends."""
    ready = proof.asked[proof.netlist.inputs["done_ready_i"][0]]
    return proof.forms.product(output(proof, "done_valid_o"), ready)


def done_follows(proof: Claims, waits: int) -> None:
    """Show that ``dst`` offers the beat that waits, and that ``done`` tells of the fault then."""
    done = output(proof, "done_valid_o")
    for first, second, text in (
        ([output(proof, "dst_valid_o")], [waits], "dst does not offer what waited"),
        ([done], [waits ^ ONE], "done does not come when nothing waits any more"),
    ):
        proof.agree((), first, second, f"behind the alarm {text}")
    status = [proof.good[net] for net in proof.netlist.outputs["done_status_o"]]
    expected = words.number(DETECTED, len(status))
    proof.agree((done,), status, expected, "done has another status behind an alarm")


def nothing_is_taken(proof: Claims) -> None:
    """Show that nothing of a job is taken behind an alarm."""
    for port, text in (("src_ready_o", "a beat"), ("key_ready_o", "a key")):
        proof.happens(output(proof, port), text=f"behind the alarm {text} is taken")
