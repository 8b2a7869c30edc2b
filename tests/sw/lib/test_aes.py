"""AES through the library's interface: every implementation on every instruction set."""

import random

import pytest
from aes_calls import MODES, PARTS, Api, impls, reference
from support.nist_aes import FOLDER, vectors

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.toolchain import tools

CASES = [(isa, impl) for isa in library.ISAS for impl in impls(isa)]
CONSTANT_TIME = [(isa, impl) for isa, impl in CASES if impl in ("bitsliced", "zkn")]
NEW = [(isa, impl) for isa, impl in CASES if impl != "compact"]
WHOLE = ("rv32im_zkn", "rv64im_zkn")
"""Where every length and every vector is tried; elsewhere some, chosen at random."""


def known_answers(kinds):
    for mode in ("ECB", "CBC"):
        for kind in kinds:
            for size in (128, 192, 256):
                for decrypt, fields in vectors(FOLDER / mode / f"{mode}{kind}{size}.rsp"):
                    yield mode.lower(), decrypt, fields


@pytest.mark.parametrize(("isa", "impl"), NEW)
def test_known_answers(machine, isa, impl):
    m, rng = machine(isa, PARTS), random.Random(f"{isa} {impl}")
    api = Api(m, impl)
    cases = list(known_answers(("GFSbox", "KeySbox", "VarKey", "VarTxt")))
    messages = list(known_answers(("MMT",)))
    assert len(cases) > 2000 and len(messages) == 120
    for mode, decrypt, fields in [*rng.sample(cases, 24), *rng.sample(messages, 12)]:
        plain, cipher = fields["PLAINTEXT"], fields["CIPHERTEXT"]
        source, target = (cipher, plain) if decrypt else (plain, cipher)
        got, _ = api.crypt(
            mode, fields["KEY"], fields.get("IV", bytes(16)), source, decrypt=decrypt
        )
        assert got == target, fields
        m.free_all()


@pytest.mark.parametrize(("isa", "impl"), NEW)
def test_lengths_and_alignments(machine, isa, impl):
    m, rng = machine(isa, PARTS), random.Random(f"{isa} {impl} lengths")
    api, word = Api(m, impl), Isa.parse(isa).word
    whole = isa in WHOLE and impl != "table"
    lengths = range(258) if whole else [0, 1, 15, 16, 17, *rng.sample(range(258), 8)]
    for length in lengths:
        key, iv, data = (rng.randbytes(n) for n in (rng.choice((16, 24, 32)), 16, length))
        offsets = rng.randrange(word), rng.randrange(word)
        in_place = rng.random() < 0.3
        got, _ = api.crypt("ctr", key, iv, data, offsets=offsets, in_place=in_place)
        assert got == reference("ctr", key, iv, data), (length, offsets)
        mode, decrypt = rng.choice(("ecb", "cbc")), rng.random() < 0.5
        data = data[: length - length % 16]
        got, _ = api.crypt(mode, key, iv, data, decrypt=decrypt, offsets=offsets, in_place=in_place)
        assert got == reference(mode, key, iv, data, decrypt=decrypt), (mode, decrypt, length)
        m.free_all()


@pytest.mark.parametrize(("isa", "impl"), [("rv32im", "bitsliced"), ("rv64im_zkn", "zkn")])
def test_every_alignment(machine, isa, impl):
    m, rng = machine(isa, PARTS), random.Random(isa)
    api, word = Api(m, impl), Isa.parse(isa).word
    for a in range(word):
        for b in range(word):
            key, iv, data = (rng.randbytes(n) for n in (16, 16, 150))
            got, _ = api.crypt("ctr", key, iv, data, offsets=(a, b))
            assert got == reference("ctr", key, iv, data)
        m.free_all()


