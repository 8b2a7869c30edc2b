"""Simulates a top of the public-key engine with one of its test benches."""

from pathlib import Path

from support import cocotb_runner, pka

HERE = Path(__file__).parent
CORE = "cryptile:engine:pka"


def parameters(machine: str) -> dict[str, int]:
    """Return those of the RTL for a machine."""
    width = pka.MACHINES[machine]
    return {"RowBits": width.bits, "Lanes": width.multiplier.lanes}


def simulate(
    top: str,
    bench: str,
    cases: int,
    machine: str = "compact",
    light: bool = False,
) -> None:
    """Run so many cases of a bench on a machine; its coverage does not count if it is ``light``."""
    cocotb_runner.run(
        CORE,
        top,
        bench,
        test_dir=HERE,
        parameters={"RandomCycles": 1000} | parameters(machine),
        env={"CRYPTILE_CASES": str(cases), "CRYPTILE_MACHINE": machine},
        light=light,
    )


def simulate_rsa(bench: str, cases: int) -> None:
    """Run a bench of RSA's engine, which has rows of 512 bits; what it holds may be set."""
    cocotb_runner.run(
        "cryptile:engine:pka_rsa",
        "cry_pka_rsa_engine",
        bench,
        test_dir=HERE,
        parameters={"RandomCycles": 1000},
        env={"CRYPTILE_CASES": str(cases), "CRYPTILE_MACHINE": "compact512"},
        light=True,
        cover=["cry_pka_rsa_engine", "cry_pka_seal"],
        upset=True,
    )
