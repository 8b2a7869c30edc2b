"""The functions of ``cryptile/*.h``, as their headers describe them.

An output may overlap an input as if all inputs were read first; the generator makes no overlap that
a header forbids.
"""

import curves
import reference
import rsa
from model import number
from reference import HASHES

OK, PARAM, STATE, LENGTH, PADDING, AUTH, KEY = 0, -1, -2, -3, -4, -10, -11

FUNCTIONS = {}


def function(run):
    """Register a function of the model under its name."""
    FUNCTIONS[run.__name__] = run
    return run


def missing(pointer, length):
    return pointer is None and number(length) != 0


def data_of(pointer, length):
    return pointer.read(length) if number(length) else b""


# Block ciphers.


class CipherState:
    """A message in a block cipher mode: its bytes, and how many of the result are out."""

    def __init__(self, params):
        self.mode = ("ecb", "cbc", "ctr")[params.mode]
        self.decrypt, self.padded = params.direction == 1, params.padding == 1
        iv = params.iv.read(16) if params.mode else None
        self.engine = reference.block_cipher(
            self.mode, params.key.read(params.key_len), iv, self.decrypt
        )
        self.held = b""

    def ready(self, more):
        """Return how many bytes an update by so many gives out."""
        total = len(self.held) + more
        if self.decrypt and self.padded and total:
            total -= 1
        return total // 16 * 16

    def update(self, data):
        ready = self.ready(len(data))
        data = self.held + data
        self.held = data[ready:]
        return self.engine.update(data[:ready])

    def final(self):
        """Return the status and the rest."""
        held = self.held
        if self.mode == "ctr":
            return OK, self.engine.update(held)
        if self.padded and not self.decrypt:
            pad = 16 - len(held)
            return OK, self.engine.update(held + bytes([pad]) * pad)
        if len(held) % 16 or (self.padded and not held):
            return LENGTH, b""
        if self.padded:
            rest = reference.unpadded(self.engine.update(held))
            return (PADDING, b"") if rest is None else (OK, rest)
        return OK, b""


def cipher_params_valid(params):
    return (
        params.mode in (0, 1, 2)
        and params.direction in (0, 1)
        and params.padding in (0, 1)
        and not (params.mode == 2 and params.padding)
        and (params.mode == 0 or params.iv != 0)
        and params.key != 0
        and params.key_len in (16, 24, 32)
    )


@function
def cryptile_cipher_init(_world, ctx, impl, params):
    if ctx is None:
        return PARAM
    ctx.end()
    if impl is None or params is None or not cipher_params_valid(params):
        return PARAM
    ctx.set(CipherState(params))
    return OK


@function
def cryptile_cipher_update(_world, ctx, data, length, out, size, written):
    length, size = number(length), number(size)
    if ctx is None or written is None or missing(data, length):
        if written is not None:
            written.set(0, written.before)
        return PARAM
    written.set(0)
    if ctx.state is None:
        return STATE
    ready = ctx.state.ready(length)
    errors = {LENGTH} if ready > size else set()
    if ready and out is None:
        errors.add(PARAM)
    if errors:
        return errors
    result = ctx.state.update(data_of(data, length))
    if result:
        out.write(result)
    written.set(ready)
    return OK


@function
def cryptile_cipher_final(_world, ctx, out, size, written):
    size = number(size)
    if ctx is None or written is None:
        if written is not None:
            written.set(0, written.before)
        return PARAM
    written.set(0)
    if ctx.state is None:
        return STATE
    status, rest = ctx.state.final()
    ctx.wipe()
    if status == OK and len(rest) > size:
        return LENGTH
    if status == OK and rest and out is None:
        return PARAM
    if status == OK:
        if rest:
            out.write(rest)
        written.set(len(rest))
    return status


@function
def cryptile_cipher_held(_world, ctx):
    if ctx.state is None:
        return 0 if ctx.left == 0 else set(range(17))
    return len(ctx.state.held)


@function
def cryptile_cipher_crypt(_world, impl, params, data, length, out, size, written):
    length, size = number(length), number(size)
    if written is None or missing(data, length):
        if written is not None:
            written.set(0, written.before)
        return PARAM
    written.set(0)
    if impl is None or params is None or not cipher_params_valid(params):
        return PARAM
    state = CipherState(params)
    ready = state.ready(length)
    errors = {LENGTH} if ready > size else set()
    if ready and out is None:
        errors.add(PARAM)
    if not errors:
        result = state.update(data_of(data, length))
        status, rest = state.final()
        result += rest
        errors = {status} if status != OK else {LENGTH} if len(result) > size else set()
        if not errors and result and out is None:
            errors = {PARAM}
    if not errors:
        if result:
            out.write(result)
        written.set(len(result))
        return OK
    if out is not None:
        out.write(bytes(min(length, size)))
    return errors


