"""The search for plans: fast evaluation, heuristics, proof by enumeration, and a strong local search."""
