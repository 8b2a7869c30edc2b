"""What a netlist is made from: all that slang reads, and no word of a user that is a command."""

import pytest
from typer.testing import CliRunner

from cryptile import cli
from cryptile.errors import UsageError
from cryptile.faults.shard import Model
from cryptile.modules import campaign, description, elaborate, init, report, verify
from cryptile.modules.campaign import Question
from cryptile.modules.rate import Environment

SOURCE = """`include "sub/names.inc"
module m (input clk, rst_n, input [1:0] a, output logic [3:0] q);
  `include "body.v"
  logic [3:0] rom [4];
  initial $readmemh("rom.hex", rom);
  always_ff @(posedge clk or negedge rst_n) if (!rst_n) q <= '0; else q <= rom[a] ^ `MASK ^ OTHER;
endmodule
"""
READ = {
    "sub/names.inc": ("`define MASK 4'h5\n", "`define MASK 4'h6\n"),
    "body.v": ("localparam logic [3:0] OTHER = 4'h0;\n", "localparam logic [3:0] OTHER = 4'h8;\n"),
    "rom.hex": ("1\n2\n3\n4\n", "1\n2\n3\n5\n"),
}


def module(folder):
    (folder / "sub").mkdir(exist_ok=True)
    (folder / "m.sv").write_text(SOURCE)
    for name, (text, _) in READ.items():
        (folder / name).write_text(text)
    path, _ = init.write([folder / "m.sv"], None, {}, [], None, None, True)
    return description.load(path)


@pytest.mark.parametrize("name", READ)
def test_what_was_read_makes_a_netlist_anew(name, folder):
    what = module(folder)
    before = campaign.prepare(what)
    (folder / name).write_text(READ[name][1])
    after = campaign.prepare(what)
    assert (before.session.outputs != after.session.outputs).any()
    hashes = report.provenance(campaign.run(after, Question()), {})["hashes"]
    assert {"m.sv", "m.yaml", "m.csv", "sub/names.inc", "body.v"} < hashes.keys()
    assert before.ports.design != hashes["elaborated design"] == after.ports.design


def test_the_rtl_is_built_anew_for_verilator(folder):
    what = module(folder)
    verify.check(campaign.run(campaign.prepare(what), Question()), 1)
    for name in ("body.v", "rom.hex"):
        (folder / name).write_text(READ[name][1])
        # The RTL of before would not do what the netlist does.
        assert verify.check(campaign.run(campaign.prepare(what), Question()), 5) == []


def test_two_files_of_one_name_have_two_hashes(folder):
    what = module(folder)
    (folder / "sub/m.sv").write_text("module other (input clk); endmodule\n")
    what.path.write_text(what.path.read_text().replace("[m.sv]", "[m.sv, sub/m.sv]"))
    found = campaign.run(campaign.prepare(description.load(what.path)), Question())
    assert {"m.sv", "sub/m.sv"} < report.provenance(found, {})["hashes"].keys()


COMMAND = "tee -o build/written.txt help"
BAD = {
    "top: m\n": (f'top: "m\\n{COMMAND}\\n"\n', "top: "),
    "  clock: clk": (f'  parameters: {{A: "1;{COMMAND}"}}\n  clock: clk', "value of A: "),
    "  clock: clk ": (f'  parameters: {{"A=1\\n{COMMAND}": 2}}\n  clock: clk ', "parameter: "),
    "  # keep: [copy_*_q]": (f'  keep: ["q\\n{COMMAND}"]', "keep: "),
    "files: [m.sv]": (f'files: ["m.sv\\n{COMMAND}"]', "there is no file"),
}


@pytest.mark.parametrize("old", BAD)
def test_words_of_the_file_are_no_commands(old, folder):
    path = module(folder).path
    new, told = BAD[old]
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(UsageError) as error:
        campaign.prepare(description.load(path))
    assert told in str(error.value)


@pytest.mark.parametrize("name", ["a b.sv", "a\ntee.sv", "a;b.sv", "a#b.sv", 'a"b.sv', "a,b.sv"])
def test_names_of_files_are_no_commands(name, folder):
    (folder / name).write_text(SOURCE)
    with pytest.raises(UsageError, match="Yosys cannot read"):
        description.listed([folder / name], [])


@pytest.mark.parametrize(
    "words",
    [
        ("--top", f"m\n{COMMAND}"),
        ("-G", f"A=1\n{COMMAND}"),
        ("-G", f"A\n{COMMAND}=1"),
        ("-G", "A=1#"),
    ],
)
def test_words_of_the_command_line_are_no_commands(words, folder):
    module(folder)
    result = CliRunner().invoke(cli.app, ["faults", "init", str(folder / "m.sv"), "-f", *words])
    assert isinstance(result.exception, UsageError)
    assert "is not possible" in str(result.exception)


def test_a_rate_of_drawn_faults_is_never_without_bounds(folder):
    """None of 50 faults is no rate of zero."""
    what = module(folder)
    found = campaign.run(campaign.prepare(what), Question(Model.seu, runs=50))
    found.results["outcome"][:] = 0
    environment = Environment(bit_cross_section=1e-14, flux=10)
    answer = report.Answer(found, environment, {}, folder)
    values = {record.metric: record.value for record in report.records(answer)}
    assert values["failure_rate"] == values["failure_rate_low"] == 0
    # With no hit in 50 the bound of 95 % is 1 - 0.05 ** (1 / 50), here of three flip-flops.
    most = (1 - 0.05 ** (1 / 50)) * 3 * 1e-14
    assert values["failure_cross_section_high"] == pytest.approx(most, rel=1e-9, abs=0)
    assert values["failure_rate_high"] == pytest.approx(most * 10 * 1e9, rel=1e-9, abs=0)
    assert any(f"cross-section 0 cm2 (0 to {most:.3g})" in line for line in report.lines(answer))
    assert any(f"0 FIT (0 to {most * 1e10:.3g})" in line for line in report.lines(answer))


def test_files_outside_the_checkout_are_named():
    assert elaborate._outside("/rtl") == elaborate.ROOT / "rtl"
    assert str(elaborate._outside("/no/such/file.svh")) == "/no/such/file.svh"
