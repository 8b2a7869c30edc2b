"""What engines promise of an alarm that let a right beat leave which waits at ``dst``.

That is a little less than ``cryptile.prove.ending`` shows of others: the beat is offered until it
is taken, and ``done`` comes behind it.
"""

from collections.abc import Mapping

from cryptile.prove.ending import DETECTED
from cryptile.prove.engines import words
from cryptile.prove.engines.replay import Replay
from cryptile.prove.forms import ONE, ZERO


def output(proof: Replay, name: str, values: Mapping[int, int] | None = None) -> int:
    """Return the value of an output of one bit."""
    return (values or proof.good)[proof.netlist.outputs[name][0]]


def nothing_else_leaves(proof: Replay, name: str, now: Mapping[int, int]) -> int:
    """Show what leaves under an alarm: the right beat, or nothing; return if it is offered."""
    for port, text in (("done_valid_o", "is done"), ("job_ready_o", "is taken")):
        proof.happens(output(proof, port, now), text=f"{name}: a job {text} under the alarm")
    leaves = output(proof, "dst_valid_o", now)
    proof.happens(
        leaves, output(proof, "dst_valid_o") ^ ONE, text=f"{name}: a beat leaves under the alarm"
    )
    beat = proof.netlist.outputs["dst_o"]
    proof.agree(
        (leaves,), [now[net] for net in beat], [proof.good[net] for net in beat],
        f"{name}: a wrong beat leaves under the alarm",
    )  # fmt: skip
    return leaves


def promised(proof: Replay, waits: int) -> None:
    """Show that behind an alarm the beat that waits is offered, and ``done`` comes behind it."""
    done = output(proof, "done_valid_o")
    fired = proof.forms.product(done, proof.asked[proof.netlist.inputs["done_ready_i"][0]])
    for first, second, text in (
        ([output(proof, "dst_valid_o")], [waits], "dst does not offer what waited"),
        ([done], [waits ^ ONE], "done does not come when nothing waits any more"),
        ([output(proof, "src_ready_o")], [ZERO], "a beat is taken"),
        ([output(proof, "key_ready_o")], [ZERO], "a key is taken"),
    ):
        proof.agree((), first, second, f"behind the alarm {text}")
    status = [proof.good[net] for net in proof.netlist.outputs["done_status_o"]]
    expected = words.number(DETECTED, len(status))
    proof.agree((done,), status, expected, "done has another status behind an alarm")
    proof.happens(
        output(proof, "job_ready_o"),
        fired ^ ONE,
        text="a job is taken behind the alarm before done",
    )
