"""Every protected design of the catalogue is proven, as ``cryptile prove --all`` does it."""

import pytest

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof


@pytest.mark.soak
@pytest.mark.parametrize(("name", "variant", "level"), designs.protected())
def test_it_is_proven(name: str, variant: str, level: str) -> None:
    design = designs.load(name, variant, level, Use.prove)
    assert proof(netlist(design.source), level, design.log, design.hints).run().findings == []
