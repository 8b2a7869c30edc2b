"""Who knows which algorithm: its own folders and the catalogue, and few others, each for a reason.

A file that should read the catalogue and names an algorithm instead is one more to edit when the
next one comes.
"""

import re
import subprocess

import pytest

from cryptile.project import ROOT

FAMILIES = {
    "aes": (r"aes|ghash", r"\baes|aes\b|_aes_|Aes[A-Z]"),
    "chacha20poly1305": (r"chacha|poly1305", r"(?i:chacha|poly1305)"),
    "keccak": (r"keccak|sha3", r"(?i:keccak|sha-?3[_-]|cshake|kmac)"),
    "sha2": (r"sha2|sha256|sha512", r"(?i:sha-?2\b|sha2_)|Sha2"),
}
"""Of each: what is in the paths of its own files, and what names it."""

ALLOWED = {
    "the tile: its AES lanes, and where the second key of a job is": [
        "rtl/shell/tile/cry_tile.sv", "rtl/shell/tile/cry_tile_control.sv",
        "rtl/shell/tile/cry_tile_dispatch.sv", "rtl/shell/tile/cry_tile_lane_hand.sv",
        "rtl/shell/tile/cry_tile_pkg.sv", "rtl/shell/tile/tile_queues.core",
        "rtl/shell/tile/cry_tile_queues.sv", "src/cryptile/catalog/generate.py",
        "src/cryptile/catalog/load.py",
    ],
    "the engine that a top has by default": [
        "rtl/shell/axis/cry_axis_engine.sv", "rtl/shell/axis/cry_dma_engine.sv",
        "rtl/shell/hwpe/cry_hwpe_engine.sv", "soc/mcu/mcu_soc.sv", "soc/stream/stream_soc.sv",
    ],
    "an example in a comment, or earlier words": [
        "rtl/engine/port/cry_engine_flat.sv", "rtl/shell/tile/cry_tile_decode.sv",
        "src/cryptile/designs/renamed.py", "src/cryptile/toolchain/rtl.py",
    ],
    "instructions of the processor": [
        "sim/iss/crypto.c", "sim/iss/crypto.h", "sim/iss/execute_bits.inc.h",
    ],
    "what is measured": [
        "src/cryptile/bench/mcu.py", "src/cryptile/bench/plot.py",
        "src/cryptile/bench/software/subjects/aead.py",
        "src/cryptile/bench/software/subjects/ascon.py",
        "src/cryptile/bench/software/subjects/cmac.py",
        "src/cryptile/bench/software/subjects/hash.py",
        "src/cryptile/bench/software/subjects/xts.py", "src/cryptile/bench/stream.py",
        "src/cryptile/bench/table.py", "src/cryptile/bench/tile.py",
        "src/cryptile/whatif/measure.py", "src/cryptile/whatif/questions.py",
    ],
    "options and their examples": [
        "src/cryptile/commands/bench.py", "src/cryptile/commands/crypt.py",
        "src/cryptile/commands/faults.py", "src/cryptile/commands/prove.py",
        "src/cryptile/crypt/request.py", "src/cryptile/crypt/run.py",
        "src/cryptile/export/dispatch.py",
    ],
    "the list of what each has": [
        "src/cryptile/prove/choose.py",
    ],
}  # fmt: skip
"""Files that name one that is not theirs, by the reason."""


def naming() -> dict[str, set[str]]:
    """Return the families that each file names and that are not its own."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "rtl", "soc", "src", "sim"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    found: dict[str, set[str]] = {}
    for path in listed:
        if "/gen/" in path or path.endswith((".md", ".json")):
            continue
        text = (ROOT / path).read_text()
        for family, (own, names) in FAMILIES.items():
            if not re.search(own, path) and re.search(names, text):
                found.setdefault(path, set()).add(family)
    return found


def test_no_other_file_names_an_algorithm():
    known = {path for paths in ALLOWED.values() for path in paths}
    assert naming().keys() - known == set()


def test_what_is_allowed_is_needed():
    known = {path for paths in ALLOWED.values() for path in paths}
    assert known - naming().keys() == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_is_found_where_it_is(family):
    """Were a pattern to find nothing, nothing above could fail."""
    own, names = FAMILIES[family]
    files = [path for path in (ROOT / "rtl/engine").rglob("*.sv") if re.search(own, path.name)]
    assert files
    assert all(re.search(names, path.read_text()) for path in files if "_engine" in path.name)
