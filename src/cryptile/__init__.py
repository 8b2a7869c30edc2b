"""Cryptile: an open cryptographic subsystem for RISC-V chips, and the command that measures it."""

__version__ = "0.2.0"