@pytest.mark.parametrize(("isa", "impl"), NEW)
def test_long_messages_cross_runs_of_the_counter(machine, isa, impl):
    """Long enough for the wide code, from an odd counter, over a carry out of 8 and 32 bits."""
    m, rng = machine(isa, PARTS), random.Random(f"{isa} {impl} long")
    api = Api(m, impl)
    for number, length, offset in ((0xFFFFFFDD, 1500, 0), (0x1F1, 900, 1)):
        key, data = rng.randbytes(rng.choice((16, 24, 32))), rng.randbytes(length)
        iv = bytes(8) + b"\xff" * 4 + number.to_bytes(4, "big")
        got, _ = api.crypt("ctr", key, iv, data, offsets=(offset, 0))
        assert got == reference("ctr", key, iv, data)
        m.free_all()


@pytest.mark.parametrize(("isa", "impl"), NEW)
@pytest.mark.parametrize("in_place", [False, True])
def test_streaming(machine, isa, impl, in_place):
    m, rng = machine(isa, PARTS), random.Random(f"{isa} {impl} {in_place}")
    api = Api(m, impl)
    for mode in MODES:
        sizes = [rng.choice((0, 1, 8, 15, 16, 40, 100)) for _ in range(6)]
        chunks = [rng.randbytes(size) for size in [*sizes, -sum(sizes) % 16]]
        key, iv, decrypt = rng.randbytes(32), rng.randbytes(16), rng.random() < 0.5
        got = api.chunks(
            mode, key, iv, chunks, decrypt=decrypt, in_place=in_place, secret=impl != "table"
        )
        assert got == reference(mode, key, iv, b"".join(chunks), decrypt=decrypt)
        m.free_all()


@pytest.mark.parametrize(("isa", "impl"), CONSTANT_TIME)
@pytest.mark.parametrize("mode", MODES)
def test_constant_time(machine, isa, impl, mode):
    api = Api(machine(isa, PARTS), impl)
    for size in (16, 24, 32):
        for decrypt in (False, True):
            for length in (48, 720) if size == 16 else (48,):
                _, result = api.crypt(mode, bytes(size), bytes(16), bytes(length), decrypt=decrypt)
                assert result.violations == []
        api.m.free_all()


@pytest.mark.parametrize("isa", ["rv32im", "rv64im"])
@pytest.mark.parametrize("impl", ["compact", "table"])
@pytest.mark.parametrize("mode", MODES)
def test_tables_are_not_constant_time(machine, isa, impl, mode):
    """The check that passes above finds what is there to be found."""
    _, result = Api(machine(isa, PARTS), impl).crypt(mode, bytes(16), bytes(16), bytes(48))
    assert result.violations
    assert {violation.kind for violation in result.violations} == {"load"}


@pytest.mark.parametrize("isa", library.ISAS)
def test_policies_are_constant_time(tmp_path, isa):
    """Only the words that say otherwise give tables."""
    gcc = tools.find("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf")
    target, source = Isa.parse(isa), tmp_path / "policies.c"
    words = ("FASTEST", "SMALLEST", "LOWEST_POWER", "CONSTANT_TIME")
    chosen = {}
    for prefix in ("", "VARIABLE_TIME_"):
        names = [f"CRYPTILE_{prefix}{word}" for word in (words if not prefix else words[:2])]
        source.write_text(
            '#include "cryptile.h"\n'
            f"const cryptile_cipher_impl_t *const chosen[] = {{{', '.join(names)}}};"
        )
        tools.run(
            [
                gcc,
                f"-march={target.march}",
                f"-mabi={target.abi}",
                *tools.words("-c -isystem /usr/lib/picolibc/riscv64-unknown-elf/include"),
                "-I",
                library.INCLUDE,
                source,
                "-o",
                tmp_path / "policies.o",
            ]
        )
        symbols = tools.run([tools.find("riscv64-unknown-elf-nm"), tmp_path / "policies.o"]).split()
        chosen[prefix] = {name for name in symbols if name.startswith("cryptile_aes_")}
    zkn = "zkne" in target
    assert chosen[""] == {"cryptile_aes_zkn" if zkn else "cryptile_aes_bitsliced"}
    assert ("cryptile_aes_compact" in chosen["VARIABLE_TIME_"]) != zkn
