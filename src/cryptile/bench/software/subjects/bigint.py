"""Big integers."""

from cryptile.asm import routines
from cryptile.bench.software.calls import bytes_out_in, message
from cryptile.bench.software.subject import Family, Prepare, Subject
from cryptile.bench.software.target import Target


def _numbers(limbs: int, *extra: int) -> Prepare:
    """``f(r, a, b, ...)`` on big integers."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        length = target.word * limbs
        a, b = target.place(message(length)), target.place(message(length)[::-1])
        return target.call(symbol, target.place(bytes(2 * length)), a, b, *extra)

    return prepare


_LIMBS = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32)


def _subjects() -> list[Subject]:
    generated = {routine.symbol for routine in routines.of("bigint")}
    found = []
    for limbs in _LIMBS:
        for operation in ("add", "sub", "mul", "sqr"):
            for impl in ("full", "schoolbook", "karatsuba", "reduced", "xcarry", "looped", "c"):
                any_size = impl in ("looped", "c")
                symbol = f"cry_bigint_{operation}_{impl if any_size else f'{limbs}_{impl}'}"
                extra = (limbs,) if any_size else ()
                inputs = 2 if operation != "sqr" else 1
                prepare = (
                    _numbers(limbs, *extra)
                    if inputs == 2
                    else bytes_out_in(message(4 * limbs), out=8 * limbs)
                )
                if symbol not in generated and not (any_size and operation != "sqr"):
                    continue
                found.append(
                    Subject(
                        f"bigint-{operation}",
                        impl,
                        symbol,
                        prepare,
                        params={"limbs": limbs},
                        multiplies=operation in ("mul", "sqr"),
                    )
                )
    return found


FAMILY = Family("bigint", ("bigint",), _subjects())
