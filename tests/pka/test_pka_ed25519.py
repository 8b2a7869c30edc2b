"""Ed25519 on the public-key engine's simulator: others' vectors, edges, faults, cycles.

A run takes the same cycles whatever it is given, bad keys and signatures included.
"""

import hashlib
import itertools
import random
from collections.abc import Iterator

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from support import pka, wycheproof
from support.pka import seeded
from support.pka_copies import Copies

from cryptile.jobs.oracle.curve25519 import x25519
from cryptile.pka.builder import Image
from cryptile.pka.isa import Word
from cryptile.pka.programs import ed25519
from cryptile.pka.programs.ed25519 import BASE, COMB, D, L
from cryptile.pka.programs.x25519 import P

pytestmark = pytest.mark.usefixtures("machine")

TOP = 2**256 - 1


def image() -> Image:
    """Return all programs of the machine."""
    return pka.image(pka.machine_of("ed25519_sign"))


def run(entry: str, rows: dict[str, int], draws: Iterator[int] | None = None) -> list[int] | None:
    """Return the rows of a result, or None if the program refused."""
    source = seeded(1) if draws is None else draws
    results, outcome = pka.run_all(f"ed25519_{entry}", rows, source)
    assert not (outcome.flag and any(results))
    return None if outcome.flag else results


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def wide(name: str, value: int) -> dict[str, int]:
    """Return the rows of a number of 512 bits."""
    return {f"{name}0": value % 2**256, f"{name}1": value >> 256}


def hashed(*parts: bytes) -> int:
    return number(hashlib.sha512(b"".join(parts)).digest())


def sign(seed: bytes, message: bytes, draws: Iterator[int] | None = None) -> tuple[bytes, bytes]:
    """Return the public key and the signature, in the steps that the programs' header names."""
    draws = seeded(2) if draws is None else draws
    k, prefix = hashlib.sha512(seed).digest()[:32], hashlib.sha512(seed).digest()[32:]
    (public,) = run("public", {"k": number(k)}, draws) or [0]
    nonce = wide("nonce", hashed(prefix, message))
    (point,) = run("commit", nonce, draws) or [0]
    a, r = (value.to_bytes(32, "little") for value in (public, point))
    rows = nonce | {"k": number(k), "sig_r": point} | wide("hash", hashed(r, a, message))
    result = run("sign", rows, draws) or [0, 0]
    return a, b"".join(value.to_bytes(32, "little") for value in result)


def verified(public: bytes, message: bytes, signature: bytes) -> bool:
    r, s = signature[:32], signature[32:]
    rows = {"u": number(public), "sig_r": number(r), "sig_s": number(s)}
    result = run("verify", rows | wide("hash", hashed(r, public, message)), iter(()))
    assert result in (None, [number(r)])
    return result is not None


def others(public: bytes, message: bytes, signature: bytes) -> bool:
    """Verify by OpenSSL."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def signed_once(
    k: int, public: bytes, message: bytes, draws: Iterator[int] | None = None
) -> tuple[int, bytes]:
    """Return the nonce and the signature, in the steps of one that stays in the engine's hands."""
    draws = seeded(2) if draws is None else draws
    held, nonce, point = run("nonce", {"k": k}, draws) or [0, 0, 0]
    assert held == k
    digest = wide("hash", hashed(point.to_bytes(32, "little"), public, message))
    result = run("sign_once", {"k": held, "nonce0": nonce, "sig_r": point} | digest, draws)
    return nonce, b"".join(value.to_bytes(32, "little") for value in result or [0, 0])


# --- Others' vectors ---------------------------------------------------------------------------

RFC8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e3970"
        "1cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613"
        "d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760"
        "984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize("machine", ["compact", "fast"], indirect=True)
@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC8032)
def test_rfc8032(seed, public, message, signature):
    """Section 7.1, tests 1 to 3."""
    message = bytes.fromhex(message)
    a, signed = sign(bytes.fromhex(seed), message)
    assert (a.hex(), signed.hex()) == (public, signature)
    assert verified(a, message, signed)


def wycheproof_cases() -> list[tuple[bytes, bytes, bytes, bool]]:
    """Return public key, message, signature of 64 bytes, and whether it is valid."""
    cases = []
    for group in wycheproof.load("ed25519_test.json")["testGroups"]:
        for case in group["tests"]:
            if len(case["sig"]) == 128:
                parts = (group["publicKey"]["pk"], case["msg"], case["sig"])
                key, message, signature = map(bytes.fromhex, parts)
                cases.append((key, message, signature, case["result"] == "valid"))
    return cases


def check_wycheproof(step: int) -> None:
    cases = wycheproof_cases()
    assert len(cases) > 100
    assert {valid for *_, valid in cases[::step]} == {True, False}
    for key, message, signature, valid in cases[::step]:
        assert verified(key, message, signature) == valid


