"""AES vectors of NIST's CAVP, as jobs with their expected output."""

from pathlib import Path

from aes_port import Job
from support.nist_aes import FOLDER, vectors

from cryptile.jobs.oracle.aes import CBC, CTR, ECB

KNOWN_ANSWER = ("GFSbox", "KeySbox", "VarKey", "VarTxt")


def read(path: Path, mode: int) -> list[tuple[Job, bytes]]:
    cases = []
    for decrypt, fields in vectors(path):
        source, result = fields["PLAINTEXT"], fields["CIPHERTEXT"]
        if decrypt:
            source, result = result, source
        job = Job(mode, fields["KEY"], source, fields.get("IV", bytes(16)), decrypt)
        cases.append((job, result))
    assert cases, f"no vectors in {path}"
    return cases


def known_answer() -> list[tuple[Job, bytes]]:
    return [
        case
        for mode, name in ((ECB, "ECB"), (CBC, "CBC"))
        for kind in KNOWN_ANSWER
        for size in (128, 192, 256)
        for case in read(FOLDER / name / f"{name}{kind}{size}.rsp", mode)
    ]


def multi_block() -> list[tuple[Job, bytes]]:
    return [
        case
        for mode, name in ((ECB, "ECB"), (CBC, "CBC"))
        for size in (128, 192, 256)
        for case in read(FOLDER / name / f"{name}MMT{size}.rsp", mode)
    ]


def counter() -> list[tuple[Job, bytes]]:
    return [
        case
        for size in (128, 192, 256)
        for case in read(FOLDER / "CTR" / f"aes-{size}-ctr.txt", CTR)
    ]
