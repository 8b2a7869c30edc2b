"""Formal proof, on the synthesised netlist, that a single upset changes nothing outside."""
