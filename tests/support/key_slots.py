"""The key slots of the tile in Python: who may use which key for what, as the README says it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cryptile import catalog, layout
from cryptile.catalog import Key
from support.tile_model import MODES, WRAP_AAD, Descriptor

_BLOCK = layout.blocks()["tile_slot"]
ATTRIBUTES, POLICY = (_BLOCK.registers[name] for name in ("ATTRIBUTES", "POLICY"))
SLOT_AT = _BLOCK.offsets
"""Registers of a slot and where they are in it, in bytes."""
ANY_TAG, FULL_TAG, ANY_SLOT = 127, 0, 255
KEY_BYTES, LONG_BYTES, NONCE_AT, NONCE_END = 64, 80, 32, 40
"""Bytes of a key, also where an engine has keys of more than 64, and where a nonce is in it."""
UNWRAPS = next(place for place, mode in MODES.items() if mode.unwraps)
"""Opcode and mode in which keys are unwrapped."""


@dataclass(frozen=True)
class Use:
    """What a key may be used for: the fields of ATTRIBUTES, POLICY and USES.

    ``modes`` are the numbers of modes of ``opcode``, ``owners`` those of queues; ``key_bytes`` and
    ``tag_bytes`` count bytes.
    """

    opcode: int
    modes: tuple[int, ...]
    key_bytes: int
    owners: tuple[int, ...] = (0,)
    encrypt: bool = False
    decrypt: bool = False
    unwrap: bool = False
    lock: bool = False
    contexts: bool = False
    counted: bool = False
    nonce: bool = False
    tag_bytes: int = FULL_TAG
    uses: int = 0

    @property
    def attributes(self) -> int:
        """The register ATTRIBUTES of a valid slot."""
        flags = ("encrypt", "decrypt", "unwrap", "lock", "contexts", "counted", "nonce")
        owners = sum(1 << owner for owner in self.owners)
        said = {name: int(getattr(self, name)) for name in flags}
        return ATTRIBUTES.pack(valid=1, owners=owners, opcode=self.opcode, **said)

    @property
    def policy(self) -> int:
        """The register POLICY."""
        modes = sum(1 << mode for mode in self.modes)
        return POLICY.pack(modes=modes, key_bytes=self.key_bytes, tag_bytes=self.tag_bytes)

    def writes(self, key: bytes) -> list[tuple[str, int]]:
        """Registers of the slot and what to write there, in order."""
        data = key.ljust(LONG_BYTES if len(key) > KEY_BYTES else KEY_BYTES, b"\0")
        words = [
            (word_of_key(at), int.from_bytes(data[at : at + 4], "little"))
            for at in range(0, len(data), 4)
        ]
        said = [("POLICY", self.policy), ("USES", self.uses), ("ATTRIBUTES", self.attributes)]
        return [*words, *said]

    def wrapped_for(self, slot: int) -> bytes:
        """The associated data under which a key for a slot is wrapped."""
        return WRAP_AAD.encode(
            attributes=self.attributes, policy=self.policy, uses=self.uses, slot=slot
        )


def word_of_key(at: int) -> str:
    """Name the register of a slot that has bytes ``at`` to ``at + 3`` of the key."""
    return f"KEY[{at // 4}]" if at < KEY_BYTES else f"KEY_HIGH[{(at - KEY_BYTES) // 4}]"


def offset_of(name: str) -> int:
    """Return where a register of a slot is, by its name and, of several, the number in brackets."""
    register, _, number = name.rstrip("]").partition("[")
    return SLOT_AT[register] + 4 * int(number or 0)


MODES_OF = {
    engine.opcode.number: {word: mode.number for word, mode in engine.modes.items()}
    for engine in catalog.engines().values()
    if engine.opcode
}
"""Numbers of an opcode's modes by their names."""


def key_bytes(job: Descriptor) -> int:
    """How many bytes of key a job takes."""
    match MODES[job.opcode, job.mode].key:
        case Key.sized:
            return 16 + 8 * job["key_len"]
        case Key.pair:
            return 32 + 16 * job["key_len"]
        case Key.fixed:
            return 32
        case Key.bytes:
            return job["key_bytes"]
    return 0


def tag_bytes(job: Descriptor) -> int:
    """How many bytes of tag a job makes or compares."""
    mode = MODES[job.opcode, job.mode]
    if not mode.tag or job.more:
        return 0
    asked = (job.output_len if mode.long_tag else 0) or job["tag_len"]
    return asked or mode.tag


