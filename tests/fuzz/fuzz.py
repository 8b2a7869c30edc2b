"""Random calls of the library's public functions, on a machine and on the model, compared.

Started by ``python tests/fuzz``; see ``--help``.

Every sequence runs in a process of its own, so a crash is a finding like any other, and begins with
fresh contexts and no keys. A sequence that differs is made as short as it can be.
"""

import argparse
import collections
import json
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field

import backends
import model_derivation
import model_lib
from generate import Generator
from model import World, expect

FUNCTIONS = model_lib.FUNCTIONS | model_derivation.FUNCTIONS
SEQUENCE = 500
"""Calls in a sequence."""
SECONDS = 300
"""How long a sequence may take at most."""


@dataclass
class Finding:
    """A sequence in which machine and model differ."""

    seed: int
    calls: int
    text: str
    steps: list = field(default_factory=list)
    """What of it is enough for the difference."""

    def __str__(self):
        lines = [f"seed {self.seed}, {self.calls} calls: {self.text}", "shortest sequence:"]
        return "\n".join([*lines, *(f"  {step}" for step in self.steps)])


class Fuzz:
    """Sequences on one machine."""

    def __init__(self, isa, **options):
        self.isa = isa
        self._backend = backends.Native() if isa == "native" else backends.Iss(isa)
        self._options = options
        self.statuses = collections.Counter()
        """How often each function returned each status."""

    def run(self, seed, calls):
        """Run the sequence of a seed; return a finding or nothing."""
        text, done = self._apart(lambda: self._generated(seed, calls))
        if text is None:
            return None
        steps = list(self._steps(seed, done))
        return Finding(seed, done, text, self._shrink(steps, text.partition(":")[0]))

    def idle(self):
        """Return the functions that never did their work."""
        done = {function for function, value in self.statuses if value == 0}
        return sorted(FUNCTIONS.keys() - done - _WITHOUT_STATUS)

    def _world(self, seed):
        world = World()
        return world, Generator(seed, world, self._backend.ciphers, **self._options)

    def _steps(self, seed, calls):
        """Make the steps again, without a machine."""
        world, generator = self._world(seed)
        for _ in range(calls):
            step = generator.step()
            expect(world, FUNCTIONS, step)
            yield step

    def _generated(self, seed, calls):
        world, generator = self._world(seed)
        return self._compare(world, (generator.step() for _ in range(calls)))

    def _compare(self, world, steps):
        """Return the first difference, or nothing."""
        for step in steps:
            expected = expect(world, FUNCTIONS, step)
            os.write(self._pipe, b".")
            result = self._backend.run(step)
            difference = expected.difference(result)
            if difference is not None:
                return f"{step.function}: {difference}"
            if expected.statuses is not None:
                self.statuses[step.function, result.value & 0xFFFFFFFF] += 1
        return None

    def _apart(self, work):
        """Do work in a process of its own; return a difference or nothing, and the calls done."""
        read, self._pipe = os.pipe()
        with tempfile.TemporaryFile("w+") as report, tempfile.TemporaryFile("w+") as errors:
            child = os.fork()
            if child == 0:
                self._child(work, report, errors)
            os.close(self._pipe)
            done = 0
            while chunk := os.read(read, 1 << 16):
                done += len(chunk)
            os.close(read)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            report.seek(0)
            errors.seek(0)
            if status != 0:
                return f"{_ending(status)}: {_important(errors.read())}", done
            text, statuses = json.loads(report.read())
            for function, value, count in statuses:
                self.statuses[function, value] += count
            return text, done

    def _child(self, work, report, errors):
        code = 1
        try:
            os.dup2(errors.fileno(), 2)
            signal.alarm(SECONDS)
            self.statuses = collections.Counter()
            text = work()
            json.dump([text, [[*name, n] for name, n in self.statuses.items()]], report)
            report.flush()
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
        finally:
            os._exit(code)

    def _differs(self, steps, where):
        text, _ = self._apart(lambda: self._compare(World(), steps))
        return text is not None and text.startswith(where)

    def _shrink(self, steps, where):
        """Take out steps, in ever smaller pieces, as long as that function differs."""
        if not self._differs(steps, where):
            return []  # the model itself failed
        size = len(steps) // 2
        while size:
            at = len(steps) - size
            while at >= 0:
                fewer = steps[:at] + steps[at + size :]
                if self._differs(fewer, where):
                    steps = fewer
                at -= size
            size //= 2
        return steps


_WITHOUT_STATUS = {
    *(name for name in FUNCTIONS if name.startswith("cryptile_") and name.endswith("_wipe")),
    "cryptile_psa_set_random",
}


def _ending(status):
    return f"killed by {signal.Signals(-status).name}" if status < 0 else "error"


def _important(text):
    """Return what matters in a report of the sanitizers or a traceback."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if "ERROR: AddressSanitizer" in line or "runtime error" in line:
            return " ".join(part.strip() for part in lines[number : number + 6])
    return " | ".join(line.strip() for line in lines[-3:])


def main():
    """Run sequences until the calls are done or something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first sequence, then upwards")
    parser.add_argument("--calls", type=int, default=20_000, help=f"in sequences of {SEQUENCE}")
    parser.add_argument("--isa", default="native", help="native (default), or one of the simulator")
    parser.add_argument("--seconds", type=float, help="stop after so long")
    parser.add_argument("--all", action="store_true", help="go on after a difference")
    options = parser.parse_args()
    fuzz = Fuzz(options.isa, **({} if options.isa == "native" else ON_ISS))
    start, done, seed, found = time.monotonic(), 0, options.seed, 0
    while done < options.calls:
        calls = min(SEQUENCE, options.calls - done)
        finding = fuzz.run(seed, calls)
        done += calls
        if finding is not None:
            found += 1
            print(finding, flush=True)
            print(f"again: --isa {options.isa} --seed {seed} --calls {finding.calls}", flush=True)
            if not options.all:
                break
        seed += 1
        if options.seconds and time.monotonic() - start > options.seconds:
            break
    spent = time.monotonic() - start
    print(
        f"{options.isa}: {done} calls, seeds {options.seed} to {seed - 1}, {found} differences, "
        f"{spent:.0f} s"
    )
    print(f"never with success: {' '.join(fuzz.idle()) or 'none'}")
    return found != 0


ON_ISS = {"longest": 1100, "curves_share": 0.0005}

if __name__ == "__main__":
    sys.exit(main())
