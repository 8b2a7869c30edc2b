"""NIST's vectors of ECDSA signatures (CAVP, FIPS 186-3), from PyPI's cryptography-vectors."""

import re
from collections.abc import Iterator
from importlib.resources import files


def verifications(curve: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield hash function and fields of what is to verify on a curve such as ``P-256``."""
    folder = files("cryptography_vectors") / "asymmetric" / "ECDSA" / "FIPS_186-3"
    text = (folder / "SigVer.rsp").read_text().replace("\r", "")
    for section in re.split(r"^\[", text, flags=re.MULTILINE)[1:]:
        title, *cases = section.split("\n\n")
        name, _, function = title.strip().rstrip("]").partition(",")
        if name == curve and function != "SHA-1":
            for case in cases:
                fields = dict(line.split(" = ", 1) for line in case.splitlines() if " = " in line)
                if fields:
                    yield function.replace("-", "").lower(), fields
