"""The machine that programs of 256 bits run on."""

from collections.abc import Iterator

import pytest
from support import pka


@pytest.fixture(params=["compact", pytest.param("fast", marks=pytest.mark.soak)])
def machine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The multiplier that programs of rows of 256 bits are ordered for."""
    with pka.preferred(pka.MACHINES[request.param]):
        yield request.param
