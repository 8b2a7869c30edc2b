"""Authenticated encryption: published vectors, random messages, chunks, forgeries and errors."""

import random

import pytest
from aead_calls import (
    ASCON,
    AUTH,
    CCM,
    CHACHA,
    DECRYPT,
    ENCRYPT,
    GCM,
    LENGTH,
    OK,
    PARAM,
    PARTS,
    STATE,
    Aead,
    Case,
)
from aead_vectors import cavp_gcm, wycheproof_cases
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305
from support import nist_modes

from cryptile import library
from cryptile.jobs.oracle import ascon
from cryptile.toolchain import tools
from cryptile.toolchain.gcc import compiler

ALGS = [GCM, CCM, CHACHA, ASCON]
KEY_LENGTHS = {GCM: (16, 24, 32), CCM: (16, 24, 32), CHACHA: (32,), ASCON: (16,)}
NONCE_LENGTH = {GCM: 12, CCM: 13, CHACHA: 12, ASCON: 16}
OTHER_ISAS = [isa for isa in library.ISAS if isa != "rv32im"]


def reference(alg, key, nonce, aad, text):
    """Return ciphertext and tag of another implementation."""
    if alg == ASCON:
        return ascon.aead128(key, nonce, aad, text)
    of = {GCM: AESGCM, CCM: AESCCM, CHACHA: ChaCha20Poly1305}[alg]
    both = of(key).encrypt(nonce, text, aad)
    return both[:-16], both[-16:]


def check(aead, case):
    """Encrypt and decrypt a published case."""
    if case.valid and case.text is not None:
        found = aead.encrypt(case.key, case.nonce, case.aad, case.text, tag_len=len(case.tag))
        assert found == (OK, case.ciphertext, case.tag)
    found = aead.decrypt(case.key, case.nonce, case.aad, case.ciphertext, case.tag)
    if case.valid:
        assert found == (OK, case.text)
    elif found[0] == PARAM:
        assert found[1] == b"\xa5" * len(case.ciphertext)
    else:
        assert found == (AUTH, bytes(len(case.ciphertext)))
    aead.m.free_all()
    return found[0]


@pytest.mark.parametrize("isa", library.ISAS)
def test_rfc_8439(machine, isa):
    """RFC 8439, section 2.8.2."""
    aead = Aead(machine(isa, PARTS), CHACHA)
    text = (
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
        b"future, sunscreen would be it."
    )
    code, ciphertext, tag = aead.encrypt(
        bytes(range(0x80, 0xA0)),
        bytes.fromhex("070000004041424344454647"),
        bytes.fromhex("50515253c0c1c2c3c4c5c6c7"),
        text,
    )
    assert code == OK
    assert ciphertext.hex().startswith("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fe")
    assert tag.hex() == "1ae10b594f09e26a7e902ecbd0600691"


@pytest.mark.parametrize("kind", ["Decrypt", "EncryptExtIV"])
@pytest.mark.parametrize("size", [128, 192, 256])
def test_cavp_gcm(machine, kind, size):
    aead = Aead(machine("rv32im", PARTS), GCM)
    results = {check(aead, case) for case in cavp_gcm(f"gcm{kind}{size}.rsp", 53)}
    assert results == ({OK, AUTH} if kind == "Decrypt" else {OK})


def test_cavp_ccm(machine):
    aead = Aead(machine("rv32im", PARTS), CCM)
    cases = [
        Case(v.key, v.iv, v.aad, v.plain, v.cipher, v.tag, v.valid) for v in nist_modes.ccm(17)
    ]
    assert len(cases) > 50
    assert {check(aead, case) for case in cases} == {OK, AUTH}


@pytest.mark.parametrize("isa", ["rv32im", "rv64im_zkn"])
def test_lengths_of_aad_in_ccm(machine, isa):
    """Each of the three ways to say how long it is, but the one for 4 GiB."""
    aead, rng = Aead(machine(isa, PARTS), CCM), random.Random(isa)
    for length in (0, 1, 13, 14, 15, 0xFEFF, 0xFF00, 0xFF01):
        key, nonce, aad = rng.randbytes(16), rng.randbytes(7), rng.randbytes(length)
        ciphertext, tag = reference(CCM, key, nonce, aad, b"text")
        assert aead.encrypt(key, nonce, aad, b"text") == (OK, ciphertext, tag)
        aead.m.free_all()


