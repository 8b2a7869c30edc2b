"""Generators of RISC-V assembly, and the small framework that they share.

A generator writes instructions into a :class:`~cryptile.asm.code.Code`, with physical registers
or with virtual values. :mod:`~cryptile.asm.allocate` gives registers to values,
:mod:`~cryptile.asm.schedule` hides latencies, :mod:`~cryptile.asm.function` adds the calling
convention and the header comment, and :mod:`~cryptile.asm.routines` lists every routine.
"""