ONCE = {
    opcode: sum(
        1 << known[word]
        for (engine, _), mode in MODES.items()
        if engine == opcode and mode.once
        for word in mode.makes
    )
    for opcode, known in MODES_OF.items()
}
"""By opcode a bit for each mode that takes no keys but those that serve one job."""


def serves_once(use: dict[str, int]) -> bool:
    """Tell whether a key is for a mode that takes such keys alone."""
    return bool(ONCE.get(use["opcode"], 0) & use["modes"])


def makes(job: Descriptor) -> bool:
    """Tell whether the result of a job becomes a key."""
    mode = MODES.get((job.opcode, job.mode))
    return bool(job["unwrap"] and mode and (mode.agrees or mode.makes))


def made_bytes(job: Descriptor) -> int:
    """How many bytes a key has that a job makes: all of a slot's key."""
    return MODES[job.opcode, job.mode].made


def made_for(job: Descriptor) -> dict[str, int] | None:
    """Return what a key that a job makes is for; None: a bad descriptor."""
    mode = MODES[job.opcode, job.mode]
    said = WRAP_AAD.unpack(job["iv"])
    use = ATTRIBUTES.unpack(said["attributes"]) | POLICY.unpack(said["policy"])
    served = sum(1 << MODES_OF[job.opcode][word] for word in mode.makes)
    reserved = (
        job["iv"] & WRAP_AAD.reserved
        | said["attributes"] & ATTRIBUTES.reserved
        | said["policy"] & POLICY.reserved
    )
    if mode.agrees:
        wrong = use["unwrap"] or use["opcode"] == job.opcode or not job["key_slot"]
    else:
        wrong = use["opcode"] != job.opcode or use["modes"] & ~served
    if mode.once:
        wrong |= use["unwrap"] or not use["counted"] or said["uses"] != 1 or not job["key_slot"]
    if (
        wrong
        or reserved
        or said["slot"] != ANY_SLOT
        or use["lock"]
        or use["contexts"]
        or use["nonce"]
        or use["key_bytes"] != made_bytes(job)
    ):
        return None
    return said


@dataclass
class Slot:
    """One key of up to ``size`` bytes and its policy; the registers as numbers."""

    size: int = KEY_BYTES
    key: bytearray = field(default_factory=bytearray)
    attributes: int = 0
    policy: int = 0
    uses: int = 0
    generation: int = 255

    def __post_init__(self) -> None:
        """Begin with no key."""
        self.key = self.key or bytearray(self.size)

    def use(self) -> dict[str, int]:
        """All fields by name."""
        return ATTRIBUTES.unpack(self.attributes) | POLICY.unpack(self.policy)

    def serves(self, queue: int, job: Descriptor) -> bool:
        """Whether the slot serves a job of a queue, but for what is left of its uses."""
        use, mode = self.use(), MODES[job.opcode, job.mode]
        seals = bool(mode.output and mode.tag) and not job.decrypt
        both = use["encrypt"] and use["decrypt"]
        if mode.keystream:
            rights = both and not use["nonce"]
        elif job.decrypt:
            rights = use["decrypt"]
        elif use["nonce"]:
            short_iv = not mode.long_iv or job["ctx_load"] or job["iv_len"] in (0, 12)
            rights = use["encrypt"] and mode.tile_nonce and short_iv
        else:
            rights = use["encrypt"] and (use["decrypt"] or not seals)
        tags = {FULL_TAG: mode.tag, ANY_TAG: tag_bytes(job)}
        parts = job["ctx_load"] or job["ctx_save"] or job.more
        return bool(
            use["valid"]
            and use["owners"] >> queue & 1
            and use["unwrap"] == job["unwrap"]
            and use["opcode"] == job.opcode
            and use["modes"] >> job.mode & 1
            and use["key_bytes"] == key_bytes(job)
            and tag_bytes(job) in (0, tags.get(use["tag_bytes"], use["tag_bytes"]))
            and rights
            and (not parts or (use["contexts"] and not use["nonce"] and (both or not mode.output)))
            and job["generation"] in (0, self.generation)
        )

    def counts(self, job: Descriptor) -> bool:
        """Whether a job takes one of its uses."""
        use = self.use()
        return bool(use["counted"] or (use["nonce"] and not job.decrypt))

    def put(self, key: bytes, use: tuple[int, int, int]) -> None:
        """Become valid with a key and ATTRIBUTES, POLICY and USES."""
        self.key[:] = key.ljust(self.size, b"\0")
        self.attributes, self.policy, self.uses = use
        self.generation = self.generation % 255 + 1

    def wipe(self) -> None:
        """Forget it."""
        self.key[:] = bytes(self.size)
        self.attributes = self.policy = self.uses = 0

    def mine(self, queue: int, *, alone: bool = False) -> bool:
        """Whether a queue may unwrap a key to here; with ``alone`` make one."""
        use = self.use()
        own = use["owners"] == 1 << queue if alone else use["owners"] >> queue & 1
        return not use["lock"] and (not use["valid"] or bool(own))


