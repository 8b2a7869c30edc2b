"""Proofs of engines that keep the promise of a level in ways of their own.

The steps that any engine may have (``replay``, ``words``, ``detection``, ``containment``,
``pause``) know no engine; what is known of one stands in its folder.
"""
