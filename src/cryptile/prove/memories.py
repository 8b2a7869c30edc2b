"""Memories of codewords (``cry_ram``): taken out of the netlist, with what is shown of them.

A memory has far more flip-flops than what surrounds it, and all of them behave alike. So it is
shown once, gate by gate, that each is rewritten as a whole word or keeps its value, that the read
port gives the word that the address names, and that nothing else reads them. What remains is a
netlist without the memory: address, enables and data to be written are outputs of it, the word read
is an input, which is any codeword with at most one wrong bit.
"""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cryptile.netlist.gates import Gate, Netlist
from cryptile.prove import code
from cryptile.prove.forms import ONE, ZERO, Forms
from cryptile.prove.groups import Group, Kind

_WORD = re.compile(
    r"(?P<scope>.*\.)gen_(?:memory\.mem\[(?P<place>\d+)\]"
    r"|kept\.gen_word\[(?P<kept>\d+)\]\.gen_bit\[(?P<bit>\d+)\]\.u_bit\.copy_q)"
)


@dataclass(frozen=True)
class Memory:
    """One memory.

    Attributes:
        scope: hierarchical name of the ``cry_ram``, with a dot behind it.
        kind: the code of its words: SEC-DED or parity.
        words: the flip-flops of each word, lowest bit first.
        codewords: places of the codewords in a word.
        address: nets of the read port.
        read: nets of the word that is read.
        written: nets of the word to be written.
        enables: the net that lets each word be written, and its active value.
    """

    scope: str
    kind: Kind
    words: tuple[tuple[int, ...], ...]
    codewords: tuple[slice, ...]
    address: tuple[int, ...]
    read: tuple[int, ...]
    written: tuple[int, ...]
    enables: tuple[tuple[int, int], ...]

    def groups(self, nets: tuple[int, ...]) -> list[Group]:
        """Return the codewords of a word on some nets, as groups: they tell the check bits."""
        return [_group(self.kind, self.scope, nets[place]) for place in self.codewords]

    @property
    def shape(self) -> object:
        """What it does but for the nets: names, words, constants, values of enables."""
        words = [[net if net in (ZERO, ONE) else None for net in word] for word in self.words]
        return self.scope, self.kind, self.codewords, words, [value for _, value in self.enables]

    @property
    def flops(self) -> set[int]:
        """All flip-flops."""
        return {flop for word in self.words for flop in word} - {ZERO, ONE}


@dataclass(frozen=True)
class Surroundings:
    """A netlist without its memories.

    Attributes:
        netlist: what is left.
        memories: what was taken out.
        findings: what speaks against a memory; it is then left in.
    """

    netlist: Netlist
    memories: tuple[Memory, ...]
    findings: tuple[str, ...]

    @property
    def shapes(self) -> object:
        """What memories do but for the nets: with the same of it, only what is left can differ."""
        return self.findings, [memory.shape for memory in self.memories]


