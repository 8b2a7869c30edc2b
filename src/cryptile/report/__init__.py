"""One page over everything that was measured, to be read without a network."""
