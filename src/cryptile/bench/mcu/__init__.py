"""``cryptile bench mcu``: engine variants and software on the microcontroller, in exact cycles."""
