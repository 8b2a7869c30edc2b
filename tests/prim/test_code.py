"""The SEC-DED codec: every single and double error, by the netlist of encoder and decoder."""

from itertools import combinations

import pytest

from cryptile.netlist.make import Source, netlist
from cryptile.prove import code
from cryptile.prove.forms import Forms
from cryptile.toolchain import rtl

WIDTHS = [8, 16, 32, 64, 128]


def module(top: str, width: int):
    return netlist(Source(top, rtl.resolve("cryptile:common:all"), {"Width": str(width)}))


def run(design, inputs: dict[str, list[int]], forms: Forms) -> dict[int, int]:
    values = {0: 0, 1: 1}
    for name, given in inputs.items():
        values |= dict(zip(design.inputs[name], given, strict=True))
    for gate in design.gates:
        values[gate.output] = forms.gate(gate.kind, [values[net] for net in gate.inputs])
    return values


def covered(data: list[int], row: int) -> list[int]:
    """Return the bits of a word of which a check bit is the parity."""
    columns = code.columns(len(data))
    return [bit for bit, column in zip(data, columns, strict=True) if column >> row & 1]


@pytest.mark.parametrize("width", WIDTHS)
def test_columns(width):
    columns = code.columns(width)
    assert len(set(columns)) == width
    assert all(column.bit_count() % 2 == 1 and column.bit_count() >= 3 for column in columns)
    loads = [sum(column >> row & 1 for column in columns) for row in range(code.check_width(width))]
    assert max(loads) - min(loads) <= 2


@pytest.mark.parametrize("width", WIDTHS)
def test_encoder(width):
    forms = Forms()
    design = module("cry_secded_enc", width)
    data = [forms.variable() for _ in range(width)]
    values = run(design, {"data_i": data}, forms)
    word = [values[net] for net in design.outputs["codeword_o"]]
    assert word[:width] == data
    for row, check in enumerate(word[width:]):
        assert check == forms.total(covered(data, row))


@pytest.mark.parametrize("width", WIDTHS)
def test_decoder(width):
    """For any data at once: variables stand for its bits."""
    forms = Forms()
    design = module("cry_secded_dec", width)
    data = [forms.variable() for _ in range(width)]
    right = list(data)
    for row in range(code.check_width(width)):
        right.append(forms.total(covered(data, row)))
    total = len(right)
    pairs = list(combinations(range(total), 2))
    # Wide words have so many pairs that every seventh must do; narrow ones are done wholly.
    errors = [(), *((i,) for i in range(total)), *pairs[:: 1 if width <= 16 else 7 * width // 32]]
    for error in errors:
        word = [bit ^ (place in error) for place, bit in enumerate(right)]
        values = run(design, {"codeword_i": word}, forms)
        single = values[design.outputs["single_o"][0]]
        double = values[design.outputs["double_o"][0]]
        assert (single, double) == (len(error) == 1, len(error) == 2), error
        if len(error) < 2:
            assert [values[net] for net in design.outputs["codeword_o"]] == right, error


@pytest.mark.parametrize("width", WIDTHS)
def test_every_double_error_is_told_from_every_single_one(width):
    """Of the decoder it is enough that syndromes of pairs are even and not zero."""
    rows = code.check_width(width)
    columns = [*code.columns(width), *(1 << row for row in range(rows))]
    assert all((a ^ b).bit_count() % 2 == 0 and a != b for a, b in combinations(columns, 2))
