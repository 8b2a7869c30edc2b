"""Authenticated encryption, by the library's call."""

from cryptile.bench.software.calls import KEY, message
from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Prepare, Subject
from cryptile.bench.software.target import Target


def _sealed(descriptor: str, key: int, nonce: int) -> Prepare:
    """``cryptile_aead_encrypt()`` without associated data."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        members = (
            target.place(KEY[:key]),
            key,
            target.place(KEY[:nonce]),
            nonce,
            16,
        )
        params = target.place(b"".join(item.to_bytes(target.word, "little") for item in members))
        given, out = target.place(message(size)), target.place(bytes(size + 16))
        return target.call(
            symbol, target.address(descriptor), params, 0, 0, given, size, out, out + size
        )

    return prepare


_ALGORITHMS = {
    "aes-128-gcm": ("cryptile_aes_gcm", 16, 12),
    "aes-128-ccm": ("cryptile_aes_ccm", 16, 13),
    "chacha20-poly1305": ("cryptile_chacha20_poly1305", 32, 12),
    "ascon-aead128": ("cryptile_ascon_aead128", 16, 16),
}

FAMILY = Family(
    "aead",
    ("aead", "aes", "cipher", "ghash", "chacha20", "poly1305", "ascon", "keccak"),
    [
        Subject(
            alg,
            "library",
            "cryptile_aead_encrypt",
            _sealed(name, key, nonce),
            MESSAGE_SIZES,
            needs=(name,),
        )
        for alg, (name, key, nonce) in _ALGORITHMS.items()
    ],
)
