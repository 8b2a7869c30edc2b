"""cocotb tests of ``cry_pka``: whole programs, wiping, and what is never given."""

import hashlib
import os
import random

import cocotb
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from pka_port import FAULT, MACHINE, OK, PARAM, RANDOM, REFUSED, WIPE_CYCLES, End, Port
from support import pka, wycheproof
from support.pka_curve import CURVES, FAST

CASES = int(os.environ["CRYPTILE_CASES"])
AT = next(at for at in (CURVES | FAST).values() if at.width == MACHINE)
BITS = AT.bits
WIDE = BITS != 256
NAMES = tuple(AT.image.results)
ECDH, SIGN, KEYGEN, PUBLIC, VERIFY = (
    NAMES.index(f"{AT.curve.name}_{name}")
    for name in ("ecdh", "sign", "keygen", "public", "verify")
)
X25519, X_KEYGEN, ED_PUBLIC, ED_COMMIT, ED_SIGN, ED_VERIFY = (
    NAMES.index(name) if name in NAMES else None
    for name in (
        "x25519",
        "x25519_keygen",
        *(f"ed25519_{name}" for name in ("public", "commit", "sign", "verify")),
    )
)
RANDOM_CYCLES = 1000

SHORT = WIDE and CASES == 1
"""A few programs: those of wide rows take longest."""


class Engine(Port):
    def __init__(self, dut):
        super().__init__(dut, "row")

    async def job(
        self, program: int, rows: dict[str, int], draws: list[int], stop: int | None = None
    ) -> End | None:
        """Write rows and run a program to its end; or leave it after ``stop`` cycles."""
        for name, value in rows.items():
            await self.write(AT.image.names[name], value)
        self.dut.program_i.value = program
        if stop is None:
            return await self.run(iter(draws))
        self.dut.rnd_valid_i.value, self.dut.rnd_data_i.value = 1, draws[0]
        await self.begin()
        await self.cycle(stop)
        self.dut.rnd_valid_i.value = 0
        return None

    async def compare(
        self, program: int, rows: dict[str, int], draws: list[int]
    ) -> list[int] | None:
        """Run a job here and in the simulator, compare all rows, and return the result's."""
        image, source = AT.image, iter(draws)
        machine = AT.started(rows, source)
        outcome = machine.run(image.entries[NAMES[program]])
        end = await self.job(program, rows, draws[: len(draws) - len(list(source))])
        assert end.status == (REFUSED if outcome.flag else OK)
        assert end.cycles == outcome.cycles == pka.OF[MACHINE][NAMES[program]]
        assert {n: int(self.rams[0].mem[n].value) for n in machine.rows} == machine.rows
        results = await self.results(1 if outcome.flag else image.results[NAMES[program]])
        first = image.names["result"]
        for number, result in enumerate(results):
            assert result == (0 if outcome.flag else machine.rows[first + number])
        await self.take()
        assert self.left() == 0
        return None if outcome.flag else results

    async def results(self, count: int) -> list[int]:
        """Return the rows of a result, all but the last one taken."""
        values = []
        for number in range(count):
            if number:
                await self.next_row()
            assert self.get("done_index") == number
            values.append(self.get("result"))
        return values


async def ported(dut) -> Engine:
    engine = Engine(dut)
    dut.program_i.value = 0
    await engine.start()
    return engine


def draws(rng: random.Random) -> list[int]:
    return [rng.getrandbits(BITS) for _ in range(6)]


def little(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


@cocotb.test(skip=WIDE)
async def x25519(dut):
    """RFC 7748, 5.2, a point of small order, and Wycheproof's: the same cycles for all."""
    engine, rng = await ported(dut), random.Random(1)
    cases = [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        ),
        ("00" * 32, "01" + "00" * 31, "00" * 32),
        ("ff" * 32, "00" * 32, "00" * 32),
    ]
    groups = wycheproof.load("x25519_test.json")["testGroups"]
    every = [case for group in groups for case in group["tests"]]
    cases += [
        (case["private"], case["public"], case["shared"]) for case in rng.sample(every, CASES)
    ]
    for scalar, point, shared in cases:
        rows = {"k": little(scalar), "u": little(point)}
        result = await engine.compare(X25519, rows, draws(rng))
        assert (result or [0]) == [little(shared)]


