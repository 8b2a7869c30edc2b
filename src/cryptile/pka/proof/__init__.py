"""What is shown of all the public-key engines' programs, whatever inputs and random rows are."""