def test_short_tags_and_all_nonces_of_ccm(machine):
    aead, rng = Aead(machine("rv32im", PARTS), CCM), random.Random(4)
    key, aad, text = rng.randbytes(24), rng.randbytes(20), rng.randbytes(40)
    for nonce_len in range(7, 14):
        for tag_len in range(4, 17, 2):
            nonce = rng.randbytes(nonce_len)
            both = AESCCM(key, tag_len).encrypt(nonce, text, aad)
            found = aead.encrypt(key, nonce, aad, text, tag_len=tag_len)
            assert found == (OK, both[:40], both[40:])
            assert aead.decrypt(key, nonce, aad, both[:40], both[40:]) == (OK, text)
            aead.m.free_all()


@pytest.mark.parametrize(
    ("alg", "name"),
    [
        (GCM, "aes_gcm_test.json"),
        (CCM, "aes_ccm_test.json"),
        (CHACHA, "chacha20_poly1305_test.json"),
        (ASCON, "ascon_sp800_232_aead128_test.json"),
    ],
)
@pytest.mark.parametrize(
    "isa",
    [
        # With instructions for ciphers the vectors take a third; the ciphers without them, and the
        # hash of GCM, have others' vectors of their own (test_aes.py, test_ghash.py, CAVP above).
        "rv32im_zkn",
        "rv64im_zkn",
        pytest.param("rv32im", marks=pytest.mark.soak),
        pytest.param("rv64im", marks=pytest.mark.soak),
    ],
)
def test_wycheproof(machine, isa, alg, name):
    aead = Aead(machine(isa, PARTS), alg)
    results = {check(aead, case) for case in wycheproof_cases(name)}
    assert results == ({OK, AUTH} if alg == ASCON else {OK, AUTH, PARAM})


def check_random(aead, rng, alg, length, offsets):
    key, nonce = rng.randbytes(rng.choice(KEY_LENGTHS[alg])), rng.randbytes(NONCE_LENGTH[alg])
    aad, text = rng.randbytes(rng.choice([0, 1, 15, 16, 20])), rng.randbytes(length)
    ciphertext, tag = reference(alg, key, nonce, aad, text)
    in_place = rng.random() < 0.5
    options = {"offsets": offsets, "in_place": in_place}
    assert aead.encrypt(key, nonce, aad, text, **options) == (OK, ciphertext, tag)
    assert aead.decrypt(key, nonce, aad, ciphertext, tag, **options) == (OK, text)
    aead.m.free_all()


@pytest.mark.parametrize("alg", ALGS)
def test_every_length(machine, alg):
    aead, rng = Aead(machine("rv32im", PARTS), alg), random.Random(alg)
    for length in range(258):
        check_random(aead, rng, alg, length, [rng.randrange(4) for _ in range(3)])


@pytest.mark.parametrize("alg", ALGS)
@pytest.mark.parametrize("isa", OTHER_ISAS)
def test_lengths(machine, isa, alg):
    aead, rng = Aead(machine(isa, PARTS), alg), random.Random(isa + alg)
    for _ in range(12):
        check_random(aead, rng, alg, rng.randrange(258), [rng.randrange(8) for _ in range(3)])


def chunks(rng, length):
    at = 0
    while at < length:
        step = min(rng.choice([0, 1, 15, 16, 17, 64, rng.randrange(100)]), length - at)
        yield at, step
        at += step


