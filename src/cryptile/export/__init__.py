"""Exports the software library for somebody else's build."""