def test_wycheproof_some():
    check_wycheproof(10)


@pytest.mark.soak
def test_wycheproof():
    check_wycheproof(1)


def check_random(runs: int) -> None:
    rng = random.Random(8032)
    for turn in range(runs):
        seed, message = rng.randbytes(32), rng.randbytes(rng.randrange(200))
        key = Ed25519PrivateKey.from_private_bytes(seed)
        public, signature = sign(seed, message, seeded(turn))
        assert public == key.public_key().public_bytes_raw()
        assert signature == key.sign(message)
        bad = bytearray(signature)
        bad[rng.randrange(64)] ^= 1 << rng.randrange(8)
        assert verified(public, message, signature)
        assert not verified(public, message, bytes(bad))


def check_once(runs: int) -> None:
    """OpenSSL verifies what a nonce of the engine's gives, and each nonce is another one."""
    rng, nonces = random.Random(8033), set()
    for turn in range(runs):
        draws, message = seeded(turn), rng.randbytes(rng.randrange(200))
        if turn % 2:
            k, code = run("keygen", {}, draws) or [0, 0]
            public = code.to_bytes(32, "little")
        else:
            seed = bytes.fromhex(RFC8032[turn % 3][0]) if turn < 6 else rng.randbytes(32)
            k = number(hashlib.sha512(seed).digest()[:32])
            public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
        for _ in range(2):
            nonce, signature = signed_once(k, public, message, draws)
            nonces.add(nonce)
            assert others(public, message, signature)
            assert not others(public, message + b"+", signature)
            assert verified(public, message, signature)
    assert len(nonces) == 2 * runs


@pytest.mark.parametrize("machine", ["compact", "fast"], indirect=True)
def test_once_some():
    check_once(3)


@pytest.mark.soak
def test_once():
    check_once(60)


def test_random_some():
    check_random(3)


@pytest.mark.soak
def test_random():
    check_random(100)


# --- Edges -------------------------------------------------------------------------------------


def encoded(x: int, y: int) -> int:
    return y | (x & 1) << 255


def answered(k: int, r: int, h: int) -> tuple[int, int]:
    """Return R and S by big integers."""
    a = k & 2**254 - 8 | 2**254
    return encoded(*ed25519.multiple(r % L)), (r + h * a) % L


EDGES = (0, 1, 2, L - 1, L, L + 1, 2**255, TOP, 2**256, L << 256, 2**512 - 1)


@pytest.mark.parametrize("r", EDGES)
def test_nonces(r):
    """Whatever the hash is, zero and multiples of L too; the scalar is any row."""
    k, h = 0xACE << 240 | 7, 2**512 - 1 - r
    point, s = answered(k, r, h)
    assert run("commit", wide("nonce", r)) == [point]
    rows = {"k": k, "sig_r": point} | wide("nonce", r) | wide("hash", h)
    assert run("sign", rows) == [point, s]


@pytest.mark.parametrize("r", [0, 1, 2, L - 1, L, L + 1, 16 * L, 2**255, TOP])
def test_edge_nonces(r):
    """Whatever the row is; one of zero, or that is zero modulo L, hides nothing, and none comes."""
    k, h = 0xACE << 240 | 7, 2**512 - 1 - r
    point, s = answered(k, r, h)
    given = run("nonce", {"k": k}, seeded(1, r))
    assert given == [k, r, point]
    rows = {"k": k, "nonce0": r, "sig_r": point} | wide("hash", h)
    assert run("sign_once", rows) == [point, s]


@pytest.mark.parametrize("k", [0, TOP, 2**255, 7, 1 << 254, 2**254 - 8])
def test_keys(k):
    a = k & 2**254 - 8 | 2**254
    assert run("public", {"k": k}) == [encoded(*ed25519.multiple(a))]
    point, s = answered(k, 5, 3)
    rows = {"k": k, "sig_r": point} | wide("nonce", 5) | wide("hash", 3)
    assert run("sign", rows) == [point, s]


@pytest.mark.parametrize("value", [0, 1, 0xACE << 240, TOP])
def test_stuck_random_port(value):
    """No key and no nonce is made of rows that repeat, whatever they are."""
    assert run("keygen", {}, itertools.repeat(value)) is None
    assert run("nonce", {"k": 9}, itertools.repeat(value)) is None


def test_another_point_once():
    """No S comes for an R that is not of the nonce."""
    point, _ = answered(9, 5, 3)
    for wrong in (answered(9, 6, 3)[0], point ^ 1 << 255, point ^ 1, 0):
        rows = {"k": 9, "nonce0": 5, "sig_r": wrong} | wide("hash", 3)
        assert run("sign_once", rows) is None


