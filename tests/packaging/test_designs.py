"""Designs of the catalogue: what is refused, and that commands have what designs name."""

import re
import shutil
from pathlib import Path

import pytest

from cryptile import catalog
from cryptile.catalog import load
from cryptile.designs import renamed
from cryptile.designs.load import Use, names
from cryptile.designs.source import source
from cryptile.errors import CryptileError
from cryptile.jobs import found

MISTAKES = {
    "an unknown word": ("keccak", "protect:", "proteckt:", "keccak: .*proteckt"),
    "a level that is none": ("keccak", "[detect, correct]", "[detect, lockstep]", "lockstep"),
    "a variant that is none": ("sha2", "protected: [r1]", "protected: [r3]", "no variant 'r3'"),
    "a default that is none": ("tile", "default: pipelined", "default: fast", "no variant 'fast'"),
    "no engine": ("keccak", "keccak:", "kecak:", "no engine 'kecak'"),
    "an engine without RTL": ("copy", "copy:", "nop:", "nop: its engine has no rtl"),
    "a top for no variant": (
        "aes",
        "{serial: cry_aes_core",
        "{cereal: aes_core",
        "no variant 'cereal'",
    ),
    "a variant without a top": ("aes", "serial: cry_aes_core_serial, ", "", "none of serial"),
    "energy of no configuration": ("keccak", "{full: sha3", "{ful: sha3", "no configuration 'ful'"),
    "a default point that is none": ("aes", "[serial aes-128-enc", "[serial all", "'all'"),
    "a default point not protected": ("aes", "[serial aes-128-enc", "[serial full tmr", "'tmr'"),
    "routed of no configuration": ("aes", "routed: [aes-128-enc]", "routed: [all]", "'all'"),
    "a module of no file": ("axi_dma", "core: cryptile:dma:axi_dma, ", "", "core or files"),
}
"""By what is wrong: the file, what stands there, what is put there, and what the error says."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told(tmp_path: Path, mistake: str) -> None:
    name, old, new, told = MISTAKES[mistake]
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "designs" / f"{name}.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(CryptileError, match=told) as error:
        load.designs(tmp_path)
    assert f"{name}.yaml" in str(error.value) and "\n" not in str(error.value)


def test_a_name_stands_in_one_file(tmp_path: Path) -> None:
    shutil.copytree(load.CATALOG, tmp_path, dirs_exist_ok=True)
    shutil.copy(tmp_path / "designs" / "sha2.yaml", tmp_path / "designs" / "sha.yaml")
    with pytest.raises(CryptileError, match="sha2 stands in another file, too"):
        load.designs(tmp_path)


def test_jobs_are_known() -> None:
    for name, item in catalog.designs().items():
        if item.faults:
            assert item.faults.jobs in found.kinds(), name
        if item.synth:
            assert set(item.synth.energy.values()) <= found.measured().keys(), name


def test_what_is_proven_or_injected_is_protected() -> None:
    for use in Use:
        for name, item in names(use).items():
            assert len(item.levels(item.default or "")) > 1, name


def test_every_engine_of_the_selector_has_three_in_step() -> None:
    for name, engine in catalog.engines().items():
        if engine.select:
            item = catalog.designs()[name]
            assert all(catalog.Level.tmr in item.levels(variant) for variant in item.variants)


def test_every_design_can_be_built() -> None:
    for name, item in catalog.designs().items():
        for variant in item.variants:
            for level in item.levels(variant):
                made = source(item, variant, level)
                text = "".join(file.read_text() for file in made.sources.files)
                assert re.search(rf"^module {made.top}\b", text, re.MULTILINE), (name, variant)


def test_old_words_lead_to_new_ones() -> None:
    known = catalog.designs()
    words = {
        *known,
        catalog.Level.tmr,
        *(word for item in known.values() for word in item.variants),
    }
    for old, new in renamed._NOW.items():
        assert new.split()[0] in words and old not in words
    assert "'lockstep': it is tmr now" in str(renamed.unknown("unknown level", "lockstep", []))
