"""What jobs should give: one reference of each algorithm, whose modes have the engines' numbers.

Independent of the RTL: ``hashlib`` and ``cryptography`` where they have the function, and the
standard's text in Python for what they do not show, such as contexts.
"""
