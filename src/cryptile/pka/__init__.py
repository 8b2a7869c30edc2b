"""The public-key engine's assembler, its microprograms, and a simulator exact to bit and cycle.

``isa`` reads the instructions from the catalogue; ``builder`` and ``schedule`` make programs of
what ``programs`` write; ``machine`` runs them as the engine of ``rtl/engine/pka`` is to.
"""
