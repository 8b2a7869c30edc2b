"""The catalogue: what it refuses, and that tables which cannot read it agree with it."""

import re
import shutil
from pathlib import Path

import pytest

from cryptile import catalog
from cryptile.catalog import load, variants
from cryptile.errors import CryptileError
from cryptile.project import ROOT

MISTAKES = {
    "an unknown word": ("engines", "context: 13", "contxt: 13", "keccak: sha3_224: .*contxt"),
    "a word for a number": ("engines", "context: 13", "context: many", "keccak: sha3_224: .*int"),
    "a number that is too large": (
        "engines",
        "number: 13,",
        "number: 16,",
        "hmac_sha512_224: .*15",
    ),
    "an opcode twice": ("engines", "number: 3, name", "number: 2, name", "opcodes: 2 stands twice"),
    "a name twice": ("engines", "name: Sha2", "name: Keccak", "opcodes: Keccak stands twice"),
    "an opcode left out": ("engines", "number: 5, name", "number: 15, name", "leave a number out"),
    "no AES": ("engines", "number: 2, name: Aes", "number: 2, name: Des", "are for AES"),
    "a mode's number twice": (
        "engines",
        "sha3_256: {number: 1",
        "sha3_256: {number: 0",
        "of keccak",
    ),
    "a mode twice": ("engines", "sha3_256: {", "sha3_224: {", "'sha3_224' stands twice"),
    "an engine twice": ("engines", "keccak:", "sha2:", "'sha2' stands twice"),
    "a name that is none": ("engines", "sha3_256: {", "sha3 256: {", "keccak"),
    "calls of a parallel mode": ("engines", "ecb: {number", "ecb: {calls: 2, number", "serial"),
    "a serial hash": ("engines", "sha224: {number", "sha224: {serial: both, number", "are for AES"),
    "AES with a key of bytes": (
        "engines",
        "xts: {number: 6, key: pair",
        "xts: {number: 6, key: bytes",
        "AES",
    ),
    "a key of a message": (
        "engines",
        "copy: {number: 0, output",
        "copy: {agrees: true, number: 0, output",
        "becomes a key is a tag",
    ),
    "a secret of more bytes than a key": (
        "engines",
        "p256_public: {number: 4, key: fixed, tag: 64",
        "p256_public: {number: 4, key: fixed, agrees: true, tag: 64",
        "32 bytes of its tag",
    ),
    "a key of more bytes than the result": (
        "engines",
        "p256_keygen: {number: 5, tag: 96",
        "p256_keygen: {number: 5, tag: 31",
        "32 bytes of its tag",
    ),
    "a key for one job, of nothing": (
        "engines",
        "ed25519_keygen: {number: 10, tag: 64",
        "ed25519_keygen: {number: 10, once: true, tag: 64",
        "makes a key of a key",
    ),
    "a key for a mode that is none": (
        "engines",
        "makes: [p256_ecdh,",
        "makes: [p256_edch,",
        "makes: no mode 'p256_edch'",
    ),
    "a key for a mode without one": (
        "engines",
        "makes: [p256_ecdh,",
        "makes: [p256_verify,",
        "p256_verify takes no key",
    ),
    "broken YAML": ("engines", "modes:", "modes: {", "line"),
    "a configuration with a mode that is none": (
        "engines",
        "modes: [ecb, cbc]",
        "modes: [ecb, cbd]",
        "aes.configs: no mode 'cbd'",
    ),
    "a number in FEATURES twice": ("engines", "Keccak, number: 5", "Keccak, number: 4", "4 stands"),
    "a choice of nothing": (
        "engines",
        "  configs:\n    full: {}\n  select: {name: Keccak",
        "  select: {name: Keccak",
        "keccak: select needs",
    ),
    "a variant of no engine": ("engines", "ahead: {pipelined", "ahead: {pipelind", "no variant"),
    "an opcode's variant of no engine": (
        "engines",
        "Aes, variant: pipelined",
        "Aes, variant: serial",
        "aes_modes.opcode: no variant 'serial'",
    ),
    "an opcode of nothing to choose": (
        "engines",
        "  select: {name: Keccak, number: 5, first: 1}\n",
        "",
        "keccak: opcode needs select",
    ),
    "no such engine": ("algorithms", "engine: sha2", "engine: sha4", "sha224: no engine 'sha4'"),
    "an engine out of the tile": (
        "algorithms",
        "aes_modes, mode: ecb",
        "aes, mode: ecb",
        "no engine aes",
    ),
    "no such mode": ("algorithms", "mode: xts", "mode: xtz", "no mode of aes_modes 'xtz'"),
    "no such family": ("algorithms", "family: kmac", "family: kmak", "no family 'kmak'"),
    "a cipher in a mode with a tag": ("algorithms", "mode: ctr", "mode: gcm", "makes not what"),
    "an AEAD in a mode without": ("algorithms", "mode: gcm", "mode: ctr", "makes not what"),
    "a tag that is too long": ("algorithms", "14, 15, 16]", "14, 15, 32]", "gcm: a tag of 32"),
    "lengths of nothing": ("algorithms", "least: 7, most: 13", "least: 7, most: 3", "ccm: .*below"),
    "an IV as long as a tag": ("algorithms", "most: 1023", "most: full", "gcm: .*tags"),
    "no IV at all": ("algorithms", "iv: [12]", "iv: []", "aead: .*iv"),
    "an unused family": ("algorithms", "  xof: {kind", "  yof: {kind: xof}\n  xof: {kind", "'yof'"),
    "a key that is missing": ("algorithms", "mode: ecb, key: 16", "mode: ecb", "takes a key of 16"),
    "a key of another length": (
        "algorithms",
        "mode: ecb, key: 16",
        "mode: ecb, key: 17",
        "takes a key",
    ),
    "a key of nothing": ("algorithms", "mode: sha224", "mode: sha224, key: 16", "of no bytes"),
    "a hash that is none": ("algorithms", "hashlib: sha3_224", "hashlib: sha9", "no 'sha9'"),
    "an HMAC without its hash": ("algorithms", "  sha224: {", "  sha223: {", "no hash 'sha224'"),
    "an HMAC of another hash": (
        "algorithms",
        "mode: hmac_sha224",
        "mode: hmac_sha256",
        "its hash is not",
    ),
    "an algorithm twice": ("algorithms", "aes-192-ecb:", "aes-128-ecb:", "stands twice"),
    "a name for no one": ("algorithms", "  poly1305:", '  "poly 1305":', "poly 1305"),
}
"""By what is wrong: the file, what stands there, what is put there, and what the error says."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told(tmp_path: Path, mistake: str) -> None:
    name, old, new, told = MISTAKES[mistake]
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / f"{name}.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(CryptileError, match=told) as error:
        load.algorithms(tmp_path)
    assert f"{name}.yaml" in str(error.value) and "\n" not in str(error.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CryptileError, match=r"engines\.yaml"):
        load.engines(tmp_path)


def test_an_image_of_no_system_is_told(tmp_path: Path) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "firmware.yaml"
    path.write_text(path.read_text().replace("size: {system: mcu", "size: {system: mcs"))
    with pytest.raises(CryptileError, match="size: no system 'mcs'"):
        load.firmware(tmp_path)


def test_images_are_made_of_what_there_is() -> None:
    known = catalog.firmware()
    for program in known.programs.values():
        system = known.systems[program.system]
        drivers = (*system.hal, *program.hal)
        for folder, names in (
            ("apps", program.files),
            ("hal", drivers),
            ("driver/core", system.core),
        ):
            assert all((ROOT / "sw" / folder / f"{name}.c").is_file() for name in names)
        assert all((ROOT / "sw/lib" / name).is_dir() for name in program.library)


def test_mistakes_in_blobs_are_told(tmp_path: Path) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "params/crypt.yaml"
    good = path.read_text()
    for old, new, told in (
        ("choice: impl", "choice: imp", "impl: no choice 'imp'"),
        ("bytes: 32", "bytes: MaxKey", "key: no number 'MaxKey'"),
        ("bytes: 32", "bytes: 32, text: 3", "one of choice"),
        ("bytes: 32", "bytes: 31", "key: its bytes are no whole"),
        ("name: chunk", "name: impl", "impl stands twice"),
        ("name: chunk", "name: magic", "magic stands twice"),
        ("[ecb, cbc, ctr]", "[ecb, cbc, ecb]", "a word stands twice"),
        ("magic: CRYP", "magic: cry", "magic"),
    ):
        path.write_text(good.replace(old, new))
        load.params.cache_clear()
        with pytest.raises(CryptileError, match=re.escape(told)):
            load.params("crypt", tmp_path)


def test_blobs_take_only_what_fits() -> None:
    params = catalog.params("crypt")
    assert len(catalog.pack(params)) == 0x50
    for values, told in (
        ({"imp": 1}, "no field 'imp'"),
        ({"impl": "fast"}, "impl: no word 'fast'"),
        ({"key": bytes(33)}, "key: 33 bytes, more than 32"),
        ({"impl": ["table", "compact"]}, "impl: one word, not 2"),
        ({"impl": 7}, "impl: 7 is none of its words"),
        ({"chunk": -1}, "chunk: -1 is no word"),
    ):
        with pytest.raises(ValueError, match=told):
            catalog.pack(params, **values)  # type: ignore[arg-type]


def test_rows_of_text_do_not_run_into_one_another() -> None:
    with pytest.raises(ValueError, match="more than 23 characters"):
        catalog.pack(catalog.params("bench_tile"), algs=["x" * 24, "y"])


def test_success_is_zero(tmp_path: Path) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "statuses.yaml"
    path.write_text(path.read_text().replace("Ok: {number: 0", "Ok: {number: 30"))
    with pytest.raises(CryptileError, match="Ok is 0"):
        load.statuses(tmp_path)


# Engines by their folder, whose package has the modes of all of them. These packages stand alone
# and read none of the tile.
FOLDERS: dict[str, list[str]] = {}
for name, item in catalog.engines().items():
    if item.rtl and item.rtl.core and len(item.modes) > 1:
        (core,) = ROOT.glob(f"rtl/engine/*/{item.rtl.core.rpartition(':')[2]}.core")
        FOLDERS.setdefault(core.parent.name, []).append(name)


@pytest.mark.parametrize("folder", FOLDERS)
def test_modes_are_those_of_the_engine(folder: str) -> None:
    text = (ROOT / f"rtl/engine/{folder}/cry_{folder}_pkg.sv").read_text()
    theirs = dict(re.findall(r"\bMode(\w+)\s*=\s*4'd(\d+)", text))
    hmac = int(theirs.pop("Hmac", "0"))
    theirs = {name.lower().replace("_", ""): int(number) for name, number in theirs.items()}
    if hmac:
        theirs |= {f"hmac{name}": number | hmac for name, number in theirs.items()}
    # The public-key engines with wider rows have a curve each, and one name for its modes in RTL.
    ours = {
        re.sub("^p(384|521)", "curve", name.replace("_", "")): item.number
        for engine in FOLDERS[folder]
        for name, item in catalog.engines()[engine].modes.items()
    }
    assert ours == theirs


def test_features_are_those_that_software_knows() -> None:
    known = {row.name: row.features for row in variants.built()}
    for name, word in {
        "Copy": 0x0001_0000,
        "AesSerial": 0x0007_F001,
        "AesIterativeAes128Enc": 0x0003_1101,
        "AesPipelined": 0x0007_F201,
        "ChaCha20Poly1305Opt": 0x0007_C102,
        "ChaCha20Poly1305StdStream": 0x0001_C002,
    }.items():
        assert known[name] == word


def test_statuses_are_those_of_the_engine_port() -> None:
    text = (ROOT / "rtl/engine/port/cry_engine_pkg.sv").read_text()
    theirs = {name: int(number) for name, number in re.findall(r"Status(\w+)\s*= 4'd(\d+)", text)}
    jobs = catalog.statuses().jobs
    ours = {name: item.number for name, item in jobs.items() if item.number < 16}
    assert ours and ours.items() <= theirs.items()


def test_a_status_of_nothing_is_told(tmp_path: Path) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "statuses.yaml"
    path.write_text(
        path.read_text().replace(
            "KeyDenied: {number: 18, library: ERR_KEY", "KeyDenied: {number: 18, library: ERR_KAY"
        )
    )
    with pytest.raises(CryptileError, match="KeyDenied: no status of the library 'ERR_KAY'"):
        load.statuses(tmp_path)
