"""Jobs of the engine port: their bits, random ones of every kind, and what should come of them."""
