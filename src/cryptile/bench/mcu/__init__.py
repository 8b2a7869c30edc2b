"""Measures AES on the microcontroller: every engine variant and the software, in exact cycles."""
