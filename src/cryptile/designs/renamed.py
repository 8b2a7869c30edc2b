"""What is said of a word that nothing has."""

from collections.abc import Iterable

from cryptile.errors import UsageError

_NOW = {
    "aes-engine": "aes",
    "aes-lockstep": "aes --protect tmr",
    "aes-modes": "aes_modes",
    "axi-dma": "axi_dma",
    "axis-chacha20poly1305": "axis_chacha20poly1305",
    "chacha20poly1305-lockstep": "chacha20poly1305 --protect tmr",
    "dma-chacha20poly1305": "dma_chacha20poly1305",
    "hwpe-aes": "hwpe_aes",
    "lockstep": "tmr",
    "one": "r1",
    "one-round": "r1",
    "two": "r2",
    "two-rounds": "r2",
}
"""Words of earlier versions."""


def unknown(what: str, word: str, known: Iterable[str]) -> UsageError:
    """Return the error of a word that is not known: what it is called now, or what there is."""
    if word in _NOW:
        return UsageError(f"{what} {str(word)!r}: it is {_NOW[word]} now")
    return UsageError(f"{what} {str(word)!r}: choose from {', '.join(known)}")
