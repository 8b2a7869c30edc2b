"""``cryptile bench stream``: an engine behind DMA against software, in exact cycles."""
