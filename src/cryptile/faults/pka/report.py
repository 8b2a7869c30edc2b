"""What a campaign over jobs found: a table, a verdict, records."""

from rich.table import Table

from cryptile.faults.pka.campaign import FIRST, Operation, Outcome
from cryptile.faults.statistics import interval
from cryptile.jobs.port import FAULT_DETECTED, INVALID
from cryptile.records import Record

MEANINGS = {
    "same": "the result that comes without it",
    "valid": "another result, made of another nonce or key, and right",
    f"status-{INVALID}": "no result: the program's checks refuse",
    f"status-{FAULT_DETECTED}": "no result: the engine reports a fault",
    "none": "no end: who waits has a bound",
    "wrong": "a WRONG result with status ok",
}
PLACES = {
    "rows": "memory, bits that are read",
    "result": "memory, the result behind its last write",
    "registers": "registers, any bit in any cycle",
    "words": "instructions, a bit while they are carried out",
}


def table(outcome: Outcome, seconds: float, of: Operation = FIRST) -> Table:
    """Return counts by place and end."""
    found = Table(title=f"{of.program}: {outcome.total:,} upsets, {seconds:,.0f} s")
    found.add_column("what comes out")
    for name in outcome.ends:
        found.add_column(PLACES.get(name, name), justify="right")
    others = {end for counts in outcome.ends.values() for end in counts} - set(MEANINGS)
    for end in (*MEANINGS, *sorted(others)):
        counts = [counts.get(end, 0) for counts in outcome.ends.values()]
        if any(counts) or end == "wrong":
            found.add_row(MEANINGS.get(end, end), *(f"{count:,}" for count in counts))
    return found


def verdict(outcome: Outcome) -> str:
    """Say the outcome in words."""
    registers = outcome.ends.get("registers", {})
    sampled = sum(registers.values())
    high = interval(registers.get("wrong", 0), sampled)[1]
    text = (
        f"{len(outcome.wrong):,} of {outcome.total:,} upsets let a wrong result out. "
        f"Those of the memory stand for {outcome.covered:,} of a bit in a cycle."
    )
    if sampled:
        text += f" 95 % bound of the rate of registers: {high:.6%}."
    return text


def records(outcome: Outcome, seconds: float, of: Operation = FIRST) -> list[Record]:
    """Return one record for each place and end, and sums."""
    params = {"design": of.design, "alg": of.program.replace("_", "-")}
    found = [
        Record("faults", end, count, "faults", params | {"place": place})
        for place, counts in outcome.ends.items()
        for end, count in counts.items()
    ]
    return [
        *found,
        Record("faults", "wrong", len(outcome.wrong), "faults", params),
        Record("faults", "injected", outcome.total, "faults", params),
        Record("faults", "covered", outcome.covered, "faults", params),
        Record("faults", "faults_per_second", round(outcome.total / seconds), "faults/s", params),
    ]
