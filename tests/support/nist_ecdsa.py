"""NIST's vectors of ECDSA signatures (CAVP, FIPS 186-3), from PyPI's cryptography-vectors."""

import re
from collections.abc import Iterator
from importlib.resources import files

FOLDER = files("cryptography_vectors") / "asymmetric" / "ECDSA" / "FIPS_186-3"


def verifications(curve: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield hash function and fields of what is to verify on a curve such as ``P-256``."""
    return _cases("SigVer.rsp", curve)


def generations(curve: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield hash function and fields of signatures, with private key d and nonce k."""
    return _cases("SigGen.txt", curve)


def _cases(name: str, curve: str) -> Iterator[tuple[str, dict[str, str]]]:
    text = (FOLDER / name).read_text().replace("\r", "")
    for section in re.split(r"^\[", text, flags=re.MULTILINE)[1:]:
        title, *cases = section.split("\n\n")
        found, _, function = title.strip().rstrip("]").partition(",")
        if found == curve and function != "SHA-1":
            for case in cases:
                fields = dict(line.split(" = ", 1) for line in case.splitlines() if " = " in line)
                if fields:
                    yield function.replace("-", "").lower(), fields
