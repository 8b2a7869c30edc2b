"""AES in every mode of the engines."""

from collections.abc import Callable

from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from cryptile.catalog import engines
from cryptile.jobs.port import BLOCK

ECB, CBC, CTR, GCM, CCM, CMAC, XTS = (
    engines()["aes_modes"].modes[name].number
    for name in ("ecb", "cbc", "ctr", "gcm", "ccm", "cmac", "xts")
)
TAGGED = (GCM, CCM, CMAC)
"""Modes that make a tag or a code."""

_PLAIN: dict[int, Callable[[bytes], modes.ECB | modes.CBC | modes.CTR | modes.XTS]] = {
    ECB: lambda _: modes.ECB(),
    CBC: modes.CBC,
    CTR: modes.CTR,
    XTS: modes.XTS,
}


def crypt(
    mode: int,
    key: bytes,
    iv: bytes,
    data: bytes,
    aad: bytes = b"",
    *,
    decrypt: bool = False,
    tag_len: int = BLOCK,
) -> tuple[bytes, bytes]:
    """Return message and tag of a whole message; in decryption the tag that there should be.

    Args:
        mode: such as ``GCM``.
        key: of XTS both, one behind the other.
        iv: the nonce of GCM and CCM.
        data: the message: the ciphertext in decryption.
        aad: the associated data of GCM and CCM.
        decrypt: the direction.
        tag_len: bytes of the tag.
    """
    if mode == GCM:
        message, tag = _gcm(key, iv, data, aad, decrypt)
        return message, tag[:tag_len]
    if mode == CCM:
        return _ccm(key, iv, data, aad, decrypt, tag_len)
    if mode == CMAC:
        mac = cmac.CMAC(algorithms.AES(key))
        mac.update(data)
        return b"", mac.finalize()[:tag_len]
    if not data:
        return b"", b""
    cipher = Cipher(algorithms.AES(key), _PLAIN[mode](iv))
    context = cipher.decryptor() if decrypt else cipher.encryptor()
    return context.update(data) + context.finalize(), b""


def next_iv(mode: int, key: bytes, iv: bytes, ciphertext: bytes) -> bytes:
    """Return the IV by which a message goes on, of the modes without a tag."""
    blocks = -(-len(ciphertext) // BLOCK)
    if mode == CBC:
        return (iv + ciphertext)[-BLOCK:]
    if mode == CTR:
        return ((int.from_bytes(iv, "big") + blocks) % 2**128).to_bytes(BLOCK, "big")
    if mode == XTS:
        tweak = int.from_bytes(encrypt_block(key[len(key) // 2 :], iv), "little")
        for _ in range(blocks):
            tweak = tweak << 1 ^ (0x87 | 1 << 128 if tweak >> 127 else 0)
        return tweak.to_bytes(BLOCK, "little")
    return iv


def encrypt_block(key: bytes, block: bytes) -> bytes:
    """Return AES of one block."""
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def counter_stream(key: bytes, first: bytes, data: bytes) -> bytes:
    """Return CTR from a first counter block, which counts in all of its bits."""
    return Cipher(algorithms.AES(key), modes.CTR(first)).encryptor().update(data)


def step32(block: bytes) -> bytes:
    """Return the next counter block of GCM."""
    return block[:12] + ((int.from_bytes(block[12:], "big") + 1) % 2**32).to_bytes(4, "big")


def ghash(key: bytes, data: bytes, before: bytes = bytes(BLOCK)) -> bytes:
    """Return GHASH (SP 800-38D, section 6.4) of whole blocks that continue a value."""
    h, y = int.from_bytes(encrypt_block(key, bytes(BLOCK)), "big"), int.from_bytes(before, "big")
    for start in range(0, len(data), BLOCK):
        x, v, y = y ^ int.from_bytes(data[start : start + BLOCK], "big"), h, 0
        for bit in range(127, -1, -1):
            y ^= v if x >> bit & 1 else 0
            v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
    return y.to_bytes(BLOCK, "big")


def _gcm(key: bytes, iv: bytes, data: bytes, aad: bytes, decrypt: bool) -> tuple[bytes, bytes]:
    if not 8 <= len(iv) <= 128:
        return _gcm_any_iv(key, iv, data, aad, decrypt)
    # A message is encrypted as it is decrypted, but its tag is that of the ciphertext.
    plain = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor().update(data) if decrypt else data
    cipher = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    cipher.authenticate_additional_data(aad)
    sealed = cipher.update(plain) + cipher.finalize()
    return plain if decrypt else sealed, cipher.tag


def _gcm_any_iv(
    key: bytes, iv: bytes, data: bytes, aad: bytes, decrypt: bool
) -> tuple[bytes, bytes]:
    """GCM with IVs that ``cryptography`` does not take."""
    first = ghash(key, _padded(iv) + bytes(8) + _bits(iv))
    # GCM's counter has 32 bits: it wraps at most once here.
    counter = int.from_bytes(first[12:], "big")
    room = BLOCK * ((2**32 - 1 - counter) % 2**32)
    stream = counter_stream(key, step32(first), bytes(min(room, len(data))))
    stream += counter_stream(key, first[:12] + bytes(4), bytes(len(data) - len(stream)))
    out = bytes(a ^ b for a, b in zip(data, stream, strict=True))
    sealed = data if decrypt else out
    value = ghash(key, _padded(aad) + _padded(sealed) + _bits(aad) + _bits(sealed))
    mask = encrypt_block(key, first)
    return out, bytes(a ^ b for a, b in zip(value, mask, strict=True))


def _ccm(
    key: bytes, nonce: bytes, data: bytes, aad: bytes, decrypt: bool, tag_len: int
) -> tuple[bytes, bytes]:
    plain = data
    if decrypt:
        first = bytes([14 - len(nonce)]) + nonce + bytes(15 - len(nonce))
        plain = counter_stream(key, first, bytes(BLOCK) + data)[BLOCK:]
    sealed = AESCCM(key, tag_len).encrypt(nonce, plain, aad)
    return plain if decrypt else sealed[:-tag_len], sealed[-tag_len:]


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


def _bits(data: bytes) -> bytes:
    return (8 * len(data)).to_bytes(8, "big")