@pytest.mark.parametrize("alg", ALGS)
@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
def test_chunks(machine, isa, alg):
    m, rng = machine(isa, PARTS), random.Random(isa + alg)
    aead = Aead(m, alg)
    for length in [0, 1, 200, *(rng.randrange(300) for _ in range(6))]:
        key, nonce = rng.randbytes(KEY_LENGTHS[alg][0]), rng.randbytes(NONCE_LENGTH[alg])
        aad, text = rng.randbytes(rng.randrange(60)), rng.randbytes(length)
        ciphertext, tag = reference(alg, key, nonce, aad, text)
        for direction, data, expected in (
            (ENCRYPT, text, ciphertext),
            (DECRYPT, ciphertext, text),
        ):
            stream = aead.stream(direction, key, nonce)
            assert stream.status == OK
            source, target = m.alloc(data), m.alloc(length, offset=3)
            extra, tag_at = m.alloc(aad), m.alloc(tag)
            if alg == CCM or rng.random() < 0.5:
                assert stream.set_lengths(len(aad), length) == OK
            for at, step in chunks(rng, len(aad)):
                assert stream.call("aad", extra + at, step) == OK
            for at, step in chunks(rng, length):
                assert stream.call("update", source + at, target + at, step) == OK
            if direction == ENCRYPT:
                m.write(tag_at, bytes(16))
                assert stream.call("finish", tag_at) == OK
                assert m.read(tag_at, 16) == tag
            else:
                assert stream.call("verify", tag_at) == OK
            assert m.read(target, length) == expected
            assert stream.wiped()
        m.free_all()


