"""XTS."""

from cryptile.bench.software.calls import KEY, message
from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Subject
from cryptile.bench.software.target import Target


def _xts(target: Target, symbol: str, size: int) -> int:
    given, out = target.place(message(size)), target.place(bytes(size))
    return target.call(symbol, 0, target.place(KEY), 32, target.place(KEY[:16]), given, out, size)


FAMILY = Family(
    "xts",
    ("aes", "xts"),
    [Subject("aes-128-xts", "library", "cryptile_xts", _xts, MESSAGE_SIZES)],
)
