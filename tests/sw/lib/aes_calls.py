"""The AES of the library, called on a simulated core: through its interface, and by routine."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from cryptile import library
from cryptile.asm.isa import Isa

PARTS = ("aes", "cipher")
MODES = {"ecb": 0, "cbc": 1, "ctr": 2}
ZKN_ISAS = [isa for isa in library.ISAS if "zkne" in Isa.parse(isa)]
RV32_ISAS = [isa for isa in library.ISAS if Isa.parse(isa).xlen == 32]


def impls(isa: str) -> list[str]:
    """Return the implementations that there are for an instruction set."""
    return ["compact", "table", "bitsliced", *(["zkn"] if isa in ZKN_ISAS else [])]


def reference(mode: str, key: bytes, iv: bytes, data: bytes, *, decrypt: bool = False) -> bytes:
    """Return what another implementation makes of a message."""
    name = {"ecb": modes.ECB(), "cbc": modes.CBC(iv), "ctr": modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(key), name)
    return (cipher.decryptor() if decrypt else cipher.encryptor()).update(data)


class Api:
    """cryptile_cipher_init() and what follows, with every buffer just as large as it must be."""

    def __init__(self, machine, impl: str) -> None:
        self.m = machine
        self.impl = machine.symbols[f"cryptile_aes_{impl}"]

    def params(self, mode, key, iv, *, decrypt: bool, secret: bool = True) -> int:
        """Place a cryptile_cipher_params_t."""
        m, word = self.m, self.m.xlen // 8
        ints = [MODES[mode], int(decrypt), 0] + [0] * (word // 8)
        words = [m.alloc(key, offset=1, secret=secret), len(key), m.alloc(iv, offset=3)]
        parts = [n.to_bytes(4, "little") for n in ints]
        return m.alloc(b"".join(parts + [n.to_bytes(word, "little") for n in words]))

    def crypt(self, mode, key, iv, data, *, decrypt=False, offsets=(0, 0), in_place=False):
        """Work on a message in one call; return the result and the simulator's report."""
        m, (a, b) = self.m, offsets
        source = m.alloc(data, offset=a, secret=True, writable=in_place)
        target = source if in_place else m.alloc(b"\xa5" * len(data), offset=b)
        written = m.alloc(bytes(8))
        result = m.call(
            "cryptile_cipher_crypt",
            self.impl,
            self.params(mode, key, iv, decrypt=decrypt),
            source,
            len(data),
            target,
            len(data),
            written,
        )
        assert result.value == 0
        assert int.from_bytes(m.read(written, m.xlen // 8), "little") == len(data)
        return m.read(target, len(data)), result

    def chunks(self, mode, key, iv, chunks, *, decrypt=False, in_place=False, secret=True):
        """Work on a message in chunks; in place, where output lies just behind the input."""
        m, word = self.m, self.m.xlen // 8
        context, written = m.alloc(1024), m.alloc(bytes(8))
        params = self.params(mode, key, iv, decrypt=decrypt, secret=secret)
        assert m.call("cryptile_cipher_init", context, self.impl, params).value == 0
        data = b"".join(chunks)
        source = m.alloc(data, secret=secret)
        target = source if in_place else m.alloc(len(data), offset=1)
        done = place = 0
        for chunk in chunks:
            room = len(data) - done
            result = m.call(
                "cryptile_cipher_update",
                context,
                source + place,
                len(chunk),
                target + done,
                room,
                written,
            )
            assert (result.value, result.violations) == (0, [])
            place += len(chunk)
            done += int.from_bytes(m.read(written, word), "little")
        result = m.call("cryptile_cipher_final", context, target + done, len(data) - done, written)
        assert (result.value, result.violations) == (0, [])
        return m.read(target, len(data))


class Keys:
    """Expanded keys in all forms."""

    def __init__(self, machine, key: bytes) -> None:
        m, self.rounds = machine, 6 + len(key) // 4
        count, word = self.rounds + 1, m.xlen // 8
        given = m.alloc(key, offset=1, secret=True)
        self.words, self.inverse = m.alloc(16 * count), m.alloc(16 * count)
        self.sliced, self.wide = m.alloc(8 * word * count), m.alloc(32 * word * count)
        results = [
            m.call_abi("cry_aes_bitsliced_expand_key_asm", self.words, self.rounds, given),
            m.call_abi("cry_aes_bitsliced_slice_keys_asm", self.sliced, self.words, self.rounds),
            m.call_abi("cry_aes_wide_keys_asm", self.wide, self.words, self.rounds),
        ]
        m.write(self.inverse, m.read(self.words, 16 * count))
        m.taint(self.inverse, 16 * count)
        if "cry_aes_zkn_invert_key_asm" in m.symbols:
            results.append(m.call_abi("cry_aes_zkn_invert_key_asm", self.inverse, self.rounds))
        assert [v for result in results for v in result.violations] == []
        self.cycles = [result.cycles for result in results]


def pass_blocks(isa: str) -> int:
    """Return how many blocks a pass has."""
    return Isa.parse(isa).xlen // 16
