"""ChaCha20-Poly1305 with its DMA."""

from pathlib import Path

from support import cocotb_runner


def test_dma_chacha20poly1305():
    cocotb_runner.run(
        "cryptile:shell:dma_engine",
        "cry_dma_engine",
        "tb_dma_chacha20poly1305",
        test_dir=Path(__file__).parent,
        parameters={"Engine": "cry_engine_select_pkg::ChaCha20Poly1305StdStream"},
        see=[],
    )
