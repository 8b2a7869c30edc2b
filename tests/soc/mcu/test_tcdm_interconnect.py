"""The TCDM interconnect alone, in the shape of the microcontroller and in a small one."""

from pathlib import Path

import pytest
from support.cocotb_runner import run


@pytest.mark.parametrize(("masters", "banks", "bank_words"), [(5, 8, 8192), (3, 2, 16)])
def test_tcdm_interconnect(masters: int, banks: int, bank_words: int):
    run(
        "cryptile:soc:tcdm",
        "mcu_tcdm_interconnect",
        "tb_tcdm_interconnect",
        test_dir=Path(__file__).parent,
        parameters={"NumMasters": masters, "NumBanks": banks, "BankWords": bank_words},
        env={"MASTERS": str(masters), "BANKS": str(banks), "BANK_WORDS": str(bank_words)},
        see=[],
    )