@cocotb.test(skip=WIDE)
async def x25519_keys(dut):
    """As OpenSSL's, at the edges of random rows, too; the same cycles for all, refused or not."""
    engine, rng = await ported(dut), random.Random(6)
    most = 2**BITS - 1
    edges = ([1, 2, most], [most, 1, 2], [5, 5, 6], [5, 6, 5], [most] * 3, [1, 0, 2])
    for rows in (draws(rng), *edges[: 3 if CASES == 1 else None], *([draws(rng)] * (CASES - 1))):
        result = await engine.compare(X_KEYGEN, {}, rows)
        if 0 in rows[1:3] or rows[0] in rows[1:3]:
            assert result is None
            continue
        scalar, public = (value.to_bytes(32, "little") for value in result)
        key = X25519PrivateKey.from_private_bytes(scalar)
        assert int.from_bytes(scalar, "little") == rows[0]
        assert public == key.public_key().public_bytes_raw()
    # Of rows of a result none is zero, or an upset has made it so.
    end = await engine.job(X_KEYGEN, {}, [0, 1, 2])
    assert (end.status, end.cycles) == (FAULT, pka.OF[MACHINE]["x25519_keygen"])
    assert engine.get("result") == 0
    await engine.take()
    assert engine.left() == 0


@cocotb.test()
async def agreements(dut):
    """Wycheproof's, and scalars and points at the edges: the same cycles for all."""
    engine, rng = await ported(dut), random.Random(2)
    name, size = f"ecdh_{AT.openssl.name}_ecpoint_test.json", 2 * AT.size
    cases = [case for group in wycheproof.load(name)["testGroups"] for case in group["tests"]]
    cases = [case for case in cases if len(case["public"]) == 2 + 2 * size]
    for case in rng.sample(cases, CASES):
        x, y = int(case["public"][2 : 2 + size], 16), int(case["public"][2 + size :], 16)
        rows = {"k": int(case["private"], 16), "x": x, "y": y}
        result = await engine.compare(ECDH, rows, draws(rng))
        expected = [int(case["shared"], 16)] if case["result"] == "valid" else None
        assert result == expected, case["tcId"]
    (x, y), n, most = AT.curve.g, AT.n, AT.most
    edges = (
        *((1, (x, y)), (n - 1, (x, y)), (0, (x, y)), (5, (x, y ^ 1))),
        *((n, (x, y)), (5, (0, 0)), (most, (most, y))),
    )
    for k, point in edges[: CASES + 2 * (not SHORT)]:
        result = await engine.compare(ECDH, {"k": k, "x": point[0], "y": point[1]}, draws(rng))
        assert result == ([x] if k in (1, n - 1) else None)


EXAMPLES = {
    "p256": (
        "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6",
        "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
    ),
    "p384": (
        "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64"
        "DEF8F0EA9055866064A254515480BC13",
        "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1"
        "288B231C3AE0D4FE7344FD2533264720",
        "21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33"
        "BDE1E888E63355D92FA2B3C36D8FB2CD",
        "F3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEB"
        "EFDC63ECCD1AC42EC0CB8668A4FA0AB0",
    ),
    "p521": (
        "1894550D0785932E00EAA23B694F213F8C3121F86DC97A04E5A7167DB4E5BCD371123D46E45DB6B5"
        "D5370A7F20FB633155D38FFA16D2BD761DCAC474B9A2F5023A4",
        "0493101C962CD4D2FDDF782285E64584139C2F91B47F87FF82354D6630F746A28A0DB25741B5B34A"
        "828008B22ACC23F924FAAFBD4D33F81EA66956DFEAA2BFDFCF5",
        "1511BB4D675114FE266FC4372B87682BAECC01D3CC62CF2303C92B3526012659D16876E25C7C1E57"
        "648F23B73564D67F61C6F14D527D54972810421E7D87589E1A7",
        "04A171143A83163D6DF460AAF61522695F207A58B95C0644D87E52AA1A347916E4F7A72930B1BC06"
        "DBE22CE3F58264AFD23704CBB63B29B931F7DE6C9D949A7ECFC",
    ),
}
"""Of RFC 6979 (A.2.5 to A.2.7): the public key, and the signature of "sample"."""


