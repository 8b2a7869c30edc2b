"""Random steps from a seed, inclined to edges, to what makes sense next, and to mistakes."""

import random

import curves
import model_lib
import model_psa as psa
import reference
import rsa
from generate_derivation import Derivations
from steps import (
    COPIES,
    KEYS,
    AeadParams,
    At,
    Attributes,
    CipherParams,
    Ctx,
    Key,
    Name,
    NewAttributes,
    NewKey,
    RsaKey,
    Size,
    Step,
    Wide,
)

EDGES = (
    0, 1, 2, 3, 4, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 71, 72, 73, 103,
    104, 111, 112, 113, 119, 127, 128, 129, 135, 136, 137, 143, 144, 145, 167, 168, 169, 191, 192,
    255, 256, 257, 511, 512, 513, 527, 528, 529, 1023, 1024, 1025, 4095, 4096, 4097,
)  # fmt: skip
SMALL = tuple(edge for edge in EDGES if edge <= 145)
OFFSETS = (0, 0, 0, 0, 4, 8, 12, 1, 2, 3, 5, 7, 15)
DISTANCES = (0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 17, 31, 32, 48, 64, 100, 256, 512, 600)
SLOW = 130
"""Most bytes for what the model computes slowly."""


class Buffers:
    """The regions of a step that is being made."""

    def __init__(self, rng):
        self._rng = rng
        self.regions = []

    def data(self, content):
        """Place an input, at any alignment."""
        offset = self._rng.choice(OFFSETS)
        self.regions.append(self._rng.randbytes(offset) + content)
        return At(len(self.regions) - 1, offset)

    def room(self, size):
        """Place an output."""
        return self.data(self._rng.randbytes(size))

    def both(self, content, size):
        """Place an input and an output that overlap in some way."""
        distance = self._rng.choice(DISTANCES)
        if self._rng.random() < 0.2:  # that they just overlap, or just not
            distance = max(0, min(len(content), size) - self._rng.randrange(4))
        distance *= self._rng.choice((1, -1))
        offset = self._rng.choice(OFFSETS)
        source, to = offset + max(0, -distance), offset + max(0, distance)
        region = bytearray(self._rng.randbytes(max(source + len(content), to + size)))
        region[source : source + len(content)] = content
        self.regions.append(bytes(region))
        number = len(self.regions) - 1
        return At(number, source), At(number, to)


RSA_BITS = 2048, 2049, 2055


