"""The instruction-set simulator against the processors' RTL: results and cycles."""

import iss_random
import iss_timing
import pytest

from cryptile.sim.iss import Machine
from cryptile.systems import mcu

# One worker builds and uses each model.
pytestmark = pytest.mark.xdist_group("mcu-model")
CORES = pytest.mark.parametrize(
    ("core", "bits"), [("cv32e40p", False), ("ibex", False), ("ibex", True)]
)


@CORES
@pytest.mark.parametrize("seed", [7, 8, 9])
def test_random_program(core: str, bits: bool, seed: int, tmp_path):
    extensions = ("i", "m", "zba", "zbb", "zbc", "zbs", "zbkb", "zbkx") if bits else ("i", "m")
    made = iss_random.mixed(32, seed, 1200, rvc=True, extensions=extensions)
    size = 4 * len(made.labels)
    elf = iss_timing.firmware(
        made.text.replace("_start", "linux_start"), "random_main.c", bits, f"-DRESULTS={size}"
    )
    model = mcu.build(core, rv32b="full" if bits else "none")
    result = mcu.run(model, elf, output=tmp_path / "out", max_cycles=2_000_000)
    assert result.exit_code == 0
    theirs = (tmp_path / "out").read_bytes()
    assert len(theirs) == size

    machine = Machine(elf, iss_timing.isa(bits), core)
    cycles = machine.call_abi("measure", machine.symbols["random_program"]).value
    ours = machine.read(machine.symbols["results"], size)
    for index, label in enumerate(made.labels):
        at = slice(4 * index, 4 * index + 4)
        assert ours[at][::-1].hex() == theirs[at][::-1].hex(), f"result {index}: {label}"
    assert cycles == int(result.console, 16)


@CORES
def test_cycles(core: str, bits: bool):
    rtl = iss_timing.on_rtl(core, bits)
    model = iss_timing.in_model(core, bits)
    assert model == rtl
    assert len(rtl) > 40
