"""The serial AES core against an independent implementation, in two configurations."""

from pathlib import Path

import pytest
from support.cocotb_runner import STORED, run


@pytest.mark.parametrize("full", [True, False], ids=["full", "aes-128-enc"])
def test_serial_core(full: bool) -> None:
    enabled = int(full)
    run(
        "cryptile:engine:aes",
        "cry_aes_core_serial",
        "tb_aes_serial_core",
        test_dir=Path(__file__).parent,
        extra_sources=[Path(__file__).parent / "aes_serial_bare.vlt"],
        see=[*STORED, ("cry_aes_core_serial", "En*")],
        parameters={"EnDecrypt": enabled, "EnKey192": enabled, "EnKey256": enabled},
    )
