"""Output that lies on input: the calls, and what they do then."""
