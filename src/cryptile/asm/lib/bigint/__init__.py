"""Big integers: loops for any size, and on RV32IM unrolled routines for chosen ones."""

from collections.abc import Callable, Iterator
from functools import cache

from cryptile.asm.code import CALLEE_SAVED, RA, Reg
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.bigint import linear, looped, multiply, reduced, xcarry
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

SIZES = (1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32)
KARATSUBA_FROM = 16
"""Words from which one more level of Karatsuba beats schoolbook multiplication."""
KARATSUBA_SQUARE_FROM = 20
LARGEST_REDUCED = 20

_WORDS = "Words aligned to a register, lowest first. "
_SAME = "r may be an operand. Constant time."
_APART = "r overlaps no operand. Constant time where mul and mulhu are."
_CORE = "Clobbers all registers but sp, gp and tp: for routines that have saved them. "
_BINARY = "uint32_t *r, const uint32_t *a, const uint32_t *b"

Body = Callable[[Function], None]


def _supports(isa: Isa) -> bool:
    return isa.xlen == 32 and "m" in isa


def _supports_loops(isa: Isa) -> bool:
    return "m" in isa


def _supports_carry(isa: Isa) -> bool:
    return _supports(isa) and "xcarry" in isa


def _routine(
    symbol: str,
    impl: str,
    prototype: str,
    doc: str,
    body: Body,
    *,
    supports: Callable[[Isa], bool] = _supports,
    core: bool = False,
    calls: bool = False,
) -> Routine:
    extension = "_xcarry" if supports is _supports_carry else ""

    @cache
    def text(xlen: int, tuning: Tuning) -> str:
        saves: tuple[Reg, ...] | None = CALLEE_SAVED if calls else None
        if core:
            saves = (RA,) if calls else ()
        function = Function(
            Isa.parse(f"rv{xlen}im{extension}"),
            symbol,
            prototype=prototype.format(symbol),
            doc=(_CORE if core else "") + _WORDS + doc,
            cycles="sw/lib/bigint/README.md has them for every size.",
            saves=saves,
        )
        body(function)
        return function.render(tuning, __name__)

    def generate(isa: Isa, tuning: Tuning) -> str:
        # No other extension changes anything, so the work is done once for all.
        return text(isa.xlen, tuning)

    return Routine(symbol, impl, supports, generate)


def _linear(n: int) -> Iterator[Routine]:
    for name, subtract in (("add", False), ("sub", True)):

        def body(function: Function, subtract: bool = subtract) -> None:
            linear.add_or_sub(function, n, subtract=subtract)
            function.ret()

        yield _routine(
            f"cry_bigint_{name}_{n}_full",
            "unrolled",
            f"uint32_t {{}}({_BINARY})",
            f"{n} words; returns the {'borrow' if subtract else 'carry'}. {_SAME}",
            body,
        )

    def limbs(function: Function) -> None:
        linear.add_reduced(function, n)
        function.ret()

    yield _routine(
        f"cry_bigint_add_{n}_reduced",
        "reduced",
        f"void {{}}({_BINARY})",
        f"{n} limbs of a reduced radix: no carries. {_SAME}",
        limbs,
    )

    def with_flag(function: Function) -> None:
        xcarry.add(function, n)
        function.ret()

    yield _routine(
        f"cry_bigint_add_{n}_xcarry",
        "xcarry",
        f"uint32_t {{}}({_BINARY})",
        f"{n} words, by add-with-carry instructions; returns the carry. {_SAME}",
        with_flag,
        supports=_supports_carry,
    )


def _schoolbook(symbol: str, n: int, *, core: bool = False) -> Routine:
    def body(function: Function) -> None:
        multiply.schoolbook_mul(function, n)
        function.ret()

    doc = f"{n} words times {n} words by operand scanning. {_APART}"
    return _routine(symbol, "schoolbook", f"void {{}}({_BINARY})", doc, body, core=core)


def _square(symbol: str, n: int, *, core: bool = False) -> Routine:
    def body(function: Function) -> None:
        multiply.schoolbook_sqr(function, n)
        function.ret()

    doc = f"{n} words squared by operand scanning: each word times twice those above. {_APART}"
    prototype = "void {}(uint32_t *r, const uint32_t *a)"
    return _routine(symbol, "schoolbook", prototype, doc, body, core=core)


