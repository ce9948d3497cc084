"""The company's business tools, one module a part of the company; `catalog.py` puts them together."""
