"""Timing models of single-issue in-order cores for the instruction-set simulator.

An instruction issues when the one before has freed the issue stage and its operands are there. It
holds the issue stage for a number of cycles, and its result is there a latency after issue: a load
with latency 2 costs one stall if the next instruction uses what it loaded. ``sim/iss/README.md``
says how far the models of real cores are from their RTL.
"""

from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import msgspec

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


EARLY = ("", "dividend", "divisor")
"""What a division may depend on, in the order of ``iss_timing_t``."""

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
        _IBEX.but(
            "ibex-slow-mul",
            mul_cycles=33,
            mul_latency=33,
            mulh_cycles=34,
            mulh_latency=34,
            mul_variable=True,
        ),
    ]
}
"""The models by name."""


def find(model: str | Timing) -> Timing:
    """Return a model by its name, or from a YAML file.

    Raises:
        UsageError: there is none of that name, or the file holds no model.
    """
    if isinstance(model, Timing):
        return model
    if model.endswith((".yaml", ".yml")):
        return read(Path(model))
    if model not in MODELS:
        raise UsageError(
            f"no timing model named {model}; known: {', '.join(MODELS)}; or a .yaml file"
        )
    return MODELS[model]


def read(path: Path) -> Timing:
    """Return the model of a YAML file: what :class:`Timing` has, and ``base``, a model to change.

    The name is that of the file; the base is ``loaduse1`` if none is named.

    Raises:
        UsageError: it cannot be read, or has other words or values that a model cannot have.
    """
    try:
        said = msgspec.yaml.decode(path.read_bytes(), type=dict[str, object])
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
    if path.stem in MODELS:
        raise UsageError(
            f"{path}: {path.stem} is the name of a model that there is: rename the file"
        )
    words = [field.name for field in fields(Timing) if field.name != "name"]
    if others := said.keys() - {"base", *words}:
        raise UsageError(f"{path}: no word {min(others)}; known: base, {', '.join(words)}")
    base = said.pop("base", "loaduse1")
    if not isinstance(base, str) or base not in MODELS:
        raise UsageError(f"{path}: no base {base}; known: {', '.join(MODELS)}")
    try:
        model = msgspec.convert({**vars(MODELS[base]), **said, "name": path.stem}, Timing)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {error}") from error
    costs = [value for value in vars(model).values() if isinstance(value, int)]
    if min(*costs, *model.class_cycles.values()) < 0 or model.div_early not in EARLY:
        raise UsageError(f"{path}: costs are from 0 on; div_early is one of {', '.join(EARLY)}")
    return model
