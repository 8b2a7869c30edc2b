"""The curve P-256: ECDH and ECDSA."""

from cryptile.bench.software import nistp

FAMILY = nistp.family("p-256", 32)
