"""The curve P-521: ECDH and ECDSA."""

from cryptile.bench.software import nistp

FAMILY = nistp.family("p-521", 66)
