"""Faults in modules without the engine port: every upset as an independent model has it."""

import csv
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import models
import pytest
from typer.testing import CliRunner

from cryptile import cli
from cryptile.errors import UsageError
from cryptile.faults.shard import Model
from cryptile.modules import campaign, description, init, vcd, verify, waves
from cryptile.modules.campaign import Outcome, Question
from cryptile.modules.fit import fitted
from cryptile.project import ROOT
from cryptile.toolchain import tools

HERE = Path(__file__).parent
EXAMPLE = ROOT / "examples/faults/counter_tmr.sv"
CRYPTILE = Path(sys.executable).parent / "cryptile"


def write(folder, source, rows=None, **changes):
    """Write the file of a module, with other vectors or sections."""
    path, vectors = init.write([source], None, {}, [], None, folder / f"{source.stem}.yaml")
    if rows is not None:
        names = list(rows[0])
        lines = [names, *([row[name] for name in names] for row in rows)]
        vectors.write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n")
    text = path.read_text()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return description.load(path)


def rows_of(widths, count, seed=1, **weights):
    """Random rows; a weight is how many of four are one."""
    rng = random.Random(seed)
    return [
        {
            name: int(rng.randrange(4) < weights[name]) if name in weights else rng.getrandbits(w)
            for name, w in widths.items()
        }
        for _ in range(count)
    ]


def reset(rows, port, on):
    """The rows with two cycles of reset before."""
    return [{**rows[0], port: on}] * 2 + [{**row, port: 1 - on} for row in rows]


def counter_case():
    rows = rows_of({"en_i": 1}, 40)
    reference = models.Reference(
        models.counter(), reset(rows, "rst_ni", 0), ["count_o"], report=("corrected_o",)
    )
    return EXAMPLE, rows, reference


def fifo_case():
    rows = rows_of({"push": 1, "pop": 1, "din": 8}, 60, push=3, pop=2)
    return (
        HERE / "fifo.sv",
        rows,
        models.Reference(models.fifo(), reset(rows, "rst", 1), ["dout", "empty", "full"]),
    )


def timer_case():
    rows = rows_of({"start": 1}, 50, start=1)
    return (
        HERE / "timer.sv",
        rows,
        models.Reference(models.timer(), rows, ["busy", "done"], done="done"),
    )


def parity_case():
    rows = rows_of({"load_i": 1, "word_i": 8}, 30)
    return (
        HERE / "word_parity.sv",
        rows,
        models.Reference(
            models.word_parity(), reset(rows, "rst_ni", 0), ["word_o"], alarm="fault_o"
        ),
    )


CASES = {"counter": counter_case, "fifo": fifo_case, "timer": timer_case, "parity": parity_case}


def bits_of(name):
    """The register and bit that a place names."""
    register, _, bit = name.removesuffix("]").rpartition("[")
    return (register, int(bit)) if register and "]" not in bit else (name, 0)


def place(reference, name):
    return (name, 0) if name in reference.widths else bits_of(name)


def compare(found, reference, places):
    """Hold every fault to the model."""
    channels = found.prepared.session.machine.channels
    for cycle, site, result in zip(found.cycle, found.site, found.results, strict=True):
        name = found.sites.names[site]
        right = reference.upset(int(cycle), places(name))
        got = Outcome(int(result["outcome"])).name
        assert got == right.outcome, (name, cycle)
        if right.cycle is not None:
            assert int(result["seen"]) == right.cycle, (name, cycle)
        if right.output is not None:
            stem, bit = right.output
            assert channels[int(result["channel"])] in (stem, f"{stem}[{bit}]"), (name, cycle)


@pytest.mark.parametrize("case", CASES)
def test_every_upset_is_as_in_the_model(case, folder):
    source, rows, reference = CASES[case]()
    prepared = campaign.prepare(write(folder, source, rows))
    found = campaign.run(prepared, Question())
    assert not found.sampled
    bits = sum(reference.widths.values())
    assert found.injected == bits * len(rows)
    assert {place(reference, name)[0] for name in found.sites.names} == set(reference.widths)
    compare(found, reference, lambda name: [place(reference, name)])
    sampled = campaign.run(prepared, Question(runs=1500, seed=4))
    compare(sampled, reference, lambda name: [place(reference, name)])


