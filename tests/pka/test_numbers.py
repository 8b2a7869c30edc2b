"""Numbers of several rows with rows of two and three bits, where every carry that can come does."""

import itertools
import random
from collections.abc import Callable, Iterable, Iterator

import pytest

from cryptile.pka.builder import Builder, Image
from cryptile.pka.isa import Kind, Width
from cryptile.pka.machine import Machine
from cryptile.pka.programs import numbers
from cryptile.pka.programs.numbers import Modulus, Number

Product = Callable[[Builder, Number, Number], Iterator[str]]


def square(b: Builder, x: Number, y: Number) -> Iterator[str]:
    return numbers.square(b, x)


def program(width: Width, n: int, product: Product) -> Image:
    """Return one that computes x = x y / R modulo m."""
    b = Builder(width=width)
    x, y, m, friendly = ([f"{name}{i}" for i in range(n)] for name in "xymf")
    b.row(*x, *y, *m, *friendly, "k")
    b.constant("Zero", 0)
    b.constant("Most", width.most)
    b.entry("begin")
    with b.piece():
        numbers.reduce_(b, product(b, x, y), Modulus(m, friendly, "k"), x)
    b.halt()
    return b.image()


def run(image: Image, n: int, x: int, y: int, m: int) -> int:
    """Run it on numbers of n rows."""
    bits, base = image.width.bits, image.width.most + 1
    k = -pow(m, -1, base) % base
    rows = dict(image.constants)
    for name, value in {"x": x, "y": y, "m": m, "f": (m * k + 1) // base}.items():
        for i in range(n):
            rows[image.names[f"{name}{i}"]] = value >> bits * i & image.width.most
    rows[image.names["k"]] = k
    machine = Machine(image.code, rows, width=image.width)
    machine.run()
    return sum(machine.rows[image.names[f"x{i}"]] << bits * i for i in range(n))


def check(bits: int, n: int, product: Product, cases: Iterable[tuple[int, int, int]]) -> None:
    width = Width(bits, (), frozenset({Kind.RAW}))
    image, top = program(width, n, product), 1 << bits * n
    inverses = {m: pow(top, -1, m) for m in range(1, top, 2)}
    for x, y, m in cases:
        other = x if product is square else y
        assert run(image, n, x, y, m) % m == x * other * inverses[m] % m, (x, y, m)


def every(bits: int, n: int, factors: int) -> Iterator[tuple[int, int, int]]:
    """Return all numbers, and odd moduli."""
    top = 1 << bits * n
    for x, m in itertools.product(range(top), range(1, top, 2)):
        for y in range(top) if factors == 2 else [0]:
            yield x, y, m


@pytest.mark.parametrize(("bits", "n"), [(2, 2), (3, 2), (2, 3)])
def test_squares(bits, n):
    check(bits, n, square, every(bits, n, 1))


@pytest.mark.soak
@pytest.mark.parametrize(("bits", "n"), [(4, 2), (2, 4)])
def test_squares_more(bits, n):
    check(bits, n, square, every(bits, n, 1))


@pytest.mark.parametrize("product", [numbers.product, numbers.plain_product])
def test_products(product):
    check(2, 2, product, every(2, 2, 2))


@pytest.mark.soak
@pytest.mark.parametrize("product", [numbers.product, numbers.plain_product])
@pytest.mark.parametrize(("bits", "n"), [(3, 2), (2, 3)])
def test_products_more(product, bits, n):
    check(bits, n, product, every(bits, n, 2))


@pytest.mark.parametrize("product", [square, numbers.product, numbers.plain_product])
@pytest.mark.parametrize("n", [2, 3, 4, 8])
def test_wide_rows(product, n):
    """With rows of 512 bits: random numbers, and rows of zeros and ones."""
    rng, width = random.Random(n), Width(512, (), frozenset({Kind.RAW}), data=248)
    image, top = program(width, n, product), 1 << 512 * n
    edges = (0, 1, width.most, width.most - 1, 1 << 511)

    def value() -> int:
        if rng.randrange(2):
            return rng.randrange(top)
        return sum(rng.choice(edges) << 512 * i for i in range(n))

    for _ in range(20):
        x, y, m = value(), value(), value() | 1
        other = x if product is square else y
        assert run(image, n, x, y, m) % m == x * other * pow(top, -1, m) % m
