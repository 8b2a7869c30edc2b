"""What the proof knows of ``cry_chacha20poly1305_engine``: names, states and ranges."""

from cryptile.netlist.gates import Netlist
from cryptile.prove.cuts import Abstract, Cut, abstract
from cryptile.prove.engines.chacha20poly1305.cores import BLOCK, STREAM, kind
from cryptile.prove.engines.replay import Place, Replay, Source
from cryptile.prove.groups import Group

MAC = "gen_poly1305.u_poly1305."
ROW, SUM, PARTIAL = f"{STREAM}row_o", f"{MAC}sum", f"{MAC}gen_digits.u_acc."
WRONG = f"{STREAM}wrong"

LAST_STATE, MOST_TRIES = 9, 2
STATE_ONE_TIME, STATE_AAD, STATE_MESSAGE, STATE_LENGTHS, STATE_FINAL, STATE_TAG = range(2, 8)
STATE_IDLE, STATE_DONE = 0, 9
FLAG_TAG, FLAG_STREAM = 2, 3

OUTPUT = "u_dst."
CAUSES = {
    "gen_key[0].": "key_detected",
    "gen_key[1].": "key_detected",
    "u_params.": "params_detected",
    OUTPUT: "dst_wrong",
    f"{STREAM}u_ctr.": f"{STREAM}ctr_detected",
    "gen_poly1305.u_r.": "gen_poly1305.r_detected",
    "gen_poly1305.u_s.": "gen_poly1305.s_detected",
    f"{MAC}u_x.": f"{MAC}x_detected",
}
"""Registers that notice at ProtectDetect, by their scope, with the name of what tells of it."""

LATE = ("u_params.", f"{STREAM}u_ctr.")
"""Registers that a job writes as it begins, and nothing else: nothing wipes them."""

KEY, COUNTER, NONCE = slice(128, 384), slice(384, 416), slice(416, 512)
"""Places in the first state of a block."""


def without_arithmetic(netlist: Netlist) -> Abstract:
    """Take out of a netlist what the proof needs to know nothing of."""
    core = kind(netlist)
    cuts = [Cut(f"{core.scope}{name}") for name in core.arithmetic(netlist)] + [Cut(ROW)]
    # What the argument names must not be lost with what reads it.
    names = [f"{core.scope}{name}" for name in core.kept]
    names += [
        f"{STREAM}{name}" for name in ("last_fire", "row_valid_o", "in_block", "fault", "row_fault")
    ]
    if SUM in netlist.aliases:
        cuts.append(Cut(SUM, f"{MAC}in_fire"))
        names += [f"{MAC}{name}" for name in ("last", "in_ready_o", "in_fire", "acc_fault")]
    sinks = [net for name in (*names, WRONG, "active") for net in netlist.aliases[name]]
    return abstract(netlist, cuts, sinks)


class Stream:
    """The registers of the key stream.

    Attributes:
        core: of the core.
        block: the place of the finished block.
        full: there is a finished block.
        ahead: blocks begun.
        row: the row to leave next.
        tries: replays since a row has left, if there are replays.
        counter: of the oldest block that has not left wholly.
        sources: core and block, which can begin again.
    """

    def __init__(self, proof: Replay) -> None:
        """Find them."""
        self.core = kind(proof.netlist)(proof)
        (self.full,) = proof.copies(f"{STREAM}gen_buffer.u_full.")
        tried = f"{STREAM}gen_control.u_control." in {group.scope for group in proof.groups}
        control = proof.copies(f"{STREAM}gen_{'control' if tried else 'no_tries'}.u_control.")
        self.ahead, self.row, self.tries = control[:5], control[5:7], control[7:]
        self.counter = proof.copies(f"{STREAM}u_ctr.")
        (group,) = (
            group
            for group in proof.groups
            if group.scope == f"{STREAM}gen_buffer." and group.width == BLOCK
        )
        self.block = Place("the block", group, self.full)
        restart = _flops([*self.core.restart, self.full, *self.ahead, *self.tries])
        rows = tuple(proof.number_held(self.row, number) for number in range(4))
        self.sources = [
            Source(
                "core",
                tuple(self.core.places),
                proof.net(f"{self.core.scope}fault_o"),
                restart,
                cases=self.core.cases,
            ),
            Source(
                "block",
                (self.block,),
                proof.net(f"{STREAM}row_fault"),
                restart,
                proof.net(f"{STREAM}row_valid_o"),
                rows,
            ),
        ]

    @property
    def occupied(self) -> list[Group]:
        """Registers that are zero while there is no key stream."""
        return [*self.core.occupied, self.full, *self.ahead]


class Mac:
    """The registers of a Poly1305 that multiplies in several steps.

    Attributes:
        steps: digits of r that were multiplied.
        pending: a multiplication is under way.
        partial: the product in the making.
        source: that it can begin again.
    """

    def __init__(self, proof: Replay) -> None:
        """Find them."""
        control = proof.copies(f"{MAC}u_control.")
        self.steps, self.pending = control[:-2], control[-1]
        (self.partial,) = (group for group in proof.groups if group.scope.startswith(PARTIAL))
        self.source = Source(
            "product",
            (Place("the product in the making", self.partial, self.pending),),
            proof.net(f"{MAC}acc_fault"),
            _flops(self.steps),
            proof.net(f"{MAC}last"),
            (dict.fromkeys(self.pending.flops, 1),),
        )


def _flops(groups: list[Group]) -> frozenset[int]:
    return frozenset(flop for group in groups for flop in group.flops)
