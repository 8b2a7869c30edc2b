"""The instruction-set simulator against the processors' RTL: results and cycles."""

import iss_random
import iss_timing
import pytest

from cryptile.sim import mcu
from cryptile.sim.iss import Machine

# One worker builds and uses each model.
pytestmark = pytest.mark.xdist_group("mcu-model")
CORES = pytest.mark.parametrize(
    ("core", "bits"), [("cv32e40p", False), ("ibex", False), ("ibex", True)]
)


@CORES
def test_random_program(core: str, bits: bool, tmp_path):
    extensions = ("i", "m", "zba", "zbb", "zbs") if bits else ("i", "m")
    made = iss_random.mixed(32, 7, 1200, rvc=True, extensions=extensions)
    size = 4 * len(made.labels)
    elf = iss_timing.firmware(
        made.text.replace("_start", "linux_start"), "random_main.c", bits, f"-DRESULTS={size}"
    )
    model = mcu.build(core, rv32b="balanced" if bits else "none")
    assert mcu.run(model, elf, output=tmp_path / "out", max_cycles=2_000_000).exit_code == 0
    theirs = (tmp_path / "out").read_bytes()
    machine = Machine(elf, iss_timing.isa(bits))
    machine.call_abi("random_program")
    ours = machine.read(machine.symbols["results"], size)
    assert len(theirs) == size
    for index, label in enumerate(made.labels):
        at = slice(4 * index, 4 * index + 4)
        assert ours[at][::-1].hex() == theirs[at][::-1].hex(), f"result {index}: {label}"


@CORES
def test_cycles(core: str, bits: bool):
    rtl = iss_timing.on_rtl(core, bits)
    model = iss_timing.in_model(core, bits)
    wrong = {name: (rtl[name], model[name]) for name in rtl
             if abs(model[name] - rtl[name]) > 0.002 * rtl[name]}  # fmt: skip
    assert not wrong
    assert len(rtl) > 40
