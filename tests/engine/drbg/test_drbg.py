"""CTR_DRBG: NIST's vectors, random calls, wiping, and the known-answer test in the hardware."""

import re
from pathlib import Path

import pytest
from drbg_oracle import Drbg, known_answer
from support import cocotb_runner, nist_drbg
from support.mutated import mutated

from cryptile.project import ROOT
from cryptile.toolchain import rtl

HERE = Path(__file__).parent
CORE = "cryptile:engine:drbg"
MUTANTS = {
    "answer": ("cry_drbg_pkg.sv", "3cd09a12_7be907eb", "3cd09a12_7be907ea"),
    "answer-without": ("cry_drbg_pkg.sv", "128'hcc53d0f6", "128'hcc53d0f7"),
    "counter": ("cry_drbg_pkg.sv", "8'(carry[i])", "8'(2 * carry[i])"),
    "no-output": ("cry_drbg_core.sv", "(state_q == StBlocks) & result;", "1'b0;"),
    "no-end": ("cry_drbg_core.sv", "if (out_free) state_d = StUpdate", "state_d = StDrain"),
    "entropy-bits": (
        "cry_drbg.sv",
        ": test_word),\n    .ent_fail_i",
        ": test_word & 64'h3f3f3f3f3f3f3f3f),\n    .ent_fail_i",
    ),
}


def simulate(interval: int, every: int, env: dict[str, str] | None = None, **model: bool) -> None:
    late = 300
    cocotb_runner.run(
        CORE,
        "cry_drbg",
        "tb_drbg",
        test_dir=HERE,
        parameters={"ReseedInterval": interval, "EntropyCycles": late},
        env={
            "CRYPTILE_INTERVAL": str(interval),
            "CRYPTILE_LATE": str(late),
            "CRYPTILE_EVERY": str(every),
            **(env or {}),
        },
        **model,
    )


@pytest.mark.parametrize("interval", [1, 5])
def test_design(interval):
    simulate(interval, 15)


def test_counter():
    """No random call has a carry through more than a byte or two."""
    cocotb_runner.run(
        CORE,
        "increment_bench",
        "tb_increment",
        test_dir=HERE,
        extra_sources=[HERE / "increment_bench.sv"],
        see=[],
        light=True,
        short=True,
    )


@pytest.mark.soak
def test_all_vectors():
    simulate(5, 1)


@pytest.mark.parametrize("name", nist_drbg.FILES)
def test_model(name):
    """What the design is compared with gives NIST's answers itself."""
    for vector in nist_drbg.vectors(name):
        model = Drbg(vector.df, vector.entropy, vector.personalization)
        if vector.reseed:
            model.reseed(*vector.reseed)
        for additional, entropy in zip(
            vector.additional, vector.predicted or [None, None], strict=True
        ):
            answer = model.generate(len(vector.returned), additional, entropy)
        assert answer == vector.returned


@pytest.mark.parametrize(("name", "df"), [("TestAnswerDf", True), ("TestAnswerNoDf", False)])
def test_known_answer(name, df):
    """The constants of the package are what the model gives for the test's calls."""
    text = (ROOT / "rtl/engine/drbg/cry_drbg_pkg.sv").read_text()
    (digits,) = re.findall(rf"{name}\s*= 128'h([0-9a-f_]+);", text)
    assert int(digits.replace("_", ""), 16) == int.from_bytes(known_answer(df), "little")


@pytest.mark.parametrize("mutant", MUTANTS)
def test_broken(mutant, tmp_path, monkeypatch):
    """A wrong constant or a wrong counter: the test in the hardware sees it, and nothing leaves."""
    sources = rtl.resolve(CORE)
    sources.files[:] = mutated(sources.files, MUTANTS[mutant], tmp_path)
    monkeypatch.setattr(rtl, "resolve", lambda *names: sources)
    simulate(5, 15, {"CRYPTILE_BROKEN": "1"}, light=True, short=True)
