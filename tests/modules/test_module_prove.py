"""Proofs of modules whose groups are named in YAML, or by their registers' names."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cryptile import cli
from cryptile.errors import UsageError
from cryptile.modules import description, init
from cryptile.modules.copies import copies
from cryptile.modules.fit import fitted
from cryptile.project import ROOT
from cryptile.prove.named import named_proof

HERE = Path(__file__).parent
EXAMPLE = ROOT / "examples/faults/counter_tmr.sv"
CRYPTILE = Path(sys.executable).parent / "cryptile"
WHOLE = {"TripleEn": "1"}

CODE = """protection:
  codes: [{data: word_q, checks: parity_q, sums: [[0, 1, 2, 3, 4, 5, 6, 7]]}]
"""


def described(folder, source, parameters=None, extra="", **changes):
    path, _ = init.write([source], None, parameters or {}, [], None, folder / "own.yaml", True)
    text = path.read_text() + extra
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return description.load(path)


def proven(what):
    fits = fitted(what)
    return named_proof(fits.built.netlist, what, fits.ports).run()


def test_the_whole_counter_holds(folder):
    verdict = proven(described(folder, EXAMPLE, WHOLE))
    assert verdict.holds, verdict.findings
    assert dict(verdict.groups) == {"copies": 15}
    assert verdict.claim == "changes nothing outside"


def test_the_hole_is_found(folder):
    verdict = proven(described(folder, EXAMPLE))
    assert verdict.findings == ["gen_single.en_q: stands alone"]


def test_merged_copies_are_found(folder):
    """Without `keep`, synthesis makes one register of three, and that is what is proven."""
    verdict = proven(described(folder, EXAMPLE, WHOLE, **{"keep: [": "# keep: ["}))
    assert len(verdict.findings) == 5
    assert all("stands alone" in text for text in verdict.findings)


def test_groups_are_recognised_by_names(folder):
    what = described(folder, EXAMPLE, WHOLE)
    text = what.path.read_text()
    what.path.write_text(text[: text.index("protection:\n  copies")])
    again = description.load(what.path)
    assert again.protection is None
    assert proven(again).holds


def test_wrong_groups_fail(folder):
    """Registers that are no copies of one another are none by being called so."""
    source = folder / "m.sv"
    source.write_text(
        "module m(input clk, rst_n, a, b, c, output logic o);\n"
        "logic r_a, r_b, r_c; assign o = (r_a & r_b) | (r_a & r_c) | (r_b & r_c);\n"
        "always_ff @(posedge clk) if (!rst_n) {r_a, r_b, r_c} <= '0;\n"
        "else {r_a, r_b, r_c} <= {a, b, c}; endmodule\n"
    )
    verdict = proven(described(folder, source))
    assert any(text == "r_a: is not sound behind reset" for text in verdict.findings)


def voted(load):
    """Three copies that hold their value while they are not enabled."""
    return (
        "module m(input clk, rst, en, d, output logic o);\n"
        "(* keep *) logic r_a, r_b, r_c; assign o = (r_a & r_b) | (r_a & r_c) | (r_b & r_c);\n"
        "always_ff @(posedge clk) if (rst) {r_a, r_b, r_c} <= '0;\n"
        f"else if (en) {{r_a, r_b, r_c}} <= {{3{{{load}}}}}; endmodule\n"
    )


def test_a_register_that_holds_what_is_wrong_is_told(folder):
    (folder / "m.sv").write_text(voted("d"))
    verdict = proven(described(folder, folder / "m.sv"))
    assert verdict.holds, verdict.findings
    assert "hold a wrong bit until then: r_a" in verdict.assumptions[0]


@pytest.mark.parametrize(("value", "holds"), [("000", True), ("111", True), ("011", False)])
def test_copies_are_equal_in_the_first_cycle(folder, value, holds):
    """Loaded alike in every clock, but not reset alike: an upset of the first cycle is seen."""
    text = voted("d").replace("<= '0", f"<= 3'b{value}").replace("else if (en)", "else")
    (folder / "m.sv").write_text(text)
    verdict = proven(described(folder, folder / "m.sv"))
    assert verdict.holds == holds
    assert verdict.findings == ([] if holds else ["r_a: is not sound behind reset"])
    assert verdict.assumptions == ()


READ_ON_DEMAND = """module m(
  input clk, rst, load, read, input [1:0] d, output logic [1:0] o, output alarm);
