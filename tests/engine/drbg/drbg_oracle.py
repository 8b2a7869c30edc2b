"""CTR_DRBG with AES-256, written from NIST SP 800-90A Rev. 1, section 10.2.1 and 10.3.2."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

BLOCK, KEY, SEED = 16, 32, 48


def encrypt(key: bytes, block: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return encryptor.update(block) + encryptor.finalize()


def xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def bcc(key: bytes, data: bytes) -> bytes:
    """10.3.3: the chained blocks' last one."""
    chain = bytes(BLOCK)
    for start in range(0, len(data), BLOCK):
        chain = encrypt(key, xor(chain, data[start : start + BLOCK]))
    return chain


def block_cipher_df(data: bytes, size: int = SEED) -> bytes:
    """10.3.2."""
    string = len(data).to_bytes(4, "big") + size.to_bytes(4, "big") + data + b"\x80"
    string += bytes(-len(string) % BLOCK)
    key = bytes(range(KEY))
    temp = b"".join(bcc(key, i.to_bytes(4, "big") + bytes(12) + string) for i in range(3))
    key, block = temp[:KEY], temp[KEY:SEED]
    out = b""
    while len(out) < size:
        block = encrypt(key, block)
        out += block
    return out[:size]


class Drbg:
    """One instance, whose entropy input is given with each call."""

    def __init__(self, df: bool, entropy: bytes, personalization: bytes = b""):
        self.df, self.key, self.v = df, bytes(KEY), bytes(BLOCK)
        self._update(self._seed(entropy, personalization))

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        self._update(self._seed(entropy, additional))

    def generate(self, size: int, additional: bytes = b"", entropy: bytes | None = None) -> bytes:
        """Return ``size`` bytes; with ``entropy``, reseed first (prediction resistance)."""
        if entropy is not None:
            self.reseed(entropy, additional)
            additional = b""
        data = bytes(SEED)
        if additional:
            data = block_cipher_df(additional) if self.df else additional.ljust(SEED, b"\0")
            self._update(data)
        out = b""
        while len(out) < size:
            out += self._block()
        self._update(data)
        return out[:size]

    def _seed(self, entropy: bytes, extra: bytes) -> bytes:
        if self.df:
            return block_cipher_df(entropy + extra)
        return xor(entropy, extra.ljust(SEED, b"\0"))

    def _block(self) -> bytes:
        self.v = ((int.from_bytes(self.v, "big") + 1) % (1 << 128)).to_bytes(BLOCK, "big")
        return encrypt(self.key, self.v)

    def _update(self, data: bytes) -> None:
        temp = xor(b"".join(self._block() for _ in range(3)), data)
        self.key, self.v = temp[:KEY], temp[KEY:]


FIRST_WITHOUT = 26
"""Words that the half with derivation function takes."""


def known_answer(df: bool) -> bytes:
    """What the known-answer test of ``cry_drbg`` compares with: see its header."""
    extra = 20
    words = iter(range(0 if df else FIRST_WITHOUT, 256))

    def take(count: int) -> bytes:
        return b"".join(word(next(words)) for _ in range(count))

    def word(number: int) -> bytes:
        pattern = 0x0123456789ABCDEF if number % 2 else 0xFEDCBA9876543210
        return xor(bytes([number]) * 8, pattern.to_bytes(8, "little"))

    def add() -> bytes:
        return take(-(-extra // 8))[:extra]

    entropy = take(6)
    drbg = Drbg(df, entropy, add())
    drbg.generate(16, add())
    for _ in range(2):
        entropy = take(4 if df else 6)
        answer = drbg.generate(16, add(), entropy)
    return answer