@pytest.mark.parametrize("alg", ALGS)
def test_forgeries(machine, alg):
    """Any changed bit is seen, and then there is no plaintext."""
    aead, rng = Aead(machine("rv32im", PARTS), alg), random.Random(alg)
    key, nonce = rng.randbytes(KEY_LENGTHS[alg][0]), rng.randbytes(NONCE_LENGTH[alg])
    aad, text = rng.randbytes(20), rng.randbytes(33)
    ciphertext, tag = reference(alg, key, nonce, aad, text)
    message = [nonce, aad, ciphertext, tag]
    for part, data in enumerate(message):
        bits = range(128) if data is tag else rng.sample(range(8 * len(data)), 8)
        for bit in bits:
            changed = (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(len(data), "little")
            forged = [*message[:part], changed, *message[part + 1 :]]
            assert aead.decrypt(key, *forged) == (AUTH, bytes(33))
            aead.m.free_all()
    assert aead.decrypt(key, *message[:3], bytes(16), in_place=True) == (AUTH, bytes(33))
    assert aead.decrypt(key, *message) == (OK, text)


def test_short_tags_and_long_nonces_of_gcm(machine):
    aead, rng = Aead(machine("rv32im", PARTS), GCM), random.Random(3)
    key, text = rng.randbytes(16), rng.randbytes(40)
    for nonce_len in (8, 11, 13, 16, 60, 128):
        nonce = rng.randbytes(nonce_len)
        ciphertext, tag = reference(GCM, key, nonce, b"", text)
        for tag_len in (4, 8, 12, 13, 14, 15, 16):
            short = tag[:tag_len]
            found = aead.encrypt(key, nonce, b"", text, tag_len=tag_len)
            assert found == (OK, ciphertext, short)
            assert aead.decrypt(key, nonce, b"", ciphertext, short) == (OK, text)
            wrong = short[:-1] + bytes([short[-1] ^ 1])
            assert aead.decrypt(key, nonce, b"", ciphertext, wrong) == (AUTH, bytes(40))
            aead.m.free_all()


BAD_LENGTHS = [
    (GCM, 15, 12, 16), (GCM, 0, 12, 16), (GCM, 33, 12, 16), (GCM, 16, 0, 16),
    (GCM, 16, 12, 0), (GCM, 16, 12, 7), (GCM, 16, 12, 11), (GCM, 16, 12, 17),
    (CCM, 15, 13, 16), (CCM, 16, 6, 16), (CCM, 16, 14, 16), (CCM, 16, 13, 2), (CCM, 16, 13, 5),
    (CCM, 16, 13, 18),
    (CHACHA, 16, 12, 16), (CHACHA, 32, 8, 16), (CHACHA, 32, 24, 16), (CHACHA, 32, 12, 12),
    (CHACHA, 32, 12, 17), (ASCON, 32, 16, 16), (ASCON, 16, 12, 16), (ASCON, 16, 16, 7),
    (ASCON, 16, 16, 17),
]  # fmt: skip


@pytest.mark.parametrize(("alg", "key_len", "nonce_len", "tag_len"), BAD_LENGTHS)
def test_wrong_lengths_of_parameters(machine, alg, key_len, nonce_len, tag_len):
    aead = Aead(machine("rv32im", PARTS), alg)
    key, nonce = bytes(key_len), bytes(nonce_len)
    stream = aead.stream(ENCRYPT, key, nonce, tag_len)
    assert stream.status == PARAM
    assert stream.call("aad", 0, 0) == STATE
    assert stream.call("update", 0, 0, 0) == STATE
    assert stream.call("finish", aead.m.alloc(16)) == STATE
    found = aead.encrypt(key, nonce, b"", bytes(5), tag_len=tag_len)
    assert found == (PARAM, b"\xa5" * 5, b"\xa5" * tag_len)


@pytest.mark.parametrize("alg", ALGS)
def test_wrong_order_and_null_pointers(machine, alg):
    m = machine("rv32im", PARTS)
    aead, buffer = Aead(m, alg), m.alloc(16)
    key, nonce = bytes(KEY_LENGTHS[alg][-1]), bytes(NONCE_LENGTH[alg])

    stream = aead.stream(ENCRYPT, key, nonce)
    if alg == CCM:
        for name, *arguments in (
            ("aad", buffer, 1),
            ("update", buffer, buffer, 1),
            ("finish", buffer),
        ):
            assert stream.call(name, *arguments) == STATE
        assert stream.set_lengths(1, 1) == OK
    assert stream.call("update", buffer, 0, 1) == PARAM
    assert stream.call("update", 0, buffer, 1) == PARAM
    assert stream.call("aad", 0, 1) == PARAM
    assert stream.call("finish", 0) == PARAM
    assert stream.call("verify", buffer) == STATE
    assert stream.call("update", 0, 0, 0) == OK
    assert stream.call("aad", buffer, 1) == OK
    assert stream.call("update", buffer, buffer, 1) == OK
    assert stream.call("aad", buffer, 1) == STATE
    assert stream.call("finish", buffer) == OK
    assert stream.call("finish", buffer) == STATE
    assert stream.wiped()

    stream = aead.stream(DECRYPT, key, nonce)
    assert alg != CCM or stream.set_lengths(0, 0) == OK
    assert stream.call("finish", buffer) == STATE
    assert stream.call("verify", 0) == PARAM
    assert stream.call("verify", buffer) == AUTH
    assert stream.wiped()

    stream = aead.stream(ENCRYPT, key, nonce)
    m.call("cryptile_aead_wipe", stream.context)
    assert stream.wiped()
    m.call("cryptile_aead_wipe", 0)
    params = aead.params(key, nonce, 16)
    assert aead.stream(2, key, nonce).status == PARAM
    assert stream.call("init", 0, ENCRYPT, params) == PARAM
    assert stream.call("init", aead.alg, ENCRYPT, 0) == PARAM
    for word in (0, 2):
        params = aead.params(key, nonce, 16)
        m.write(params + 4 * word, bytes(4))
        assert stream.call("init", aead.alg, ENCRYPT, params) == PARAM
    for name in ("set_lengths", "aad", "update", "finish", "verify", "init"):
        result = m.call(f"cryptile_aead_{name}", 0, buffer, buffer, 1)
        assert result.value == PARAM & 0xFFFFFFFF
    no_tag = m.call("cryptile_aead_encrypt", aead.alg, params, 0, 0, 0, 0, 0, 0)
    assert no_tag.value == PARAM & 0xFFFFFFFF
    no_tag = m.call("cryptile_aead_decrypt", aead.alg, params, 0, 0, 0, 0, 0, 0)
    assert no_tag.value == PARAM & 0xFFFFFFFF


@pytest.mark.parametrize(
    ("alg", "max_aad", "max_text"),
    [(GCM, 2**61 - 1, 2**36 - 32), (CHACHA, 2**64 - 1, 2**38 - 64), (ASCON, 2**54, 2**54)],
)
def test_limits(machine, alg, max_aad, max_text):
    m = machine("rv32im", PARTS)
    aead, buffer = Aead(m, alg), m.alloc(32)
    stream = aead.stream(ENCRYPT, bytes(KEY_LENGTHS[alg][-1]), bytes(NONCE_LENGTH[alg]))
    stream.pretend(max_aad - 3, max_text - 5)
    assert stream.call("aad", buffer, 4) == LENGTH
    assert stream.call("aad", buffer, 3) == OK
    assert stream.call("aad", buffer, 1) == LENGTH
    assert stream.call("update", buffer, buffer, 6) == LENGTH
    assert m.read(buffer, 6) == bytes(6)
    assert stream.call("update", buffer, buffer, 5) == OK
    assert stream.call("update", buffer, buffer, 1) == LENGTH
    assert stream.call("update", 0, 0, 0) == OK


@pytest.mark.parametrize("alg", ALGS)
def test_stated_lengths(machine, alg):
    """More is refused when it comes, less where something comes too early; the message goes on."""
    m = machine("rv32im", PARTS)
    aead, buffer, tag = Aead(m, alg), m.alloc(32), m.alloc(16)
    key, nonce = bytes(KEY_LENGTHS[alg][-1]), bytes(NONCE_LENGTH[alg])
    stream = aead.stream(ENCRYPT, key, nonce)
    assert stream.set_lengths(20, 17) == OK
    assert stream.set_lengths(20, 17) == STATE
    assert stream.call("aad", buffer, 21) == LENGTH
    assert stream.call("aad", buffer, 19) == OK
    assert stream.call("update", buffer, buffer, 1) == LENGTH
    assert stream.call("finish", tag) == LENGTH
    assert stream.call("aad", buffer, 1) == OK
    assert stream.call("update", buffer, buffer, 18) == LENGTH
    assert stream.call("update", buffer, buffer, 16) == OK
    assert stream.call("finish", tag) == LENGTH
    assert stream.call("update", buffer + 16, buffer + 16, 1) == OK
    assert stream.call("finish", tag) == OK
    assert stream.wiped()
    ciphertext, code = reference(alg, key, nonce, bytes(20), bytes(17))
    assert (m.read(buffer, 17), m.read(tag, 16)) == (ciphertext, code)


@pytest.mark.parametrize("nonce_len", range(7, 14))
def test_longest_text_of_ccm(machine, nonce_len):
    m = machine("rv32im", PARTS)
    stream = Aead(m, CCM).stream(ENCRYPT, bytes(16), bytes(nonce_len))
    most = (1 << 8 * (15 - nonce_len)) - 1
    assert most == 2**64 - 1 or stream.set_lengths(0, most + 1) == LENGTH
    assert stream.set_lengths(0, most) == OK
    if nonce_len == 13:
        found = Aead(m, CCM).encrypt(bytes(16), bytes(13), b"", bytes(1 << 16))
        assert found == (LENGTH, b"\xa5" * (1 << 16), b"\xa5" * 16)


@pytest.mark.parametrize(
    ("alg", "absent"),
    [(GCM, "cry_chacha20_init"), (CHACHA, "cry_ghash_update"), (ASCON, "cry_poly1305_update")],
)
def test_only_what_is_named_is_linked(tmp_path, alg, absent):
    gcc = compiler()
    source, program = tmp_path / "program.c", tmp_path / "program.elf"
    source.write_text(
        '#include "cryptile/aead.h"\n'
        "int main(void) { cryptile_aead_ctx_t c; cryptile_aead_params_t p = {0};"
        f"return cryptile_aead_init(&c, &{alg}, CRYPTILE_ENCRYPT, &p); }}"
    )
    tools.run(
        [
            gcc,
            *tools.words(
                "-march=rv32im -mabi=ilp32 -nostdlib -static -Wl,-e,main -isystem "
                "/usr/lib/picolibc/riscv64-unknown-elf/include"
            ),
            "-I",
            library.INCLUDE,
            source,
            library.build("rv32im", parts=PARTS).archive,
            "-lgcc",
            "-o",
            program,
        ]
    )
    symbols = tools.run([tools.find("riscv64-unknown-elf-nm"), program])
    assert alg in symbols
    assert absent not in symbols
