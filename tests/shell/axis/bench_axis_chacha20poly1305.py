"""ChaCha20-Poly1305 on streams against ``cryptography``: the order of sections, and wrong tags."""

import random

import cocotb
from cocotb.triggers import RisingEdge
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from shell_model import AUTH_FAILED, BAD_PARAM, OK, Shell, beats

AEAD = 2
STALLS = (0.0, 0.0, 0.3, 0.7)


@cocotb.test()
async def random_jobs(dut):
    shell = await Shell(dut).start()
    rng = random.Random(51)
    assert await shell.read("FEATURES") >> 16 == 7
    for number in range(40):
        shell.source.stall, shell.sink.stall = rng.choice(STALLS), rng.choice(STALLS)
        key, nonce = rng.randbytes(32), rng.randbytes(12)
        aad, text = rng.randbytes(rng.choice((0, 1, 16, 40))), rng.randbytes(rng.randrange(130))
        sealed = ChaCha20Poly1305(key).encrypt(nonce, text, aad)
        coded, tag = sealed[:-16], bytearray(sealed[-16:])
        job = {"mode": AEAD, "key": key, "iv": nonce, "aad": len(aad), "length": len(text)}
        kind = number % 4
        if kind == 0:
            shell.source.send(aad, coded, tag)
            await shell.job(**job, decrypt=1)
            wanted, output = OK, beats(text) or [b""]
        elif kind == 1:
            tag[rng.randrange(16)] ^= 1 << rng.randrange(8)
            shell.source.send(aad, coded, tag)
            await shell.job(**job, decrypt=1)
            wanted, output = AUTH_FAILED, beats(text) or [b""]
        elif kind == 2:
            if aad or text:
                shell.source.send(aad, text)
            await shell.job(**job)
            wanted, output = OK, beats(coded, bytes(tag))
        else:
            shell.source.send(aad, text, bytes(5))
            await shell.job(**{**job, "key": key[:16], "length": len(text)}, decrypt=1)
            wanted, output = BAD_PARAM, [b""]
        assert await shell.result() == (number % 256, wanted)
        assert await shell.packet() == output
    while shell.source.beats:  # the rest of the last packet is discarded
        await RisingEdge(dut.clk_i)
