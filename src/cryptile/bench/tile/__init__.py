"""Measures the crypto tile beside a CVA6: jobs against software, and where their time goes."""