class KeySlots:
    """All slots, and the one that is being written."""

    def __init__(self, count: int, size: int = KEY_BYTES) -> None:
        self.slots = [Slot(size) for _ in range(count)]
        self._words = {offset_of(word_of_key(at)): at for at in range(0, size, 4)}
        """Where the registers of a key are, and where in the key they are."""
        self.sealed = False
        self.number = 0  # of keys that were unwrapped
        self._writing: int | None = None
        self._written: set[int] = set()

    def read(self, number: int, offset: int) -> int:
        """Read a register of a slot."""
        slot = self.slots[number]
        return {
            SLOT_AT["ATTRIBUTES"]: slot.attributes,
            SLOT_AT["POLICY"]: slot.policy,
            SLOT_AT["USES"]: slot.uses,
            SLOT_AT["GENERATION"]: slot.generation,
        }.get(offset, 0)

    def write(self, number: int, offset: int, value: int) -> None:
        """Write a register of a slot."""
        slot = self.slots[number]
        known = offset in self._words or offset in map(
            SLOT_AT.get, ("ATTRIBUTES", "POLICY", "USES")
        )
        if self.sealed or slot.use()["lock"] or not known:
            return
        if self._writing != number:
            slot.wipe()
            self._writing, self._written = number, set()
        self._written.add(offset)
        if offset in self._words:
            at = self._words[offset]
            slot.key[at : at + 4] = value.to_bytes(4, "little")
        elif offset == SLOT_AT["POLICY"]:
            slot.policy = value & ~POLICY.reserved
        elif offset == SLOT_AT["USES"]:
            slot.uses = value
        else:
            self._end(slot, value & ~ATTRIBUTES.reserved)

    def store(self, number: int, use: Use, key: bytes) -> None:
        """Write a slot as ``use`` says."""
        for name, value in use.writes(key):
            self.write(number, offset_of(name), value)

    def _end(self, slot: Slot, attributes: int) -> None:
        """Take ATTRIBUTES: valid if all was written."""
        use = ATTRIBUTES.unpack(attributes)
        length = POLICY.unpack(slot.policy)["key_bytes"]
        needed = {offset for offset, at in self._words.items() if at < length}
        needed.add(SLOT_AT["POLICY"])
        if use["nonce"]:
            needed |= {*range(NONCE_AT, NONCE_END, 4)}
        if use["valid"] and needed <= self._written and length <= slot.size:
            slot.put(bytes(slot.key), (attributes, slot.policy, slot.uses))
        else:
            slot.wipe()
        self._writing = None

    def allowed(self, queue: int, mask: int, job: Descriptor) -> bool:
        """Whether a job of a queue with KEY_MASK ``mask`` may use its slot."""
        if job["unwrap"] and not self.takes(queue, mask, job):
            return False
        if makes(job) and not job["key_slot"]:
            return True
        number = job["slot"]
        if number >= len(self.slots) or not mask >> number & 1:
            return False
        slot = self.slots[number]
        return slot.serves(queue, job) and bool(slot.uses or not slot.counts(job))

    def takes(self, queue: int, mask: int, job: Descriptor) -> bool:
        """Whether the slot to which a key goes takes it."""
        target = job["target"]
        if target >= len(self.slots) or not mask >> target & 1:
            return False
        return self.slots[target].mine(queue, alone=makes(job))

    def make(self, queue: int, mask: int, job: Descriptor, over: int, key: bytes) -> bool:
        """Take a key that a job has made, if its slot has the key, or none, of generation ``over``,
        that it had when the job began, and it may still go there."""
        target, said = self.slots[job["target"]], WRAP_AAD.unpack(job["iv"])
        still = self.takes(queue, mask, job)
        if job["key_slot"]:
            source = replace(self.slots[job["slot"]], uses=1)
            still &= bool(mask >> job["slot"] & 1) and source.serves(queue, job)
        if not still or target.generation != over or self._writing == job["target"]:
            return False
        use = ATTRIBUTES.unpack(said["attributes"]) | {"owners": 1 << queue, "valid": 1}
        target.put(key, (ATTRIBUTES.pack(**use), said["policy"], said["uses"]))
        return True

    def begin(self, job: Descriptor) -> bytes | None:
        """Count a job that begins; return the nonce that the tile makes for it."""
        slot = self.slots[job["slot"]]
        nonce = None
        if slot.use()["nonce"] and not job.decrypt:
            nonce = bytes(slot.key[NONCE_AT:NONCE_END]) + slot.uses.to_bytes(4, "big")
        if slot.counts(job):
            slot.uses -= 1
        return nonce

    def commit(self, queue: int, mask: int, job: Descriptor, aad: bytes, key: bytes) -> bool:
        """Take a key that a job has unwrapped, if it may go where the job says."""
        said = WRAP_AAD.decode(aad)
        attributes = said["attributes"] & ~ATTRIBUTES.reserved | ATTRIBUTES.pack(valid=1)
        policy = said["policy"] & ~POLICY.reserved
        number = self.number
        self.number += 1
        spoilt = int.from_bytes(aad, "little") & WRAP_AAD.reserved
        meant = said["slot"] in (job["target"], ANY_SLOT) and not spoilt
        meant &= not serves_once(ATTRIBUTES.unpack(attributes) | POLICY.unpack(policy))
        if said["slot"] == ANY_SLOT:
            attributes = ATTRIBUTES.pack(**ATTRIBUTES.unpack(attributes) | {"owners": 1 << queue})
        whole = POLICY.unpack(policy)["key_bytes"] <= -(-len(key) // 16) * 16
        source = replace(self.slots[job["slot"]], uses=1)
        still = mask >> job["slot"] & mask >> job["target"] & 1 and source.serves(queue, job)
        target = self.slots[job["target"]]
        if not (meant and whole and still and target.mine(queue)) or self._writing == job["target"]:
            return False
        if ATTRIBUTES.unpack(attributes)["nonce"]:
            padded = key.ljust(target.size, b"\0")
            key = padded[:NONCE_AT] + number.to_bytes(8, "little") + padded[NONCE_END:]
        target.put(key, (attributes, policy, said["uses"]))
        return True

    def token(
        self, queue: int, mask: int, job: Descriptor, read: Callable[[int, int], bytes]
    ) -> bytes | None:
        """Unwrap the key that a job brings; None if it may not, or the token is not good."""
        blocks = -(-key_bytes(job) // 16) * 16
        data = read(job["key_addr"], 48 + blocks)
        aad, iv, sealed = data[:16], data[16:32], data[32:]
        opcode, mode = UNWRAPS
        unwraps = {
            "opcode": opcode,
            "mode": mode,
            "decrypt": 1,
            "unwrap": 1,
            "more": 0,
            "tag_len": 16,
        }
        asks = Descriptor(
            job.fields
            | unwraps
            | {"ctx_load": 0, "ctx_save": 0, "iv_len": 16, "key_len": job["kek_len"]}
        )
        slot = self.slots[job["slot"]]
        if not mask >> job["slot"] & 1 or not slot.serves(queue, asks):
            return None
        try:
            key = AESGCM(bytes(slot.key[: key_bytes(asks)])).decrypt(iv, sealed, aad)
        except InvalidTag:
            return None
        said = WRAP_AAD.decode(aad)
        use = ATTRIBUTES.unpack(said["attributes"]) | {"valid": 1, "owners": 1 << queue}
        once = Slot(key=bytearray(key), attributes=ATTRIBUTES.pack(**use), policy=said["policy"])
        plain = Descriptor(job.fields | {"generation": 0})
        if said["slot"] != ANY_SLOT or use["counted"] or use["nonce"]:
            return None
        if serves_once(once.use()):
            return None
        return key if once.serves(queue, plain) else None


def wrapped(kek: bytes, iv: bytes, key: bytes, aad: bytes) -> bytes:
    """Return a key as it is wrapped, and its tag."""
    return AESGCM(kek).encrypt(iv, key, aad)


def kek(**said: object) -> Use:
    """What a key that unwraps others is used for."""
    return Use(
        **{
            "opcode": UNWRAPS[0],
            "modes": (UNWRAPS[1],),
            "key_bytes": 16,
            "decrypt": True,
            "unwrap": True,
        }
        | said
    )  # type: ignore[arg-type]
