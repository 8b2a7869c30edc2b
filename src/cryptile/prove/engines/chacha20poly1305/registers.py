"""What the proof knows of ``chacha20poly1305_engine``: names, states and ranges."""

from cryptile.netlist.gates import Netlist
from cryptile.prove.cuts import Abstract, Cut, abstract
from cryptile.prove.engines.replay import Replay, Source
from cryptile.prove.groups import Group

STREAM, CORE, MAC = "u_keystream.", "u_keystream.gen_opt.u_core.", "gen_poly1305.u_poly1305."
STEPPED, ROW, SUM = f"{CORE}stepped", f"{STREAM}row_o", f"{MAC}sum"
WRONG = f"{STREAM}wrong"

LAST_STATE, LAST_ROUND, MOST_TRIES = 9, 9, 2
STATE_ONE_TIME, STATE_AAD, STATE_MESSAGE, STATE_LENGTHS, STATE_FINAL, STATE_TAG = range(2, 8)
FLAG_TAG, FLAG_STREAM = 2, 3

KEY, COUNTER, NONCE = slice(128, 384), slice(384, 416), slice(416, 512)
"""Places in the first state of a block."""


def without_arithmetic(netlist: Netlist) -> Abstract:
    """Take out of a netlist what the proof needs to know nothing of."""
    cuts = [Cut(STEPPED), Cut(ROW)]
    # What the argument names must not be lost with what reads it.
    names = [f"{CORE}{name}" for name in ("load", "step", "hold", "out_valid_o", "fault_o")]
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
        core: the state of the core.
        block: the finished block.
        count: double rounds that the core has done.
        busy: the core holds something.
        full: there is a finished block.
        ahead: blocks begun.
        row: the row to leave next.
        tries: replays since a row has left.
        counter: of the oldest block that has not left wholly.
        sources: what can begin again.
    """

    def __init__(self, proof: Replay) -> None:
        """Find them."""
        self.core, self.block = (
            next(group for group in proof.groups if group.scope == scope and group.width == 512)
            for scope in (CORE, f"{STREAM}gen_buffer.")
        )
        control = proof.copies(f"{CORE}u_control.")
        self.count, self.busy = control[:-1], control[-1]
        (self.full,) = proof.copies(f"{STREAM}gen_buffer.u_full.")
        control = proof.copies(f"{STREAM}gen_control.u_control.")
        self.ahead, self.row, self.tries = control[:5], control[5:7], control[7:]
        self.counter = proof.copies(f"{STREAM}u_ctr.")
        restart = _flops([*self.count, self.busy, self.full, *self.ahead, *self.tries])
        self.sources = [
            Source("core", (self.core,), proof.net(f"{CORE}fault_o"), proof.net(f"{CORE}busy_q"),
                   restart),
            Source("block", (self.block,), proof.net(f"{STREAM}row_fault"),
                   proof.net(f"{STREAM}offered"), restart, proof.net(f"{STREAM}row_valid_o")),
        ]  # fmt: skip

    @property
    def occupied(self) -> list[Group]:
        """Registers that are zero while there is no key stream."""
        return [self.busy, self.full, *self.ahead]


class Mac:
    """The registers of Poly1305.

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
        (self.partial,) = (
            group for group in proof.groups if group.scope.startswith(f"{MAC}gen_digits.u_acc.")
        )
        self.source = Source(
            "product", (self.partial,), proof.net(f"{MAC}acc_fault"), proof.net(f"{MAC}pending_q"),
            _flops(self.steps), proof.net(f"{MAC}last"),
        )  # fmt: skip


def _flops(groups: list[Group]) -> frozenset[int]:
    return frozenset(flop for group in groups for flop in group.flops)