@function
def cryptile_cipher_wipe(_world, ctx):
    if ctx is not None:
        ctx.wipe()


# ChaCha20 and XTS.


class ChaChaState:
    """A message of ChaCha20."""

    def __init__(self, key, nonce, counter, done=0):
        self.start, self.done = (key, nonce, counter), 0
        self.left = (2**32 - counter) * 64
        self.running = reference.chacha20(*self.start)
        self.update(bytes(done))

    def update(self, data):
        self.done += len(data)
        self.left -= len(data)
        return self.running.update(data)

    def copy(self):
        return ChaChaState(*self.start, self.done)


@function
def cryptile_chacha20_init(_world, ctx, key, nonce, counter):
    if ctx is None:
        return PARAM
    ctx.end()
    if key is None or nonce is None:
        return PARAM
    ctx.set(ChaChaState(key.read(32), nonce.read(12), number(counter)))
    return OK


@function
def cryptile_chacha20_update(_world, ctx, data, out, length):
    errors = checked(ctx, missing(data, length) or missing(out, length))
    if ctx is not None and ctx.state is not None and number(length) > ctx.state.left:
        errors.add(LENGTH)
    if errors:
        return errors
    if number(length):
        out.write(ctx.state.update(data.read(length)))
    return OK


@function
def cryptile_chacha20_wipe(_world, ctx):
    if ctx is not None:
        ctx.wipe()


@function
def cryptile_chacha20(_world, key, nonce, counter, data, out, length):
    if key is None or nonce is None or missing(data, length) or missing(out, length):
        return PARAM
    state = ChaChaState(key.read(32), nonce.read(12), number(counter))
    if number(length) > state.left:
        return LENGTH
    if number(length):
        out.write(state.update(data.read(length)))
    return OK


