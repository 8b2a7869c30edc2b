"""Measures the stream SoC: an engine behind DMA against software, in exact cycles."""
