"""The key schedule of AES-128: what may be left of a key that is not the key itself."""

from functools import cache


def expanded(key: bytes) -> list[bytes]:
    """Return the round keys behind the first."""
    box = _box()
    columns = [list(key[i : i + 4]) for i in range(0, 16, 4)]
    factor = 1
    for index in range(4, 44):
        word = columns[-1]
        if index % 4 == 0:
            word = [box[byte] for byte in (*word[1:], word[0])]
            word[0] ^= factor
            factor = factor << 1 ^ (0x11B if factor & 0x80 else 0)
        columns.append([a ^ b for a, b in zip(columns[-4], word, strict=True)])
    data = bytes(byte for column in columns for byte in column)
    return [data[i : i + 16] for i in range(16, 176, 16)]


@cache
def _box() -> list[int]:
    def times(a: int, b: int) -> int:
        product = 0
        while b:
            product ^= a if b & 1 else 0
            a = a << 1 ^ (0x11B if a & 0x80 else 0)
            b >>= 1
        return product

    box = []
    for value in range(256):
        inverse = next((other for other in range(256) if times(value, other) == 1), 0)
        turned = [inverse << n | inverse >> 8 - n for n in range(5)]
        box.append((turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ 0x63) & 0xFF)
    return box