def xts_key_error(direction, key, key_len):
    """Return what is wrong with a key, or nothing."""
    if key is None or number(direction) not in (0, 1) or key_len not in (32, 64):
        return PARAM
    whole = key.read(key_len)
    return KEY if whole[: key_len // 2] == whole[key_len // 2 :] else OK


class XtsState:
    """A key for one direction."""

    def __init__(self, direction, key):
        self.direction, self.key = direction, key

    def crypt(self, tweak, data, out, length):
        out.write(reference.xts(self.direction, self.key, tweak.read(16), data.read(length)))

    def copy(self):
        return self


@function
def cryptile_xts_init(_world, ctx, direction, key, key_len):
    if ctx is None:
        return PARAM
    ctx.end()
    error = xts_key_error(direction, key, key_len)
    if error == OK:
        ctx.set(XtsState(number(direction), key.read(key_len)))
    return error


@function
def cryptile_xts_crypt(_world, ctx, tweak, data, out, length):
    errors = checked(ctx, None in (tweak, data, out))
    if number(length) < 16:
        errors.add(LENGTH)
    if errors:
        return errors
    ctx.state.crypt(tweak, data, out, length)
    return OK


@function
def cryptile_xts_wipe(_world, ctx):
    if ctx is not None:
        ctx.wipe()


@function
def cryptile_xts(_world, direction, key, key_len, tweak, data, out, length):
    errors = {PARAM} if None in (tweak, data, out) else set()
    errors |= {xts_key_error(direction, key, key_len)} - {OK}
    if number(length) < 16:
        errors.add(LENGTH)
    if errors:
        return errors
    XtsState(number(direction), key.read(key_len)).crypt(tweak, data, out, length)
    return OK


# Authenticated encryption.

TAGS = {
    "cryptile_aes_ccm": tuple(range(4, 17, 2)),
    "cryptile_aes_gcm": (4, 8, 12, 13, 14, 15, 16),
    "cryptile_chacha20_poly1305": (16,),
    "cryptile_ascon_aead128": tuple(range(8, 17)),
}
KEYS = {
    "cryptile_aes_ccm": (16, 24, 32),
    "cryptile_aes_gcm": (16, 24, 32),
    "cryptile_chacha20_poly1305": (32,),
    "cryptile_ascon_aead128": (16,),
}


class AeadState:
    """A message with associated data."""

    def __init__(self, alg, decrypt, key, nonce, tag_len):
        self.alg, self.decrypt, self.tag_len = alg, decrypt, tag_len
        self.aad = self.source = self.result = b""
        self.key, self.nonce = key, nonce
        self.stated = None
        """The lengths of associated data and text, once they are stated."""
        if alg == "cryptile_aes_ccm":
            self.stream = reference.CcmStream(key, nonce, tag_len)
        if alg == "cryptile_aes_gcm":
            self.stream = reference.GcmStream(key, nonce)
        elif alg == "cryptile_chacha20_poly1305":
            self.stream = reference.ChaChaStream(key, nonce)

    def waits(self):
        """Tell whether the lengths must be stated first."""
        return self.alg == "cryptile_aes_ccm" and self.stated is None

    def lacks(self):
        """Return how many bytes of each part are still to come, as far as that is stated."""
        if self.stated is None:
            return 0, 0
        return self.stated[0] - len(self.aad), self.stated[1] - len(self.source)

    def longest(self):
        """Return the most bytes of each part."""
        return {
            "cryptile_aes_gcm": (2**61 - 1, 2**36 - 32),
            "cryptile_aes_ccm": (2**64 - 1, 2 ** (8 * (15 - len(self.nonce))) - 1),
            "cryptile_chacha20_poly1305": (2**64 - 1, 2**38 - 64),
            "cryptile_ascon_aead128": (2**54, 2**54),
        }[self.alg]

    def _ascon(self):
        return reference.aead128(self.key, self.nonce, self.aad, self.source, self.decrypt)

    def update(self, data):
        self.source += data
        if self.alg == "cryptile_ascon_aead128":
            self.result = self._ascon()[0]
            return self.result[len(self.result) - len(data) :]
        result = self.stream.xor(data)
        self.result += result
        return result

    def tag(self):
        if self.alg == "cryptile_ascon_aead128":
            return self._ascon()[1][: self.tag_len]
        plain, sealed = (self.result, self.source) if self.decrypt else (self.source, self.result)
        return self.stream.tag(self.aad, plain, sealed)[: self.tag_len]


def aead_params_valid(alg, params):
    nonces = {
        "cryptile_aes_ccm": range(7, 14),
        "cryptile_chacha20_poly1305": (12,),
        "cryptile_ascon_aead128": (16,),
    }
    return (
        params.key != 0
        and params.nonce != 0
        and params.key_len in KEYS[alg]
        and params.tag_len in TAGS[alg]
        and params.nonce_len in nonces.get(alg, (params.nonce_len,))
        and params.nonce_len > 0
    )


def aead_state(alg, decrypt, params):
    return AeadState(
        alg,
        decrypt,
        params.key.read(params.key_len),
        params.nonce.read(params.nonce_len),
        params.tag_len,
    )


@function
def cryptile_aead_init(_world, ctx, alg, direction, params):
    if ctx is None:
        return PARAM
    clean = ctx.left == 0
    ctx.end()
    direction = number(direction)
    if (
        alg is None
        or params is None
        or direction not in (0, 1)
        or not aead_params_valid(alg, params)
    ):
        return PARAM
    ctx.set(aead_state(alg, direction == 1, params))
    ctx.state.clean = clean
    return OK


def checked(ctx, bad_parameter):
    """Return the errors of a call on a context: a parameter, the state, or both."""
    errors = {PARAM} if ctx is None or bad_parameter else set()
    if ctx is not None and ctx.state is None:
        errors.add(STATE)
    return errors


@function
def cryptile_aead_set_lengths(_world, ctx, aad_len, text_len):
    errors = checked(ctx, False)
    if errors:
        return errors
    state, lengths = ctx.state, (number(aad_len), number(text_len))
    if state.stated is not None or state.aad or state.source:
        errors.add(STATE)
    if any(length > most for length, most in zip(lengths, state.longest(), strict=True)):
        errors.add(LENGTH)
    if errors:
        return errors
    state.stated = lengths
    return OK


def aead_errors(ctx, bad_parameter):
    errors = checked(ctx, bad_parameter)
    if ctx is not None and ctx.state is not None and ctx.state.waits():
        errors.add(STATE)
    return errors


@function
def cryptile_aead_aad(_world, ctx, aad, length):
    errors = aead_errors(ctx, missing(aad, length))
    if ctx is not None and ctx.state is not None:
        if ctx.state.source:
            errors.add(STATE)
        if ctx.state.stated and number(length) > ctx.state.lacks()[0]:
            errors.add(LENGTH)
    if errors:
        return errors
    ctx.state.aad += data_of(aad, length)
    return OK


@function
def cryptile_aead_update(_world, ctx, data, out, length):
    errors = aead_errors(ctx, missing(data, length) or missing(out, length))
    if ctx is not None and ctx.state is not None and ctx.state.stated and number(length):
        aad, text = ctx.state.lacks()
        if aad or number(length) > text:
            errors.add(LENGTH)
    if errors:
        return errors
    if number(length):
        out.write(ctx.state.update(data_of(data, length)))
    return OK


@function
def cryptile_aead_finish(_world, ctx, tag):
    errors = aead_errors(ctx, tag is None)
    if ctx is not None and ctx.state is not None:
        if ctx.state.decrypt:
            errors.add(STATE)
        if any(ctx.state.lacks()):
            errors.add(LENGTH)
    if errors:
        return errors
    tag.write(ctx.state.tag())
    end_aead(ctx)
    return OK


def end_aead(ctx):
    """Wipe what the message used; a message that was abandoned in the context may stay."""
    ctx.wipe(0 if ctx.state.clean else None)


@function
def cryptile_aead_verify(_world, ctx, tag):
    errors = aead_errors(ctx, tag is None)
    if ctx is not None and ctx.state is not None:
        if not ctx.state.decrypt:
            errors.add(STATE)
        if any(ctx.state.lacks()):
            errors.add(LENGTH)
    if errors:
        return errors
    good = tag.read(ctx.state.tag_len) == ctx.state.tag()
    end_aead(ctx)
    return OK if good else AUTH


@function
def cryptile_aead_wipe(_world, ctx):
    if ctx is not None:
        ctx.wipe()


def aead_call_valid(alg, params, aad, aad_len, data, length, out, tag):
    return (
        alg is not None
        and params is not None
        and tag is not None
        and aead_params_valid(alg, params)
        and not missing(aad, aad_len)
        and not missing(data, length)
        and not missing(out, length)
    )


def overlap(a, a_len, b, b_len):
    """Tell whether two buffers share a byte."""
    return (
        None not in (a, b)
        and a.region == b.region
        and max(a.offset, b.offset) < min(a.offset + a_len, b.offset + b_len)
    )


@function
def cryptile_aead_encrypt(_world, alg, params, aad, aad_len, data, length, out, tag):
    if not aead_call_valid(alg, params, aad, aad_len, data, length, out, tag):
        return PARAM
    if overlap(tag, params.tag_len, out, number(length)):
        return PARAM
    state = aead_state(alg, False, params)
    state.aad = data_of(aad, aad_len)
    result = state.update(data_of(data, length))
    if result:
        out.write(result)
    tag.write(state.tag())
    return OK


@function
def cryptile_aead_decrypt(_world, alg, params, aad, aad_len, data, length, tag, out):
    if not aead_call_valid(alg, params, aad, aad_len, data, length, out, tag):
        return PARAM
    state = aead_state(alg, True, params)
    state.aad = data_of(aad, aad_len)
    result = state.update(data_of(data, length))
    good = tag.read(params.tag_len) == state.tag()
    if result:
        out.write(result if good else bytes(len(result)))
    return OK if good else AUTH


# Hash functions and HMAC.


def hash_name(alg):
    return alg.removeprefix("cryptile_")


class HashState:
    """A message of a hash function or, with a key, of HMAC."""

    def __init__(self, name, key=None):
        self.name, self.size = name, HASHES[name][0]
        self.running = reference.new_hash(name) if key is None else reference.hmac_new(name, key)

    def copy(self):
        other = object.__new__(HashState)
        other.name, other.size, other.running = self.name, self.size, self.running.copy()
        return other


@function
def cryptile_hash_init(_world, ctx, alg):
    if ctx is None:
        return PARAM
    ctx.end()
    if alg is None:
        return PARAM
    ctx.set(HashState(hash_name(alg)))
    return OK


@function
def cryptile_hash_update(_world, ctx, data, length):
    errors = checked(ctx, missing(data, length))
    if errors:
        return errors
    ctx.state.running.update(data_of(data, length))
    return OK


@function
def cryptile_hash_final(_world, ctx, digest):
    errors = checked(ctx, digest is None)
    if errors:
        return errors
    digest.write(ctx.state.running.digest())
    ctx.wipe()
    return OK


@function
def cryptile_hash(_world, alg, data, length, digest):
    if alg is None or missing(data, length) or digest is None:
        return PARAM
    digest.write(reference.digest(hash_name(alg), data_of(data, length)))
    return OK


@function
def cryptile_hash_wipe(_world, ctx):
    if ctx is not None:
        ctx.wipe()


def has_hmac(alg):
    return alg is not None and HASHES[hash_name(alg)][1] != 0


@function
def cryptile_hmac_init(_world, ctx, alg, key, key_len):
    if ctx is None:
        return PARAM
    ctx.end()
    if not has_hmac(alg) or missing(key, key_len):
        return PARAM
    ctx.set(HashState(hash_name(alg), data_of(key, key_len)))
    return OK


FUNCTIONS["cryptile_hmac_update"] = cryptile_hash_update
FUNCTIONS["cryptile_hmac_wipe"] = cryptile_hash_wipe


def hmac_end_errors(ctx, mac, mac_len):
    errors = checked(ctx, mac is None)
    longest = 64 if ctx is None or ctx.state is None else ctx.state.size
    if not 1 <= number(mac_len) <= longest:
        errors.add(PARAM)
    return errors


@function
def cryptile_hmac_final(_world, ctx, mac, mac_len):
    errors = hmac_end_errors(ctx, mac, mac_len)
    if errors:
        return errors
    mac.write(ctx.state.running.digest()[:mac_len])
    ctx.wipe()
    return OK


@function
def cryptile_hmac_verify(_world, ctx, mac, mac_len):
    errors = hmac_end_errors(ctx, mac, mac_len)
    if errors:
        return errors
    good = ctx.state.running.digest()[:mac_len] == mac.read(mac_len)
    ctx.wipe()
    return OK if good else AUTH


def hmac_call_valid(alg, key, key_len, data, length, mac, mac_len):
    return (
        has_hmac(alg)
        and not missing(key, key_len)
        and not missing(data, length)
        and mac is not None
        and 1 <= number(mac_len) <= HASHES[hash_name(alg)][0]
    )


@function
def cryptile_hmac(_world, alg, key, key_len, data, length, mac, mac_len):
    if not hmac_call_valid(alg, key, key_len, data, length, mac, mac_len):
        return PARAM
    code = reference.hmac_digest(hash_name(alg), data_of(key, key_len), data_of(data, length))
    mac.write(code[:mac_len])
    return OK


@function
def cryptile_hmac_check(_world, alg, key, key_len, data, length, mac, mac_len):
    if not hmac_call_valid(alg, key, key_len, data, length, mac, mac_len):
        return PARAM
    code = reference.hmac_digest(hash_name(alg), data_of(key, key_len), data_of(data, length))
    return OK if code[:mac_len] == mac.read(mac_len) else AUTH


# CMAC.


class CmacState:
    """A message of CMAC."""

    def __init__(self, running):
        self.running = running

    def digest(self):
        return self.running.copy().finalize()

    def copy(self):
        return CmacState(self.running.copy())


def cmac_key_valid(key, key_len):
    return key is not None and key_len in (16, 24, 32)


@function
def cryptile_cmac_init(_world, ctx, key, key_len):
    if ctx is None:
        return PARAM
    ctx.end()
    if not cmac_key_valid(key, key_len):
        return PARAM
    ctx.set(CmacState(reference.cmac_new(key.read(key_len))))
    return OK


FUNCTIONS["cryptile_cmac_update"] = cryptile_hash_update
FUNCTIONS["cryptile_cmac_wipe"] = cryptile_hash_wipe


def cmac_end_errors(ctx, mac, mac_len):
    errors = checked(ctx, mac is None)
    if not 1 <= number(mac_len) <= 16:
        errors.add(PARAM)
    return errors


@function
def cryptile_cmac_final(_world, ctx, mac, mac_len):
    errors = cmac_end_errors(ctx, mac, mac_len)
    if errors:
        return errors
    mac.write(ctx.state.digest()[:mac_len])
    ctx.wipe()
    return OK


@function
def cryptile_cmac_verify(_world, ctx, mac, mac_len):
    errors = cmac_end_errors(ctx, mac, mac_len)
    if errors:
        return errors
    good = ctx.state.digest()[:mac_len] == mac.read(mac_len)
    ctx.wipe()
    return OK if good else AUTH


def cmac_call_valid(key, key_len, data, length, mac, mac_len):
    return (
        cmac_key_valid(key, key_len)
        and not missing(data, length)
        and mac is not None
        and 1 <= number(mac_len) <= 16
    )


@function
def cryptile_cmac(_world, key, key_len, data, length, mac, mac_len):
    if not cmac_call_valid(key, key_len, data, length, mac, mac_len):
        return PARAM
    mac.write(reference.cmac(key.read(key_len), data_of(data, length))[:mac_len])
    return OK


@function
def cryptile_cmac_check(_world, key, key_len, data, length, mac, mac_len):
    if not cmac_call_valid(key, key_len, data, length, mac, mac_len):
        return PARAM
    code = reference.cmac(key.read(key_len), data_of(data, length))
    return OK if code[:mac_len] == mac.read(mac_len) else AUTH


# Random bits.


MAX_DRBG = 65536
"""Bytes of an input, and of a request."""


def drbg_errors(ctx, entropy, entropy_len, least, extra, extra_len):
    errors = {PARAM} if ctx is None or entropy is None or missing(extra, extra_len) else set()
    if not least <= number(entropy_len) <= MAX_DRBG or number(extra_len) > MAX_DRBG:
        errors.add(LENGTH)
    return errors


@function
def cryptile_drbg_init(_world, ctx, entropy, entropy_len, personal, personal_len):
    if ctx is not None:
        ctx.wipe()
    errors = drbg_errors(ctx, entropy, entropy_len, 48, personal, personal_len)
    if errors:
        return errors
    ctx.set(reference.Drbg(entropy.read(entropy_len), data_of(personal, personal_len)))
    return OK


@function
def cryptile_drbg_reseed(_world, ctx, entropy, entropy_len, extra, extra_len):
    errors = drbg_errors(ctx, entropy, entropy_len, 32, extra, extra_len)
    if ctx is not None and ctx.state is None:
        errors.add(STATE)
    if errors:
        return errors
    ctx.state.reseed(entropy.read(entropy_len), data_of(extra, extra_len))
    return OK


@function
def cryptile_drbg_generate(_world, ctx, out, length, extra, extra_len):
    errors = checked(ctx, missing(out, length) or missing(extra, extra_len))
    if number(length) > MAX_DRBG:
        errors.add(LENGTH)
    if errors:
        if errors == {STATE} and number(length):
            out.write(bytes(length))
        return errors
    made = ctx.state.generate(number(length), data_of(extra, extra_len))
    if made:
        out.write(made)
    return OK


FUNCTIONS["cryptile_drbg_wipe"] = cryptile_hash_wipe


@function
def cryptile_hkdf_extract(_world, alg, salt, salt_len, ikm, ikm_len, prk):
    if not has_hmac(alg) or missing(salt, salt_len) or missing(ikm, ikm_len) or prk is None:
        return PARAM
    prk.write(reference.hmac_digest(hash_name(alg), data_of(salt, salt_len), data_of(ikm, ikm_len)))
    return OK


def hkdf_errors(alg, info, info_len, okm, okm_len):
    errors = set()
    if not has_hmac(alg) or missing(info, info_len) or missing(okm, okm_len):
        errors.add(PARAM)
    if alg is not None and number(okm_len) > 255 * HASHES[hash_name(alg)][0]:
        errors |= {LENGTH, PARAM}  # no buffer is that long
    return errors


@function
def cryptile_hkdf_expand(_world, alg, prk, prk_len, info, info_len, okm, okm_len):
    errors = hkdf_errors(alg, info, info_len, okm, okm_len)
    if prk is None:
        errors.add(PARAM)
    if alg is not None and number(prk_len) < HASHES[hash_name(alg)][0]:
        errors.add(LENGTH)
    if errors:
        return errors
    out = reference.hkdf_expand(
        hash_name(alg), prk.read(prk_len), data_of(info, info_len), number(okm_len)
    )
    if out:
        okm.write(out)
    return OK


@function
def cryptile_hkdf(_world, alg, salt, salt_len, ikm, ikm_len, info, info_len, okm, okm_len):
    errors = hkdf_errors(alg, info, info_len, okm, okm_len)
    if missing(salt, salt_len) or missing(ikm, ikm_len):
        errors.add(PARAM)
    if errors:
        return errors
    name = hash_name(alg)
    prk = reference.hmac_digest(name, data_of(salt, salt_len), data_of(ikm, ikm_len))
    out = reference.hkdf_expand(name, prk, data_of(info, info_len), number(okm_len))
    if out:
        okm.write(out)
    return OK


# Extendable outputs.


class SpongeState:
    """A message with an output of any length: ``compute(message, length)``."""

    def __init__(self, compute):
        self.compute, self.message, self.given, self.squeezing = compute, b"", 0, False

    def squeeze(self, length):
        self.squeezing = True
        self.given += length
        return self.compute(self.message, self.given)[self.given - length :]

    def copy(self):
        other = SpongeState(self.compute)
        other.message, other.given, other.squeezing = self.message, self.given, self.squeezing
        return other


def shake(strength):
    name = {168: "shake_128", 136: "shake_256"}[strength]

    def compute(message, length):
        state = reference.new_hash(name)
        state.update(message)
        return state.digest(length)

    return compute


@function
def cryptile_shake_init(_world, ctx, strength):
    if ctx is None:
        return PARAM
    ctx.end()
    if strength not in (168, 136):
        return PARAM
    ctx.set(SpongeState(shake(strength)))
    return OK


@function
def cryptile_cshake_init(_world, ctx, strength, name, name_len, custom, custom_len):
    if ctx is None:
        return PARAM
    ctx.end()
    if strength not in (168, 136) or missing(name, name_len) or missing(custom, custom_len):
        return PARAM
    named, customised = data_of(name, name_len), data_of(custom, custom_len)
    if not named and not customised:
        ctx.set(SpongeState(shake(strength)))
    else:
        ctx.set(
            SpongeState(
                lambda message, length: reference.cshake(
                    strength, message, length, named, customised
                )
            )
        )
    return OK


def absorb(_world, ctx, data, length):
    errors = checked(ctx, missing(data, length))
    if ctx is not None and ctx.state is not None and ctx.state.squeezing:
        errors.add(STATE)
    if errors:
        return errors
    ctx.state.message += data_of(data, length)
    return OK


def squeeze(_world, ctx, out, length):
    errors = checked(ctx, missing(out, length))
    if errors:
        return errors
    result = ctx.state.squeeze(number(length))
    if result:
        out.write(result)
    return OK


def wipe(_world, ctx):
    if ctx is not None:
        ctx.wipe()


FUNCTIONS |= {
    "cryptile_xof_absorb": absorb,
    "cryptile_xof_squeeze": squeeze,
    "cryptile_xof_wipe": wipe,
    "cryptile_kmac_update": absorb,
    "cryptile_kmac_wipe": wipe,
    "cryptile_ascon_xof_absorb": absorb,
    "cryptile_ascon_xof_squeeze": squeeze,
    "cryptile_ascon_xof_wipe": wipe,
}


@function
def cryptile_shake(_world, strength, data, length, out, out_len):
    if strength not in (168, 136) or missing(data, length) or missing(out, out_len):
        return PARAM
    result = shake(strength)(data_of(data, length), number(out_len))
    if result:
        out.write(result)
    return OK


class KmacState(SpongeState):
    """A message of KMAC."""

    def __init__(self, strength, key, custom):
        self.parts = strength, key, custom
        super().__init__(lambda message, length: self.code(message, length, True))

    def code(self, message, length, xof):
        strength, key, custom = self.parts
        return reference.kmac(strength, key, message, length, custom, xof)

    def copy(self):
        other = KmacState(*self.parts)
        other.message, other.given, other.squeezing = self.message, self.given, self.squeezing
        return other


@function
def cryptile_kmac_init(_world, ctx, strength, key, key_len, custom, custom_len):
    if ctx is None:
        return PARAM
    ctx.end()
    if strength not in (168, 136) or missing(key, key_len) or missing(custom, custom_len):
        return PARAM
    ctx.set(KmacState(strength, data_of(key, key_len), data_of(custom, custom_len)))
    return OK


def kmac_end_errors(ctx, mac, mac_len):
    errors = checked(ctx, mac is None or not mac_len)
    if ctx is not None and ctx.state is not None and ctx.state.squeezing:
        errors.add(STATE)
    return errors


@function
def cryptile_kmac_final(_world, ctx, mac, mac_len):
    errors = kmac_end_errors(ctx, mac, mac_len)
    if errors:
        return errors
    mac.write(ctx.state.code(ctx.state.message, mac_len, False))
    ctx.wipe()
    return OK


@function
def cryptile_kmac_verify(_world, ctx, mac, mac_len):
    errors = kmac_end_errors(ctx, mac, mac_len)
    if errors:
        return errors
    good = mac.read(mac_len) == ctx.state.code(ctx.state.message, mac_len, False)
    ctx.wipe()
    return OK if good else AUTH


FUNCTIONS["cryptile_kmac_squeeze"] = squeeze


@function
def cryptile_ascon_xof128_init(_world, ctx):
    if ctx is None:
        return PARAM
    ctx.set(SpongeState(reference.xof128))
    return OK


@function
def cryptile_ascon_cxof128_init(_world, ctx, custom, length):
    if ctx is None:
        return PARAM
    ctx.end()
    if missing(custom, length) or number(length) > 256:
        return PARAM
    data = data_of(custom, length)
    ctx.set(SpongeState(lambda message, size: reference.cxof128(message, size, data)))
    return OK


# Curves.


def _nist(name, curve):
    """Add the functions of a curve."""
    size = curve.size

    def public_key(_world, public, private):
        if public is None or private is None:
            return PARAM
        secret = private.read(size)
        if curve.private(secret) is None:
            public.write(bytes(1 + 2 * size))
            return KEY
        public.write(curve.public(secret))
        return OK

    def ecdh(_world, secret, private, peer):
        if secret is None or private is None or peer is None:
            return PARAM
        mine, theirs = private.read(size), peer.read(1 + 2 * size)
        if curve.private(mine) is None or curve.point(theirs) is None:
            secret.write(bytes(size))
            return KEY
        secret.write(curve.ecdh(mine, theirs))
        return OK

    def sign(_world, signature, private, alg, digest):
        if signature is None or private is None or not has_hmac(alg) or digest is None:
            return PARAM
        key, hash_ = private.read(size), hash_name(alg)
        if curve.private(key) is None:
            signature.write(bytes(2 * size))
            return KEY
        signature.write(curve.sign(key, hash_, digest.read(HASHES[hash_][0])))
        return OK

    def verify(_world, public, digest, length, signature):
        if public is None or digest is None or not number(length) or signature is None:
            return PARAM
        key = public.read(1 + 2 * size)
        if curve.point(key) is None:
            return KEY
        good = curve.verify(key, data_of(digest, length), signature.read(2 * size))
        return OK if good else AUTH

    for body in (public_key, ecdh, sign, verify):
        body.__name__ = f"cryptile_{name}_{body.__name__}"
        function(body)


for _name, _curve in (("p256", curves.P256), ("p384", curves.P384), ("p521", curves.P521)):
    _nist(_name, _curve)


def _rsa_param(key, alg, digest, signature):
    return (
        key is None
        or not key.modulus
        or alg is None
        or HASHES[hash_name(alg)][2] == 0
        or digest is None
        or signature is None
    )


@function
def cryptile_rsa_pkcs1_verify(_world, key, alg, digest, signature, signature_len):
    if _rsa_param(key, alg, digest, signature):
        return PARAM
    modulus, name = key.modulus.read(key.modulus_len), hash_name(alg)
    if not rsa.valid(modulus, key.exponent):
        return KEY
    given = digest.read(HASHES[name][0]), signature.read(signature_len)
    return OK if rsa.pkcs1_verify(modulus, key.exponent, name, *given) else AUTH


@function
def cryptile_rsa_pss_verify(_world, key, alg, digest, salt_len, signature, signature_len):
    if _rsa_param(key, alg, digest, signature):
        return PARAM
    modulus, name = key.modulus.read(key.modulus_len), hash_name(alg)
    if not rsa.valid(modulus, key.exponent):
        return KEY
    bits, size = int.from_bytes(modulus, "big").bit_length() - 1, HASHES[name][0]
    salt = None if salt_len == rsa.ANY_SALT else number(salt_len)
    if salt is not None and salt > (bits + 7) // 8 - size - 2:
        return PARAM
    given = digest.read(size), salt, signature.read(signature_len)
    return OK if rsa.pss_verify(modulus, key.exponent, name, *given) else AUTH


@function
def cryptile_x25519_public(_world, public, secret):
    if public is None or secret is None:
        return PARAM
    public.write(curves.x25519(secret.read(32), b"\x09" + bytes(31)))
    return OK


@function
def cryptile_x25519(_world, shared, secret, peer):
    if shared is None or secret is None or peer is None:
        return PARAM
    result = curves.x25519(secret.read(32), peer.read(32))
    shared.write(result)
    return OK if any(result) else KEY


@function
def cryptile_ed25519_public(_world, public, seed):
    if public is None or seed is None:
        return PARAM
    public.write(curves.ed25519_public(seed.read(32)))
    return OK


@function
def cryptile_ed25519_sign(_world, signature, message, length, seed, public):
    if signature is None or missing(message, length) or seed is None or public is None:
        return PARAM
    signature.write(curves.ed25519_sign(data_of(message, length), seed.read(32), public.read(32)))
    return OK


@function
def cryptile_ed25519_verify(_world, signature, message, length, public):
    if signature is None or missing(message, length) or public is None:
        return PARAM
    key, given = public.read(32), signature.read(64)
    errors = set()
    if curves.ed25519_point(key) is None:
        errors.add(KEY)
    if int.from_bytes(given[32:], "little") >= curves.L:
        errors.add(AUTH)
    if errors:
        return errors
    return OK if curves.ed25519_verify(given, data_of(message, length), key) else AUTH
