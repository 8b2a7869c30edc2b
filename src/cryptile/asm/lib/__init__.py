"""The generators, one module or package for each folder of ``sw/lib`` that has assembly.

Each has a ``ROUTINES`` list, from which :mod:`cryptile.asm.routines` collects.
"""
