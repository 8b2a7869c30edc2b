"""Samples of the entropy source, as its validation by NIST SP 800-90B asks for them."""
