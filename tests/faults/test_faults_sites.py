"""The places of multi-bit upsets."""

from types import SimpleNamespace

from cryptile.faults.shard import Model
from cryptile.faults.sites import sites


def test_neighbours_are_bits_of_one_register():
    flops = ["a_q[1]", "gen[0].u.one_q", "a_q[0]", "gen[1].u.one_q", "single_q", "a_q[2]", "b_q[0]"]
    found = sites(SimpleNamespace(flops=flops), Model.mbu, None, 0, 0)
    assert found.names == ["a_q[0]+1", "a_q[0]+2", "a_q[1]+1"]
    assert [list(row) for row in found.targets[:, :2]] == [[2, 0], [2, 0], [0, 5]]
    assert found.targets[1, 2] == 5
