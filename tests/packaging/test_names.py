"""Who knows which algorithm: its own folders and the catalogue, and few others, each for a reason.

A file that should read the catalogue and names an algorithm instead is one more to edit when the
next one comes.
"""

import re
import subprocess
from collections import Counter

import pytest

from cryptile.project import ROOT

FAMILIES = {
    "aes": (r"aes|ghash|cmac|xts", r"(?i:(?<![a-z])aes(?![a-z])|ghash)|Aes[A-Z]"),
    "ascon": (r"ascon", r"(?i:ascon)(?!tiguous)"),
    "chacha20poly1305": (r"chacha|poly1305", r"(?i:chacha|poly1305)"),
    "keccak": (r"keccak|sha3", r"(?i:keccak|sha-?3(?!\d)|(?<!hand)shake|kmac)"),
    "sha2": (
        r"sha2|sha256|sha512",
        r"(?i:(?<!hashlib\.)(?<!_)sha-?(2(?!\d)|(224|256|384|512)(?!\d|sum)))",
    ),
}
"""Of each: what is in the paths of its own files, and what names it."""

ALLOWED = {
    "the tile: its AES lanes, and where the second key of a job is": {
        "rtl/shell/tile/cry_tile.sv": "aes",
        "rtl/shell/tile/cry_tile_control.sv": "aes",
        "rtl/shell/tile/cry_tile_dispatch.sv": "aes",
        "rtl/shell/tile/cry_tile_lane_hand.sv": "keccak",
        "rtl/shell/tile/cry_tile_pkg.sv": "aes keccak",
        "rtl/shell/tile/tile_queues.core": "aes",
        "rtl/shell/tile/cry_tile_queues.sv": "aes",
        "src/cryptile/catalog/generate.py": "aes",
        "src/cryptile/catalog/load.py": "aes",
        "src/cryptile/flat.py": "aes",
    },
    "the engine that a top has by default": {
        "rtl/shell/axis/cry_axis_engine.sv": "chacha20poly1305",
        "rtl/shell/axis/cry_dma_engine.sv": "chacha20poly1305",
        "rtl/shell/axis/cry_window_engine.sv": "aes",
        "rtl/shell/hwpe/cry_hwpe_engine.sv": "aes",
        "soc/mcu/mcu.core": "aes",
        "soc/mcu/mcu_soc.sv": "aes",
        "soc/stream/stream_soc.sv": "chacha20poly1305",
    },
    "the block cipher of the DRBG": {
        "rtl/engine/drbg/cry_drbg.sv": "aes",
        "rtl/engine/drbg/cry_drbg_core.sv": "aes",
        "rtl/engine/drbg/cry_drbg_pkg.sv": "aes",
        "rtl/engine/drbg/drbg.core": "aes",
        "rtl/engine/entropy/cry_entropy_conditioner.sv": "aes",
        "rtl/engine/entropy/entropy.core": "aes",
    },
    "the cipher of sealed RSA keys": {
        "rtl/engine/pka/cry_pka_rsa_engine.sv": "ascon",
        "rtl/engine/pka/cry_pka_seal.sv": "ascon",
        "rtl/engine/pka/pka_rsa.core": "ascon",
        "src/cryptile/jobs/oracle/rsa.py": "ascon",
    },
    "registers that say which engines there are": {
        "regs/hwpe.rdl": "aes",
        "regs/mcu.rdl": "aes",
        "regs/tile.rdl": "aes",
    },
    "earlier words": {"src/cryptile/designs/renamed.py": "aes chacha20poly1305"},
    "a construction from a cipher": {"src/cryptile/crypt/drbg.py": "aes"},
    "names of packages": {"src/cryptile/sbom.py": "ascon sha2"},
    "instructions of the processor": {
        "sim/iss/crypto.c": "aes",
        "sim/iss/crypto.h": "aes",
        "sim/iss/decode.c": "aes",
        "sim/iss/execute_bits.inc.h": "aes sha2",
        "sim/iss/instructions.def": "aes sha2",
    },
    "what is measured": {
        "src/cryptile/bench/mcu/measure.py": "aes",
        "src/cryptile/bench/mcu/plot.py": "aes",
        "src/cryptile/bench/software/subjects/aead.py": "aes ascon chacha20poly1305 keccak",
        "src/cryptile/bench/software/subjects/ascon.py": "keccak",
        "src/cryptile/bench/software/subjects/hash.py": "ascon keccak sha2",
        "src/cryptile/bench/linux/measure.py": "aes chacha20poly1305 keccak sha2",
        "src/cryptile/bench/mcu/table.py": "aes",
        "src/cryptile/bench/stream/measure.py": "aes chacha20poly1305",
        "src/cryptile/bench/tile/measure.py": "aes ascon chacha20poly1305 keccak sha2",
        "src/cryptile/bench/tile/table.py": "aes",
        "src/cryptile/whatif/measure.py": "aes",
        "src/cryptile/whatif/questions.py": "aes ascon chacha20poly1305 keccak sha2",
    },
    "options and their examples": {
        "src/cryptile/commands/bench.py": "aes chacha20poly1305",
        "src/cryptile/commands/crypt.py": "aes chacha20poly1305 keccak sha2",
        "src/cryptile/commands/faults.py": "aes chacha20poly1305 sha2",
        "src/cryptile/commands/prove.py": "aes",
        "src/cryptile/commands/public_key.py": "aes",
        "src/cryptile/commands/synth.py": "aes",
        "src/cryptile/crypt/public_key.py": "sha2",
        "src/cryptile/crypt/request.py": "aes keccak",
        "src/cryptile/export/dispatch.py": "aes",
    },
    "the hash of files in Debian's index": {
        "src/cryptile/linux/pin.py": "sha2",
    },
}
"""Families that a file names and that are not its own, by the reason."""

