"""Microprograms: each file writes its own into a builder."""
