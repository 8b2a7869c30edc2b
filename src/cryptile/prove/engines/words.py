"""Words as lists of forms, lowest bit first."""

from cryptile.prove.forms import ONE, ZERO, Forms


def number(value: int, width: int) -> list[int]:
    """Return a constant."""
    return [value >> place & 1 for place in range(width)]


def add(forms: Forms, a: list[int], b: list[int]) -> list[int]:
    """Add two words; the result is as wide as the first."""
    result, carry = [], ZERO
    for place, first in enumerate(a):
        second = b[place] if place < len(b) else ZERO
        both = forms.sum(first, second)
        result.append(forms.sum(both, carry))
        carry = forms.sum(forms.product(first, second), forms.product(both, carry))
    return result


def equals(forms: Forms, word: list[int], value: int) -> int:
    """Say as a form whether a word is a number."""
    result = ONE
    for place, bit in enumerate(word):
        result = forms.product(result, bit ^ (value >> place & 1) ^ ONE)
    return result


def same(forms: Forms, first: list[int], second: list[int]) -> int:
    """Say as a form whether two words are equal."""
    result = ONE
    for a, b in zip(first, second, strict=True):
        result = forms.product(result, forms.sum(a, b) ^ ONE)
    return result


def at_most(forms: Forms, word: list[int], limit: int) -> int:
    """Say as a form whether a word is not above a number."""
    result = ONE
    for place, bit in enumerate(word):
        if limit >> place & 1:
            result = forms.gate("ornot", [result, bit])
        else:
            result = forms.product(result, bit ^ ONE)
    return result


def less(forms: Forms, first: list[int], second: list[int]) -> int:
    """Say as a form whether a word is below another one."""
    result = ZERO
    for a, b in zip(first, second, strict=True):
        higher, same = forms.product(a ^ ONE, b), forms.sum(a, b) ^ ONE
        result = forms.gate("or", [higher, forms.product(same, result)])
    return result


def none(forms: Forms, *bits: int) -> int:
    """Say as a form whether all bits are zero."""
    result = ONE
    for bit in bits:
        result = forms.product(result, bit ^ ONE)
    return result
