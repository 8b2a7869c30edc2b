"""CTR_DRBG with AES-256 (NIST SP 800-90A Rev. 1, section 10.2.1), with derivation function.

All of it is the software library's, on the simulator. Its seed is the caller's to bring: nothing
here makes entropy.
"""

from cryptile.crypt.simulated import Library

ENTROPY_BYTES = 48
"""What ``cryptile crypt`` seeds with: 256 bits of entropy and 128 of nonce (section 8.6.7)."""

MAX_REQUEST = 1 << 16
"""Bytes of a request (table 3: 2^19 bits)."""

_STATE_BYTES, _SECRET_BYTES = 56, 48
"""Of ``cryptile_drbg_ctx_t``, and those of key and V, which come first; how many requests there
were is no secret."""


class Drbg:
    """An instantiation; without prediction resistance, for fewer requests than 2^48."""

    def __init__(self, core: Library, entropy: bytes, personalization: bytes = b"") -> None:
        """Instantiate (section 10.2.1.3.2).

        Args:
            core: where the library runs.
            entropy: the entropy input and behind it the nonce.
            personalization: any bytes.
        """
        self._core = core
        self._state = bytes(_STATE_BYTES)
        self._call("init", 0, entropy, personalization)

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """Mix new entropy in (section 10.2.1.4.2)."""
        self._call("reseed", 0, entropy, additional)

    def generate(self, size: int, additional: bytes = b"") -> bytes:
        """Return ``size`` bytes, at most ``MAX_REQUEST`` (section 10.2.1.5.2)."""
        if size > MAX_REQUEST:
            raise ValueError(f"{size} bytes are more than a request may ask for")
        return self._call("generate", size, additional)

    def _call(self, function: str, size: int, *inputs: bytes) -> bytes:
        """Call a function on the state, which lies in the core's memory no longer than that."""
        core = self._core
        state = core.secret(self._state)
        core.tell(state + _SECRET_BYTES, _STATE_BYTES - _SECRET_BYTES)
        out = (core.room(size), size) if function == "generate" else ()
        given = [word for data in inputs for word in (core.secret(data) if data else 0, len(data))]
        core.call(f"cryptile_drbg_{function}", state, *out, *given)
        made = core.read(out[0], size) if out else b""
        self._state = core.read(state, _STATE_BYTES)
        core.forget()
        return made
