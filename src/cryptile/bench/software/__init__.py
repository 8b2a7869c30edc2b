"""Measures the software library: on the instruction-set simulator and on RTL cores."""
