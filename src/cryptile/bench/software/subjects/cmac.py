"""CMAC."""

from cryptile.bench.software.calls import KEY, message
from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Subject
from cryptile.bench.software.target import Target


def _cmac(target: Target, symbol: str, size: int) -> int:
    given, code = target.place(message(size)), target.place(bytes(16))
    return target.call(symbol, target.place(KEY[:16]), 16, given, size, code, 16)


FAMILY = Family(
    "cmac",
    ("aes", "cmac"),
    [Subject("aes-128-cmac", "library", "cryptile_cmac", _cmac, MESSAGE_SIZES)],
)
