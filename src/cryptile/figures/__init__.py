"""Figures of the documents: kept as records in ``docs/figures``, written between markers."""
