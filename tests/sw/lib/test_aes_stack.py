"""The stack that the header of the ciphers states is enough, whatever is called."""

import re
from itertools import product

import pytest
from aes_calls import MODES, PARTS, Api, impls

from cryptile.project import ROOT

STATED = {
    name: int(size)
    for size, name in re.findall(
        r"Stack: (\d+) bytes(?s:.*?)\n[\w ]+ (cryptile_\w+)\(",
        (ROOT / "sw/include/cryptile/cipher.h").read_text(),
    )
}
"""Bytes by function, as the header states them."""

RV64_MORE = 256
MORE = {
    "compact": {32: (288, 288), 64: (576, 576)},
    "table": {32: (320, 320), 64: (0, 0)},
    "bitsliced": {32: (1024, 3584), 64: (2048, 7168)},
    "zkn": {32: (320, 320), 64: (640, 640)},
}
"""Bytes on top, by implementation and XLEN: commonly, and in CTR from 512 bytes on."""


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zkn", "rv64im", "rv64im_zkn"])
def test_stack(machine, isa):
    m = machine(isa, PARTS)
    for impl, mode, size, decrypt, length in product(
        impls(isa), MODES, (16, 32), (False, True), (16, 48, 1040)
    ):
        api = Api(m, impl)
        used = {}
        key, iv, data = bytes(size), bytes(16), bytes(length)
        used["crypt"] = api.crypt(mode, key, iv, data, decrypt=decrypt)[1]
        context, written = m.alloc(1024), m.alloc(bytes(8))
        source, target = m.alloc(data, secret=True), m.alloc(length)
        params = api.params(mode, key, iv, decrypt=decrypt)
        given = length - 5 if mode == "ctr" else length
        used["init"] = m.call("cryptile_cipher_init", context, api.impl, params)
        used["update"] = m.call(
            "cryptile_cipher_update", context, source, given, target, length, written
        )
        used["final"] = m.call("cryptile_cipher_final", context, target, 16, written)
        used["wipe"] = m.call("cryptile_cipher_wipe", context)
        more = MORE[impl][m.xlen][mode == "ctr" and length >= 512]
        more += RV64_MORE if m.xlen == 64 else 0
        for verb, result in used.items():
            assert result.stack_bytes <= STATED[f"cryptile_cipher_{verb}"] + more, (
                impl,
                mode,
                verb,
            )
        m.free_all()
