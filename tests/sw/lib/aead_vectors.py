"""Vectors for authenticated encryption: NIST's CAVP and Wycheproof."""

from aead_calls import GCM_VECTORS, Case
from support import wycheproof


def cavp_gcm(name: str, step: int) -> list[Case]:
    """Return every ``step``-th case of a file."""
    cases = []
    for block in (GCM_VECTORS / name).read_text().split("\n\n"):
        lines = [line.partition("=") for line in block.splitlines() if line[:1] not in ("[", "#")]
        fields = {name.strip(): value.strip() for name, _, value in lines if name.strip()}
        if "Key" not in fields:
            continue
        data = {
            name: bytes.fromhex(fields.get(name, "")) for name in ("Key", "IV", "AAD", "PT", "CT")
        }
        cases.append(
            Case(
                data["Key"],
                data["IV"],
                data["AAD"],
                data["PT"],
                data["CT"],
                bytes.fromhex(fields["Tag"]),
                "FAIL" not in fields,
            )
        )
    assert len(cases) > 5000
    return cases[::step]


def wycheproof_cases(name: str) -> list[Case]:
    """Return all cases of a file."""
    cases = []
    for group in wycheproof.load(name)["testGroups"]:
        for test in group["tests"]:
            fields = [bytes.fromhex(test[key]) for key in ("key", "iv", "aad", "msg", "ct", "tag")]
            assert test["result"] in ("valid", "invalid")
            cases.append(Case(*fields, valid=test["result"] == "valid"))
    assert len(cases) > 200
    return cases