class Generator(Derivations):
    """Makes one step after the other; ``world`` is the model's, which goes ahead in between."""

    def __init__(self, seed, world, ciphers, *, longest=4097, curves_share=0.008):
        self.rng = random.Random(seed)
        self.world, self.ciphers = world, ciphers
        self.longest, self.curves_share = longest, curves_share
        self.plans = {}
        self.families = [
            (12, self.cipher), (4, self.crypt), (4, self.chacha20), (2, self.chacha20_call),
            (3, self.xts), (2, self.xts_call), (12, self.aead), (5, self.aead_call),
            (7, self.hash), (2, self.hash_call), (6, self.hmac), (2, self.hmac_call),
            (4, self.cmac), (2, self.cmac_call), (3, self.drbg),
            (2, self.hkdf), (4, self.xof), (1, self.shake), (3, self.kmac), (3, self.ascon),
            (4, self.psa_hash), (2, self.psa_hash_call), (4, self.psa_xof),
            (5, self.psa_mac), (3, self.psa_mac_call),
            (10, self.psa_cipher), (4, self.psa_cipher_call), (16, self.psa_aead),
            (4, self.psa_aead_call), (8, self.psa_key), (1, self.psa_random),
            (10, self.psa_derivation),
            (1, self.rsa), (1, self.psa_rsa), (300 * curves_share, self.curve),
            (200 * curves_share, self.psa_curve),
        ]  # fmt: skip

    # Chances and pieces.

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, *weighted):
        """Choose by weights: ``pick((3, a), (1, b))``."""
        return self.rng.choices([item for _, item in weighted], [w for w, _ in weighted])[0]

    def length(self, longest=None):
        longest = min(self.longest, longest or self.longest)
        kind = self.rng.random()
        if kind < 0.55:
            found = self.rng.choice(SMALL)
        elif kind < 0.8:
            found = self.rng.randrange(81)
        elif kind < 0.97:
            found = self.rng.choice(EDGES[:-3])
        else:
            found = self.rng.choice(EDGES)
        return found if found <= longest else self.rng.randrange(longest + 1)

    def bytes(self, longest=None):
        return self.rng.randbytes(self.length(longest))

    def pointer(self, at, length):
        """Make a pointer null where that is allowed, and now and then where it is not."""
        return 0 if self.chance(0.5 if length == 0 else 0.01) else at

    def mistake(self, share=0.02):
        return self.chance(share)

    def ctx(self, kind):
        return Ctx(kind, self.rng.randrange(COPIES))

    def state(self, ctx):
        return self.world.slot(ctx).state

    def needs_abort(self, ctx):
        return self.world.slot(ctx).failed and self.chance(0.7)

    def or_null(self, arg):
        return 0 if self.chance(0.003) else arg

    def step(self):
        """Make the next step."""
        self.buffers = Buffers(self.rng)
        family = self.pick(*self.families)
        function, *args = family()
        seed = self.rng.getrandbits(16)
        return Step(
            function,
            tuple(args),
            tuple(self.buffers.regions),
            (seed, 0 if self.mistake() else 9),
        )

    def beside(self, at, size, content=None):
        """Place a tag where it may share bytes with the text at a pointer, or just not."""
        region = bytearray(self.buffers.regions[at.region])
        offset = max(0, at.offset + self.rng.choice((-size, 1 - size, -1, 0, 1, 5)))
        if self.chance(0.5):  # from the end of the text on
            offset = max(0, len(region) - self.rng.choice((0, 1, size - 1, size, size + 1)))
        region += self.rng.randbytes(max(0, offset + size - len(region)))
        if content is not None:
            region[offset : offset + size] = content
        self.buffers.regions[at.region] = bytes(region)
        return At(at.region, offset)

    def input(self, data):
        """Place an input; return pointer and length."""
        return self.pointer(self.buffers.data(data), len(data)), len(data)

    def output(self, size):
        return self.pointer(self.buffers.room(size), size)

    def in_and_out(self, data, size):
        """Place input and output, which may overlap."""
        if self.chance(0.4):
            source, to = self.buffers.both(data, size)
        else:
            source, to = self.buffers.data(data), self.buffers.room(size)
        return self.pointer(source, len(data)), self.pointer(to, size)

    def size_for(self, wanted):
        """Return the size of an output that wants so many bytes."""
        if wanted and self.mistake(0.03):
            return self.rng.choice((wanted - 1, 0, self.rng.randrange(wanted)))
        return wanted + self.pick((8, 0), (1, 1), (1, 16), (1, 33))

    def given(self, right):
        """Return a tag to be verified: mostly the right one."""
        kind = self.rng.random()
        if kind < 0.6 or not right:
            return right
        if kind < 0.75:
            return self.flipped(right)
        if kind < 0.93:
            return right[: self.rng.choice((len(right) - 1, self.rng.randrange(len(right) + 1)))]
        return self.rng.randbytes(len(right) + self.rng.choice((0, 0, 1, 16)))

    def flipped(self, data):
        """Change one bit."""
        at = self.rng.choice((0, len(data) - 1, self.rng.randrange(len(data))))
        changed = data[at] ^ 1 << self.rng.randrange(8)
        return data[:at] + bytes([changed]) + data[at + 1 :]

    def same_length(self, right):
        """A tag whose length the call knows."""
        return self.rng.choice((right, right, self.flipped(right)))

    # Block ciphers.

    def cipher_params(self):
        mode = self.rng.randrange(3)
        padding = int(mode != 2 and self.chance(0.5))
        key_len = self.rng.choice((16, 24, 32))
        key, iv = self.rng.randbytes(key_len), self.rng.randbytes(16)
        if mode == 2 and self.chance(0.3):
            iv = b"\xff" * 12 + iv[12:15] + b"\xff" if self.chance(0.3) else b"\xff" * 15 + iv[:1]
        decrypt = self.rng.randrange(2)
        places = [mode, decrypt, padding, self.buffers.data(key), key_len, self.buffers.data(iv)]
        if mode == 0:
            places[5] = self.pointer(places[5], 0)
        if self.mistake(0.04):
            place, wrong = self.rng.choice(
                (
                    (0, 3),
                    (0, 255),
                    (1, 2),
                    (2, 2),
                    (2, 1 - padding),
                    (3, 0),
                    (4, 0),
                    (4, 15),
                    (4, 17),
                    (5, 0),
                )
            )
            if place == 4 and wrong > key_len:
                places[3] = self.buffers.data(self.rng.randbytes(wrong))
            places[place] = wrong
        params = CipherParams(*places)
        return params, (("ecb", "cbc", "ctr")[mode], key, iv, decrypt, padding)

    def ciphertext(self, sort, data):
        """Return what decrypts well, if the job is to decrypt, else the data."""
        mode, key, iv, decrypt, padding = sort
        if mode != "ctr" and not padding and self.chance(0.9):
            data = data[: len(data) // 16 * 16]
        if not decrypt or self.chance(0.1):
            return data
        if padding:
            pad = 16 - len(data) % 16
            data += bytes([pad]) * pad
            if self.chance(0.15):
                wrong = (self.flipped(data[-16:]), bytes(16), bytes([17]) * 16, bytes([16]) * 16)
                data = data[:-16] + self.rng.choice(wrong)
        return reference.block_cipher(mode, key, iv, False).update(
            data[: len(data) // 16 * 16] if mode != "ctr" else data
        )

    def impl(self):
        return self.or_null(Name(f"cryptile_aes_{self.rng.choice(self.ciphers)}"))

    def cipher(self):
        ctx = self.ctx("cipher")
        state = self.state(ctx)
        action = self.pick(
            (60 if state else 8, "update"),
            (14 if state else 3, "final"),
            (3 if state else 60, "init"),
            (2, "wipe"),
            (6, "held"),
        )
        if action == "init":
            params, sort = self.cipher_params()
            self.plans[ctx] = self.ciphertext(sort, self.bytes())
            return "cryptile_cipher_init", self.or_null(ctx), self.impl(), self.or_null(params)
        if action == "wipe":
            return "cryptile_cipher_wipe", self.or_null(ctx)
        if action == "held":
            return "cryptile_cipher_held", ctx
        if action == "final":
            if state and self.plans.get(ctx) and self.chance(0.9):
                return self.cipher_update(ctx, state, self.plans.pop(ctx))
            size = self.size_for(len(state.held) or 16) if state else 16
            if state and state.padded and state.decrypt and self.chance(0.3):
                size = self.rng.randrange(16)
            return (
                "cryptile_cipher_final",
                self.or_null(ctx),
                self.output(size),
                size,
                self.or_null(Size(self.rng.getrandbits(16))),
            )
        data = self.bytes()
        if plan := self.plans.get(ctx):
            data, self.plans[ctx] = plan[: len(data)], plan[len(data) :]
        return self.cipher_update(ctx, state, data)

    def cipher_update(self, ctx, state, data):
        size = self.size_for(state.ready(len(data)) if state else len(data))
        source, to = self.in_and_out(data, size)
        if state and self.chance(0.2):  # in place in the natural way
            held = len(state.held)
            region = self.rng.randbytes(16) + data + self.rng.randbytes(48)
            source, to = self.buffers.data(region), self.buffers.regions[-1]
            start = len(to) - len(region)
            source, to = At(source.region, start + 16), At(source.region, start + 16 - held)
            size = min(size, held + len(data) + 48)
        return (
            "cryptile_cipher_update",
            self.or_null(ctx),
            source,
            len(data),
            to,
            size,
            self.or_null(Size(self.rng.getrandbits(16))),
        )

    def crypt(self):
        params, sort = self.cipher_params()
        data = self.ciphertext(sort, self.bytes())
        decrypt, padding = sort[3:]
        wanted = len(data)
        if padding:
            wanted = max(0, wanted - 1) if decrypt else wanted // 16 * 16 + 16
        size = self.size_for(wanted)
        if padding and decrypt and self.chance(0.2):
            size = max(0, wanted - self.rng.randrange(16))
        source, to = self.in_and_out(data, max(size, 0))
        return (
            "cryptile_cipher_crypt",
            self.impl(),
            self.or_null(params),
            source,
            len(data),
            to,
            size,
            self.or_null(Size(self.rng.getrandbits(16))),
        )

    # ChaCha20 and XTS.

    def chacha20_start(self):
        """Return key, nonce and counter."""
        counter = self.pick(
            (4, 0),
            (4, 1),
            (1, 2**32 - 1),
            (1, 2**32 - self.rng.randrange(1, 9)),
            (4, self.rng.getrandbits(32)),
        )
        return (
            self.pointer(self.buffers.data(self.rng.randbytes(32)), 1),
            self.pointer(self.buffers.data(self.rng.randbytes(12)), 1),
            counter,
        )

    def chacha20(self):
        ctx = self.ctx("chacha20")
        action = self.pick(
            (60 if self.state(ctx) else 4, "update"),
            (4 if self.state(ctx) else 60, "init"),
            (2, "wipe"),
            (3, "copy"),
        )
        if action == "init":
            return "cryptile_chacha20_init", self.or_null(ctx), *self.chacha20_start()
        if action == "wipe":
            return "cryptile_chacha20_wipe", self.or_null(ctx)
        if action == "copy":
            return "copy", self.ctx("chacha20"), ctx
        data = self.bytes()
        source, to = self.in_and_out(data, len(data))
        return "cryptile_chacha20_update", self.or_null(ctx), source, to, len(data)

    def chacha20_call(self):
        data = self.bytes()
        start = self.chacha20_start()
        source, to = self.in_and_out(data, len(data))
        return "cryptile_chacha20", *start, source, to, len(data)

    def xts_key(self):
        """Return direction, key and its length."""
        size = self.rng.choice((32, 64))
        if self.mistake(0.03):
            size = self.rng.choice((0, 1, 16, 31, 33, 48, 63, 65))
        key = self.rng.randbytes(size)
        if self.mistake(0.03):
            key = key[: size // 2] * 2
        direction = self.pick((20, 0), (20, 1), (1, 2))
        return direction, self.pointer(self.buffers.data(key), len(key)), len(key)

    def xts_unit(self):
        """Return tweak, input, output and length."""
        data = self.bytes()
        if len(data) < 16 and self.chance(0.9):
            data += self.rng.randbytes(16)
        tweak = self.pointer(self.buffers.data(self.rng.randbytes(16)), 1)
        source, to = self.in_and_out(data, len(data))
        return tweak, source, to, len(data)

    def xts(self):
        ctx = self.ctx("xts")
        action = self.pick(
            (60 if self.state(ctx) else 4, "crypt"),
            (6 if self.state(ctx) else 60, "init"),
            (2, "wipe"),
            (2, "copy"),
        )
        if action == "init":
            return "cryptile_xts_init", self.or_null(ctx), *self.xts_key()
        if action == "wipe":
            return "cryptile_xts_wipe", self.or_null(ctx)
        if action == "copy":
            return "copy", self.ctx("xts"), ctx
        return "cryptile_xts_crypt", self.or_null(ctx), *self.xts_unit()

    def xts_call(self):
        return "cryptile_xts", *self.xts_key(), *self.xts_unit()

    # Authenticated encryption.

    def aead_kind(self):
        alg = self.pick(
            (5, "aes_gcm"), (4, "aes_ccm"), (4, "chacha20_poly1305"), (1, "ascon_aead128")
        )
        return f"cryptile_{alg}"

    def aead_values(self, alg):
        """Return key, nonce and length of the tag."""
        key_len = self.rng.choice(model_lib.KEYS[alg])
        nonce_len = {"cryptile_aes_gcm": 12, "cryptile_ascon_aead128": 16}.get(alg, 12)
        tag_len = self.rng.choice((16, self.rng.choice(model_lib.TAGS[alg])))
        if alg == "cryptile_aes_gcm" and self.chance(0.3):
            nonce_len = self.rng.choice((1, 7, 8, 11, 13, 16, 17, 60, 128, 129))
        if alg == "cryptile_aes_ccm":
            nonce_len = self.rng.randrange(7, 14)
        if self.mistake(0.03):
            key_len = self.rng.choice((0, 1, 15, 16, 17, 24, 31, 32, 33))
        if self.mistake(0.03):
            nonce_len = self.rng.choice((0, 1, 8, 11, 12, 13, 16))
        if self.mistake(0.03):
            tag_len = self.rng.choice((0, 1, 3, 4, 5, 7, 9, 11, 15, 17, 32, 256 + 16))
        return self.rng.randbytes(key_len), self.rng.randbytes(nonce_len), tag_len

    def aead_params(self, key, nonce, tag_len):
        return AeadParams(
            self.pointer(self.buffers.data(key), 1),
            len(key),
            self.pointer(self.buffers.data(nonce), 1),
            len(nonce),
            tag_len,
        )

    def aead(self):
        ctx = self.ctx("aead")
        state = self.state(ctx)
        ended = state is not None and bool(state.source)
        longest = SLOW if state and state.alg == "cryptile_ascon_aead128" else None
        action = self.pick(
            (3 if ended else 20 if state else 4, "aad"),
            (50 if state else 4, "update"),
            (12 if state else 3, "end"),
            (3 if state else 60, "init"),
            (2, "wipe"),
        )
        if action == "init":
            alg = self.aead_kind()
            params = self.aead_params(*self.aead_values(alg))
            direction = self.pick((20, 0), (20, 1), (1, 2))
            return (
                "cryptile_aead_init",
                self.or_null(ctx),
                self.or_null(Name(alg)),
                direction,
                self.or_null(params),
            )
        if action == "wipe":
            return "cryptile_aead_wipe", self.or_null(ctx)
        if state and self.chance(0.9 if state.waits() else 0.03):
            return "cryptile_aead_set_lengths", self.or_null(ctx), *self.aead_lengths(state)
        data = self.bytes(longest)
        if state and state.stated and self.chance(0.9):
            action, data = self.as_stated(state, data)
        if longest and len(state.aad) + len(state.source) + len(data) > 4 * SLOW:
            action = "end"
        if action == "aad":
            return "cryptile_aead_aad", self.or_null(ctx), *self.input(data)
        if action == "update":
            source, to = self.in_and_out(data, len(data))
            return "cryptile_aead_update", self.or_null(ctx), source, to, len(data)
        decrypt = bool(state and state.decrypt) ^ self.chance(0.08)
        if not decrypt:
            size = state.tag_len if state else 16
            return "cryptile_aead_finish", self.or_null(ctx), self.or_null(self.buffers.room(size))
        tag = self.same_length(state.tag()) if state else self.rng.randbytes(16)
        return "cryptile_aead_verify", self.or_null(ctx), self.or_null(self.buffers.data(tag))

    def aead_lengths(self, state):
        """Return lengths to state, small or, now and then, beyond what there is."""
        lengths = [self.length(300), self.length(600)]
        if self.mistake():
            part = self.rng.randrange(2)
            lengths[part] = min(state.longest()[part] + self.rng.randrange(2), 2**64 - 1)
        return [Wide(length) for length in lengths]

    def as_stated(self, state, data):
        """Return what goes on with a message of which the lengths are stated."""
        aad, text = state.lacks()
        if aad:
            return "aad", data[:aad]
        return ("update", data[:text]) if text else ("end", data)

    def aead_call(self):
        alg = self.aead_kind()
        key, nonce, tag_len = self.aead_values(alg)
        longest = SLOW if alg == "cryptile_ascon_aead128" else None
        aad, data = self.bytes(longest), self.bytes(longest)
        params = self.aead_params(key, nonce, tag_len)
        named, whole = self.or_null(Name(alg)), self.or_null(params)
        source, to = self.in_and_out(data, len(data))
        laid = isinstance(to, At) and self.chance(0.25)
        if self.chance(0.5):
            tag = self.beside(to, tag_len) if laid else self.buffers.room(tag_len)
            tag = self.or_null(tag)
            return (
                "cryptile_aead_encrypt",
                named,
                whole,
                *self.input(aad),
                source,
                len(data),
                to,
                tag,
            )
        tag = self.rng.randbytes(tag_len)
        if model_lib.aead_params_valid(alg, AeadParams(1, len(key), 1, len(nonce), tag_len)):
            state = model_lib.AeadState(alg, True, key, nonce, tag_len)
            state.aad = aad
            state.update(data)
            tag = self.same_length(state.tag())
        # On the output alone: on the input it would change the text that it belongs to.
        apart = isinstance(source, At) and isinstance(to, At) and source.region != to.region
        at = self.beside(to, tag_len, tag) if laid and apart else self.buffers.data(tag)
        return (
            "cryptile_aead_decrypt",
            named,
            whole,
            *self.input(aad),
            source,
            len(data),
            self.or_null(at),
            to,
        )

    # Hash functions, HMAC, HKDF.

    def alg(self, with_ascon=True):
        names = list(reference.HASHES)
        name = self.rng.choice(names if with_ascon and self.chance(0.3) else names[:-1])
        return name, self.or_null(Name(f"cryptile_{name}"))

    def hash(self):
        ctx = self.ctx("hash")
        state = self.state(ctx)
        action = self.pick(
            (60 if state else 4, "update"),
            (12 if state else 3, "final"),
            (3 if state else 60, "init"),
            (2, "wipe"),
            (4, "copy"),
        )
        if action == "init":
            return "cryptile_hash_init", self.or_null(ctx), self.alg()[1]
        if action == "wipe":
            return "cryptile_hash_wipe", self.or_null(ctx)
        if action == "copy":
            return "copy", self.ctx("hash"), ctx
        if action == "update":
            longest = SLOW if state and state.name == "ascon_hash256" else None
            return "cryptile_hash_update", self.or_null(ctx), *self.input(self.bytes(longest))
        size = state.size if state else 64
        return "cryptile_hash_final", self.or_null(ctx), self.or_null(self.buffers.room(size))

    def hash_call(self):
        name, alg = self.alg()
        data = self.bytes(SLOW if name == "ascon_hash256" else None)
        source, to = self.in_and_out(data, reference.HASHES[name][0])
        return "cryptile_hash", alg, source, len(data), to

    def mac_len(self, size):
        return self.pick((5, size), (2, self.rng.randrange(1, size + 1)), (0.2, 0), (0.2, size + 1))

    def hmac(self):
        ctx = self.ctx("hmac")
        state = self.state(ctx)
        action = self.pick(
            (60 if state else 4, "update"),
            (6 if state else 2, "final"),
            (8 if state else 2, "verify"),
            (3 if state else 60, "init"),
            (2, "wipe"),
            (4, "copy"),
        )
        if action == "init":
            key = self.input(self.bytes(300))
            return "cryptile_hmac_init", self.or_null(ctx), self.alg()[1], *key
        if action == "wipe":
            return "cryptile_hmac_wipe", self.or_null(ctx)
        if action == "copy":
            return "copy", self.ctx("hmac"), ctx
        if action == "update":
            return "cryptile_hmac_update", self.or_null(ctx), *self.input(self.bytes())
        length = self.mac_len(state.size if state else 64)
        if action == "final":
            mac = self.or_null(self.buffers.room(length))
            return "cryptile_hmac_final", self.or_null(ctx), mac, length
        right = state.running.digest() if state else b""
        mac = self.same_length((right + bytes(65))[: max(1, length)])
        mac = self.or_null(self.buffers.data(mac))
        return "cryptile_hmac_verify", self.or_null(ctx), mac, length

    def hmac_call(self):
        name, alg = self.alg()
        key, data = self.bytes(300), self.bytes()
        length = self.mac_len(reference.HASHES[name][0])
        if self.chance(0.5):
            key = self.input(key)
            source, to = self.in_and_out(data, length)
            return "cryptile_hmac", alg, *key, source, len(data), to, length
        right = b"" if name == "ascon_hash256" else reference.hmac_digest(name, key, data)
        mac = self.same_length((right + bytes(65))[: max(1, length)])
        return (
            "cryptile_hmac_check",
            alg,
            *self.input(key),
            *self.input(data),
            self.or_null(self.buffers.data(mac)),
            length,
        )

    def cmac_key(self):
        size = self.rng.choice((16, 24, 32))
        if self.mistake(0.03):
            size = self.rng.choice((0, 1, 15, 17, 31, 33))
        return self.rng.randbytes(size)

    def cmac(self):
        ctx = self.ctx("cmac")
        state = self.state(ctx)
        action = self.pick(
            (60 if state else 4, "update"),
            (6 if state else 2, "final"),
            (8 if state else 2, "verify"),
            (3 if state else 60, "init"),
            (2, "wipe"),
            (4, "copy"),
        )
        if action == "init":
            return "cryptile_cmac_init", self.or_null(ctx), *self.input(self.cmac_key())
        if action == "wipe":
            return "cryptile_cmac_wipe", self.or_null(ctx)
        if action == "copy":
            return "copy", self.ctx("cmac"), ctx
        if action == "update":
            return "cryptile_cmac_update", self.or_null(ctx), *self.input(self.bytes())
        length = self.mac_len(16)
        if action == "final":
            mac = self.or_null(self.buffers.room(length))
            return "cryptile_cmac_final", self.or_null(ctx), mac, length
        right = state.digest() if state else b""
        mac = self.same_length((right + bytes(17))[: max(1, length)])
        return (
            "cryptile_cmac_verify",
            self.or_null(ctx),
            self.or_null(self.buffers.data(mac)),
            length,
        )

    def cmac_call(self):
        key, data, length = self.cmac_key(), self.bytes(), self.mac_len(16)
        if self.chance(0.5):
            given = self.input(key)
            source, to = self.in_and_out(data, length)
            return "cryptile_cmac", *given, source, len(data), to, length
        right = reference.cmac(key, data) if len(key) in (16, 24, 32) else b""
        mac = self.same_length((right + bytes(17))[: max(1, length)])
        return (
            "cryptile_cmac_check",
            *self.input(key),
            *self.input(data),
            self.or_null(self.buffers.data(mac)),
            length,
        )

    def seed(self, least):
        size = least + self.pick((8, 0), (2, 1), (1, 48))
        return self.rng.randbytes(self.rng.choice((0, least - 1)) if self.mistake() else size)

    def drbg(self):
        ctx = self.ctx("drbg")
        state = self.state(ctx)
        action = self.pick(
            (60 if state else 6, "generate"),
            (10 if state else 2, "reseed"),
            (4 if state else 60, "init"),
            (2, "wipe"),
            (4, "copy"),
        )
        if action == "wipe":
            return "cryptile_drbg_wipe", self.or_null(ctx)
        if action == "copy":
            return "copy", self.ctx("drbg"), ctx
        if action in ("init", "reseed"):
            entropy = self.input(self.seed(48 if action == "init" else 32))
            extra = self.input(self.bytes(200))
            return f"cryptile_drbg_{action}", self.or_null(ctx), *entropy, *extra
        extra, length = self.bytes(200), self.length(1100)
        source, to = self.in_and_out(extra, length)
        length = 65537 if self.mistake() else length
        return "cryptile_drbg_generate", self.or_null(ctx), to, length, source, len(extra)

    def hkdf(self):
        name, alg = self.alg()
        size = reference.HASHES[name][0]
        kind = self.rng.randrange(3)
        if kind == 0:
            return (
                "cryptile_hkdf_extract",
                alg,
                *self.input(self.bytes(300)),
                *self.input(self.bytes(300)),
                self.or_null(self.buffers.room(size)),
            )
        length = self.pick((10, self.length(600)), (0.3, 255 * size + 1), (0.1, 255 * size))
        if length > self.longest:
            length = 255 * size + 1
        okm = self.output(length if length <= 255 * size else 1)
        if kind == 1:
            prk = self.rng.randbytes(size + self.pick((8, 0), (1, 1), (1, 90), (0.5, -1)))
            return (
                "cryptile_hkdf_expand",
                alg,
                self.or_null(self.buffers.data(prk)),
                len(prk),
                *self.input(self.bytes(200)),
                okm,
                length,
            )
        inputs = [self.input(self.bytes(200)) for _ in range(3)]
        return "cryptile_hkdf", alg, *inputs[0], *inputs[1], *inputs[2], okm, length

    # Extendable outputs.

    def strength(self):
        return self.pick((20, 168), (20, 136), (1, 0), (1, 135), (1, 256))

    def sponge(self, kind, prefix, ends):
        """A step on a sponge that is not its beginning, or nothing."""
        ctx = self.ctx(kind)
        state = self.state(ctx)
        squeezing = state is not None and state.squeezing
        action = self.pick(
            (4 if squeezing else 40 if state else 4, "absorb"),
            (30 if state else 3, "squeeze"),
            (8 if state else 50, "init"),
            (2, "wipe"),
            (4, "copy"),
            *ends,
        )
        if action == "wipe":
            return ctx, (f"{prefix}_wipe", self.or_null(ctx))
        if action == "copy":
            return ctx, ("copy", self.ctx(kind), ctx)
        if action == "squeeze":
            size = self.length(SLOW if not state or state.given < 600 else 9)
            return ctx, (f"{prefix}_squeeze", self.or_null(ctx), self.output(size), size)
        if action == "absorb":
            long = not state or len(state.message) < 600
            data = self.input(self.bytes(SLOW * 2 if long else 1))
            return ctx, (self.absorb_name(prefix), self.or_null(ctx), *data)
        return ctx, action

    @staticmethod
    def absorb_name(prefix):
        return f"{prefix}_{'update' if prefix == 'cryptile_kmac' else 'absorb'}"

    def xof(self):
        ctx, step = self.sponge("xof", "cryptile_xof", ())
        if step != "init":
            return step
        if self.chance(0.6):
            return "cryptile_shake_init", self.or_null(ctx), self.strength()
        name, custom = self.bytes(200), self.bytes(200)
        if self.chance(0.4):
            name, custom = name[:0], custom[: self.rng.choice((0, 200))]
        return (
            "cryptile_cshake_init",
            self.or_null(ctx),
            self.strength(),
            *self.input(name),
            *self.input(custom),
        )

    def shake(self):
        data, size = self.bytes(), self.length(600)
        source, to = self.in_and_out(data, size)
        return "cryptile_shake", self.strength(), source, len(data), to, size

    def kmac(self):
        ctx, step = self.sponge("kmac", "cryptile_kmac", ((8, "final"), (8, "verify")))
        if step == "init":
            return (
                "cryptile_kmac_init",
                self.or_null(ctx),
                self.strength(),
                *self.input(self.bytes(200)),
                *self.input(self.bytes(200)),
            )
        state = self.state(ctx)
        if step == "final":
            size = self.length(SLOW)
            mac = self.or_null(self.buffers.room(size))
            return "cryptile_kmac_final", self.or_null(ctx), mac, size
        if step == "verify":
            size = self.length(SLOW)
            right = bytes(max(1, size))
            if state and not state.squeezing and size:
                right = state.code(state.message, size, False)
            mac = self.or_null(self.buffers.data(self.same_length(right)))
            return "cryptile_kmac_verify", self.or_null(ctx), mac, size
        return step

    def ascon(self):
        ctx, step = self.sponge("ascon", "cryptile_ascon_xof", ())
        if step != "init":
            return step
        if self.chance(0.5):
            return "cryptile_ascon_xof128_init", self.or_null(ctx)
        custom = self.bytes(self.rng.choice((20, 257)))
        return "cryptile_ascon_cxof128_init", self.or_null(ctx), *self.input(custom)

    # Curves.

    def scalar(self, curve=curves.P256):
        """Return bytes that are a private key, or nearly."""
        n, size = curve.n, curve.size
        return self.pick(
            (20, self.rng.randrange(2**curve.bits).to_bytes(size, "big")),
            (1, bytes(size)),
            (1, n.to_bytes(size, "big")),
            (1, (n - 1).to_bytes(size, "big")),
            (1, (1).to_bytes(size, "big")),
            (1, b"\xff" * size),
        )

    def small_scalar(self, curve):
        """Return a private key whose public key is quickly computed."""
        return self.rng.randrange(1, 256).to_bytes(curve.size, "big")

    def point(self, curve=curves.P256):
        """Return bytes that are a public key, or nearly."""
        good = curve.public(self.small_scalar(curve))
        return self.pick(
            (12, good),
            (1, self.flipped(good)),
            (1, b"\2" + good[1:]),
            (1, b"\4" + bytes(2 * curve.size)),
        )

    def ecdsa_signature(self, private, name, digest, curve=curves.P256):
        signature, size = curve.sign(private, name, digest), curve.size
        n = curve.n.to_bytes(size, "big")
        return self.pick(
            (12, signature),
            (4, self.flipped(signature)),
            (1, bytes(size) + signature[size:]),
            (1, signature[:size] + n),
            (1, self.with_order_added(signature, curve)),
        )

    @staticmethod
    def with_order_added(signature, curve):
        """Return r, s + n where that fits: the same number modulo n, and no signature."""
        size = curve.size
        s = int.from_bytes(signature[size:], "big") + curve.n
        return signature[:size] + (s % 2 ** (8 * size)).to_bytes(size, "big")

    def u_coordinate(self):
        q = curves.Q
        return self.pick(
            (12, self.rng.randbytes(32)),
            (1, bytes(32)),
            (1, b"\1" + bytes(31)),
            (1, q.to_bytes(32, "little")),
            (1, b"\xff" * 32),
            (1, (q - 1).to_bytes(32, "little")),
        )

    def ed25519_signature(self, message, seed):
        signature = curves.ed25519_sign(message, seed, curves.ed25519_public(seed))
        s = int.from_bytes(signature[32:], "little") + curves.L
        return self.pick(
            (12, signature),
            (4, self.flipped(signature)),
            (1, signature[:32] + s.to_bytes(32, "little")),
        )

    def ed25519_key(self, right):
        return self.pick(
            (12, right),
            (2, self.flipped(right)),
            (1, b"\1" + bytes(31)),
            (1, b"\xff" * 32),
            (1, b"\1" + bytes(30) + b"\x80"),
        )

    def overlapping(self, data, size):
        """Place an input of a curve's function and its output, both there."""
        source, to = self.in_and_out(data, size)
        return source, self.or_null(to)

    def nist_curve(self, kind):
        name, curve = self.rng.choice(
            (("p256", curves.P256), ("p384", curves.P384), ("p521", curves.P521))
        )
        size, place = curve.size, self.buffers.data
        if kind == 0:
            source, to = self.overlapping(self.scalar(curve), 1 + 2 * size)
            return f"cryptile_{name}_public_key", to, source
        if kind == 1:
            source, to = self.overlapping(self.point(curve), size)
            return f"cryptile_{name}_ecdh", to, self.or_null(place(self.scalar(curve))), source
        if kind == 2:
            hash_name, alg = self.alg()
            digest = self.rng.randbytes(reference.HASHES[hash_name][0])
            source, to = self.overlapping(digest, 2 * size)
            private = self.or_null(place(self.scalar(curve)))
            return f"cryptile_{name}_sign", to, private, alg, source
        private = self.small_scalar(curve)
        public = self.pick((8, curve.public(private)), (1, self.point(curve)))
        digest = self.rng.randbytes(self.length(70))
        signature = self.ecdsa_signature(private, "sha256", digest, curve)
        if self.chance(0.1):  # what anyone can make for an empty digest
            digest, signature = b"", 2 * public[1 : 1 + size]
        given = self.or_null(place(digest)) if self.chance(0.2) else place(digest)
        return (
            f"cryptile_{name}_verify",
            self.or_null(place(public)),
            given,
            len(digest),
            self.or_null(place(signature)),
        )

    def curve(self):
        # Verification succeeds seldom: it comes twice as often.
        kind = self.rng.choice((0, 1, 2, 3, 3, 4, 5, 6, 7, 8))
        place = self.buffers.data
        if kind < 4:
            return self.nist_curve(kind)
        if kind == 4:
            source, to = self.overlapping(self.rng.randbytes(32), 32)
            return "cryptile_x25519_public", to, source
        if kind == 5:
            source, to = self.overlapping(self.u_coordinate(), 32)
            return "cryptile_x25519", to, self.or_null(place(self.rng.randbytes(32))), source
        seed, message = self.rng.randbytes(32), self.bytes()
        if kind == 6:
            source, to = self.overlapping(seed, 32)
            return "cryptile_ed25519_public", to, source
        public = curves.ed25519_public(seed)
        if kind == 7:
            return (
                "cryptile_ed25519_sign",
                self.or_null(self.buffers.room(64)),
                *self.input(message),
                self.or_null(place(seed)),
                self.or_null(place(public)),
            )
        signature = self.ed25519_signature(message, seed)
        return (
            "cryptile_ed25519_verify",
            self.or_null(place(signature)),
            *self.input(message),
            self.or_null(place(self.ed25519_key(public))),
        )

    def rsa(self):
        bits = self.pick(*zip((6, 2, 1), RSA_BITS, strict=True))
        modulus, exponent = rsa.key(bits)[0], 65537
        name, alg = self.alg(with_ascon=False)
        digest = self.rng.randbytes(reference.HASHES[name][0])
        longest = (bits + 6) // 8 - len(digest) - 2
        salt = self.pick((8, len(digest)), (2, 0), (2, self.rng.randrange(longest + 1)))
        is_pss = self.chance(0.5)
        if is_pss:
            message = rsa.pss_encode(name, digest, self.rng.randbytes(salt), bits - 1)
        else:
            message = int.from_bytes(rsa.pkcs1_encode(name, digest, len(modulus)), "big")
        if self.chance(0.1):
            message ^= 1 << self.rng.randrange(bits - 1)
        signature = rsa.sign(bits, message)
        if self.chance(0.2):
            signature = self.pick((3, self.flipped(signature)), (1, signature[1:]), (1, modulus))
        if self.chance(0.1):
            modulus = self.pick((2, self.flipped(modulus)), (1, modulus[:-1]), (1, b"\0" + modulus))
            exponent = self.pick((2, exponent), (1, self.rng.randrange(2**32)), (1, 1))
        place = self.buffers.data
        key = self.or_null(RsaKey(self.or_null(place(modulus)), len(modulus), exponent))
        given = self.or_null(place(digest))
        end = self.or_null(place(signature)), len(signature)
        if is_pss:
            wanted = self.pick((8, salt), (3, rsa.ANY_SALT), (1, salt + 1), (1, longest + 1))
            return "cryptile_rsa_pss_verify", key, alg, given, wanted, *end
        return "cryptile_rsa_pkcs1_verify", key, alg, given, *end

    # PSA: keys.

    def hash_alg(self):
        if self.chance(0.1):
            return psa.ASCON_HASH256
        return 0x02000000 | self.rng.choice(list(psa.HASHES))

    def mac_alg(self):
        alg = psa.HMAC | self.hash_alg() & 0xFF
        length = self.pick((6, 0), (1, 4), (1, 16), (1, 32), (0.5, 3), (0.5, 63))
        return alg | length << 16 | self.at_least()

    def cmac_alg(self):
        length = self.pick((6, 0), (1, 4), (1, 8), (1, 16), (0.5, 3), (0.5, 17))
        return psa.CMAC | length << 16 | self.at_least()

    def at_least(self):
        """Make a policy of what names one length, now and then."""
        return psa.AT_LEAST if self.chance(0.15) else 0

    def aead_alg(self):
        alg = self.rng.choice(list(psa.AEADS))
        tag = self.pick(
            (8, 16), (2, self.rng.choice((4, 8, 12, 13, 15))), (0.5, 0), (0.5, 5), (0.5, 17)
        )
        return alg & ~0x003F0000 | tag << 16 | self.at_least()

    def ecdsa_alg(self):
        return psa.ECDSA | self.rng.randrange(2) << 8 | self.hash_alg() & 0xFF

    def key_sort(self):
        """Return type, data and algorithm of a key."""
        family = self.rng.choice((psa.R1, psa.MONTGOMERY, psa.EDWARDS))
        curve = self.nist() if family == psa.R1 else curves.P256
        seldom = 10 * self.families[-1][0]
        aes = self.rng.randbytes(self.rng.choice((16, 24, 32)))
        return self.pick(
            (30, (psa.AES, aes, self.rng.choice((psa.CTR, psa.ECB, psa.CBC, psa.PKCS7)))),
            (30, (psa.AES, aes, self.aead_alg())),
            (8, (psa.AES, aes, self.cmac_alg())),
            (8, (psa.AES, self.rng.randbytes(self.rng.choice((32, 64))), psa.XTS)),
            (0.5, (psa.AES, self.rng.randbytes(16) * 2, psa.XTS)),
            (15, (psa.ASCON, self.rng.randbytes(16), self.aead_alg())),
            (
                15,
                (
                    psa.CHACHA20,
                    self.rng.randbytes(32),
                    self.rng.choice((psa.STREAM, self.aead_alg())),
                ),
            ),
            (20, (psa.HMAC_KEY, self.bytes(128) or b"k", self.mac_alg())),
            (2, (self.rng.choice((psa.RAW_DATA, psa.DERIVE_KEY)), self.bytes(130), 0)),
            (0.3, (psa.RAW_DATA, self.rng.randbytes(self.rng.choice((528, 529))), 0)),
            (1, (psa.RSA_PUBLIC, self.rsa_key(), self.rsa_alg())),
            (seldom / 4, (psa.PAIR | family, self.scalar(curve), self.curve_alg(family))),
            (seldom / 4, (psa.PUBLIC | family, self.public(family, curve), self.curve_alg(family))),
        )

    def curve_alg(self, family):
        own = {psa.MONTGOMERY: psa.ECDH, psa.EDWARDS: psa.EDDSA}.get(family)
        return own or self.pick((1, psa.ECDH), (3, self.ecdsa_alg()))

    def nist(self):
        """Choose a curve of NIST's; the larger ones take longer."""
        return self.pick((4, curves.P256), (1, curves.P384), (1, curves.P521))

    def rsa_alg(self):
        kind = self.rng.choice((psa.PKCS1, psa.PSS, psa.PSS_ANY_SALT))
        return kind | self.pick((6, self.hash_alg() & 0xFF), (1, 0xFF), (0.3, 0))

    def rsa_key(self):
        """Return bytes that are an RSAPublicKey, or nearly."""
        modulus = int.from_bytes(rsa.key(self.rng.choice(RSA_BITS))[0], "big")
        good = rsa.der(modulus, 65537)
        return self.pick(
            (12, good),
            (1, self.flipped(good)),
            (1, good[:-1]),
            (1, good + b"\0"),
            (1, rsa.der(modulus - 1, 65537)),
            (1, rsa.der(modulus >> 1 | 1, 3)),
            (1, rsa.der(modulus, self.rng.choice((1, 2, 2**32 - 1, 2**32 + 1)))),
            (1, b"\x30\x83\0" + good[2:]),
            (1, good.replace(b"\2\3\1", b"\2\4\0\1")),
        )

    def psa_rsa(self):
        key, found, alg = self.key(psa.RSA_PUBLIC, alg=psa.rsa_of)
        if found is None or found.type != psa.RSA_PUBLIC:
            attributes = Attributes(psa.RSA_PUBLIC, 0x7F01, self.rsa_alg(), 0)
            return "psa_import_key", attributes, *self.input(self.rsa_key()), self.free_variable()
        if alg & 0xFF == 0xFF:
            alg = alg & ~0xFF | self.hash_alg() & 0xFF
        kind, name = psa.rsa_of(alg) or (psa.PKCS1, "sha256")
        data, of_hash = self.bytes(), self.chance(0.5)
        if of_hash:
            size = reference.HASHES[name][0]
            data = self.rng.randbytes(size if not self.mistake(0.1) else self.length(70))
        digest = data if of_hash else reference.digest(name, data)
        modulus = rsa.parse(found.data)[0]
        bits, length = modulus.bit_length(), (modulus.bit_length() + 7) // 8
        signature = self.rng.randbytes(length)
        if modulus == int.from_bytes(rsa.key(bits)[0] if bits in RSA_BITS else b"", "big"):
            salt = self.pick((8, len(digest)), (1, 0), (1, self.rng.randrange(60)))
            if kind == psa.PKCS1:
                message = int.from_bytes(rsa.pkcs1_encode(name, digest, length), "big")
            else:
                message = rsa.pss_encode(name, digest, self.rng.randbytes(salt), bits - 1)
            signature = rsa.sign(bits, message)
        if self.mistake(0.2):
            signature = self.given(signature)
        part = "hash" if of_hash else "message"
        return f"psa_verify_{part}", key, alg, *self.input(data), *self.input(signature)

    def public(self, family, curve=curves.P256):
        if family == psa.R1:
            return self.point(curve)
        if family == psa.EDWARDS:
            return curves.ed25519_public(bytes([self.rng.randrange(256)]) * 32)
        return self.rng.randbytes(32)

    def attributes(self, kind, alg, bits):
        usage = self.pick(
            (10, 0x7F03),
            (1, 0),
            (1, self.rng.getrandbits(15) & 0x7F03),
            (0.3, self.rng.getrandbits(17)),
            (1, 0x0300),
            (1, 0x3000),
            (1, 0x0C00),
        )
        if self.mistake(0.03):
            alg = self.rng.choice((0, self.some_alg(), alg ^ 1 << self.rng.randrange(31)))
        if self.mistake():
            kind = self.rng.choice((0, 0x2403, 0x7112 ^ 0x3000, kind ^ 1, psa.AES))
        life = self.pick((60, 0), (1, 0x100), (0.5, 1), (0.5, self.rng.getrandbits(32)))
        return Attributes(kind, usage, alg, bits, life)

    def copy_attributes(self, key):
        """Return attributes for a copy: mostly the source's, or of another length or hash."""
        state = self.world.variable(key.number).key if isinstance(key, Key) else None
        if state is None:
            return self.attributes(psa.AES, psa.CTR, 0)
        alg = self.pick(
            (6, state.alg),
            (1, 0),
            (1, state.alg ^ psa.AT_LEAST),
            (1, self.some_alg()),
            (1, state.alg & ~0x3F0000 | self.rng.randrange(64) << 16),
            (1, state.alg | 0xFF),
            (1, state.alg ^ 0x100),  # of ECDSA the other kind
        )
        bits = self.pick((6, 0), (3, state.bits), (0.3, 128))
        return self.attributes(self.pick((6, 0), (3, state.type)), alg, bits)

    def some_alg(self):
        return self.rng.choice(
            (
                psa.CTR,
                psa.ECB,
                psa.CBC,
                psa.PKCS7,
                psa.STREAM,
                psa.XTS,
                psa.EDDSA,
                psa.ECDH,
                self.hash_alg(),
                self.mac_alg(),
                self.cmac_alg(),
                self.aead_alg(),
                self.ecdsa_alg(),
                0,
                self.rsa_alg(),
                0x02000003,
                psa.ECDSA | 0x1FF,
            )
        )

    def free_variable(self):
        """Return a variable whose key is dead, so that none is lost."""
        dead = [n for n in range(KEYS) if self.world.variable(n).key is None]
        return NewKey(self.rng.choice(dead))

    def key(self, *kinds, alg=None):
        """Return a key of one of these types, if there is one, and mostly its algorithm."""
        fitting = [
            n
            for n in range(KEYS)
            if (key := self.world.variable(n).key)
            and key.type in kinds
            and (alg is None or alg(key.alg))
        ]
        if not fitting or self.mistake(0.03):
            number = self.pick(
                (10, Key(self.rng.randrange(KEYS))), (1, 0), (1, 0xFFFFFFFF), (1, 0x7FFFFFFF)
            )
        else:
            number = Key(self.rng.choice(fitting))
        found = self.world.variable(number.number).key if isinstance(number, Key) else None
        chosen = found.alg if found and not self.mistake(0.03) else self.some_alg()
        if chosen >> 24 in (3, 5) and chosen & psa.AT_LEAST and self.chance(0.95):
            length = self.pick((6, chosen >> 16 & 0x3F), (4, 16), (2, self.rng.randrange(33)))
            if chosen >> 24 == 3 and self.chance(0.2):
                length = 0  # the whole code
            chosen = chosen & ~0x003F8000 | length << 16
        if self.mistake(0.01):
            chosen ^= 1 << self.rng.randrange(31)
        elif chosen & 0x003F0000 and self.mistake(0.04):  # another length of tag or code
            chosen = chosen & ~0x003F0000 | self.rng.choice((4, 8, 12, 14, 16)) << 16
        return number, found, chosen

    def psa_key(self):
        living = [n for n in range(KEYS) if self.world.variable(n).key is not None]
        few = len(living) < 7
        action = self.pick(
            (40 if few else 8, "import"),
            (6 if few else 2, "generate"),
            (4 if few else 14, "destroy"),
            (4, "attributes"),
            (4, "export"),
            (2, "public"),
            (4, "copy"),
            (0.5, "init"),
        )
        if action == "init":
            return ("psa_crypto_init",)
        if action == "import":
            kind, data, alg = self.key_sort()
            if self.mistake(0.04):
                data = self.bytes(130)
            bits = psa.bits_of(kind, len(data), data) or 0
            bits = self.pick((6, 0), (3, bits), (0.3, 1), (0.3, 256))
            attributes = self.attributes(kind, alg, bits)
            return "psa_import_key", attributes, *self.input(data), self.free_variable()
        if action == "generate":
            kind, data, alg = self.key_sort()
            bits = self.pick((10, psa.bits_of(kind, len(data)) or 0), (1, 1), (1, 256), (1, 4225))
            return "psa_generate_key", self.attributes(kind, alg, bits), self.free_variable()
        key = self.pick(
            (10, Key(self.rng.choice(living) if living else 0)),
            (2, Key(self.rng.randrange(KEYS))),
            (0.5, 0),
            (0.5, 0xFFFFFFFF),
        )
        if action == "destroy":
            return "psa_destroy_key", key
        if action == "attributes":
            return "psa_get_key_attributes", key, NewAttributes()
        if action == "copy":
            return "psa_copy_key", key, self.copy_attributes(key), self.free_variable()
        size = self.size_for(self.rng.choice((16, 24, 32, 65, 97, 133, 270, 528)))
        function = "psa_export_key" if action == "export" else "psa_export_public_key"
        if function == "psa_export_public_key" and self.families[-1][0] < 1 and self.chance(0.7):
            function = "psa_export_key"
        return function, key, self.output(size), size, Size(self.rng.getrandbits(16))

    def psa_random(self):
        if self.chance(0.3) or not self.world.has_source:
            on = Name("fuzz_random") if self.chance(0.8) else 0
            return "cryptile_psa_set_random", on
        size = self.length(1025)
        return "psa_generate_random", self.output(size), size

    def cell(self):
        return Size(self.rng.getrandbits(16))

    # PSA: hashes and MACs.

    def psa_hash(self):
        ctx = self.ctx("psa_hash")
        state = self.state(ctx)
        if self.needs_abort(ctx):
            return "psa_hash_abort", ctx
        action = self.pick(
            (50 if state else 4, "update"),
            (6 if state else 2, "finish"),
            (6 if state else 2, "verify"),
            (3 if state else 50, "setup"),
            (3, "abort"),
            (4, "clone"),
        )
        if action == "setup":
            alg = self.hash_alg() if self.chance(0.95) else self.some_alg()
            return "psa_hash_setup", ctx, alg
        if action == "abort":
            return "psa_hash_abort", ctx
        if action == "clone":
            return "psa_hash_clone", ctx, Ctx("psa_hash", (ctx.number + 1) % COPIES)
        if action == "update":
            slow = state and state.name == "ascon_hash256"
            return "psa_hash_update", ctx, *self.input(self.bytes(SLOW if slow else None))
        if action == "finish":
            size = self.size_for(state.size if state else 64)
            return "psa_hash_finish", ctx, self.output(size), size, self.cell()
        given = self.given(state.running.digest()) if state else self.rng.randbytes(32)
        return "psa_hash_verify", ctx, *self.input(given)

    def psa_hash_call(self):
        alg = self.hash_alg() if self.chance(0.95) else self.some_alg()
        name = psa.hash_of(alg)
        data = self.bytes(SLOW if name == "ascon_hash256" else None)
        if self.chance(0.5):
            size = self.size_for(reference.HASHES[name][0] if name else 64)
            source, to = self.in_and_out(data, size)
            return "psa_hash_compute", alg, source, len(data), to, size, self.cell()
        given = self.given(reference.digest(name, data)) if name else b""
        return "psa_hash_compare", alg, *self.input(data), *self.input(given)

    def psa_xof(self):
        ctx = self.ctx("psa_xof")
        state = self.state(ctx)
        if self.needs_abort(ctx):
            return "psa_xof_abort", ctx
        waits = state is not None and state.compute is None
        action = self.pick(
            (2 if waits or not state else 4 if state.squeezing else 40, "update"),
            (30 if state and not waits else 2, "output"),
            (40 if waits else 1, "context"),
            (3 if state else 50, "setup"),
            (5, "abort"),
        )
        if action == "setup":
            alg = self.rng.choice(list(psa.XOFS)) if self.chance(0.95) else self.some_alg()
            return "psa_xof_setup", ctx, alg
        if action == "context":
            return "psa_xof_set_context", ctx, *self.input(self.bytes(self.rng.choice((20, 257))))
        if action == "update":
            long = not state or len(state.message) < 600
            return "psa_xof_update", ctx, *self.input(self.bytes(SLOW * 2 if long else 1))
        if action == "output":
            size = self.length(SLOW if not state or state.given < 600 else 9)
            return "psa_xof_output", ctx, self.output(size), size
        return "psa_xof_abort", ctx

    @staticmethod
    def is_mac(alg):
        return psa.whole_mac_of(alg & ~psa.AT_LEAST) is not None

    def psa_mac(self):
        ctx = self.ctx("psa_mac")
        state = self.state(ctx)
        if self.needs_abort(ctx):
            return "psa_mac_abort", ctx
        action = self.pick(
            (50 if state else 4, "update"),
            (12 if state else 2, "end"),
            (3 if state else 50, "setup"),
            (3, "abort"),
        )
        if action == "setup":
            key, _, alg = self.key(psa.HMAC_KEY, psa.AES, alg=self.is_mac)
            kind = self.rng.choice(("sign", "verify"))
            return f"psa_mac_{kind}_setup", ctx, key, alg
        if action == "abort":
            return "psa_mac_abort", ctx
        if action == "update":
            return "psa_mac_update", ctx, *self.input(self.bytes())
        if bool(state and state.verifies) ^ self.chance(0.08):
            right = state.running.digest()[: state.length] if state else bytes(32)
            return "psa_mac_verify_finish", ctx, *self.input(self.given(right))
        size = self.size_for(state.length if state else 64)
        to = self.output(size)
        return "psa_mac_sign_finish", ctx, to, size, self.cell()

    def psa_mac_call(self):
        key, found, alg = self.key(psa.HMAC_KEY, psa.AES, alg=self.is_mac)
        data, sort = self.bytes(), psa.mac_of(alg)
        length = sort[1] if sort else 64
        if self.chance(0.5):
            size = self.size_for(length)
            source, to = self.in_and_out(data, size)
            return "psa_mac_compute", key, alg, source, len(data), to, size, self.cell()
        right = bytes(32)
        if found and sort and (sort[0] is not reference.Cmac or len(found.data) in (16, 24, 32)):
            right = sort[0](found.data, data).digest()[:length]
        given = self.given(right)
        return "psa_mac_verify", key, alg, *self.input(data), *self.input(given)

    # PSA: ciphers.

    def psa_text(self, alg, key, iv, decrypt, data):
        """Return what decrypts well, if the job is to decrypt, else the data."""
        if alg == psa.XTS and self.chance(0.9):
            data += self.rng.randbytes(max(0, 16 - len(data)))
        if alg in (psa.STREAM, psa.XTS) or alg not in psa.CIPHERS or key is None:
            return data
        sort = (psa.CIPHERS[alg], key.data, iv, decrypt, alg == psa.PKCS7)
        return self.ciphertext(sort, data) if len(key.data) in (16, 24, 32) else data

    def psa_cipher(self):
        ctx = self.ctx("psa_cipher")
        state = self.state(ctx)
        if self.needs_abort(ctx):
            return "psa_cipher_abort", ctx
        wants_iv = state is not None and state.work is None
        action = self.pick(
            (4 if wants_iv else 50 if state else 4, "update"),
            (2 if wants_iv else 12 if state else 2, "finish"),
            (2 if state else 50, "setup"),
            (30 if wants_iv else 2, "set_iv"),
            (15 if wants_iv else 2, "generate"),
            (2, "abort"),
        )
        if action == "setup":
            key, _, alg = self.key(psa.AES, psa.CHACHA20, alg=psa.CIPHERS.__contains__)
            kind = self.rng.choice(("encrypt", "decrypt"))
            self.plans.pop(ctx, None)
            return f"psa_cipher_{kind}_setup", ctx, key, alg
        if action == "abort":
            return "psa_cipher_abort", ctx
        if action == "set_iv":
            size = state.iv_length if state and not self.mistake() else self.rng.randrange(18)
            iv = self.rng.randbytes(size)
            if state and size == state.iv_length:
                key = psa.KeyState(Attributes(psa.AES, 0, 0, 0), state.key)
                self.plans[ctx] = self.psa_text(
                    state.alg, key, iv, int(state.decrypt), self.bytes()
                )
            return "psa_cipher_set_iv", ctx, *self.input(iv)
        if action == "generate":
            size = self.size_for(state.iv_length if state else 16)
            return "psa_cipher_generate_iv", ctx, self.output(size), size, self.cell()
        if action == "finish" and not (self.plans.get(ctx) and self.chance(0.9)):
            is_unit = state is not None and state.alg == psa.XTS and state.work is not None
            size = self.size_for(len(state.work.held) if is_unit else 16)
            to = self.output(size)
            return "psa_cipher_finish", ctx, to, size, self.cell()
        data = self.bytes()
        if plan := self.plans.get(ctx):
            data = plan if action == "finish" else plan[: len(data)]
            self.plans[ctx] = plan[len(data) :]
        ready = state.work.ready(len(data)) if state and state.work else len(data)
        size = self.size_for(ready)
        source, to = self.in_and_out(data, size)
        return "psa_cipher_update", ctx, source, len(data), to, size, self.cell()

    def psa_cipher_call(self):
        key, found, alg = self.key(psa.AES, psa.CHACHA20, alg=psa.CIPHERS.__contains__)
        decrypt = self.rng.randrange(2)
        iv_length = {psa.ECB: 0, psa.STREAM: 12}.get(alg, 16)
        data, iv = self.bytes(), self.rng.randbytes(iv_length)
        data = self.psa_text(alg, found, iv, decrypt, data)
        if decrypt:
            data = iv + data
            wanted = max(0, len(data) - iv_length)
            size = self.size_for(wanted)
            if alg == psa.PKCS7 and self.chance(0.3):
                size = max(0, wanted - self.rng.randrange(20))
        else:
            wanted = iv_length + len(data)
            size = self.size_for(wanted + 16 - len(data) % 16 if alg == psa.PKCS7 else wanted)
        source, to = self.in_and_out(data, size)
        function = "psa_cipher_decrypt" if decrypt else "psa_cipher_encrypt"
        return function, key, alg, source, len(data), to, size, self.cell()

    # PSA: authenticated encryption.

    @staticmethod
    def is_aead(alg):
        return psa.full_tag(alg & ~psa.AT_LEAST) in psa.AEADS

    def nonce_size(self, usual):
        return self.pick((20, usual), *((1, n) for n in (0, 8, 11, 12, 13, 16, 60)))

    @staticmethod
    def longest_of(name):
        """Return the most bytes of a message of an AEAD: Ascon's model is slow."""
        return SLOW if name == "cryptile_ascon_aead128" else None

    def psa_aead(self):
        ctx = self.ctx("psa_aead")
        state = self.state(ctx)
        if self.needs_abort(ctx):
            return "psa_aead_abort", ctx
        wants_nonce = state is not None and state.work is None
        wants_lengths = wants_nonce and not state.awaits_nonce()
        has_nonce = state is not None and not wants_nonce
        in_text = has_nonce and state.in_text
        longest = self.longest_of(state and state.name)
        action = self.pick(
            (3 if in_text else 20 if has_nonce else 2, "ad"),
            (40 if has_nonce else 2, "update"),
            (15 if has_nonce else 2, "end"),
            (2 if state else 60, "setup"),
            (25 if wants_nonce else 1, "nonce"),
            (8 if wants_nonce else 1, "generate"),
            (200 if wants_lengths else 10 if wants_nonce else 1, "lengths"),
            (2, "abort"),
        )
        if action == "setup":
            key, _, alg = self.key(psa.AES, psa.CHACHA20, psa.ASCON, alg=self.is_aead)
            kind = self.rng.choice(("encrypt", "decrypt"))
            return f"psa_aead_{kind}_setup", ctx, key, alg
        if action == "abort":
            return "psa_aead_abort", ctx
        if action == "lengths":
            return "psa_aead_set_lengths", ctx, self.length(longest), self.length(longest)
        if action == "nonce":
            size = self.nonce_size(state.nonce_length if state else 12)
            return "psa_aead_set_nonce", ctx, *self.input(self.rng.randbytes(size))
        if action == "generate":
            size = self.size_for(state.nonce_length if state else 12)
            return "psa_aead_generate_nonce", ctx, self.output(size), size, self.cell()
        left = None
        if has_nonce and state.lengths is not None and self.chance(0.95):
            left = (
                state.lengths[0] - len(state.work.aad),
                state.lengths[1] - len(state.work.source),
            )
            if left[0] and action != "abort":
                action = "ad"
            elif left[1] and action == "end":
                action = "update"
        if action == "ad":
            data = self.rng.randbytes(left[0]) if left else self.bytes(longest)
            return "psa_aead_update_ad", ctx, *self.input(data)
        if action == "update":
            data = self.bytes(longest)
            if left:
                data = (data + self.rng.randbytes(left[1]))[: left[1]]
            size = self.size_for(len(data))
            source, to = self.in_and_out(data, size)
            return "psa_aead_update", ctx, source, len(data), to, size, self.cell()
        spare = self.length(20)
        text = self.output(spare)
        if bool(state and state.decrypt) ^ self.chance(0.08):
            right = state.work.tag() if has_nonce else bytes(16)
            tag = self.input(self.given(right))
            return "psa_aead_verify", ctx, text, spare, self.cell(), *tag
        size = self.size_for(state.tag_length if state else 16)
        tag = self.output(size)
        return "psa_aead_finish", ctx, text, spare, self.cell(), tag, size, self.cell()

    def psa_aead_call(self):
        key, found, alg = self.key(psa.AES, psa.CHACHA20, psa.ASCON, alg=self.is_aead)
        sort = psa.aead_of(alg)
        longest = self.longest_of(sort and sort[0])
        size = self.nonce_size(psa.AeadOperation(alg, b"", True).nonce_length if sort else 12)
        nonce, ad, data = self.rng.randbytes(size), self.bytes(longest), self.bytes(longest)
        if self.chance(0.5):
            room = self.size_for(len(data) + (alg >> 16 & 0x3F))
            function = "psa_aead_encrypt"
        else:
            function = "psa_aead_decrypt"
            room = self.size_for(len(data))
            fits = found and sort and psa.AeadOperation(alg, b"", True).nonce_allowed(size)
            if fits and len(found.data) in model_lib.KEYS[sort[0]]:
                state = model_lib.AeadState(sort[0], True, found.data, nonce, sort[1])
                state.aad = ad
                state.update(data)
                data += self.given(state.tag())
        source, to = self.in_and_out(data, room)
        return (
            function,
            key,
            alg,
            *self.input(nonce),
            *self.input(ad),
            source,
            len(data),
            to,
            room,
            self.cell(),
        )

    # PSA: signatures and key agreement.

    def psa_curve(self):
        kind = self.rng.choice((0, 1, 2, 3, 4, 4, 5))
        family = self.rng.choice((psa.R1, psa.EDWARDS))
        if kind in (2, 3):
            family = psa.R1
        living = [(key.type, key.alg) for key in self.world.store]
        for_ecdh = kind in (4, 5)
        if for_ecdh:
            family = self.rng.choice((psa.R1, psa.MONTGOMERY))
        wanted = psa.PAIR | family
        if not any(t == wanted and (alg == psa.ECDH) == for_ecdh for t, alg in living):
            alg = psa.ECDH if for_ecdh else psa.EDDSA
            if family == psa.R1 and not for_ecdh:
                alg = self.ecdsa_alg()
            attributes = Attributes(wanted, 0x7F01, alg, 0)
            scalar = self.scalar(self.nist() if family == psa.R1 else curves.P256)
            return "psa_import_key", attributes, *self.input(scalar), self.free_variable()
        if for_ecdh:
            key, found, alg = self.key(
                psa.PAIR | psa.R1, psa.PAIR | psa.MONTGOMERY, alg=psa.ECDH.__eq__
            )
            curve = found.curve() if found is not None else None
            is_r1 = curve is not None
            peer = (
                self.point(curve or curves.P256) if is_r1 ^ self.mistake() else self.u_coordinate()
            )
            if kind == 4:
                size = self.size_for(curve.size if curve else 32)
                source, to = self.in_and_out(peer, size)
                return (
                    "psa_raw_key_agreement",
                    alg,
                    key,
                    source,
                    len(peer),
                    to,
                    size,
                    self.cell(),
                )
            wanted = self.rng.choice((psa.RAW_DATA, psa.DERIVE_KEY, psa.HMAC_KEY))
            bits = self.rng.choice((0, 256, 256, 128))
            attributes = self.attributes(wanted, self.mac_alg(), bits)
            return (
                "psa_key_agreement",
                key,
                *self.input(peer),
                alg,
                attributes,
                self.free_variable(),
            )
        key, found, alg = self.key(
            psa.PAIR | family, psa.PUBLIC | family, alg=lambda alg: alg != psa.ECDH
        )
        if alg & ~0x1FF == psa.ECDSA:
            alg ^= 0x100 * self.chance(0.15)  # the other kind
            if alg & 0xFF == 0xFF:
                alg = alg & ~0xFF | self.hash_alg() & 0xFF
        name = psa.ecdsa_of(alg)
        of_hash = kind in (2, 3)
        data = self.bytes()
        if of_hash:
            size = reference.HASHES[name][0] if name else 32
            data = self.rng.randbytes(size if not self.mistake(0.1) else self.length(70))
        part = "hash" if of_hash else "message"
        if kind in (0, 2):
            size = self.size_for(2 * len(found.data) if found and found.curve() else 64)
            to = self.output(size)
            return f"psa_sign_{part}", key, alg, *self.input(data), to, size, self.cell()
        signature = self.rng.randbytes(64)
        if found and found.type == psa.PAIR | psa.R1 and name:
            digest = data if of_hash else reference.digest(name, data)
            signature = self.ecdsa_signature(found.data, name, digest, found.curve())
        elif found and found.type == psa.PAIR | psa.EDWARDS and alg == psa.EDDSA:
            signature = self.ed25519_signature(data, found.data)
        if self.mistake(0.05):
            signature = signature[: self.rng.randrange(65)]
        return f"psa_verify_{part}", key, alg, *self.input(data), *self.input(signature)
