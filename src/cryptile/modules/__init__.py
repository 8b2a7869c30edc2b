"""Faults in a module of a user's own: anything with a clock, driven by recorded vectors."""
