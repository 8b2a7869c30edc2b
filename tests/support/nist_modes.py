"""Readers of NIST's response files for AES in GCM, CCM, CMAC and XTS."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cryptography_vectors

ROOT = Path(cryptography_vectors.__file__).parent
AES = ROOT / "ciphers" / "AES"


@dataclass(frozen=True)
class Vector:
    """One vector; `tag` as long as it is to be, `valid` false if it is a wrong one."""

    key: bytes
    iv: bytes
    aad: bytes
    plain: bytes
    cipher: bytes
    tag: bytes = b""
    decrypt: bool = False
    valid: bool = True


def records(path: Path) -> Iterator[dict[str, str]]:
    """Yield the fields of each vector, with those of the sections it is in (names in lower case).

    A vector starts with ``Count``; what stands before it holds for all up to the next section.
    """
    section: dict[str, str] = {}
    fields: dict[str, str] = {}
    inside = False
    for line in [*path.read_text().splitlines(), "[END]"]:
        text = line.strip()
        if text.startswith("#"):
            continue
        if inside and (not text or text.startswith("[") or text.lower().startswith("count")):
            if fields:
                yield {**section, **fields}
            fields, inside = {}, False
        if text.startswith("["):
            if "=" not in text:
                section["section"] = text.strip("[]")
            for part in text.strip("[]").split(","):
                name, _, value = part.partition("=")
                section[name.strip().lower()] = value.strip()
        elif "=" in text:
            name, _, value = text.partition("=")
            inside = inside or name.strip().lower() == "count"
            (fields if inside else section)[name.strip().lower()] = value.strip()
        elif text == "FAIL":
            fields["fail"] = "1"


def _bytes(fields: dict[str, str], name: str, size: int | None = None) -> bytes:
    return bytes.fromhex(fields.get(name, ""))[:size]


def gcm(step: int) -> Iterator[Vector]:
    """Yield every ``step``-th vector of GCM, encryption and decryption, all key lengths."""
    for kind in ("EncryptExtIV", "Decrypt"):
        for size in (128, 192, 256):
            found = list(records(AES / "GCM" / f"gcm{kind}{size}.rsp"))
            for fields in found[size % step :: step]:
                yield Vector(
                    *(_bytes(fields, name) for name in ("key", "iv", "aad", "pt", "ct", "tag")),
                    decrypt=kind == "Decrypt",
                    valid="fail" not in fields,
                )


def ccm(step: int) -> Iterator[Vector]:
    """Yield every ``step``-th vector of CCM of each kind (the verification tests decrypt)."""
    for kind in ("VADT", "VNT", "VPT", "VTT", "DVPT"):
        for size in (128, 192, 256):
            found = list(records(AES / "CCM" / f"{kind}{size}.rsp"))
            for fields in found[size // 64 % step :: step]:
                tag_size = int(fields["tlen"])
                cipher = _bytes(fields, "ct")
                plain_size = len(cipher) - tag_size
                yield Vector(
                    _bytes(fields, "key"),
                    _bytes(fields, "nonce"),
                    _bytes(fields, "adata", int(fields["alen"])),
                    _bytes(fields, "payload", plain_size),
                    cipher[:plain_size],
                    cipher[plain_size:],
                    decrypt=kind == "DVPT",
                    valid=not fields.get("result", "Pass").startswith("Fail"),
                )


def xts(step: int) -> Iterator[Vector]:
    """Yield every ``step``-th vector of XTS in whole bytes; the key is both keys."""
    for size in (128, 256):
        found = [
            fields
            for fields in records(AES / "XTS" / "tweak-128hexstr" / f"XTSGenAES{size}.rsp")
            if int(fields["dataunitlen"]) % 8 == 0
        ]
        for fields in found[::step]:
            key, iv, plain, cipher = (_bytes(fields, name) for name in ("key", "i", "pt", "ct"))
            decrypt = fields["section"] == "DECRYPT"
            yield Vector(key, iv, b"", plain, cipher, decrypt=decrypt)


def cmac() -> Iterator[Vector]:
    """Yield SP 800-38B's examples."""
    for size in (128, 192, 256):
        for fields in records(ROOT / "CMAC" / f"nist-800-38b-aes{size}.txt"):
            key, message, tag = (_bytes(fields, name) for name in ("key", "message", "output"))
            yield Vector(key, b"", b"", message, b"", tag)