COUNTED = {
    "sw/apps": 24,
    "sw/driver": 4,
    "sw/hal": 13,
    "sw/include": 23,
    "sw/lib": 17,
    "sw/linux": 9,
    "tests": 246,
}
"""Of folders that name them for many reasons: pairs of a file and a family. They may only fall."""

EVERY = frozenset(
    {
        "sw/linux/driver/hashstate.c",
        "sw/linux/driver/hashstate.h",
        "sw/linux/provider/aead.c",
        "sw/linux/provider/cipher.c",
        "sw/linux/provider/ciphers.h",
        "sw/linux/provider/digest.c",
        "sw/linux/provider/mac.c",
        "sw/linux/rtl/kernel.config",
        "sw/hal/tile_psa.c",
        "sw/hal/tile_psa.h",
        "sw/include/psa/crypto_sizes.h",
        "sw/lib/selftest/self_test_aeads.c",
        "sw/lib/selftest/self_test_ciphers.c",
        "sw/lib/selftest/self_test_curves.c",
        "sw/lib/selftest/self_test_hashes.c",
        "sw/lib/selftest/self_test_nistp.c",
        "sw/lib/selftest/self_test_rsa.c",
        "tests/cli/test_library_examples.py",
        "tests/prim/test_mutant_tables.py",
        "tests/support/overlap/aeads.py",
        "tests/support/overlap/ciphers.py",
        "tests/support/overlap/hashes.py",
        "tests/support/overlap/keys.py",
        "tests/support/overlap/psa.py",
        "tests/sw/lib/test_self_test.py",
        "tests/sw/linux/guest/async_tasks.c",
        "tests/sw/linux/guest/burst/burst.c",
        "tests/sw/linux/guest/provider_again.c",
        "tests/sw/linux/guest/provider_async_ends.c",
        "tests/sw/linux/guest/provider_compare.c",
        "tests/sw/linux/guest/provider_memory.c",
        "tests/sw/linux/guest/provider_orders.c",
        "tests/sw/linux/guest/provider_tls.c",
        "tests/sw/linux/guest/handover/handover.c",
        "tests/sw/linux/ring_vectors.py",
        "tests/sw/linux/test_linux_crypt.py",
        "tests/sw/linux/test_linux_disk.py",
        "tests/sw/linux/test_linux_handover.py",
        "tests/sw/linux/test_linux_kcapi_suite.py",
        "tests/sw/linux/test_linux_plain.py",
        "tests/sw/linux/test_linux_provider.py",
        "tests/sw/linux/test_linux_provider_async.py",
        "tests/sw/linux/test_linux_provider_sealed.py",
        "tests/sw/linux/test_linux_rtl.py",
        "tests/sw/linux/test_linux_tcrypt.py",
        "tests/sw/native_mbedtls.py",
        "tests/sw/native_psa_asymmetric.py",
        "tests/sw/native_psa_calls.py",
        "tests/sw/native_psa_copy.py",
        "tests/sw/native_psa_derivation.py",
        "tests/sw/native_psa_engine.py",
        "tests/sw/native_psa_sizes.py",
        "tests/sw/test_headers.py",
        "tests/sw/test_tile_psa.py",
    }
)
"""Files about all algorithms: known answers, values of the PSA Crypto API, of OpenSSL's and of the
kernel's, tables of all calls, and their tests."""

LISTS = frozenset({"tests/coverage_floors.yaml", "tests/soak_seconds.yaml"})
"""Files that only list others by their paths."""


def naming() -> dict[str, set[str]]:
    """Return the families that each file names and that are not its own."""
    folders = ["regs", "rtl", "soc", "src", "sim", "sw", "tests"]
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", *folders], capture_output=True, text=True, check=True
    ).stdout.split()
    found: dict[str, set[str]] = {}
    for path in listed:
        if "/gen/" in path or path.endswith((".md", ".json")) or path in LISTS | EVERY:
            continue
        text = (ROOT / path).read_text(errors="replace")
        for family, (own, names) in FAMILIES.items():
            if not re.search(own, path) and re.search(names, text):
                found.setdefault(path, set()).add(family)
    return found


def test_a_file_names_only_what_it_may():
    allowed = {
        path: set(families.split()) for may in ALLOWED.values() for path, families in may.items()
    }
    assert {path: named for path, named in naming().items() if not _folder(path)} == allowed


def test_counted_folders_name_no_more_than_they_did():
    counts = Counter[str]()
    for path, families in naming().items():
        if folder := _folder(path):
            counts[folder] += len(families)
    assert counts.keys() == COUNTED.keys(), "a folder that names none needs no entry"
    assert {folder: n for folder, n in counts.items() if n > COUNTED[folder]} == {}


def _folder(path: str) -> str | None:
    return next((folder for folder in COUNTED if path.startswith(f"{folder}/")), None)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_is_found_where_it_is(family):
    """Were a pattern to find nothing, nothing above could fail."""
    own, names = FAMILIES[family]
    files = [path for path in (ROOT / "rtl/engine").rglob("*.sv") if re.search(own, path.name)]
    assert files
    assert all(re.search(names, path.read_text()) for path in files if "_engine" in path.name)