def test_a_reset_in_the_midst_is_not_compared(folder):
    """The RTL is reset at once, the machine at the next clock edge."""
    _, rows, _ = counter_case()
    rows = [{**row, "rst_ni": int(number not in (0, 1, 20, 21))} for number, row in enumerate(rows)]
    reference = models.Reference(
        models.counter(),
        rows,
        ["count_o"],
        report=("corrected_o",),
        resets=lambda row: not row["rst_ni"],
    )
    found = campaign.run(campaign.prepare(write(folder, EXAMPLE, rows)), Question())
    assert found.first == 2
    compare(found, reference, lambda name: [place(reference, name)])
    of = dict(zip(found.sites.names, found.by_site, strict=True))
    assert of["gen_single.en_q"][Outcome.silent] < len(rows) - 3  # the reset hides one


def test_classes_all_occur(folder):
    """The models would be no test of a class that no case has."""
    seen = set()
    for case in CASES.values():
        source, rows, _ = case()
        found = campaign.run(campaign.prepare(write(folder, source, rows)), Question())
        seen |= {outcome for outcome, count in found.counts.items() if count}
    assert seen == set(Outcome)


def test_every_pair_is_as_in_the_model(folder):
    source, rows, reference = fifo_case()
    found = campaign.run(campaign.prepare(write(folder, source, rows)), Question(Model.mbu))
    assert len(found.sites.names) == 4 * 7 + 1 + 1 + 2  # neighbours in words, pointers and count

    def places(name):
        register, bit = bits_of(name.removesuffix("+1"))
        return [(register, bit), (register, bit + 1)]

    compare(found, reference, places)


def test_counts_by_reasoning(folder):
    """Each upset of a copy is voted away; of the enable, the next count is wrong but in the end."""
    source, rows, _ = counter_case()
    found = campaign.run(campaign.prepare(write(folder, source, rows)), Question())
    of = dict(zip(found.sites.names, found.by_site, strict=True))
    assert list(of["gen_single.en_q"]) == [0, 0, 0, 1, len(rows) - 1, 0]
    assert len(of) == 13
    for copy in "abc":
        for bit in range(4):
            assert list(of[f"count_{copy}_q[{bit}]"]) == [0, len(rows), 0, 0, 0, 0]


def test_transients_of_gates(folder):
    """A gate that drives the parity's input of the alarm alone can only make an alarm."""
    source, rows, _ = parity_case()
    found = campaign.run(
        campaign.prepare(write(folder, source, rows), Model.set),
        Question(Model.set, target="fault_o"),
    )
    assert found.injected == 8 * len(rows)  # nine bits take eight gates of exclusive or
    assert found.counts[Outcome.detected] == found.injected


def test_a_pattern_and_cycles_choose(folder):
    source, rows, _ = fifo_case()
    prepared = campaign.prepare(write(folder, source, rows))
    found = campaign.run(prepared, Question(target=r"^head", cycles=(10, 12)))
    assert found.injected == 2 * 3
    with pytest.raises(UsageError, match="nothing is named like"):
        campaign.run(prepared, Question(target="no such"))
    with pytest.raises(UsageError, match="the run has the cycles 2:61"):
        campaign.run(prepared, Question(cycles=(400, 500)))


def test_a_tail_lets_wrong_values_come_out(folder):
    source, rows, _ = counter_case()
    found = campaign.run(
        campaign.prepare(write(folder, source, rows, **{"tail: 0": "tail: 3"})), Question()
    )
    assert found.counts[Outcome.latent] == 0
    assert found.counts[Outcome.silent] == len(rows)


def test_upsets_end_in_the_rtl_as_in_the_netlist(folder):
    source, rows, _ = fifo_case()
    found = campaign.run(campaign.prepare(write(folder, source, rows)), Question())
    assert verify.check(found, 200) == []
    # and it would tell: the same faults, but each said to be seen a cycle later
    found.results["seen"] += 1
    assert len(verify.check(found, 20)) >= 5


