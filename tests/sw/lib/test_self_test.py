"""The self-test: right on every instruction set, and it names what gives a wrong answer."""

import re
from contextlib import ExitStack, contextmanager

import pytest

from cryptile import library
from cryptile.sim.iss import Machine

FAULT = -8 & 0xFFFFFFFF
ISAS = [isa for isa in library.ISAS if isa != "rv32i"]
"""Curves are not meant for an instruction set without multiplication."""
QUICK = ("rv64im_zkn",)
SOURCES = library.LIB / "selftest"
ARRAYS = {
    name: source.stem
    for source in sorted(SOURCES.glob("self_test_*.c"))
    for name in re.findall(r"^static const (?:uint8_t|char) (k\w+)\[", source.read_text(), re.M)
}
"""What the self-test has of keys, messages and answers, and the file, a topic, that has it."""
TOPICS = sorted(set(ARRAYS.values()))
ROUTINES = {
    "cry_sha256_blocks_asm": "SHA-224", "cry_sha512_blocks_asm": "SHA-384",
    "cry_keccak_absorb": "SHA3-224", "cry_hmac_core": "HKDF-SHA-256",
    "cry_ascon_permute_asm": "Ascon-Hash256", "cry_aes_bulk_ctr": "AES-128-CTR",
    "cry_ghash_blocks_multiply": "AES-128-GCM", "cry_chacha20_xor": "ChaCha20",
    "cry_poly1305_update": "ChaCha20-Poly1305", "cry_x25519_ladder_asm": "X25519",
    "cry_ed25519_scalar_muladd": "Ed25519", "cry_p256_point_mul": "P-256 ECDH",
    "cry_p256_scalar_mul": "P-256 ECDSA", "cry_p384_point_mul": "P-384 ECDH",
    "cry_p384_scalar_mul": "P-384 ECDSA", "cry_p521_point_mul": "P-521 ECDH",
    "cry_p521_scalar_mul": "P-521 ECDSA", "cryptile_rsa_pss_verify": "RSA PSS",
}  # fmt: skip
"""A routine that does nothing, and the first test that finds it."""
RETURN = (0x00008067).to_bytes(4, "little")


def text(m, address):
    data = bytes(m.read(address, 24))
    return data[: data.index(0)].decode()


def names(m):
    found = []
    while at := m.call("cryptile_self_test_name", len(found)).value:
        found.append(text(m, at))
    return found


def run(m):
    """Return the status and the name of what failed."""
    cell = m.alloc(bytes([0xA5] * 8))
    result = m.call("cryptile_self_test", cell, max_instructions=400_000_000)
    at = int.from_bytes(m.read(cell, m.xlen // 8), "little")
    return result.value & 0xFFFFFFFF, text(m, at) if at else None


@pytest.mark.parametrize(
    "isa", [isa if isa in QUICK else pytest.param(isa, marks=pytest.mark.soak) for isa in ISAS]
)
def test_all_answers_are_right(machine, isa):
    m = machine(isa)
    assert run(m) == (0, None)


def test_name_of_what_failed_is_not_asked_for(own):
    with changed(own, "kSha224", bytes(1)):
        result = own.call("cryptile_self_test", 0, max_instructions=400_000_000)
    assert result.value & 0xFFFFFFFF == FAULT


@pytest.fixture(scope="module")
def own():
    """A machine of its own, whose code and constants are changed."""
    return Machine(library.build("rv32im").image, "rv32im", checked=False)


@contextmanager
def changed(m, symbol, data):
    """Other bytes at a symbol, for a while."""
    at = m.symbols[symbol]
    before = bytes(m.read(at, len(data)))
    m.write(at, data)
    try:
        yield
    finally:
        m.write(at, before)


def test_each_array_counts(own):
    """A bit of any key, message or answer fails a test, and each test has one that fails it."""
    found = set()
    for name, topic in ARRAYS.items():
        with ExitStack() as stack:
            for other in TOPICS:
                if other != topic:  # is empty, and takes no time
                    stack.enter_context(changed(own, f"cry_{other}", bytes(4)))
            wrong = bytes([own.read(own.symbols[name], 1)[0] ^ 8])
            stack.enter_context(changed(own, name, wrong))
            status, failed = run(own)
        assert (status, failed is None) == (FAULT, False), name
        found.add(failed)
    assert found == set(names(own))


@pytest.mark.parametrize("routine", ROUTINES)
def test_a_broken_routine_is_named(own, routine):
    with changed(own, routine, RETURN):
        assert run(own) == (FAULT, ROUTINES[routine])


def test_names(machine):
    m = machine("rv64im_zkn")
    found = names(m)
    assert len(found) == len(set(found)) == 47
    assert m.call("cryptile_self_test_name", 10_000).value == 0