@cocotb.test()
async def signatures(dut):
    """Keys, signatures and their verification, which RFC 6979's example passes, too."""
    engine, rng = await ported(dut), random.Random(4)
    for case in range(CASES):
        key, x, y = await engine.compare(KEYGEN, {}, draws(rng))
        e = rng.getrandbits(AT.length)
        r, s = await engine.compare(SIGN, {"k": key, "e": e}, draws(rng))
        rows = {"x": x, "y": y, "e": e, "sig_r": r, "sig_s": s}
        assert await engine.compare(VERIFY, rows, []) == [r]
        if SHORT:
            return
        assert await engine.compare(PUBLIC, {"k": key}, draws(rng)) == [x, y]
        rows |= {rng.choice(["e", "sig_r", "sig_s"]): rng.getrandbits(BITS)}
        assert await engine.compare(VERIFY, rows, []) is None
        bad = rng.choice([0, AT.n, AT.most])
        program, names = ((SIGN, ("k", "e")), (PUBLIC, ("k",)))[case % 2]
        assert await engine.compare(program, dict.fromkeys(names, bad), draws(rng)) is None
    x, y, r, s = (int(value, 16) for value in EXAMPLES[AT.curve.name])
    rows = {
        "x": x,
        "y": y,
        "e": AT.leftmost(hashlib.sha256(b"sample").digest()),
        "sig_r": r,
        "sig_s": s,
    }
    assert await engine.compare(VERIFY, rows, []) == [r]


@cocotb.test(skip=WIDE)
async def ed25519(dut):
    """R, S, their verification and a public key; what is refused takes the same cycles."""
    engine, rng = await ported(dut), random.Random(5)
    for case in range(CASES):
        names = ("k", "nonce0", "nonce1", "hash0", "hash1")
        rows = {name: rng.getrandbits(256) for name in names}
        nonce = {name: rows[name] for name in names[1:3]}
        (point,) = await engine.compare(ED_COMMIT, nonce, draws(rng))
        if CASES == 1:
            break
        signed = await engine.compare(ED_SIGN, rows | {"sig_r": point}, draws(rng))
        assert await engine.compare(ED_SIGN, rows | {"sig_r": point ^ 1}, draws(rng)) is None
        (public,) = await engine.compare(ED_PUBLIC, {"k": rows["k"]}, draws(rng))
        given = {"u": public, "sig_r": signed[0], "sig_s": signed[1] ^ case % 2}
        given |= {name: rows[name] for name in names[3:]}
        assert await engine.compare(ED_VERIFY, given, []) == (None if case % 2 else [point])


@cocotb.test()
async def ends_early(dut):
    """Abort, reset, no random bits, no such program: all is wiped, and the next job is right."""
    engine, rng = await ported(dut), random.Random(3)
    x, y = AT.curve.g
    program, rows = (ECDH, {"k": 5, "x": x, "y": y}) if WIDE else (X25519, {"k": 5 << 200, "u": 9})
    for stop, way in ((400, engine.clear), (3000, engine.reset), (1, engine.clear)):
        await engine.job(program, rows, draws(rng), stop)
        assert engine.left()
        await way()
        assert engine.left() == 0
    # An alarm that stays up holds no row back.
    await engine.job(program, rows, draws(rng), 400)
    dut.clear_i.value = 1
    await engine.cycle(2 * WIPE_CYCLES + 88)
    assert not engine.rows()
    dut.clear_i.value = 0
    await engine.cycle(WIPE_CYCLES)
    assert engine.get("start_ready") and engine.left() == 0
    # An abort between two rows of a result: the next job's begins with the first.
    end = await engine.job(KEYGEN, {}, draws(rng)[:4])
    assert end.status == OK
    await engine.cycle()
    await engine.next_row()
    assert engine.get("done_index") == 1
    await engine.clear()
    assert engine.left() == 0
    assert engine.get("result") == 0
    for number in {ECDH, program}:
        end = await engine.job(number, rows, draws(rng)[:1])
        assert end.status == RANDOM
        assert end.cycles <= RANDOM_CYCLES + 8
        assert engine.get("result") == 0
        await engine.take()
        assert engine.left() == 0
    end = await engine.job(15, rows, draws(rng))
    assert end.status == PARAM
    await engine.take()
    assert engine.left() == 0
    assert await engine.compare(program, rows, draws(rng)) is not None