(* keep *) logic [1:0] w; (* keep *) logic p;
assign o = read ? w : '0; assign alarm = read && ^{w, p};
always_ff @(posedge clk) if (rst) {w, p} <= '0; else if (load) {w, p} <= {d, ^d};
endmodule
"""


def test_a_wrong_word_that_nobody_reads_is_told(folder):
    """Its alarm is up only while it is read: until then a second upset may come."""
    (folder / "m.sv").write_text(READ_ON_DEMAND)
    extra = "protection:\n  codes: [{data: w, checks: p, sums: [[0, 1]]}]\n"
    verdict = proven(described(folder, folder / "m.sv", extra=extra))
    assert verdict.holds, verdict.findings
    (told,) = verdict.assumptions
    assert told.endswith("hold a wrong bit until then: w[0]")


def test_a_word_whose_alarm_is_up_at_once_is_not_among_them(folder):
    (folder / "m.sv").write_text(READ_ON_DEMAND.replace("alarm = read && ", "alarm = "))
    extra = "protection:\n  codes: [{data: w, checks: p, sums: [[0, 1]]}]\n"
    assert proven(described(folder, folder / "m.sv", extra=extra)).assumptions == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("active: low", "active: high", "rst_ni is a reset, but active low"),
        ("compare: [count_o]", "compare: [count]", "there is no output count"),
        ("port: rst_ni", "port: reset", "no input reset"),
        ("clock: clk_i", "clock: en_i", "the clock is clk_i, not en_i"),
        ("report: [corrected_o]", "report: []", "nothing is said of the outputs corrected_o"),
    ],
)
def test_files_that_do_not_fit_are_refused(folder, old, new, told):
    result = CliRunner().invoke(
        cli.app, ["prove", str(described(folder, EXAMPLE, WHOLE, **{old: new}).path)]
    )
    assert isinstance(result.exception, UsageError)
    assert told in str(result.exception)


def test_outputs_that_were_not_compared_are_told(folder):
    change = {"report: [corrected_o]": "ignore: [corrected_o]"}
    verdict = proven(described(folder, EXAMPLE, WHOLE, **change))
    assert verdict.holds
    assert any("not compared: corrected_o" in text for text in verdict.assumptions)


def test_a_copy_that_is_read_alone_is_found(folder):
    (folder / "m.sv").write_text(voted("d ^ r_b"))
    assert any("an upset" in text for text in proven(described(folder, folder / "m.sv")).findings)


def test_copies_without_reset_are_found(folder):
    """The start is shown, too: behind reset such copies are whatever they were."""
    (folder / "m.sv").write_text(
        "module m(input clk, rst, en, d, output logic o, q);\n"
        "logic r_a, r_b, r_c; assign o = (r_a & r_b) | (r_a & r_c) | (r_b & r_c);\n"
        "always_ff @(posedge clk) if (en) {r_a, r_b, r_c} <= {3{d}};\n"
        "always_ff @(posedge clk) if (rst) q <= '0; else q <= d; endmodule\n"
    )
    log = {"protection:\n  copies": "protection:\n  log: ['^q$']\n  copies"}
    verdict = proven(described(folder, folder / "m.sv", **log))
    assert any("r_a: is not sound behind reset" in text for text in verdict.findings)


def test_a_word_with_its_parity_is_flagged(folder):
    verdict = proven(described(folder, HERE / "word_parity.sv", extra=CODE))
    assert verdict.holds, verdict.findings
    assert verdict.claim == "is harmless or flagged"
    assert dict(verdict.groups) == {"parity": 9}


def test_a_parity_of_too_few_bits_is_found(folder):
    extra = CODE.replace(", 7]", "]")
    verdict = proven(described(folder, HERE / "word_parity.sv", extra=extra))
    assert any("not sound" in text for text in verdict.findings)


def test_an_alarm_that_is_not_named_is_a_finding(folder):
    changes = {"  alarm: fault_o": "  report: [fault_o]"}
    verdict = proven(described(folder, HERE / "word_parity.sv", extra=CODE, **changes))
    assert any("noticed, not corrected" in text for text in verdict.findings)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("checks: parity_q", "checks: parity", "there is no register parity"),
        (", 7]]", ", 8]]", "a sum names bits of word_q"),
        (", 7]]", ", 7], [1]]", "parity_q has 1 bits: as many sums"),
    ],
)
def test_bad_codes_are_refused(folder, old, new, told):
    with pytest.raises(UsageError) as error:
        proven(described(folder, HERE / "word_parity.sv", extra=CODE.replace(old, new)))
    assert told in str(error.value)


def test_names_that_look_like_copies():
    found = copies(
        {
            "u.a_q": 4,
            "u.b_q": 4,
            "u.c_q": 4,
            "x0": 1,
            "x1": 1,
            "tmr0": 2,
            "tmr1": 2,
            "s_a": 1,
            "s_b": 1,
            "s_c": 2,
            "p_1": 3,
            "p_2": 3,
            "p_3": 3,
            "p_4": 3,
        }
    )
    assert sorted(found) == [("tmr0", "tmr1"), ("u.a_q", "u.b_q", "u.c_q")]


def test_the_command(folder):
    def prove(what, *words):
        command = [CRYPTILE, "prove", what.path, *words]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    result = prove(described(folder, EXAMPLE))
    assert result.returncode == 1
    assert "gen_single.en_q: stands alone" in result.stdout
    assert prove(described(folder, EXAMPLE, WHOLE)).returncode == 0
    refused = prove(described(folder, EXAMPLE), "--mutants")
    assert refused.returncode == 2
    assert "has no --variant" in refused.stderr
