"""The curve P-384: ECDH and ECDSA."""

from cryptile.bench.software import nistp

FAMILY = nistp.family("p-384", 48)