def without_memories(netlist: Netlist) -> Surroundings:
    """Take all memories of codewords out of a netlist, after looking at each of their gates."""
    bits: dict[str, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for name, nets in netlist.aliases.items():
        if match := _WORD.fullmatch(name):
            word = bits[match["scope"]][int(match["place"] or match["kept"])]
            word |= {int(match["bit"] or 0) + place: net for place, net in enumerate(nets)}
    memories, findings = [], []
    gone: set[int] = set()
    for scope, by_place in bits.items():
        words = tuple(
            tuple(net for _, net in sorted(word.items())) for _, word in sorted(by_place.items())
        )
        try:
            memory, gates = _examined(netlist, scope, words)
        except _Unfit as unfit:
            findings.append(f"{scope[:-1]}: {unfit}")
        else:
            memories.append(memory)
            gone |= gates
    flops = {flop for memory in memories for flop in memory.flops}
    return Surroundings(_rest(netlist, memories, flops, gone), tuple(memories), tuple(findings))


class _Unfit(Exception):
    """A memory that is not as it must be."""


def _group(kind: Kind, scope: str, nets: tuple[int, ...]) -> Group:
    width = code.data_width if kind is Kind.secded else code.parity_data_width
    return Group(kind, scope, nets, width(len(nets)))


def _examined(
    netlist: Netlist, scope: str, words: tuple[tuple[int, ...], ...]
) -> tuple[Memory, set[int]]:
    """Return a memory and the outputs of its gates.

    Raises:
        _Unfit: a flip-flop is missing or stands for two bits, is written or read in another way.
    """
    aliases = netlist.aliases
    address, read = aliases[f"{scope}raddr_i"], aliases[f"{scope}stored"]
    words = tuple(_with_constants(word, read) for word in words)
    next_of = {flop.q: flop.d for flop in netlist.flip_flops}
    bits = [net for word in words for net in word if net not in (ZERO, ONE)]
    if len(words) & (len(words) - 1):
        raise _Unfit("the number of words is not a power of two")
    if any(net not in next_of for net in bits):
        raise _Unfit("a bit of a word is no flip-flop")
    if len(set(bits)) != len(bits):
        raise _Unfit("one flip-flop is two bits of a codeword")
    places: list[slice] = []
    first = 0
    while f"{scope}gen_part[{len(places)}].u_dec.codeword_i" in aliases:
        width = len(aliases[f"{scope}gen_part[{len(places)}].u_dec.codeword_i"])
        places.append(slice(first, first + width))
        first += width
    kind = _code(aliases, scope)
    if first != len(words[0]) or not kind or not _is_bound(kind, scope, words[0], places):
        raise _Unfit("its words are not codewords")
    written, enables, gates = _write_port(netlist, words, next_of)
    gates |= _read_port(netlist, words, address, read)
    inside = {*gates, *read}
    for net in bits:
        if any(gate.output not in inside for gate in netlist.readers.get(net, ())):
            raise _Unfit("a word is read past its port")
    ends = {net for nets in netlist.outputs.values() for net in nets}
    if not ends.isdisjoint(bits):
        raise _Unfit("a word is an output")
    held = set(bits)
    ends |= {flop.d for flop in netlist.flip_flops if flop.q not in held}
    for net in gates - set(read):
        readers = (gate.output for gate in netlist.readers.get(net, ()))
        if net in ends or not inside.issuperset(readers):
            raise _Unfit("what is between its words and its ports is read elsewhere")
    memory = Memory(scope, kind, words, tuple(places), address, read, written, enables)
    return memory, gates


def _with_constants(word: tuple[int, ...], read: tuple[int, ...]) -> tuple[int, ...]:
    """Put constant bits back that synthesis took out of a memory; the read port still has them."""
    if len(word) + sum(net in (ZERO, ONE) for net in read) != len(read):
        return word
    bits = iter(word)
    return tuple(net if net in (ZERO, ONE) else next(bits) for net in read)


def _code(aliases: Mapping[str, tuple[int, ...]], scope: str) -> Kind | None:
    """Return the code that the words of a memory are written in."""
    encoder = f"{scope}gen_part[0].u_enc."
    if f"{encoder}gen_correct.u_enc.check" in aliases:
        return Kind.secded
    return Kind.parity if f"{encoder}gen_detect.parity" in aliases else None


def _is_bound(kind: Kind, scope: str, word: tuple[int, ...], places: list[slice]) -> bool:
    """Say whether no check bit of a word is constant: the checks bind the data."""
    checks = [
        net for place in places for net in word[place][_group(kind, scope, word[place]).width :]
    ]
    return {ZERO, ONE}.isdisjoint(checks)


def _write_port(
    netlist: Netlist, words: tuple[tuple[int, ...], ...], next_of: Mapping[int, int]
) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...], set[int]]:
    """Show that every bit is kept, or all bits of a word are written together."""
    gates: set[int] = set()
    enables: list[tuple[int, int]] = []
    written = []
    for word in words:
        sources, selects = [], set()
        for net in word:
            if net in (ZERO, ONE):
                sources.append(net)
                continue
            source, select = _write_gate(netlist, net, netlist.drivers.get(next_of[net]))
            sources.append(source)
            selects.add(select)
            gates.add(next_of[net])
        if len(selects) != 1:
            raise _Unfit("bits of a word are written apart")
        written.append(tuple(sources))
        enables += selects
    if len(set(written)) != 1:
        raise _Unfit("words are written with different data")
    return written[0], tuple(enables), gates


