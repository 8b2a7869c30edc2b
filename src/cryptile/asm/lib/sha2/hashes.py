"""The hash functions of FIPS 180-4 that have a compression function of their own."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hash:
    """What differs between SHA-256 and SHA-512 (FIPS 180-4, sections 4.1, 4.2 and 6).

    Attributes:
        name: of the routine and its table.
        bits: in a word.
        sum0, sum1: the three rotations of the capital sigmas, rising.
        sig0, sig1: the two rotations, rising, and the shift of the small sigmas.
    """

    name: str
    bits: int
    sum0: tuple[int, int, int]
    sum1: tuple[int, int, int]
    sig0: tuple[int, int, int]
    sig1: tuple[int, int, int]


SHA256 = Hash("sha256", 32, (2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10))
SHA512 = Hash("sha512", 64, (28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6))
