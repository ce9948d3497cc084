"""Computed questions by family: figures drawn from a seed, an answer reckoned twice, and what common mistakes give.

A new family on a case sheet is one block in `data/qa/families/*.yaml` and one function in `checks`; one on annual
reports is a block in `data/qa/extraction.yaml`, with a line in `checks` where it asks for something new.
"""
