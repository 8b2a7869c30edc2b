"""The stream shell around the data mover; tests/soc/stream has it with ChaCha20-Poly1305."""

from pathlib import Path

from support import cocotb_runner

HERE = Path(__file__).parent


def test_axis_shell():
    cocotb_runner.run(
        "cryptile:shell:axis_engine",
        "axis_probe",
        "tb_axis_shell",
        test_dir=HERE,
        extra_sources=[HERE / "axis_probe.sv"],
        see=[],
    )