def test_another_point():
    """No S comes for an R that is not of this nonce: two of them would give the key away."""
    point, _ = answered(9, 5, 3)
    other, _ = answered(9, 6, 3)
    for wrong in (other, point ^ 1 << 255, point ^ 1, 0):
        rows = {"k": 9, "sig_r": wrong} | wide("nonce", 5) | wide("hash", 3)
        assert run("sign", rows) is None


@pytest.mark.parametrize("dead", [0, P, 2 * P])
def test_dead_random_rows(dead):
    """A random coordinate of zero gives nothing; blinds of zero do no harm."""
    point, s = answered(9, 5, 3)
    assert run("commit", wide("nonce", 5), itertools.repeat(dead)) is None
    assert run("public", {"k": 9}, seeded(1, 1, dead)) is None
    rows = {"k": 9, "sig_r": point} | wide("nonce", 5) | wide("hash", 3)
    assert run("sign", rows, itertools.repeat(dead)) is None
    assert run("sign", rows, seeded(1, 1, 0, L)) == [point, s]


def signed(h: int, r: int = 77, a: int = 12345) -> tuple[int, int, int]:
    """Return A, R and S for a hash, without clamping."""
    public, point = (encoded(*ed25519.multiple(value)) for value in (a, r))
    return public, point, (r + h * a) % L


def check(public: int, point: int, s: int, h: int) -> bool:
    rows = {"u": public, "sig_r": point, "sig_s": s} | wide("hash", h)
    return run("verify", rows, iter(())) is not None


@pytest.mark.parametrize("h", EDGES)
def test_hashes(h):
    public, point, s = signed(h)
    assert check(public, point, s, h)
    assert not check(public, point, s, h ^ 1)
    assert not check(public ^ 1 << 255, point, s, h) or h % L == 0


@pytest.mark.parametrize("s", [0, 1, L - 1])
def test_edge_answers(s):
    """R = S B - h A."""
    a, h = 12345, 678
    public, point, _ = signed(h, (s - h * a) % L, a)
    assert check(public, point, s, h)


def test_answer_out_of_range():
    """RFC 8032, 5.1.7: S is below L."""
    public, point, s = signed(6)
    assert check(public, point, s, 6)
    for more in range(L, 2**256 - s, L):
        assert not check(public, point, s + more, 6)
    assert not check(public, point, TOP, 6)


@pytest.mark.parametrize("u", [P, P + 1, 2**255 - 1, 1 | 1 << 255, P - 1 | 1 << 255, P + 3, 2, TOP])
def test_no_public_key(u):
    """y of p and more, a sign of x = 0, and no point: refused even where S B = R for h = 0."""
    for h in (0, 5):
        point = encoded(*ed25519.multiple(77))
        assert not check(u, point, 77, h)


