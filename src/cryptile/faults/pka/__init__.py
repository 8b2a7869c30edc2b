"""Upsets of the public-key engine while it makes a signature.

Its memories of rows and its long programs are too much for the batch machine of other campaigns;
``campaign.cpp`` follows an upset by the RTL, and by the program where nothing but values is wrong.
"""
