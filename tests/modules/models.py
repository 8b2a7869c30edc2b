"""What the modules of this folder do, written a second time, and what an upset of each bit does.

Nothing of the campaign is used: every fault is a run of its own, to the end, and its class is what
docs/modules.md says.
"""

from dataclasses import dataclass


def counter(width=4):
    """The counter of examples/faults; the copies vote at every clock."""

    def step(state, inputs):
        a, b, c = (state[f"count_{copy}_q"] for copy in "abc")
        voted = (a & b) | (a & c) | (b & c)
        outputs = {"count_o": voted, "corrected_o": int(not a == b == c)}
        following = (voted + state["gen_single.en_q"]) % (1 << width)
        after = dict.fromkeys(("count_a_q", "count_b_q", "count_c_q"), following)
        if not inputs["rst_ni"]:
            return outputs, dict.fromkeys(state, 0)
        return outputs, after | {"gen_single.en_q": inputs["en_i"]}

    widths = {"count_a_q": width, "count_b_q": width, "count_c_q": width, "gen_single.en_q": 1}
    return widths, {}, step


def fifo():
    def step(state, inputs):
        count, head, tail = state["count"], state["head"], state["tail"]
        empty, full = count == 0, bool(count & 4)
        outputs = {
            "dout": 0 if empty else state[f"mem[{head}]"],
            "empty": int(empty),
            "full": int(full),
        }
        push, pop = inputs["push"] and not full, inputs["pop"] and not empty
        after = dict(state)
        if push:
            after[f"mem[{tail}]"] = inputs["din"]
        if inputs["rst"]:
            after |= {"head": 0, "tail": 0, "count": 0}
        else:
            after["tail"] = (tail + bool(push)) % 4
            after["head"] = (head + bool(pop)) % 4
            after["count"] = (count + bool(push) - bool(pop)) % 8
        return outputs, after

    return {f"mem[{i}]": 8 for i in range(4)} | {"head": 2, "tail": 2, "count": 3}, {}, step


def timer():
    def step(state, inputs):
        running, left = state["running"], state["left"]
        outputs = {"busy": running, "done": int(running and left == 0)}
        if running:
            return outputs, {"running": int(left != 0), "left": (left - 1) % 8}
        return outputs, {"running": inputs["start"], "left": 3}

    return {"running": 1, "left": 3}, {"running": 1, "left": 5}, step


def word_parity():
    def step(state, inputs):
        word, parity = state["word_q"], state["parity_q"]
        outputs = {"word_o": word, "fault_o": (word.bit_count() + parity) % 2}
        if not inputs["rst_ni"]:
            return outputs, {"word_q": 0xA5, "parity_q": 0}
        if inputs["load_i"]:
            word, parity = inputs["word_i"], inputs["word_i"].bit_count() % 2
        return outputs, {"word_q": word, "parity_q": parity}

    return {"word_q": 8, "parity_q": 1}, {}, step


@dataclass(frozen=True)
class Seen:
    """What became of an upset, and the cycle and the output in which it is seen."""

    outcome: str
    cycle: int | None = None
    output: str | None = None


@dataclass
class Reference:
    """A model under vectors; ``compare`` and the others are names of outputs."""

    model: tuple
    rows: list
    compare: list
    alarm: str | None = None
    report: tuple = ()
    done: str | None = None
    resets: object = None  # of a row, if it resets: outputs are not looked at then

    def __post_init__(self):
        self.widths, start, self.step = self.model
        self.states = [{name: start.get(name, 0) for name in self.widths}]
        self.outputs = []
        for row in self.rows:
            outputs, after = self.step(self.states[-1], row)
            self.outputs.append(outputs)
            self.states.append(after)

    def upset(self, cycle, bits):
        """The class of flipping some (register, bit) in a cycle."""
        state = dict(self.states[cycle])
        for name, bit in bits:
            state[name] ^= 1 << bit
        wrong = output = alarm = None
        reported = healed_at = None
        done_after = []
        for t in range(cycle, len(self.rows)):
            outputs, state = self.step(state, self.rows[t])
            good = self.outputs[t]
            if self.resets and self.resets(self.rows[t]):
                outputs = good
            if alarm is None and self.alarm and outputs[self.alarm] > good[self.alarm]:
                alarm = t
            differing = [name for name in self.compare if outputs[name] != good[name]]
            if wrong is None and differing:
                wrong = t
                name = differing[0]
                diff = outputs[name] ^ good[name]
                output = (name, (diff & -diff).bit_length() - 1)
            if any(outputs[name] != good[name] for name in self.report):
                reported = t
            if self.done and outputs[self.done]:
                done_after.append(t)
            if healed_at is None and state == self.states[t + 1]:
                healed_at = t
        if alarm is not None and (wrong is None or alarm <= wrong):
            return Seen("detected", alarm)
        if wrong is not None:
            is_due = self.done and any(row[self.done] for row in self.outputs[wrong:])
            hangs = is_due and not any(t >= wrong for t in done_after)
            return Seen("hang" if hangs else "silent", wrong, output)
        if state != self.states[-1]:
            return Seen("latent")
        return Seen("masked" if healed_at == cycle and reported is None else "corrected")