def order8() -> tuple[int, int]:
    """Return a point of order 8."""
    for y in range(2, 100):
        square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
        x = pow(square, (P + 3) // 8, P)
        x = x if (x * x - square) % P == 0 else x * ed25519.ROOT % P
        if (x * x - square) % P == 0:
            point = ed25519.multiple(L, (x, y))
            if ed25519.multiple(4, point) != (0, 1):
                return point
    raise AssertionError("no such point")


def plus(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Add by the curve's law."""
    (x1, y1), (x2, y2) = one, other
    t = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + t, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P,
    )


def test_cofactor():
    """Parts of small order in A and R: as OpenSSL, which does not multiply by the cofactor."""
    small, a, r, ends = order8(), 12345, 6789, set()
    for turn in range(12):
        message = bytes([turn])
        key = plus(ed25519.multiple(a), ed25519.multiple(turn % 8, small))
        public = encoded(*key).to_bytes(32, "little")
        point = plus(ed25519.multiple(r), ed25519.multiple(turn // 4, small))
        first = encoded(*point).to_bytes(32, "little")
        s = (r + hashed(first, public, message) * a) % L
        signature = first + s.to_bytes(32, "little")
        ends.add(others(public, message, signature))
        assert verified(public, message, signature) == others(public, message, signature), turn
    assert ends == {True, False}
    for n in (0, 2, 4, 1):
        public = encoded(*ed25519.multiple(n, small))
        rows = wide("hash", 8)
        result = run("verify", rows | {"u": public, "sig_r": answered(0, r, 0)[0], "sig_s": r})
        assert result is not None, "8 times it is the neutral element"


def test_comb_table():
    """Entries are multiples of the base point, which is the curve's."""
    x, y = BASE
    assert (y * y - x * x - 1 - D * x * x * y * y) % P == 0
    key = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw()
    a = number(hashlib.sha512(bytes(32)).digest()[:32]) & 2**254 - 8 | 2**254
    assert encoded(*ed25519.multiple(a)) == number(key)
    point = (0, 1)
    for k in range(1, 6):
        point = plus(point, BASE)
        assert ed25519.multiple(k) == point
    assert len({COMB.column(half, n) for half in range(2) for n in range(COMB.entries)}) == 16


# --- Faults ------------------------------------------------------------------------------------

KEY, NONCE, HASH = 0x5EED << 239 | 99, 2**511 - 12345, 2**510 + 77
PROGRAMS = (
    *("ed25519_public", "ed25519_sign", "ed25519_keygen", "ed25519_nonce", "ed25519_sign_once"),
    "x25519_keygen",
)
"""Those that find faults by themselves; what ``commit`` gives ``sign`` compares."""


def public_of(k: int) -> int:
    return encoded(*ed25519.multiple(k & 2**254 - 8 | 2**254))


def inputs(entry: str) -> tuple[dict[str, int], list[int]]:
    """Return rows and result."""
    point, s = answered(KEY, NONCE, HASH)
    first = next(seeded(3))
    if entry == "ed25519_public":
        return {"k": KEY}, [public_of(KEY)]
    if entry == "ed25519_keygen":
        return {}, [first, public_of(first)]
    if entry == "x25519_keygen":
        scalar, base = first.to_bytes(32, "little"), (9).to_bytes(32, "little")
        return {}, [first, number(x25519(scalar, base))]
    if entry == "ed25519_nonce":
        # Of an R that is wrong there comes no signature.
        return {"k": KEY}, [KEY, first]
    if entry == "ed25519_sign_once":
        point, s = answered(KEY, NONCE % 2**256, HASH)
        rows = {"k": KEY, "nonce0": NONCE % 2**256, "sig_r": point}
        return rows | wide("hash", HASH), [point, s]
    return {"k": KEY, "sig_r": point} | wide("nonce", NONCE) | wide("hash", HASH), [point, s]


def issued(entry: str) -> int:
    """Return how many instructions a program takes."""
    rows, _ = inputs(entry)
    machine = pka.started(rows, seeded(3), image().width)
    return machine.run(image().entries[entry]).issued


def upset(entry: str, when: int, row: int, bit: int, copies: tuple[int, ...] = (0, 1)) -> str:
    """Flip a bit of a row behind the instruction of a number; return what came of it."""
    rows, wanted = inputs(entry)
    machine = Copies.of(pka.started(rows, seeded(3), image().width))
    count = 0

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal count
        count += 1
        machine.go_on(word)
        if count == when and row in machine.rows:
            for copy in copies:
                machine.flip(copy, row, bit)

    machine.watch = watch
    outcome = machine.run(image().entries[entry])
    first = image().names["result"]
    if outcome.flag:
        return "refused"
    right = [machine.rows[first + n] for n in range(len(wanted))] == wanted
    return "right" if right else f"wrong: {entry} {when} {row} {bit} {copies}"


END = 180
"""Instructions behind the first of the last checks. There a row has one of its two copies wrong by
an upset, which these see, and both of them here."""


def check_upsets(entry: str, runs: int) -> None:
    rng, names = random.Random(len(entry)), sorted(image().names.values())
    last = issued(entry) - END
    ends = [
        upset(entry, rng.randrange(10, last), rng.choice(names), rng.randrange(256))
        for _ in range(runs)
    ]
    assert set(ends) == {"refused", "right"}


@pytest.mark.parametrize("entry", PROGRAMS)
def test_upsets_some(entry):
    check_upsets(entry, 40)


@pytest.mark.soak
@pytest.mark.parametrize("entry", PROGRAMS)
def test_upsets(entry):
    check_upsets(entry, 1000)


@pytest.mark.parametrize("entry", PROGRAMS)
@pytest.mark.parametrize(
    ("name", "bit"),
    [
        *(("Top", bit) for bit in (0, 217, 255)),
        *((name, 60) for name in ("ClampAnd", "ClampOr", "L25519", "Zero", "One")),
        *(("P25519", bit) for bit in (0, 60)),
        ("M25519", 60),
    ],
)
def test_upset_of_constants(entry, name, bit):
    """A constant that is wrong from the beginning, in both of two computations alike."""
    assert not upset(entry, 10, image().names[name], bit).startswith("wrong")


@pytest.mark.parametrize("entry", ["ed25519_sign", "ed25519_sign_once", "x25519_keygen"])
def test_upset_of_one_copy_of_a_constant(entry):
    """Late, when what both computations take alike may have been looked at already."""
    names, last = image().names, issued(entry)
    rng = random.Random(5)
    for name in ("Zero", "ClampAnd", "ClampOr", "L25519"):
        for copy in (0, 1):
            for part in (0.5, 0.9, 0.94, 0.96, 0.98):
                bit = rng.choice([3, 60, 250])
                found = upset(entry, int(part * last), names[name], bit, (copy,))
                assert not found.startswith("wrong"), found
