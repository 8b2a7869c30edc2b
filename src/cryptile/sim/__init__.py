"""Cycle-accurate simulation of the systems-on-chip."""
