"""What a design says of itself for its proof; none of it is believed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hints:
    """Where a proof may look; each claim is proven, or compared with what is found.

    Attributes:
        lemmas: what holds in every cycle; see ``cryptile.prove.lemmas``.
        kept: patterns of registers that a fault need not wipe, each with the reason.
    """

    lemmas: tuple[str, ...] = ()
    kept: Mapping[re.Pattern[str], str] = field(default_factory=dict)
