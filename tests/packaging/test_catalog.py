"""The catalogue: what it refuses, and that tables which cannot read it agree with it."""

import re
import shutil
from pathlib import Path

import pytest

from cryptile import catalog
from cryptile.catalog import load
from cryptile.errors import CryptileError
from cryptile.project import ROOT

MISTAKES = {
    "an unknown word": ("engines", "context: 13", "contxt: 13", "contxt"),
    "a word for a number": ("engines", "context: 13", "context: many", "Expected `int`"),
    "a number that is too large": ("engines", "number: 13,", "number: 16,", "<= 15"),
    "an opcode twice": ("engines", "number: 3, name", "number: 2, name", "opcodes: 2"),
    "a mode twice": ("engines", "sha3_256: {number: 1", "sha3_256: {number: 0", "of keccak: 0"),
    "calls of a parallel mode": ("engines", "ecb: {number", "ecb: {calls: 2, number", "serial"),
    "broken YAML": ("engines", "modes:", "modes: {", "line"),
    "no such engine": ("algorithms", "engine: sha2", "engine: sha4", "no engine 'sha4'"),
    "no such mode": ("algorithms", "mode: xts", "mode: xtz", "no mode of aes_modes 'xtz'"),
    "no such family": ("algorithms", "family: kmac", "family: kmak", "no family 'kmak'"),
    "a key that is missing": ("algorithms", "mode: ecb, key: 16", "mode: ecb", "takes a key"),
    "a key of nothing": ("algorithms", "mode: sha224", "mode: sha224, key: 16", "takes a key"),
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
    with pytest.raises(CryptileError, match=re.escape(told)) as error:
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
        drivers = (*known.systems[program.system].hal, *program.hal)
        for folder, names in (("apps", program.files), ("hal", drivers)):
            assert all((ROOT / "sw" / folder / f"{name}.c").is_file() for name in names)
        assert all((ROOT / "sw/lib" / name).is_dir() for name in program.library)


def test_mistakes_in_blobs_are_told(tmp_path: Path) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "params/crypt.yaml"
    good = path.read_text()
    for old, new, told in (
        ("choice: impl", "choice: imp", "impl: no choice 'imp'"),
        ("bytes: 32", "bytes: MaxKey", "key: no number 'MaxKey'"),
        ("bytes: 32", "bytes: 32, text: 3", "key: one of"),
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
    ):
        with pytest.raises(ValueError, match=told):
            catalog.pack(params, **values)  # type: ignore[arg-type]


# Mode enums of the engines, which stand alone and read no package of the tile.
PACKAGES = {
    "aes": "aes/aes_pkg.sv",
    "aes_modes": "aes_modes/aes_modes_pkg.sv",
    "sha2": "sha2/sha2_pkg.sv",
    "keccak": "keccak/keccak_pkg.sv",
    "chacha20poly1305": "chacha20poly1305/chacha20poly1305_pkg.sv",
}


@pytest.mark.parametrize("engine", PACKAGES)
def test_modes_are_those_of_the_engine(engine: str) -> None:
    text = (ROOT / "rtl/engine" / PACKAGES[engine]).read_text()
    theirs = dict(re.findall(r"\bMode(\w+)\s*=\s*4'd(\d+)", text))
    hmac = int(theirs.pop("Hmac", "0"))
    theirs = {name.lower().replace("_", ""): int(number) for name, number in theirs.items()}
    if hmac:
        theirs |= {f"hmac{name}": number | hmac for name, number in theirs.items()}
    ours = {
        name.replace("_", ""): item.number for name, item in catalog.engines()[engine].modes.items()
    }
    assert ours == theirs


def test_statuses_are_those_of_the_engine_port() -> None:
    text = (ROOT / "rtl/engine/engine_pkg.sv").read_text()
    theirs = {name: int(number) for name, number in re.findall(r"Status(\w+)\s*= 4'd(\d+)", text)}
    jobs = catalog.statuses().jobs
    ours = {name: item.number for name, item in jobs.items() if item.number < 16}
    assert ours and ours.items() <= theirs.items()


def test_a_status_of_nothing_is_told(tmp_path: Path) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "statuses.yaml"
    path.write_text(path.read_text().replace("library: ERR_KEY", "library: ERR_KAY"))
    with pytest.raises(CryptileError, match="KeyDenied: no status of the library 'ERR_KAY'"):
        load.statuses(tmp_path)
