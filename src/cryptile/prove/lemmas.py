"""Lemmas: what a design says of its registers, which is proven before anything rests on it.

A lemma is an expression over hierarchical names of registers or of what is made from them, such as
``not u_core.busy_q or state_q == 3``; it is true for all inputs. The operators are those of Python:
``not``, ``and``, ``or``, comparisons of a name with a number, and ``==`` and ``!=`` of two names. A
name may have a bit or a slice behind it, as in SystemVerilog: ``count_q[3]``, ``count_q[3:0]``.
``all(not dirty_q[p] or place_q == p for p in range(8))`` says a sentence of each of some numbers.
"""

import ast
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import reduce

from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove.forms import ONE, ZERO, Forms

_COMPARISONS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: int.__lt__,
    ast.LtE: int.__le__,
    ast.Gt: int.__gt__,
    ast.GtE: int.__ge__,
}

_MOST_BITS = 6


class Lemma:
    """One lemma of a netlist."""

    def __init__(self, netlist: Netlist, text: str) -> None:
        """Read a lemma.

        Raises:
            UsageError: it is not one, or names what is not there.
        """
        self.text = text
        self.nets: set[int] = set()
        self._aliases = netlist.aliases
        try:
            self._tree = ast.parse(text, mode="eval").body
        except SyntaxError as error:
            raise UsageError(f"{text!r} is no lemma: {error.msg}") from error
        self._form(self._tree, Forms(), None)

    def form(self, forms: Forms, values: Mapping[int, int]) -> int:
        """Return the lemma as a form for values of its nets."""
        return self._form(self._tree, forms, values)

    def _form(self, node: ast.expr, forms: Forms, values: Mapping[int, int] | None) -> int:
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return self._form(node.operand, forms, values) ^ ONE
            case ast.BoolOp():
                kind = "and" if isinstance(node.op, ast.And) else "or"
                parts = [self._form(part, forms, values) for part in node.values]
                return reduce(lambda a, b: forms.gate(kind, [a, b]), parts)
            case ast.Call(
                func=ast.Name(id="all"),
                args=[
                    ast.GeneratorExp(
                        elt=sentence,
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=name),
                                iter=ast.Call(
                                    func=ast.Name(id="range"), args=[ast.Constant(value=int(many))]
                                ),
                                ifs=[],
                            )
                        ],
                    )
                ],
            ):
                of_each = (_Put(name, number).visit(deepcopy(sentence)) for number in range(many))
                parts = [self._form(part, forms, values) for part in of_each]
                return reduce(lambda a, b: forms.gate("and", [a, b]), parts, ONE)
            case ast.Compare(ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
                word = self._word(node.left, forms, values)
                other = self._number_or_word(right, len(word), forms, values)
                if len(other) != len(word):
                    raise UsageError(f"{ast.unparse(node)!r} in a lemma is of two widths")
                same = _same(forms, word, other)
                return same if isinstance(op, ast.Eq) else same ^ ONE
            case ast.Compare(ops=[op], comparators=[ast.Constant(value=int(number))]):
                word = self._word(node.left, forms, values)
                if type(op) in _COMPARISONS and len(word) <= _MOST_BITS:
                    return _compare(forms, word, _COMPARISONS[type(op)], number)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                word = self._word(node, forms, values)
                if len(word) == 1:
                    return word[0]
        raise UsageError(f"{ast.unparse(node)!r} in a lemma is not of one bit; see docs/faults.md")

    def _number_or_word(
        self, node: ast.expr, width: int, forms: Forms, values: Mapping[int, int] | None
    ) -> list[int]:
        """Return the bits of a number, as many as are asked for or as it has, or of a name."""
        match node:
            case ast.Constant(value=int(number)):
                return [number >> bit & 1 for bit in range(max(width, number.bit_length()))]
        return self._word(node, forms, values)

    def _word(self, node: ast.expr, forms: Forms, values: Mapping[int, int] | None) -> list[int]:
        name = ast.unparse(node)
        nets = self._aliases.get(name)
        if nets is None and isinstance(node, ast.Subscript):
            whole = self._aliases.get(ast.unparse(node.value), ())
            match node.slice:
                case ast.Constant(value=int(place)) if place in range(len(whole)):
                    nets = (whole[place],)
                case ast.Slice(
                    lower=ast.Constant(value=int(high)), upper=ast.Constant(value=int(low))
                ):
                    nets = whole[low : high + 1] if 0 <= low <= high < len(whole) else None
        if nets is None:
            raise UsageError(f"{name!r} in a lemma is no register of the design")
        self.nets.update(nets)
        if values is None:
            return [forms.variable() for _ in nets]
        return [values[net] for net in nets]


class _Put(ast.NodeTransformer):
    """Puts a number in the place of a name."""

    def __init__(self, name: str, number: int) -> None:
        self._name = name
        self._number = number

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self._number) if node.id == self._name else node


def _compare(
    forms: Forms, word: list[int], comparison: Callable[[int, int], bool], number: int
) -> int:
    result = ZERO
    for value in range(1 << len(word)):
        if comparison(value, number):
            same = _same(forms, word, (value >> place & 1 for place in range(len(word))))
            result = forms.gate("or", [result, same])
    return result


def _same(forms: Forms, word: Iterable[int], other: Iterable[int]) -> int:
    equal = (forms.sum(a, b) ^ ONE for a, b in zip(word, other, strict=True))
    return reduce(forms.product, equal, ONE)
