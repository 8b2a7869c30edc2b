"""What a design says of itself for its proof. Lemmas are proven; what may stay is looked at."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hints:
    """Where a proof may look, and what it need not look for.

    Attributes:
        lemmas: what holds in every cycle; see ``cryptile.prove.lemmas``. Each is proven.
        kept: patterns of registers that a fault need not wipe, each with the reason. The verdict
            lists those that stay, and of them those that key or data may reach: that they hold
            neither is for readers to judge.
        public: names of nets, or of some of their bits (``name[7:0]``), each with what they tell of
            key or data that is no secret; the verdict lists it.
        stops: patterns of nets that refuse something while they are one, which no upset makes zero
            under the alarm.
        silent: names of nets that are zero under the alarm, whatever the upset.
        behind: sentences like lemmas that are true behind the alarm's cycle, whatever the upset.
        wiped: patterns of registers that are zero behind the alarm's cycle, whatever the upset.
        lasts: patterns of nets that tell of what is wrong in registers: what one tells of, it
            still tells of behind the alarm's cycle, or the registers are as without the upset.
        told: sentences like lemmas, each with a pattern of registers: what is true under the alarm
            is true behind it, or the registers are as without the upset.
        clears: names of inputs, each with a pattern of names of primitives whose registers are zero
            behind every cycle in which it is one, whatever they held.
    """

    lemmas: tuple[str, ...] = ()
    kept: Mapping[re.Pattern[str], str] = field(default_factory=dict)
    public: Mapping[str, str] = field(default_factory=dict)
    stops: tuple[re.Pattern[str], ...] = ()
    silent: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    wiped: tuple[re.Pattern[str], ...] = ()
    lasts: tuple[re.Pattern[str], ...] = ()
    told: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    clears: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
