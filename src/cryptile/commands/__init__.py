"""The words of the command line, a module for each command, which is imported when it is used."""
