"""``cryptile crypt``: real files through the simulated systems-on-chip."""
