"""The functions of ``psa/crypto.h``: by the PSA Crypto API 1.4 and what the header adds.

An error with an active operation makes it fail: it is wiped, and then only to be aborted. A setup
that fails changes nothing. On any error the output lengths are 0 and the key identifier is null.
"""

import curves
import reference
import rsa
from model import PSA_LEFT, number
from model_lib import (
    TAGS,
    AeadState,
    CipherState,
    HashState,
    SpongeState,
    data_of,
    missing,
    shake,
)
from steps import CipherParams

OK, NOT_PERMITTED, NOT_SUPPORTED, ARGUMENT = 0, -133, -134, -135
HANDLE, BAD_STATE, TOO_SMALL, MEMORY = -136, -137, -138, -141
ENTROPY, SIGNATURE, PADDING = -148, -149, -150

EXPORT, COPY, ENCRYPT, DECRYPT, SIGN, VERIFY, SIGN_HASH, VERIFY_HASH, DERIVE = (
    1,
    2,
    0x100,
    0x200,
    0x400,
    0x800,
    0x1000,
    0x2000,
    0x4000,
)
USAGES = 0x3FF87
"""All that the standard has, also those that the library does not use."""
RAW_DATA, HMAC_KEY, DERIVE_KEY = 0x1001, 0x1100, 0x1200
CHACHA20, ASCON, AES = 0x2004, 0x2008, 0x2400
PAIR, PUBLIC, R1, MONTGOMERY, EDWARDS = 0x7100, 0x4100, 0x12, 0x41, 0x42
CTR, ECB, CBC, PKCS7, STREAM = 0x04C01000, 0x04404400, 0x04404000, 0x04404100, 0x04800100
XTS, CMAC = 0x0440FF00, 0x03C00200
CCM, GCM, CHACHA20_POLY1305, ASCON_AEAD128 = 0x05500100, 0x05500200, 0x05100500, 0x05100700
AT_LEAST = 0x8000
"""In a policy: this length of code or tag, or a longer one."""
ASCON_HASH256, ASCON_CXOF128 = 0x02000019, 0x0D008300
EDDSA, ECDH, ECDSA, HMAC = 0x06000800, 0x09020000, 0x06000600, 0x03800000
RSA_PUBLIC, PKCS1, PSS, PSS_ANY_SALT = 0x4001, 0x06000200, 0x06000300, 0x06001300
SLOTS, LONGEST = 8, 528
NIST = {32: curves.P256, 48: curves.P384, 66: curves.P521}
"""The curves by the bytes of a private key."""

HASHES = {
    0x08: "sha224",
    0x09: "sha256",
    0x0A: "sha384",
    0x0B: "sha512",
    0x0C: "sha512_224",
    0x0D: "sha512_256",
    0x10: "sha3_224",
    0x11: "sha3_256",
    0x12: "sha3_384",
    0x13: "sha3_512",
}
"""The hash functions by the low byte of an algorithm that HMAC and ECDSA can have."""
XOFS = {
    0x0D000100: shake(168),
    0x0D000200: shake(136),
    0x0D000300: reference.xof128,
    ASCON_CXOF128: None,
}
"""What computes an extendable output, if that is known without a context."""
AEADS = {
    CCM: ("cryptile_aes_ccm", AES, 13),
    GCM: ("cryptile_aes_gcm", AES, 12),
    CHACHA20_POLY1305: ("cryptile_chacha20_poly1305", CHACHA20, 12),
    ASCON_AEAD128: ("cryptile_ascon_aead128", ASCON, 16),
}
"""The library's name, the type of the key, and the bytes of a generated nonce."""
CIPHERS = {
    ECB: "ecb",
    CBC: "cbc",
    PKCS7: "cbc",
    CTR: "ctr",
    STREAM: "chacha20",
    XTS: "xts",
}

FUNCTIONS = {}


def function(run):
    """Register a function of the model under its name."""
    FUNCTIONS[run.__name__] = run
    return run


def hash_of(alg):
    """Return the hash function of a hash algorithm, or nothing."""
    if alg == ASCON_HASH256:
        return "ascon_hash256"
    return HASHES.get(alg & 0xFF) if alg >> 8 == 0x020000 else None


def whole_mac_of(alg):
    """Return what makes a MAC of a key and a message, and the length of the whole code."""
    if alg & ~0x003F0000 == CMAC:
        return reference.Cmac, 16
    name = HASHES.get(alg & 0xFF)
    if alg & ~0x003F00FF != HMAC or name is None:
        return None

    def start(key, message=b""):
        running = reference.hmac_new(name, key)
        running.update(message)
        return running

    return start, reference.HASHES[name][0]


def whole_length_of(alg):
    """Return the length of a whole code; any will do if the MAC or its hash is unknown."""
    if alg & ~0x003F0000 == HMAC | ASCON_HASH256 & 0xFF:
        return 32  # which nothing makes, but a policy may ask for more
    whole = whole_mac_of(alg)
    return whole[1] if whole else 0x3F


def mac_of(alg):
    """Return what makes a MAC, and the length of the code, or nothing."""
    if whole_mac_of(alg) is None:
        return None
    start, size = whole_mac_of(alg)
    length = alg >> 16 & 0x3F or size
    return (start, length) if 4 <= length <= size else None


def aead_of(alg):
    """Return the library's name and the length of the tag, or nothing."""
    name, tag = AEADS.get(full_tag(alg), ("",))[0], alg >> 16 & 0x3F
    return (name, tag) if name and tag in TAGS[name] else None


def full_tag(alg):
    """Return an AEAD with the longest tag."""
    return alg & ~0x003F0000 | 16 << 16


def ecdsa_of(alg):
    """Return the hash function of ECDSA of either kind, or nothing."""
    return HASHES.get(alg & 0xFF) if alg & ~0x1FF == ECDSA else None


