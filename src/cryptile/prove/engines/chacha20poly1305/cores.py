"""The cores of ChaCha20 as netlists have them: their registers, and what their names are.

All have these attributes:

* ``scope``: hierarchical name, with a dot behind it;
* ``kept``: names below it that the argument needs;
* ``poly_steps``: steps of a multiplication of the Poly1305 beside it;
* ``places``: of the blocks in it, and ``progress``: how far the block in each place is;
* ``restart``: all its control;
* ``occupied``: registers that are zero while it is empty;
* ``bounded``: numbers with the highest that they reach;
* ``cases``: in which flips are looked at.
"""

from collections.abc import Mapping

from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.replay import Place, Replay

STREAM = "u_keystream."
ROUNDS, BLOCK = 20, 512


class Single:
    """A core of one block, which counts its steps.

    Attributes:
        count: steps done.
        busy: there is a block.
        last: the count at which the block is offered.
        given: name, below the scope, of the block that is offered.
    """

    scope: str
    last: int
    given: str
    poly_steps: int
    kept: tuple[str, ...] = ("load", "step", "hold", "out_valid_o", "fault_o")
    cases: tuple[Mapping[int, int], ...] = ({},)

    def __init__(self, proof: Replay) -> None:
        """Find the registers."""
        (group,) = (
            group for group in proof.groups if group.scope == self.scope and group.width == BLOCK
        )
        control = proof.copies(f"{self.scope}u_control.")
        self.count, self.busy = control[:-1], control[-1]
        self.places = [Place("the core", group, self.busy)]
        self.progress = [self.count]
        self.restart = control
        self.occupied = [self.busy]
        self.bounded = [(self.count, self.last)]


class Opt(Single):
    """``cry_chacha20_core_opt``: a double round per step, the last of which is given at once."""

    scope = f"{STREAM}gen_opt.u_core."
    last, given, poly_steps = 9, "stepped", 2

    @staticmethod
    def arithmetic(netlist: Netlist) -> list[str]:
        """List the names of what a step computes."""
        return ["stepped"]


class Std(Single):
    """``cry_chacha20_core_std``: a quarter round per step; words move on until used."""

    scope = f"{STREAM}gen_std.u_core."
    last, given, poly_steps = 80, "state_q", 18
    kept = (*Single.kept, "operands")

    def __init__(self, proof: Replay) -> None:
        """Find the registers, and tell the kinds of steps apart: column, diagonal, the last."""
        super().__init__(proof)
        count = [group.flops for group in self.count]
        cases: list[dict[int, int]] = [proof.number_held(self.count, self.last)]
        # Below 64, and from 64 to 79; bit 2 says which operands are taken.
        for known in ({6: 0}, {6: 1, 5: 0, 4: 0}):
            for diagonal in (0, 1):
                bits = {**known, 2: diagonal}
                cases.append({flop: bits[bit] for bit in bits for flop in count[bit]})
        self.cases = tuple(cases)

    @staticmethod
    def arithmetic(netlist: Netlist) -> list[str]:
        """List the names of what a step computes."""
        return ["results"]


class Ring:
    """``cry_chacha20_core_ring``: stages of a round each, through which blocks go round.

    Attributes:
        passes: how often each block has been round the ring, by stage.
        valid: there is a block, by stage.
        last: passes of a block that is offered.
    """

    scope = f"{STREAM}gen_ring.u_core."
    poly_steps = 1
    kept: tuple[str, ...] = (
        "load",
        "again",
        "advance",
        "out_valid_o",
        "fault_o",
        "flush_i",
    )
    cases: tuple[Mapping[int, int], ...] = ({},)

    def __init__(self, proof: Replay) -> None:
        """Find the registers."""
        stages = len(proof.netlist.aliases[f"{self.scope}valid_q"])
        width = len(proof.netlist.aliases[f"{self.scope}pass_q"]) // stages
        (group,) = (
            group
            for group in proof.groups
            if group.scope == self.scope and group.width == BLOCK * stages
        )
        control = proof.copies(f"{self.scope}u_control.")
        self.valid = control[-stages:]
        self.passes = [control[width * (s + 1) : width * (s + 2)] for s in range(stages)]
        self.last = ROUNDS // stages - 1
        self.places = [
            Place(f"stage {s}", part, self.valid[s])
            for s, part in enumerate(proof.split(group, BLOCK))
        ]
        self.progress = self.passes
        self.restart = control
        self.occupied = self.valid
        self.bounded = [(word, self.last) for word in self.passes]

    @staticmethod
    def arithmetic(netlist: Netlist) -> list[str]:
        """List the names of what a step computes, by stage."""
        stages = len(netlist.aliases[f"{Ring.scope}valid_q"])
        return [f"gen_stage[{s}].column" for s in range(stages)]


Core = Opt | Std | Ring

KINDS: tuple[type[Opt], type[Std], type[Ring]] = (Opt, Std, Ring)


def kind(netlist: Netlist) -> type[Core]:
    """Return which core a netlist has."""
    return next(core for core in KINDS if f"{core.scope}fault_o" in netlist.aliases)
