"""What an instruction-set extension would bring, answered by running the code that uses it."""
