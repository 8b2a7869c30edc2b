"""Orders the operations of a straight piece of a program, and finds rows for what it computes.

Operations are taken one by one as the machine would issue them (``timing``): of those that can
issue first, the one from which the longest way leads to the end. The order changes no result: who
reads a row, a flag or the modulus still stands behind who writes it, and before who writes it next.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cryptile.errors import CryptileError
from cryptile.pka.isa import Width, Word
from cryptile.pka.timing import Clock

TEMPORARY = 1 << 16
"""Numbers from here on stand for rows that are found when their piece ends."""

ATTEMPTS = 64
BLUR, FAST_BLUR = 30, 12
"""Attempts to order a piece, and by how many cycles ways are made longer: with one lane, several.

Of the values that were tried, these end verification first.
"""


@dataclass(frozen=True)
class Step:
    """An operation and the steps that it must stand behind."""

    word: Word
    behind: frozenset[int]


def ordered(words: Sequence[Word], free: Iterable[int], width: Width) -> list[Word]:
    """Return the operations in a good order, with rows of ``free`` for their temporaries."""
    return _placed(_listed(_steps(words), width), list(free))


def _touches(word: Word) -> tuple[set[str], set[str]]:
    """Return what an operation reads and writes, rows and parts of the machine alike."""
    reads = {f"r{row}" for row in word.read}.union(word.parts_read)
    writes = {f"r{row}" for row in word.written}.union(word.parts_written)
    return reads, writes


def _steps(words: Sequence[Word]) -> list[Step]:
    """Return the operations with what each must stand behind."""
    steps: list[Step] = []
    writer: dict[str, int] = {}
    readers: dict[str, set[int]] = {}
    for number, word in enumerate(words):
        reads, writes = _touches(word)
        behind = {writer[name] for name in reads | writes if name in writer}
        for name in writes:
            behind |= readers.pop(name, set())
            writer[name] = number
        for name in reads - writes:
            readers.setdefault(name, set()).add(number)
        steps.append(Step(word, frozenset(behind - {number})))
    return steps


def _ways(steps: Sequence[Step], width: Width) -> list[int]:
    """Return the cycles from each operation to the end, as far as results need one another.

    For a product that no other operation needs nothing in the piece waits.
    """
    ways = [0] * len(steps)
    for number in reversed(range(len(steps))):
        selecting = width.selecting.get(steps[number].word.name)
        if not selecting or not ways[number]:
            ways[number] += 1
        else:
            ways[number] += selecting + width.drain
        for before in steps[number].behind:
            ways[before] = max(ways[before], ways[number])
    return ways


def _listed(steps: Sequence[Step], width: Width) -> list[Word]:
    """Return the operations in the order in which they are to issue.

    The longest way is often not the one to go on with: of a number of attempts with other lengths
    of ways the one that ends first is taken. They are the same each time. With rows of 512 bits it
    is one other, of ways without the products that they begin with: where the multiplier is what
    bounds a piece, the product goes first behind which there is most to do, not with it.
    """
    ways = _ways(steps, width)
    found, end = _attempt(steps, ways, width)
    for other in _others(steps, ways, width):
        order, now = _attempt(steps, other, width)
        if now < end:
            found, end = order, now
    return found


def _others(steps: Sequence[Step], ways: Sequence[int], width: Width) -> Iterator[list[float]]:
    """Return other lengths of ways to attempt."""
    if not width.prime:
        selecting = [width.selecting.get(step.word.name, 0) for step in steps]
        yield [way - cycles for way, cycles in zip(ways, selecting, strict=True)]
    else:
        rng, blur = random.Random(0), FAST_BLUR if width.rich else BLUR
        for _ in range(ATTEMPTS):
            yield [way + rng.uniform(0, blur) for way in ways]


def _attempt(steps: Sequence[Step], ways: Sequence[float], width: Width) -> tuple[list[Word], int]:
    """Return an order, and the cycle in which the last of its results is written."""
    clock = Clock(width)
    waiting, done, order = set(range(len(steps))), set[int](), []
    while waiting:
        ready = [number for number in waiting if steps[number].behind <= done]
        chosen = min(ready, key=lambda n: (clock.earliest(steps[n].word), -ways[n], n))
        clock.issue(steps[chosen].word)
        waiting.remove(chosen)
        done.add(chosen)
        order.append(steps[chosen].word)
    return order, max([clock.now, *(item.written for item in clock.pending)])


def _placed(order: Sequence[Word], free: list[int]) -> list[Word]:
    """Return the operations with rows for their temporaries, each until it is last read."""
    last = {
        getattr(word, name): number for number, word in enumerate(order) for name in word.insn.reads
    }
    place: dict[int, int] = {}
    placed = []
    wide = any(word.d >= TEMPORARY and len(word.written) > 1 for word in order)
    for number, word in enumerate(order):
        fields: dict[str, int] = {name: getattr(word, name) for name in word.insn.reads}
        found = {name: place.get(row, row) for name, row in fields.items()}
        for row in {row for row in fields.values() if row in place and last[row] == number}:
            free.append(place.pop(row))
        if word.insn.writes and word.d >= TEMPORARY:
            if word.d not in place:
                place |= zip(word.written, _taken(free, len(word.written), wide), strict=True)
            found["d"] = place[word.d]
            for row in word.written:
                if row not in last or last[row] < number:
                    free.append(place.pop(row))
        a, b, d = (found.get(name, getattr(word, name)) for name in "abd")
        placed.append(replace(word, a=a, b=b, d=d))
    if unknown := [w for w in placed if max(w.d, w.a, w.b) >= TEMPORARY]:
        raise CryptileError(f"{unknown[0].name} reads what nobody wrote")
    return placed


def _taken(free: list[int], count: int, wide: bool) -> list[int]:
    """Take one row or a pair, of which the first has an even number: those free longest.

    Where pairs are asked for (``wide``), one row is rather not taken out of a pair.
    """
    for first in free:
        rows = list(range(first, first + count))
        whole = first % count == 0 and all(row in free for row in rows)
        if whole and not (wide and count == 1 and first ^ 1 in free):
            for row in rows:
                free.remove(row)
            return rows
    if count == 1 and free:
        return [free.pop(0)]
    raise CryptileError("no row is left for what this piece computes")
