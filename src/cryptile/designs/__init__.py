"""Designs by name, or from a user's file: what is built of them, and what is known of it."""