def rsa_of(alg):
    """Return the kind of a signature of RSA and its hash function, or nothing."""
    kind, name = alg & ~0xFF, HASHES.get(alg & 0xFF)
    return (kind, name) if kind in (PKCS1, PSS, PSS_ANY_SALT) and name else None


# Keys.


class KeyState:
    """A key and its policy."""

    def __init__(self, attributes, data):
        self.type, self.data = attributes.type, data
        self.usage, self.alg = attributes.usage, attributes.alg
        if self.usage & SIGN_HASH:
            self.usage |= SIGN
        if self.usage & VERIFY_HASH:
            self.usage |= VERIFY
        self.bits = bits_of(self.type, len(data), data)

    def permits(self, alg, usage=0):
        """Tell whether the policy allows an algorithm; to verify, both kinds of ECDSA are one."""
        policy = self.alg
        if usage in (VERIFY, VERIFY_HASH) and policy & ~0x1FF == ECDSA:
            policy, alg = policy | 0x100, alg | 0x100
        if policy >> 24 in (3, 5) and policy & AT_LEAST:
            length = alg >> 16 & 0x3F
            if alg >> 24 == 3 and length == 0:
                length = whole_length_of(alg)
            return (policy ^ alg) & ~0x3F0000 == AT_LEAST and length >= policy >> 16 & 0x3F
        if policy == ECDH and alg & 0xFF7F0000 == ECDH and alg & 0xFF00 and alg & 0xFF:
            return True  # combined with a derivation
        if policy & ~0xFF in (ECDSA, ECDSA | 0x100, PKCS1, PSS, PSS_ANY_SALT) and alg & 0xFF:
            return policy in (alg, alg | 0xFF)
        return policy == alg and policy != 0

    def copied(self, attributes):
        """Return the attributes of a copy, or nothing if they have no algorithm in common."""
        mine, theirs = self.alg, attributes.alg
        lengths = {alg >> 16 & 0x3F: alg for alg in (mine, theirs)}
        if mine & theirs & AT_LEAST and (mine ^ theirs) & ~0x3F0000 == 0 and mine >> 24 in (3, 5):
            alg = lengths[max(lengths)]
        elif mine == theirs or self.permits(theirs):
            alg = theirs
        elif KeyState(attributes, self.data).permits(mine):
            alg = mine
        else:
            return None
        usage = self.usage & KeyState(attributes, self.data).usage
        return attributes._replace(type=self.type, usage=usage, alg=alg)

    def public(self):
        """Return the public key, or nothing if there is none."""
        if self.type & 0x7000 == 0x4000:
            return self.data
        make = {
            PAIR | R1: lambda secret: self.curve().public(secret),
            PAIR | MONTGOMERY: lambda secret: curves.x25519(secret, b"\x09" + bytes(31)),
            PAIR | EDWARDS: curves.ed25519_public,
        }.get(self.type)
        return make(self.data) if make else None

    def curve(self):
        """Return the curve of NIST's, or nothing."""
        return curve_of(self.type, len(self.data))


