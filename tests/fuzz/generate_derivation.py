"""Random steps that derive keys with PSA."""

import model_derivation as kdf
import model_psa as psa
from steps import Key

MOST_OUTPUT = 700


def is_step(found):
    """Tell whether it is a step that imports a key, and no key."""
    return isinstance(found, tuple) and found[0] == "psa_import_key"


class Derivations:
    """The part of ``Generator`` that makes these steps; it rests on the others."""

    def derivation_alg(self):
        """Return a derivation, often one that a key is for, or with an agreement before it."""
        meant = [key.alg for key in self.world.store if kdf.known(key.alg)]
        if meant and self.chance(0.6):
            return self.rng.choice(meant)
        name = self.rng.choice(list(psa.HASHES)) if not self.mistake() else 0x19
        agrees = kdf.AGREES if self.chance(50 * self.curves_share) else 0
        return self.rng.choice(kdf.KINDS) | agrees | name

    def psa_derivation(self):
        ctx = self.ctx("psa_derivation")
        state = self.state(ctx)
        if self.needs_abort(ctx):
            return "psa_key_derivation_abort", ctx
        ready = state is not None and state.is_ready
        gives_key = ready and state.may_give_key
        action = self.pick(
            (3 if ready else 60 if state else 3, "input"),
            (30 if ready else 1, "bytes"),
            (30 if gives_key else 0.5, "key"),
            (3, "get"),
            (3 if state else 1, "set"),
            (1 if state else 60, "setup"),
            (2, "abort"),
        )
        if action == "setup":
            alg = self.derivation_alg() if self.chance(0.95) else self.some_alg()
            return "psa_key_derivation_setup", ctx, alg
        if action == "input":
            return self.derivation_input(ctx, state)
        if action == "bytes":
            size = self.length(MOST_OUTPUT)
            return "psa_key_derivation_output_bytes", ctx, self.output(size), size
        if action == "key":
            kind, data, alg = self.key_sort()
            bits = self.pick((12, psa.bits_of(kind, len(data)) or 0), (1, 1), (1, 4225))
            attributes = self.attributes(kind, alg, bits)
            return "psa_key_derivation_output_key", attributes, ctx, self.free_variable()
        if action == "get":
            return "psa_key_derivation_get_capacity", ctx, self.cell()
        if action == "set":
            most = state.capacity if state and state.capacity is not None else 9000
            capacity = self.pick(
                (3, most),
                (3, self.rng.randrange(most + 1)),
                (1, most + 1),
                (1, self.length(600)),
                (1, 0),
            )
            return "psa_key_derivation_set_capacity", ctx, capacity
        return "psa_key_derivation_abort", ctx

    def derivation_input(self, ctx, state):
        """Give an input: mostly the next one, a secret as bytes, as a key or by an agreement."""
        step = state.lacks() if state else None
        if step in (None, kdf.SALT) or self.mistake(0.05):
            steps = (
                kdf.ORDERS[state.kind]
                if state and self.chance(0.8)
                else (
                    kdf.SECRET,
                    kdf.LABEL,
                    kdf.SALT,
                    kdf.INFO,
                    kdf.SEED,
                    0x102,
                    0x205,
                    0,
                )
            )
            step = self.rng.choice(steps) if step != kdf.SALT or self.mistake(0.1) else step
        function = "psa_key_derivation_input"
        how = self.pick((4, "bytes"), (8 if step == kdf.SECRET else 0.3, "key"))
        if step == kdf.SECRET and state and state.alg & kdf.AGREES and self.chance(0.7):
            return self.derivation_agreement(ctx, state, step)
        if how == "key":
            kind = psa.DERIVE_KEY if step == kdf.SECRET or self.mistake(0.1) else psa.RAW_DATA
            size = state.size if state else 32
            data = self.rng.randbytes(size + self.rng.choice((0, 0, 1, 40)))
            key = self.derivation_key(state, kind, data)
            return key if is_step(key) else (f"{function}_key", ctx, step, key)
        data = self.bytes(160)
        if step == kdf.SECRET and state and state.kind == kdf.EXPAND and self.chance(0.9):
            data += self.rng.randbytes(state.size)
        return f"{function}_bytes", ctx, step, *self.input(data)

    def derivation_key(self, state, kind, data):
        """Return a key that a derivation takes; if there is none, the step that imports one."""
        alg = state.alg if state else self.derivation_alg()
        key, found, _ = self.key(kind, alg=alg.__eq__)
        if (found and found.type == kind and found.alg == alg) or self.mistake(0.1):
            return key
        attributes = self.attributes(kind, alg, 0)
        return "psa_import_key", attributes, *self.input(data), self.free_variable()

    def derivation_agreement(self, ctx, state, step):
        family = self.pick((4, psa.MONTGOMERY), (1, psa.R1))
        curve = self.nist()
        secret = self.rng.randbytes(32) if family == psa.MONTGOMERY else self.scalar(curve)
        key = self.derivation_key(state, psa.PAIR | family, secret)
        if is_step(key):
            return key
        variable = self.world.variable(key.number).key if isinstance(key, Key) else None
        of = variable.curve() if variable else None
        peer = self.point(of) if of else self.u_coordinate()
        return "psa_key_derivation_key_agreement", ctx, step, key, *self.input(peer)