def _write_gate(netlist: Netlist, net: int, gate: Gate | None) -> tuple[int, tuple[int, int]]:
    """Return what the gate before a flip-flop writes, and the net that lets it, with its value."""
    if gate is not None and gate.kind == "mux" and net in gate.inputs[:2]:
        kept = gate.inputs.index(net)
        return gate.inputs[1 - kept], _upright(netlist, gate.inputs[2], 1 - kept)
    raise _Unfit("a bit is written in an unknown way")


def _upright(netlist: Netlist, net: int, value: int) -> tuple[int, int]:
    """Look through inverters."""
    while net in netlist.drivers and netlist.drivers[net].kind == "not":
        net, value = netlist.drivers[net].inputs[0], 1 - value
    return net, value


def _read_port(
    netlist: Netlist,
    words: tuple[tuple[int, ...], ...],
    address: tuple[int, ...],
    read: tuple[int, ...],
) -> set[int]:
    """Show that for each address the read port gives that word, whatever else there is."""
    place_of = {net: place for place, word in enumerate(words) for net in word}
    cone: set[int] = set()
    stops = {ZERO, ONE, *address, *place_of}
    for bit, end in enumerate(read):
        column = _cone(netlist, end, stops)
        if any(net in place_of and words[place_of[net]][bit] != net for net in column):
            raise _Unfit("bits of a word are mixed as they are read")
        cone |= column
    cone -= {*address, *place_of}
    gates = [gate for gate in netlist.gates if gate.output in cone]
    forms = Forms()
    held = [forms.variable() for _ in words]
    for place, word in enumerate(words):
        values = {net: held[other] for net, other in place_of.items()} | {ZERO: ZERO, ONE: ONE}
        values |= {net: place >> bit & 1 for bit, net in enumerate(address)}
        for gate in gates:
            values[gate.output] = forms.gate(gate.kind, [values[net] for net in gate.inputs])
        if any(values[net] != values[bit] for net, bit in zip(read, word, strict=True)):
            raise _Unfit(f"address {place} does not read word {place}")
    return _behind_words(gates, place_of)


def _cone(netlist: Netlist, end: int, stops: set[int]) -> set[int]:
    """Return all nets that one depends on, down to the ``stops``."""
    found: set[int] = set()
    waiting = [end]
    while waiting:
        net = waiting.pop()
        if net in found:
            continue
        found.add(net)
        if net not in stops:
            if net not in netlist.drivers:
                raise _Unfit("what is read depends on more than words and address")
            waiting += netlist.drivers[net].inputs
    return found


def _behind_words(gates: Iterable[Gate], words: Iterable[int]) -> set[int]:
    """Return the outputs of the gates that depend on a word: the others may serve elsewhere."""
    found = set(words) - {ZERO, ONE}
    outputs = set()
    for gate in gates:
        if not found.isdisjoint(gate.inputs):
            found.add(gate.output)
            outputs.add(gate.output)
    return outputs


def _rest(netlist: Netlist, memories: Iterable[Memory], flops: set[int], gone: set[int]) -> Netlist:
    inputs, outputs = dict(netlist.inputs), dict(netlist.outputs)
    for memory in memories:
        inputs[f"{memory.scope}rdata"] = tuple(net for net in memory.read if net not in (ZERO, ONE))
        outputs[f"{memory.scope}raddr"] = memory.address
        outputs[f"{memory.scope}wdata"] = memory.written
        outputs[f"{memory.scope}enables"] = tuple(net for net, _ in memory.enables)
    gone = gone | {net for memory in memories for net in memory.read}
    return dataclasses.replace(
        netlist,
        inputs=inputs,
        outputs=outputs,
        flip_flops=tuple(flop for flop in netlist.flip_flops if flop.q not in flops),
        gates=tuple(gate for gate in netlist.gates if gate.output not in gone),
    )