def curve_of(kind, length):
    """Return the curve of a key of that length, or nothing."""
    return {PAIR | R1: NIST.get(length), PUBLIC | R1: NIST.get(length // 2)}.get(kind)


def bits_of(kind, length, data=None):
    """Return the bits of a key, 0 if that length is wrong, nothing if the type is unknown."""
    if kind == RSA_PUBLIC:
        numbers = rsa.parse(data) if data else None
        return numbers[0].bit_length() if numbers else 0
    if kind in (RAW_DATA, HMAC_KEY, DERIVE_KEY):
        return 8 * length
    lengths = {
        AES: {16: 128, 24: 192, 32: 256, 64: 512},
        CHACHA20: {32: 256},
        ASCON: {16: 128},
        PAIR | R1: {32: 256, 48: 384, 66: 521},
        PUBLIC | R1: {65: 256, 97: 384, 133: 521},
        PAIR | MONTGOMERY: {32: 255},
        PUBLIC | MONTGOMERY: {32: 255},
        PAIR | EDWARDS: {32: 255},
        PUBLIC | EDWARDS: {32: 255},
    }
    return lengths[kind].get(length, 0) if kind in lengths else None


def key_errors(kind, data):
    """Return what is wrong with a key of the right length."""
    errors = set()
    if kind == PAIR | R1 and curve_of(kind, len(data)).private(data) is None:
        errors.add(ARGUMENT)
    if kind == PUBLIC | R1 and curve_of(kind, len(data)).point(data) is None:
        errors.add(ARGUMENT)
    if kind == RSA_PUBLIC:
        n, e = rsa.parse(data)
        errors |= {ARGUMENT} if n % 2 == 0 or e % 2 == 0 else set()
        errors |= (
            {NOT_SUPPORTED} if not (2048 <= n.bit_length() <= 4096 and 3 <= e < 2**32) else set()
        )
    return errors


def lifetime_errors(attributes):
    """Keys are volatile; there is no engine that holds others."""
    if attributes.lifetime >> 8 > 1:
        return {ARGUMENT}
    return {NOT_SUPPORTED} if attributes.lifetime else set()


def import_errors(world, attributes, length, data=None):
    errors = lifetime_errors(attributes)
    bits = bits_of(attributes.type, length, data)
    if bits is None:
        errors |= {NOT_SUPPORTED, ARGUMENT}
    elif not bits or (attributes.bits and attributes.bits != bits):
        errors.add(ARGUMENT)
    if length == 0 or attributes.usage & ~USAGES:
        errors.add(ARGUMENT)
    if length > LONGEST:
        errors |= {NOT_SUPPORTED, ARGUMENT}
    if len(world.store) >= SLOTS:
        errors.add(MEMORY)
    return errors


def new_key(world, attributes, data, cell):
    """Put a key into the variable of an output; its identifier is left open but for null."""
    variable = cell.before
    variable.key, variable.known = KeyState(attributes, data), True
    world.store.append(variable.key)
    cell.set(ANY_KEY)


class _AnyKey:
    """Equal to every identifier but null."""

    def __eq__(self, other):
        return other != 0

    def __hash__(self):
        return 0

    def __repr__(self):
        return "a key"


ANY_KEY = _AnyKey()


def no_key(cell):
    cell.set(0)
    cell.before.key, cell.before.known = None, False


@function
def psa_crypto_init(_world):
    return OK


@function
def cryptile_psa_set_random(world, source):
    world.has_source = source is not None


def draw(world, size):
    return world.random.draw(size) if world.has_source else None


def zero_behind_a_failed_source(world, errors, out, size):
    """What a source may have written before it failed is zeroed, when nothing else was wrong."""
    if errors == {ENTROPY} and world.has_source:
        out.write(bytes(size))


@function
def psa_generate_random(world, out, size):
    if not number(size):
        return OK
    data = draw(world, number(size))
    errors = {ARGUMENT} if out is None else set()
    if data is None:
        errors.add(ENTROPY)
    zero_behind_a_failed_source(world, errors, out, number(size))
    if not errors:
        out.write(data)
    return errors or OK


@function
def psa_import_key(world, attributes, data, length, cell):
    no_key(cell)
    length = number(length)
    errors = import_errors(world, attributes, length, data.read(length) if data else None)
    if missing(data, length):
        errors.add(ARGUMENT)
    if not errors - {MEMORY}:
        errors |= key_errors(attributes.type, data.read(length))
    if errors:
        return errors
    new_key(world, attributes, data.read(length), cell)
    return OK


@function
def psa_generate_key(world, attributes, cell):
    no_key(cell)
    length = (attributes.bits + 7) // 8
    errors = import_errors(world, attributes, length)
    if attributes.type & 0x7000 == 0x4000 or not attributes.bits:
        errors.add(ARGUMENT)
    if errors:
        return errors  # nothing is drawn
    data = None
    while data is None or key_errors(attributes.type, data):
        data = draw(world, length)
        if data is None:
            return ENTROPY
        if attributes.type == PAIR | R1 and attributes.bits == 521:
            data = bytes([data[0] & 1]) + data[1:]
    new_key(world, attributes, data, cell)
    return OK


@function
def psa_copy_key(world, key, attributes, cell):
    state = living(key)
    no_key(cell)
    if state is None:
        return HANDLE
    errors = set() if state.usage & COPY else {NOT_PERMITTED}
    made = state.copied(attributes)
    if made is None or attributes.usage & ~USAGES:
        errors.add(ARGUMENT)
    if attributes.type not in (0, state.type) or attributes.bits not in (0, state.bits):
        errors.add(ARGUMENT)
    errors |= lifetime_errors(attributes)
    if len(world.store) >= SLOTS:
        errors.add(MEMORY)
    if errors:
        return errors
    new_key(world, made, state.data, cell)
    return OK


@function
def psa_get_key_attributes(_world, key, cell):
    state = living(key)
    cell.set((0, 0, 0, 0, 0))
    if state is None:
        return HANDLE
    cell.set((state.type, state.usage, state.alg, state.bits, 0))
    return OK


def living(key):
    """Return the key behind an argument: a variable, or a number that is no identifier."""
    return None if key is None or isinstance(key, int) else key.key


def give(data, out, size, cell):
    if len(data) > number(size):
        return TOO_SMALL
    if data and out is None:
        return ARGUMENT
    if data:
        out.write(data)
    cell.set(len(data))
    return OK


@function
def psa_export_key(_world, key, out, size, cell):
    cell.set(0)
    state = living(key)
    if state is None:
        return HANDLE
    if state.type & 0x7000 != 0x4000 and not state.usage & EXPORT:
        return {NOT_PERMITTED, TOO_SMALL} if len(state.data) > number(size) else NOT_PERMITTED
    return give(state.data, out, size, cell)


@function
def psa_export_public_key(_world, key, out, size, cell):
    cell.set(0)
    state = living(key)
    if state is None:
        return HANDLE
    public = state.public()
    return ARGUMENT if public is None else give(public, out, size, cell)


@function
def psa_destroy_key(world, key):
    state = living(key)
    if state is None:
        is_null = key is None or (not isinstance(key, int) and not key.known)
        return OK if is_null else HANDLE
    key.key = None
    world.store.remove(state)
    return OK


def usable(key, usage, alg):
    """Return a key and the errors of its use."""
    state = living(key)
    if state is None:
        return None, {HANDLE}
    if state.usage & usage != usage or not state.permits(alg, usage):
        return state, {NOT_PERMITTED}
    return state, set()


# Hashes. Wherever several rules are broken, each status counts.


@function
def psa_hash_setup(_world, operation, alg):
    alg = number(alg)
    errors = set() if operation.inactive() else {BAD_STATE}
    errors |= hash_errors(alg)
    if errors:
        return errors
    operation.set(HashState(hash_of(alg)))
    return OK


def end(operation, status):
    """End an operation, well or not; return the status."""
    if status == OK:
        operation.wipe(PSA_LEFT)
    else:
        operation.fail()
    return status


def hash_errors(alg):
    if hash_of(alg):
        return set()
    return {NOT_SUPPORTED, ARGUMENT} if alg >> 24 == 2 else {ARGUMENT, NOT_SUPPORTED}


def update(_world, operation, data, length):
    if operation.state is None or missing(data, length):
        errors = {BAD_STATE} if operation.state is None else set()
        errors |= {ARGUMENT} if missing(data, length) else set()
        operation.fail()
        return errors
    operation.state.running.update(data_of(data, length))
    return OK


FUNCTIONS["psa_hash_update"] = update


@function
def psa_hash_finish(_world, operation, out, size, cell):
    cell.set(0)
    if operation.state is None:
        return BAD_STATE
    digest = operation.state.running.digest()
    return end(operation, give(digest, out, size, cell))


@function
def psa_hash_verify(_world, operation, given, length):
    if operation.state is None:
        return BAD_STATE
    return end(operation, compared(operation.state.running.digest(), given, length))


def compared(right, given, length):
    """Return the status, or the errors, of the comparison with what is given."""
    errors = {SIGNATURE} if number(length) != len(right) else set()
    if missing(given, length):
        errors.add(ARGUMENT)
    return errors or (OK if given.read(len(right)) == right else SIGNATURE)


def abort(_world, operation):
    operation.wipe(PSA_LEFT)
    return OK


FUNCTIONS |= {f"psa_{kind}_abort": abort for kind in ("hash", "xof", "mac", "cipher", "aead")}


@function
def psa_hash_clone(_world, source, target):
    if source.state is None or not target.inactive():
        return BAD_STATE
    target.set(source.state.copy())
    return OK


@function
def psa_hash_compute(_world, alg, data, length, out, size, cell):
    cell.set(0)
    errors = hash_errors(number(alg))
    if missing(data, length) or out is None:
        errors.add(ARGUMENT)
    if hash_of(number(alg)) and reference.HASHES[hash_of(alg)][0] > number(size):
        errors.add(TOO_SMALL)
    if errors:
        return errors
    return give(reference.digest(hash_of(alg), data_of(data, length)), out, size, cell)


@function
def psa_hash_compare(_world, alg, data, length, given, given_length):
    errors = hash_errors(number(alg))
    if missing(data, length):
        errors.add(ARGUMENT)
    if errors:
        return errors
    return compared(reference.digest(hash_of(alg), data_of(data, length)), given, given_length)


# Extendable outputs.


@function
def psa_xof_setup(_world, operation, alg):
    alg = number(alg)
    errors = set() if operation.inactive() else {BAD_STATE}
    if alg not in XOFS:
        errors |= {NOT_SUPPORTED, ARGUMENT}
    if errors:
        return errors
    operation.set(SpongeState(XOFS[alg]))
    return OK


@function
def psa_xof_set_context(_world, operation, context, length):
    state, errors = operation.state, set()
    if state is None or state.compute is not None:
        errors.add(BAD_STATE)
        errors |= {ARGUMENT} if state is not None and state.compute in XOFS.values() else set()
    if missing(context, length) or number(length) > 256:
        errors.add(ARGUMENT)
    if errors:
        operation.fail()
        return errors
    custom = data_of(context, length)
    state.compute = lambda message, size: reference.cxof128(message, size, custom)
    return OK


def xof_errors(operation, state_is_wrong, buffer, length):
    errors = {BAD_STATE} if state_is_wrong else set()
    errors |= {ARGUMENT} if missing(buffer, length) else set()
    if errors:
        operation.fail()
    return errors


@function
def psa_xof_update(_world, operation, data, length):
    state = operation.state
    wrong = state is None or state.compute is None or state.squeezing
    if errors := xof_errors(operation, wrong, data, length):
        return errors
    state.message += data_of(data, length)
    return OK


@function
def psa_xof_output(_world, operation, out, length):
    state = operation.state
    wrong = state is None or state.compute is None
    if errors := xof_errors(operation, wrong, out, length):
        return errors
    if result := state.squeeze(number(length)):
        out.write(result)
    return OK


# MACs.


class MacState:
    """A message of a MAC, in one direction."""

    def __init__(self, running, length, verifies):
        self.running, self.length, self.verifies = running, length, verifies


def mac_errors(key, usage, alg):
    state, errors = usable(key, usage, number(alg))
    if HANDLE in errors:
        return errors
    if mac_of(number(alg)) is None:
        errors |= {NOT_SUPPORTED, ARGUMENT}
    is_cmac = number(alg) & ~0x003F0000 == CMAC
    if state.type != (AES if is_cmac else HMAC_KEY) or (is_cmac and len(state.data) > 32):
        errors.add(ARGUMENT)
    return errors


def mac_setup(verifies):
    def run(_world, operation, key, alg):
        errors = mac_errors(key, VERIFY if verifies else SIGN, alg)
        if not operation.inactive():
            errors.add(BAD_STATE)
        if errors:
            return errors
        start, length = mac_of(alg)
        operation.set(MacState(start(living(key).data), length, verifies))
        return OK

    return run


FUNCTIONS["psa_mac_sign_setup"] = mac_setup(False)
FUNCTIONS["psa_mac_verify_setup"] = mac_setup(True)
FUNCTIONS["psa_mac_update"] = update


@function
def psa_mac_sign_finish(_world, operation, out, size, cell):
    cell.set(0)
    state = operation.state
    if state is None or state.verifies:
        return end(operation, BAD_STATE)
    return end(operation, give(state.running.digest()[: state.length], out, size, cell))


@function
def psa_mac_verify_finish(_world, operation, mac, length):
    state = operation.state
    if state is None or not state.verifies:
        return end(operation, BAD_STATE)
    return end(operation, compared(state.running.digest()[: state.length], mac, length))


@function
def psa_mac_compute(_world, key, alg, data, length, out, size, cell):
    cell.set(0)
    errors = mac_errors(key, SIGN, alg)
    if missing(data, length) or out is None:
        errors.add(ARGUMENT)
    if mac_of(number(alg)) and mac_of(number(alg))[1] > number(size):
        errors.add(TOO_SMALL)
    if errors:
        return errors
    start, wanted = mac_of(alg)
    code = start(living(key).data, data_of(data, length)).digest()
    return give(code[:wanted], out, size, cell)


@function
def psa_mac_verify(_world, key, alg, data, length, mac, mac_length):
    errors = mac_errors(key, VERIFY, alg)
    if missing(data, length):
        errors.add(ARGUMENT)
    if errors:
        return errors
    start, wanted = mac_of(alg)
    code = start(living(key).data, data_of(data, length)).digest()
    return compared(code[:wanted], mac, mac_length)


# Ciphers.


class _Bytes:
    """What a cipher's parameters point to, in the model."""

    def __init__(self, data):
        self.data = data

    def read(self, size):
        return self.data[:size]


class CipherOperation:
    """A cipher operation: before and after it has its initialisation vector."""

    def __init__(self, alg, key, decrypt):
        self.alg, self.key, self.decrypt = alg, key, decrypt
        self.iv_length = {ECB: 0, STREAM: 12}.get(alg, 16)
        self.work = None
        if self.iv_length == 0:
            self.start(b"")

    def start(self, iv):
        if self.alg == STREAM:
            self.work = StreamState(self.key, iv)
        elif self.alg == XTS:
            self.work = UnitState(self.key, iv, self.decrypt)
        else:
            mode = {"ecb": 0, "cbc": 1, "ctr": 2}[CIPHERS[self.alg]]
            self.work = CipherState(
                CipherParams(
                    mode,
                    int(self.decrypt),
                    int(self.alg == PKCS7),
                    _Bytes(self.key),
                    len(self.key),
                    _Bytes(iv),
                )
            )


class StreamState:
    """ChaCha20 alone."""

    def __init__(self, key, nonce):
        self.update = reference.chacha20(key, nonce).update
        self.held = b""

    def ready(self, more):
        return more

    def final(self):
        return OK, b""


class UnitState:
    """A data unit of XTS: its bytes, and how many of the result are out."""

    def __init__(self, key, tweak, decrypt):
        self.key, self.tweak, self.decrypt = key, tweak, decrypt
        self.data, self.given = b"", 0

    @property
    def held(self):
        return self.data[self.given :]

    def ready(self, more):
        """Return how many bytes an update gives out: blocks that 16 bytes follow."""
        return max(0, (len(self.data) + more) // 16 * 16 - 16) - self.given

    def give(self, up_to):
        whole = reference.xts(self.decrypt, self.key, self.tweak, self.data[:up_to])
        start, self.given = self.given, up_to
        return whole[start:]

    def update(self, data):
        up_to = self.given + self.ready(len(data))
        self.data += data
        return self.give(up_to) if up_to > self.given else b""

    def final(self):
        return (OK, self.give(len(self.data))) if len(self.data) >= 16 else (ARGUMENT, b"")


def key_fits(alg, data):
    """Tell whether an AES key has a length, and with XTS halves, for an algorithm."""
    if alg != XTS:
        return len(data) <= 32
    half = len(data) // 2
    return len(data) in (32, 64) and data[:half] != data[half:]


def cipher_errors(key, usage, alg):
    state, errors = usable(key, usage, alg)
    if HANDLE in errors:
        return errors
    if alg not in CIPHERS:
        errors |= {NOT_SUPPORTED, ARGUMENT}
    if state.type != (CHACHA20 if alg == STREAM else AES) or not key_fits(alg, state.data):
        errors.add(ARGUMENT)
    return errors


def setup(errors_of, operation_class, decrypt):
    """Return the model of a setup function of ciphers or of AEAD."""

    def run(_world, operation, key, alg):
        alg = number(alg)
        errors = errors_of(key, DECRYPT if decrypt else ENCRYPT, alg)
        if not operation.inactive():
            errors.add(BAD_STATE)
        if errors:
            return errors
        operation.set(operation_class(alg, living(key).data, decrypt))
        return OK

    return run


FUNCTIONS["psa_cipher_encrypt_setup"] = setup(cipher_errors, CipherOperation, False)
FUNCTIONS["psa_cipher_decrypt_setup"] = setup(cipher_errors, CipherOperation, True)


@function
def psa_cipher_generate_iv(world, operation, out, size, cell):
    cell.set(0)
    state = operation.state
    if state is None or state.work is not None or state.decrypt:
        operation.fail()
        return BAD_STATE
    errors = {TOO_SMALL} if number(size) < state.iv_length else set()
    errors |= {ARGUMENT} if missing(out, size) else set()
    iv = draw(world, state.iv_length)
    if iv is None:
        errors.add(ENTROPY)
    zero_behind_a_failed_source(world, errors, out, state.iv_length)
    if errors:
        operation.fail()
        return errors
    state.start(iv)
    return give(iv, out, size, cell)


@function
def psa_cipher_set_iv(_world, operation, iv, length):
    state = operation.state
    if state is None or state.work is not None:
        operation.fail()
        return BAD_STATE
    if number(length) != state.iv_length or iv is None:
        operation.fail()
        return ARGUMENT
    state.start(iv.read(length))
    return OK


@function
def psa_cipher_update(_world, operation, data, length, out, size, cell):
    cell.set(0)
    state = operation.state
    if state is None or state.work is None:
        operation.fail()
        return BAD_STATE
    length, size = number(length), number(size)
    ready = state.work.ready(length)
    errors = {TOO_SMALL} if ready > size else set()
    if missing(data, length) or missing(out, size):
        errors.add(ARGUMENT)
    if errors:
        operation.fail()
        return errors
    return give(state.work.update(data_of(data, length)), out, size, cell)


def cipher_end(work, padded, out, size):
    """Return the errors of an end, and what it gives out."""
    status, rest = work.final()
    errors = set() if status == OK else {PADDING if status == -4 else ARGUMENT}
    if len(rest) > size:
        errors.add(TOO_SMALL)
    if errors and padded and size < 16:
        errors.add(TOO_SMALL)
    if out is None and (rest or (padded and size)):
        errors.add(ARGUMENT)
    return errors, rest


@function
def psa_cipher_finish(_world, operation, out, size, cell):
    cell.set(0)
    state = operation.state
    if state is None or state.work is None:
        return end(operation, BAD_STATE)
    errors, rest = cipher_end(state.work, state.alg == PKCS7, out, number(size))
    if missing(out, size):
        errors.add(ARGUMENT)
    return end(operation, errors or give(rest, out, size, cell))


@function
def psa_cipher_encrypt(world, key, alg, data, length, out, size, cell):
    cell.set(0)
    length, size, alg = number(length), number(size), number(alg)
    errors = cipher_errors(key, ENCRYPT, alg)
    if HANDLE in errors:
        return errors
    if alg in CIPHERS:
        iv_length = {ECB: 0, STREAM: 12}.get(alg, 16)
        result = iv_length + (length // 16 * 16 + 16 if alg == PKCS7 else length)
        if result > size:
            errors.add(TOO_SMALL)
        if (alg in (ECB, CBC) and length % 16) or (alg == XTS and length < 16):
            errors.add(ARGUMENT)
        if missing(data, length) or missing(out, size):
            errors.add(ARGUMENT)
        iv = draw(world, iv_length) if iv_length else b""
        if iv is None:
            errors.add(ENTROPY)
    if errors:
        return errors
    operation = CipherOperation(alg, living(key).data, False)
    if iv:
        operation.start(iv)
    text = operation.work.update(data_of(data, length))
    return give(iv + text + operation.work.final()[1], out, size, cell)


@function
def psa_cipher_decrypt(_world, key, alg, data, length, out, size, cell):
    cell.set(0)
    length, size, alg = number(length), number(size), number(alg)
    errors = cipher_errors(key, DECRYPT, alg)
    if HANDLE in errors:
        return errors
    text, result = b"", None
    if alg in CIPHERS:
        iv_length = {ECB: 0, STREAM: 12}.get(alg, 16)
        shortest = iv_length + (16 if alg in (PKCS7, XTS) else 0)
        text_length = length - iv_length
        if length < shortest or (alg not in (CTR, STREAM, XTS) and text_length % 16):
            errors.add(ARGUMENT)
        if missing(data, length) or missing(out, size):
            errors.add(ARGUMENT)
        if size < text_length:
            errors.add(TOO_SMALL)
            if alg == PKCS7 and size >= text_length - 16:
                errors.discard(TOO_SMALL)
        if not errors:
            text = data_of(data, length)
            operation = CipherOperation(alg, living(key).data, True)
            if iv_length:
                operation.start(text[:iv_length])
            result = operation.work.update(text[iv_length:])
            end, rest = cipher_end(operation.work, alg == PKCS7, out, size - len(result))
            result += rest
            errors = end
            if PADDING in end and size < text_length:
                errors = {PADDING, TOO_SMALL}
            if errors and out is not None:
                out.write(bytes(min(size, text_length)))
    return errors or give(result, out, size, cell)


# Authenticated encryption.


class AeadOperation:
    """An AEAD operation: before and after it has its nonce."""

    def __init__(self, alg, key, decrypt):
        self.alg, self.key, self.decrypt = alg, key, decrypt
        self.name, self.tag_length = aead_of(alg)
        self.nonce_length = AEADS[full_tag(alg)][2]
        self.lengths = self.work = None
        self.in_text = False

    def nonce_allowed(self, length):
        if self.name == "cryptile_aes_ccm":
            return 7 <= length <= 13
        return length >= 1 if self.name == "cryptile_aes_gcm" else length == self.nonce_length

    def awaits_nonce(self):
        """Tell whether the nonce may come: CCM wants the lengths before."""
        return self.work is None and (self.lengths is not None or self.name != "cryptile_aes_ccm")

    def start(self, nonce):
        self.work = AeadState(self.name, self.decrypt, self.key, nonce, self.tag_length)

    def is_whole(self):
        """Tell whether the announced lengths are reached."""
        found = (len(self.work.aad), len(self.work.source))
        return self.lengths is None or found == self.lengths


def aead_errors(key, usage, alg):
    state, errors = usable(key, usage, alg)
    if HANDLE in errors:
        return errors
    if aead_of(alg) is None:
        errors |= {NOT_SUPPORTED, ARGUMENT}
    elif state.type != AEADS[full_tag(alg)][1] or len(state.data) > 32:
        errors.add(ARGUMENT)
    return errors


FUNCTIONS["psa_aead_encrypt_setup"] = setup(aead_errors, AeadOperation, False)
FUNCTIONS["psa_aead_decrypt_setup"] = setup(aead_errors, AeadOperation, True)


@function
def psa_aead_set_lengths(_world, operation, ad_length, text_length):
    state = operation.state
    if state is None or state.work is not None or state.lengths is not None:
        operation.fail()
        return BAD_STATE
    state.lengths = number(ad_length), number(text_length)
    return OK


@function
def psa_aead_generate_nonce(world, operation, out, size, cell):
    cell.set(0)
    state = operation.state
    if state is None or not state.awaits_nonce() or state.decrypt:
        operation.fail()
        return BAD_STATE
    errors = {TOO_SMALL} if number(size) < state.nonce_length else set()
    errors |= {ARGUMENT} if missing(out, size) else set()
    nonce = draw(world, state.nonce_length)
    if nonce is None:
        errors.add(ENTROPY)
    zero_behind_a_failed_source(world, errors, out, state.nonce_length)
    if errors:
        operation.fail()
        return errors
    state.start(nonce)
    return give(nonce, out, size, cell)


@function
def psa_aead_set_nonce(_world, operation, nonce, length):
    state = operation.state
    if state is None or not state.awaits_nonce():
        operation.fail()
        return BAD_STATE
    if nonce is None or not state.nonce_allowed(number(length)):
        operation.fail()
        return ARGUMENT
    state.start(nonce.read(length))
    return OK


@function
def psa_aead_update_ad(_world, operation, data, length):
    state = operation.state
    if state is None or state.work is None or state.in_text:
        operation.fail()
        return BAD_STATE
    length = number(length)
    too_much = state.lengths is not None and len(state.work.aad) + length > state.lengths[0]
    if missing(data, length) or too_much:
        operation.fail()
        return ARGUMENT
    state.work.aad += data_of(data, length)
    return OK


@function
def psa_aead_update(_world, operation, data, length, out, size, cell):
    cell.set(0)
    state = operation.state
    if state is None or state.work is None:
        operation.fail()
        return BAD_STATE
    length, size = number(length), number(size)
    errors = {TOO_SMALL} if size < length else set()
    if missing(data, length) or missing(out, size):
        errors.add(ARGUMENT)
    if state.lengths is not None and (
        len(state.work.aad) < state.lengths[0] or len(state.work.source) + length > state.lengths[1]
    ):
        errors.add(ARGUMENT)
    if errors:
        operation.fail()
        return errors
    state.in_text = True
    return give(state.work.update(data_of(data, length)), out, size, cell)


@function
def psa_aead_finish(_world, operation, out, size, cell, tag, tag_size, tag_cell):
    cell.set(0)
    tag_cell.set(0)
    state = operation.state
    if state is None or state.work is None or state.decrypt:
        return end(operation, BAD_STATE)
    errors = set() if state.is_whole() else {ARGUMENT}
    if number(tag_size) < state.tag_length:
        errors.add(TOO_SMALL)
    if tag is None or missing(out, size):
        errors.add(ARGUMENT)
    return end(operation, errors or give(state.work.tag(), tag, tag_size, tag_cell))


@function
def psa_aead_verify(_world, operation, out, size, cell, tag, tag_length):
    cell.set(0)
    state = operation.state
    if state is None or state.work is None or not state.decrypt:
        return end(operation, BAD_STATE)
    errors = set() if state.is_whole() else {ARGUMENT}
    if missing(tag, tag_length) or missing(out, size):
        errors.add(ARGUMENT)
    if number(tag_length) != state.tag_length:
        errors.add(SIGNATURE)
    if errors:
        return end(operation, errors)
    good = tag.read(tag_length) == state.work.tag()
    return end(operation, OK if good else SIGNATURE)


def aead_call_errors(key, usage, alg, nonce, nonce_length, pointers):
    errors = aead_errors(key, usage, alg)
    if HANDLE in errors:
        return errors
    if any(missing(pointer, length) for pointer, length in pointers) or nonce is None:
        errors.add(ARGUMENT)
    if aead_of(alg) and not AeadOperation(alg, bytes(32), False).nonce_allowed(
        number(nonce_length)
    ):
        errors.add(ARGUMENT)
    return errors


@function
def psa_aead_encrypt(
    _world, key, alg, nonce, nonce_length, ad, ad_length, data, length, out, size, cell
):
    cell.set(0)
    alg, length = number(alg), number(length)
    pointers = ((ad, ad_length), (data, length), (out, 1))
    errors = aead_call_errors(key, ENCRYPT, alg, nonce, nonce_length, pointers)
    if number(size) < length + (alg >> 16 & 0x3F):
        errors.add(TOO_SMALL)
    if errors:
        return errors
    operation = AeadOperation(alg, living(key).data, False)
    operation.start(nonce.read(nonce_length))
    operation.work.aad = data_of(ad, ad_length)
    text = operation.work.update(data_of(data, length))
    return give(text + operation.work.tag(), out, size, cell)


@function
def psa_aead_decrypt(
    _world, key, alg, nonce, nonce_length, ad, ad_length, data, length, out, size, cell
):
    cell.set(0)
    alg, length = number(alg), number(length)
    text_length = length - (alg >> 16 & 0x3F)
    pointers = ((ad, ad_length), (data, length), (out, size))
    errors = aead_call_errors(key, DECRYPT, alg, nonce, nonce_length, pointers)
    if text_length < 0:
        errors |= {SIGNATURE, ARGUMENT}
    if number(size) < text_length:
        errors.add(TOO_SMALL)
    if errors:
        return errors
    operation = AeadOperation(alg, living(key).data, True)
    operation.start(nonce.read(nonce_length))
    operation.work.aad = data_of(ad, ad_length)
    given = data.read(length)
    text = operation.work.update(given[:text_length])
    if operation.work.tag() != given[text_length:]:
        if text_length:
            out.write(bytes(text_length))
        return SIGNATURE
    return give(text, out, size, cell)


# Signatures and key agreement.


def sign_errors(key, usage, alg, of_hash):
    state, errors = usable(key, usage, alg)
    if HANDLE in errors:
        return errors
    verifies = usage in (VERIFY, VERIFY_HASH)
    is_eddsa = alg == EDDSA and not of_hash
    if not ecdsa_of(alg) and not is_eddsa and not (rsa_of(alg) and verifies):
        errors |= {NOT_SUPPORTED, ARGUMENT}
    family = EDWARDS if alg == EDDSA else R1
    kinds = (PAIR | family, PUBLIC | family) if verifies else (PAIR | family,)
    if state.type not in ((RSA_PUBLIC,) if rsa_of(alg) else kinds):
        errors.add(ARGUMENT)
    return errors


def room_errors(key, size):
    """Return what is wrong with the room for a signature: twice the bytes of the key."""
    state = living(key)
    return {TOO_SMALL} if state and number(size) < 2 * len(state.data) else set()


def length_errors(key, length):
    """Return what is wrong with the length of a signature that is to be verified."""
    state = living(key)
    if state is None:
        return set()
    wanted = 64
    if state.curve():
        wanted = 2 * state.curve().size
    elif state.type == RSA_PUBLIC:
        wanted = (state.bits + 7) // 8
    return {SIGNATURE} if number(length) != wanted else set()


def digest_errors(alg, digest, length):
    name = HASHES.get(alg & 0xFF)
    wrong = digest is None or name is None or number(length) != reference.HASHES[name][0]
    return {ARGUMENT} if wrong else set()


@function
def psa_sign_message(_world, key, alg, data, length, out, size, cell):
    cell.set(0)
    alg = number(alg)
    errors = sign_errors(key, SIGN, alg, False) | room_errors(key, size)
    if missing(data, length):
        errors.add(ARGUMENT)
    if errors:
        return errors
    state, message = living(key), data_of(data, length)
    if alg == EDDSA:
        public = curves.ed25519_public(state.data)
        signature = curves.ed25519_sign(message, state.data, public)
    else:
        name = ecdsa_of(alg)
        signature = state.curve().sign(state.data, name, reference.digest(name, message))
    return give(signature, out, size, cell)


def verified(state, alg, digest, signature):
    """Return the status of a signature of a digest."""
    if not rsa_of(alg):
        return OK if state.curve().verify(state.public(), digest, signature) else SIGNATURE
    kind, name = rsa_of(alg)
    n, e = rsa.parse(state.data)
    modulus = n.to_bytes((n.bit_length() + 7) // 8, "big")
    if kind == PKCS1:
        good = rsa.pkcs1_verify(modulus, e, name, digest, signature)
    else:
        salt = len(digest) if kind == PSS else None
        good = rsa.pss_verify(modulus, e, name, digest, salt, signature)
    return OK if good else SIGNATURE


@function
def psa_verify_message(_world, key, alg, data, length, signature, signature_length):
    alg = number(alg)
    errors = sign_errors(key, VERIFY, alg, False) | length_errors(key, signature_length)
    if missing(data, length) or missing(signature, signature_length):
        errors.add(ARGUMENT)
    if errors:
        return errors
    state, message = living(key), data_of(data, length)
    given = signature.read(signature_length)
    if alg != EDDSA:
        return verified(state, alg, reference.digest(HASHES[alg & 0xFF], message), given)
    public = state.public()
    if curves.ed25519_point(public) is None:
        return {ARGUMENT, SIGNATURE}
    return OK if curves.ed25519_verify(given, message, public) else SIGNATURE


@function
def psa_sign_hash(_world, key, alg, digest, length, out, size, cell):
    cell.set(0)
    alg = number(alg)
    errors = sign_errors(key, SIGN_HASH, alg, True) | room_errors(key, size)
    errors |= digest_errors(alg, digest, length)
    if errors:
        return errors
    state = living(key)
    signature = state.curve().sign(state.data, ecdsa_of(alg), digest.read(length))
    return give(signature, out, size, cell)


@function
def psa_verify_hash(_world, key, alg, digest, length, signature, signature_length):
    alg = number(alg)
    errors = sign_errors(key, VERIFY_HASH, alg, True) | length_errors(key, signature_length)
    errors |= digest_errors(alg, digest, length)
    if missing(signature, signature_length):
        errors.add(ARGUMENT)
    if errors:
        return errors
    return verified(living(key), alg, digest.read(length), signature.read(signature_length))


def agree(key, alg, peer, peer_length):
    """Return the errors of an agreement, and the shared secret: zeros if the point is no good."""
    state, errors = usable(key, DERIVE, alg)
    if HANDLE in errors:
        return errors, None
    if alg != ECDH:
        errors |= {NOT_SUPPORTED, ARGUMENT}
    wrong, secret = shared(state, peer, peer_length)
    return errors | wrong, secret


def shared(state, peer, peer_length):
    """Return what is wrong with the keys of an agreement, and the secret as ``agree`` does."""
    curve = state.curve() if state.type == PAIR | R1 else None
    length = 1 + 2 * curve.size if curve else 32 if state.type == PAIR | MONTGOMERY else None
    if length is None or number(peer_length) != length or peer is None:
        return {ARGUMENT}, None
    point = peer.read(length)
    if curve:
        if curve.point(point) is None:
            return {ARGUMENT}, bytes(curve.size)
        return set(), curve.ecdh(state.data, point)
    secret = curves.x25519(state.data, point)
    return set() if any(secret) else {ARGUMENT}, secret


@function
def psa_raw_key_agreement(_world, alg, key, peer, peer_length, out, size, cell):
    cell.set(0)
    errors, secret = agree(key, number(alg), peer, peer_length)
    state = living(key)
    if state and number(size) < len(state.data):
        errors.add(TOO_SMALL)
    if missing(out, size):
        errors.add(ARGUMENT)
    elif errors == {ARGUMENT} and secret is not None and not any(secret):
        out.write(secret)
    if errors:
        return errors
    return give(secret, out, size, cell)


@function
def psa_key_agreement(world, key, peer, peer_length, alg, attributes, cell):
    errors, secret = agree(key, number(alg), peer, peer_length)
    no_key(cell)
    errors |= import_errors(world, attributes, len(secret) if secret else 32)
    if attributes.type not in (RAW_DATA, DERIVE_KEY, HMAC_KEY):
        errors.add(ARGUMENT)
    if errors:
        return errors
    new_key(world, attributes, secret, cell)
    return OK
