"""NIST's vectors of RSA signatures (CAVP, FIPS 186-3), from PyPI's cryptography-vectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

FOLDER = files("cryptography_vectors") / "asymmetric" / "RSA" / "FIPS_186-2"
FILES = {"pkcs1": "SigVer15_186-3.rsp", "pss": "SigVerPSS_186-3.rsp"}


@dataclass(frozen=True)
class Signature:
    """One that is to be verified, and the primes of its key."""

    function: str  # as Wycheproof names it
    modulus: int
    primes: tuple[int, int]
    exponent: int
    message: bytes
    signature: bytes
    salt: bytes  # of PSS
    valid: bool


def signatures(scheme: str, bits: int) -> Iterator[Signature]:
    """Yield what is to be verified with moduli of so many bits."""
    fields = dict[str, str]()
    for line in (FOLDER / FILES[scheme]).read_text().splitlines():
        name, _, value = line.strip("[]").partition(" = ")
        fields[name] = value
        if name == "Result" and int(fields["mod"]) == bits:
            yield Signature(
                function=fields["SHAAlg"].replace("SHA", "SHA-"),
                modulus=int(fields["n"], 16),
                primes=(int(fields["p"], 16), int(fields["q"], 16)),
                exponent=int(fields["e"], 16),
                message=bytes.fromhex(fields["Msg"]),
                signature=bytes.fromhex(fields["S"]),
                salt=bytes.fromhex(fields["SaltVal"]),
                valid=value.startswith("P"),
            )