def waveform(rows, clock, scope, widths, unknown=()):
    """A VCD as simulators write it: inputs change with the clock, values before are unknown."""
    codes = {name: chr(33 + index) for index, name in enumerate([clock, *widths])}
    lines = ["$timescale 1ns $end", f"$scope module {scope} $end"]
    for name, code in codes.items():
        width = widths.get(name, 1)
        bits = f" [{width - 1}:0]" if width > 1 else ""
        lines.append(f"$var wire {width} {code} {name}{bits} $end")
    lines += ["$upscope $end", "$enddefinitions $end", "$dumpvars", f"0{codes[clock]}", "$end"]
    before = {}
    for number, row in enumerate(rows):
        for name, value in row.items():
            if before.get(name) == value:
                continue
            bits = "x" if (number, name) in unknown else f"{value:b}"
            lines.append(f"b{bits} {codes[name]}" if widths[name] > 1 else f"{bits}{codes[name]}")
        before = row
        lines += [f"#{10 * number + 5}", f"1{codes[clock]}"]
        lines += [f"#{10 * number + 10}", f"0{codes[clock]}", f"#{10 * number + 15}"]
        # What comes with the next rise is written behind it, and is taken at the one after.
    return "\n".join(lines) + "\n"


def test_vcd_drives_as_csv_does(folder):
    source, rows, reference = fifo_case()
    by_csv = campaign.run(campaign.prepare(write(folder, source, rows)), Question())
    every = reset(rows, "rst", 1)
    whole = [{**row, **out} for row, out in zip(every, reference.outputs, strict=True)]
    widths = {"push": 1, "pop": 1, "din": 8, "rst": 1, "dout": 8, "empty": 1, "full": 1}
    file = folder / "wave.vcd"
    file.write_text(waveform(whole, "clk", "dut", widths))
    what = write_again(folder, source, "fifo.csv", "wave.vcd")
    by_vcd = campaign.run(campaign.prepare(what), Question())
    assert by_vcd.prepared.vectors.given == 0  # the reset is in the file
    assert (by_vcd.results == by_csv.results).all()


@pytest.mark.soak
def test_vcd_of_a_simulator(folder):
    """A test bench in Verilator, which also holds what the outputs are."""
    bench = folder / "tb.sv"
    bench.write_text(
        "module tb;\n"
        "  logic clk = 0, rst = 1, push = 0, pop = 0, empty, full;\n"
        "  logic [7:0] din = 0, dout;\n"
        "  always #5 clk = ~clk;\n"
        "  fifo dut (.*);\n"
        "  initial begin\n"
        '    $dumpfile("tb.vcd"); $dumpvars(0, tb);\n'
        "    repeat (3) @(negedge clk);\n"
        "    rst <= 0;\n"
        "    for (int i = 0; i < 100; i++) begin\n"
        "      push <= i % 3 != 0; pop <= i % 4 == 1; din <= 8'(i * 37);\n"
        "      @(negedge clk);\n"
        "    end\n"
        "    $finish;\n"
        "  end\n"
        "endmodule\n"
    )
    tools.run(
        [
            tools.find("verilator"),
            *tools.words("--binary --timing --trace -Wno-fatal -CFLAGS -std=c++20 --top-module tb"),
            "-MAKEFLAGS",
            f"{tools.ONE_FILE} OPT_GLOBAL=-O0",
            "--Mdir",
            folder / "tb",
            bench,
            HERE / "fifo.sv",
        ]
    )
    tools.run([folder / "tb/Vtb"], cwd=folder)
    what = write(folder, HERE / "fifo.sv", None, **{"fifo.csv": "tb.vcd"})
    prepared = campaign.prepare(what)
    assert prepared.vectors.cycles >= 102
    assert set(prepared.vectors.expected) == {"dout", "empty", "full"}
    every = prepared.vectors.inputs
    rows = [dict(zip(every, values, strict=True)) for values in zip(*every.values(), strict=True)]
    reference = models.Reference(
        models.fifo(), rows, ["dout", "empty", "full"], resets=lambda row: row["rst"]
    )
    found = campaign.run(prepared, Question())
    assert found.counts[Outcome.silent] > 1000
    compare(found, reference, lambda name: [place(reference, name)])


def write_again(folder, source, old, new):
    for name in (f"{source.stem}.yaml", f"{source.stem}.csv"):
        (folder / name).unlink()
    return write(folder, source, None, **{old: new})


