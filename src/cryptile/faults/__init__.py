"""Fault injection: what becomes of every upset in a netlist."""
