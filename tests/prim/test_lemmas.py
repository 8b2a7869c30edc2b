"""What lemmas say of the nets that they name."""

import pytest

from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove.forms import ONE, ZERO, Forms
from cryptile.prove.lemmas import Lemma

NETS = {
    "busy_q": (2,),
    "u_a.count_q": (3, 4, 5, 6),
    "u_b.count_q": (7, 8, 9, 10),
    "gen[0].x": (11,),
}
WIDE = tuple(range(100, 228))
NETLIST = Netlist("top", {}, {}, (), (), {}, {**NETS, "wide_q": WIDE})


def holds(text, busy=0, a=0, b=0, wide=0):
    numbers = {"busy_q": busy, "u_a.count_q": a, "u_b.count_q": b, "gen[0].x": busy, "wide_q": wide}
    values = {
        net: numbers[name] >> place & 1
        for name, nets in NETLIST.aliases.items()
        for place, net in enumerate(nets)
    }
    form = Lemma(NETLIST, text).form(Forms(), values)
    assert form in (ZERO, ONE)
    return form == ONE


def test_words_are_compared_with_numbers():
    for number in range(16):
        assert holds("u_a.count_q == 5", a=number) == (number == 5)
        assert holds("u_a.count_q != 5", a=number) == (number != 5)
        assert holds("u_a.count_q < 5", a=number) == (number < 5)
        assert holds("u_a.count_q >= 5", a=number) == (number >= 5)
    assert holds("wide_q == 0")
    assert not holds("wide_q == 0", wide=1 << 127)
    assert holds("wide_q != 0", wide=1 << 127)


def test_words_are_compared_with_words():
    for a in range(16):
        for b in range(16):
            assert holds("u_a.count_q == u_b.count_q", a=a, b=b) == (a == b)
            assert holds("u_a.count_q != u_b.count_q", a=a, b=b) == (a != b)
            assert holds("u_a.count_q[2:0] == u_b.count_q[3:1]", a=a, b=b) == (a & 7 == b >> 1)


def test_bits_slices_and_operators():
    assert holds("u_a.count_q[3]", a=8)
    assert holds("u_a.count_q[3:2] == 2", a=11)
    assert holds("not busy_q and (gen[0].x or u_a.count_q == 1)", a=1)
    assert not holds("not busy_q and gen[0].x", busy=1)


def test_a_sentence_of_each_number():
    text = "all(not u_a.count_q[p] or u_b.count_q != p or busy_q for p in range(4))"
    for a in range(16):
        for b in range(16):
            assert holds(text, a=a, b=b) == (b > 3 or not a >> b & 1)
            assert holds(text, a=a, b=b, busy=1)
    assert holds("not all(u_a.count_q != p for p in range(3))", a=2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("u_a.count_q", "not of one bit"),
        ("u_a.count_q + 1 == 2", "no register"),
        ("u_a.count_q == busy_q", "of two widths"),
        ("u_a.count_q == 16", "of two widths"),
        ("u_a.count_q[4] == 0", "no register"),
        ("u_a.count_q[0:2] == 0", "no register"),
        ("u_a.count_q[7:5] == 0", "no register"),
        ("wide_q < 3", "not of one bit"),
        ("u_a.count_q < u_b.count_q", "not of one bit"),
        ("0 <= u_a.count_q < 3", "not of one bit"),
        ("other_q", "no register"),
        ("all(u_a.count_q[p] for p in range(5))", "no register"),
        ("all(u_a.count_q[p] for p in range(4) if busy_q)", "not of one bit"),
        ("all(u_a.count_q[p] for q in range(4))", "no register"),
        ("any(u_a.count_q[p] for p in range(4))", "not of one bit"),
        ("not", "no lemma"),
    ],
)
def test_what_is_no_lemma(text, told):
    with pytest.raises(UsageError, match=told):
        Lemma(NETLIST, text)
