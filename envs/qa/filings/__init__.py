"""Annual reports drawn from a seed: books kept by double entry, and every statement and note that follows from them."""

from .filing import Filing, generate

__all__ = ["Filing", "generate"]