def _karatsuba(symbol: str, n: int, *, squaring: bool = False, core: bool = False) -> Routine:
    half = f"cry_bigint_{'sqr' if squaring else 'mul'}_{n // 2}_core"

    def body(function: Function) -> None:
        multiply.karatsuba(function, n, half, squaring=squaring)
        function.ret()

    prototype = "void {}(uint32_t *r, const uint32_t *a)" if squaring else f"void {{}}({_BINARY})"
    doc = (
        f"{n} words {'squared' if squaring else f'times {n} words'} by subtractive Karatsuba with "
        f"three calls of {half} (Karatsuba and Ofman, Doklady 145, 1962). {_APART}"
    )
    return _routine(symbol, "karatsuba", prototype, doc, body, core=core, calls=True)


def _multiply(n: int) -> Iterator[Routine]:
    full = f"cry_bigint_mul_{n}_full"
    if n < KARATSUBA_FROM:
        yield _schoolbook(full, n)
        if n >= 8:
            yield _karatsuba(f"cry_bigint_mul_{n}_karatsuba", n)
    else:
        yield _karatsuba(full, n)
        if n <= 20:
            yield _schoolbook(f"cry_bigint_mul_{n}_schoolbook", n)
    if n < KARATSUBA_SQUARE_FROM:
        yield _square(f"cry_bigint_sqr_{n}_full", n)
    else:
        yield _karatsuba(f"cry_bigint_sqr_{n}_full", n, squaring=True)

    if n <= LARGEST_REDUCED:

        def limbs(function: Function) -> None:
            reduced.mul(function, n)
            function.ret()

        yield _routine(
            f"cry_bigint_mul_{n}_reduced",
            "reduced",
            f"void {{}}({_BINARY})",
            f"{n} limbs times {n} limbs in radix 2^{reduced.bits(n)}, all less than that. {_APART}",
            limbs,
        )

    if n in xcarry.BLOCKS:

        def with_flag(function: Function) -> None:
            xcarry.mul(function, n)
            function.ret()

        yield _routine(
            f"cry_bigint_mul_{n}_xcarry",
            "xcarry",
            f"void {{}}({_BINARY})",
            f"{n} words times {n} words by add-with-carry instructions. {_APART}",
            with_flag,
            supports=_supports_carry,
        )


def _cores() -> Iterator[Routine]:
    for n in (4, 5, 6, 8, 10, 12):
        yield _schoolbook(f"cry_bigint_mul_{n}_core", n, core=True)
    yield _karatsuba("cry_bigint_mul_16_core", 16, core=True)
    for n in (10, 12, 16):
        yield _square(f"cry_bigint_sqr_{n}_core", n, core=True)


_WORD_BINARY = "word_t *r, const word_t *a, const word_t *b"
_LOOPED = (
    ("cry_bigint_add_looped", f"word_t {{}}({_WORD_BINARY}, size_t n)",
     f"Returns the carry. {_SAME}", looped.add_or_sub),
    ("cry_bigint_sub_looped", f"word_t {{}}({_WORD_BINARY}, size_t n)",
     f"Returns the borrow. {_SAME}", lambda function: looped.add_or_sub(function, subtract=True)),
    ("cry_bigint_mul_looped", f"void {{}}({_WORD_BINARY}, size_t n)", f"n is not 0. {_APART}",
     looped.mul),
    ("cry_bigint_mont_rows_asm",
     "void {}(word_t *r, const word_t *b, const word_t *m, size_t n, const word_t *x, "
     "word_t inverse)",
     "r = (r + x[i] b + q m) / W with the q that makes it whole, W = 2^(bits of a word), for i = 0 "
     f"to {looped.ROWS - 1} (Montgomery, Mathematics of Computation 44, 1985); n words, "
     f"{looped.ROWS} or more; r has {looped.ROWS - 1} more, all but one of them zero; inverse is "
     f"-1/m modulo W. {_APART}",
     looped.montgomery_rows),
)  # fmt: skip

ROUTINES = [
    *(routine for n in SIZES for routine in _linear(n)),
    *(routine for n in SIZES for routine in _multiply(n)),
    *_cores(),
    *(
        _routine(symbol, "looped", prototype, doc, body, supports=_supports_loops)
        for symbol, prototype, doc, body in _LOOPED
    ),
]
