"""The stream shell around the data mover; tests/soc/stream has it with ChaCha20-Poly1305."""

from pathlib import Path

from support import cocotb_runner
from support.waves import compare

HERE = Path(__file__).parent


def run(module, env=None):
    cocotb_runner.run(
        "cryptile:shell:axis_engine",
        "axis_probe",
        module,
        test_dir=HERE,
        extra_sources=[HERE / "axis_probe.sv"],
        see=[],
        env=env,
    )


def test_axis_shell():
    run("tb_axis_shell")


def test_the_drawing_is_what_the_rtl_does():
    with compare("axis_shell") as recorded:
        run("tb_axis_timing", {"CRYPTILE_WAVES": str(recorded)})