def test_what_was_recorded_is_checked(folder):
    source, rows, reference = counter_case()
    given = [
        {**row, "count_o": out["count_o"]}
        for row, out in zip(rows, reference.outputs[2:], strict=True)
    ]
    campaign.prepare(write(folder, source, given))
    given[7] = {**given[7], "count_o": given[7]["count_o"] ^ 2}
    for name in ("counter_tmr.yaml", "counter_tmr.csv"):
        (folder / name).unlink()
    with pytest.raises(UsageError, match="in row 7 count_o is"):
        campaign.prepare(write(folder, source, given))


def test_unknown_bits_of_a_waveform_are_told(folder):
    source, rows, _ = timer_case()
    file = folder / "wave.vcd"
    file.write_text(waveform(rows, "clk", "tb", {"start": 1}, {(0, "start")}))
    what = write(folder, source, None, **{"timer.csv": "wave.vcd"})
    assert campaign.prepare(what).vectors.unknown == 1


def command(*words, cwd=ROOT):
    return subprocess.run(
        [CRYPTILE, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_init_run_and_report(folder):
    path = folder / "own.yaml"
    assert command("faults", "init", EXAMPLE, "-o", path).returncode == 0
    words = ("--bit-cross-section", "2e-14", "--flux", "13", "--json", folder / "records.json")
    result = command("faults", path, *words, "--output", folder / "out")
    assert result.returncode == 1, result.stderr
    assert "gen_single.en_q in cycle 2: count_o[0] is wrong in cycle 3" in result.stdout
    failures = list(csv.DictReader((folder / "out/failures.csv").open()))
    assert len(failures) == 199
    assert failures[0] == {
        "place": "gen_single.en_q",
        "cycle": "2",
        "outcome": "silent",
        "output": "count_o[0]",
        "seen_in_cycle": "3",
    }
    page = (folder / "out/report.md").read_text()
    for text in ("date", "faults/counter_tmr.sv", "hashes: own.csv", "yosys", "seed"):
        assert f"| {text}" in page or f"{text} |" in page, text
    records = {
        item["metric"]: item["value"] for item in json.loads((folder / "records.json").read_text())
    }
    # 199 of 2600 upsets of 13 flip-flops of 2e-14 cm2 each
    assert records["failure_cross_section"] == pytest.approx(
        199 / 2600 * 13 * 2e-14, rel=1e-9, abs=0
    )
    assert records["failure_rate"] == pytest.approx(
        199 / 2600 * 13 * 2e-14 * 13 * 1e9, rel=1e-9, abs=0
    )
    wave = (folder / "out/failure-1.vcd").read_text()
    assert "$scope module golden" in wave
    assert "$scope module faulty" in wave
    again = command("faults", path, "--mode", "paper", "--runs", "500", "--output", folder / "out")
    assert "95 % interval" in again.stdout


def test_waveform_of_a_failure_shows_it(folder):
    source, rows, _ = counter_case()
    found = campaign.run(campaign.prepare(write(folder, source, rows)), Question())
    waves.write(found, int(found.failures[0]), folder / "one.vcd")
    text = (folder / "one.vcd").read_text()
    scopes = vcd._scopes(text.partition("$enddefinitions")[0])
    golden, faulty = (scopes[name]["gen_single.en_q"] for name in ("golden", "faulty"))
    lines = text.splitlines()
    at_two = lines[lines.index("#2") : lines.index("#3")]
    flipped = {line.split()[0] for line in at_two if line.endswith(f" {faulty.code}")}
    was = [line.split()[0] for line in lines[: lines.index("#3")] if line.endswith(golden.code)]
    assert flipped == {"b1" if was[-1] == "b0" else "b0"}


BAD_FILES = {
    "no clock": ("module m(input a, output b); assign b = a; endmodule", [], "no clock"),
    "no top": ("module m(input clk, output logic q); always_ff @(posedge clk) q <= ~q; endmodule",
               ["--top", "other"], "there is no module other: the files have m"),
    "several tops": ("module m(input clk, a, output logic q); always_ff @(posedge clk) q <= a; "
                     "endmodule\nmodule n(input clk, a, output logic q); "
                     "always_ff @(posedge clk) q <= a; endmodule", [],
                     "several modules can be the top: m, n"),
    "two clocks": ("module m(input c, d, a, output logic q, r); always_ff @(posedge c) q <= a;\n"
                   "always_ff @(posedge d) r <= a; endmodule", [], "several clocks: "),
    "falling": ("module m(input c, a, output logic q); always_ff @(negedge c) q <= a; endmodule",
                [], "falling c"),
    "parameter": ("module m #(parameter int W, parameter int V = 2)"
                  "(input clk, input [W-1:0] a, output logic [W-1:0] q);\n"
                  "always_ff @(posedge clk) q <= a; endmodule", ["--top", "m"],
                  "m cannot be the top: W of m has no value: give -G"),
    "syntax": ("module m(input clk; endmodule", [], "m.sv:1: "),
    "inout": ("module m(input clk, a, inout b, output logic q); always_ff @(posedge clk) q <= a; "
              "endmodule", [], "b is an inout"),
    "no input": ("module m(input clk, output logic q); always_ff @(posedge clk) q <= ~q; "
                 "endmodule", [], "no input but its clock"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_FILES)
def test_init_refuses(name, folder):
    text, words, told = BAD_FILES[name]
    (folder / "m.sv").write_text(text + "\n")
    top = words[1] if words else None
    with pytest.raises(UsageError) as error:
        init.write([folder / "m.sv"], top, {}, [], None, None)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_value_of_a_parameter_is_taken(folder):
    (folder / "m.sv").write_text(BAD_FILES["parameter"][0] + "\n")
    path, _ = init.write([folder / "m.sv"], "m", {"W": "3"}, [], None, None)
    found = campaign.run(campaign.prepare(description.load(path)), Question())
    assert len(found.sites.names) == 3
    with pytest.raises(UsageError, match="-f writes over it"):
        init.write([folder / "m.sv"], "m", {"W": "3"}, [], None, None)


BAD_VECTORS = {
    "en_o\n1\n": "no port 'en_o'",
    "en_i\n2\n": "row 0: en_i: 2 has more than 1 bits",
    "en_i\nyes\n": "'yes' is no number",
    "en_i\n": "a line of names and a line for each cycle",
    "count_o\n1\n": "has no input en_i",
    "en_i,en_i\n1,1\n": "stands twice",
    "en_i\n1\n1,0\n": "csv:3: row 1 has 2 values, not 1",
    "en_i,rst_ni\n1,0\n1,0\n": "rst_ni is 0 all the time",
    "en_i,rst_ni\n1,1\n1,1\n": "rst_ni is never 0 at a rise of the clock",
    "en_i,rst_ni\n1,x\n1,1\n": "rst_ni is never 0 at a rise of the clock",
    "en_i,rst_ni\n1,0\n1,x\n": "rst_ni is unknown in a row behind its first reset",
    "en_i,rst_ni\n1,1\n1,0\n": "rst_ni is never released behind its reset",
    "# of one column\nen_i\n1\n\n0\n": "csv:4: row 1: en_i: the line is empty",
    "en_i,count_o\n1,x\n1,017\n": "csv:3: row 1: count_o: 017 is octal in C and decimal in",
    "en_i,count_o\n1,2'hf\n": "csv:2: row 0: count_o: 2'hf has more than 2 bits",
    "en_i,count_o\n1,8'h10\n": "csv:2: row 0: count_o: 8'h10 has more than 4 bits",
    "en_i,count_o\n1,4'shf\n": '"4\'shf" is no number',
    "en_i,count_o\n1,'b2\n": '"\'b2" is no number',
}


@pytest.mark.parametrize("text", BAD_VECTORS)
def test_vectors_are_refused(text, folder):
    what = write(folder, EXAMPLE)
    what.vectors.write_text(text)
    with pytest.raises(UsageError) as error:
        campaign.prepare(what)
    assert BAD_VECTORS[text] in str(error.value)


def test_numbers_are_as_in_c_and_verilog(folder):
    what = write(folder, EXAMPLE, None, **{"check: true": "check: false"})
    cells = ["0x1", "0b1", "0o1", "1'h1", "16'h0001", "'d1", "00", ""]
    what.vectors.write_text("en_i,count_o\n\n" + "\n".join(f"{cell},x" for cell in cells) + "\n")
    given = campaign.prepare(what).vectors
    assert given.inputs["en_i"][given.given :] == [1] * 6 + [0] * 2


def test_nothing_before_the_first_reset_counts(folder):
    """A simulator knows nothing of registers then; here they would be zero."""
    _, rows, _ = counter_case()
    rows = [{**row, "rst_ni": int(number not in (3, 4))} for number, row in enumerate(rows)]
    found = campaign.run(campaign.prepare(write(folder, EXAMPLE, rows)), Question())
    assert found.first == 5
    assert not found.prepared.session.watched[:5].any()


BAD_WORDS = {
    "compare: [count_o]": ("compare: [count]", "there is no output count"),
    "active: low": (
        "active: high",
        "rst_ni is a reset, but active low: that level gives 13 "
        "flip-flops a value, and high gives 0",
    ),
    "count_o]  # in": ("count_o, corrected_o]  # in", "or ignored, one of them"),
    "  report: [corrected_o]": ("  report: []", "nothing is said of the outputs corrected_o"),
    "clock: clk_i": ("clock: en_i", "the clock is clk_i, not en_i"),
    "port: rst_ni": ("port: reset", "no input reset"),
    "report: [corrected_o]": ("report: [count_o]", "one of them"),
    "# alarm: fault_o": ("alarm: count_o #", "count_o has 4 bits"),
    "check: true": ("chek: true", "unknown field `chek`"),
    "counter_tmr.csv": ("counter_tmr.fst", "cannot read"),
    "keep: [count_a_q": ("keep: [count_x_q", "there is no register count_x_q"),
}


@pytest.mark.parametrize("old", BAD_WORDS)
def test_files_are_refused(old, folder):
    new, told = BAD_WORDS[old]
    with pytest.raises(UsageError) as error:
        campaign.prepare(write(folder, EXAMPLE, None, **{old: new}))
    assert told in str(error.value)


RESETS = {
    "behind a gate": (
        "wire clear = !reset_in | d;\n"
        "always_ff @(posedge clk or posedge clear) if (clear) q <= 4'h3;",
        "low",
    ),
    "behind registers": (
        "logic [1:0] s; always_ff @(posedge clk) s <= {s[0], reset_in};\n"
        "always_ff @(posedge clk) if (s[1]) q <= '0;",
        "high",
    ),
    "that loads": ("always_ff @(posedge clk) if (reset_in) q <= {4{d}};", "high"),
}


@pytest.mark.parametrize("name", RESETS)
def test_the_level_of_a_reset_without_a_pattern(name, folder):
    """What registers hold behind it tells its level, where neither its cells nor its name do."""
    text, level = RESETS[name]
    (folder / "m.sv").write_text(
        f"module m(input clk, reset_in, d, output logic [3:0] q);\n{text} "
        "else q <= q + {3'b0, d};\nendmodule\n"
    )
    path, _ = init.write([folder / "m.sv"], None, {}, [], None, None)
    text = re.sub("  (# )?reset: .*\n", "", path.read_text())
    for active in ("low", "high"):
        reset = f"  reset: {{port: reset_in, active: {active}}}\n"
        path.write_text(text.replace("stimuli:\n", f"{reset}stimuli:\n"))
        if active == level:
            assert fitted(description.load(path)).ports.clock == "clk"
        else:
            with pytest.raises(UsageError, match=f"is a reset, but active {level}: that level"):
                fitted(description.load(path))


def test_options_of_engines_are_refused(folder):
    what = write(folder, EXAMPLE)
    for words, told in (
        (("run", what.path, "--jobs", 3), "--jobs is for designs with the engine port"),
        (("run", what.path, "--flux", 3), "--flux needs --bit-cross-section"),
        (("run", what.path, "--model", "set", "--bit-fit", 3), "single upsets of flip-flops"),
        (("run", "copy", "--bit-fit", 3), "is for modules"),
        (("replay", what.path, "--place", "x", "--cycle", 1), "of a module"),
        (("init", HERE / "none.sv"), "there is no file"),
    ):
        result = CliRunner().invoke(cli.app, ["faults", *map(str, words)])
        assert isinstance(result.exception, UsageError), words
        assert told in str(result.exception)
