"""The public-key engine on the engine port."""

import pytest
from pka_runs import simulate

TOP, BENCH = "cry_pka_engine", "tb_pka_engine"


def test_engine():
    simulate(TOP, BENCH, 1)


@pytest.mark.soak
def test_engine_long():
    simulate(TOP, BENCH, 20)
