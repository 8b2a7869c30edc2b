"""Timing models of single-issue in-order cores for the instruction-set simulator.

An instruction issues when the one before has freed the issue stage and its operands are there. It
holds the issue stage for a number of cycles, and its result is there a latency after issue: a load
with latency 2 costs one stall if the next instruction uses what it loaded. ``sim/iss/README.md``
says how far the models of real cores are from their RTL.
"""

from dataclasses import dataclass, field, replace

from cryptile.errors import UsageError


@dataclass(frozen=True)
class Timing:
    """What instructions cost, in cycles."""

    name: str
    load_latency: int = 2
    """From the issue of a load to the issue of an instruction that uses it."""
    load_narrow_latency: int = 0
    """Of bytes and halfwords, if it is another."""
    load_cycles: int = 1
    """How long a load holds the issue stage; ``store_cycles``, ... likewise."""
    store_cycles: int = 1
    mul_latency: int = 1
    mul_cycles: int = 1
    mul_busy: int = 1
    """From one multiply to the next that the multiplier takes: the latency if not pipelined."""
    mul_variable: bool = False
    """The time of a multiply depends on its operands: secret ones are violations."""
    mulh_latency: int = 1
    mulh_cycles: int = 1
    div_cycles: int = 32
    """A division holds the issue stage until its result is there."""
    div_zero: int | None = None
    """A division by zero, if it takes another time."""
    div_per_bit: int = 0
    """Further cycles for each bit that ``div_early`` names."""
    div_early: str = ""
    """"dividend": significant bits of the dividend; "divisor": leading zeros of the divisor."""
    taken: int = 0
    """What a taken branch costs beyond its one cycle."""
    not_taken: int = 0
    static_prediction: bool = False
    """Backward branches are predicted taken, forward ones not; ``mispredicted`` replaces both."""
    mispredicted: int = 0
    jump: int = 0
    """What ``jal`` costs beyond its one cycle."""
    jump_register: int = 0
    jump_operand: int = 0
    """The address for ``jalr`` must be there so much earlier than other operands."""
    jump_same: int = 0
    """More for a ``jalr`` whose link register is also that of the address."""
    jump_hidden: int = 0
    """How much of a jump is hidden behind a ``mulh`` or division directly before it."""
    misaligned_target: int = 0
    """A jump or taken branch to a 32-bit instruction that is not on a word boundary."""
    class_cycles: dict[str, int] = field(default_factory=dict)
    """Cycles of other classes of instructions that are not 1: rotate, bitmanip, crypto, clmul..."""

    def but(self, name: str, **changes: object) -> "Timing":
        """Return this model under another name with some costs changed."""
        return replace(self, name=name, **changes)  # type: ignore[arg-type]


_UNIT = Timing("unit")
_LOADUSE = [_UNIT.but(f"loaduse{latency}", load_latency=latency) for latency in (1, 2, 3)]
_E31 = Timing(
    "e31",
    load_narrow_latency=3,
    mul_latency=5,
    mul_busy=5,
    mulh_latency=5,
    div_cycles=1,
    div_per_bit=1,
    div_early="dividend",
    static_prediction=True,
    mispredicted=3,
)
_CV32E40P = Timing(
    "cv32e40p",
    mulh_cycles=5,
    mulh_latency=5,
    div_cycles=3,
    div_per_bit=1,
    div_early="divisor",
    taken=2,
    jump=1,
    jump_register=1,
    jump_operand=1,
    jump_same=1,
    jump_hidden=1,
    misaligned_target=1,
    class_cycles={"system": 4},
)
_IBEX = Timing(
    "ibex",
    load_cycles=2,
    store_cycles=2,
    mulh_cycles=2,
    mulh_latency=2,
    div_cycles=37,
    div_zero=2,
    taken=2,
    jump=1,
    jump_register=1,
    misaligned_target=1,
    class_cycles={"rotate": 2},
)

MODELS: dict[str, Timing] = {
    model.name: model
    for model in [
        *_LOADUSE,
        _E31,
        _CV32E40P,
        _IBEX,
        _IBEX.but("ibex-fast-mul", mul_cycles=3, mul_latency=3, mulh_cycles=4, mulh_latency=4),
        _IBEX.but("ibex-slow-mul", mul_cycles=33, mul_latency=33, mulh_cycles=34, mulh_latency=34,
                  mul_variable=True),
    ]
}  # fmt: skip
"""The models by name."""


def find(model: str | Timing) -> Timing:
    """Return a model by its name.

    Raises:
        UsageError: there is none of that name.
    """
    if isinstance(model, Timing):
        return model
    if model not in MODELS:
        raise UsageError(f"no timing model named {model}; known: {', '.join(MODELS)}")
    return MODELS[model]
