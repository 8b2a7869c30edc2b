"""Paddings of RSA signatures (RFC 8017, 9), as far as Wycheproof's vectors ask for them."""

import hashlib
from collections.abc import Mapping
from typing import Any

_PREFIXES = {
    "SHA-256": "3031300d060960864801650304020105000420",
    "SHA-384": "3041300d060960864801650304020205000430",
    "SHA-512": "3051300d060960864801650304020305000440",
    "SHA3-256": "3031300d060960864801650304020805000420",
}
"""Of the hash, a DER structure that names its function (note 1 of RFC 8017, 9.2; FIPS 202)."""


def _hash(name: str, data: bytes) -> bytes:
    return hashlib.new(name.replace("SHA-", "sha").replace("SHA3-", "sha3_"), data).digest()


def verified(group: Mapping[str, Any], encoded: bytes, message: bytes, bits: int) -> bool:
    """Whether what a signature's public operation gave is the message's, as a group pads it."""
    if group["type"] == "RsassaPssVerify":
        return _pss(group, encoded, message, bits)
    text = bytes.fromhex(_PREFIXES[group["sha"]]) + _hash(group["sha"], message)
    return encoded == b"\0\1" + b"\xff" * (len(encoded) - len(text) - 3) + b"\0" + text


def _pss(group: Mapping[str, Any], encoded: bytes, message: bytes, bits: int) -> bool:
    """EMSA-PSS-VERIFY (9.1.2)."""
    function, salt = group["sha"], group["sLen"]
    digest = _hash(function, message)
    size = len(digest)
    masked, found, end = encoded[: -size - 1], encoded[-size - 1 : -1], encoded[-1]
    mask = _mgf1(group["mgfSha"], found, len(masked))
    data = int.from_bytes(masked, "big") ^ int.from_bytes(mask, "big")
    above = int.from_bytes(encoded, "big") >> bits - 1
    data &= (1 << 8 * len(masked) - (8 * len(encoded) - bits + 1)) - 1
    block = data.to_bytes(len(masked), "big")
    front = block[: len(block) - salt]
    again = _hash(function, bytes(8) + digest + block[len(block) - salt :])
    return end == 0xBC and not above and front == bytes(len(front) - 1) + b"\1" and found == again


def _mgf1(function: str, seed: bytes, size: int) -> bytes:
    counts = range(-(-size // len(_hash(function, b""))))
    return b"".join(_hash(function, seed + n.to_bytes(4, "big")) for n in counts)[:size]
