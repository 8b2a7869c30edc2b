"""Calls of hash, HMAC and HKDF functions on a simulated machine, every buffer exact to the byte."""

from support import returned

from cryptile import library

PARTS = ("sha2", "hash", "hmac", "hkdf", "keccak", "ascon")
HASH_CONTEXT = 216
HMAC_CONTEXT = 2 * HASH_CONTEXT
OK, PARAM, STATE, LENGTH, AUTH = 0, -1, -2, -3, -10

ISAS = library.ISAS
SOME_ISAS = ("rv32i", "rv32im_zkn", "rv64im_zba_zbb")
"""Enough for what is the same C code everywhere."""

DIGEST = {
    "sha224": 28,
    "sha256": 32,
    "sha384": 48,
    "sha512": 64,
    "sha512_224": 28,
    "sha512_256": 32,
    "sha3_224": 28,
    "sha3_256": 32,
    "sha3_384": 48,
    "sha3_512": 64,
    "ascon_hash256": 32,
}
"""Bytes of a digest, by the descriptor's name, which is hashlib's too where that has it."""
WITH_HMAC = [name for name in DIGEST if name != "ascon_hash256"]


STACK = {
    "cryptile_hash_init": 96,
    "cryptile_hash_update": 448,
    "cryptile_hash_final": 448,
    "cryptile_hash": 688,
    "cryptile_hmac_init": 624,
    "cryptile_hmac_update": 448,
    "cryptile_hmac_final": 560,
    "cryptile_hmac_verify": 560,
    "cryptile_hmac": 1152,
    "cryptile_hmac_check": 1152,
    "cryptile_hkdf_extract": 1152,
    "cryptile_hkdf_expand": 1392,
    "cryptile_hkdf": 1504,
}
"""The bounds that the headers state, for RV32."""


class Calls:
    """The interface on one machine. Results of status calls are signed."""

    def __init__(self, machine):
        self.m = machine

    def alg(self, name):
        return self.m.symbols[f"cryptile_{name}"]

    def bytes(self, data, *, offset=0, secret=False):
        """Return an input: its address and length, null if it is None."""
        if data is None:
            return 0, 0
        address = self.m.alloc(data, align=16, offset=offset, secret=secret, writable=False)
        return address, len(data)

    def status(self, symbol, *arguments):
        result = self.m.call(symbol, *arguments)
        assert result.violations == [], list(map(str, result.violations))
        assert self.m.xlen == 64 or result.stack_bytes <= STACK[symbol], result.stack_bytes
        return returned.status(result.value)

    def status_9(self, symbol, *arguments):
        """Call a function with nine arguments: the last lies where sp points at the call."""
        word = self.m.xlen // 8
        self.m.call("cryptile_hash_wipe", 0)
        self.m.write(self.m._x[2], arguments[8].to_bytes(word, "little"))
        return self.status(symbol, *arguments[:8])

    def digest(self, name, data, *, offset=0, secret=False):
        out = self.m.alloc(DIGEST[name], align=16, offset=offset)
        address, size = self.bytes(data, offset=offset, secret=secret)
        assert self.status("cryptile_hash", self.alg(name), address, size, out) == OK
        return self.m.read(out, DIGEST[name])

    def hmac(self, name, key, data, mac_len=None, *, offset=0, secret=True):
        mac_len = DIGEST[name] if mac_len is None else mac_len
        out = self.m.alloc(mac_len, align=16, offset=offset)
        inputs = (*self.bytes(key, offset=offset, secret=secret), *self.bytes(data, offset=offset))
        assert self.status("cryptile_hmac", self.alg(name), *inputs, out, mac_len) == OK
        return self.m.read(out, mac_len)

    def hmac_check(self, name, key, data, mac):
        inputs = (*self.bytes(key, secret=True), *self.bytes(data))
        return self.status("cryptile_hmac_check", self.alg(name), *inputs, *self.bytes(mac))


class Stream:
    """init, update and final of ``cryptile_hash`` or ``cryptile_hmac``."""

    def __init__(self, calls, kind, *arguments):
        self.calls, self.kind = calls, kind
        self.size = {"hash": HASH_CONTEXT, "hmac": HMAC_CONTEXT}[kind]
        self.context = calls.m.alloc(b"\xa5" * self.size, align=8)
        self.status = self._call("init", *arguments)

    def _call(self, verb, *arguments):
        return self.calls.status(f"cryptile_{self.kind}_{verb}", self.context, *arguments)

    def update(self, data, *, offset=0):
        return self._call("update", *self.calls.bytes(data, offset=offset))

    def final(self, *arguments):
        return self._call("final", *arguments)

    def verify(self, *arguments):
        return self._call("verify", *arguments)

    def wiped(self):
        return self.calls.m.read(self.context, self.size) == bytes(self.size)


def chunks(source, data):
    """Cut data into random pieces, some of them empty."""
    at = 0
    while at < len(data):
        size = source.choice((0, 1, source.randrange(16), source.randrange(300)))
        yield data[at : at + size]
        at += size
