"""The stream shell with the data mover and with AES."""

from pathlib import Path

from support import cocotb_runner

HERE = Path(__file__).parent


def test_axis_shell():
    cocotb_runner.run(
        "cryptile:shell:axis_copy",
        "axis_probe",
        "bench_axis_shell",
        test_dir=HERE,
        extra_sources=[HERE / "axis_probe.sv"],
    )


def test_axis_aes():
    cocotb_runner.run(
        "cryptile:shell:axis_aes",
        "axis_aes",
        "bench_axis_aes",
        test_dir=HERE,
        parameters={"Impl": 1, "EnDecrypt": 0, "EnKey192": 0, "EnKey256": 0},
    )
