"""``cryptile bench``: exact cycle counts of the systems-on-chip."""
